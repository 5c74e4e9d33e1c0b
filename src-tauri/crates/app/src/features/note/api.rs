use inklings_core::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The standing notes, which are part of every system prompt.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct UserNotes {
    pub account: String,
    /// Null if no workspace is open.
    pub workspace: Option<String>,
    /// Maximum size of each in bytes.
    pub limit: usize,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetNotesParams {
    pub scope: Scope,
    /// Replaces the notes.
    pub text: String,
}
