//! The tree of a session's messages.

use std::collections::HashMap;

use inklings_core::MessageId;
use inklings_core::chat::ChatMessage;

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

/// A message with its siblings, in order of creation.
pub(super) fn versions(messages: &[ChatMessage], of: &ChatMessage) -> Vec<MessageId> {
    messages.iter().filter(|message| message.parent == of.parent && message.role == of.role).map(|message| message.id).collect()
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
