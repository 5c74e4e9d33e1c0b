//! Generated descriptions of assertions that have none, `not-` included.

use super::model::{Check, Range};
use super::text::{code, list, quote};

impl Check {
    pub(super) fn describe(&self, negated: bool) -> String {
        let does = |positive: &str, negative: &str| if negated { negative.to_owned() } else { positive.to_owned() };
        match self {
            Self::Schema(_) => does("the output matches its JSON Schema", "the output doesn't match its JSON Schema"),
            Self::Fields { fields, share } => {
                let (has, fields) = (does("has", "doesn't have"), list(fields, "and"));
                format!("the output {has} {}{fields}", of_all(*share, "the fields "))
            }
            Self::Format(format) => format!("the output {} {}", does("is", "isn't"), format.name()),
            Self::Characters(range) => format!("the output {} {}", does("has", "doesn't have"), counted(*range, "character")),
            Self::Tokens(range) => format!("the output {} {}", does("has", "doesn't have"), counted(*range, "token")),
            Self::Pattern(pattern) => format!("the output {} the pattern {}", does("matches", "doesn't match"), code(pattern.as_str())),
            Self::Question { prompt, expected } => {
                format!("a model answers {} with {}{}", quote(prompt), does("", "anything but "), quote(expected))
            }
            Self::Equals(value) => {
                let value = value.as_str().map_or_else(|| quote(&value.to_string()), quote);
                format!("the output {} {value}", does("is exactly", "isn't"))
            }
            Self::Contains(text) => format!("the output {} {}", does("contains", "doesn't contain"), quote(text)),
            Self::ContainsAny(texts) => format!("the output contains {} {}", does("one of", "none of"), list(texts, "and")),
            Self::ContainsAll { texts, share } => {
                format!("the output {} {}{}", does("contains", "doesn't contain"), of_all(*share, "all of "), list(texts, "and"))
            }
            Self::IgnoringCase(text) => format!("the output {} {}, ignoring case", does("contains", "doesn't contain"), quote(text)),
            Self::StartsWith(text) => format!("the output {} {}", does("starts with", "doesn't start with"), quote(text)),
            Self::IsJson(schema) => {
                let fitting = if schema.is_some() { " that matches a schema" } else { "" };
                format!("the output {} JSON{fitting}", does("is", "isn't"))
            }
            Self::ContainsJson(schema) => {
                let fitting = if schema.is_some() { " that matches a schema" } else { "" };
                format!("the output {} JSON{fitting}", does("contains", "doesn't contain"))
            }
            Self::Distance { to, max } => format!("the output is {} {max} edits away from {}", does("at most", "more than"), quote(to)),
            Self::Similar => does("the output is similar to a text", "the output isn't similar to a text"),
            Self::Rubric { rubric, pass } => {
                format!("a model grades the output {} {} of 5 by {}", does("at least", "below"), pass * 4.0 + 1.0, quote(rubric))
            }
            Self::Latency(max) => format!("the run takes {} {max} ms", does("at most", "more than")),
            Self::Cost(max) => format!("the run costs {} {max} USD", does("at most", "more than")),
            Self::SkillsUsed { names, .. } => used("skill", names, negated),
            Self::ToolsUsed { names, .. } => used("tool", names, negated),
        }
    }
}

fn of_all(share: f64, all: &str) -> String {
    if share < 1.0 { format!("at least {:.0}% of ", share * 100.0) } else { all.to_owned() }
}

fn counted(range: Range, unit: &str) -> String {
    match (range.min, range.max) {
        (Some(min), Some(max)) => format!("{} to {} {unit}s", grouped(min), grouped(max)),
        (Some(1), None) => format!("at least 1 {unit}"),
        (Some(min), None) => format!("at least {} {unit}s", grouped(min)),
        (None, Some(1)) => format!("at most 1 {unit}"),
        (None, Some(max)) => format!("at most {} {unit}s", grouped(max)),
        (None, None) => format!("any number of {unit}s"),
    }
}

/// `20,000`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

fn used(what: &str, names: &[String], negated: bool) -> String {
    let many = if names.len() == 1 { "" } else { "s" };
    if negated {
        format!("the run doesn't use the {what}{many} {}", list(names, "or"))
    } else {
        format!("the run uses the {what}{many} {}", list(names, "and"))
    }
}
