use inklings_core::{RevisionInfo, Scope, SkillPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HistoryParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// List only revisions that changed this file.
    #[serde(default)]
    pub path: Option<SkillPath>,
    /// List only revisions before this one.
    #[serde(default)]
    pub before: Option<i64>,
    /// Maximum number of revisions, at most 500. [default: 50]
    #[serde(default)]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct History {
    /// Newest first.
    pub revisions: Vec<RevisionInfo>,
    /// `before` for the next page. Null on the last page. A page may be empty and still have a next one.
    pub next: Option<i64>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevisionParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    pub number: i64,
    pub path: SkillPath,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RollbackParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision to restore.
    pub number: i64,
    /// Refuse if this isn't the current revision. [default: any]
    #[serde(default)]
    pub expected: Option<i64>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreFilesParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision to restore the files from.
    pub number: i64,
    pub paths: Vec<SkillPath>,
    /// Refuse if this isn't the current revision. [default: any]
    #[serde(default)]
    pub expected: Option<i64>,
}

/// Undoes or redoes a range of revisions.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevertParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The last revision of the range.
    pub from: i64,
    /// The revision before the range.
    pub to: i64,
}
