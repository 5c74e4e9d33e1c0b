use inklings_core::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::{Left, SkillDetail};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveSkillParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Where it goes.
    pub to: Scope,
    /// Leave the original where it is.
    #[serde(default)]
    pub keep: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MovedSkill {
    /// The skill where it is now.
    pub skill: SkillDetail,
    /// Whether the original is gone.
    pub removed: bool,
    /// Why the original is still there although it should go.
    pub left: Option<Left>,
}
