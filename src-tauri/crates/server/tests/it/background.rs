use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use inklings_app::dispatch;
use inklings_engine::{Engine, Options, Resources};
use inklings_rpc::{CallContext, Code, Failure};
use inklings_server::http::BackgroundServer;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// An app whose window can start the server.
pub(crate) struct World {
    engine: Engine,
    runtime: Runtime,
    folder: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self::without_server();
        let server = BackgroundServer::new(world.folder.path().join("home"), world.engine.changes(), world.engine.run_events());
        assert!(world.engine.app().server.set(Arc::new(server)).is_ok());
        world
    }

    fn without_server() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for workspace in ["notes", "work"] {
            fs::create_dir(folder.path().join(workspace)).unwrap();
        }
        let home = folder.path().join("home");
        let options = Options { home, resources: Resources::find(), launcher: None, agents: None, clients: None, maintain: false };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        Self { engine: Engine::start(options).unwrap(), runtime, folder }
    }

    fn workspace(&self, name: &str) -> PathBuf {
        self.folder.path().join(name).canonicalize().unwrap()
    }

    fn ask(&self, workspace: &str, name: &str, params: Value) -> Result<Value, Failure> {
        let cx = CallContext::local(Some(self.workspace(workspace)), "test");
        self.runtime.block_on(dispatch(self.engine.app().clone(), cx, name, params))
    }

    pub(crate) fn call(&self, name: &str, params: Value) -> Value {
        self.ask("notes", name, params).unwrap()
    }

    /// Starts the server and returns its port.
    pub(crate) fn start(&self, port: u16) -> u16 {
        port_of(&self.call("server/start", json!({ "port": port })))
    }

    pub(crate) fn token(&self, name: &str, role: &str) -> String {
        self.call("token/create", json!({ "name": name, "role": role }))["secret"].as_str().unwrap().to_owned()
    }
}

fn port_of(status: &Value) -> u16 {
    let address = status["running"]["address"].as_str().unwrap();
    address.strip_prefix("http://127.0.0.1:").unwrap().parse().unwrap()
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) text: String,
}

pub(crate) fn send(port: u16, head: &str, token: &str, headers: &str, body: &Value) -> Answer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let body = body.to_string();
    write!(
        stream,
        "{head} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let status = text.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, text }
}

fn request(port: u16, token: &str, operation: &str, params: &Value) -> u16 {
    send(port, &format!("POST /api/operations/{operation}"), token, "User-Agent: probe/1.0\r\n", params).status
}

fn is_closed(port: u16) -> bool {
    TcpStream::connect(("127.0.0.1", port)).is_err()
}

#[test]
fn the_server_shows_who_called_stops_and_starts_again_on_its_port() {
    let world = World::new();
    assert_eq!(world.call("server/status", json!({})), json!({ "running": null, "failure": null, "clients": [], "calls": [] }));
    let port = world.start(0);
    let (reader, editor) = (world.token("reader", "viewer"), world.token("ci", "editor"));
    assert_eq!(request(port, &reader, "skill/list", &json!({})), 200);
    assert_eq!(request(port, &reader, "settings/get", &json!({})), 403);
    assert_eq!(request(port, &editor, "skill/get", &json!({ "skill": "my-secret-skill" })), 404);
    assert_eq!(request(port, &editor, "my/secret", &json!({})), 404);
    assert_eq!(request(port, "inklings_wrong", "skill/list", &json!({})), 401);
    let status = world.call("server/status", json!({}));
    assert_eq!(status["running"]["workspace"].as_str(), world.workspace("notes").to_str());
    let calls: Vec<_> = status["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["caller"].clone(), one["target"].clone(), one["status"].clone()))
        .collect();
    let expected = [
        ("token:ci", "/api/operations/{family}/{verb}", 404),
        ("token:ci", "skill/get", 404),
        ("token:reader", "settings/get", 403),
        ("token:reader", "skill/list", 200),
    ];
    assert_eq!(calls, expected.map(|(caller, target, status)| (json!(caller), json!(target), json!(status))));
    let clients: Vec<_> = status["clients"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["caller"].clone(), one["program"].clone(), one["calls"].clone()))
        .collect();
    assert_eq!(clients, ["token:ci", "token:reader"].map(|caller| (json!(caller), json!("probe/1.0"), json!(2))));
    for hidden in ["secret", &reader, &editor] {
        assert!(!status.to_string().contains(hidden), "{status}");
    }

    // A client that keeps its connection open doesn't keep the address open.
    let idle = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let stopped = world.call("server/stop", json!({}));
    assert_eq!((&stopped["running"], stopped["calls"].as_array().unwrap().len()), (&Value::Null, 4));
    assert!(is_closed(port));
    assert_eq!(world.start(port), port);
    assert_eq!(world.call("server/status", json!({}))["calls"], json!([]));
    assert_eq!(request(port, &reader, "skill/list", &json!({})), 200);
    world.call("token/revoke", json!({ "token": "reader" }));
    assert_eq!(request(port, &reader, "skill/list", &json!({})), 401);
    drop(idle);
    world.call("server/stop", json!({}));
    world.call("server/stop", json!({}));
    assert!(is_closed(port));
}

