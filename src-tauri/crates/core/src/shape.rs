//! Checks a JSON value against the schema of a type and reports readable diagnostics with locations and
//! suggestions. Supports what schemars generates for plain types without references (objects, arrays, strings,
//! numbers, constants, alternatives, limits); of a `pattern` only its literal prefix.

use serde_json::{Map, Value};

use crate::check::Diagnostic;
use crate::manifest::nearest;

/// Per value.
const MAX_FINDINGS: usize = 100;

pub struct Shape {
    /// With JSON pointers.
    pub findings: Vec<Diagnostic>,
    /// Whether something is missing or of the wrong type, so that the value can't be deserialized.
    pub malformed: bool,
}

/// Checks `value`. Rules are named `<family>/unknown-key`, `/missing-key`, `/type`, `/value`; messages call the root value
/// by the family's name.
#[must_use]
pub fn check(schema: &Value, value: &Value, family: &'static str) -> Shape {
    let mut checker = Checker { family, shape: Shape { findings: Vec::new(), malformed: false } };
    checker.visit(schema, value, "");
    checker.shape
}

struct Checker {
    family: &'static str,
    shape: Shape,
}

impl Checker {
    fn report(&mut self, rule: &str, pointer: &str, message: String, hint: Option<String>) {
        if self.shape.findings.len() >= MAX_FINDINGS {
            return;
        }
        let mut finding = Diagnostic::error(format!("{}/{rule}", self.family), message).pointer(pointer);
        finding.hint = hint;
        self.shape.findings.push(finding);
    }

    /// Sets the suggestion of the last diagnostic.
    fn meant(&mut self, value: Option<&str>) {
        if let Some(finding) = self.shape.findings.last_mut() {
            finding.meant = value.map(str::to_owned);
        }
    }

    fn malformed(&mut self, rule: &str, pointer: &str, message: String, hint: Option<String>) {
        self.shape.malformed = true;
        self.report(rule, pointer, message, hint);
    }

    /// The location for messages: the key, or the item and its list.
    fn label(&self, pointer: &str) -> String {
        let mut parts = pointer.rsplit('/').filter(|part| !part.is_empty());
        match (parts.next(), parts.next()) {
            (None, _) => format!("the {}", self.family),
            (Some(index), Some(list)) if index.bytes().all(|byte| byte.is_ascii_digit()) => {
                format!("item {index} of {:?}", unescape(list))
            }
            (Some(key), _) => format!("{:?}", unescape(key)),
        }
    }

