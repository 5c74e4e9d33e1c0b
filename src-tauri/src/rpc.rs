//! The webview's only way in: every operation by name, and the native folder dialog.

use std::path::PathBuf;
use std::sync::Arc;

use inklings_app::{CallContext, Failure, dispatch};
use inklings_engine::Engine;
use serde_json::Value;
use tauri::{AppHandle, State};
use tauri_plugin_dialog::DialogExt as _;

/// Calls an operation. `workspace` is the folder that the window has open.
#[tauri::command]
pub(crate) async fn rpc(engine: State<'_, Arc<Engine>>, name: String, params: Value, workspace: Option<PathBuf>) -> Result<Value, Failure> {
    let app = engine.app().clone();
    let cx = CallContext::local(workspace, app.origin.clone());
    dispatch(app, cx, &name, params).await
}

/// Asks for a folder with the system's own dialog; null when cancelled.
#[tauri::command]
pub(crate) async fn pick_folder(app: AppHandle) -> Option<String> {
    let (answer, picked) = tokio::sync::oneshot::channel();
    app.dialog().file().pick_folder(move |folder| {
        // The window may be gone by the time the dialog closes; then nobody waits for the answer.
        let _ = answer.send(folder);
    });
    picked.await.ok().flatten().and_then(|folder| folder.into_path().ok()).map(|path| path.display().to_string())
}
