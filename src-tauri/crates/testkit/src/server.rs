//! The HTTP server: selects a step for each request, answers it, and records the request.
//!
//! Besides the model endpoints: `GET /__requests` returns the recorded requests, `POST /__script` replaces the script and clears them.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinSet;

use crate::request::RequestSummary;
use crate::script::{Action, PartialReply, Reply, Script, Status, Step};
use crate::wire::Format;

type Body = BoxBody<Bytes, io::Error>;

/// A recorded request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedRequest {
    pub method: String,
    /// Path and query.
    pub path: String,
    /// The names are lowercase.
    pub headers: BTreeMap<String, String>,
    /// JSON if it can be parsed, else a string.
    pub body: Value,
}

/// A running server, which is stopped on drop.
pub struct ScriptedModel {
    shared: Arc<Shared>,
    port: u16,
    // Dropping the set aborts its tasks.
    _tasks: JoinSet<()>,
}

struct Shared {
    script: Mutex<Script>,
    requests: Mutex<Vec<RecordedRequest>>,
    active: watch::Sender<usize>,
    released: Notify,
}

impl Shared {
    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn requests(&self) -> MutexGuard<'_, Vec<RecordedRequest>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the first step that matches.
    fn next(&self, request: &RequestSummary) -> Action {
        let mut script = self.script();
        let Some(index) = script.steps.iter().position(|step| request.matches(&step.when)) else {
            let start: String = request.user.chars().take(200).collect();
            return Action::from(format!("echo: {start}").as_str());
        };
        match script.steps.get_mut(index) {
            Some(Step { repeat: 0, then, .. }) => then.clone(),
            Some(step) if step.repeat > 1 => {
                step.repeat -= 1;
                step.then.clone()
            }
            _ => script.steps.remove(index).then,
        }
    }
}

/// Counts an answer as active until it is dropped.
struct ActiveResponse(Arc<Shared>);

impl ActiveResponse {
    fn new(shared: Arc<Shared>) -> Self {
        shared.active.send_modify(|count| *count += 1);
        Self(shared)
    }
}

impl Drop for ActiveResponse {
    fn drop(&mut self) {
        self.0.active.send_modify(|count| *count -= 1);
    }
}

impl ScriptedModel {
    /// Starts on a free port.
    pub async fn start(script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared {
            script: Mutex::new(script),
            requests: Mutex::default(),
            active: watch::Sender::new(0),
            released: Notify::new(),
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { shared, port, _tasks: tasks })
    }

    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The base URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The requests so far.
    #[must_use]
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.shared.requests().clone()
    }

    /// Replaces the script. Recorded requests are kept.
    pub fn set_script(&self, script: Script) {
        *self.shared.script() = script;
    }

    /// Sends one held answer, or the next one if none waits.
    pub fn release(&self) {
        self.shared.released.notify_one();
    }

    /// Waits until this many requests were received in total.
    pub async fn wait_for_requests(&self, count: usize) {
        let mut changes = self.shared.active.subscribe();
        while self.shared.requests().len() < count && changes.changed().await.is_ok() {}
    }

    /// Waits until no answer is active: all were sent completely or cancelled by the client.
    pub async fn idle(&self) {
        let mut count = self.shared.active.subscribe();
        // The sender is in `self`, so waiting can't fail.
        let _ = count.wait_for(|count| *count == 0).await;
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        // Errors of a connection only concern its client.
        if let Ok((socket, _)) = listener.accept().await {
            connections.spawn(serve(socket, Arc::clone(&shared)));
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn serve(socket: TcpStream, shared: Arc<Shared>) {
    let service = service_fn(move |request| {
        let shared = Arc::clone(&shared);
        async move { answer(request, shared).await }
    });
    // An answer that is cut off on purpose is an error here.
    let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), service).await;
}

async fn answer(request: Request<Incoming>, shared: Arc<Shared>) -> Result<Response<Body>, Infallible> {
    let (head, body) = request.into_parts();
    let bytes = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let body = serde_json::from_slice(&bytes).unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
    match (head.method.as_str(), head.uri.path()) {
        ("GET", "/__requests") => {
            let all = serde_json::to_value(&*shared.requests()).unwrap_or_default();
            return Ok(whole(200, &all));
        }
        ("POST", "/__script") => {
            return Ok(match serde_json::from_value(body) {
                Ok(script) => {
                    *shared.script() = script;
                    shared.requests().clear();
                    whole(200, &json!({"ok": true}))
                }
                Err(error) => whole(400, &json!({"error": {"message": error.to_string()}})),
            });
        }
        _ => {}
    }
    let named = head.headers.iter();
    shared.requests().push(RecordedRequest {
        method: head.method.to_string(),
        path: head.uri.path_and_query().map_or_else(String::new, ToString::to_string),
        headers: named.map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())).collect(),
        body: body.clone(),
    });
    let path = head.uri.path();
    let format = match head.method.as_str() {
        "GET" if path.ends_with("/models") => return Ok(whole(200, &models())),
        "GET" if path.ends_with("/api/tags") => {
            return Ok(whole(200, &json!({"models": [{"name": "scripted", "model": "scripted"}, {"name": "second", "model": "second"}]})));
        }
        "POST" => Format::of_path(path),
        _ => None,
    };
    let request = RequestSummary::of(&body);
    let Some(format) = format else {
        // Plain HTTP answers need no format.
        let scripted = if head.method == hyper::Method::POST { shared.next(&request) } else { Action::from("") };
        return Ok(match scripted {
            Action::Status(status) => plain(&status),
            _ => whole(404, &json!({"error": {"message": format!("no such path: {path}")}})),
        });
    };
    let action = shared.next(&request);
    Ok(act(action, format, request, ActiveResponse::new(shared)).await)
}

