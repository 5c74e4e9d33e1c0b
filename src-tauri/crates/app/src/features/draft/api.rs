use inklings_core::{Scope, SkillPath, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::{Draft, DraftMark};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveDraftParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Path of the file, which may be new.
    pub path: SkillPath,
    /// The revision that the text is based on.
    pub base_revision: i64,
    pub text: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SaveDraftResult {
    pub updated_at: Time,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiscardDraftParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    pub path: SkillPath,
    /// A newer draft, which another window stored, stays. [default: any draft is discarded]
    #[serde(default)]
    pub updated_at: Option<Time>,
}

/// Drafts of the account and the open workspace.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DraftList {
    /// Newest first.
    pub drafts: Vec<DraftMark>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillDrafts {
    /// Newest first.
    pub drafts: Vec<Draft>,
}
