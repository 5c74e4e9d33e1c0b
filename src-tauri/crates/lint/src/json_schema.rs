//! JSON Schemas, which may be anybody's. Alternatives multiply: thirty `anyOf` of two equal references are a billion ways to check
//! one value, and two references from a part to itself double with each level of the value. So both are bounded: [`branches`]
//! refuses schemas that multiply by themselves, and [`metered`] counts what the validator reads of a value.

mod branches;
mod metered;

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use branches::Branches;
use metered::{Metered, Part, metered};

/// Steps of one check. A step is a visit of one part of the schema, or a look at one value.
const STEPS: u64 = 200_000_000;
/// Looks at values in one check, however few branches the schema has.
const MAX_LOOKS: u64 = 4_000_000;
/// Levels of the value times branches inside each other: what the validator's recursion needs of the stack.
const MAX_RECURSION: usize = 1_000;
/// Memory in bytes of one compiled `pattern`.
const PATTERN_BYTES: usize = 256 * 1024;
/// Characters of what is wrong with a schema: it may quote the whole of it.
const FAULT_CHARS: usize = 240;

/// A schema that values can be checked against.
#[derive(Debug)]
pub struct JsonSchema {
    validator: Validator<Metered>,
    branches: Branches,
}

/// What in a value doesn't match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaFault {
    /// JSON pointer of the part; empty for the whole.
    pub path: String,
    /// What is wrong with it.
    pub message: String,
}

/// Checking the value would take too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the value has too many parts for the alternatives of its schema; make either smaller")]
pub struct TooCostly;

impl JsonSchema {
    /// Compiles a schema; else says why not. References to anything outside of it are not fetched.
    pub fn compile(schema: &Value) -> Result<Self, String> {
        let branches = Branches::of(schema)?;
        // The pattern engine without look-around takes time in proportion to the text, whatever an output does to it.
        let patterns = PatternOptions::regex().size_limit(PATTERN_BYTES);
        let options = jsonschema::options_for::<Metered>().offline().should_validate_formats(true).with_pattern_options(patterns);
        match options.build(schema) {
            Ok(validator) => Ok(Self { validator, branches }),
            Err(error) => Err(clipped(error.to_string())),
        }
    }

    /// The first faults of a value, at most `limit`; none when it matches.
    pub fn faults(&self, value: &Value, limit: usize) -> Result<Vec<SchemaFault>, TooCostly> {
        if depth(value).saturating_mul(self.branches.depth) > MAX_RECURSION {
            return Err(TooCostly);
        }
        let looks = |branches: u64| (STEPS / branches.max(1)).min(MAX_LOOKS);
        if metered(looks(self.branches.to_judge), || self.validator.is_valid(Part(value)))? {
            return Ok(Vec::new());
        }
        // To explain, each alternative that doesn't match is explained, which can take much longer than the verdict.
        let explained = metered(looks(self.branches.to_explain), || {
            let errors = self.validator.iter_errors(Part(value)).take(limit);
            errors.map(|error| SchemaFault { path: error.instance_path().to_string(), message: error.to_string() }).collect()
        });
        let unexplained = || vec![SchemaFault { path: String::new(), message: "the value doesn't match the schema".to_owned() }];
        Ok(explained.unwrap_or_else(|_| unexplained()))
    }
}

/// Levels of lists and objects inside each other.
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
    text.char_indices().nth(FAULT_CHARS).map_or_else(|| text.clone(), |(end, _)| format!("{}…", &text[..end]))
}

#[cfg(test)]
mod tests;
