//! Runs a script: it computes on the sandbox's threads, and the calling future answers its calls.

use std::task::Poll;
use std::time::Duration;

use inklings_core::CancellationToken;
use inklings_core::sandbox::{HostFunctions, SandboxLimits, ScriptError};
use rustix::time::{ClockId, clock_gettime};
use tokio::sync::mpsc::{self, Receiver};
use tokio::task::JoinHandle;

use crate::engine::Engine;
use crate::guest::{Invocation, Request, Run};
use crate::outcome::Execution;
use crate::stopwatch::Stopwatch;

/// Pending requests before the script has to wait.
const CALL_QUEUE_CAPACITY: usize = 32;

/// The shortest interval in which the time of a waiting script is checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Aborts the script at its next tick when dropped.
struct ScriptTask(JoinHandle<Result<Execution, ScriptError>>);

impl Drop for ScriptTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// See [`inklings_core::sandbox::Sandbox::run`].
pub(crate) async fn run(
    engine: &Engine,
    invocation: Invocation,
    host: &dyn HostFunctions,
    cancel: &CancellationToken,
) -> Result<Execution, ScriptError> {
    if cancel.is_cancelled() {
        return Err(ScriptError::Cancelled);
    }
    let stopwatch = Stopwatch::paused();
    let (sender, mut requests) = mpsc::channel(CALL_QUEUE_CAPACITY);
    let limits = invocation.limits;
    let job = Run::new(engine.instance.clone(), engine.ticker.hold(), invocation, stopwatch.clone(), sender);
    let mut computing = ScriptTask(engine.threads.spawn(run_within_limits(job, limits, stopwatch)));
    let outcome = tokio::select! {
        biased;
        () = cancel.cancelled() => return Err(ScriptError::Cancelled),
        // Ends after the script, so that nothing of its log is lost.
        () = serve(&mut requests, host) => (&mut computing.0).await,
    };
    outcome.unwrap_or_else(|error| Err(ScriptError::Unavailable(format!("internal error ({error})"))))
}

/// Runs the script until a time limit, checked before each poll and regularly while the script sleeps.
async fn run_within_limits(job: Run, limits: SandboxLimits, stopwatch: Stopwatch) -> Result<Execution, ScriptError> {
    let (seconds, cpu_seconds) = (limits.seconds, limits.cpu_seconds);
    let (limit, cpu_limit) = (Duration::from_secs(seconds.into()), Duration::from_secs(cpu_seconds.into()));
    let mut cpu_time = Duration::ZERO;
    stopwatch.resume();
    let mut running = std::pin::pin!(job.finish());
    let mut turn = std::future::poll_fn(|context| {
        if cpu_time >= cpu_limit {
            return Poll::Ready(Err(ScriptError::OutOfCpu { seconds: cpu_seconds }));
        }
        if stopwatch.elapsed() >= limit {
            return Poll::Ready(Err(ScriptError::OutOfTime { seconds }));
        }
        // A poll stays on its thread and lasts at most one tick.
        let started = thread_cpu_time();
        let polled = running.as_mut().poll(context);
        cpu_time += thread_cpu_time().saturating_sub(started);
        polled.map(Ok)
    });
    loop {
        // The stopwatch is paused while the script waits for an answer, so time may be left after this.
        let left = limit.saturating_sub(stopwatch.elapsed()).max(CHECK_INTERVAL);
        tokio::select! {
            biased;
            outcome = &mut turn => return outcome,
            () = tokio::time::sleep(left) => {}
        }
    }
}

/// CPU time of the calling thread so far.
fn thread_cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Answers requests until the script has ended.
async fn serve(requests: &mut Receiver<Request>, host: &dyn HostFunctions) {
    while let Some(request) = requests.recv().await {
        match request {
            Request::Call { name, arguments, answer } => {
                // Fails if the run has ended.
                let _ = answer.send(host.call(&name, arguments).await);
            }
            Request::Log(text) => host.log(&text),
            Request::Output(text) => host.output(&text),
            Request::Truncated => host.truncated(),
            Request::Progress { fraction, text } => host.progress(fraction, &text),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use async_trait::async_trait;
    use inklings_core::sandbox::{HostError, SandboxLimits, Script};
    use serde_json::{Map, Value};
    use tokio::sync::Notify;

    use super::*;

    /// Notifies when the script logs.
    struct Listener(Notify);

    #[async_trait]
    impl HostFunctions for Listener {
        async fn call(&self, _: &str, _: Value) -> Result<Value, HostError> {
            Ok(Value::Null)
        }

        fn log(&self, _: &str) {
            self.0.notify_one();
        }

        fn progress(&self, _: f64, _: &str) {}
    }

    #[tokio::test]
    async fn a_run_that_nobody_waits_for_stops() {
        let (engine, ear, cancel) =
            (Engine::load(crate::find_built().as_deref()).unwrap(), Listener(Notify::new()), CancellationToken::new());
        let limits = SandboxLimits { cpu_seconds: u32::MAX, ..SandboxLimits::default() };
        let source = "print('on')\nwhile True:\n    try:\n        while True: pass\n    except BaseException: pass".to_owned();
        let script = Script { name: "endless.py".to_owned(), source, params: Map::new(), limits };
        tokio::select! {
            _ = run(&engine, Invocation::from(&script), &ear, &cancel) => panic!("it ended"),
            () = ear.0.notified() => {}
        }
        let dropped = Instant::now();
        while engine.threads.metrics().num_alive_tasks() > 0 {
            assert!(dropped.elapsed() < Duration::from_secs(10), "it goes on");
            tokio::task::yield_now().await;
        }
    }
}
