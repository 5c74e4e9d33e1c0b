//! Chats: sessions of messages, and what was done to answer each of them.
//!
//! The messages of a session are a tree: an edited message, or another answer to the same one, is a sibling of the former.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::changed_paths;
use crate::id::{MessageId, ProposalId, RunId, SessionId, SkillId};
use crate::model::{ModelRef, Role, ToolCall};
use crate::name::Slug;
use crate::skill::{Scope, text_enum};
use crate::storage_error::StorageError;
use crate::time::Time;
use crate::trace::{Session, SessionKind, Usage};
use crate::tree::{Tree, TreeFile};

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ChatSession {
    pub id: SessionId,
    /// Folder of the workspace it belongs to; empty for the account.
    pub workspace: String,
    pub title: String,
    /// Name of the agent that answers.
    pub agent: Option<String>,
    /// Null for the default model.
    pub model: Option<ModelRef>,
    /// The last message of the branch that is shown.
    pub head: Option<MessageId>,
    pub created_at: Time,
    pub updated_at: Time,
}

impl ChatSession {
    /// The session among the traces of its runs.
    #[must_use]
    pub fn traced(&self) -> Session {
        Session { id: self.id, kind: SessionKind::Chat, title: self.title.clone(), created_at: self.created_at }
    }
}

text_enum! {
    /// The state of a message.
    MessageStatus {
        /// An answer in progress.
        Running = "running",
        /// A tool needs the user's permission.
        Waiting = "waiting",
        Done = "done",
        /// Stopped by the user.
        Stopped = "stopped",
        Failed = "failed",
        /// The process that answered ended.
        Interrupted = "interrupted",
    }
}

text_enum! {
    /// The user's opinion of an answer.
    Feedback {
        Up = "up",
        Down = "down",
    }
}

/// A text that the user added to a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Attachment {
    /// Name of the page or file.
    pub name: String,
    pub text: String,
}

/// Why an answer failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatError {
    pub message: String,
    /// Whether another attempt may succeed.
    pub retry: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ChatMessage {
    pub id: MessageId,
    pub session: SessionId,
    /// Null for a first message.
    pub parent: Option<MessageId>,
    pub role: Role,
    pub status: MessageStatus,
    pub created_at: Time,
    #[serde(flatten)]
    pub content: MessageContent,
    /// What was done for an answer, in order. Empty for the user's messages.
    pub steps: Vec<ChatStep>,
}

/// The part of a message that is stored as one value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MessageContent {
    /// The user's text. Empty for answers, whose text is in their steps.
    pub text: String,
    pub attachments: Vec<Attachment>,
    /// Slug of the skill that the user chose for this message.
    pub skill: Option<String>,
    pub error: Option<ChatError>,
    /// As reported by the provider.
    pub model: Option<String>,
    #[serde(flatten)]
    pub usage: Usage,
    pub feedback: Option<Feedback>,
}

/// A skill that fits a message, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecommendedSkill {
    pub skill: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    pub name: String,
    pub description: String,
    pub score: f32,
    /// The name or trigger that the message contains.
    pub exact: Option<String>,
    /// Words of the message that the skill has.
    pub terms: Vec<String>,
}

text_enum! {
    /// What the model decided to do about a message.
    DecisionKind {
        /// Answer at once.
        Respond = "respond",
        /// Use a skill.
        Activate = "activate",
        /// Look something up in the workspace.
        Research = "research",
        /// Ask the user.
        Clarify = "clarify",
        /// Call another tool.
        Act = "act",
    }
}

text_enum! {
    ToolStatus {
        /// Needs the user's permission.
        Asked = "asked",
        /// Permitted, but not called yet.
        Allowed = "allowed",
        Running = "running",
        Done = "done",
        Failed = "failed",
        /// The user did not permit it.
        Denied = "denied",
    }
}

/// A file before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileChange {
    pub path: String,
    /// Null for a new file.
    pub before: Option<String>,
    /// Null for a deleted file.
    pub after: Option<String>,
}

impl FileChange {
    /// Bytes that aren't text are described.
    #[must_use]
    pub fn between(path: &str, before: Option<&TreeFile>, after: Option<&TreeFile>) -> Self {
        let text = |file: &TreeFile| file.text().map_or_else(|| format!("[binary, {} bytes]", file.bytes.len()), str::to_owned);
        Self { path: path.to_owned(), before: before.map(text), after: after.map(text) }
    }

    /// The files that differ, by path.
    #[must_use]
    pub fn between_trees(before: &Tree, after: &Tree) -> Vec<Self> {
        let changed = changed_paths(before, after);
        changed.iter().map(|(path, file)| Self::between(path.as_str(), before.get(path), file.as_ref())).collect()
    }
}

/// What a tool is about to do, for the user who permits it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolPreview {
    /// What it does, in a sentence.
    pub summary: String,
    /// The skill that it changes or runs.
    pub skill: Option<PreviewedSkill>,
    pub files: Vec<FileChange>,
    /// What the user approves with it: labels of gates in the manifests of the skills in use.
    #[serde(default)]
    pub gates: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PreviewedSkill {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    pub revision: i64,
}

