//! How long a script has been running: a stopwatch that stands while the script waits for an answer or for its turn.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Clones share one stopwatch.
#[derive(Debug, Clone)]
pub(crate) struct Stopwatch(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    total: Duration,
    since: Option<Instant>,
}

impl Stopwatch {
    /// One that has not been started.
    pub(crate) fn paused() -> Self {
        Self(Arc::new(Mutex::new(State { total: Duration::ZERO, since: None })))
    }

    pub(crate) fn pause(&self) {
        let mut state = self.state();
        if let Some(since) = state.since.take() {
            state.total += since.elapsed();
        }
    }

    pub(crate) fn resume(&self) {
        self.state().since.get_or_insert_with(Instant::now);
    }

    pub(crate) fn elapsed(&self) -> Duration {
        let state = self.state();
        state.total + state.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // Nothing panics while it holds the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
