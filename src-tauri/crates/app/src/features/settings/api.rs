use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Of a value's JSON.
pub(super) const MAX_VALUE_BYTES: usize = 256 * 1024;

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Settings {
    /// By dotted key. Settings that were never set are missing.
    pub values: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetParams {
    /// Lower-case words joined by dots, e.g. `ui.theme`.
    pub key: String,
    /// Null removes the setting.
    pub value: Value,
}
