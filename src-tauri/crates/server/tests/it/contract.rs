//! Every operation answers the same, whichever front end calls it: the window's `rpc`, HTTP, or MCP for those that are tools.

use std::path::PathBuf;
use std::sync::Arc;

use inklings_app::features::tool::{ToolSet, descriptions, operation_name};
use inklings_app::{REGISTRY, dispatch};
use inklings_core::{Clock, Time};
use inklings_engine::{Engine, Options, Resources};
use inklings_rpc::{CallContext, Effect, Permission, RemoteRole, Role};
use inklings_server::http::{Endpoint, serve};
use inklings_server::{Served, mcp};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf};

use crate::http::send;

/// Results that differ from call to call, or wait for a model or the DSPy process.
const LEFT_OUT: &[&str] = &["app/diagnostics", "log/read", "model/discover", "program/manifest", "program/status"];

/// The time of all calls: the freshness of a skill would differ from one to the next.
struct Still;

impl Clock for Still {
    fn now(&self) -> Time {
        Time::from_millis(1_800_000_000_000)
    }
}

struct World {
    engine: Engine,
    workspace: PathBuf,
    token: String,
    address: String,
    tools: Tools,
    _folder: tempfile::TempDir,
}

/// A client of MCP.
struct Tools {
    reader: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    last: u64,
}

impl Tools {
    async fn say(&mut self, message: &Value) {
        self.writer.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        self.say(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params })).await;
        loop {
            let line = self.reader.next_line().await.unwrap().unwrap();
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == self.last {
                return message;
            }
        }
    }

    /// The result of a tool, or the failure without the ID of the call.
    async fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value, Value> {
        let result = self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await["result"].take();
        match result.pointer("/_meta/inklings~1failure") {
            Some(failure) => Err(known(failure.clone())),
            None => Ok(result["structuredContent"].clone()),
        }
    }
}

/// What all front ends have in a failure.
fn known(mut failure: Value) -> Value {
    let fields = failure.as_object_mut().unwrap();
    fields.retain(|name, _| ["code", "message", "hint", "nextStep", "fields"].contains(&name.as_str()));
    failure
}

impl World {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let workspace = folder.path().join("work");
        std::fs::create_dir(&workspace).unwrap();
        let options = Options {
            home: folder.path().join("home"),
            resources: Resources::find(),
            launcher: None,
            agents: None,
            clients: None,
            maintain: false,
        };
        let engine = Engine::start_at(options, Arc::new(Still)).unwrap();
        let workspace = workspace.canonicalize().unwrap();
        let served = Served {
            app: engine.app().clone(),
            workspace: Some(workspace.clone()),
            tools: ToolSet::All,
            changes: engine.changes(),
            runs: engine.run_events(),
            activity: Arc::default(),
        };
        let endpoint = Endpoint::bind(&folder.path().join("home"), 0).unwrap();
        let address = endpoint.address().strip_prefix("http://").unwrap().to_owned();
        let token = std::fs::read_to_string(endpoint.token_file()).unwrap();
        tokio::spawn(serve(served.clone(), endpoint, std::future::pending()));
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        tokio::spawn(mcp::serve_stream(served, RemoteRole::SystemAdmin, tokio::io::split(theirs)));
        let (reader, writer) = tokio::io::split(ours);
        let mut tools = Tools { reader: BufReader::new(reader).lines(), writer, last: 0 };
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        tools.ask("initialize", hello).await;
        tools.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        let world = Self { engine, workspace, token, address, tools, _folder: folder };
        let made = json!({ "name": "Release notes", "description": "Writes release notes." });
        world.rpc("skill/create", &made).await.unwrap();
        world
    }

    async fn rpc(&self, operation: &str, params: &Value) -> Result<Value, Value> {
        let local = CallContext::local(Some(self.workspace.clone()), self.engine.app().origin.clone());
        // As the window calls it, but for what only the person at this machine may do.
        let cx = CallContext { role: Role::Remote(RemoteRole::SystemAdmin), ..local };
        let result = dispatch(self.engine.app().clone(), cx, operation, params.clone()).await;
        result.map_err(|failure| known(serde_json::to_value(failure).unwrap()))
    }

    async fn http(&self, operation: &str, params: &Value) -> Result<Value, Value> {
        let body = params.to_string();
        let head = format!("POST /api/operations/{operation} HTTP/1.1\r\nConnection: close\r\nHost: {}\r\n", self.address);
        let headers = format!("Authorization: Bearer {}\r\nContent-Type: application/json\r\n", self.token);
        let request = format!("{head}{headers}Content-Length: {}\r\n\r\n{body}", body.len());
        let address = self.address.clone();
        let answer = tokio::task::spawn_blocking(move || send(&address, request.as_bytes()).unwrap()).await.unwrap();
        assert_eq!(answer.header("inklings-workspace"), self.workspace.to_str());
        if answer.status == 200 { Ok(answer.json()) } else { Err(known(answer.json())) }
    }
}

