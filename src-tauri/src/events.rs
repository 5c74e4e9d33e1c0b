//! What happens outside the windows, forwarded to all of them: the change feed as `changes` events, runs as `run` events.

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

/// Forwards the events of runs until the app ends. A window picks out the runs that it shows.
pub(crate) fn forward_runs(app: AppHandle, engine: &Arc<Engine>) {
    let mut events = engine.run_events();
    tauri::async_runtime::spawn(async move {
        loop {
            match events.recv().await {
                Ok(event) => {
                    if let Err(error) = app.emit("run", &event) {
                        tracing::warn!(%error, "an event of a run could not be sent to the window");
                    }
                }
                // What was missed is in the run's result and in its traces.
                Err(tokio::sync::broadcast::error::RecvError::Lagged(missed)) => tracing::warn!(missed, "events of runs were missed"),
                Err(tokio::sync::broadcast::error::RecvError::Closed) => break,
            }
        }
    });
}
