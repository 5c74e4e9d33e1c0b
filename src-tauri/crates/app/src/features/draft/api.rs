use inklings_core::{Scope, SkillPath, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::{Draft, DraftMark};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveDraftParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The file, which need not exist yet.
    pub path: SkillPath,
    /// The revision that the typing began on.
    pub base_revision: i64,
    /// The text.
    pub text: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DraftSaved {
    /// When it was kept.
    pub updated_at: Time,
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
