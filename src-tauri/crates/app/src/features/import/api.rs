use inklings_core::{Scope, SkillId, SkillPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::RevisionFile;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArrivingFileParams {
    /// The path of the skill that arrives, as the report has it.
    pub path: String,
    /// The skill that is here.
    pub skill: SkillId,
    pub scope: Scope,
    /// The revision that both come from, if that is known.
    #[serde(default)]
    pub base: Option<i64>,
    pub file: SkillPath,
}

/// A file on three sides.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ThreeFiles {
    /// What both come from; a file that wasn't there if that isn't known.
    pub base: RevisionFile,
    /// As it is here.
    pub mine: RevisionFile,
    /// As it arrives.
    pub theirs: RevisionFile,
}