fn samples(effect: Effect) -> Vec<Value> {
    let mut all = vec![json!({ "nonsense": 1 }), json!({ "skill": "nothing" }), json!({ "name": "nothing" })];
    if effect == Effect::Reads {
        all.extend([
            json!({}),
            json!({ "skill": "release-notes" }),
            json!({ "skill": "release-notes", "path": "SKILL.md" }),
            json!({ "name": "release-notes" }),
            json!({ "slug": "release-notes" }),
            json!({ "slug": "release-notes", "path": "SKILL.md" }),
            json!({ "query": "release" }),
            json!({ "page": "none" }),
            json!({ "filter": {} }),
        ]);
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_answers_the_same_through_every_front_end() {
    let mut world = World::new().await;
    let tools: Vec<String> = descriptions(ToolSet::All).map(|tool| tool.name).collect();
    let (mut results, mut called) = (0, 0);
    for operation in REGISTRY.operations().filter(|one| one.permission != Permission::Local && !LEFT_OUT.contains(&one.name)) {
        let tool = tools.iter().find(|tool| operation_name(tool) == Some(operation.name));
        for params in samples(operation.effect) {
            let expected = world.rpc(operation.name, &params).await;
            if expected.is_ok() && operation.effect != Effect::Reads {
                // It can't be done twice.
                continue;
            }
            assert_eq!(world.http(operation.name, &params).await, expected, "{} {params} over HTTP", operation.name);
            if let Some(tool) = tool {
                assert_eq!(world.tools.call(tool, &params).await, expected, "{tool} {params} over MCP");
                called += 1;
            }
            results += usize::from(expected.is_ok());
        }
    }
    // Otherwise the samples would say little.
    assert!(results >= 75 && called >= 100, "{results} results, {called} calls of tools");
}

#[tokio::test(flavor = "multi_thread")]
async fn parameters_that_a_method_does_not_have_are_not_called_a_missing_method() {
    let mut world = World::new().await;
    for (method, params, reason) in [
        ("tools/call", json!({ "arguments": {} }), "missing field `name`"),
        ("tools/call", json!({ "name": "list_skills", "arguments": "all" }), "expected a map"),
        ("resources/read", json!({ "uri": 1 }), "expected a string"),
        ("skills/get", json!({}), "missing field `uri`"),
    ] {
        let error = world.tools.ask(method, params).await["error"].take();
        assert_eq!(error["code"], -32602, "{method}: {error}");
        let message = error["message"].as_str().unwrap();
        assert!(message.starts_with(&format!("the parameters of {method} are invalid: ")) && message.ends_with(reason), "{message}");
    }
    let unknown = world.tools.ask("tools/remove", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_a_client_has_read_is_read_again_after_it_was_changed() {
    let mut world = World::new().await;
    let file = json!({ "uri": "skill://release-notes/SKILL.md" });
    for _ in 0..2 {
        let read = world.tools.ask("resources/read", file.clone()).await;
        assert!(read["result"]["contents"][0]["text"].as_str().unwrap().contains("Writes release notes."), "{read}");
    }
    world.tools.call("update_skill", &json!({ "name": "release-notes", "operation": "append", "content": "And more." })).await.unwrap();
    let read = world.tools.ask("resources/read", file).await;
    assert!(read["result"]["contents"][0]["text"].as_str().unwrap().contains("And more."), "{read}");
    let missing = world.tools.ask("resources/read", json!({ "uri": "skill://release-notes/none.md" })).await;
    assert_eq!(missing["error"]["code"], -32002, "{missing}");
}
