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

impl ChatEvent {
    /// Takes up a piece of text that follows this one's, or gives the event back.
    ///
    /// # Errors
    /// The event doesn't continue the text of this one.
    pub fn append(&mut self, next: Self) -> Result<(), Self> {
        let same = (self.session, self.message) == (next.session, next.message);
        match (&mut self.what, next.what) {
            (ChatEventKind::Text { position, text }, ChatEventKind::Text { position: other, text: piece })
                if same && *position == other =>
            {
                text.push_str(&piece);
                Ok(())
            }
            (_, what) => Err(Self { what, ..next }),
        }
    }

    #[must_use]
    pub const fn is_text(&self) -> bool {
        matches!(self.what, ChatEventKind::Text { .. })
    }
}

/// Receives the events of chats, in order for each of them and from any thread. Must not block.
pub trait ChatEvents: Send + Sync {
    fn on_event(&self, event: ChatEvent);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pieces_of_the_same_text_become_one() {
        let id = |number: u128| uuid::Uuid::from_u128(number);
        let text = |session, position, text: &str| ChatEvent {
            session: SessionId::new(id(session)),
            message: MessageId::new(id(9)),
            what: ChatEventKind::Text { position, text: text.to_owned() },
        };
        let mut first = text(1, 2, "It was ");
        assert!(first.append(text(1, 2, "night.")).is_ok());
        assert!(matches!(&first.what, ChatEventKind::Text { text, .. } if text == "It was night."));
        for other in [text(2, 2, "a"), text(1, 3, "a"), ChatEvent { what: ChatEventKind::Began, ..text(1, 2, "") }] {
            assert!(first.append(other).is_err());
        }
    }
}
