//! Progress of long calls, for whoever shows it.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

/// How much of a call's work is done, in the call's own unit: items or bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Progress {
    pub done: u64,
    /// None while it isn't known.
    pub total: Option<u64>,
}

/// Passes progress on to a listener. The default has none.
#[derive(Clone, Default)]
pub struct ProgressReporter(Option<Arc<dyn Fn(Progress) + Send + Sync>>);

impl ProgressReporter {
    /// The listener is called on the working thread, so it must return quickly.
    #[must_use]
    pub fn new(listener: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listener)))
    }

    pub fn report(&self, done: usize, total: Option<usize>) {
        self.report_bytes(done as u64, total.map(|total| total as u64));
    }

    pub fn report_bytes(&self, done: u64, total: Option<u64>) {
        if let Some(listener) = &self.0 {
            listener(Progress { done, total });
        }
    }
}

impl fmt::Debug for ProgressReporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgressReporter").field("has_listener", &self.0.is_some()).finish_non_exhaustive()
    }
}
