//! `script/*`: what the editor knows about scripts.

use inklings_core::sandbox_api::{FUNCTIONS, MODULE, MemberKind};
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use inklings_rpc::{CallContext, Failure, NoParams, operations};

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

fn functions(app: &App, _: &CallContext, _: NoParams) -> Result<ScriptModule, Failure> {
    let functions = FUNCTIONS.iter().map(|one| ScriptFunction {
        name: one.name.to_owned(),
        kind: one.kind,
        signature: one.signature.to_owned(),
        returns: one.returns.to_owned(),
        doc: one.doc.to_owned(),
    });
    let handler = app.runner.dispatcher.handler(inklings_core::ArtifactKind::CodeTemplate)?;
    Ok(ScriptModule { module: MODULE.to_owned(), functions: functions.collect(), unavailable: handler.unavailable() })
}

operations! { App;
    Functions = "script/functions", Read, blocking functions(NoParams) -> ScriptModule;
}
