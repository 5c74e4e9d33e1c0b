//! The desktop app.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod calls;
mod clipboard;
mod commands;
mod events;
mod fatal;
mod instance;
mod placement;
mod windows;

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, mpsc};
use std::thread;

use inklings_engine::{Engine, Options, diagnostics};
use inklings_rpc::{Code, Failure};
use tauri::Manager as _;
use tauri_plugin_shell::ShellExt as _;

use crate::calls::Calls;
use crate::instance::{Instance, OpenRequest, Start};
use crate::windows::Windows;

fn main() -> ExitCode {
    let folder = match given(std::env::args_os().skip(1)) {
        Ok(folder) => folder,
        Err(problem) => return refuse(&problem),
    };
    let options = Options { maintain: true, ..Options::from_environment() };
    // Before anything of the window system: a second start is over in a moment.
    let claimed = Instance::claim(&options.home, &OpenRequest { folder: folder.clone() });
    let instance = match claimed {
        Ok(Start::Forwarded) => return ExitCode::SUCCESS,
        Ok(Start::Refused(why)) => return refuse(&why),
        Ok(Start::First(instance)) => Ok(instance),
        Err(error) => Err(error),
    };
    diagnostics::tell(about());
    // The account is opened while the window system starts: either takes about as long as the other.
    let (tell, told) = mpsc::channel();
    let starting = match &instance {
        Err(error) if is_silence(error) => None,
        // What is in the way of the claim is in the engine's way too, which says it better.
        _ => {
            let options = options.clone();
            Some(thread::spawn(move || Engine::start_beside(options, || told.recv().ok().flatten())))
        }
    };
    let built = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_shell::init())
        .invoke_handler(commands::all())
        .build(context());
    let _ = tell.send(built.as_ref().ok().and_then(|studio| launcher(studio.handle())));
    let started = starting.map_or_else(|| Err(silent(&options.home)), |engine| engine.join().unwrap_or_else(|panic| resume_unwind(panic)));
    let studio = match built {
        Ok(studio) => studio,
        Err(error) => {
            tracing::error!(%error, "the window system refused");
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
    studio.manage(engine.clone());
    studio.manage(Windows::default());
    studio.manage(Calls::default());
    // The process ends without dropping anything, so the databases are closed here.
    let code = studio.run_return(move |app, event| match event {
        tauri::RunEvent::Ready => {
            events::forward(app.clone(), &engine);
            events::forward_runs(app.clone(), &engine);
            if let Err(error) = windows::restore(app, &engine, folder.clone()) {
                tracing::error!(%error, "the window can't be opened");
                app.exit(1);
            }
            let handle = app.clone();
            let served = instance.as_ref().map(|instance| instance.serve(move |request| windows::handle_open_request(&handle, request)));
            if let Ok(Err(error)) = served {
                tracing::warn!(%error, "other starts of the Studio won't be answered");
            }
        }
        tauri::RunEvent::Exit => engine.close(),
        _ => {}
    });
    if code == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The folder among the arguments.
fn given(arguments: impl Iterator<Item = std::ffi::OsString>) -> Result<Option<String>, String> {
    let mut folder = None;
    for argument in arguments {
        if argument.as_encoded_bytes().starts_with(b"-") || folder.is_some() {
            return Err(format!("{} is not understood: usage is inklings-studio [FOLDER]", Path::new(&argument).display()));
        }
        folder = Some(windows::folder_given(Path::new(&argument))?);
    }
    Ok(folder)
}

#[expect(clippy::print_stderr, reason = "who started it from a terminal reads there why it ended")]
fn refuse(problem: &str) -> ExitCode {
    eprintln!("error: {problem}");
    ExitCode::FAILURE
}

/// What a report tells of the window system.
fn about() -> Vec<(String, String)> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty()).unwrap_or_else(|| "unknown".to_owned());
    let view = tauri::webview_version().unwrap_or_else(|error| error.to_string());
    let fact = |name: &str, value: String| (name.to_owned(), value);
    vec![
        fact("Web view", format!("WebKitGTK {view}")),
        fact("Desktop", format!("{}, session {}", set("XDG_CURRENT_DESKTOP"), set("XDG_SESSION_TYPE"))),
        fact("Language", set("LANG")),
    ]
}

/// Whether another Studio has the folder and says nothing.
fn is_silence(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionRefused, ConnectionReset, NotFound, TimedOut, UnexpectedEof, WouldBlock};
    matches!(error.kind(), ConnectionRefused | ConnectionReset | NotFound | TimedOut | UnexpectedEof | WouldBlock)
}

fn silent(home: &Path) -> Failure {
    Failure::new(Code::Busy, format!("the Studio already runs with {} and doesn't answer", home.display()))
        .hint("end the process inklings-studio, then start it again; unsaved drafts are kept")
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
