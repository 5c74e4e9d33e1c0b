//! Evaluates the assertions of an artifact on its output.
//!
//! `metadata.assertions` is validated by `inklings_lint`, which has the table of types and keys, and read by
//! [`Assertion::parse_all`]; [`evaluate`] gives each a verdict. The subject is the output's text; structural types see the
//! structured value, else the JSON in the text. What can't be decided (no model, an unknown cost) is "not run", which is
//! neither passed nor failed. Checks have no side effects; only the judge calls a model.
//! Deliberately absent: retries, budgets, and what a hard failure does to a run. To add a type, add a row to the linter's
//! table, a variant of `model::Check`, its parsing in `model`, its phrase in `describe` and its test here.

mod describe;
mod format;
mod judge;
mod model;
mod parsed_output;
mod schema;
mod score;
#[cfg(test)]
mod tests;
mod text;

use std::sync::Arc;
use std::time::Duration;

use inklings_core::ModelError;
use inklings_core::trace::{Outcome, Verdict};
use serde_json::Value;

use crate::context::ExecutionContext;
use crate::error::SkillError;
use crate::output::ArtifactOutput;

pub use judge::Judge;
pub use model::Assertion;
pub use score::Score;

use model::{Check, Range};
use parsed_output::ParsedOutput;

/// What assertions are evaluated on.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    pub text: &'a str,
    /// The structured output of a script or program.
    pub value: Option<&'a Value>,
    pub duration_ms: u64,
    /// Estimated cost in USD; None if unknown.
    pub cost: Option<f64>,
    pub skills_used: &'a [String],
    pub tools_used: &'a [String],
}

/// The result of a check before `not-` is applied. The text states a fact and reads the same for a pass and a failure.
#[derive(Debug, PartialEq)]
enum CheckResult {
    Plain(bool, String),
    /// With a score from 0 to 1.
    Graded(bool, f64, String),
    /// Undecided, with the reason.
    Unknown(String),
}

/// One verdict per assertion, in order. Never fails: an undecidable assertion is not run. Assertions that need
/// a model are evaluated one after the other, so that the run's limits are checked between them.
pub async fn evaluate(assertions: &[Assertion], subject: &Subject<'_>, judge: &Judge<'_>) -> Vec<Verdict> {
    let parsed = ParsedOutput::new(subject);
    let mut verdicts = Vec::with_capacity(assertions.len());
    for assertion in assertions {
        let found = match &assertion.check {
            Check::Question { prompt, expected } => judge.question(prompt, expected, subject.text).await,
            Check::Rubric { rubric, pass } => judge.grade(rubric, *pass, subject.text).await,
            check => run_check(check, subject, &parsed),
        };
        verdicts.push(verdict(assertion, found));
    }
    verdicts
}

/// [`evaluate`] on a blocking thread: patterns and schemas are untrusted and may be slow, and the caller
/// must stay cancellable. `took` is the duration of the step. The judge's usage counts for `context`.
pub(crate) async fn evaluate_blocking(
    assertions: Arc<[Assertion]>,
    output: ArtifactOutput,
    took: Duration,
    context: &ExecutionContext<'_>,
) -> Result<Vec<Verdict>, SkillError> {
    // Resolving a model reads its key.
    let needs_model = assertions.iter().any(Assertion::needs_model);
    let model = if needs_model { context.model().await } else { Err(ModelError::NotConfigured) };
    let (cancel, runtime) = (context.cancel.clone(), tokio::runtime::Handle::current());
    let judging = tokio::task::spawn_blocking(move || {
        let subject = Subject {
            text: &output.text,
            value: output.value.as_ref(),
            duration_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            cost: output.usage.cost,
            skills_used: &output.skills_used,
            tools_used: &output.tools_used,
        };
        let judge = Judge::new(model, &cancel);
        runtime.block_on(evaluate(&assertions, &subject, &judge))
    });
    judging.await.map_err(|_| SkillError::Internal("evaluating assertions"))
}

