//! What is checked on JSON: schemas, fields, sameness. A schema sees itself and nothing else; references out of it are not
//! fetched.

use inklings_lint::json_schema::JsonSchema;
use serde_json::Value;

use super::Found;
use super::reading::Reading;
use super::words::{quote, share_of};

/// Faults that an explanation names.
const FAULTS: usize = 3;
/// Characters of a fault's text: it may quote the value.
const FAULT: usize = 240;

/// A compiled schema.
#[derive(Debug)]
pub(super) struct Schema(JsonSchema);

impl Schema {
    /// Compiles a schema; else says why not.
    pub(super) fn compile(schema: &Value) -> Result<Self, String> {
        JsonSchema::compile(schema).map(Self)
    }

    pub(super) fn check(&self, value: &Value) -> Found {
        let faults = match self.0.faults(value, FAULTS + 1) {
            Ok(faults) => faults,
            Err(error) => return Found::Unknown(error.to_string()),
        };
        let words = faults.iter().take(FAULTS).map(|fault| match fault.path.as_str() {
            "" => clip(&fault.message),
            path => format!("at {path}: {}", clip(&fault.message)),
        });
        let mut named: Vec<String> = words.collect();
        if faults.len() > FAULTS {
            named.push("and more".to_owned());
        }
        if named.is_empty() { Found::Plain(true, "the JSON matches the schema".to_owned()) } else { Found::Plain(false, named.join("; ")) }
    }
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(FAULT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

pub(super) fn fields(value: &Value, fields: &[String], share: f64) -> Found {
    let Some(object) = value.as_object() else {
        return Found::Graded(false, 0.0, format!("the output's JSON is no object but {}", quote(&value.to_string())));
    };
    let missing: Vec<String> = fields.iter().filter(|field| !object.contains_key(*field)).cloned().collect();
    share_of(fields.len(), &missing, share, "field")
}

pub(super) fn equals(value: &Value, wanted: &Value) -> Found {
    if same(value, wanted) {
        return Found::Plain(true, "the output is the same value".to_owned());
    }
    Found::Plain(false, format!("the output is another value: {}", quote(&value.to_string())))
}

/// Equality as JSON means it: 1 and 1.0 are one number, and the order of keys says nothing.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || (a.is_f64() != b.is_f64() && a.as_f64() == b.as_f64()),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b))),
        _ => a == b,
    }
}

/// JSON anywhere in the output, fitting the schema if there is one.
pub(super) fn anywhere(reading: &Reading<'_>, schema: Option<&Schema>) -> Found {
    // The first that doesn't fit says best why none does.
    let (mut first, mut unknown) = (None, None);
    let found = reading.any_json(|value| {
        let Some(schema) = schema else { return true };
        match schema.check(value) {
            Found::Plain(false, fault) => {
                first.get_or_insert(fault);
                false
            }
            Found::Unknown(why) => {
                unknown = Some(why);
                true
            }
            _ => true,
        }
    });
    if let Some(why) = unknown {
        return Found::Unknown(why);
    }
    match (found, first) {
        (None, _) => Found::Unknown("the output has too many open brackets to find out whether there is JSON between them".to_owned()),
        (Some(true), _) => {
            Found::Plain(true, "there is JSON in the output".to_owned() + if schema.is_some() { ", and it matches the schema" } else { "" })
        }
        (Some(false), Some(fault)) => Found::Plain(false, format!("no JSON in the output matches the schema: {fault}")),
        (Some(false), None) => super::no_json(),
    }
}
