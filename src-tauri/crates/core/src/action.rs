//! Actions: saved runs that a person starts.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::manifest::ActionMode;
use crate::model::ModelRef;
use crate::name::Slug;
use crate::skill::Scope;
use crate::storage_error::StorageError;

/// Slug of the built-in action, which improves the instructions of the skill that its parameter `skill` names.
pub const OPTIMIZE_SKILL: &str = "optimize-skill";

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Action {
    pub slug: Slug,
    /// Slug. The skill need not exist in every workspace. Null for the built-in action, which takes it as a parameter.
    pub skill: Option<Slug>,
    /// Scope of the skill. Null for the workspace's, else the account's.
    pub scope: Option<Scope>,
    /// Path or name of the only artifact to run. Null for the skill's plan.
    pub artifact: Option<String>,
    /// Values by variable.
    pub params: Map<String, Value>,
    /// Null for the default model.
    pub model: Option<ModelRef>,
    /// How it is meant to be started. Nothing here starts it but a person, whatever its mode.
    pub mode: ActionMode,
    pub enabled: bool,
}

impl Action {
    /// The built-in action as it is before it is changed.
    #[must_use]
    pub fn built_in() -> Self {
        Self {
            slug: Slug::of_name(OPTIMIZE_SKILL),
            skill: None,
            scope: None,
            artifact: None,
            params: Map::new(),
            model: None,
            mode: ActionMode::Manual,
            enabled: true,
        }
    }

    #[must_use]
    pub fn is_built_in(&self) -> bool {
        self.slug.as_str() == OPTIMIZE_SKILL
    }
}

/// Storage of actions, in the account's database. Calls block.
pub trait Actions: Send + Sync {
    /// By slug. Without the built-in one unless it was changed.
    fn actions(&self) -> Result<Vec<Action>, StorageError>;
    fn action(&self, slug: &Slug) -> Result<Option<Action>, StorageError>;
    /// Replaces the action of the same slug.
    fn put_action(&self, action: &Action) -> Result<(), StorageError>;
    /// Stores the actions for which `change` returns true, in one transaction. Returns their number.
    fn change_actions(&self, change: &mut dyn FnMut(&mut Action) -> bool) -> Result<usize, StorageError>;
    /// Returns whether there was one.
    fn delete_action(&self, slug: &Slug) -> Result<bool, StorageError>;
    /// Names a renamed skill in the actions that run it: those of its scope, and those without one.
    fn rename_action_skill(&self, scope: Scope, from: &Slug, to: &Slug) -> Result<(), StorageError>;
}
