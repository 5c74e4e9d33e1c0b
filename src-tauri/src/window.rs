//! The Studio's window.

use std::process::ExitCode;

use inklings_app::Failure;
use tauri::{AppHandle, Url, WebviewUrl, WebviewWindowBuilder};

/// Opens the Studio's window. It never leaves the app's own pages.
pub(crate) fn open(app: &AppHandle) -> tauri::Result<()> {
    WebviewWindowBuilder::new(app, "studio", WebviewUrl::App("index.html".into()))
        .title("Inklings Skill Studio")
        .inner_size(1280.0, 800.0)
        .min_inner_size(720.0, 480.0)
        .on_navigation(|url: &Url| matches!(url.scheme(), "tauri" | "about") || url.host_str() == Some("tauri.localhost"))
        .build()
        .map(|_| ())
}

/// Says in a window of its own why the app can't start.
pub(crate) fn show_fatal(context: tauri::Context, error: &Failure) -> ExitCode {
    use tauri_plugin_dialog::{DialogExt as _, MessageDialogKind};
    let hint = error.hint.as_deref().map(|hint| format!("\n\n{hint}")).unwrap_or_default();
    let text = format!("{}{hint}", error.message);
    let shown = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .setup(move |app| {
            let handle = app.handle().clone();
            app.dialog()
                .message(&text)
                .title("Inklings Skill Studio can't start")
                .kind(MessageDialogKind::Error)
                .show(move |_| handle.exit(1));
            Ok(())
        })
        .run(context);
    if let Err(error) = shown {
        tracing::error!(%error, "the window system refused");
    }
    ExitCode::FAILURE
}
