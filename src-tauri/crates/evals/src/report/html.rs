//! A page without scripts and without anything from elsewhere.

use std::fmt::Write as _;

use inklings_core::eval::{EvalOutcome, EvalResult};
use inklings_core::trace::{Outcome, Usage};

use super::{Report, VariantReport};
use crate::statistics::{Comparison, ComparisonVerdict};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1d1d1f;background:#fff}\
table{border-collapse:collapse;width:100%;margin:1rem 0}th,td{border:1px solid #d2d2d7;padding:.4rem .6rem;text-align:left;vertical-align:top}\
th{background:#f5f5f7}pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0;font-size:13px}summary{cursor:pointer}\
.passed{color:#176b2c}.failed,.error{color:#b3261e}.not_run{color:#6e5a00}\
@media(prefers-color-scheme:dark){body{color:#f5f5f7;background:#1d1d1f}th{background:#2c2c2e}th,td{border-color:#48484a}\
.passed{color:#6dd58c}.failed,.error{color:#ff8a80}.not_run{color:#e6c84f}}";

#[must_use]
pub fn to_html(report: &Report) -> String {
    let skill = escape(report.run.skill.slug.as_str());
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>Eval of {skill}</title><style>{STYLE}</style></head><body><h1>Eval of {skill}</h1>\n<p>Run {} · {} · {} · {} of {} results · paid {}</p>\n",
        report.run.id,
        report.run.created_at,
        report.run.status.as_str().replace('_', " "),
        report.done,
        report.cells,
        money(report.paid.cost),
    );
    page.push_str("<table><thead><tr><th>Variant</th><th>Pass rate</th><th>Compared with baseline</th><th>Flaky</th><th>Not graded</th><th>Tokens</th><th>Cost</th><th>Mean time</th></tr></thead><tbody>\n");
    for variant in &report.variants {
        variant_row(&mut page, report, variant);
    }
    page.push_str("</tbody></table>\n<table><thead><tr><th>Case</th>");
    for variant in &report.variants {
        // Writing to a String can't fail.
        let _ = write!(page, "<th>{}</th>", escape(&variant.variant.label));
    }
    page.push_str("</tr></thead><tbody>\n");
    for case in &report.cases {
        let regressed = if case.regressions.is_empty() { "" } else { " <strong class=\"failed\">regression</strong>" };
        let _ = write!(page, "<tr><td>{}{regressed}<br><small>{}</small></td>", escape(&case.title), escape(&case.key));
        for results in &case.results {
            page.push_str("<td>");
            for result in results {
                cell(&mut page, result);
            }
            page.push_str("</td>");
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></body></html>\n");
    page
}

fn variant_row(page: &mut String, report: &Report, one: &VariantReport) {
    let rate = one.rate.map_or_else(
        || "not graded".to_owned(),
        |rate| format!("{} ({} to {}), {} cases", percent(rate.rate), percent(rate.interval.low), percent(rate.interval.high), rate.cases),
    );
    let baseline = one.variant.baseline.and_then(|at| report.variants.get(at)).map(|baseline| baseline.variant.label.as_str());
    let compared = match (baseline, &one.comparison) {
        (Some(label), Some(comparison)) => format!("{}: {}", escape(label), comparison_text(comparison)),
        _ => "–".to_owned(),
    };
    let _ = writeln!(
        page,
        "<tr><td>{}</td><td>{rate}</td><td>{compared}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        escape(&one.variant.label),
        one.flaky.len(),
        one.not_graded,
        tokens(one.usage),
        money(one.usage.cost),
        one.mean_ms.map_or_else(|| "–".to_owned(), |ms| format!("{ms} ms")),
    );
}

/// A comparison in a line of text.
fn comparison_text(one: &Comparison) -> String {
    let verdict = match one.verdict {
        ComparisonVerdict::Better => "better",
        ComparisonVerdict::Worse => "worse",
        ComparisonVerdict::NoDifferenceShown => "no difference shown",
        ComparisonVerdict::TooFew => "too few cases",
    };
    format!(
        "<strong>{verdict}</strong>, {} ({} to {}), p = {:.3}, {} improved, {} regressed",
        percent(one.difference),
        percent(one.interval.low),
        percent(one.interval.high),
        one.p_value,
        one.improved,
        one.regressed
    )
}

fn cell(page: &mut String, result: &EvalResult) {
    let outcome = result.outcome.as_str();
    let _ = write!(page, "<details><summary class=\"{outcome}\">{}</summary>", outcome.replace('_', " "));
    if let Some(error) = result.error.as_ref().filter(|_| result.outcome == EvalOutcome::Error) {
        let _ = write!(page, "<p class=\"error\">{}</p>", escape(error));
    }
    for verdict in &result.verdicts {
        let class = match verdict.outcome {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::NotRun => "not_run",
        };
        let _ = write!(page, "<p class=\"{class}\">{}: {}</p>", escape(&verdict.description), escape(&verdict.explanation));
    }
    if let Some(output) = &result.output {
        let _ = write!(page, "<pre>{}</pre>", escape(output));
    }
    page.push_str("</details>");
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

fn money(cost: Option<f64>) -> String {
    cost.map_or_else(|| "unknown".to_owned(), |cost| format!("${cost:.4}"))
}

fn tokens(usage: Usage) -> String {
    let number = |tokens: Option<u64>| tokens.map_or_else(|| "unknown".to_owned(), |tokens| tokens.to_string());
    format!("{} in, {} out", number(usage.input_tokens), number(usage.output_tokens))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