/// The list of models, in `OpenAI`'s and Anthropic's shapes.
fn models() -> Value {
    let model = |id: &str| {
        json!({"id": id, "object": "model", "type": "model", "display_name": id, "created": 0,
        "created_at": "2026-01-01T00:00:00Z", "owned_by": "scripted"})
    };
    json!({"object": "list", "data": [model("scripted"), model("second")], "has_more": false, "first_id": "scripted", "last_id": "second"})
}

async fn act(action: Action, format: Format, request: RequestSummary, active: ActiveResponse) -> Response<Body> {
    if matches!(action, Action::Reply(Reply { held: true, .. })) {
        active.0.released.notified().await;
    }
    match action {
        Action::Status(status) => plain(&status),
        Action::Reply(reply) if !request.stream => {
            tokio::time::sleep(Duration::from_millis(reply.delay_ms)).await;
            whole(200, &format.whole(&request, &reply))
        }
        Action::Reply(reply) => streamed(format, request, reply, End::Proper, active),
        Action::Hang(PartialReply { chunks }) if chunks.is_empty() => std::future::pending().await,
        Action::Cut(partial) => streamed(format, request, partial.into(), End::Cut, active),
        Action::Garbage(partial) => streamed(format, request, partial.into(), End::Garbage, active),
        Action::Hang(partial) => streamed(format, request, partial.into(), End::Never, active),
    }
}

impl From<PartialReply> for Reply {
    fn from(partial: PartialReply) -> Self {
        Self { chunks: partial.chunks, ..Self::default() }
    }
}

/// How a streamed answer ends.
enum End {
    Proper,
    Cut,
    Garbage,
    Never,
}

fn streamed(format: Format, request: RequestSummary, reply: Reply, end: End, active: ActiveResponse) -> Response<Body> {
    // One frame at a time: a slow client slows down the answer, and a disconnect is detected at the next frame.
    let (send, receive) = mpsc::channel::<io::Result<Bytes>>(1);
    tokio::spawn(async move {
        let _guard = active;
        let to_send = match end {
            End::Proper => format.frames(&request, &reply),
            End::Cut | End::Garbage | End::Never => format.beginning(&request, &reply),
        };
        for (delayed, frame) in to_send {
            if delayed && reply.delay_ms > 0 {
                tokio::time::sleep(Duration::from_millis(reply.delay_ms)).await;
            }
            if send.send(Ok(Bytes::from(frame))).await.is_err() {
                return;
            }
        }
        // The client may have disconnected.
        match end {
            End::Proper => {}
            End::Cut => drop(send.send(Err(io::Error::from(io::ErrorKind::ConnectionReset))).await),
            End::Garbage => drop(send.send(Ok(Bytes::from_static(b"data: {\"this is\": no json <html>\n\n"))).await),
            End::Never => send.closed().await,
        }
    });
    let frames = stream::unfold(receive, |mut receive| async move {
        // The connection is flushed when no next frame is ready, so that each frame arrives separately, and none is
        // lost when the connection is closed afterwards.
        tokio::task::yield_now().await;
        let next = receive.recv().await?;
        Some((next.map(Frame::data), receive))
    });
    let mut response = Response::new(StreamBody::new(frames).boxed());
    response.headers_mut().insert("content-type", hyper::header::HeaderValue::from_static("text/event-stream"));
    response
}

fn whole(status: u16, body: &Value) -> Response<Body> {
    plain(&Status { status, headers: BTreeMap::new(), body: body.clone() })
}

fn plain(status: &Status) -> Response<Body> {
    let body = match &status.body {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let mut builder = Response::builder().status(status.status);
    if !status.headers.keys().any(|name| name.eq_ignore_ascii_case("content-type")) {
        builder = builder.header("content-type", "application/json");
    }
    for (name, value) in &status.headers {
        builder = builder.header(name, value);
    }
    // A script with an invalid status or header results in a 500 with an explanation.
    builder.body(full(body)).unwrap_or_else(|error| {
        let mut response = Response::new(full(format!("the script's answer can't be sent: {error}")));
        *response.status_mut() = hyper::StatusCode::INTERNAL_SERVER_ERROR;
        response
    })
}

fn full(text: String) -> Body {
    Full::new(Bytes::from(text)).map_err(|never| match never {}).boxed()
}