#[test]
fn the_token_file_lets_the_person_in_as_long_as_the_server_runs() {
    let world = World::new();
    let port = world.start(0);
    let file = PathBuf::from(world.call("server/status", json!({}))["running"]["token_file"].as_str().unwrap().to_owned());
    let first = fs::read_to_string(&file).unwrap();
    assert_eq!(request(port, &first, "settings/get", &json!({})), 200);
    assert_eq!(request(port, &first, "server/status", &json!({})), 403, "what is for this machine only stays so");
    world.call("server/stop", json!({}));
    assert!(!file.exists());
    world.start(port);
    let second = fs::read_to_string(&file).unwrap();
    assert_eq!((request(port, &first, "settings/get", &json!({})), request(port, &second, "settings/get", &json!({}))), (401, 200));
    world.call("server/stop", json!({}));
}

/// Begins a session of MCP. Returns the headers of its requests.
fn begin_session(port: u16, token: &str) -> String {
    let accept = "Accept: application/json, text/event-stream\r\n";
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "claude-code", "version": "2.1" } } });
    let answer = send(port, "POST /mcp", token, accept, &hello);
    let line = answer.text.lines().find(|line| line.to_ascii_lowercase().starts_with("mcp-session-id:")).unwrap();
    let headers = format!("{accept}{line}\r\n");
    let notified = send(port, "POST /mcp", token, &headers, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    assert_eq!(notified.status, 202);
    headers
}

