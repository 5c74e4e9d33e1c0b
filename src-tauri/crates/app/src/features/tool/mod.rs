//! `tool/*`: the operations that models call, by the names and with the results that agents know.

mod api;
mod error;
pub(crate) mod operations;
pub(crate) mod service;
mod text_edit;

use inklings_core::model::Tool;
use inklings_rpc::OperationDef;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::app::App;

pub use api::*;
pub use text_edit::EditOperation;

pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    operations::OPERATIONS.iter().map(|operation| tool_name(operation.name))
}

/// The tools as models are told of them.
pub(crate) fn descriptions() -> impl Iterator<Item = Tool> {
    operations::OPERATIONS.iter().map(|operation| {
        // Models and some providers don't follow references.
        let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
        let mut parameters = Value::from((operation.params)(&mut settings.into_generator()));
        let description = parameters.as_object_mut().and_then(|schema| schema.remove("description"));
        Tool {
            name: tool_name(operation.name).to_owned(),
            description: description.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned(),
            parameters,
        }
    })
}

/// The operation that a model calls by this name; None if there is none.
pub(crate) fn operation(tool: &str) -> Option<&'static OperationDef<App>> {
    operations::OPERATIONS.iter().find(|operation| tool_name(operation.name) == tool)
}

/// The name of the operation that a model calls by this name.
pub(crate) fn operation_name(tool: &str) -> String {
    format!("tool/{tool}")
}

/// The name by which a model calls the operation.
fn tool_name(operation: &str) -> &str {
    operation.strip_prefix("tool/").unwrap_or(operation)
}
