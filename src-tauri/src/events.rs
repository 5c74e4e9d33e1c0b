//! What happens outside the windows, forwarded to all of them: the change feed as `changes` events, runs as `run` events.

use std::sync::Arc;
use std::time::SystemTime;

use inklings_engine::Engine;
use serde::Serialize;
use tauri::{AppHandle, Emitter as _};

/// An event of a run on its way to the window.
#[derive(Clone, Serialize)]
struct Sent<E> {
    #[serde(flatten)]
    event: E,
    /// When it was sent, in milliseconds since 1970, for tests that measure the way into the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    sent_at: Option<f64>,
}

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
    // Set by WebDriver's users: nobody else needs the time, and the web view would keep its measurements for good.
    let measured = std::env::var_os("TAURI_WEBVIEW_AUTOMATION").is_some();
    tauri::async_runtime::spawn(async move {
        loop {
            match events.recv().await {
                Ok(event) => {
                    let sent_at = measured.then(now);
                    if let Err(error) = app.emit("run", Sent { event: &event, sent_at }) {
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

fn now() -> f64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64() * 1_000.0)
}
