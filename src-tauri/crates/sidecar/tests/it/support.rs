//! Processes, a host with answers by functions, and waiting for conditions.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use inklings_core::model::{Completion, Finish, Request, TokenUsage};
use inklings_core::program::{
    Adapter, Execution, Prediction, Program, ProgramError, ProgramExample, ProgramHost, ProgramProgress, ProgramRunner as _, Score,
};
use inklings_core::{CancellationToken, Clock, HostError, ModelError, Time};
use inklings_sidecar::{DspyProcess, Launch, Timeouts};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// Timeout of all waits.
pub(crate) const LONG: Duration = Duration::from_mins(1);

/// Timeouts without timeouts, and without pauses after failures.
pub(crate) const CALM: Timeouts =
    Timeouts { start: LONG, silence: LONG, idle: LONG, stuck: LONG, grace: LONG, first_pause: Duration::from_millis(1) };

/// Advances slightly with each call.
#[derive(Default)]
pub(crate) struct Ticks(AtomicI64);

impl Clock for Ticks {
    fn now(&self) -> Time {
        Time::from_millis(self.0.fetch_add(10, Ordering::Relaxed))
    }
}

/// A supervisor with a fake process.
pub(crate) struct Stage {
    pub(crate) process: DspyProcess,
    pub(crate) launch: Launch,
    _folder: TempDir,
}

impl Stage {
    /// With a fake process that starts in this mode.
    pub(crate) fn new(start: &str, settings: Timeouts) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let launch = Launch { launcher: peer(), program: folder.path().join("start") };
        fs::write(&launch.program, start).unwrap();
        let process = DspyProcess::new(Some(launch.clone()), Arc::new(Ticks::default()), settings);
        Self { process, launch, _folder: folder }
    }

    /// Changes the mode from the next start on.
    pub(crate) fn starts(&self, how: &str) {
        fs::write(&self.launch.program, how).unwrap();
    }

    pub(crate) async fn run(&self, template: &str) -> Result<Prediction, ProgramError> {
        self.process.execute(&job(template, json!({})), &Host::default(), &CancellationToken::new()).await
    }

    pub(crate) async fn run_on(&self, host: &Host, template: &str, count: u64) -> Result<Prediction, ProgramError> {
        self.process.execute(&job(template, json!({ "count": count })), host, &CancellationToken::new()).await
    }

    /// Asserts that the process works.
    pub(crate) async fn works(&self) {
        let params = json!({ "text": "Käse \u{1F9C0} \"\n\u{2028}", "number": 0.1, "large": 9_007_199_254_740_993_u64, "none": null, "list": [1, [], {}] });
        let echo = self.process.execute(&job("echo", params.clone()), &Host::default(), &CancellationToken::new()).await.unwrap();
        assert_eq!(Value::Object(echo.outputs), params);
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.status().pid.unwrap()
    }
}

pub(crate) fn peer() -> PathBuf {
    env!("CARGO_BIN_EXE_sidecar-peer").into()
}

/// The real launcher, which is built into the same folder.
pub(crate) fn launcher() -> PathBuf {
    let launcher = peer().with_file_name("inklings-confine");
    assert!(launcher.is_file(), "cargo build -p inklings-confine makes {}", launcher.display());
    launcher
}

pub(crate) fn job(template: &str, params: Value) -> Execution {
    let Value::Object(params) = params else { panic!("{params} are no values") };
    let program = Program {
        template_id: template.to_owned(),
        signature: "question -> answer".to_owned(),
        instructions: String::new(),
        parameters: Map::new(),
        adapter: Adapter::Chat,
    };
    Execution { program, state_blob: None, params }
}

/// An answer with this text.
pub(crate) fn completion(text: &str) -> Completion {
    Completion {
        text: text.to_owned(),
        tool_calls: Vec::new(),
        finish: Finish::Stop,
        usage: TokenUsage::default(),
        model: "test".to_owned(),
    }
}

type Ask<Q, A, E> = Box<dyn Fn(Q) -> Result<A, E> + Send + Sync>;

/// Answers by functions and records the requests.
pub(crate) struct Host {
    pub(crate) model: Ask<Request, Completion, ModelError>,
    pub(crate) tool: Ask<(String, Value), Value, HostError>,
    pub(crate) judge: Ask<(ProgramExample, Map<String, Value>), Score, HostError>,
    /// Model requests wait until this many have arrived.
    pub(crate) together: tokio::sync::Barrier,
    /// Delay of model requests.
    pub(crate) pause: Duration,
    /// Number of answered requests; the others wait forever.
    pub(crate) most: usize,
    pub(crate) asked: Mutex<Vec<Request>>,
    pub(crate) received: Mutex<Vec<String>>,
    pub(crate) progress: Mutex<Vec<ProgramProgress>>,
}

impl Default for Host {
    fn default() -> Self {
        Self {
            model: Box::new(|_| Ok(completion("fine"))),
            tool: Box::new(|(name, _)| Err(HostError::NotFound(format!("there is no tool {name}")))),
            judge: Box::new(|_| Ok(Score { score: 1.0, feedback: "good".to_owned() })),
            together: tokio::sync::Barrier::new(1),
            pause: Duration::ZERO,
            most: usize::MAX,
            asked: Mutex::default(),
            received: Mutex::default(),
            progress: Mutex::default(),
        }
    }
}

impl Host {
    pub(crate) fn with_model(model: impl Fn(Request) -> Result<Completion, ModelError> + Send + Sync + 'static) -> Self {
        Self { model: Box::new(model), ..Self::default() }
    }

    /// Never resolves.
    pub(crate) fn that_waits() -> Self {
        Self { together: tokio::sync::Barrier::new(1_000), ..Self::default() }
    }

    pub(crate) fn questions(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

#[async_trait]
impl ProgramHost for Host {
    async fn complete(&self, request: &Request) -> Result<Completion, ModelError> {
        let number = {
            let mut asked = self.asked.lock().unwrap();
            asked.push(request.clone());
            asked.len()
        };
        if number > self.most {
            std::future::pending::<()>().await;
        }
        self.together.wait().await;
        if self.pause > Duration::ZERO {
            tokio::time::sleep(self.pause).await;
        }
        (self.model)(request.clone())
    }

    async fn call_tool(&self, name: &str, arguments: Value) -> Result<Value, HostError> {
        (self.tool)((name.to_owned(), arguments))
    }

    async fn score(&self, example: &ProgramExample, outputs: &Map<String, Value>) -> Result<Score, HostError> {
        (self.judge)((example.clone(), outputs.clone()))
    }

    fn progress(&self, progress: ProgramProgress) {
        self.progress.lock().unwrap().push(progress);
    }

    fn log(&self, text: &str) {
        self.received.lock().unwrap().push(text.to_owned());
    }
}

/// Waits until a condition holds.
pub(crate) async fn until(what: &str, so: impl Fn() -> bool) {
    let waiting = async {
        let mut beat = tokio::time::interval(Duration::from_millis(5));
        while !so() {
            beat.tick().await;
        }
    };
    assert!(tokio::time::timeout(LONG, waiting).await.is_ok(), "not within {} s: {what}", LONG.as_secs());
}

/// Whether a process is running. A zombie isn't.
pub(crate) fn lives(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.rsplit(')').next().is_some_and(|rest| rest.starts_with(" Z")))
}
