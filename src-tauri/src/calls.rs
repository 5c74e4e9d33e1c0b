//! Active calls that can be cancelled, by the ID from their window.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use inklings_rpc::CancellationToken;

#[derive(Default)]
pub(crate) struct Calls(Mutex<HashMap<String, CancellationToken>>);

/// An active call, until it is dropped.
pub(crate) struct CallGuard<'a> {
    calls: &'a Calls,
    id: String,
}

impl Calls {
    /// Registers a call until the guard is dropped.
    pub(crate) fn begin(&self, id: String, cancel: CancellationToken) -> CallGuard<'_> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), cancel);
        CallGuard { calls: self, id }
    }

    /// Does nothing if the call has ended.
    pub(crate) fn cancel(&self, id: &str) {
        if let Some(token) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(id) {
            token.cancel();
        }
    }
}

impl Drop for CallGuard<'_> {
    fn drop(&mut self) {
        self.calls.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}
