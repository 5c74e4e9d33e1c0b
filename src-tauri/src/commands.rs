//! The webview's only ways in: every operation by name, and what the window around it can do.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use inklings_app::dispatch;
use inklings_engine::Engine;
use inklings_rpc::{CallContext, Failure, Progress, Watch};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tauri::ipc::Channel;
use tauri::{AppHandle, State, WebviewWindow};
use tauri_plugin_dialog::DialogExt as _;

use crate::calls::Calls;
use crate::windows::{self, WindowSlot, Windows};

/// Bytes of a text that is copied.
const COPY_BYTES: usize = 64 * 1024 * 1024;

/// The commands; `capabilities/studio.json` tells them too.
pub(crate) fn all() -> impl Fn(tauri::ipc::Invoke) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        rpc,
        rpc_watched,
        rpc_stop,
        pick_path,
        window_start,
        window_take,
        window_open,
        window_close,
        window_zoom,
        window_fill,
        quit,
        copy_text,
        paste_text
    ]
}

/// Calls an operation. `workspace` is the folder that the window has open.
#[tauri::command]
async fn rpc(engine: State<'_, Arc<Engine>>, name: String, params: Value, workspace: Option<PathBuf>) -> Result<Value, Failure> {
    let app = engine.app().clone();
    let cx = CallContext::local(workspace, app.origin.clone());
    dispatch(app, cx, &name, params).await
}

/// Between two reports of how far a call is.
const REPORTS: Duration = Duration::from_millis(100);

/// Calls an operation that takes long: `progress` hears how far it is, and `rpc_stop` with the same name of `call` stops it.
#[tauri::command]
async fn rpc_watched(
    engine: State<'_, Arc<Engine>>,
    calls: State<'_, Calls>,
    name: String,
    params: Value,
    workspace: Option<PathBuf>,
    call: String,
    progress: Channel<Progress>,
) -> Result<Value, Failure> {
    let app = engine.app().clone();
    let last = Mutex::new(None::<Instant>);
    let watch = Watch::new(move |far| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= REPORTS) {
            *last = Some(Instant::now());
            // The window may be gone; the call goes on to its end.
            let _ = progress.send(far);
        }
    });
    let _listed = calls.begin(call, watch.clone());
    let cx = CallContext::local(workspace, app.origin.clone()).watched(watch);
    dispatch(app, cx, &name, params).await
}

/// Asks a call that is watched to stop.
#[tauri::command]
fn rpc_stop(calls: State<'_, Calls>, call: String) {
    calls.stop(&call);
}

/// What is asked for with the system's own dialog.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Picked {
    Folder,
    /// A file that skills can be imported from.
    Package,
    /// A copy of a database.
    Database,
}

/// Asks for a folder or a file with the system's own dialog; null when cancelled.
#[tauri::command]
async fn pick_path(window: WebviewWindow, title: String, what: Picked) -> Option<String> {
    let (answer, picked) = tokio::sync::oneshot::channel();
    let dialog = window.dialog().file().set_parent(&window).set_title(title);
    // The window may be gone by the time the dialog closes; then nobody waits for the answer.
    let done = move |path| drop(answer.send(path));
    match what {
        Picked::Folder => dialog.pick_folder(done),
        Picked::Package => dialog.add_filter("Skills", &["skill", "zip", "json", "md"]).pick_file(done),
        Picked::Database => dialog.add_filter("Databases", &["db"]).add_filter("All files", &["*"]).pick_file(done),
    }
    picked.await.ok().flatten().and_then(|path| path.into_path().ok()).map(|path| path.display().to_string())
}

/// What a window begins with.
#[derive(Serialize)]
struct Beginning {
    /// Its name in events.
    label: String,
    #[serde(flatten)]
    place: WindowSlot,
}

/// What this window begins with, also after its page was loaded again.
#[tauri::command]
fn window_start(window: WebviewWindow, windows: State<'_, Windows>) -> Beginning {
    Beginning { label: window.label().to_owned(), place: windows.slot_of(window.label()) }
}

/// Says which workspace this window is about to have. Null when another window has it: that one is shown instead.
#[tauri::command]
async fn window_take(window: WebviewWindow, workspace: Option<String>) -> Option<WindowSlot> {
    windows::claim_workspace(&window, workspace).await
}

/// Opens a window, on a folder or on none.
#[tauri::command]
async fn window_open(app: AppHandle, folder: Option<String>) -> Result<(), Failure> {
    windows::open(&app, folder).await
}

/// Closes this window, whose page has sent everything.
#[tauri::command]
async fn window_close(window: WebviewWindow) {
    windows::close(&window);
}

/// Shows everything larger or smaller.
#[tauri::command]
async fn window_zoom(window: WebviewWindow, level: f64) {
    if let Err(error) = window.set_zoom(windows::zoom(Some(&level.into()))) {
        tracing::warn!(%error, "the window can't be zoomed");
    }
}

/// Lets the window fill the screen, or no longer; tells which.
#[tauri::command]
async fn window_fill(window: WebviewWindow) -> bool {
    let filled = window.is_fullscreen().unwrap_or_default();
    match window.set_fullscreen(!filled) {
        Ok(()) => !filled,
        Err(error) => {
            tracing::warn!(%error, "the window can't fill the screen");
            filled
        }
    }
}

/// Closes all windows and ends the app.
#[tauri::command]
async fn quit(app: AppHandle) {
    windows::quit(&app);
}

/// Puts text on the clipboard. A web view does that only while a key is down or a button is pressed, not once an answer came.
#[tauri::command]
async fn copy_text(app: AppHandle, text: String) -> Result<(), String> {
    if text.len() > COPY_BYTES {
        return Err(format!("{} bytes are too many for the clipboard", text.len()));
    }
    let (sent, done) = tokio::sync::oneshot::channel();
    let copy = move || {
        crate::clipboard::put(&text);
        // The page may be gone by now.
        let _ = sent.send(());
    };
    app.run_on_main_thread(copy).map_err(|error| error.to_string())?;
    done.await.map_err(|error| error.to_string())
}

/// The text on the clipboard, for "Paste" in a menu: a web view gives it only to its own menus and keys. Null when there is none.
#[tauri::command]
async fn paste_text(app: AppHandle) -> Result<Option<String>, String> {
    let (sent, done) = tokio::sync::oneshot::channel();
    let paste = move || {
        crate::clipboard::get(move |text| {
            // The page may be gone by now.
            let _ = sent.send(text.filter(|text| text.len() <= COPY_BYTES));
        });
    };
    app.run_on_main_thread(paste).map_err(|error| error.to_string())?;
    done.await.map_err(|error| error.to_string())
}
