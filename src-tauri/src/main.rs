//! The desktop app.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod events;
mod rpc;
mod window;

use std::process::ExitCode;
use std::sync::Arc;

use inklings_engine::{Engine, Options};

fn main() -> ExitCode {
    let context = context();
    let engine = match Engine::start(Options { maintain: true, ..Options::from_environment() }) {
        Ok(engine) => Arc::new(engine),
        Err(error) => {
            tracing::error!(%error, "the app can't start");
            return window::show_fatal(context, &error);
        }
    };
    let running = engine.clone();
    let studio = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .manage(engine.clone())
        .invoke_handler(tauri::generate_handler![rpc::rpc, rpc::pick_folder])
        .setup(move |app| {
            window::open(app.handle())?;
            events::forward(app.handle().clone(), &engine);
            events::forward_runs(app.handle().clone(), &engine);
            Ok(())
        })
        .build(context);
    match studio {
        Ok(studio) => {
            // The process ends without dropping anything, so the databases are closed here.
            let code = studio.run_return(move |_, event| {
                if matches!(event, tauri::RunEvent::Exit) {
                    running.close();
                }
            });
            if code == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            tracing::error!(%error, "the window system refused");
            ExitCode::FAILURE
        }
    }
}

/// The configuration, capabilities and pages that were built in.
#[expect(clippy::exit, reason = "the macro's own code")]
fn context() -> tauri::Context {
    tauri::generate_context!()
}
