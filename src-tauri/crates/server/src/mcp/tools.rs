//! Tools: the operations that models call.

use std::sync::Arc;

use inklings_app::App;
use inklings_app::features::tool::{self, ToolSet};
use inklings_rpc::{Effect, Failure, OperationDef, Permission, Role};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::Value;

use crate::Caller;

/// The field of `_meta` with a failure as programs read it. Structured content must have the shape of a result also if the call failed:
/// the first TypeScript SDK refuses the whole answer otherwise.
const FAILURE_META: &str = "inklings/failure";

/// The tools that a caller may use.
pub(super) fn list(caller: &Caller, has_workspace: bool, set: ToolSet) -> Vec<Tool> {
    let role = Role::Remote(caller.role);
    let allowed = tool::descriptions(set).filter_map(|tool| {
        let operation = tool::operation(&tool.name)?;
        let is_usable = has_workspace || !tool::needs_workspace(&tool.name);
        (role.may(operation.permission) && is_usable).then_some((tool, operation))
    });
    allowed
        .map(|(tool, operation)| {
            let Value::Object(parameters) = tool.parameters else { return Tool::new(tool.name, tool.description, JsonObject::new()) };
            let described = Tool::new(tool.name, tool.description, parameters).with_annotations(annotations(operation));
            match tool::result_schema(operation) {
                Some(schema) => described.with_raw_output_schema(Arc::new(schema)),
                None => described,
            }
        })
        .collect()
}

fn annotations(operation: &OperationDef<App>) -> ToolAnnotations {
    let changes = matches!(operation.permission, Permission::UpdateSkills | Permission::DeleteSkills);
    ToolAnnotations::new()
        .read_only(operation.effect == Effect::Reads)
        .destructive(changes)
        .open_world(operation.permission == Permission::RunSkills && operation.effect != Effect::Reads)
}

/// A result as clients read it. One that failed inside, such as a run, is an error with all its fields.
pub(super) fn result(value: Value) -> CallToolResult {
    let failed = value.get("error").is_some_and(|error| !error.is_null());
    if failed { CallToolResult::structured_error(value) } else { CallToolResult::structured(value) }
}

/// A failure as the model reads it, with the code for programs.
pub(super) fn failure(failure: &Failure) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(failure.text())]);
    if let Ok(value) = serde_json::to_value(failure) {
        result.meta = Some(MetaObject(JsonObject::from_iter([(FAILURE_META.to_owned(), value)])));
    }
    result
}
