//! Parameters and results of `settings/*`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// All settings that were ever set.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Settings {
    /// By dotted key.
    pub values: BTreeMap<String, Value>,
}

/// A setting.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetParams {
    /// Dotted key of lower-case words, e.g. `ui.theme`.
    pub key: String,
    /// The value; null removes it.
    pub value: Value,
}
