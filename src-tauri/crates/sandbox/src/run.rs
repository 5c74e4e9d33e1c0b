//! A run from outside: the script computes on the sandbox's threads, its calls are answered by the future that waits for it.

use std::task::Poll;
use std::time::Duration;

use inklings_core::CancellationToken;
use inklings_core::sandbox::{HostFunctions, Script, ScriptError, ScriptOutput};
use rustix::time::{ClockId, clock_gettime};
use tokio::sync::mpsc::{self, Receiver};
use tokio::task::JoinHandle;

use crate::engine::Engine;
use crate::guest::{Request, Run};
use crate::stopwatch::Stopwatch;

/// Requests that wait for whoever started the run, before the script has to wait too.
const CALL_QUEUE_CAPACITY: usize = 32;

/// How often at most a waiting script's time is looked at.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// A script that stops, at its next beat, when this is dropped.
struct ScriptTask(JoinHandle<Result<ScriptOutput, ScriptError>>);

impl Drop for ScriptTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// See [`inklings_core::sandbox::Sandbox::run`].
pub(crate) async fn run(
    engine: &Engine,
    script: &Script,
    host: &dyn HostFunctions,
    cancel: &CancellationToken,
) -> Result<ScriptOutput, ScriptError> {
    if cancel.is_cancelled() {
        return Err(ScriptError::Cancelled);
    }
    let stopwatch = Stopwatch::paused();
    let (sender, mut requests) = mpsc::channel(CALL_QUEUE_CAPACITY);
    let job = Run::new(engine, script, stopwatch.clone(), sender);
    let mut computing = ScriptTask(engine.threads.spawn(within(job, script.clone(), stopwatch)));
    let outcome = tokio::select! {
        biased;
        () = cancel.cancelled() => return Err(ScriptError::Cancelled),
        // Ends when the script has, so that nothing of its log is lost.
        () = serve(&mut requests, host) => (&mut computing.0).await,
    };
    outcome.unwrap_or_else(|error| Err(ScriptError::Unavailable(format!("it broke down ({error})"))))
}

/// Runs the script, and ends it when its time is over: looked at before each of its turns, and now and then while it sleeps.
async fn within(job: Run, script: Script, stopwatch: Stopwatch) -> Result<ScriptOutput, ScriptError> {
    let (seconds, cpu_seconds) = (script.limits.seconds, script.limits.cpu_seconds);
    let (limit, cpu_limit) = (Duration::from_secs(seconds.into()), Duration::from_secs(cpu_seconds.into()));
    let mut cpu_time = Duration::ZERO;
    stopwatch.resume();
    let mut running = std::pin::pin!(job.finish(&script));
    let mut turn = std::future::poll_fn(|context| {
        if cpu_time >= cpu_limit {
            return Poll::Ready(Err(ScriptError::OutOfCpu { seconds: cpu_seconds }));
        }
        if stopwatch.elapsed() >= limit {
            return Poll::Ready(Err(ScriptError::OutOfTime { seconds }));
        }
        // A turn stays on its thread, and lasts for one beat at most.
        let started = thread_cpu_time();
        let polled = running.as_mut().poll(context);
        cpu_time += thread_cpu_time().saturating_sub(started);
        polled
    });
    loop {
        // While the script waits for an answer its watch stands, so that time may be left after this.
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

/// Does what the script asks for until it has ended.
async fn serve(requests: &mut Receiver<Request>, host: &dyn HostFunctions) {
    while let Some(request) = requests.recv().await {
        match request {
            Request::Call { name, arguments, answer } => {
                // Nobody waits for the answer when the run was ended meanwhile.
                let _ = answer.send(host.call(&name, arguments).await);
            }
            Request::Log(text) => host.log(&text),
            Request::Progress { fraction, text } => host.progress(fraction, &text),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use async_trait::async_trait;
    use inklings_core::sandbox::{HostError, SandboxLimits};
    use serde_json::{Map, Value};
    use tokio::sync::Notify;

    use super::*;

    /// Says when the script is running.
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
            outcome = run(&engine, &script, &ear, &cancel) => panic!("{outcome:?}"),
            () = ear.0.notified() => {}
        }
        let dropped = Instant::now();
        while engine.threads.metrics().num_alive_tasks() > 0 {
            assert!(dropped.elapsed() < Duration::from_secs(10), "it goes on");
            tokio::task::yield_now().await;
        }
    }
}
