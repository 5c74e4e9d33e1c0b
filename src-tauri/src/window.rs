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

/// Says why the app can't start, and ends it.
pub(crate) fn show_fatal(studio: tauri::App, error: &Failure) -> ExitCode {
    use tauri_plugin_dialog::{DialogExt as _, MessageDialogKind};
    let hint = error.hint.as_deref().map(|hint| format!("\n\n{hint}")).unwrap_or_default();
    let text = format!("{}{hint}", error.message);
    studio.run_return(move |app, event| match event {
        tauri::RunEvent::Ready => {
            let handle = app.clone();
            let message = app.dialog().message(&text).title("Inklings Skill Studio can't start").kind(MessageDialogKind::Error);
            message.show(move |_| handle.exit(1));
        }
        // There is no window whose end would be the app's.
        tauri::RunEvent::ExitRequested { code: None, api, .. } => api.prevent_exit(),
        _ => {}
    });
    ExitCode::FAILURE
}
