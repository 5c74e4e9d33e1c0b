//! Parameters and results of `script/*`.

use inklings_core::sandbox_api::MemberKind;
use schemars::JsonSchema;
use serde::Serialize;

/// A member of the module that scripts import.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ScriptFunction {
    /// Its name below the module, e.g. `search` or `skills.list`.
    pub name: String,
    /// `function`, `class` or `exception`.
    pub kind: MemberKind,
    /// As Python writes it, without the module.
    pub signature: String,
    /// What it gives, in Python's words; empty for a class or an exception.
    pub returns: String,
    /// One or two sentences.
    pub doc: String,
}

/// What scripts can import.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ScriptModule {
    /// The module's name.
    pub module: String,
    /// Its members, in the order in which they are shown.
    pub functions: Vec<ScriptFunction>,
    /// Why no script can run here, if that is so.
    pub unavailable: Option<String>,
}
