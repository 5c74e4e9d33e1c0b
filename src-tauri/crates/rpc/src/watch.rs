//! How a long call is watched and stopped, whichever door it came through.

use std::fmt;
use std::sync::Arc;

use inklings_core::cancel::CancellationToken;
use schemars::JsonSchema;
use serde::Serialize;

/// How far a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Progress {
    /// What is done.
    pub done: u64,
    /// What there is to do; null while that isn't known.
    pub total: Option<u64>,
}

type Hear = Arc<dyn Fn(Progress) + Send + Sync>;

/// Goes with a call: hears how far it is, and can ask it to stop. The default hears nothing and never asks.
#[derive(Clone, Default)]
pub struct Watch {
    cancel: CancellationToken,
    hear: Option<Hear>,
}

impl Watch {
    /// Tells `hear` each step; whoever listens must be quick.
    #[must_use]
    pub fn new(hear: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self { cancel: CancellationToken::new(), hear: Some(Arc::new(hear)) }
    }

    /// Asks the call to stop. Clones share this.
    pub fn stop(&self) {
        self.cancel.cancel();
    }

    /// What tells the parts of the call that it should stop.
    #[must_use]
    pub fn cancel(&self) -> &CancellationToken {
        &self.cancel
    }

    /// Whether the call should stop after what it is at.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Tells how far the call is.
    pub fn tell(&self, done: usize, total: Option<usize>) {
        if let Some(hear) = &self.hear {
            hear(Progress { done: done as u64, total: total.map(|total| total as u64) });
        }
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("stopped", &self.is_stopped()).finish_non_exhaustive()
    }
}
