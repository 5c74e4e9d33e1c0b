//! Concurrent scripts.

use std::time::{Duration, Instant};

use inklings_core::CancellationToken;
use inklings_core::sandbox::{Sandbox, ScriptError};
use serde_json::{Value, json};

use crate::support::{Host, PYTHON, run, script};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixteen_at_once_each_get_their_own() {
    let runs = (0..16_u64).map(|n| {
        tokio::spawn(async move {
            let host = Host::new(move |_, arguments| Ok(json!([n, arguments["slug"]])));
            let mut script = script(
                "
import builtins
assert not hasattr(builtins, 'MARK')
builtins.MARK = n
total = 0
for i in range(100_000):
    total += i % (n + 1)
answers = [inklings.get_tags(), inklings.get_references(str(n))]
assert builtins.MARK == n
inklings.submit([n, total, answers])",
            );
            script.params.insert("n".to_owned(), n.into());
            (n, PYTHON.run(&script, &host, &CancellationToken::new()).await.map(|output| output.value))
        })
    });
    for run in runs.collect::<Vec<_>>() {
        let (n, outcome) = run.await.unwrap();
        let total: u64 = (0..100_000).map(|i| i % (n + 1)).sum();
        assert_eq!(outcome, Ok(json!([n, total, [[n, null], [n, n.to_string()]]])));
    }
}

#[tokio::test(flavor = "current_thread")]
async fn endless_scripts_leave_room_for_others_and_for_whoever_waits_for_them() {
    let cancel = CancellationToken::new();
    let mut endless = script("while True: pass");
    endless.limits.cpu_seconds = u32::MAX;
    let host = Host::deaf();
    let crowd = futures(64, || PYTHON.run(&endless, &host, &cancel));
    let others = async {
        let started = Instant::now();
        // This thread serves all of them and is never blocked.
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
        let outcome = run("inklings.submit(1)").await;
        cancel.cancel();
        outcome
    };
    let (outcomes, other) = tokio::join!(crowd, others);
    assert_eq!(other, Ok(Value::from(1)));
    assert!(outcomes.iter().all(|outcome| *outcome == Err(ScriptError::Cancelled)));
}

/// Runs `count` futures concurrently.
async fn futures<F: Future + Unpin>(count: usize, make: impl Fn() -> F) -> Vec<F::Output> {
    let mut waiting: Vec<_> = (0..count).map(|_| Some(make())).collect();
    let mut done = Vec::new();
    std::future::poll_fn(move |context| {
        for slot in &mut waiting {
            if let Some(future) = slot
                && let std::task::Poll::Ready(output) = std::pin::Pin::new(future).poll(context)
            {
                done.push(output);
                *slot = None;
            }
        }
        if done.len() == count { std::task::Poll::Ready(std::mem::take(&mut done)) } else { std::task::Poll::Pending }
    })
    .await
}
