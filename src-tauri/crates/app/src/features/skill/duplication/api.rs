use inklings_core::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::{PartialFailure, SkillDetail};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveSkillParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Target scope.
    pub to: Scope,
    /// Copy instead of moving.
    #[serde(default)]
    pub keep: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MovedSkill {
    /// The skill in the target scope.
    pub skill: SkillDetail,
    /// Whether the original was deleted.
    pub removed: bool,
    /// The folder that the original was linked to until now. Its files stay. Null if it wasn't linked.
    pub unlinked: Option<String>,
    /// Why the original wasn't deleted although it should be.
    pub failure: Option<PartialFailure>,
}
