//! A phrase for each check, for assertions without a description: what must hold, `not-` included.

use super::model::{Check, Range};
use super::words::{code, list, quote};

/// What an assertion asks for, as a phrase that says what the output, or the run, does.
pub(super) fn describe(check: &Check, negated: bool) -> String {
    let does = |positive: &str, negative: &str| if negated { negative.to_owned() } else { positive.to_owned() };
    match check {
        Check::Schema(_) => does("the output matches its JSON Schema", "the output doesn't match its JSON Schema"),
        Check::Fields { fields, share } => {
            let (has, fields) = (does("has", "doesn't have"), list(fields, "and"));
            format!("the output's object {has} {}{fields}", of_all(*share, "the fields "))
        }
        Check::Format(format) => format!("the output {} {}", does("is", "is not"), format.name()),
        Check::Characters(range) => format!("the output {} {}", does("has", "doesn't have"), counted(*range, "character")),
        Check::Tokens(range) => format!("the output {} {}", does("has", "doesn't have"), counted(*range, "token")),
        Check::Pattern(pattern) => format!("the output {} the pattern {}", does("matches", "doesn't match"), code(pattern.as_str())),
        Check::Question { prompt, expected } => {
            format!("a model answers {} with {}{}", quote(prompt), does("", "anything but "), quote(expected))
        }
        Check::Equals(value) => {
            let value = value.as_str().map_or_else(|| quote(&value.to_string()), quote);
            format!("the output {} {value}", does("is exactly", "is not"))
        }
        Check::Contains(text) => format!("the output {} {}", does("contains", "doesn't contain"), quote(text)),
        Check::ContainsAny(texts) => format!("the output contains {} {}", does("one of", "none of"), list(texts, "and")),
        Check::ContainsAll { texts, share } => {
            format!("the output {} {}{}", does("contains", "doesn't contain"), of_all(*share, "all of "), list(texts, "and"))
        }
        Check::IgnoringCase(text) => format!("the output {} {} in any case", does("contains", "doesn't contain"), quote(text)),
        Check::StartsWith(text) => format!("the output {} {}", does("starts with", "doesn't start with"), quote(text)),
        Check::IsJson(schema) => {
            let fitting = if schema.is_some() { " that matches a schema" } else { "" };
            format!("the output {} JSON{fitting}", does("is", "is not"))
        }
        Check::ContainsJson(schema) => {
            let fitting = if schema.is_some() { " that matches a schema" } else { "" };
            format!("the output {} JSON{fitting}", does("contains", "doesn't contain"))
        }
        Check::Distance { to, most } => format!("the output is {} {most} edits away from {}", does("at most", "more than"), quote(to)),
        Check::Similar => does("the output means nearly the same as a text", "the output means something else than a text"),
        Check::Rubric { rubric, pass } => {
            format!("a model grades the output {} {} of 5 by {}", does("at least", "below"), pass * 4.0 + 1.0, quote(rubric))
        }
        Check::Latency(most) => format!("the run takes {} {most} ms", does("at most", "more than")),
        Check::Cost(most) => format!("the run costs {} {most} USD", does("at most", "more than")),
        Check::SkillsUsed { names, .. } => used("skill", names, negated),
        Check::ToolsUsed { names, .. } => used("tool", names, negated),
    }
}

fn of_all(share: f64, all: &str) -> String {
    if share < 1.0 { format!("at least {:.0} % of ", share * 100.0) } else { all.to_owned() }
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
