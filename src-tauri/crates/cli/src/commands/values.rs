//! Values for a skill's variables, as they are typed.

use inklings_app::features::input::ListInputs;
use inklings_app::features::skill::Get;
use inklings_app::wire::{FileRef, SkillDetail, SkillRef};
use inklings_rpc::{Code, Failure};
use serde_json::{Map, Value};

use crate::Ended;
use crate::args::{SkillArg, ValueArgs};
use crate::commands::Session;
use crate::input::read_text;

/// Bytes of a file with values: what a rendered prompt may have.
const VALUES_BYTES: usize = 16 * 1024 * 1024;

/// A value on the command line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Typed {
    /// `name=text`: what it stands for depends on the type that the variable is declared with.
    Text(String),
    /// `name:=json`
    Json(Value),
}

impl From<Typed> for Value {
    fn from(typed: Typed) -> Self {
        match typed {
            Typed::Text(text) => text.into(),
            Typed::Json(value) => value,
        }
    }
}

/// A saved input's values, overridden by those of a file, overridden by those on the command line.
pub(crate) async fn values(
    session: &Session,
    args: &ValueArgs,
    skill: &SkillArg,
    artifact: Option<&str>,
) -> Result<Map<String, Value>, Ended> {
    let mut values = Map::new();
    let needs_skill = args.input.is_some() || args.params.iter().any(|(_, typed)| matches!(typed, Typed::Text(_)));
    let detail = if needs_skill {
        let named = SkillRef { skill: skill.skill.clone(), scope: skill.scope.map(Into::into) };
        Some(session.call::<Get>(named).await?)
    } else {
        None
    };
    if let (Some(name), Some(detail)) = (&args.input, &detail) {
        values = saved(session, detail, artifact, name).await?;
    }
    if let Some(file) = &args.params_file {
        let read: Map<String, Value> = serde_json::from_str(&read_text(file, VALUES_BYTES)?)
            .map_err(|error| Failure::invalid(format!("{} isn't a JSON object: {error}", file.display())))?;
        values.extend(read);
    }
    for (name, typed) in &args.params {
        let value = match (typed, &detail) {
            (Typed::Text(text), Some(detail)) => by_type(name, text, &declared_types(detail, artifact, name))?,
            (typed, _) => typed.clone().into(),
        };
        values.insert(name.clone(), value);
    }
    Ok(values)
}

/// Whether an entry of the skill is the artifact that was asked for, or any when none was.
fn is_meant(entry: &inklings_app::wire::FileEntry, artifact: Option<&str>) -> bool {
    let named = |wanted: &str| entry.path.as_str() == wanted || entry.artifact.as_ref().is_some_and(|one| one.name == wanted);
    entry.artifact.is_some() && artifact.is_none_or(named)
}

async fn saved(session: &Session, skill: &SkillDetail, artifact: Option<&str>, name: &str) -> Result<Map<String, Value>, Ended> {
    for entry in skill.entries.iter().filter(|entry| is_meant(entry, artifact)) {
        let file = FileRef { skill: skill.summary.id.to_string(), scope: Some(skill.summary.scope), path: entry.path.clone() };
        let inputs = session.call::<ListInputs>(file).await?.inputs;
        if let Some(input) = inputs.into_iter().find(|input| input.name == name) {
            return Ok(input.params);
        }
    }
    let failure = Failure::new(Code::NotFound, format!("{} has no saved input {name:?}", skill.summary.slug));
    Err(failure.hint(format!("list them with: inklings input list {}", skill.summary.slug)).into())
}

/// The JSON types that the skill's artifacts declare for a variable; empty when none does.
fn declared_types(skill: &SkillDetail, artifact: Option<&str>, name: &str) -> Vec<String> {
    let schemas = skill
        .entries
        .iter()
        .filter(|entry| is_meant(entry, artifact))
        .filter_map(|entry| entry.artifact.as_ref()?.metadata.get("params")?.get("properties")?.get(name));
    schemas.map(types).find(|types| !types.is_empty()).unwrap_or_default()
}

/// The types that a schema names, also in its alternatives.
fn types(schema: &Value) -> Vec<String> {
    let own = match schema.get("type") {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let alternatives = ["anyOf", "oneOf"].iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    own.into_iter().chain(alternatives.filter_map(|one| one.get("type")?.as_str()).map(str::to_owned)).collect()
}

/// A text as the type that is declared: itself where texts are taken or nothing is known, else JSON.
fn by_type(name: &str, text: &str, types: &[String]) -> Result<Value, Failure> {
    if types.is_empty() || types.iter().any(|one| one == "string") {
        return Ok(text.into());
    }
    let read = serde_json::from_str::<Value>(text).ok().filter(|value| types.iter().any(|one| fits(one, value)));
    read.ok_or_else(|| {
        let (expected, example) = match types[0].as_str() {
            "array" => ("a list", r#"'["first", "second"]'"#),
            "object" => ("an object", r#"'{"key": "value"}'"#),
            "integer" => ("a whole number", "3"),
            "number" => ("a number", "0.5"),
            "boolean" => ("true or false", "true"),
            _ => ("JSON of the declared type", "null"),
        };
        Failure::invalid(format!("{name} takes {expected}")).hint(format!("write it as JSON, e.g. --param {name}:={example}"))
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

/// `name=text`, or `name:=json`.
pub(crate) fn parse(given: &str) -> Result<(String, Typed), String> {
    let unclear = || "write NAME=TEXT, or NAME:=JSON for lists and numbers".to_owned();
    let (name, text) = given.split_once('=').ok_or_else(unclear)?;
    match name.strip_suffix(':') {
        Some(name) => {
            let value = serde_json::from_str(text).map_err(|error| format!("the value of {name} isn't JSON: {error}"))?;
            Ok((name.to_owned(), Typed::Json(value)))
        }
        None if name.is_empty() => Err(unclear()),
        None => Ok((name.to_owned(), Typed::Text(text.to_owned()))),
    }
}

/// A setting of an optimizer: `name=text`, or `name:=json`.
pub(crate) fn parse_option(given: &str) -> Result<(String, Value), String> {
    parse(given).map(|(name, typed)| (name, typed.into()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_text_or_json() {
        assert_eq!(parse("a=b=c").unwrap(), ("a".to_owned(), Typed::Text("b=c".to_owned())));
        assert_eq!(parse("n:=[1,2]").unwrap(), ("n".to_owned(), Typed::Json(json!([1, 2]))));
        assert!(parse("nothing").is_err());
        assert!(parse("n:=[1,").is_err());
    }

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
