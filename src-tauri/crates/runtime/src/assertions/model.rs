//! Assertions, parsed from validated JSON. Schemas and patterns are compiled here, once.

use inklings_core::Diagnostic;
use inklings_core::trace::Strictness;
use inklings_lint::assertion::{Kind, check_all, kind};
use serde_json::{Map, Value};

use super::format::Format;
use super::schema::Schema;
use super::text::Pattern;

/// Of `levenshtein` without a threshold, as in promptfoo.
const DEFAULT_MAX_EDITS: f64 = 5.0;
/// Of `llm-rubric` without a threshold: grade 4 of 5.
const DEFAULT_PASS_SCORE: f64 = 0.75;

#[derive(Debug)]
pub struct Assertion {
    /// The type with its check: `length/char_range`, `not-contains`.
    pub type_name: String,
    /// As written, else generated.
    pub description: String,
    pub severity: Strictness,
    /// Weight in the score.
    pub weight: f64,
    /// The metric by which evaluations group results.
    pub metric: Option<String>,
    pub(super) negated: bool,
    pub(super) check: Check,
}

/// `not-` and `no_match` are [`Assertion::negated`].
#[derive(Debug)]
pub(super) enum Check {
    Schema(Schema),
    /// `share` is the part of the fields that must exist, from 0 to 1.
    Fields {
        fields: Vec<String>,
        share: f64,
    },
    Format(Format),
    Characters(Range),
    Tokens(Range),
    Pattern(Pattern),
    Question {
        prompt: String,
        expected: String,
    },
    Equals(Value),
    Contains(String),
    ContainsAny(Vec<String>),
    /// `share` is the part of the texts that must occur, from 0 to 1.
    ContainsAll {
        texts: Vec<String>,
        share: f64,
    },
    IgnoringCase(String),
    StartsWith(String),
    IsJson(Option<Schema>),
    ContainsJson(Option<Schema>),
    Distance {
        to: String,
        max: f64,
    },
    Similar,
    /// `pass` is the least passing score, from 0 to 1.
    Rubric {
        rubric: String,
        pass: f64,
    },
    /// Maximum in milliseconds.
    Latency(f64),
    /// Maximum in USD.
    Cost(f64),
    /// All of them, or with `any` at least one: forbidding two skills forbids either.
    SkillsUsed {
        names: Vec<String>,
        any: bool,
    },
    ToolsUsed {
        names: Vec<String>,
        any: bool,
    },
}

/// Inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
}

impl Range {
    pub(super) fn holds(self, count: u64) -> bool {
        self.min.is_none_or(|min| count >= min) && self.max.is_none_or(|max| count <= max)
    }
}

impl Assertion {
    /// Parses `metadata.assertions`. If any assertion is invalid, the error has the diagnostics of all, with
    /// JSON pointers relative to the artifact's entry: `/metadata/assertions/0/schema`.
    pub fn parse_all(metadata: &Map<String, Value>) -> Result<Vec<Self>, Vec<Diagnostic>> {
        let mut errors: Vec<Diagnostic> = check_all(metadata).into_iter().filter(Diagnostic::is_error).collect();
        let mut assertions = Vec::new();
        // The parser below relies on the validator.
        if errors.is_empty() {
            for (index, item) in metadata.get("assertions").and_then(Value::as_array).into_iter().flatten().enumerate() {
                match Self::parse(item) {
                    Ok(assertion) => assertions.push(assertion),
                    Err(fault) => errors.push(
                        Diagnostic::error("assertion/value", fault.message).pointer(format!("/metadata/assertions/{index}{}", fault.at)),
                    ),
                }
            }
        }
        if errors.is_empty() { Ok(assertions) } else { Err(errors) }
    }

    #[must_use]
    pub const fn needs_model(&self) -> bool {
        matches!(self.check, Check::Question { .. } | Check::Rubric { .. })
    }

    /// Whether this version can evaluate it.
    #[must_use]
    pub const fn can_run(&self) -> bool {
        !matches!(self.check, Check::Similar)
    }

    fn parse(item: &Value) -> Result<Self, Fault> {
        let nothing = Map::new();
        let entry = AssertionEntry(item.as_object().unwrap_or(&nothing));
        let Some(kind) = kind(entry.0) else {
            return Err(Fault { message: "unknown assertion type".to_owned(), at: "/type" });
        };
        let written = entry.text("type");
        let not = written.starts_with("not-");
        let check = check(kind, &entry, not)?;
        let negated = not != (kind.check == Some("no_match"));
        Ok(Self {
            description: entry.optional("description").unwrap_or_else(|| check.describe(negated)),
            type_name: kind.check.map_or_else(|| written.clone(), |check| format!("{written}/{check}")),
            severity: if entry.text("severity") == "hard" { Strictness::Hard } else { Strictness::Soft },
            weight: entry.number("weight").unwrap_or(1.0),
            metric: entry.optional("metric"),
            negated,
            check,
        })
    }
}

