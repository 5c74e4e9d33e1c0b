//! A fake DSPy process. The file named by its last argument determines how it starts, and the template of a job what it does.
//! That file can also name a real process, to which it is then a proxy ([`between`]). With the arguments `host LAUNCHER PROGRAM`
//! it is a fake app instead, which starts a process and then waits; with one more argument it runs one job and prints the
//! outcome.

#![expect(clippy::exit, clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used, reason = "part of the tests")]

mod between;

use std::collections::HashMap;
use std::io::{self, BufRead as _, Write as _};
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use inklings_core::model::{Completion, Request};
use inklings_core::program::{Adapter, Execution, Program, ProgramExample, ProgramHost, ProgramProgress, ProgramRunner as _, Score};
use inklings_core::{CancellationToken, Clock, HostError, ModelError, Time};
use inklings_sidecar::protocol::{LINE_BYTES, PROTOCOL};
use inklings_sidecar::{DspyProcess, Launch, Timeouts};
use serde_json::{Map, Value, json};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["host", launcher, program] => host(launcher, program, None),
        ["host", launcher, program, values] => host(launcher, program, Some(values)),
        [.., "--", program] => match std::fs::read_to_string(program).unwrap().trim() {
            plan if plan.starts_with('{') => between::stand(plan),
            start => Peer::default().play(start),
        },
        // Behind the real launcher.
        _ => Peer::default().play("well"),
    }
}

/// The app: prints the started process and waits, or runs a job with these values and prints the outcome.
fn host(launcher: &str, program: &str, values: Option<&str>) {
    let launch = Launch { launcher: launcher.into(), program: program.into() };
    let process = DspyProcess::new(Some(launch), Arc::new(Still), Timeouts::default());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    if let Some(values) = values {
        let signature = "question -> answer".to_owned();
        let (template_id, instructions, parameters, adapter) = ("predict".to_owned(), String::new(), Map::new(), Adapter::Chat);
        let program = Program { template_id, signature, instructions, parameters, adapter };
        let job = Execution { program, state_blob: None, params: serde_json::from_str(values).unwrap() };
        let given = runtime.block_on(process.execute(&job, &Still, &CancellationToken::new())).unwrap();
        println!("{}", Value::Object(given.outputs));
        return;
    }
    runtime.block_on(process.manifest()).unwrap();
    println!("{}", process.status().pid.unwrap());
    loop {
        thread::park();
    }
}

/// A fixed clock, and a host without functions.
struct Still;

impl Clock for Still {
    fn now(&self) -> Time {
        Time::from_millis(0)
    }
}

#[async_trait]
impl ProgramHost for Still {
    async fn complete(&self, _: &Request) -> Result<Completion, ModelError> {
        Err(ModelError::NotConfigured)
    }

    async fn call_tool(&self, name: &str, _: Value) -> Result<Value, HostError> {
        Err(HostError::NotFound(name.to_owned()))
    }

    async fn score(&self, _: &ProgramExample, _: &Map<String, Value>) -> Result<Score, HostError> {
        Err(HostError::Failed("nothing is scored here".to_owned()))
    }

    fn progress(&self, _: ProgramProgress) {}

    fn log(&self, _: &str) {}
}

#[derive(Default)]
struct Peer {
    next: u64,
    /// Jobs by the id of a request.
    questions: HashMap<u64, u64>,
    /// By job: missing answers, and received ones.
    asking: HashMap<u64, (u64, Vec<Value>)>,
    waiting: Vec<u64>,
    cancelled: u64,
}

fn say(message: &Value) {
    line(&message.to_string());
}

fn line(text: &str) {
    let mut out = io::stdout().lock();
    // The reader has disconnected, which equals the end of the input.
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

fn notice(method: &str, params: Value) {
    say(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
}

fn answer(id: u64, outputs: Value) {
    say(&json!({ "jsonrpc": "2.0", "id": id, "result": { "outputs": outputs, "diagnostics": [] } }));
}

fn fail(id: u64, kind: &str) {
    say(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32000, "message": format!("it is {kind}"), "data": { "kind": kind } } }));
}

impl Peer {
    fn play(mut self, start: &str) {
        match start {
            "exit" => {
                eprintln!("there is no room here");
                exit(3);
            }
            "silent" => {
                let _ = io::stdin().lines().count();
                return;
            }
            "nonsense" => line("Hello, I am no JSON"),
            "version" => notice("hello", json!({ "protocol": PROTOCOL + 1, "dspy": "0.0.0", "pid": 1 })),
            "rude" => notice("ping", json!({})),
            _ => notice("hello", json!({ "protocol": PROTOCOL, "dspy": start, "pid": std::process::id() })),
        }
        let hangs = Arc::new(AtomicBool::new(false));
        let silent = Arc::clone(&hangs);
        thread::spawn(move || {
            while !silent.load(Ordering::Relaxed) {
                notice("ping", json!({}));
                thread::sleep(Duration::from_millis(50));
            }
        });
        for text in io::stdin().lock().lines() {
            let message: Value = serde_json::from_str(&text.unwrap()).unwrap();
            let id = message["id"].as_u64();
            match (message["method"].as_str(), id) {
                (Some("manifest"), Some(id)) => {
                    say(&json!({ "jsonrpc": "2.0", "id": id, "result": { "dspy": start, "templates": [], "optimizers": [] } }));
                }
                (Some("execute"), Some(id)) => self.execute(id, &message["params"], &hangs),
                (Some("cancel"), None) => self.cancel(message["params"]["job"].as_u64().unwrap()),
                (None, Some(id)) => self.answered(id, &message),
                _ => {}
            }
        }
        if start == "lingers" {
            hangs.store(true, Ordering::Relaxed);
            loop {
                thread::park();
            }
        }
    }

