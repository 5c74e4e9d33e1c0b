//! A sandbox shared by all tests, and a host with answers by a function.

use std::env;
use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex};

use async_trait::async_trait;
use inklings_core::CancellationToken;
use inklings_core::sandbox::{HostError, HostFunctions, Sandbox, SandboxLimits, Script, ScriptError, ScriptOutput};
use inklings_sandbox::{PythonSandbox, find_built};
use serde_json::{Map, Value};

/// Shared, so that leftovers of one script would affect the next.
pub(crate) static PYTHON: LazyLock<PythonSandbox> = LazyLock::new(|| {
    let python = PythonSandbox::new(find_built());
    assert_eq!(python.unavailable(), None, "`cargo xtask sandbox` makes what is missing");
    python
});

/// Short limits.
pub(crate) const LOW: SandboxLimits =
    SandboxLimits { cpu_seconds: 20, seconds: 40, memory_mib: 128, log_bytes: 64 * 1024, result_bytes: 64 * 1024 };

type Answers = dyn Fn(&str, &Value) -> Result<Value, HostError> + Send + Sync;

/// Answers calls by a function and records them.
pub(crate) struct Host {
    answers: Box<Answers>,
    pub(crate) calls: Mutex<Vec<(String, Value)>>,
    pub(crate) log: Mutex<String>,
    pub(crate) output: Mutex<String>,
    pub(crate) truncated: AtomicBool,
    pub(crate) progress: Mutex<Vec<(f64, String)>>,
}

impl Host {
    pub(crate) fn new(answers: impl Fn(&str, &Value) -> Result<Value, HostError> + Send + Sync + 'static) -> Self {
        Self {
            answers: Box::new(answers),
            calls: Mutex::default(),
            log: Mutex::default(),
            output: Mutex::default(),
            truncated: AtomicBool::default(),
            progress: Mutex::default(),
        }
    }

    /// Has no functions.
    pub(crate) fn deaf() -> Self {
        Self::new(|name, _| Err(HostError::NotFound(format!("there is no function {name:?}"))))
    }

    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }
}

#[async_trait]
impl HostFunctions for Host {
    async fn call(&self, name: &str, arguments: Value) -> Result<Value, HostError> {
        self.calls.lock().unwrap().push((name.to_owned(), arguments.clone()));
        (self.answers)(name, &arguments)
    }

    fn log(&self, text: &str) {
        self.log.lock().unwrap().push_str(text);
    }

    fn output(&self, text: &str) {
        self.output.lock().unwrap().push_str(text);
    }

    fn truncated(&self) {
        self.truncated.store(true, Ordering::Relaxed);
    }

    fn progress(&self, fraction: f64, text: &str) {
        self.progress.lock().unwrap().push((fraction, text.to_owned()));
    }
}

pub(crate) fn script(source: &str) -> Script {
    Script { name: "scripts/test.py".to_owned(), source: source.to_owned(), params: Map::new(), limits: LOW }
}

pub(crate) async fn run_on(host: &Host, script: &Script) -> Result<ScriptOutput, ScriptError> {
    PYTHON.run(script, host, &CancellationToken::new()).await
}

/// The submitted value. All calls are refused.
pub(crate) async fn run(source: &str) -> Result<Value, ScriptError> {
    run_on(&Host::deaf(), &script(source)).await.map(|output| output.value)
}

const ALONE: &str = "INKLINGS_TEST_ALONE";

/// Whether this process runs only the test `name`, so that it can measure itself. If not, such a process is started,
/// and must succeed.
pub(crate) fn alone(name: &str) -> bool {
    if env::var_os(ALONE).is_some() {
        return true;
    }
    let arguments = ["--exact", name, "--nocapture"];
    let output = Command::new(env::current_exe().unwrap()).args(arguments).env(ALONE, "1").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "no test is called {name}");
    false
}

/// Of this process, in mebibytes: `VmRSS` now, `VmHWM` at its highest since [`forget_peak`].
pub(crate) fn memory(what: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(':')).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
}

/// Resets the peak memory.
pub(crate) fn forget_peak() {
    fs::write("/proc/self/clear_refs", "5").unwrap();
}
