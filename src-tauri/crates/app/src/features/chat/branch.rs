//! The tree of a session's messages.

use std::collections::HashMap;

use inklings_core::MessageId;
use inklings_core::chat::ChatMessage;
use inklings_core::model::Role;

/// The messages from the first one to `head`. Empty for an unknown one.
pub(super) fn branch(messages: &[ChatMessage], head: Option<MessageId>) -> Vec<&ChatMessage> {
    let by_id: HashMap<_, _> = messages.iter().map(|message| (message.id, message)).collect();
    let mut branch = Vec::new();
    let mut next = head;
    while let Some(message) = next.and_then(|id| by_id.get(&id).copied()) {
        branch.push(message);
        next = message.parent;
        // A damaged row must not lead in circles.
        if branch.len() > messages.len() {
            break;
        }
    }
    branch.reverse();
    branch
}

/// Messages with the same parent and role, in order of creation.
pub(super) struct Versions(HashMap<(Option<MessageId>, Role), Vec<MessageId>>);

impl Versions {
    pub(super) fn of_all(messages: &[ChatMessage]) -> Self {
        let mut by_parent: HashMap<_, Vec<_>> = HashMap::new();
        for message in messages {
            by_parent.entry((message.parent, message.role)).or_default().push(message.id);
        }
        Self(by_parent)
    }

    /// Includes the message itself.
    pub(super) fn of(&self, message: &ChatMessage) -> Vec<MessageId> {
        self.0.get(&(message.parent, message.role)).cloned().unwrap_or_default()
    }
}

/// The end of the newest branch through a message.
pub(super) fn newest_end(messages: &[ChatMessage], from: MessageId) -> MessageId {
    // Children are created after their parents.
    let mut end = from;
    while let Some(child) = messages.iter().rev().find(|message| message.parent == Some(end)) {
        end = child.id;
    }
    end
}
