//! Parameters and results of `action/*`.

use inklings_core::manifest::ActionMode;
use inklings_core::{Action, ModelRef, RunId, Scope};
use inklings_runtime::Limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::features::eval::Rewrite;
use crate::features::run::RunOutcome;

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ActionEntry {
    #[serde(flatten)]
    pub action: Action,
    /// Whether it ships with the app. It can be changed and disabled, but not deleted.
    pub built_in: bool,
    /// Why it may not run as it is saved, e.g. that its skill isn't in this workspace or the account.
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ActionList {
    /// By slug.
    pub actions: Vec<ActionEntry>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveActionParams {
    /// 1 to 64 lowercase letters, digits and single hyphens. An action with this slug is replaced.
    pub slug: String,
    /// ID, slug or title. Null for the built-in action only.
    #[serde(default)]
    pub skill: Option<String>,
    /// Scope of the skill. [default: workspace, then account, whenever it runs]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Run only this artifact: path or name. [default: the skill's plan]
    #[serde(default)]
    pub artifact: Option<String>,
    /// Values by variable.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// [default: the default model, whenever it runs]
    #[serde(default)]
    pub model: Option<ModelRef>,
    /// Other modes than `manual`, which is the default, are stored; nothing here starts such an action but a person.
    #[serde(default)]
    pub mode: Option<ActionMode>,
    /// [default: true]
    #[serde(default)]
    pub enabled: Option<bool>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionRef {
    pub slug: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunActionParams {
    pub slug: String,
    /// ID for the run, for its events and to cancel it. [default: a new ID]
    #[serde(default)]
    pub run: Option<RunId>,
    /// Values that replace saved ones of the same name.
    #[serde(default)]
    pub params: Map<String, Value>,
    #[serde(default)]
    pub limits: Limits,
    /// Keys of the skill's gates that the user approves for this run.
    #[serde(default)]
    pub approve: Vec<String>,
}

/// What an action did.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(tag = "kind", content = "outcome", rename_all = "snake_case")]
pub enum ActionOutcome {
    Run(RunOutcome),
    /// Of the built-in action.
    Rewrite(Rewrite),
}
