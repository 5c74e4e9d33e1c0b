//! Forwards events to all windows: the change feed as `changes`, runs as `run`, chats as `chat`.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use inklings_app::ChatEvent;
use inklings_engine::Engine;
use serde::Serialize;
use tauri::{AppHandle, Emitter as _};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;

const FRAME: Duration = Duration::from_millis(16);

#[derive(Clone, Serialize)]
struct TimedEvent<E> {
    #[serde(flatten)]
    event: E,
    /// Milliseconds since 1970, only for tests that measure latency.
    #[serde(skip_serializing_if = "Option::is_none")]
    sent_at: Option<f64>,
}

pub(crate) fn forward(app: AppHandle, engine: &Arc<Engine>) {
    let mut changes = engine.changes();
    tauri::async_runtime::spawn(async move {
        loop {
            let change = match changes.recv().await {
                Ok(change) => change,
                // A window that lags behind reloads everything.
                Err(RecvError::Lagged(_)) => inklings_engine::everything_changed(),
                Err(RecvError::Closed) => break,
            };
            if let Err(error) = app.emit("changes", change) {
                tracing::warn!(%error, "can't send a change to the window");
            }
        }
    });
}

/// Every window receives all events and picks its own runs.
pub(crate) fn forward_runs(app: AppHandle, engine: &Arc<Engine>) {
    let mut events = engine.run_events();
    // Set by WebDriver. Otherwise the time isn't needed, and the web view would keep its measurements.
    let measured = std::env::var_os("TAURI_WEBVIEW_AUTOMATION").is_some();
    tauri::async_runtime::spawn(async move {
        loop {
            match events.recv().await {
                Ok(event) => {
                    let sent_at = measured.then(now);
                    if let Err(error) = app.emit("run", TimedEvent { event: &event, sent_at }) {
                        tracing::warn!(%error, "can't send a run event to the window");
                    }
                }
                // The run's result and traces are complete.
                Err(RecvError::Lagged(missed)) => tracing::warn!(missed, "missed run events"),
                Err(RecvError::Closed) => break,
            }
        }
    });
}

/// Every window receives all events and picks its own session. Pieces of text that arrive within a frame are sent as one event, since
/// a fast model sends more of them than a web view can take.
pub(crate) fn forward_chats(app: AppHandle, engine: &Arc<Engine>) {
    let mut events = engine.chat_events();
    let send = move |event: ChatEvent| {
        if let Err(error) = app.emit("chat", event) {
            tracing::warn!(%error, "can't send a chat event to the window");
        }
    };
    tauri::async_runtime::spawn(async move {
        let mut text: Option<ChatEvent> = None;
        let mut due = Instant::now();
        loop {
            let received = match text.take() {
                None => events.recv().await,
                Some(pending) => {
                    let Ok(received) = tokio::time::timeout_at(due, events.recv()).await else {
                        send(pending);
                        due = Instant::now() + FRAME;
                        continue;
                    };
                    text = Some(pending);
                    received
                }
            };
            match received {
                Ok(event) => {
                    let event = match &mut text {
                        Some(pending) => match pending.append(event) {
                            Ok(()) => continue,
                            Err(event) => event,
                        },
                        None => event,
                    };
                    text.take().into_iter().for_each(&send);
                    if event.is_text() {
                        text = Some(event);
                    } else {
                        send(event);
                    }
                }
                // The result of the call is complete.
                Err(RecvError::Lagged(missed)) => tracing::warn!(missed, "missed chat events"),
                Err(RecvError::Closed) => break,
            }
        }
    });
}

fn now() -> f64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64() * 1_000.0)
}
