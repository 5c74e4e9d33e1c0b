//! The commands of the webview: every operation by name, and functions of its window. The webview has no file, shell or network
//! permission, so these commands and events are its only access.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use inklings_app::dispatch;
use inklings_engine::Engine;
use inklings_rpc::{CallContext, CancellationToken, Failure, Progress, ProgressReporter};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tauri::ipc::Channel;
use tauri::{AppHandle, State, WebviewWindow};
use tauri_plugin_dialog::DialogExt as _;

use crate::calls::Calls;
use crate::windows::{self, WindowSlot, Windows};

/// Of copied and pasted text.
const MAX_CLIPBOARD_BYTES: usize = 64 * 1024 * 1024;

pub(crate) fn all() -> impl Fn(tauri::ipc::Invoke) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        rpc,
        rpc_with_progress,
        rpc_cancel,
        pick_path,
        window_start,
        claim_window,
        window_open,
        window_close,
        window_zoom,
        toggle_fullscreen,
        quit,
        copy_text,
        paste_text,
        open_address,
        open_folder
    ]
}

/// Calls an operation. `workspace` is the folder that the window has open.
#[tauri::command]
async fn rpc(engine: State<'_, Arc<Engine>>, name: String, params: Value, workspace: Option<PathBuf>) -> Result<Value, Failure> {
    let app = engine.app().clone();
    let cx = CallContext::local(workspace, app.origin.clone());
    dispatch(app, cx, &name, params).await
}

/// Shortest time between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Calls an operation that takes long and reports its progress. `rpc_cancel` with the same `call` cancels it.
#[tauri::command]
async fn rpc_with_progress(
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
    let reporter = ProgressReporter::new(move |report| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= REPORT_INTERVAL) {
            *last = Some(Instant::now());
            // Fails if the window was closed; the call continues.
            let _ = progress.send(report);
        }
    });
    let cancel = CancellationToken::new();
    let _guard = calls.begin(call, cancel.clone());
    let cx = CallContext::local(workspace, app.origin.clone()).with_control(cancel, reporter);
    dispatch(app, cx, &name, params).await
}

/// Cancels a call of `rpc_with_progress`.
#[tauri::command]
fn rpc_cancel(calls: State<'_, Calls>, call: String) {
    calls.cancel(&call);
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum PickedKind {
    Folder,
    /// A file that skills can be imported from.
    Package,
    Database,
}

/// Shows the system's file dialog. Null if it was cancelled.
#[tauri::command]
async fn pick_path(window: WebviewWindow, title: String, what: PickedKind) -> Option<String> {
    let (answer, picked) = tokio::sync::oneshot::channel();
    let dialog = window.dialog().file().set_parent(&window).set_title(title);
    // Fails if the window was closed before the dialog.
    let done = move |path| drop(answer.send(path));
    match what {
        PickedKind::Folder => dialog.pick_folder(done),
        PickedKind::Package => dialog.add_filter("Skills", &["skill", "zip", "json", "md"]).pick_file(done),
        PickedKind::Database => dialog.add_filter("Databases", &["db"]).add_filter("All files", &["*"]).pick_file(done),
    }
    picked.await.ok().flatten().and_then(|path| path.into_path().ok()).map(|path| path.display().to_string())
}

#[derive(Serialize)]
struct WindowInit {
    /// The window's name in events.
    label: String,
    #[serde(flatten)]
    slot: WindowSlot,
}

/// The state of this window, also after a reload.
#[tauri::command]
fn window_start(window: WebviewWindow, windows: State<'_, Windows>) -> WindowInit {
    WindowInit { label: window.label().to_owned(), slot: windows.slot_of(window.label()) }
}

/// Claims a workspace for this window. Null if another window has it, which is then brought to the front.
#[tauri::command]
async fn claim_window(window: WebviewWindow, workspace: Option<String>) -> Option<WindowSlot> {
    windows::claim_workspace(&window, workspace).await
}

/// Opens a window, with or without a folder.
#[tauri::command]
async fn window_open(app: AppHandle, folder: Option<String>) -> Result<(), Failure> {
    windows::open(&app, folder).await
}

/// Closes this window after its page has saved everything.
#[tauri::command]
async fn window_close(window: WebviewWindow) {
    windows::close(&window);
}

#[tauri::command]
async fn window_zoom(window: WebviewWindow, level: f64) {
    if let Err(error) = window.set_zoom(windows::zoom(Some(&level.into()))) {
        tracing::warn!(%error, "can't zoom the window");
    }
}

/// Toggles full screen. Returns whether it is on now.
#[tauri::command]
async fn toggle_fullscreen(window: WebviewWindow) -> bool {
    let filled = window.is_fullscreen().unwrap_or_default();
    match window.set_fullscreen(!filled) {
        Ok(()) => !filled,
        Err(error) => {
            tracing::warn!(%error, "can't toggle full screen");
            filled
        }
    }
}

/// Closes all windows and ends the app.
#[tauri::command]
async fn quit(app: AppHandle) {
    windows::quit(&app);
}

/// Copies text. A web view can copy only during a key press or a click, not after an asynchronous call.
#[tauri::command]
async fn copy_text(app: AppHandle, text: String) -> Result<(), String> {
    if text.len() > MAX_CLIPBOARD_BYTES {
        return Err(format!("{} bytes exceed the limit of the clipboard", text.len()));
    }
    let (sent, done) = tokio::sync::oneshot::channel();
    let copy = move || {
        crate::clipboard::put(&text);
        // Fails if the window was closed.
        let _ = sent.send(());
    };
    app.run_on_main_thread(copy).map_err(|error| error.to_string())?;
    done.await.map_err(|error| error.to_string())
}

/// The clipboard's text, for "Paste" in menus of the app: a web view pastes only by its own menu and keys. Null if there is none.
#[tauri::command]
async fn paste_text(app: AppHandle) -> Result<Option<String>, String> {
    let (sent, done) = tokio::sync::oneshot::channel();
    let paste = move || {
        crate::clipboard::get(move |text| {
            // Fails if the window was closed.
            let _ = sent.send(text.filter(|text| text.len() <= MAX_CLIPBOARD_BYTES));
        });
    };
    app.run_on_main_thread(paste).map_err(|error| error.to_string())?;
    done.await.map_err(|error| error.to_string())
}

/// Opens a web or mail address outside of the app.
#[tauri::command]
async fn open_address(address: String) -> Result<(), String> {
    crate::external::open_address(&address)
}

/// Shows a folder in the system's file manager.
#[tauri::command]
async fn open_folder(folder: PathBuf) -> Result<(), String> {
    crate::external::open_folder(&folder)
}
