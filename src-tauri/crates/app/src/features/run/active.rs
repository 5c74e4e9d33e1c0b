//! The active runs of this process, so that they can be cancelled.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use inklings_core::{CancellationToken, RunId};

use super::error::RunError;

#[derive(Debug, Default)]
pub struct ActiveRuns {
    tokens: Mutex<HashMap<RunId, CancellationToken>>,
    ended: Condvar,
}

/// An active run, until it is dropped.
pub(crate) struct RunGuard<'a> {
    runs: &'a ActiveRuns,
    run: RunId,
}

impl ActiveRuns {
    /// Refuses the ID of another active run.
    pub(crate) fn enter(&self, run: RunId, cancel: CancellationToken) -> Result<RunGuard<'_>, RunError> {
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        if tokens.contains_key(&run) {
            return Err(RunError::IdInUse);
        }
        tokens.insert(run, cancel);
        Ok(RunGuard { runs: self, run })
    }

    pub(crate) fn count(&self) -> usize {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether the run is one of this process and hasn't ended.
    pub fn is_active(&self, run: RunId) -> bool {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&run)
    }

    /// Returns whether the run was active.
    pub(crate) fn cancel(&self, run: RunId) -> bool {
        let tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.get(&run).inspect(|cancel| cancel.cancel()).is_some()
    }

    /// Cancels every run and waits for their last rows to be written: the app is about to exit.
    pub fn cancel_all(&self, timeout: Duration) {
        let tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.values().for_each(CancellationToken::cancel);
        // Runs that didn't end in time are recorded as interrupted at the next start.
        let _ = self.ended.wait_timeout_while(tokens, timeout, |tokens| !tokens.is_empty());
    }
}

impl Drop for RunGuard<'_> {
    fn drop(&mut self) {
        self.runs.tokens.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.run);
        self.runs.ended.notify_all();
    }
}
