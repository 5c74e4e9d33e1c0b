//! `JUnit` XML, as CI systems read it: a suite for each variant, a test case for each result.

use std::fmt::Write as _;

use inklings_core::eval::{EvalOutcome, EvalResult};
use inklings_core::trace::Outcome;

use super::Report;

#[must_use]
pub fn to_junit(report: &Report) -> String {
    let all = report.cases.iter().flat_map(|case| case.results.iter().flatten());
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let name = escape(report.run.skill.slug.as_str());
    // Writing to a String can't fail.
    let _ = writeln!(text, "<testsuites name=\"{name}\" {}>", counts(all));
    for (at, variant) in report.variants.iter().enumerate() {
        let results = report.cases.iter().flat_map(|case| &case.results[at]);
        let _ = writeln!(text, "  <testsuite name=\"{}\" {}>", escape(&variant.variant.label), counts(results));
        for case in &report.cases {
            for result in &case.results[at] {
                test_case(&mut text, &name, &case.title, report.repeat, result);
            }
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn counts<'a>(results: impl Iterator<Item = &'a EvalResult> + Clone) -> String {
    let of = |outcome| results.clone().filter(|one| one.outcome == outcome).count();
    let time: u64 = results.clone().map(|one| one.duration_ms).sum();
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\"",
        results.clone().count(),
        of(EvalOutcome::Failed),
        of(EvalOutcome::Error),
        of(EvalOutcome::NotRun),
        seconds(time)
    )
}

fn test_case(text: &mut String, class: &str, title: &str, repeat: u32, result: &EvalResult) {
    let number = if repeat > 1 { format!(" ({})", result.cell.repeat + 1) } else { String::new() };
    let name = escape(&format!("{title}{number}"));
    let _ = write!(text, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{}\"", seconds(result.duration_ms));
    let findings: Vec<String> = result
        .verdicts
        .iter()
        .filter(|one| one.outcome != Outcome::Passed)
        .map(|one| format!("{}: {}", one.description, one.explanation))
        .collect();
    let message = escape(findings.first().or(result.error.as_ref()).map_or("", String::as_str));
    let body = escape(&findings.join("\n"));
    let _ = match result.outcome {
        EvalOutcome::Passed => writeln!(text, "/>"),
        EvalOutcome::Failed => writeln!(text, "><failure message=\"{message}\">{body}</failure></testcase>"),
        EvalOutcome::Error => writeln!(text, "><error message=\"{message}\">{body}</error></testcase>"),
        EvalOutcome::NotRun => writeln!(text, "><skipped message=\"{message}\"/></testcase>"),
    };
}

fn seconds(ms: u64) -> String {
    format!("{}.{:03}", ms / 1000, ms % 1000)
}

/// Escapes text for XML, without the control characters that XML can't represent.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for ch in text.chars() {
        match ch {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            ch if ch.is_control() || matches!(ch, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            ch => escaped.push(ch),
        }
    }
    escaped
}
