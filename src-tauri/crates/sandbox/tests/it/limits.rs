//! Limits and cancellation.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use inklings_core::CancellationToken;
use inklings_core::sandbox::{HostError, HostFunctions, Sandbox, SandboxLimits, ScriptError};
use serde_json::Value;
use tokio::sync::Notify;

use crate::support::{Host, LOW, PYTHON, run_on, script};

/// Notifies when it is called, and answers after a delay or never.
struct Slow {
    answer: Option<Duration>,
    called: Arc<Notify>,
}

impl Slow {
    fn new(answer: Option<Duration>) -> Self {
        Self { answer, called: Arc::default() }
    }
}

#[async_trait]
impl HostFunctions for Slow {
    async fn call(&self, _: &str, _: Value) -> Result<Value, HostError> {
        self.called.notify_one();
        match self.answer {
            Some(after) => tokio::time::sleep(after).await,
            None => std::future::pending().await,
        }
        Ok(Value::Null)
    }

    fn log(&self, _: &str) {
        self.called.notify_one();
    }

    fn progress(&self, _: f64, _: &str) {}
}

#[tokio::test]
async fn computing_ends_at_the_limit_of_cpu_time_whatever_the_script_catches() {
    let caught = "while True:\n    try:\n        while True: pass\n    except BaseException: pass";
    let in_c = "import re\nre.match('(a+)+$', 'a' * 100 + 'b')";
    for source in ["while True: pass", caught, in_c] {
        let mut script = script(source);
        script.limits = SandboxLimits { cpu_seconds: 1, seconds: u32::MAX, ..LOW };
        assert_eq!(run_on(&Host::deaf(), &script).await, Err(ScriptError::OutOfCpu { seconds: 1 }), "{source}");
    }
}

#[tokio::test]
async fn sleeping_and_waiting_take_time_but_no_cpu_time() {
    let host = Slow::new(Some(Duration::from_millis(1500)));
    let mut script = script("import time\ntime.sleep(1.5)\ninklings.get_tags()\ninklings.submit(1)");
    script.limits = SandboxLimits { cpu_seconds: 1, ..LOW };
    assert_eq!(PYTHON.run(&script, &host, &CancellationToken::new()).await.map(|output| output.value), Ok(Value::from(1)));
}

#[tokio::test]
async fn waiting_for_an_answer_takes_none_of_the_scripts_time() {
    let host = Slow::new(Some(Duration::from_millis(1500)));
    let mut script = script("inklings.get_tags()\ninklings.submit(1)");
    script.limits = SandboxLimits { seconds: 1, ..LOW };
    assert_eq!(PYTHON.run(&script, &host, &CancellationToken::new()).await.map(|output| output.value), Ok(Value::from(1)));
    script.source = "inklings.get_tags()\nwhile True: pass".to_owned();
    script.limits.cpu_seconds = u32::MAX;
    assert_eq!(PYTHON.run(&script, &host, &CancellationToken::new()).await, Err(ScriptError::OutOfTime { seconds: 1 }));
}

#[tokio::test]
async fn limits_of_nothing_are_limits() {
    for (limits, expected) in [
        (SandboxLimits { cpu_seconds: 0, ..LOW }, ScriptError::OutOfCpu { seconds: 0 }),
        (SandboxLimits { seconds: 0, ..LOW }, ScriptError::OutOfTime { seconds: 0 }),
        (SandboxLimits { memory_mib: 0, ..LOW }, ScriptError::OutOfMemory { mib: 0 }),
        (SandboxLimits { result_bytes: 0, ..LOW }, ScriptError::ResultTooLarge { bytes: 1, limit: 0 }),
    ] {
        let mut script = script("print('x')\ninklings.submit(1)");
        script.limits = limits;
        assert_eq!(run_on(&Host::deaf(), &script).await, Err(expected));
    }
    let host = Host::deaf();
    let mut script = script("print('x')\ninklings.submit(1)");
    script.limits = SandboxLimits { cpu_seconds: u32::MAX, seconds: u32::MAX, memory_mib: u32::MAX, log_bytes: 0, result_bytes: u32::MAX };
    assert!(run_on(&host, &script).await.is_ok());
    assert_eq!(host.log(), "");
}

#[tokio::test]
async fn stopping_takes_no_longer_than_a_fifth_of_a_second_whatever_the_script_does() {
    let busy = "print('on')\nwhile True:\n    try:\n        while True: pass\n    except BaseException: pass";
    let waiting = "inklings.get_tags()";
    let asleep = "import time\nprint('on')\ntime.sleep(1e6)";
    for source in [busy, waiting, asleep] {
        let mut script = script(source);
        script.limits.cpu_seconds = u32::MAX;
        let mut took = Vec::new();
        // Other programs may occupy the CPUs, so one run within the limit is sufficient.
        while took.iter().all(|took| *took >= Duration::from_millis(200)) {
            assert!(took.len() < 5, "{source}: {took:?}");
            let (host, cancel) = (Slow::new(None), CancellationToken::new());
            let running = PYTHON.run(&script, &host, &cancel);
            let stopping = async {
                host.called.notified().await;
                cancel.cancel();
                Instant::now()
            };
            let (outcome, stopped) = tokio::join!(running, stopping);
            took.push(stopped.elapsed());
            assert_eq!(outcome, Err(ScriptError::Cancelled), "{source}");
        }
    }
    let cancel = CancellationToken::new();
    cancel.cancel();
    assert_eq!(PYTHON.run(&script("inklings.submit(1)"), &Host::deaf(), &cancel).await, Err(ScriptError::Cancelled));
}
