//! Parameters and results of `input/*`.

use inklings_core::{Scope, SkillPath, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Of an input.
pub(super) const MAX_NAME_CHARS: usize = 120;

/// A named set of values.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct InputEntry {
    /// Empty for the values that were used last.
    pub name: String,
    /// Values by variable.
    pub params: Map<String, Value>,
    pub updated_at: Time,
    /// The file of the skill that has the values. Null for a saved input.
    pub example: Option<SkillPath>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct InputList {
    /// Saved inputs, then the skill's examples that have every required value; each by name.
    pub inputs: Vec<InputEntry>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveInputParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Path of the artifact.
    pub path: SkillPath,
    /// Empty for the values that were used last.
    pub name: String,
    /// Values by variable.
    pub params: Map<String, Value>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteInputParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Path of the artifact.
    pub path: SkillPath,
    pub name: String,
}
