//! Agents and standing notes: who answers in a chat, and what every answer is told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::ModelRef;
use crate::storage_error::StorageError;
use crate::time::Time;

/// Maximum size of the standing notes of the account or a workspace.
pub const NOTES_BYTES: usize = 4 * 1024;
/// Maximum size of an agent's notes.
pub const AGENT_NOTES_BYTES: usize = 4 * 1024;

/// What is stored of an agent beside its name and skills.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AgentProfile {
    /// Instructions that are part of its system prompt.
    pub notes: String,
    /// Null for the default model.
    pub model: Option<ModelRef>,
    /// Names of the tools that it may call. Null for all.
    pub tools: Option<Vec<String>>,
    /// Whether it is told of its assigned skills only.
    pub only: bool,
}

/// A skill that is listed first to an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssignedSkill {
    /// The skill need not exist in every workspace.
    pub slug: String,
    /// Highest first.
    pub priority: i64,
}

/// A named profile for chats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Agent {
    pub name: String,
    #[serde(flatten)]
    pub profile: AgentProfile,
    /// Highest priority first.
    pub skills: Vec<AssignedSkill>,
    pub created_at: Time,
    pub updated_at: Time,
}

impl Agent {
    /// Whether it may be told of the skill with this slug.
    #[must_use]
    pub fn knows(&self, slug: &str) -> bool {
        !self.profile.only || self.skills.iter().any(|skill| skill.slug == slug)
    }
}

/// Storage of agents and notes, in the account's database. Calls block.
pub trait Agents: Send + Sync {
    /// By name.
    fn agents(&self) -> Result<Vec<Agent>, StorageError>;
    fn agent(&self, name: &str) -> Result<Option<Agent>, StorageError>;
    /// Inserts an agent with its skills. Returns false if its name is taken.
    fn create_agent(&self, agent: &Agent) -> Result<bool, StorageError>;
    /// Changes an agent in one transaction; `change` returns false to store nothing. Returns the changed agent, or `None` if nothing was
    /// stored, as without such an agent. Fails with [`StorageError::Exists`] if its new name is taken.
    fn change_agent(&self, name: &str, change: &mut dyn FnMut(&mut Agent) -> bool) -> Result<Option<Agent>, StorageError>;
    /// Returns whether there was one.
    fn delete_agent(&self, name: &str) -> Result<bool, StorageError>;
    /// The standing notes of a workspace, or of the account if it is empty.
    fn notes(&self, workspace: &str) -> Result<String, StorageError>;
    fn put_notes(&self, workspace: &str, text: &str) -> Result<(), StorageError>;
    /// Changes notes in one transaction: `change` receives the stored text and returns the new one, or `None` to keep it.
    fn change_notes(&self, workspace: &str, change: &mut dyn FnMut(&str) -> Option<String>) -> Result<(), StorageError>;
}
