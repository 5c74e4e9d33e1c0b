//! Events of an answer in progress.

use inklings_core::chat::{ChatStep, MessageStatus};
use inklings_core::{MessageId, SessionId};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChatEvent {
    pub session: SessionId,
    /// The answer.
    pub message: MessageId,
    #[serde(flatten)]
    pub what: ChatEventKind,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ChatEventKind {
    /// The answer was begun: read the session again.
    Began,
    /// A step was added or changed.
    Step {
        position: usize,
        step: Box<ChatStep>,
    },
    /// A piece of the text at a position arrived.
    Text {
        position: usize,
        text: String,
    },
    Ended {
        status: MessageStatus,
    },
}

/// Receives the events of chats, in order for each of them and from any thread. Must not block.
pub trait ChatEvents: Send + Sync {
    fn on_event(&self, event: ChatEvent);
}
