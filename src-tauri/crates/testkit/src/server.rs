//! The HTTP server: chooses a step for each request, answers as it says, and keeps what was asked.
//!
//! Besides the model endpoints: `GET /__requests` gives what was recorded, `POST /__script` replaces the script and forgets it.

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
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::asked::Asked;
use crate::script::{Action, Begun, Reply, Script, Status, Step};
use crate::wire::Format;

type Body = BoxBody<Bytes, io::Error>;

/// A request that came in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    pub method: String,
    /// Path and query.
    pub path: String,
    /// The headers, names in small letters.
    pub headers: BTreeMap<String, String>,
    /// The body: JSON where it is JSON, else its text.
    pub body: Value,
}

/// A running server. It ends when this is dropped.
pub struct ScriptedModel {
    shared: Arc<Shared>,
    port: u16,
    // Dropping the set ends the tasks in it.
    _tasks: JoinSet<()>,
}

struct Shared {
    script: Mutex<Script>,
    requests: Mutex<Vec<Recorded>>,
    under_way: watch::Sender<usize>,
}

impl Shared {
    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn requests(&self) -> MutexGuard<'_, Vec<Recorded>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the first step that fits.
    fn next(&self, asked: &Asked) -> Action {
        let mut script = self.script();
        let Some(index) = script.steps.iter().position(|step| asked.matches(&step.when)) else {
            let start: String = asked.user.chars().take(200).collect();
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

/// Counts an answer as under way while it lives.
struct UnderWay(Arc<Shared>);

impl UnderWay {
    fn new(shared: Arc<Shared>) -> Self {
        shared.under_way.send_modify(|count| *count += 1);
        Self(shared)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.under_way.send_modify(|count| *count -= 1);
    }
}

impl ScriptedModel {
    /// Starts on a free port.
    pub async fn start(script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared { script: Mutex::new(script), requests: Mutex::default(), under_way: watch::Sender::new(0) });
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { shared, port, _tasks: tasks })
    }

    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address, without a path.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What came in so far.
    #[must_use]
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.requests().clone()
    }

    /// Replaces the script. What was recorded stays.
    pub fn set_script(&self, script: Script) {
        *self.shared.script() = script;
    }

    /// Waits until this many requests came in, in all.
    pub async fn asked(&self, count: usize) {
        let mut changes = self.shared.under_way.subscribe();
        while self.shared.requests().len() < count && changes.changed().await.is_ok() {}
    }

    /// Waits until no answer is under way: all were read to their end, or given up by those who asked.
    pub async fn idle(&self) {
        let mut count = self.shared.under_way.subscribe();
        // The sender lives in `self`, so waiting can't fail.
        let _ = count.wait_for(|count| *count == 0).await;
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        // A connection that fails to open is its client's affair.
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
    // An answer that is cut on purpose ends here as an error.
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
    shared.requests().push(Recorded {
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
    let asked = Asked::of(&body);
    let Some(format) = format else {
        // A recorded answer needs no format.
        let scripted = if head.method == hyper::Method::POST { shared.next(&asked) } else { Action::from("") };
        return Ok(match scripted {
            Action::Status(status) => plain(&status),
            _ => whole(404, &json!({"error": {"message": format!("no such path: {path}")}})),
        });
    };
    let action = shared.next(&asked);
    Ok(act(action, format, asked, UnderWay::new(shared)).await)
}

/// The list of models, readable as `OpenAI`'s and as Anthropic's.
fn models() -> Value {
    let model = |id: &str| {
        json!({"id": id, "object": "model", "type": "model", "display_name": id, "created": 0,
        "created_at": "2026-01-01T00:00:00Z", "owned_by": "scripted"})
    };
    json!({"object": "list", "data": [model("scripted"), model("second")], "has_more": false, "first_id": "scripted", "last_id": "second"})
}

async fn act(action: Action, format: Format, asked: Asked, under_way: UnderWay) -> Response<Body> {
    match action {
        Action::Status(status) => plain(&status),
        Action::Reply(reply) if !asked.stream => {
            tokio::time::sleep(Duration::from_millis(reply.delay_ms)).await;
            whole(200, &format.whole(&asked, &reply))
        }
        Action::Reply(reply) => streamed(format, asked, reply, End::Proper, under_way),
        Action::Hang(Begun { chunks }) if chunks.is_empty() => std::future::pending().await,
        Action::Cut(begun) => streamed(format, asked, begun.into(), End::Cut, under_way),
        Action::Garbage(begun) => streamed(format, asked, begun.into(), End::Garbage, under_way),
        Action::Hang(begun) => streamed(format, asked, begun.into(), End::Never, under_way),
    }
}

impl From<Begun> for Reply {
    fn from(begun: Begun) -> Self {
        Self { chunks: begun.chunks, ..Self::default() }
    }
}

/// How a streamed answer ends.
enum End {
    Proper,
    Cut,
    Garbage,
    Never,
}

fn streamed(format: Format, asked: Asked, reply: Reply, end: End, under_way: UnderWay) -> Response<Body> {
    // One frame at a time: a slow reader slows the answer, and one that leaves is noticed at the next frame.
    let (send, receive) = mpsc::channel::<io::Result<Bytes>>(1);
    tokio::spawn(async move {
        let _under_way = under_way;
        let to_send = match end {
            End::Proper => format.frames(&asked, &reply),
            End::Cut | End::Garbage | End::Never => format.beginning(&asked, &reply),
        };
        for (delayed, frame) in to_send {
            if delayed && reply.delay_ms > 0 {
                tokio::time::sleep(Duration::from_millis(reply.delay_ms)).await;
            }
            if send.send(Ok(Bytes::from(frame))).await.is_err() {
                return;
            }
        }
        // Whoever reads may have gone; that is no failure of ours.
        match end {
            End::Proper => {}
            End::Cut => drop(send.send(Err(io::Error::from(io::ErrorKind::ConnectionReset))).await),
            End::Garbage => drop(send.send(Ok(Bytes::from_static(b"data: {\"this is\": no json <html>\n\n"))).await),
            End::Never => send.closed().await,
        }
    });
    let frames = stream::unfold(receive, |mut receive| async move {
        // Whoever sends these frames writes out what it has when there is no next one yet: each frame arrives by itself, and none is
        // lost when the connection is cut after it.
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
    // A script with an impossible status or header gets a 500 that says so.
    builder.body(full(body)).unwrap_or_else(|error| {
        let mut response = Response::new(full(format!("the script's answer can't be sent: {error}")));
        *response.status_mut() = hyper::StatusCode::INTERNAL_SERVER_ERROR;
        response
    })
}

fn full(text: String) -> Body {
    Full::new(Bytes::from(text)).map_err(|never| match never {}).boxed()
}
