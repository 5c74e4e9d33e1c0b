//! Validates `metadata.assertions` by one table of types, checks and keys. Their evaluation is in the runtime; the table
//! ensures that they can be evaluated.

use inklings_core::Diagnostic;
use inklings_core::check::Severity;
use inklings_core::manifest::nearest;
use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};

use crate::json_schema::JsonSchema;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A non-empty string.
    Text,
    /// A non-empty list of strings.
    Texts,
    /// A string or a list of strings.
    TextOrTexts,
    /// 0 or more.
    Number,
    /// A whole number, 0 or more.
    Count,
    /// A JSON Schema: an object, or true or false.
    Schema,
    /// A regular expression, without look-around and back-references.
    Pattern,
    /// Letters of `i`, `m`, `s`, `x`.
    Flags,
    Word(&'static [&'static str]),
    Any,
}

/// A type of assertion, or one check of a type.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Value of `type`.
    pub name: &'static str,
    /// Value of `check`; `None` for types without checks.
    pub check: Option<&'static str>,
    /// Required keys.
    pub required: &'static [(&'static str, Form)],
    /// Optional keys.
    pub optional: &'static [(&'static str, Form)],
    pub summary: &'static str,
}

/// Keys of every assertion.
pub const COMMON_KEYS: &[(&str, Form)] = &[
    ("severity", Form::Word(&["hard", "soft"])),
    ("weight", Form::Number),
    ("threshold", Form::Number),
    ("description", Form::Text),
    ("metric", Form::Text),
];

/// Maximum memory of a compiled pattern in bytes, which also bounds the search time.
pub const PATTERN_BYTES: usize = 4 * 1024 * 1024;

const RANGE_KEYS: &[(&str, Form)] = &[("min", Form::Count), ("max", Form::Count)];
const FORMATS: &[&str] = &["json", "yaml", "markdown", "csv", "date", "uri"];

const fn check(name: &'static str, check: &'static str, summary: &'static str) -> Kind {
    Kind { name, check: Some(check), required: &[], optional: &[], summary }
}

const fn flat(name: &'static str, summary: &'static str) -> Kind {
    Kind { name, check: None, required: &[], optional: &[], summary }
}

impl Kind {
    const fn needs(mut self, required: &'static [(&'static str, Form)]) -> Self {
        self.required = required;
        self
    }

    const fn takes(mut self, optional: &'static [(&'static str, Form)]) -> Self {
        self.optional = optional;
        self
    }
}

