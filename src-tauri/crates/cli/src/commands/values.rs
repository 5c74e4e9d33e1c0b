//! Values for a skill's variables from the command line, a file and saved inputs.

use inklings_app::features::input::ListInputs;
use inklings_app::features::skill::Get;
use inklings_app::wire::{FileRef, SkillDetail, SkillRef};
use inklings_rpc::{Code, Failure};
use serde_json::{Map, Value};

use crate::args::{ParamValue, ValueArgs};
use crate::commands::session::Session;
use crate::error::CliError;
use crate::input::read_text;

/// The same as for a rendered prompt.
const MAX_VALUES_BYTES: usize = 16 * 1024 * 1024;

/// A saved input's values, overridden by those of a file, overridden by those on the command line. Without a skill, values have no types.
pub(crate) async fn values(
    session: &Session,
    args: &ValueArgs,
    skill: Option<SkillRef>,
    artifact: Option<&str>,
) -> Result<Map<String, Value>, CliError> {
    let mut values = Map::new();
    let needs_skill = args.input.is_some() || args.params.iter().any(|(_, typed)| matches!(typed, ParamValue::Text(_)));
    let detail = match skill.filter(|_| needs_skill) {
        Some(skill) => Some(session.call::<Get>(skill).await?),
        None => None,
    };
    match (&args.input, &detail) {
        (Some(name), Some(detail)) => values = saved(session, detail, artifact, name).await?,
        (Some(name), None) => {
            let failure = Failure::new(Code::NotFound, format!("saved input {name:?} not found, since there is no skill to look in"));
            return Err(failure.hint("use --param or --params-file").into());
        }
        (None, _) => {}
    }
    if let Some(file) = &args.params_file {
        let read: Map<String, Value> = serde_json::from_str(&read_text(file, MAX_VALUES_BYTES)?)
            .map_err(|error| Failure::invalid(format!("{} isn't a JSON object: {error}", file.display())))?;
        values.extend(read);
    }
    for (name, typed) in &args.params {
        let value = match (typed, &detail) {
            (ParamValue::Text(text), Some(detail)) => by_type(name, text, &declared_types(detail, artifact, name))?,
            (typed, _) => typed.clone().into(),
        };
        values.insert(name.clone(), value);
    }
    Ok(values)
}

/// Whether an entry is the named artifact, or any artifact without a name.
fn is_meant(entry: &inklings_app::wire::FileEntry, artifact: Option<&str>) -> bool {
    let named = |wanted: &str| entry.path.as_str() == wanted || entry.artifact.as_ref().is_some_and(|one| one.name == wanted);
    entry.artifact.is_some() && artifact.is_none_or(named)
}

async fn saved(session: &Session, skill: &SkillDetail, artifact: Option<&str>, name: &str) -> Result<Map<String, Value>, CliError> {
    for entry in skill.entries.iter().filter(|entry| is_meant(entry, artifact)) {
        let file = FileRef { skill: skill.summary.id.to_string(), scope: Some(skill.summary.scope), path: entry.path.clone() };
        let inputs = session.call::<ListInputs>(file).await?.inputs;
        if let Some(input) = inputs.into_iter().find(|input| input.name == name) {
            return Ok(input.params);
        }
    }
    let failure = Failure::new(Code::NotFound, format!("saved input {name:?} not found in {}", skill.summary.slug));
    Err(failure.hint(format!("run `inklings input list {}` to list saved inputs", skill.summary.slug)).into())
}

/// The JSON types that the artifacts declare for a variable.
fn declared_types(skill: &SkillDetail, artifact: Option<&str>, name: &str) -> Vec<String> {
    let schemas = skill
        .entries
        .iter()
        .filter(|entry| is_meant(entry, artifact))
        .filter_map(|entry| entry.artifact.as_ref()?.metadata.get("params")?.get("properties")?.get(name));
    schemas.map(types).find(|types| !types.is_empty()).unwrap_or_default()
}

/// The types of a schema and of its alternatives.
fn types(schema: &Value) -> Vec<String> {
    let own = match schema.get("type") {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let alternatives = ["anyOf", "oneOf"].iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    own.into_iter().chain(alternatives.filter_map(|one| one.get("type")?.as_str()).map(str::to_owned)).collect()
}

/// A string if the declared types include it or are unknown, else JSON.
fn by_type(name: &str, text: &str, types: &[String]) -> Result<Value, Failure> {
    if types.is_empty() || types.iter().any(|one| one == "string") {
        return Ok(text.into());
    }
    let read = serde_json::from_str::<Value>(text).ok().filter(|value| types.iter().any(|one| fits(one, value)));
    read.ok_or_else(|| {
        let (expected, example) = match types[0].as_str() {
            "array" => ("an array", r#"'["first", "second"]'"#),
            "object" => ("an object", r#"'{"key": "value"}'"#),
            "integer" => ("an integer", "3"),
            "number" => ("a number", "0.5"),
            "boolean" => ("true or false", "true"),
            _ => ("JSON of the declared type", "null"),
        };
        Failure::invalid(format!("{name} must be {expected}")).hint(format!("use JSON, e.g. --param {name}:={example}"))
    })
}

fn fits(declared: &str, value: &Value) -> bool {
    match declared {
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_is_read_as_the_declared_type() {
        let read = |text: &str, schema: Value| by_type("x", text, &types(&schema));
        assert_eq!(read("[1]", json!({})).unwrap(), json!("[1]"));
        assert_eq!(read("[1]", json!({ "type": "string" })).unwrap(), json!("[1]"));
        assert_eq!(read("[1]", json!({ "type": "array" })).unwrap(), json!([1]));
        assert_eq!(read("5", json!({ "type": ["integer", "null"] })).unwrap(), json!(5));
        assert_eq!(read("true", json!({ "anyOf": [{ "type": "boolean" }, { "type": "null" }] })).unwrap(), json!(true));
        assert_eq!(read("5", json!({ "type": ["integer", "string"] })).unwrap(), json!("5"), "a text stays one where texts are taken");
        for (text, schema) in
            [("a, b", json!({ "type": "array" })), ("{}", json!({ "type": "array" })), ("1.5", json!({ "type": "integer" }))]
        {
            let refusal = read(text, schema).unwrap_err();
            assert!(refusal.hint.as_ref().unwrap().contains("x:="), "{refusal:?}");
        }
    }
}
