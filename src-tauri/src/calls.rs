//! Calls that are watched while they run, by the name that their window gave them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use inklings_rpc::Watch;

/// Those that are going on.
#[derive(Default)]
pub(crate) struct Calls(Mutex<HashMap<String, Watch>>);

/// Takes a call off the list however it ends.
pub(crate) struct Listed<'a> {
    calls: &'a Calls,
    name: String,
}

impl Calls {
    /// Lists a call until the guard goes.
    pub(crate) fn begin(&self, name: String, watch: Watch) -> Listed<'_> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone(), watch);
        Listed { calls: self, name }
    }

    /// Asks a call to stop; one that is over is left alone.
    pub(crate) fn stop(&self, name: &str) {
        if let Some(watch) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name) {
            watch.stop();
        }
    }
}

impl Drop for Listed<'_> {
    fn drop(&mut self) {
        self.calls.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name);
    }
}