impl PreviewedSkill {
    /// Identifies the skill in consents. A workspace's skill has its folder before it: that database is untrusted, and may claim the ID
    /// of another skill.
    #[must_use]
    pub fn consent_key(&self, workspace: &str) -> String {
        match self.scope {
            Scope::Account => self.id.to_string(),
            Scope::Workspace => format!("{workspace}:{}", self.id),
        }
    }
}

/// What a tool changed, so that it can be undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolChange {
    pub skill: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    /// The revision before. Null if the skill was created.
    pub from: Option<i64>,
    /// The revision after. Null if the skill was deleted.
    pub to: Option<i64>,
}

/// A tool call of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolStep {
    pub call: ToolCall,
    pub status: ToolStatus,
    /// Null if it needs no permission.
    pub preview: Option<ToolPreview>,
    /// What the model receives.
    pub result: Option<String>,
    pub change: Option<ToolChange>,
    /// The run that it started.
    pub run: Option<RunId>,
    /// The proposal that it made or revised.
    #[serde(default)]
    pub proposal: Option<ProposalId>,
}

/// Something done for an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChatStep {
    /// The skills that fit the message, found without a model.
    Recommended { skills: Vec<RecommendedSkill> },
    /// What the model decided first.
    Decided { decision: DecisionKind },
    /// A part of the answer.
    Text {
        /// Number of the model's response, from 0.
        round: u32,
        text: String,
        /// Whether it ends the answer. False while it arrives, and if tools are called after it.
        last: bool,
    },
    /// A question to the user.
    Question {
        round: u32,
        call: Option<ToolCall>,
        question: String,
        /// Suggested answers.
        options: Vec<String>,
    },
    Tool {
        /// Number of the model's response, from 0.
        round: u32,
        #[serde(flatten)]
        step: Box<ToolStep>,
    },
    /// What the user should know about the answer, such as that older messages were left out.
    Notice { text: String },
}

/// Permission to call a tool without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Consent<'a> {
    pub tool: &'a str,
    /// See [`PreviewedSkill::consent_key`]. `None` for tools that concern no skill.
    pub skill: Option<&'a str>,
    /// The session that it is limited to.
    pub session: Option<SessionId>,
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ChatSummary {
    #[serde(flatten)]
    pub session: ChatSession,
    /// Number of messages in all branches.
    pub messages: u64,
    /// Sum of all messages.
    #[serde(flatten)]
    pub usage: Usage,
}

/// Values of a session to change. `None` keeps a value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChatChange {
    pub title: Option<String>,
    /// `Some(None)` for no agent.
    pub agent: Option<Option<String>>,
    /// `Some(None)` for the default model.
    pub model: Option<Option<ModelRef>>,
    pub head: Option<MessageId>,
}

/// Storage of chats, in the account's database. Calls block.
pub trait Chats: Send + Sync {
    fn create_chat(&self, session: &ChatSession) -> Result<(), StorageError>;
    fn chat(&self, id: SessionId) -> Result<Option<ChatSession>, StorageError>;
    /// Of a workspace; those whose title or messages contain `text`, latest first.
    fn chats(&self, workspace: &str, text: &str, limit: usize) -> Result<Vec<ChatSummary>, StorageError>;
    /// Returns the session after the change; `None` if it doesn't exist.
    fn update_chat(&self, id: SessionId, change: &ChatChange) -> Result<Option<ChatSession>, StorageError>;
    /// Returns whether there was one.
    fn delete_chat(&self, id: SessionId) -> Result<bool, StorageError>;
    /// All branches, in order of creation, with their steps. Answers of ended processes become interrupted.
    fn chat_messages(&self, session: SessionId) -> Result<Vec<ChatMessage>, StorageError>;
    /// Inserts a message without its steps, or replaces its status and content except the feedback, and makes it the head of its session.
    fn put_chat_message(&self, message: &ChatMessage) -> Result<(), StorageError>;
    /// Does the same for several messages with their steps, if the chat still ends with `last` as it was read, apart from its feedback.
    /// Returns whether they were stored: of two calls that continue the same state, one fails.
    fn continue_chat(&self, session: &ChatSession, last: Option<&ChatMessage>, messages: &[ChatMessage]) -> Result<bool, StorageError>;
    /// Sets the user's opinion of an answer, which may be in progress. Returns whether there is such a message.
    fn set_feedback(&self, message: MessageId, feedback: Option<Feedback>) -> Result<bool, StorageError>;
    /// Inserts or replaces a step of an answer.
    fn put_chat_step(&self, message: MessageId, position: usize, step: &ChatStep) -> Result<(), StorageError>;
    fn grant(&self, consent: Consent<'_>) -> Result<(), StorageError>;
    /// Whether the tool was permitted for the session, or for always.
    fn is_granted(&self, consent: Consent<'_>) -> Result<bool, StorageError>;
    /// Withdraws what was granted for always. Returns the number.
    fn withdraw_grants(&self) -> Result<usize, StorageError>;
}
