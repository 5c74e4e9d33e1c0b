use std::path::PathBuf;

use inklings_core::{Scope, SkillId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::SkillRef;

/// A skill whose files are a folder on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LinkedSkill {
    pub id: SkillId,
    pub scope: Scope,
    /// Absolute.
    pub folder: String,
    /// ID of the agent in whose folder it is. Null if it was linked by hand.
    pub agent: Option<String>,
    /// Name of the agent.
    pub agent_name: Option<String>,
    /// Why skill and folder differ. Null if they don't.
    pub problem: Option<String>,
    /// Whether the skill is in the Studio. Otherwise the problem says why its folder can't be stored.
    pub is_stored: bool,
}

/// Params of `link/list`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListLinksParams {
    /// Only this skill, with the state of its git repository.
    #[serde(default)]
    pub skill: Option<SkillRef>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LinkList {
    /// By scope, then by folder.
    pub links: Vec<LinkedSkill>,
    /// Of the skill that was asked for. Null outside of a repository.
    pub git: Option<GitState>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GitState {
    /// The branch, or the beginning of the commit.
    pub branch: String,
    /// Whether files of the skill differ from the last commit. Null if that isn't known: git isn't installed, or the workspace isn't trusted.
    pub modified: Option<bool>,
}

/// Params of `link/add`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkFolderParams {
    /// Folder of the skill.
    pub folder: PathBuf,
    /// Default: the workspace if the folder is in it, otherwise the account.
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// Params of `link/sync`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SyncLinksParams {
    /// Only this skill.
    #[serde(default)]
    pub skill: Option<SkillRef>,
}
