use inklings_core::{Scope, SkillId, SkillPath, Slug, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::FileEntry;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision that is meant to go; whatever is there without one.
    #[serde(default)]
    pub expected: Option<i64>,
}

/// A deleted skill: enough to undo it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Deleted {
    pub id: SkillId,
    /// The scope it was in.
    pub scope: Scope,
    pub slug: Slug,
    /// The revision that the deletion is.
    pub revision: i64,
}

/// A deleted skill that can be brought back.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeletedEntry {
    pub id: SkillId,
    /// The scope it was in.
    pub scope: Scope,
    pub slug: Slug,
    pub name: String,
    pub deleted_at: Time,
    /// Who deleted it.
    pub actor: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeletedList {
    /// By scope, last deleted first.
    pub skills: Vec<DeletedEntry>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreParams {
    pub id: SkillId,
    /// The scope it was in.
    pub scope: Scope,
}

/// A deleted skill as it was.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeletedContent {
    pub id: SkillId,
    /// The scope it was in.
    pub scope: Scope,
    pub slug: Slug,
    pub name: String,
    pub description: String,
    /// Its files, by path.
    pub entries: Vec<FileEntry>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeletedFileParams {
    pub id: SkillId,
    /// The scope it was in.
    pub scope: Scope,
    /// Path in the skill.
    pub path: SkillPath,
}