    fn execute(&mut self, id: u64, job: &Value, hangs: &AtomicBool) {
        let count = job["params"]["count"].as_u64().unwrap_or(1);
        let template = job["template_id"].as_str().unwrap();
        match template {
            "echo" => answer(id, job["params"].clone()),
            "whoami" => answer(
                id,
                json!({ "env": std::env::vars().collect::<HashMap<_, _>>(), "folder": std::env::current_dir().unwrap(),
                    "arguments": std::env::args().collect::<Vec<_>>() }),
            ),
            "ask" | "score" | "tool" | "strange" => {
                self.asking.insert(id, (count, Vec::new()));
                (0..count).for_each(|index| self.ask(id, template, index));
            }
            "stray" => {
                self.asking.insert(id, (1, Vec::new()));
                self.question(id, "lm.complete", json!({ "job": 4_242, "request": {} }));
            }
            "wait" | "deaf" => {
                if template == "wait" {
                    self.waiting.push(id);
                }
                notice("log", json!({ "level": "info", "text": "waiting", "job": id }));
            }
            "cancelled" => answer(id, json!({ "count": self.cancelled })),
            "progress" => {
                for step in 0..3 {
                    notice("progress", json!({ "job": id, "fraction": f64::from(step) / 2.0, "text": format!("step {step}") }));
                    notice("log", json!({ "level": "info", "text": format!("line {step}"), "job": id }));
                }
                answer(id, json!({}));
            }
            "flood" => {
                (0..count).for_each(|step| notice("log", json!({ "level": "info", "text": format!("line {step}"), "job": id })));
                answer(id, json!({}));
            }
            "noise" => {
                (0..count).for_each(|step| eprintln!("noise {step}"));
                answer(id, json!({}));
            }
            "questions" => {
                (0..count).for_each(|index| self.question(id, "lm.complete", json!({ "job": 4_242, "request": {}, "index": index })));
            }
            "unknown_id" => answer(4_242, json!({})),
            "unknown_notice" => notice("gossip", json!({})),
            "nonsense" => line("Traceback (most recent call last):"),
            "long_line" => line(&"x".repeat(LINE_BYTES + 1)),
            "bad_result" => say(&json!({ "jsonrpc": "2.0", "id": id, "result": 5 })),
            "die" => exit(7),
            "closes" => {
                // An endless line; nothing can follow it.
                let mut out = io::stdout().lock();
                write!(out, "{{").and_then(|()| out.flush()).unwrap();
                exit(0);
            }
            "hang" => hangs.store(true, Ordering::Relaxed),
            "sleep" => loop {
                thread::park();
            },
            other => fail(id, other.strip_prefix("fail ").unwrap()),
        }
    }

    fn ask(&mut self, job: u64, template: &str, index: u64) {
        match template {
            "ask" => {
                let text = json!({ "role": "user", "parts": [{ "type": "text", "text": index.to_string() }] });
                self.question(job, "lm.complete", json!({ "job": job, "request": { "messages": [text] } }));
            }
            "score" => self.question(job, "metric.score", json!({ "job": job, "example": { "inputs": {} }, "prediction": { "n": index } })),
            "tool" => self.question(job, "tool.call", json!({ "job": job, "name": "get_page", "args": { "n": index } })),
            _ => self.question(job, "strange.question", json!({ "job": job })),
        }
    }

    fn question(&mut self, job: u64, method: &str, params: Value) {
        self.next += 1;
        self.questions.insert(self.next, job);
        say(&json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }));
    }

    /// An answer of the app. The job ends once all answers have arrived.
    fn answered(&mut self, id: u64, message: &Value) {
        let Some(job) = self.questions.remove(&id) else { return };
        let Some((missing, answers)) = self.asking.get_mut(&job) else { return };
        answers.push(message.get("result").unwrap_or(&message["error"]).clone());
        *missing -= 1;
        if *missing == 0 {
            let (_, answers) = self.asking.remove(&job).unwrap();
            match answers.iter().find_map(|answer| answer["data"]["kind"].as_str()) {
                Some(kind @ ("model" | "over_budget")) => fail(job, kind),
                _ => answer(job, json!({ "answers": answers })),
            }
        }
    }

    fn cancel(&mut self, job: u64) {
        self.cancelled += 1;
        if self.waiting.contains(&job) || self.asking.remove(&job).is_some() {
            fail(job, "cancelled");
        }
    }
}
