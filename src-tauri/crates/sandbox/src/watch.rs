//! How long a script has been running: a stopwatch that stands while the script waits for an answer or for its turn.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Clones share one stopwatch.
#[derive(Debug, Clone)]
pub(crate) struct Watch(Arc<Mutex<Reading>>);

#[derive(Debug)]
struct Reading {
    spent: Duration,
    since: Option<Instant>,
}

impl Watch {
    /// One that has not been started.
    pub(crate) fn standing() -> Self {
        Self(Arc::new(Mutex::new(Reading { spent: Duration::ZERO, since: None })))
    }

    pub(crate) fn pause(&self) {
        let mut reading = self.reading();
        if let Some(since) = reading.since.take() {
            reading.spent += since.elapsed();
        }
    }

    pub(crate) fn resume(&self) {
        self.reading().since.get_or_insert_with(Instant::now);
    }

    pub(crate) fn spent(&self) -> Duration {
        let reading = self.reading();
        reading.spent + reading.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn reading(&self) -> std::sync::MutexGuard<'_, Reading> {
        // Nothing panics while it holds the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
