//! Waiting between two attempts: how long, and a way for tests not to.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// The first wait, before jitter.
const INITIAL_WAIT: Duration = Duration::from_millis(500);
/// No wait of ours is longer.
const MAX_WAIT: Duration = Duration::from_secs(8);

type Waiting = Pin<Box<dyn Future<Output = ()> + Send>>;

/// How waiting is done.
#[derive(Clone)]
pub struct Sleeper(Arc<dyn Fn(Duration) -> Waiting + Send + Sync>);

impl Sleeper {
    /// Real time.
    #[must_use]
    pub fn real() -> Self {
        Self(Arc::new(|wait| Box::pin(tokio::time::sleep(wait))))
    }

    /// No waiting at all; `seen` hears how long it would have been.
    #[must_use]
    pub fn none(seen: impl Fn(Duration) + Send + Sync + 'static) -> Self {
        Self(Arc::new(move |wait| {
            seen(wait);
            Box::pin(std::future::ready(()))
        }))
    }

    pub(crate) async fn pause(&self, wait: Duration) {
        (self.0)(wait).await;
    }
}

impl fmt::Debug for Sleeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sleeper")
    }
}

/// The wait after an attempt, counted from 1: doubled each time, between half and all of it, so that many clients don't return at once.
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
