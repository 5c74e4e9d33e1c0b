//! The answers that this process is writing.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use inklings_core::{CancellationToken, ModelRef, SessionId};

use super::error::ChatError;

#[derive(Debug, Default)]
pub struct ActiveChats {
    tokens: Mutex<HashMap<SessionId, CancellationToken>>,
    /// Models that turned out to be unable to call tools.
    without_tools: Mutex<HashSet<ModelRef>>,
}

/// An answer in progress, until it is dropped.
pub(crate) struct ActiveChat<'a> {
    chats: &'a ActiveChats,
    session: SessionId,
}

impl ActiveChats {
    /// Refuses a second answer of a session.
    pub(crate) fn enter(&self, session: SessionId, cancel: CancellationToken) -> Result<ActiveChat<'_>, ChatError> {
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        if tokens.contains_key(&session) {
            return Err(ChatError::Busy);
        }
        tokens.insert(session, cancel);
        Ok(ActiveChat { chats: self, session })
    }

    pub(crate) fn contains(&self, session: SessionId) -> bool {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&session)
    }

    /// Returns whether an answer was in progress.
    pub(crate) fn cancel(&self, session: SessionId) -> bool {
        let tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.get(&session).inspect(|cancel| cancel.cancel()).is_some()
    }

    pub(crate) fn lacks_tools(&self, model: &ModelRef) -> bool {
        self.without_tools.lock().unwrap_or_else(PoisonError::into_inner).contains(model)
    }

    pub(crate) fn note_lacking_tools(&self, model: &ModelRef) {
        self.without_tools.lock().unwrap_or_else(PoisonError::into_inner).insert(model.clone());
    }
}

impl Drop for ActiveChat<'_> {
    fn drop(&mut self) {
        self.chats.tokens.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.session);
    }
}
