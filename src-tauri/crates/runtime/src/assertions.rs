//! Assertions: what must hold for an artifact's output, and whether it does.
//!
//! `metadata.assertions` is validated by `inklings_lint`, the one table of types and keys, and read by
//! [`Assertion::parse_all`]; [`evaluate`] gives each a verdict. The subject is the output's text; structural types see the
//! structured value, else the JSON in the text. What can't be decided (no model, an unknown cost) is not run, which is
//! neither passed nor failed. Checking changes nothing and fetches nothing; only the judge calls a model.
//! Deliberately absent: retries, budgets, and what a hard failure does to a run. To add a type, add a row to the linter's
//! table, a variant of `model::Check`, its reading in `model`, its phrase in `describe` and its test here.

mod describe;
mod format;
mod judge;
mod model;
mod reading;
mod schema;
mod score;
#[cfg(test)]
mod tests;
mod words;

use std::sync::Arc;
use std::time::Duration;

use inklings_core::trace::{Outcome, Verdict};
use inklings_core::{CancellationToken, LanguageModel, ModelError};
use serde_json::Value;

use crate::error::SkillError;
use crate::output::ArtifactOutput;

pub use judge::Judge;
pub use model::Assertion;
pub use score::Score;

use model::{Check, Range};
use reading::Reading;

/// What is judged.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The output's text.
    pub text: &'a str,
    /// The output as structured value, where it has one.
    pub value: Option<&'a Value>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// Estimated cost in USD; none when unknown.
    pub cost: Option<f64>,
    /// Slugs of the skills that were used.
    pub skills_used: &'a [String],
    /// Names of the tools that were used.
    pub tools_used: &'a [String],
}

/// What was found out about a subject, before `not-`. A fact reads the same whether it is good news or bad.
#[derive(Debug, PartialEq)]
enum Found {
    /// It holds, or not.
    Plain(bool, String),
    /// It holds, or not, to a degree from 0 to 1.
    Graded(bool, f64, String),
    /// It can't be told.
    Unknown(String),
}

/// Judges the subject by each assertion, in their order. Never fails: what can't be judged is not run. Only those that need
/// a model wait, and one by one, so that a run's limits are noticed between them.
pub async fn evaluate(assertions: &[Assertion], subject: &Subject<'_>, judge: &Judge<'_>) -> Vec<Verdict> {
    let reading = Reading::new(subject);
    let mut verdicts = Vec::with_capacity(assertions.len());
    for assertion in assertions {
        let found = match &assertion.check {
            Check::Question { prompt, expected } => judge.question(prompt, expected, subject.text).await,
            Check::Rubric { rubric, pass } => judge.grade(rubric, *pass, subject.text).await,
            check => look(check, subject, &reading),
        };
        verdicts.push(verdict(assertion, found));
    }
    verdicts
}

/// [`evaluate`] on a thread for it: patterns and schemas are strangers' and may take their time, and
/// whoever waits must be able to stop waiting. `took` is how long the output took.
pub(crate) async fn evaluate_apart(
    assertions: Arc<[Assertion]>,
    output: ArtifactOutput,
    took: Duration,
    model: Result<Arc<dyn LanguageModel>, ModelError>,
    cancel: CancellationToken,
) -> Result<Vec<Verdict>, SkillError> {
    let here = tokio::runtime::Handle::current();
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
        here.block_on(evaluate(&assertions, &subject, &judge))
    });
    judging.await.map_err(|_| SkillError::Broken("judging an output"))
}

fn verdict(assertion: &Assertion, found: Found) -> Verdict {
    let outcome = |holds: bool| if holds == assertion.negated { Outcome::Failed } else { Outcome::Passed };
    let (outcome, score, explanation) = match found {
        Found::Plain(holds, fact) => (outcome(holds), None, fact),
        Found::Graded(holds, score, fact) => (outcome(holds), Some(if assertion.negated { 1.0 - score } else { score }), fact),
        Found::Unknown(why) => (Outcome::NotRun, None, why),
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

/// What needs no model.
fn look(check: &Check, subject: &Subject<'_>, reading: &Reading<'_>) -> Found {
    let text = subject.text;
    match check {
        Check::Schema(schema) => reading.json().map_or_else(no_json, |value| schema.check(value)),
        Check::Fields { fields, share } => reading.json().map_or_else(no_json, |value| schema::fields(value, fields, *share)),
        Check::Format(format) => format::check(*format, reading),
        Check::Characters(range) => counted(text.chars().count(), *range, "character", ""),
        Check::Tokens(range) => counted(inklings_prompt::tokens::count(text), *range, "token", "about "),
        Check::Pattern(pattern) => words::find_pattern(text, pattern),
        Check::Equals(value) => match value {
            Value::String(wanted) => words::equals(text, wanted),
            wanted => reading.json().map_or_else(no_json, |value| schema::equals(value, wanted)),
        },
        Check::Contains(wanted) => words::contains(text, wanted),
        Check::ContainsAny(wanted) => words::contains_any(text, wanted),
        Check::ContainsAll { texts, share } => words::contains_all(text, texts, *share),
        Check::IgnoringCase(wanted) => words::contains_ignoring_case(text, wanted),
        Check::StartsWith(wanted) => words::starts_with(text, wanted),
        Check::IsJson(schema) => match (reading.whole(), schema) {
            (Err(error), _) => Found::Plain(false, format!("the output is no JSON: {error}")),
            (Ok(value), Some(schema)) => schema.check(value),
            (Ok(_), None) => Found::Plain(true, "the output is JSON".to_owned()),
        },
        Check::ContainsJson(schema) => schema::anywhere(reading, schema.as_ref()),
        Check::Distance { to, most } => words::distance(text, to, *most),
        Check::Similar => Found::Unknown("it needs an embedding model, none is set up".to_owned()),
        Check::Latency(most) => {
            #[expect(clippy::cast_precision_loss, reason = "a run doesn't take 2^52 ms")]
            let holds = subject.duration_ms as f64 <= *most;
            Found::Plain(holds, format!("it took {} ms", subject.duration_ms))
        }
        Check::Cost(most) => match subject.cost {
            Some(cost) => Found::Plain(cost <= *most, format!("it cost an estimated {cost} USD")),
            None => Found::Unknown("the cost of the run isn't known".to_owned()),
        },
        Check::SkillsUsed { names, any } => words::used("skill", names, subject.skills_used, *any),
        Check::ToolsUsed { names, any } => words::used("tool", names, subject.tools_used, *any),
        // Both have been taken to the judge.
        Check::Question { .. } | Check::Rubric { .. } => Found::Unknown("it needs a model".to_owned()),
    }
}

fn no_json() -> Found {
    Found::Plain(false, "there is no JSON in the output".to_owned())
}

fn counted(count: usize, range: Range, unit: &str, about: &str) -> Found {
    let holds = range.holds(u64::try_from(count).unwrap_or(u64::MAX));
    Found::Plain(holds, format!("it has {about}{count} {unit}{}", if count == 1 { "" } else { "s" }))
}

/// The JSON in a text: the whole of it, what a code fence holds, or what stands between other text.
pub(crate) fn json_in(text: &str) -> Option<Value> {
    let subject = Subject { text, value: None, duration_ms: 0, cost: None, skills_used: &[], tools_used: &[] };
    Reading::new(&subject).json().cloned()
}
