//! Server-sent events: of runs, and of changes.

use std::convert::Infallible;

use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use inklings_app::wire::ChangeEvent;
use inklings_app::{RunEvent, RunEventKind};
use inklings_core::RunId;
use inklings_rpc::Failure;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;

/// Events that wait for a client that reads slowly. A run waits for no client, so more of them are lost.
const CAPACITY: usize = 256;

pub(super) fn are_accepted(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|text| text.split(',')).any(|one| one.split(';').next().is_some_and(|one| one.trim() == "text/event-stream"))
}

fn event(name: &str, data: &impl Serialize) -> Event {
    // Serializing to a string can't fail for these types.
    let data = serde_json::to_string(data).unwrap_or_default();
    Event::default().event(name).data(data)
}

fn response(events: mpsc::Receiver<Event>) -> Response {
    let events = stream::unfold(events, async |mut events| events.recv().await.map(|event| (Ok::<_, Infallible>(event), events)));
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}

/// The events of a run, then its outcome. The run is cancelled when the client goes away.
pub(super) fn of_new_run(
    run: RunId,
    mut events: Receiver<RunEvent>,
    outcome: impl Future<Output = Result<Value, Failure>> + Send + 'static,
) -> Response {
    let (sender, receiver) = mpsc::channel(CAPACITY);
    tokio::spawn(async move {
        let mut outcome = std::pin::pin!(outcome);
        let outcome = loop {
            tokio::select! {
                biased;
                event = events.recv() => match event {
                    Ok(event) if event.run == run => drop(sender.try_send(self::event("event", &event))),
                    Ok(_) | Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => break outcome.await,
                },
                outcome = &mut outcome => break outcome,
                // Dropping the outcome cancels the run.
                () = sender.closed() => return,
            }
        };
        let last = match outcome {
            Ok(outcome) => event("outcome", &outcome),
            Err(failure) => event("failure", &failure),
        };
        // Nobody may be there any more.
        let _ = sender.send(last).await;
    });
    response(receiver)
}

/// The further events of a run of this process.
pub(super) fn of_run(run: RunId, mut events: Receiver<RunEvent>) -> Response {
    let (sender, receiver) = mpsc::channel(CAPACITY);
    tokio::spawn(async move {
        loop {
            tokio::select! {
                event = events.recv() => match event {
                    Ok(event) if event.run == run => {
                        let is_last = matches!(event.what, RunEventKind::Finished { .. });
                        if sender.send(self::event("event", &event)).await.is_err() || is_last {
                            return;
                        }
                    }
                    Ok(_) | Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                },
                () = sender.closed() => return,
            }
        }
    });
    response(receiver)
}

/// The changes that `is_shown`, until the client goes away.
pub(super) fn of_changes(mut events: Receiver<ChangeEvent>, is_shown: impl Fn(&ChangeEvent) -> bool + Send + 'static) -> Response {
    let (sender, receiver) = mpsc::channel(CAPACITY);
    tokio::spawn(async move {
        loop {
            tokio::select! {
                change = events.recv() => {
                    let sent = match change {
                        Ok(change) if is_shown(&change) => sender.send(event("change", &change)).await,
                        Ok(_) => Ok(()),
                        // What was missed is unknown.
                        Err(RecvError::Lagged(_)) => sender.send(Event::default().event("missed").data("{}")).await,
                        Err(RecvError::Closed) => return,
                    };
                    if sent.is_err() {
                        return;
                    }
                }
                () = sender.closed() => return,
            }
        }
    });
    response(receiver)
}
