//! The runs that are going on in this process, so that they can be stopped.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use inklings_core::{CancellationToken, RunId};

use inklings_rpc::{Code, Failure};

/// Runs by id.
#[derive(Debug, Default)]
pub struct Runs {
    going: Mutex<HashMap<RunId, CancellationToken>>,
    ended: Condvar,
}

/// A run that is going on; it is forgotten when this is dropped.
pub(crate) struct Entered<'a> {
    runs: &'a Runs,
    run: RunId,
}

impl Runs {
    /// Notes a run. Two runs can't share an id.
    pub(crate) fn enter(&self, run: RunId, cancel: CancellationToken) -> Result<Entered<'_>, Failure> {
        let mut all = self.going.lock().unwrap_or_else(PoisonError::into_inner);
        if all.contains_key(&run) {
            return Err(Failure::new(Code::Exists, "a run with this id is going on").hint("leave the id out, or choose a fresh one"));
        }
        all.insert(run, cancel);
        Ok(Entered { runs: self, run })
    }

    /// How many are in progress.
    pub(crate) fn count(&self) -> usize {
        self.going.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Asks a run to stop. Returns whether it was going on.
    pub(crate) fn cancel(&self, run: RunId) -> bool {
        let all = self.going.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&run).inspect(|cancel| cancel.cancel()).is_some()
    }

    /// Asks every run to stop and gives them some time to write their last rows: the app is about to end.
    pub fn end_all(&self, patience: Duration) {
        let going = self.going.lock().unwrap_or_else(PoisonError::into_inner);
        going.values().for_each(CancellationToken::cancel);
        // Whether all ended in time or not, there is nothing more to do about it.
        let _ = self.ended.wait_timeout_while(going, patience, |going| !going.is_empty());
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.runs.going.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.run);
        self.runs.ended.notify_all();
    }
}
