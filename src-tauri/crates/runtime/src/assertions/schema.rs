//! Checks on JSON: schemas, required fields, equality. References that leave a schema are not
//! fetched.

use inklings_lint::json_schema::JsonSchema;
use serde_json::Value;

use super::CheckResult;
use super::parsed_output::ParsedOutput;
use super::text::{quote, share_of};

/// Violations that an explanation lists.
const MAX_FAULTS: usize = 3;
/// Of each violation, since it may quote the value.
const MAX_FAULT_CHARS: usize = 240;

#[derive(Debug)]
pub(super) struct Schema(JsonSchema);

impl Schema {
    pub(super) fn compile(schema: &Value) -> Result<Self, String> {
        JsonSchema::compile(schema).map(Self)
    }

    pub(super) fn check(&self, value: &Value) -> CheckResult {
        let faults = match self.0.faults(value, MAX_FAULTS + 1) {
            Ok(faults) => faults,
            Err(error) => return CheckResult::Unknown(error.to_string()),
        };
        let words = faults.iter().take(MAX_FAULTS).map(|fault| match fault.path.as_str() {
            "" => clip(&fault.message),
            path => format!("at {path}: {}", clip(&fault.message)),
        });
        let mut named: Vec<String> = words.collect();
        if faults.len() > MAX_FAULTS {
            named.push("and more".to_owned());
        }
        if named.is_empty() {
            CheckResult::Plain(true, "the JSON matches the schema".to_owned())
        } else {
            CheckResult::Plain(false, named.join("; "))
        }
    }
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(MAX_FAULT_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

pub(super) fn fields(value: &Value, fields: &[String], share: f64) -> CheckResult {
    let Some(object) = value.as_object() else {
        return CheckResult::Graded(false, 0.0, format!("the output isn't a JSON object: {}", quote(&value.to_string())));
    };
    let missing: Vec<String> = fields.iter().filter(|field| !object.contains_key(*field)).cloned().collect();
    share_of(fields.len(), &missing, share, "field")
}

pub(super) fn equals(value: &Value, wanted: &Value) -> CheckResult {
    if same(value, wanted) {
        return CheckResult::Plain(true, "the output is equal".to_owned());
    }
    CheckResult::Plain(false, format!("the output is {}", quote(&value.to_string())))
}

/// JSON equality: 1 equals 1.0, and the order of keys doesn't matter.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || (a.is_f64() != b.is_f64() && a.as_f64() == b.as_f64()),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b))),
        _ => a == b,
    }
}

/// Finds JSON anywhere in the output that matches the schema, if there is one.
pub(super) fn anywhere(parsed: &ParsedOutput<'_>, schema: Option<&Schema>) -> CheckResult {
    // If nothing matches, the fault of the first candidate is reported.
    let (mut first, mut unknown) = (None, None);
    let found = parsed.any_json(|value| {
        let Some(schema) = schema else { return true };
        match schema.check(value) {
            CheckResult::Plain(false, fault) => {
                first.get_or_insert(fault);
                false
            }
            CheckResult::Unknown(why) => {
                unknown = Some(why);
                true
            }
            _ => true,
        }
    });
    if let Some(why) = unknown {
        return CheckResult::Unknown(why);
    }
    match (found, first) {
        (None, _) => CheckResult::Unknown("the output has too many open brackets to search it for JSON".to_owned()),
        (Some(true), _) => {
            CheckResult::Plain(true, "the output contains JSON".to_owned() + if schema.is_some() { " that matches the schema" } else { "" })
        }
        (Some(false), Some(fault)) => CheckResult::Plain(false, format!("no JSON in the output matches the schema: {fault}")),
        (Some(false), None) => super::no_json(),
    }
}