#[test]
fn an_mcp_client_is_known_by_the_name_that_it_states() {
    let world = World::new();
    let port = world.start(0);
    let token = world.token("ci", "viewer");
    let headers = begin_session(port, &token);
    let tool = |name: &str| json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": name, "arguments": { "name": "my-secret" } } });
    for name in ["load_skill", "my_secret_tool"] {
        assert_eq!(send(port, "POST /mcp", &token, &headers, &tool(name)).status, 200);
    }
    assert_eq!(send(port, "POST /mcp", &token, &headers, &json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/list" })).status, 200);
    let status = world.call("server/status", json!({}));
    let calls: Vec<_> = status["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["method"].clone(), one["target"].clone(), one["failed"].clone()))
        .collect();
    let expected = [json!(["tools/list", null, false]), json!(["tools/call", null, true]), json!(["tools/call", "load_skill", true])];
    assert_eq!(calls.into_iter().map(|(method, target, failed)| json!([method, target, failed])).collect::<Vec<_>>(), expected);
    assert_eq!(status["clients"][0]["program"], "claude-code 2.1");
    assert_eq!((&status["clients"][0]["protocol"], &status["clients"][0]["caller"]), (&json!("mcp"), &json!("token:ci")));
    assert!(!status.to_string().contains("secret"), "{status}");
    world.call("server/stop", json!({}));
}

#[test]
fn a_message_over_mcp_is_as_large_as_any_other_request_at_most() {
    let world = World::new();
    let port = world.start(0);
    let accept = "Accept: application/json, text/event-stream\r\n";
    // One byte too many, with its quotes.
    let body = json!("x".repeat(32 * 1024 * 1024 - 1));
    assert_eq!(send(port, "POST /mcp", &world.token("ci", "viewer"), accept, &body).status, 413);
    world.call("server/stop", json!({}));
}

/// Opens a stream of events.
fn follow(port: u16, path: &str, token: &str, headers: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n");
    write!(stream, "{head}Authorization: Bearer {token}\r\n{headers}\r\n").unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    stream
}

#[test]
fn a_revoked_token_ends_its_streams_and_no_others() {
    let world = World::new();
    let port = world.start(0);
    let (revoked, kept) = (world.token("revoked", "viewer"), world.token("kept", "viewer"));
    let ending = [follow(port, "/mcp", &revoked, &begin_session(port, &revoked)), follow(port, "/api/events", &revoked, "")];
    let lasting = follow(port, "/api/events", &kept, "");
    world.call("token/revoke", json!({ "token": "revoked" }));
    for mut stream in ending {
        // Fails if the stream doesn't end in time.
        stream.read_to_end(&mut Vec::new()).unwrap();
    }
    world.call("skill/create", json!({ "name": "New", "description": "Is told of." }));
    assert!(BufReader::new(lasting).lines().any(|line| line.unwrap() == "event: change"));
    world.call("server/stop", json!({}));
}

#[test]
fn a_caller_with_many_streams_gets_no_more_of_them_and_keeps_nobody_else_out() {
    let world = World::new();
    let port = world.start(0);
    let (greedy, other) = (world.token("greedy", "guest"), world.token("other", "guest"));
    let open: Vec<_> = (0..16).map(|_| follow(port, "/api/events", &greedy, "")).collect();
    for path in ["/api/events", "/mcp"] {
        let refused = send(port, &format!("GET {path}"), &greedy, "Accept: text/event-stream\r\n", &Value::Null);
        assert_eq!(refused.status, 429, "{path}");
        assert!(refused.text.to_ascii_lowercase().contains("retry-after: 1"), "{}", refused.text);
    }
    assert_eq!(request(port, &greedy, "skill/list", &json!({})), 200);
    drop(follow(port, "/api/events", &other, ""));
    drop(open);
    world.call("server/stop", json!({}));
}

#[test]
fn a_stream_that_never_ends_is_closed_some_time_after_the_address() {
    let world = World::new();
    let port = world.start(0);
    let token = world.token("ci", "viewer");
    let headers = begin_session(port, &token);
    let mut stream = follow(port, "/mcp", &token, &headers);
    world.call("server/stop", json!({}));
    assert!(is_closed(port));
    assert_eq!(world.start(port), port, "the stream is still open");
    // Fails if the stream isn't closed in time.
    stream.read_to_end(&mut Vec::new()).unwrap();
    world.call("server/stop", json!({}));
}

#[test]
fn a_port_in_use_is_reported_until_another_one_is_tried() {
    let world = World::new();
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = other.local_addr().unwrap().port();
    let refused = world.ask("notes", "server/start", json!({ "port": taken })).unwrap_err();
    assert_eq!((refused.code, refused.message.clone()), (Code::Busy, format!("port {taken} is in use by another program")));
    assert!(refused.hint.is_some());
    let status = world.call("server/status", json!({}));
    assert_eq!((&status["running"], status["failure"].as_str()), (&Value::Null, Some(refused.message.as_str())));
    assert_eq!(token_files(world.folder.path()), 0);
    drop(other);
    assert_eq!(world.start(taken), taken);
    assert_eq!(world.call("server/status", json!({}))["failure"], Value::Null);
    world.call("server/stop", json!({}));
}

#[test]
fn a_workspace_that_is_missing_is_reported() {
    let world = World::new();
    let missing = world.workspace("work");
    fs::remove_dir(&missing).unwrap();
    let cx = CallContext::local(Some(missing.clone()), "test");
    let start = dispatch(world.engine.app().clone(), cx, "server/start", json!({ "port": 0 }));
    assert_eq!(world.runtime.block_on(start).unwrap_err().code, Code::NotFound);
    let status = world.call("server/status", json!({}));
    assert_eq!(status["running"], Value::Null);
    assert!(status["failure"].as_str().is_some_and(|why| why.contains(missing.to_str().unwrap())), "{status}");
}

fn token_files(folder: &Path) -> usize {
    let names = fs::read_dir(folder.join("home")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("serve-")).count()
}

#[test]
fn one_workspace_is_served_at_a_time() {
    let world = World::new();
    let port = world.start(0);
    assert_eq!(world.start(0), port, "starting again changes nothing");
    let refused = world.ask("work", "server/start", json!({ "port": 0 })).unwrap_err();
    assert_eq!(refused.code, Code::Busy);
    assert!(refused.message.contains(world.workspace("notes").to_str().unwrap()), "{refused:?}");
    world.call("server/stop", json!({}));
    let status = world.ask("work", "server/start", json!({ "port": 0 })).unwrap();
    assert_eq!(status["running"]["workspace"].as_str(), world.workspace("work").to_str());
    world.call("server/stop", json!({}));
}

#[test]
fn the_port_of_the_settings_is_used() {
    let world = World::new();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for invalid in [json!({ "port": 70_000 }), json!({ "port": "x" }), json!({ "start_with_app": 1 }), json!({ "more": 1 })] {
        let refused = world.ask("notes", "settings/set", json!({ "key": "server.http", "value": invalid }));
        assert_eq!(refused.unwrap_err().code, Code::Invalid);
    }
    world.call("settings/set", json!({ "key": "server.http", "value": { "port": free } }));
    assert_eq!(port_of(&world.call("server/start", json!({}))), free);
    world.call("server/stop", json!({}));
}

#[test]
fn a_program_without_a_server_says_so() {
    let world = World::without_server();
    for name in ["server/status", "server/start", "server/stop"] {
        assert_eq!(world.ask("notes", name, json!({})).unwrap_err().code, Code::NotInstalled, "{name}");
    }
}