/// All types of assertions. Each can be negated by a `not-` prefix.
pub const KINDS: &[Kind] = &[
    check("structural", "json_schema", "the output matches a JSON Schema").needs(&[("schema", Form::Schema)]),
    check("structural", "required_fields", "the output object has these fields, or the fraction `threshold` of them")
        .needs(&[("fields", Form::Texts)]),
    check("structural", "format", "the output has a format").needs(&[("format", Form::Word(FORMATS))]),
    check("length", "char_range", "the number of characters is within a range").takes(RANGE_KEYS),
    check("length", "token_range", "the number of tokens is within a range").takes(RANGE_KEYS),
    check("pattern", "match", "the output matches a pattern").needs(&[("pattern", Form::Pattern)]).takes(&[("flags", Form::Flags)]),
    check("pattern", "no_match", "the output doesn't match a pattern")
        .needs(&[("pattern", Form::Pattern)])
        .takes(&[("flags", Form::Flags)]),
    check("semantic", "llm_eval", "a model answers a question about the output as expected")
        .needs(&[("prompt", Form::Text)])
        .takes(&[("expected", Form::Text)]),
    flat("equals", "the output equals this string").needs(&[("value", Form::Any)]),
    flat("contains", "the output contains this string").needs(&[("value", Form::Text)]),
    flat("contains-any", "the output contains one of these strings").needs(&[("value", Form::Texts)]),
    flat("contains-all", "the output contains all of these strings, or the fraction `threshold` of them").needs(&[("value", Form::Texts)]),
    flat("icontains", "the output contains this string, ignoring case").needs(&[("value", Form::Text)]),
    flat("starts-with", "the output starts with this string").needs(&[("value", Form::Text)]),
    flat("regex", "the output matches a pattern").needs(&[("value", Form::Pattern)]).takes(&[("flags", Form::Flags)]),
    flat("is-json", "the output is JSON and matches the optional schema").takes(&[("value", Form::Schema)]),
    flat("contains-json", "the output contains JSON that matches the optional schema").takes(&[("value", Form::Schema)]),
    flat("required_fields", "the output object has these fields, or the fraction `threshold` of them").needs(&[("fields", Form::Texts)]),
    flat("token_range", "the number of tokens is within a range").takes(RANGE_KEYS),
    flat("levenshtein", "the edit distance to this string is at most `threshold` [default: 5]").needs(&[("value", Form::Text)]),
    flat("similar", "the output is semantically similar to this string").needs(&[("value", Form::TextOrTexts)]),
    flat(
        "llm-rubric",
        "a model rates the output from 1 to 5 by this rubric; `threshold` is a rating above 1, or a fraction from 0 to 1 (0.75 is a rating of 4)",
    )
    .needs(&[("value", Form::Text)]),
    flat("latency", "the run takes at most `threshold` milliseconds").needs(&[("threshold", Form::Number)]),
    flat("cost", "the run costs at most `threshold` US dollars").needs(&[("threshold", Form::Number)]),
    flat("skill-used", "this skill was used").needs(&[("value", Form::TextOrTexts)]),
    flat("tool-used", "this tool was used").needs(&[("value", Form::TextOrTexts)]),
];

/// Rules about an artifact's assertions. Pointers start at its entry.
#[must_use]
pub fn check_all(metadata: &Map<String, Value>) -> Vec<Diagnostic> {
    const POINTER: &str = "/metadata/assertions";
    match metadata.get("assertions") {
        None => Vec::new(),
        Some(Value::Array(items)) => items.iter().enumerate().flat_map(|(index, item)| one(item, &format!("{POINTER}/{index}"))).collect(),
        Some(_) => vec![Diagnostic::error("assertion/shape", "assertions must be an array").pointer(POINTER)],
    }
}

/// Rules about one assertion; pointers start with `pointer`.
#[must_use]
pub fn one(assertion: &Value, pointer: &str) -> Vec<Diagnostic> {
    let Some(object) = assertion.as_object() else {
        return vec![Diagnostic::error("assertion/shape", "an assertion must be an object with a type").pointer(pointer)];
    };
    let kind = match kind_of(object, pointer) {
        Ok(kind) => kind,
        Err(finding) => return vec![*finding],
    };
    let mut findings = Vec::new();
    for (key, _) in kind.required.iter().filter(|(key, _)| !object.contains_key(*key)) {
        let near = object.keys().find(|written| nearest(written, [*key]).is_some());
        let hint = near.map_or_else(|| format!("add {key:?}"), |near| format!("did you mean {key:?} instead of {near:?}?"));
        findings.push(Diagnostic::error("assertion/missing-key", format!("{} requires {key:?}", title(kind))).pointer(pointer).hint(hint));
    }
    for (key, value) in object.iter().filter(|(key, _)| !matches!(key.as_str(), "type" | "check")) {
        let at = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
        let form = kind.required.iter().chain(kind.optional).chain(COMMON_KEYS).find(|(known, _)| known == key);
        match form {
            Some((_, form)) => findings.extend(value_fault(*form, key, value, object).map(|finding| finding.pointer(at))),
            None => findings.push(unknown_key(kind, key).pointer(at)),
        }
    }
    findings.extend(range_fault(kind, object, pointer));
    findings.extend(threshold_fault(kind, object, pointer));
    findings
}

/// `None` if `type` or `check` is unknown.
#[must_use]
pub fn kind(assertion: &Map<String, Value>) -> Option<&'static Kind> {
    kind_of(assertion, "").ok()
}

