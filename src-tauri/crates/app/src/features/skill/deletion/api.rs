use inklings_core::{Scope, SkillId, SkillPath, Slug, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::FileEntry;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Refuse if this isn't the current revision. [default: any]
    #[serde(default)]
    pub expected: Option<i64>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Deletion {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    /// The revision of the deletion.
    pub revision: i64,
}

/// A deleted skill that can be restored.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeletedEntry {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    pub name: String,
    pub deleted_at: Time,
    /// Who deleted it.
    pub actor: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeletedList {
    /// By scope, latest deletion first.
    pub skills: Vec<DeletedEntry>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreParams {
    pub id: SkillId,
    pub scope: Scope,
}

/// A deleted skill as it was before the deletion.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeletedContent {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    pub name: String,
    pub description: String,
    pub entries: Vec<FileEntry>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeletedFileParams {
    pub id: SkillId,
    pub scope: Scope,
    pub path: SkillPath,
}
