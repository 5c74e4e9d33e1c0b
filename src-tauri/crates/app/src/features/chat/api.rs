use std::path::PathBuf;

use inklings_core::chat::{Attachment, ChatMessage, ChatSession, ChatSummary, Feedback};
use inklings_core::{MessageId, ModelRef, SessionId};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ListChatsParams {
    /// Only sessions whose title or messages contain it.
    pub text: String,
    /// Maximum number of sessions, at most 1,000. [default: 200]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChatList {
    /// Latest first.
    pub sessions: Vec<ChatSummary>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CreateChatParams {
    /// [default: made from the first message]
    pub title: Option<String>,
    /// Name of the agent that answers.
    pub agent: Option<String>,
    /// [default: the agent's model, or the default model]
    pub model: Option<ModelRef>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatRef {
    pub session: SessionId,
}

/// Omitted values are kept.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateChatParams {
    pub session: SessionId,
    #[serde(default)]
    pub title: Option<String>,
    /// Null for none.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<String>")]
    pub agent: Option<Option<String>>,
    /// Null for the default model.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<ModelRef>")]
    pub model: Option<Option<ModelRef>>,
}

#[expect(clippy::option_option, reason = "an omitted value is kept, null removes it")]
fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(deserializer).map(Some)
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SendParams {
    pub session: SessionId,
    pub text: String,
    #[serde(default)]
    pub attachments: Vec<Attachment>,
    /// Slug of the skill to use for this message.
    #[serde(default)]
    pub skill: Option<String>,
    /// The message that this one is an edit of. Both stay, as branches. [default: add to the end]
    #[serde(default)]
    pub edits: Option<MessageId>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttachParams {
    /// Absolute.
    pub paths: Vec<PathBuf>,
}

/// Why a file can't be attached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AttachmentRefusal {
    Folder,
    /// Not UTF-8, or it has NUL characters.
    Binary,
    Size,
    /// Not found, not readable, or a device.
    Unreadable,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RefusedAttachment {
    pub name: String,
    pub reason: AttachmentRefusal,
}

/// Files as attachments of a message that isn't sent yet, in the order of the request.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AttachedFiles {
    pub attachments: Vec<Attachment>,
    pub refused: Vec<RefusedAttachment>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MessageRef {
    pub session: SessionId,
    pub message: MessageId,
}

/// The user's answer to a tool that asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Permit {
    Once,
    /// For this session.
    Session,
    /// For this skill, in all sessions.
    Always,
    Deny,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PermitParams {
    pub session: SessionId,
    /// ID of the tool call.
    pub call: String,
    pub permit: Permit,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct WithdrawnPermissions {
    pub count: usize,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MarkParams {
    pub session: SessionId,
    /// An answer.
    pub message: MessageId,
    /// Null removes the mark.
    pub feedback: Option<Feedback>,
}

/// A message with its other versions.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChatEntry {
    #[serde(flatten)]
    pub message: ChatMessage,
    /// It and its siblings, in order of creation.
    pub versions: Vec<MessageId>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChatDetail {
    pub session: ChatSession,
    /// The messages of the branch that is shown.
    pub messages: Vec<ChatEntry>,
    /// Whether an answer is being written by this process.
    pub active: bool,
}
