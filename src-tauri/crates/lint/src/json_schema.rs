//! JSON Schemas from untrusted skills. Alternatives multiply: thirty `anyOf` with two equal references are a billion paths through
//! one value, and two recursive references double with each level of the value. Both are bounded: [`branches`]
//! refuses schemas that multiply by themselves, and [`metered`] counts what the validator reads of a value.

mod branches;
mod metered;

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use branches::Branches;
use metered::{Metered, Part, metered};

/// Maximum steps per check. A step is a visit of one part of the schema or of one value.
const MAX_STEPS: u64 = 200_000_000;
/// Maximum reads of values per check, however few branches the schema has.
const MAX_VALUE_VISITS: u64 = 4_000_000;
/// Maximum product of the value's nesting and the nested branches, which bounds the validator's recursion.
const MAX_RECURSION: usize = 1_000;
/// Maximum memory in bytes of one compiled `pattern`.
const MAX_PATTERN_BYTES: usize = 256 * 1024;
/// Maximum characters of an error in a schema, since it may quote all of it.
const MAX_FAULT_CHARS: usize = 240;

/// A compiled schema.
#[derive(Debug)]
pub struct JsonSchema {
    validator: Validator<Metered>,
    branches: Branches,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaFault {
    /// JSON pointer of the part; empty for the whole.
    pub path: String,
    pub message: String,
}

/// Checking the value would take too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the value is too complex for its schema; simplify one of them")]
pub struct TooCostly;

impl JsonSchema {
    /// External references aren't fetched.
    pub fn compile(schema: &Value) -> Result<Self, String> {
        let branches = Branches::of(schema)?;
        // The pattern engine without look-around runs in linear time.
        let patterns = PatternOptions::regex().size_limit(MAX_PATTERN_BYTES);
        let options = jsonschema::options_for::<Metered>().offline().should_validate_formats(true).with_pattern_options(patterns);
        match options.build(schema) {
            Ok(validator) => Ok(Self { validator, branches }),
            Err(error) => Err(clipped(error.to_string())),
        }
    }

    /// The first errors of a value, at most `limit`; empty if it matches.
    pub fn faults(&self, value: &Value, limit: usize) -> Result<Vec<SchemaFault>, TooCostly> {
        if depth(value).saturating_mul(self.branches.depth) > MAX_RECURSION {
            return Err(TooCostly);
        }
        let allowed_visits = |branches: u64| (MAX_STEPS / branches.max(1)).min(MAX_VALUE_VISITS);
        if metered(allowed_visits(self.branches.to_validate), || self.validator.is_valid(Part(value)))? {
            return Ok(Vec::new());
        }
        // Listing errors visits each alternative that doesn't match, which can take much longer than checking.
        let explained = metered(allowed_visits(self.branches.to_explain), || {
            let errors = self.validator.iter_errors(Part(value)).take(limit);
            errors.map(|error| SchemaFault { path: error.instance_path().to_string(), message: error.to_string() }).collect()
        });
        let unexplained = || vec![SchemaFault { path: String::new(), message: "the value doesn't match the schema".to_owned() }];
        Ok(explained.unwrap_or_else(|_| unexplained()))
    }
}

/// The nesting of lists and objects.
fn depth(value: &Value) -> usize {
    let (mut deepest, mut waiting) = (0, vec![(value, 1)]);
    while let Some((value, level)) = waiting.pop() {
        deepest = deepest.max(level);
        match value {
            Value::Array(items) => waiting.extend(items.iter().map(|item| (item, level + 1))),
            Value::Object(members) => waiting.extend(members.values().map(|member| (member, level + 1))),
            _ => {}
        }
    }
    deepest
}

fn clipped(text: String) -> String {
    text.char_indices().nth(MAX_FAULT_CHARS).map_or_else(|| text.clone(), |(end, _)| format!("{}…", &text[..end]))
}

#[cfg(test)]
mod tests;
