//! The dialog of a failed start.

use std::process::ExitCode;

use inklings_engine::{Options, diagnostics};
use inklings_rpc::Failure;
use tauri::AppHandle;
use tauri_plugin_dialog::{DialogExt as _, MessageDialogButtons, MessageDialogKind};

/// Shows why the app can't start, then ends it.
pub(crate) fn show(studio: tauri::App, options: &Options, error: &Failure) -> ExitCode {
    let hint = error.hint.as_deref().map(|hint| format!("\n\n{hint}")).unwrap_or_default();
    let text = format!("{}{hint}", error.message);
    let report = diagnostics::startup_report(options, error);
    studio.run_return(move |app, event| match event {
        tauri::RunEvent::Ready => ask(app, text.clone(), report.clone()),
        // Without windows, the app would end at once.
        tauri::RunEvent::ExitRequested { code: None, api, .. } => api.prevent_exit(),
        _ => {}
    });
    ExitCode::FAILURE
}

/// Shows the dialog until it is closed. Copying doesn't close it, since the clipboard's text is lost with its program.
fn ask(app: &AppHandle, text: String, report: String) {
    let handle = app.clone();
    let buttons = MessageDialogButtons::OkCancelCustom("Copy diagnostics".to_owned(), "Close".to_owned());
    let dialog = app.dialog().message(&text).title("Inklings Skill Studio can't start").kind(MessageDialogKind::Error).buttons(buttons);
    dialog.show(move |copy| {
        if !copy {
            handle.exit(1);
            return;
        }
        let app = handle.clone();
        let again = move || {
            crate::clipboard::put(&report);
            let copied = "\n\nDiagnostics copied. Paste them before you close this dialog.";
            ask(&app, text.strip_suffix(copied).unwrap_or(&text).to_owned() + copied, report);
        };
        if handle.run_on_main_thread(again).is_err() {
            handle.exit(1);
        }
    });
}
