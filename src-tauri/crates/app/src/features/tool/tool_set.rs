//! The names of tools. Other systems know some of them by names of their own: those are tools as well, which models are told of only if
//! the user wants it.

use std::borrow::Cow;

use inklings_core::model::{Tool, ToolCall};
use inklings_rpc::{OperationDef, Permission};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::operations::OPERATIONS;
use super::writing::SkillWriteOperation;
use crate::app::App;

/// Which tools models are told of. All are accepted when called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolSet {
    /// Each function by one name.
    Default,
    /// With the names that other systems have for them.
    All,
}

/// Tools that only [`ToolSet::All`] has.
const OTHER_NAMES: [&str; 4] = ["load_skill", "loadSkill", "skill_read", "skill_write"];

/// Tools whose names no operation can have, with their operations.
const ALIASES: [(&str, &str); 1] = [("loadSkill", "tool/load_instructions")];

/// The tools as models are told of them.
pub fn descriptions(set: ToolSet) -> impl Iterator<Item = Tool> {
    let listed = OPERATIONS.iter().filter(move |one| set == ToolSet::All || !OTHER_NAMES.contains(&tool_name(one.name)));
    listed.map(|operation| {
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

/// JSON Schema of a tool's result. None if it isn't always an object.
#[must_use]
pub fn result_schema(operation: &OperationDef<App>) -> Option<Map<String, Value>> {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| settings.inline_subschemas = true);
    match Value::from((operation.output)(&mut settings.into_generator())) {
        Value::Object(schema) if schema.get("type").and_then(Value::as_str) == Some("object") => Some(schema),
        _ => None,
    }
}

/// Tools that need an open workspace.
const OF_WORKSPACES: [&str; 2] = ["workspace_search", "get_page"];

#[must_use]
pub fn needs_workspace(tool: &str) -> bool {
    OF_WORKSPACES.contains(&tool)
}

/// The names of all tools.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    OPERATIONS.iter().map(|operation| tool_name(operation.name))
}

/// The operation that a model calls by this name; None if there is none.
#[must_use]
pub fn operation(tool: &str) -> Option<&'static OperationDef<App>> {
    OPERATIONS.iter().find(|operation| tool_name(operation.name) == tool)
}

/// The name of the operation that a model calls by this name; None if there is none.
#[must_use]
pub fn operation_name(tool: &str) -> Option<&'static str> {
    operation(tool).map(|operation| operation.name)
}

/// The name by which a model calls the operation.
fn tool_name(operation: &'static str) -> &'static str {
    let alias = ALIASES.iter().find(|(_, aliased)| *aliased == operation).map(|(alias, _)| *alias);
    alias.unwrap_or_else(|| operation.strip_prefix("tool/").unwrap_or(operation))
}

/// The tool of the default set that does what a call does, so that what is allowed or forbidden by its name holds for the call, too.
pub(crate) fn native_name(call: &ToolCall) -> &str {
    match call.name.as_str() {
        "load_skill" | "loadSkill" => "read_skill",
        "skill_read" if call.arguments.get("name").is_some_and(|name| !name.is_null()) => "read_skill",
        "skill_read" => "list_skills",
        "skill_write" => match write_operation(call) {
            Some(SkillWriteOperation::Create) => "create_skill",
            Some(SkillWriteOperation::Delete) => "delete_skill",
            Some(SkillWriteOperation::Dependents | SkillWriteOperation::Dependencies) => "list_skills",
            _ => "update_skill",
        },
        name => name,
    }
}

/// What the user's permission of a call is filed under.
pub(crate) fn consent_name(call: &ToolCall) -> Cow<'_, str> {
    match write_operation(call) {
        Some(operation @ (SkillWriteOperation::Merge | SkillWriteOperation::Promote | SkillWriteOperation::Deprecate)) => {
            Cow::Owned(format!("{} {}", call.name, operation.as_str()))
        }
        _ => Cow::Borrowed(native_name(call)),
    }
}

