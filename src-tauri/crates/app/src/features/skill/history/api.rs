use inklings_core::{RevisionInfo, Scope, SkillPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HistoryParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Only revisions that changed this file.
    #[serde(default)]
    pub path: Option<SkillPath>,
    /// Only revisions before this one.
    #[serde(default)]
    pub before: Option<i64>,
    /// Maximum number of revisions, at most 500. [default: 50]
    #[serde(default)]
    pub limit: Option<usize>,
}

/// Part of a skill's history.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct History {
    /// Newest first.
    pub revisions: Vec<RevisionInfo>,
    /// What the next part comes before; null at the end. A part may be empty and still have one.
    pub next: Option<i64>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevisionParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    pub number: i64,
    pub path: SkillPath,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RollbackParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision to go back to.
    pub number: i64,
    /// The present revision, if the caller wants to be sure.
    #[serde(default)]
    pub expected: Option<i64>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreFilesParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision that has them as they are to be.
    pub number: i64,
    pub paths: Vec<SkillPath>,
    /// The present revision, if the caller wants to be sure.
    #[serde(default)]
    pub expected: Option<i64>,
}

/// Takes one stretch of a skill's history back, or makes it again.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevertParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision that the stretch led to.
    pub from: i64,
    /// The revision that it began at.
    pub to: i64,
}
