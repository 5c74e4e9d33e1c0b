//! The public API of the engine: rendering, error positions, variables, scripts, and hostile templates.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

mod errors;
mod outline;
mod output_limit;
mod render;
mod script;
mod script_random;
mod variables;

use std::collections::HashMap;

use serde_json::Value;

/// Values from JSON.
fn values(json: Value) -> HashMap<String, Value> {
    serde_json::from_value(json).unwrap()
}