/// Whether a call changes skills or notes.
pub(crate) fn is_write(call: &ToolCall) -> bool {
    use Permission::{CreateSkills, DeleteSkills, UpdateSkills, Write};
    operation(&call.name).is_some_and(|operation| matches!(operation.permission, CreateSkills | UpdateSkills | DeleteSkills | Write))
        && write_operation(call).is_none_or(SkillWriteOperation::is_write)
}

/// None for other tools, and for operations that there aren't.
fn write_operation(call: &ToolCall) -> Option<SkillWriteOperation> {
    (call.name == "skill_write").then(|| serde_json::from_value(call.arguments.get("operation")?.clone()).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;

    fn call(name: &str, arguments: Value) -> ToolCall {
        ToolCall { id: "1".to_owned(), name: name.to_owned(), arguments, invalid_arguments: None }
    }

    #[test]
    fn other_systems_names_are_listed_on_request_and_always_known() {
        let listed = |set| descriptions(set).map(|tool| tool.name).collect::<BTreeSet<_>>();
        let (default, all) = (listed(ToolSet::Default), listed(ToolSet::All));
        let others: BTreeSet<_> = all.difference(&default).map(String::as_str).collect();
        assert_eq!(others, BTreeSet::from(OTHER_NAMES));
        assert!(default.contains("read_skill") && all.is_superset(&default));
        for name in &all {
            assert_eq!(operation(name).map(|operation| operation.name), operation_name(name), "{name}");
            assert!(operation_name(name).is_some(), "{name}");
        }
    }

    #[test]
    fn an_alias_is_the_only_name_of_its_operation() {
        assert_eq!(operation_name("loadSkill"), Some("tool/load_instructions"));
        assert_eq!(operation_name("load_instructions"), None);
        assert_eq!(operation_name("loadskill"), None);
        assert!(names().all(|name| name != "load_instructions"));
    }

    #[test]
    fn every_tool_has_a_description_and_takes_an_object() {
        for tool in descriptions(ToolSet::All) {
            assert!(!tool.description.is_empty(), "{}", tool.name);
            assert_eq!(tool.parameters["type"], "object", "{}", tool.name);
            assert!(!tool.parameters.to_string().contains("$ref"), "{}", tool.name);
        }
    }

    #[test]
    fn every_tool_of_a_skill_takes_a_scope() {
        for tool in descriptions(ToolSet::All).filter(|tool| !["workspace_search", "get_page"].contains(&tool.name.as_str())) {
            assert!(tool.parameters["properties"]["scope"].is_object(), "{}", tool.name);
        }
    }

    #[test]
    fn what_is_allowed_by_one_name_is_allowed_by_the_other() {
        let write = |operation: &str| call("skill_write", json!({"operation": operation, "name": "a"}));
        let cases = [
            (call("load_skill", json!({"name": "a"})), "read_skill", "read_skill", false),
            (call("loadSkill", json!({"slug": "a"})), "read_skill", "read_skill", false),
            (call("skill_read", json!({"name": "a"})), "read_skill", "read_skill", false),
            (call("skill_read", json!({"name": null})), "list_skills", "list_skills", false),
            (write("create"), "create_skill", "create_skill", true),
            (write("update"), "update_skill", "update_skill", true),
            (write("delete"), "delete_skill", "delete_skill", true),
            (write("merge"), "update_skill", "skill_write merge", true),
            (write("promote"), "update_skill", "skill_write promote", true),
            (write("deprecate"), "update_skill", "skill_write deprecate", true),
            (write("dependents"), "list_skills", "list_skills", false),
            (write("dependencies"), "list_skills", "list_skills", false),
            // What isn't understood is judged as a write.
            (write("erase"), "update_skill", "update_skill", true),
            (call("enable_skill", json!({})), "enable_skill", "enable_skill", true),
        ];
        for (call, native, consent, write) in cases {
            assert_eq!((native_name(&call), consent_name(&call).as_ref(), is_write(&call)), (native, consent, write), "{call:?}");
        }
    }
}
