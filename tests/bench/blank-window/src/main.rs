//! A window with an empty page, to measure the start time of Tauri itself.

use std::process::ExitCode;

fn main() -> ExitCode {
    match tauri::Builder::default().run(context()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// The embedded configuration and page.
#[expect(clippy::exit, reason = "the macro's own code")]
fn context() -> tauri::Context {
    tauri::generate_context!()
}
