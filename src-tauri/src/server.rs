//! The server for other programs, which runs as long as the app.

use std::path::PathBuf;
use std::sync::Arc;

use inklings_app::dispatch;
use inklings_app::features::server::starts_with_app;
use inklings_engine::Engine;
use inklings_rpc::CallContext;
use inklings_server::http::BackgroundServer;
use serde_json::json;
use tauri::{AppHandle, Manager as _};

use crate::windows::Windows;

/// Lets windows start the server. `home` is the account's folder.
pub(crate) fn provide(engine: &Engine, home: PathBuf) {
    // Called once.
    let _ = engine.app().server.set(Arc::new(BackgroundServer::new(home, engine.changes(), engine.run_events())));
}

/// Starts the server if the settings say so, for the workspace of the first window.
pub(crate) fn start_with_app(app: &AppHandle, engine: &Engine) {
    let (core, workspace) = (engine.app().clone(), app.state::<Windows>().first_workspace());
    tauri::async_runtime::spawn(async move {
        let user = core.user.clone();
        let wanted = tauri::async_runtime::spawn_blocking(move || starts_with_app(user.as_ref())).await;
        if !matches!(wanted, Ok(Ok(true))) {
            return;
        }
        let cx = CallContext::local(workspace.map(PathBuf::from), core.origin.clone());
        // The settings page shows the reason, too.
        if let Err(failure) = dispatch(core, cx, "server/start", json!({})).await {
            tracing::warn!(message = failure.message, "the server could not be started");
        }
    });
}

/// Closes the address and removes the token file.
pub(crate) fn stop(engine: &Engine) {
    if let Some(server) = engine.app().server.get() {
        server.stop();
    }
}
