//! The desktop app.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod calls;
mod clipboard;
mod commands;
mod events;
mod external;
mod fatal;
mod instance;
mod placement;
mod server;
mod windows;

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, mpsc};
use std::thread;

use inklings_engine::{Engine, Options, diagnostics, display};
use inklings_rpc::{Code, Failure};
use tauri::Manager as _;
use tauri_plugin_shell::ShellExt as _;

use crate::calls::Calls;
use crate::instance::{Instance, OpenRequest, Start};
use crate::windows::Windows;

fn main() -> ExitCode {
    let folder = match parse_arguments(std::env::args_os().skip(1)) {
        Ok(folder) => folder,
        Err(problem) => return refuse(&problem),
    };
    let options = Options { maintain: true, ..Options::from_environment() };
    // Before the window system starts, so that a second start ends quickly.
    let claimed = Instance::claim(&options.home, &OpenRequest { folder: folder.clone() });
    let instance = match claimed {
        Ok(Start::Forwarded) => return ExitCode::SUCCESS,
        Ok(Start::Refused(why)) => return refuse(&why),
        Ok(Start::First(instance)) => Ok(instance),
        Err(error) => Err(error),
    };
    // A running app has one, so it opens a folder also for a start without it.
    if !display::is_available(std::env::var_os) {
        return refuse(display::NO_DISPLAY);
    }
    diagnostics::set_environment(about());
    // The account is opened in parallel with the start of the window system, which takes about as long.
    let (launcher_sender, launcher_receiver) = mpsc::channel();
    let starting = match &instance {
        Err(error) if is_unanswered(error) => None,
        // The engine reports other errors of the claim in more detail.
        _ => {
            let options = options.clone();
            Some(thread::spawn(move || Engine::start_beside(options, || launcher_receiver.recv().ok().flatten())))
        }
    };
    let built = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_shell::init())
        .invoke_handler(commands::all())
        .build(context());
    let _ = launcher_sender.send(built.as_ref().ok().and_then(|studio| launcher(studio.handle())));
    let started =
        starting.map_or_else(|| Err(unanswered(&options.home)), |engine| engine.join().unwrap_or_else(|panic| resume_unwind(panic)));
    let studio = match built {
        Ok(studio) => studio,
        Err(error) => {
            tracing::error!(%error, "can't start the window system");
            return ExitCode::FAILURE;
        }
    };
    let engine = match started {
        Ok(engine) => Arc::new(engine),
        Err(error) => {
            tracing::error!(%error, "the app can't start");
            return fatal::show(studio, &options, &error);
        }
    };
    server::provide(&engine, options.home.clone());
    studio.manage(engine.clone());
    studio.manage(Windows::default());
    studio.manage(Calls::default());
    // Tauri exits the process without dropping anything, so the databases are closed in `Exit`.
    let code = studio.run_return(move |app, event| match event {
        tauri::RunEvent::Ready => {
            events::forward(app.clone(), &engine);
            events::forward_runs(app.clone(), &engine);
            events::forward_chats(app.clone(), &engine);
            if let Err(error) = windows::restore(app, &engine, folder.clone()) {
                tracing::error!(%error, "can't open a window");
                app.exit(1);
            }
            server::start_with_app(app, &engine);
            let handle = app.clone();
            let served = instance.as_ref().map(|instance| instance.serve(move |request| windows::handle_open_request(&handle, request)));
            if let Ok(Err(error)) = served {
                tracing::warn!(%error, "can't listen for other starts");
            }
        }
        tauri::RunEvent::Exit => {
            server::stop(&engine);
            engine.close();
        }
        _ => {}
    });
    if code == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn parse_arguments(arguments: impl Iterator<Item = std::ffi::OsString>) -> Result<Option<String>, String> {
    let mut folder = None;
    for argument in arguments {
        if argument.as_encoded_bytes().starts_with(b"-") || folder.is_some() {
            return Err(format!("unexpected argument {}; usage: inklings-studio [FOLDER]", Path::new(&argument).display()));
        }
        folder = Some(windows::folder_argument(Path::new(&argument))?);
    }
    Ok(folder)
}

#[expect(clippy::print_stderr, reason = "shown in the terminal that started the app")]
fn refuse(problem: &str) -> ExitCode {
    eprintln!("error: {problem}");
    ExitCode::FAILURE
}

/// Facts about the window system for the diagnostics report.
fn about() -> Vec<(String, String)> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty()).unwrap_or_else(|| "unknown".to_owned());
    let view = tauri::webview_version().unwrap_or_else(|error| error.to_string());
    let fact = |name: &str, value: String| (name.to_owned(), value);
    vec![
        fact("Web view", format!("WebKitGTK {view}")),
        fact("Desktop", format!("{}, session {}", variable("XDG_CURRENT_DESKTOP"), variable("XDG_SESSION_TYPE"))),
        fact("Language", variable("LANG")),
    ]
}

/// Whether another process has the lock and doesn't answer.
fn is_unanswered(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionRefused, ConnectionReset, NotFound, TimedOut, UnexpectedEof, WouldBlock};
    matches!(error.kind(), ConnectionRefused | ConnectionReset | NotFound | TimedOut | UnexpectedEof | WouldBlock)
}

fn unanswered(home: &Path) -> Failure {
    Failure::new(Code::Busy, format!("Inklings Skill Studio is already running with {} and doesn't respond", home.display()))
        .hint("end the process inklings-studio and start it again; unsaved changes are kept as drafts")
}

/// The bundled launcher of the DSPy process.
fn launcher(app: &tauri::AppHandle) -> Option<PathBuf> {
    let command: std::process::Command = app.shell().sidecar("inklings-confine").ok()?.into();
    Some(PathBuf::from(command.get_program())).filter(|file| file.is_file())
}

#[expect(clippy::exit, reason = "the macro's own code")]
fn context() -> tauri::Context {
    tauri::generate_context!()
}
