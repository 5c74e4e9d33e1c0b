use inklings_core::Slug;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A named set of skills. It belongs to the account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Kit {
    pub name: String,
    /// In alphabetical order. The caller may not see all of them: a skill may have been deleted, or be in another workspace.
    pub skills: Vec<Slug>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct KitList {
    /// By name.
    pub kits: Vec<Kit>,
}

/// Params of `kit/change`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeKitParams {
    /// Up to 60 characters. A kit of this name is created if there is none.
    pub name: String,
    /// IDs, slugs or titles of skills to add.
    #[serde(default)]
    pub add: Vec<String>,
    /// Slugs of skills to remove.
    #[serde(default)]
    pub remove: Vec<Slug>,
    /// New name.
    #[serde(default)]
    pub rename: Option<String>,
}

/// Params of `kit/delete`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteKitParams {
    pub name: String,
}