    fn visit(&mut self, schema: &Value, value: &Value, pointer: &str) {
        if let Some(choices) = alternatives(schema)
            && !choices.iter().any(|choice| fits(choice, value))
        {
            return self.no_alternative(choices, value, pointer);
        }
        // schemars writes an enum whose variants have no documentation as a list of values.
        if !enum_values(schema).is_empty() && alternatives(schema).is_none() && schema.get("const").is_none() && !fits(schema, value) {
            return self.no_alternative(std::slice::from_ref(schema), value, pointer);
        }
        if let Some(constant) = schema.get("const")
            && constant != value
        {
            return self.malformed(
                "value",
                pointer,
                format!("{} must be {constant}", self.label(pointer)),
                Some(format!("change it to {constant}")),
            );
        }
        if !type_fits(schema, value) {
            let message = format!("{} must be {}, found {}", self.label(pointer), expected(schema), kind(value));
            return self.malformed("type", pointer, message, Some(format!("use {}", expected(schema))));
        }
        self.limits(schema, value, pointer);
        match value {
            Value::Object(object) => self.object(schema, object, pointer),
            Value::Array(items) => {
                if let Some(schema) = schema.get("items") {
                    for (index, item) in items.iter().enumerate() {
                        self.visit(schema, item, &format!("{pointer}/{index}"));
                    }
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, schema: &Value, object: &Map<String, Value>, pointer: &str) {
        let none = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        for (key, value) in object {
            let at = format!("{pointer}/{}", escape(key));
            match properties.get(key) {
                Some(schema) => self.visit(schema, value, &at),
                None if closed => {
                    self.report("unknown-key", &at, format!("unknown key {key:?}"), Some(meant(key, properties.keys())));
                    self.meant(nearest(key, properties.keys().map(String::as_str)));
                }
                None => {}
            }
        }
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        for key in required.filter(|key| !object.contains_key(*key)) {
            let message = format!("missing key {key:?} in {}", self.label(pointer));
            self.malformed("missing-key", pointer, message, Some(format!("add {key:?}")));
        }
    }

    fn limits(&mut self, schema: &Value, value: &Value, pointer: &str) {
        let limit = |key: &str| schema.get(key).and_then(Value::as_f64);
        if let Some(text) = value.as_str()
            && limit("minLength").is_some_and(|least| least > 0.0)
            && text.trim().is_empty()
        {
            self.report("value", pointer, format!("{} is empty", self.label(pointer)), Some("enter a value".to_owned()));
        }
        if let Some(number) = value.as_f64()
            && (limit("minimum").is_some_and(|least| number < least) || limit("maximum").is_some_and(|most| number > most))
        {
            let range = match (limit("minimum"), limit("maximum")) {
                (Some(least), Some(most)) => format!("between {least} and {most}"),
                (Some(least), None) => format!("at least {least}"),
                (_, most) => format!("at most {}", most.unwrap_or_default()),
            };
            let message = format!("{} must be {range}, found {number}", self.label(pointer));
            self.report("value", pointer, message, Some(format!("use a number that is {range}")));
        }
    }

    fn no_alternative(&mut self, choices: &[Value], value: &Value, pointer: &str) {
        let enum_values: Vec<&str> = choices.iter().flat_map(enum_values).collect();
        if enum_values.is_empty() {
            return match choices.iter().find(|choice| !is_null(choice)) {
                Some(choice) => self.visit(choice, value, pointer),
                None => self.malformed(
                    "value",
                    pointer,
                    format!("{} has an unsupported value", self.label(pointer)),
                    Some("remove it".to_owned()),
                ),
            };
        }
        let Some(text) = value.as_str() else {
            let message = format!("{} must be one of {}, found {}", self.label(pointer), enum_values.join(", "), kind(value));
            return self.malformed("type", pointer, message, Some("use one of these values".to_owned()));
        };
        let near = nearest(text, enum_values.iter().copied());
        let hint = match near {
            Some(value) => format!("did you mean {value:?}?"),
            None => format!("use one of {}", enum_values.join(", ")),
        };
        self.malformed("value", pointer, format!("unknown value {text:?} for {}", self.label(pointer)), Some(hint));
        self.meant(near);
    }
}

fn alternatives(schema: &Value) -> Option<&[Value]> {
    schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array).map(Vec::as_slice)
}

/// Whether a value has the form of an alternative, as far as needed to choose among them.
fn fits(choice: &Value, value: &Value) -> bool {
    if let Some(choices) = alternatives(choice) {
        return type_fits(choice, value) && choices.iter().any(|choice| fits(choice, value));
    }
    if let Some(pattern) = choice.get("pattern").and_then(Value::as_str) {
        let literal = pattern.trim_start_matches('^').split(['[', '(', '.', '\\']).next().unwrap_or_default();
        return value.as_str().is_some_and(|text| text.starts_with(literal));
    }
    let in_enum = choice.get("enum").and_then(Value::as_array).is_none_or(|values| values.contains(value));
    in_enum && choice.get("const").is_none_or(|constant| constant == value) && type_fits(choice, value)
}

fn enum_values(choice: &Value) -> Vec<&str> {
    let listed = choice.get("enum").and_then(Value::as_array).into_iter().flatten().chain(choice.get("const"));
    let nested = alternatives(choice).into_iter().flatten().flat_map(enum_values);
    listed.filter_map(Value::as_str).chain(nested).collect()
}

fn is_null(choice: &Value) -> bool {
    choice.get("type").and_then(Value::as_str) == Some("null")
}

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn type_fits(schema: &Value, value: &Value) -> bool {
    let types = types(schema);
    types.is_empty()
        || types.iter().any(|name| match *name {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => true,
        })
}

fn expected(schema: &Value) -> String {
    let names = types(schema).into_iter().filter(|name| *name != "null").map(|name| match name {
        "boolean" => "a boolean",
        "integer" => "an integer",
        "number" => "a number",
        "string" => "a string",
        "array" => "an array",
        "object" => "an object",
        other => other,
    });
    names.collect::<Vec<_>>().join(" or ")
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn meant<'a>(key: &str, known: impl Iterator<Item = &'a String> + Clone) -> String {
    match nearest(key, known.clone().map(String::as_str)) {
        Some(value) => format!("did you mean {value:?}?"),
        None => format!("known keys: {}", known.map(String::as_str).collect::<Vec<_>>().join(", ")),
    }
}

/// Escapes a key for a JSON pointer.
#[must_use]
pub fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn unescape(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_enum_is_checked_whether_or_not_its_variants_have_documentation() {
        let documented = json!({ "oneOf": [{ "type": "string", "const": "manual" }, { "type": "string", "const": "queue" }] });
        let plain = json!({ "type": "string", "enum": ["manual", "queue"] });
        for schema in [documented, plain] {
            let found = check(&schema, &json!("queu"), "test");
            assert!(found.malformed);
            assert_eq!(
                found.findings.iter().map(|one| (one.rule.as_str(), one.meant.as_deref())).collect::<Vec<_>>(),
                [("test/value", Some("queue"))]
            );
            assert!(check(&schema, &json!("queue"), "test").findings.is_empty());
        }
    }
}
