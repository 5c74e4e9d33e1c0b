use inklings_core::three_way::PathMerge;
use inklings_core::{ProposalId, Scope, SkillId, SkillPath, Slug};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A copy of a skill whose original has changed since.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OutdatedFork {
    pub skill: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    pub title: String,
    /// Revision of the fork.
    pub revision: i64,
    pub parent: SkillId,
    pub parent_slug: Slug,
    /// Version of the original that the fork has the changes of.
    pub base_version: String,
    /// Version of the original now.
    pub version: String,
    /// Files that one of them changed since, by path. A conflict is a file that both changed.
    pub changes: Vec<PathMerge>,
    /// The proposal that waits for a decision about lines that both changed.
    pub proposal: Option<ProposalId>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OutdatedForks {
    /// By scope and name.
    pub forks: Vec<OutdatedFork>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateForkParams {
    /// ID, slug or title of the fork.
    pub skill: String,
    /// Scope of the fork. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Revision of the fork that the user saw. [default: the current one]
    #[serde(default)]
    pub revision: Option<i64>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ForkUpdate {
    pub skill: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    /// Revision with what could be merged. Null if nothing could.
    pub revision: Option<i64>,
    /// Files of that revision that changed.
    pub updated: Vec<SkillPath>,
    /// Proposal with the files in which both changed the same lines. Null if there are none.
    pub proposal: Option<ProposalId>,
    pub conflicts: Vec<SkillPath>,
    /// Files that aren't text and that both changed. The fork's are kept.
    pub kept: Vec<SkillPath>,
}
