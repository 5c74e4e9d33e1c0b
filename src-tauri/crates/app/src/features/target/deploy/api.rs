use inklings_core::three_way::PathMerge;
use inklings_core::{Scope, SkillId, SkillPath, Slug};
use inklings_rpc::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::{PartialFailure, SkillRef};

/// A deployed copy, or the place for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CopyStatus {
    /// Not deployed yet.
    New,
    /// The skill changed after it was deployed.
    Update,
    Unchanged,
    /// Somebody edited the copy.
    Drift,
    /// The copy was deleted.
    Missing,
    /// A folder, file or link of this name that wasn't deployed from here. It is never changed.
    Foreign,
    /// Another skill of this name was deployed there.
    Conflict,
    /// It is the folder that the skill is linked to, or a link to it.
    Linked,
    /// A link that was deployed, to a folder that doesn't exist any more.
    Dangling,
    /// The skill of the copy was deleted.
    Deleted,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeployedCopy {
    /// ID of the agent.
    pub agent: String,
    /// Name of the agent.
    pub agent_name: String,
    /// Folder of the copy.
    pub path: String,
    pub skill: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    pub status: CopyStatus,
    /// Whether it is written again whenever the skill changes.
    pub watch: bool,
    /// Revision that was deployed. Null if none was.
    pub revision: Option<i64>,
    /// Files of the copy that were edited, added or deleted there.
    pub edited: Vec<SkillPath>,
    /// Whether this call changed the copy.
    pub changed: bool,
    /// Whether the agent's folder has to be created first.
    pub creates_folder: bool,
    /// Why it couldn't be read or changed.
    pub failure: Option<Failure>,
}

/// Params of `target/deploy`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeployParams {
    #[serde(default)]
    pub skills: Vec<SkillRef>,
    /// Also all skills with this tag.
    #[serde(default)]
    pub tag: Option<String>,
    /// Also all skills of this kit that the caller sees.
    #[serde(default)]
    pub kit: Option<String>,
    /// Also all copies that are written again whenever their skill changes, where they are.
    #[serde(default)]
    pub watched: bool,
    /// IDs of agents, or paths of their folders. Skills of the account go to the folders in the home folder, skills of the workspace to
    /// those in the workspace. [default: all folders that exist]
    #[serde(default)]
    pub to: Vec<String>,
    /// Create the folders of agents that don't exist.
    #[serde(default)]
    pub create_folders: bool,
    /// Put a link to the skill's folder instead of a copy. A skill without one gets a folder that it is linked to.
    #[serde(default)]
    pub link: bool,
    /// Whether the copies are written again whenever the skill changes. [default: as before; no for new ones]
    #[serde(default)]
    pub watch: Option<bool>,
    /// Replace copies that were edited. Their edits are lost.
    #[serde(default)]
    pub replace_edited: bool,
    /// Report what would be written without writing.
    #[serde(default)]
    pub dry_run: bool,
}

/// Params of `target/remove`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RemoveCopiesParams {
    /// Slugs or IDs of the skills, which may have been deleted.
    pub skills: Vec<String>,
    /// IDs of agents, or paths of their folders. [default: all]
    #[serde(default)]
    pub from: Vec<String>,
    /// Report what would be removed without removing.
    #[serde(default)]
    pub dry_run: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeployReport {
    /// By skill, then by target.
    pub copies: Vec<DeployedCopy>,
    pub dry_run: bool,
    /// Whether it was cancelled. `copies` has those processed before.
    pub stopped: bool,
}

/// A folder in which an agent keeps skills.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TargetState {
    /// ID of the agent.
    pub agent: String,
    /// Name of the agent.
    pub name: String,
    /// Whether the folder is in the workspace, not in the home folder.
    pub of_workspace: bool,
    pub path: String,
    /// False if it has to be created before skills are deployed to it.
    pub exists: bool,
    /// By slug.
    pub copies: Vec<DeployedCopy>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TargetStatus {
    /// All known folders, the workspace's first.
    pub targets: Vec<TargetState>,
}

/// Params of `target/file`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CopyFileParams {
    pub skill: SkillRef,
    /// ID of the agent, or path of its folder. [default: the only one with an edited copy]
    #[serde(default)]
    pub from: Option<String>,
    pub file: SkillPath,
}

/// Params of `target/pull`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PullParams {
    pub skill: SkillRef,
    /// ID of the agent, or path of its folder. [default: the only one with an edited copy]
    #[serde(default)]
    pub from: Option<String>,
    /// Conflicting files to take from the copy.
    #[serde(default)]
    pub theirs: Vec<SkillPath>,
    /// Conflicting files to keep as they are in the skill.
    #[serde(default)]
    pub ours: Vec<SkillPath>,
    /// Report what would change without storing.
    #[serde(default)]
    pub dry_run: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PullReport {
    pub skill: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    /// Folder of the copy.
    pub path: String,
    /// The revision that the copy was edited from. Null if it isn't kept any more.
    pub base: Option<i64>,
    /// Files that differ from it.
    pub changes: Vec<PathMerge>,
    /// Conflicting files without a choice. While there are any, nothing is stored.
    pub conflicts: Vec<SkillPath>,
    /// The current revision.
    pub revision: i64,
    /// Whether the skill got the changes.
    pub stored: bool,
    /// Why the copy wasn't updated although the skill was.
    pub failure: Option<PartialFailure>,
    pub dry_run: bool,
}
