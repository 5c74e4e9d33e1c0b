use inklings_core::Diagnostic;
use schemars::JsonSchema;
use serde::Serialize;

use crate::features::skill::ImportItem;

/// An agent's folder of skills.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TargetSkills {
    /// Short name of the agent.
    pub agent: String,
    /// The agent's own name.
    pub name: String,
    /// Whether the folder is the workspace's, and not the person's.
    pub of_workspace: bool,
    pub path: String,
    /// Its skills, with what an import would do to each: of a workspace's folder into the workspace, else into the account.
    pub skills: Vec<ImportItem>,
    /// What is odd about the folder.
    pub diagnostics: Vec<Diagnostic>,
}

/// The skills of other agents.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TargetList {
    /// The folders that are there, the workspace's first.
    pub targets: Vec<TargetSkills>,
    /// Different skills, by name, that aren't here yet.
    pub new: usize,
}
