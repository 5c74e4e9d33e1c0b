//! Records the steps of an answer without secrets, and tells who watches.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use inklings_agent::Journal;
use inklings_core::chat::ChatStep;
use inklings_core::{MessageId, SessionId, StorageError};
use inklings_runtime::Secrets;

use super::redaction::{redact_part, redact_step};
use crate::app::App;
use crate::features::chat::{ChatEvent, ChatEventKind};

pub(super) struct ChatJournal {
    pub(super) app: Arc<App>,
    pub(super) session: SessionId,
    pub(super) message: MessageId,
}

impl ChatJournal {
    pub(super) fn publish(&self, what: ChatEventKind) {
        self.app.chat_events.on_event(ChatEvent { session: self.session, message: self.message, what });
    }

    /// Returns the step as it is stored.
    async fn store(&self, position: usize, step: &ChatStep, redact: fn(&Secrets, &mut ChatStep)) -> Result<ChatStep, StorageError> {
        let (app, message, mut step) = (self.app.clone(), self.message, step.clone());
        let stored = tokio::task::spawn_blocking(move || {
            redact(&app.redactor.now(), &mut step);
            app.chats.put_chat_step(message, position, &step).map(|()| step)
        });
        let failed =
            |error| StorageError::Failed { action: "storing a step in", path: PathBuf::from("agents.db"), source: Box::new(error) };
        stored.await.map_err(failed)?
    }
}

#[async_trait]
impl Journal for ChatJournal {
    async fn put(&self, position: usize, step: &ChatStep) -> Result<(), StorageError> {
        let step = self.store(position, step, redact_step).await?;
        self.publish(ChatEventKind::Step { position, step: Box::new(step) });
        Ok(())
    }

    async fn put_part(&self, position: usize, step: &ChatStep) -> Result<(), StorageError> {
        self.store(position, step, redact_part).await.map(drop)
    }

    fn on_text(&self, position: usize, text: &str) {
        self.publish(ChatEventKind::Text { position, text: text.to_owned() });
    }
}
