//! Records the steps of an answer, and tells who watches.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use inklings_agent::Journal;
use inklings_core::chat::ChatStep;
use inklings_core::{MessageId, SessionId, StorageError};

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
}

#[async_trait]
impl Journal for ChatJournal {
    async fn put(&self, position: usize, step: &ChatStep) -> Result<(), StorageError> {
        self.put_part(position, step).await?;
        self.publish(ChatEventKind::Step { position, step: Box::new(step.clone()) });
        Ok(())
    }

    async fn put_part(&self, position: usize, step: &ChatStep) -> Result<(), StorageError> {
        let (chats, message, stored) = (self.app.chats.clone(), self.message, step.clone());
        let put = tokio::task::spawn_blocking(move || chats.put_chat_step(message, position, &stored));
        let failed =
            |error| StorageError::Failed { action: "storing a step in", path: PathBuf::from("agents.db"), source: Box::new(error) };
        put.await.map_err(failed)?
    }

    fn on_text(&self, position: usize, text: &str) {
        self.publish(ChatEventKind::Text { position, text: text.to_owned() });
    }
}
