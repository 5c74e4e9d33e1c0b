//! Parameters and results of `script/*`.

use inklings_core::sandbox_api::MemberKind;
use schemars::JsonSchema;
use serde::Serialize;

/// A member of the module that scripts import.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ScriptFunction {
    /// Name within the module, such as `search` or `skills.list`.
    pub name: String,
    pub kind: MemberKind,
    /// Python signature without the module.
    pub signature: String,
    /// Return type in Python syntax. Empty for a class or an exception.
    pub returns: String,
    /// One or two sentences.
    pub doc: String,
}

/// The module that scripts can import.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ScriptModule {
    /// Name of the module.
    pub module: String,
    /// Members in display order.
    pub functions: Vec<ScriptFunction>,
    /// Why scripts can't run here. Null if they can.
    pub unavailable: Option<String>,
}