/// Compiles a pattern with flags of `imsx` as for evaluation, into at most `bytes` of memory.
pub fn compile(pattern: &str, flags: &str, bytes: usize) -> Result<Regex, regex::Error> {
    let has = |flag: char| flags.contains(flag);
    RegexBuilder::new(pattern)
        .case_insensitive(has('i'))
        .multi_line(has('m'))
        .dot_matches_new_line(has('s'))
        .ignore_whitespace(has('x'))
        .size_limit(bytes)
        .build()
}

/// The row for `type` and `check`.
fn kind_of(object: &Map<String, Value>, pointer: &str) -> Result<&'static Kind, Box<Diagnostic>> {
    let error = |rule: &str, message: String, at: &str| Diagnostic::error(rule, message).pointer(format!("{pointer}{at}"));
    let Some(written) = object.get("type").and_then(Value::as_str) else {
        return Err(Box::new(error("assertion/type", "missing assertion type".to_owned(), "").hint("add \"type\", such as \"contains\"")));
    };
    let name = written.strip_prefix("not-").unwrap_or(written);
    let family: Vec<&'static Kind> = KINDS.iter().filter(|kind| kind.name == name).collect();
    let Some(first) = family.first() else {
        let near = nearest(name, KINDS.iter().map(|kind| kind.name));
        let hint = match near {
            Some(known) => format!("did you mean {known:?}?"),
            None => format!("known types: {}", type_names().join(", ")),
        };
        let negation = &written[..written.len() - name.len()];
        let finding = error("assertion/type", format!("unknown assertion type {written:?}"), "/type").hint(hint);
        return Err(Box::new(finding.meant(near.map(|known| format!("{negation}{known}")))));
    };
    let checks: Vec<&'static str> = family.iter().filter_map(|kind| kind.check).collect();
    match object.get("check") {
        None if family.len() == 1 => Ok(first),
        // `length` without a check counts characters; tokens have a separate type.
        None if name == "length" => Ok(first),
        None => Err(Box::new(
            error("assertion/check", format!("missing check for {name:?}"), "")
                .hint(format!("add \"check\" with one of {}", checks.join(", "))),
        )),
        Some(Value::String(wanted)) => family.iter().find(|kind| kind.check == Some(wanted)).copied().ok_or_else(|| {
            let near = nearest(wanted, checks.iter().copied());
            let hint = match near {
                Some(known) => format!("did you mean {known:?}?"),
                None if checks.is_empty() => "remove it: this type has no checks".to_owned(),
                None => format!("use one of {}", checks.join(", ")),
            };
            Box::new(error("assertion/check", format!("unknown check {wanted:?} for {name:?}"), "/check").hint(hint).meant(near))
        }),
        Some(_) => Err(Box::new(error("assertion/check", "\"check\" must be a string".to_owned(), "/check"))),
    }
}

/// The names of all types, without duplicates.
#[must_use]
pub fn type_names() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = KINDS.iter().map(|kind| kind.name).collect();
    names.dedup();
    names
}

fn title(kind: &Kind) -> String {
    kind.check.map_or_else(|| format!("{:?}", kind.name), |check| format!("{:?} with check {check:?}", kind.name))
}

fn unknown_key(kind: &Kind, key: &str) -> Diagnostic {
    let known = || kind.required.iter().chain(kind.optional).chain(COMMON_KEYS).map(|(known, _)| *known);
    let near = nearest(key, known());
    let hint = match near {
        Some(known) => format!("did you mean {known:?}?"),
        None => format!("keys of {}: {}", title(kind), known().collect::<Vec<_>>().join(", ")),
    };
    Diagnostic::new(Severity::Warning, "assertion/unknown-key", format!("unknown key {key:?}")).hint(hint).meant(near)
}

