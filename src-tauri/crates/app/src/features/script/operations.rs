use inklings_core::sandbox_api::{FUNCTIONS, MODULE};
use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::{ScriptFunction, ScriptModule};
use crate::app::App;

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
    Functions = "script/functions", ReadSkills, blocking functions(NoParams) -> ScriptModule;
}
