use inklings_core::Diagnostic;
use schemars::JsonSchema;
use serde::Serialize;

use crate::features::skill::ImportItem;

/// An agent's folder of skills.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TargetSkills {
    /// ID of the agent.
    pub agent: String,
    /// Name of the agent.
    pub name: String,
    /// Whether the folder is in the workspace, not in the home folder.
    pub of_workspace: bool,
    pub path: String,
    /// Its skills with the result of a dry-run import: into the workspace for a folder of the workspace, otherwise into the account.
    pub skills: Vec<ImportItem>,
    /// Problems while reading the folder.
    pub diagnostics: Vec<Diagnostic>,
}

/// The skills of other agents.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TargetList {
    /// The folders that exist, the workspace's first.
    pub targets: Vec<TargetSkills>,
    /// Number of skills, by slug, that aren't imported yet.
    pub new: usize,
}