/// A fault that the validator doesn't detect.
struct Fault {
    message: String,
    at: &'static str,
}

/// A validated entry. Missing values read as empty.
struct AssertionEntry<'a>(&'a Map<String, Value>);

impl AssertionEntry<'_> {
    fn optional(&self, key: &str) -> Option<String> {
        self.0.get(key).and_then(Value::as_str).map(str::to_owned)
    }

    fn text(&self, key: &str) -> String {
        self.optional(key).unwrap_or_default()
    }

    fn texts(&self, key: &str) -> Vec<String> {
        match self.0.get(key) {
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Some(Value::String(text)) => vec![text.clone()],
            _ => Vec::new(),
        }
    }

    fn number(&self, key: &str) -> Option<f64> {
        self.0.get(key).and_then(Value::as_f64)
    }

    fn threshold(&self, default: f64) -> f64 {
        self.number("threshold").unwrap_or(default)
    }

    fn range(&self) -> Range {
        let bound = |key: &str| self.0.get(key).and_then(Value::as_u64);
        Range { min: bound("min"), max: bound("max") }
    }

    fn schema(&self, key: &str, at: &'static str) -> Result<Option<Schema>, Fault> {
        let compile = |schema| Schema::compile(schema).map_err(|reason| Fault { message: format!("invalid {key:?}: {reason}"), at });
        self.0.get(key).map(compile).transpose()
    }

    fn pattern(&self, key: &str, at: &'static str) -> Result<Pattern, Fault> {
        Pattern::compile(&self.text(key), &self.text("flags")).map_err(|error| Fault { message: error.to_string(), at })
    }
}

fn check(kind: &Kind, entry: &AssertionEntry<'_>, not: bool) -> Result<Check, Fault> {
    let missing = || Fault { message: "missing value".to_owned(), at: "" };
    Ok(match (kind.name, kind.check) {
        ("structural", Some("json_schema")) => Check::Schema(entry.schema("schema", "/schema")?.ok_or_else(missing)?),
        ("structural", Some("format")) => Check::Format(Format::from_name(&entry.text("format")).ok_or_else(missing)?),
        ("structural", Some("required_fields")) | ("required_fields", None) => {
            Check::Fields { fields: entry.texts("fields"), share: entry.threshold(1.0) }
        }
        ("length", Some("char_range")) => Check::Characters(entry.range()),
        ("length", Some("token_range")) | ("token_range", None) => Check::Tokens(entry.range()),
        ("pattern", Some("match" | "no_match")) => Check::Pattern(entry.pattern("pattern", "/pattern")?),
        ("regex", None) => Check::Pattern(entry.pattern("value", "/value")?),
        ("semantic", Some("llm_eval")) => {
            Check::Question { prompt: entry.text("prompt"), expected: entry.optional("expected").unwrap_or_else(|| "yes".to_owned()) }
        }
        ("equals", None) => Check::Equals(entry.0.get("value").cloned().ok_or_else(missing)?),
        ("contains", None) => Check::Contains(entry.text("value")),
        ("contains-any", None) => Check::ContainsAny(entry.texts("value")),
        ("contains-all", None) => Check::ContainsAll { texts: entry.texts("value"), share: entry.threshold(1.0) },
        ("icontains", None) => Check::IgnoringCase(entry.text("value")),
        ("starts-with", None) => Check::StartsWith(entry.text("value")),
        ("is-json", None) => Check::IsJson(entry.schema("value", "/value")?),
        ("contains-json", None) => Check::ContainsJson(entry.schema("value", "/value")?),
        ("levenshtein", None) => Check::Distance { to: entry.text("value"), max: entry.threshold(DEFAULT_MAX_EDITS) },
        ("similar", None) => Check::Similar,
        ("llm-rubric", None) => {
            let pass = entry.threshold(DEFAULT_PASS_SCORE);
            // A threshold above 1 is a grade from 1 to 5.
            Check::Rubric { rubric: entry.text("value"), pass: if pass > 1.0 { (pass - 1.0) / 4.0 } else { pass } }
        }
        ("latency", None) => Check::Latency(entry.threshold(0.0)),
        ("cost", None) => Check::Cost(entry.threshold(0.0)),
        ("skill-used", None) => Check::SkillsUsed { names: entry.texts("value"), any: not },
        ("tool-used", None) => Check::ToolsUsed { names: entry.texts("value"), any: not },
        _ => return Err(Fault { message: format!("assertions of type {:?} aren't supported yet", kind.name), at: "/type" }),
    })
}