fn value_fault(form: Form, key: &str, value: &Value, assertion: &Map<String, Value>) -> Option<Diagnostic> {
    let fine = |text: &Value| text.as_str().is_some_and(|text| !text.is_empty());
    let fine_list = |list: &Value| list.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(fine));
    let expected = match form {
        Form::Any => return None,
        Form::Text => (!fine(value)).then(|| "a string".to_owned()),
        Form::Texts => (!fine_list(value)).then(|| "an array of strings".to_owned()),
        Form::TextOrTexts => (!fine(value) && !fine_list(value)).then(|| "a string or an array of strings".to_owned()),
        Form::Number => (!value.as_f64().is_some_and(|number| number >= 0.0)).then(|| "a non-negative number".to_owned()),
        Form::Count => (!value.is_u64()).then(|| "a non-negative integer".to_owned()),
        Form::Schema if value.is_object() || value.is_boolean() => return schema_fault(key, value),
        Form::Schema => Some("a JSON Schema".to_owned()),
        Form::Flags => {
            let fine = value.as_str().is_some_and(|flags| flags.chars().all(|flag| "imsx".contains(flag)));
            (!fine).then(|| "a combination of the letters i, m, s and x".to_owned())
        }
        Form::Word(values) => (!value.as_str().is_some_and(|word| values.contains(&word))).then(|| format!("one of {}", values.join(", "))),
        Form::Pattern => match value.as_str() {
            Some(pattern) if !pattern.is_empty() => {
                return pattern_fault(key, pattern, assertion.get("flags").and_then(Value::as_str).unwrap_or_default());
            }
            _ => Some("a regular expression".to_owned()),
        },
    };
    expected.map(|expected| Diagnostic::error("assertion/value", format!("{key:?} must be {expected}")))
}

fn pattern_fault(key: &str, pattern: &str, flags: &str) -> Option<Diagnostic> {
    let error = match compile(pattern, flags, PATTERN_BYTES).err()? {
        regex::Error::CompiledTooBig(_) => {
            let finding = Diagnostic::error("assertion/pattern", format!("the regular expression in {key:?} is too large"));
            return Some(finding.hint("use smaller repetition counts, or [a-z] instead of \\w"));
        }
        error => error.to_string(),
    };
    let reason = error.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
    let finding = Diagnostic::error("assertion/pattern", format!("invalid regular expression in {key:?}: {reason}"));
    Some(finding.hint("look-around and backreferences aren't supported; in JSON, write \\\\ for \\"))
}

fn schema_fault(key: &str, schema: &Value) -> Option<Diagnostic> {
    let error = JsonSchema::compile(schema).err()?;
    let finding = Diagnostic::error("assertion/schema", format!("invalid JSON Schema in {key:?}: {error}"));
    Some(finding.hint("a schema may only reference parts of itself; patterns don't support look-around and backreferences"))
}

fn range_fault(kind: &Kind, object: &Map<String, Value>, pointer: &str) -> Option<Diagnostic> {
    if kind.optional != RANGE_KEYS {
        return None;
    }
    let bound = |key: &str| object.get(key).and_then(Value::as_u64);
    match (bound("min"), bound("max")) {
        (Some(min), Some(max)) if min > max => Some(
            Diagnostic::error("assertion/value", format!("\"min\" ({min}) is greater than \"max\" ({max})"))
                .pointer(format!("{pointer}/min")),
        ),
        (None, None) if !object.contains_key("min") && !object.contains_key("max") => Some(
            Diagnostic::error("assertion/missing-key", format!("{} requires \"min\" or \"max\"", title(kind)))
                .pointer(pointer)
                .hint("add \"min\" or \"max\""),
        ),
        _ => None,
    }
}

/// A threshold is a fraction of the maximum score, except for types with another unit.
fn threshold_fault(kind: &Kind, object: &Map<String, Value>, pointer: &str) -> Option<Diagnostic> {
    let most = match kind.name {
        "levenshtein" | "latency" | "cost" => return None,
        "llm-rubric" => 5.0,
        _ => 1.0,
    };
    let threshold = object.get("threshold").and_then(Value::as_f64).filter(|threshold| *threshold > most)?;
    let message = format!("\"threshold\" ({threshold}) is greater than {most}, the maximum of {}", title(kind));
    Some(Diagnostic::error("assertion/value", message).pointer(format!("{pointer}/threshold")))
}
