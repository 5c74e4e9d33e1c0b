//! Parameters and results of `input/*`.

use inklings_core::{Scope, SkillPath, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A named set of parameters.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct InputEntry {
    /// Name; the empty one holds what was used last.
    pub name: String,
    /// Parameters by variable.
    pub params: Map<String, Value>,
    /// When it was saved.
    pub updated_at: Time,
}

/// The saved inputs of an artifact.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct InputList {
    /// By name.
    pub inputs: Vec<InputEntry>,
}

/// Parameters to save.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveInputParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The artifact.
    pub path: SkillPath,
    /// Name; the empty one holds what was used last.
    pub name: String,
    /// Parameters by variable.
    pub params: Map<String, Value>,
}

/// Names a saved input.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteInputParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The artifact.
    pub path: SkillPath,
    pub name: String,
}
