use inklings_core::{Scope, SkillId, SkillPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::RevisionFile;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportFileParams {
    /// Path of the imported skill, as in the import report.
    pub path: String,
    /// The stored skill.
    pub skill: SkillId,
    pub scope: Scope,
    /// The revision that both versions are based on, if known.
    #[serde(default)]
    pub base: Option<i64>,
    pub file: SkillPath,
}

/// A file in the three versions of a merge.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MergeVersions {
    /// At the common base. Empty if there is none.
    pub base: RevisionFile,
    /// As stored.
    pub mine: RevisionFile,
    /// As imported.
    pub theirs: RevisionFile,
}