fn verdict(assertion: &Assertion, found: CheckResult) -> Verdict {
    let outcome = |holds: bool| if holds == assertion.negated { Outcome::Failed } else { Outcome::Passed };
    let (outcome, score, explanation) = match found {
        CheckResult::Plain(holds, fact) => (outcome(holds), None, fact),
        CheckResult::Graded(holds, score, fact) => (outcome(holds), Some(if assertion.negated { 1.0 - score } else { score }), fact),
        CheckResult::Unknown(why) => (Outcome::NotRun, None, why),
    };
    Verdict {
        description: assertion.description.clone(),
        assertion: assertion.type_name.clone(),
        severity: assertion.severity,
        weight: assertion.weight,
        outcome,
        score,
        explanation,
    }
}

/// Checks that need no model.
fn run_check(check: &Check, subject: &Subject<'_>, parsed: &ParsedOutput<'_>) -> CheckResult {
    let text = subject.text;
    match check {
        Check::Schema(schema) => parsed.json().map_or_else(no_json, |value| schema.check(value)),
        Check::Fields { fields, share } => parsed.json().map_or_else(no_json, |value| schema::fields(value, fields, *share)),
        Check::Format(format) => format::check(*format, parsed),
        Check::Characters(range) => counted(text.chars().count(), *range, "character", ""),
        Check::Tokens(range) => counted(inklings_prompt::tokens::count(text), *range, "token", "about "),
        Check::Pattern(pattern) => text::find_pattern(text, pattern),
        Check::Equals(value) => match value {
            Value::String(wanted) => text::equals(text, wanted),
            wanted => parsed.json().map_or_else(no_json, |value| schema::equals(value, wanted)),
        },
        Check::Contains(wanted) => text::contains(text, wanted),
        Check::ContainsAny(wanted) => text::contains_any(text, wanted),
        Check::ContainsAll { texts, share } => text::contains_all(text, texts, *share),
        Check::IgnoringCase(wanted) => text::contains_ignoring_case(text, wanted),
        Check::StartsWith(wanted) => text::starts_with(text, wanted),
        Check::IsJson(schema) => match (parsed.whole(), schema) {
            (Err(error), _) => CheckResult::Plain(false, format!("the output isn't JSON: {error}")),
            (Ok(value), Some(schema)) => schema.check(value),
            (Ok(_), None) => CheckResult::Plain(true, "the output is JSON".to_owned()),
        },
        Check::ContainsJson(schema) => schema::anywhere(parsed, schema.as_ref()),
        Check::Distance { to, max } => text::distance(text, to, *max),
        Check::Similar => CheckResult::Unknown("embedding models aren't supported yet".to_owned()),
        Check::Latency(max) => {
            #[expect(clippy::cast_precision_loss, reason = "a run doesn't take 2^52 ms")]
            let holds = subject.duration_ms as f64 <= *max;
            CheckResult::Plain(holds, format!("took {} ms", subject.duration_ms))
        }
        Check::Cost(max) => match subject.cost {
            Some(cost) => CheckResult::Plain(cost <= *max, format!("estimated cost {cost} USD")),
            None => CheckResult::Unknown("the cost of the run is unknown".to_owned()),
        },
        Check::SkillsUsed { names, any } => text::used("skill", names, subject.skills_used, *any),
        Check::ToolsUsed { names, any } => text::used("tool", names, subject.tools_used, *any),
        // `evaluate` passes these to the judge.
        Check::Question { .. } | Check::Rubric { .. } => CheckResult::Unknown("needs a model".to_owned()),
    }
}

fn no_json() -> CheckResult {
    CheckResult::Plain(false, "no JSON in the output".to_owned())
}

fn counted(count: usize, range: Range, unit: &str, about: &str) -> CheckResult {
    let holds = range.holds(u64::try_from(count).unwrap_or(u64::MAX));
    CheckResult::Plain(holds, format!("the output has {about}{count} {unit}{}", if count == 1 { "" } else { "s" }))
}

/// The JSON in a text: all of it, the content of a code fence, or the first object or list within other text.
pub(crate) fn json_in(text: &str) -> Option<Value> {
    let subject = Subject { text, value: None, duration_ms: 0, cost: None, skills_used: &[], tools_used: &[] };
    ParsedOutput::new(&subject).json().cloned()
}
