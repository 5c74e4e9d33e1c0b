//! Measures the run time of a script, without the time in which it waits for answers or other scripts.

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
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
