//! Server-sent events: of runs, and of changes.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use inklings_app::wire::ChangeEvent;
use inklings_app::{App, RunEvent, RunEventKind};
use inklings_core::RunId;
use inklings_rpc::Failure;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;

use crate::http::Problem;

/// Time after which a run that has ended is noticed.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
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

/// The events of a run, then its outcome; or why it didn't begin. The run is cancelled when the client goes away.
pub(super) async fn of_new_run(
    run: RunId,
    mut events: Receiver<RunEvent>,
    outcome: impl Future<Output = Result<Value, Failure>> + Send + 'static,
) -> Result<Response, Problem> {
    let mut outcome = Box::pin(outcome);
    let first = tokio::select! {
        biased;
        first = next_of(run, &mut events) => first,
        outcome = &mut outcome => return of_outcome(outcome),
    };
    let (sender, receiver) = mpsc::channel(CAPACITY);
    tokio::spawn(async move {
        if let Some(first) = first {
            let _ = sender.try_send(event("event", &first));
        }
        let outcome = loop {
            tokio::select! {
                biased;
                next = next_of(run, &mut events) => match next {
                    // A run waits for no client.
                    Some(next) => drop(sender.try_send(event("event", &next))),
                    None => break outcome.await,
                },
                outcome = &mut outcome => break outcome,
                // Dropping the outcome cancels the run.
                () = sender.closed() => return,
            }
        };
        // Nobody may be there any more.
        let _ = sender.send(last(outcome)).await;
    });
    Ok(response(receiver))
}

fn last(outcome: Result<Value, Failure>) -> Event {
    match outcome {
        Ok(outcome) => event("outcome", &outcome),
        Err(failure) => event("failure", &failure),
    }
}

/// Of a run without events.
fn of_outcome(outcome: Result<Value, Failure>) -> Result<Response, Problem> {
    let outcome = outcome?;
    let (sender, receiver) = mpsc::channel(1);
    let _ = sender.try_send(last(Ok(outcome)));
    Ok(response(receiver))
}

/// The next event of the run. None if there will be none.
async fn next_of(run: RunId, events: &mut Receiver<RunEvent>) -> Option<RunEvent> {
    loop {
        match events.recv().await {
            Ok(event) if event.run == run => return Some(event),
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return None,
        }
    }
}

/// The further events of a run of this process, until it ends.
pub(super) fn of_run(run: RunId, mut events: Receiver<RunEvent>, app: Arc<App>) -> Response {
    let (sender, receiver) = mpsc::channel(CAPACITY);
    tokio::spawn(async move {
        // Its last event may be one of those that were lost.
        let mut check = tokio::time::interval(CHECK_INTERVAL);
        loop {
            tokio::select! {
                biased;
                next = next_of(run, &mut events) => {
                    let Some(next) = next else { return };
                    let is_last = matches!(next.what, RunEventKind::Finished { .. });
                    if sender.send(event("event", &next)).await.is_err() || is_last {
                        return;
                    }
                }
                _ = check.tick() => if !app.runs.is_active(run) {
                    return;
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
