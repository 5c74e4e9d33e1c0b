//! The change feed, forwarded to every window as `changes` events.

use std::sync::Arc;

use inklings_engine::Engine;
use tauri::{AppHandle, Emitter as _};

/// Forwards until the app ends.
pub(crate) fn forward(app: AppHandle, engine: &Arc<Engine>) {
    let mut changes = engine.changes();
    tauri::async_runtime::spawn(async move {
        loop {
            match changes.recv().await {
                Ok(change) => {
                    if let Err(error) = app.emit("changes", &change) {
                        tracing::warn!(%error, "a change could not be sent to the window");
                    }
                }
                // A window that fell behind looks at everything again.
                Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => {
                    if let Err(error) = app.emit("changes", inklings_engine::everything_changed()) {
                        tracing::warn!(%error, "a change could not be sent to the window");
                    }
                }
                Err(tokio::sync::broadcast::error::RecvError::Closed) => break,
            }
        }
    });
}
