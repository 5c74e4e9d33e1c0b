//! The end of a start that failed.

use std::process::ExitCode;

use inklings_app::Failure;
use tauri_plugin_dialog::{DialogExt as _, MessageDialogKind};

/// Says why the app can't start, and ends it.
pub(crate) fn show(studio: tauri::App, error: &Failure) -> ExitCode {
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
