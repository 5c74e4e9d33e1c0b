//! A window with an empty page and nothing behind it: what Tauri itself takes to start.

use std::process::ExitCode;

fn main() -> ExitCode {
    match tauri::Builder::default().run(context()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// The configuration and the page that were built in.
#[expect(clippy::exit, reason = "the macro's own code")]
fn context() -> tauri::Context {
    tauri::generate_context!()
}
