//! Waits between retries, replaceable in tests.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// Before jitter.
const INITIAL_WAIT: Duration = Duration::from_millis(500);
const MAX_WAIT: Duration = Duration::from_secs(8);

type SleepFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

#[derive(Clone)]
pub struct Sleeper(Arc<dyn Fn(Duration) -> SleepFuture + Send + Sync>);

impl Sleeper {
    #[must_use]
    pub fn real() -> Self {
        Self(Arc::new(|wait| Box::pin(tokio::time::sleep(wait))))
    }

    /// Doesn't wait; `seen` receives the durations.
    #[must_use]
    pub fn none(seen: impl Fn(Duration) + Send + Sync + 'static) -> Self {
        Self(Arc::new(move |wait| {
            seen(wait);
            Box::pin(std::future::ready(()))
        }))
    }

    pub(crate) async fn sleep(&self, wait: Duration) {
        (self.0)(wait).await;
    }
}

impl fmt::Debug for Sleeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sleeper")
    }
}

/// Exponential backoff with equal jitter. `attempt` counts from 1.
pub(crate) fn backoff(attempt: u32) -> Duration {
    let full = INITIAL_WAIT.saturating_mul(1 << attempt.saturating_sub(1).min(10)).min(MAX_WAIT);
    full.mul_f64(0.5 + fastrand::f64() / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_within_bounds() {
        for (attempt, full) in [(1, 0.5), (2, 1.0), (3, 2.0), (4, 4.0), (5, 8.0), (99, 8.0)] {
            for _ in 0..50 {
                let wait = backoff(attempt).as_secs_f64();
                assert!((full / 2.0..=full).contains(&wait), "{attempt}: {wait}");
            }
        }
    }
}
