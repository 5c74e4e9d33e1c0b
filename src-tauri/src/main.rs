//! The desktop app.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod events;
mod rpc;
mod window;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use inklings_engine::{Engine, Options};
use tauri::Manager as _;
use tauri_plugin_shell::ShellExt as _;

fn main() -> ExitCode {
    let built = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_shell::init())
        .invoke_handler(tauri::generate_handler![rpc::rpc, rpc::pick_folder])
        .build(context());
    let studio = match built {
        Ok(studio) => studio,
        Err(error) => {
            tracing::error!(%error, "the window system refused");
            return ExitCode::FAILURE;
        }
    };
    let launcher = launcher(studio.handle());
    let engine = match Engine::start(Options { maintain: true, launcher, ..Options::from_environment() }) {
        Ok(engine) => Arc::new(engine),
        Err(error) => {
            tracing::error!(%error, "the app can't start");
            return window::show_fatal(studio, &error);
        }
    };
    studio.manage(engine.clone());
    // The process ends without dropping anything, so the databases are closed here.
    let code = studio.run_return(move |app, event| match event {
        tauri::RunEvent::Ready => {
            events::forward(app.clone(), &engine);
            events::forward_runs(app.clone(), &engine);
            if let Err(error) = window::open(app) {
                tracing::error!(%error, "the window can't be opened");
                app.exit(1);
            }
        }
        tauri::RunEvent::Exit => engine.close(),
        _ => {}
    });
    if code == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The launcher of the DSPy process, where the bundle put it.
fn launcher(app: &tauri::AppHandle) -> Option<PathBuf> {
    let command: std::process::Command = app.shell().sidecar("inklings-confine").ok()?.into();
    Some(PathBuf::from(command.get_program())).filter(|file| file.is_file())
}

/// The configuration, capabilities and pages that were built in.
#[expect(clippy::exit, reason = "the macro's own code")]
fn context() -> tauri::Context {
    tauri::generate_context!()
}
