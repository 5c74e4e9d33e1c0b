//! The results of a run as rates, comparisons and a table of cases.

mod csv;
mod html;
mod junit;

use std::collections::{HashMap, HashSet};

use inklings_core::eval::{EvalCell, EvalOutcome, EvalResult, EvalRun, EvalVariant};
use inklings_core::trace::Usage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cases::{Case, Split};
use crate::statistics::{CasePair, Comparison, PassRate, compare};

pub use csv::to_csv;
pub use html::to_html;
pub use junit::to_junit;

/// A run with everything that follows from its results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    pub run: EvalRun,
    /// Repeats of each cell.
    pub repeat: u32,
    /// Number of cells, and of those with a result.
    pub cells: usize,
    pub done: usize,
    pub variants: Vec<VariantReport>,
    pub cases: Vec<CaseReport>,
    /// Of all cells.
    pub paid: Usage,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VariantReport {
    #[serde(flatten)]
    pub variant: EvalVariant,
    /// Null if nothing was graded.
    pub rate: Option<PassRate>,
    /// With the baseline. Null without one, or if no case was graded for both.
    pub comparison: Option<Comparison>,
    /// Keys of the cases that passed in some repeats only.
    pub flaky: Vec<String>,
    /// Results that count neither way.
    pub not_graded: usize,
    /// Of its answers, also of those from the cache.
    pub usage: Usage,
    /// Of its judge.
    pub judge_usage: Usage,
    /// Mean time of an answer. Null without answers.
    pub mean_ms: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseReport {
    pub key: String,
    pub title: String,
    pub split: Split,
    pub tags: Vec<String>,
    /// By variant, then by repeat; cells without a result are missing.
    pub results: Vec<Vec<EvalResult>>,
    /// Positions of the variants that pass it less often than their baseline.
    pub regressions: Vec<usize>,
}

/// Counts of a case's graded results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Tally {
    passed: u32,
    graded: u32,
}

impl Tally {
    fn of(results: &[EvalResult]) -> Self {
        let count = |outcome| u32::try_from(results.iter().filter(|one| one.outcome == outcome).count()).unwrap_or(u32::MAX);
        let passed = count(EvalOutcome::Passed);
        Self { passed, graded: passed + count(EvalOutcome::Failed) }
    }

    fn share(self) -> Option<f64> {
        (self.graded > 0).then(|| f64::from(self.passed) / f64::from(self.graded))
    }
}

impl Report {
    /// The report of a run. Only cases with a task have cells.
    #[must_use]
    pub fn new(run: EvalRun, cases: &[Case], variants: &[EvalVariant], repeat: u32, results: Vec<EvalResult>) -> Self {
        let mut paid = Usage::default();
        for result in &results {
            paid.add(result.paid);
        }
        let done = results.len();
        let mut by_cell: HashMap<EvalCell, EvalResult> = results.into_iter().map(|result| (result.cell.clone(), result)).collect();
        let mut seen = HashSet::new();
        let cases: Vec<CaseReport> = cases
            .iter()
            .filter(|case| case.task().is_some() && seen.insert(case.key.as_str()))
            .map(|case| {
                let mut of_variant = |variant| {
                    let cell = |repeat| EvalCell { case: case.key.clone(), variant, repeat };
                    (0..repeat).filter_map(|repeat| by_cell.remove(&cell(repeat))).collect::<Vec<_>>()
                };
                let results: Vec<_> = (0..variants.len()).map(&mut of_variant).collect();
                let regressions = (0..variants.len()).filter(|at| is_regression(&results, variants, *at)).collect();
                let (key, title) = (case.key.clone(), case.title().to_owned());
                CaseReport { key, title, split: case.split, tags: case.tags.clone(), results, regressions }
            })
            .collect();
        let variants: Vec<_> = variants.iter().enumerate().map(|(at, variant)| variant_report(variant, at, &cases)).collect();
        let cells = cases.len() * variants.len() * usize::try_from(repeat).unwrap_or(usize::MAX);
        Self { run, repeat, cells, done, variants, cases, paid }
    }

    /// The variants with the skill, whose rates a threshold applies to; all of them if it was always left out.
    pub fn candidates(&self) -> impl Iterator<Item = &VariantReport> {
        let any = self.variants.iter().any(|one| one.variant.revision.is_some());
        self.variants.iter().filter(move |one| !any || one.variant.revision.is_some())
    }
}

fn is_regression(results: &[Vec<EvalResult>], variants: &[EvalVariant], at: usize) -> bool {
    let share = |at: usize| results.get(at).and_then(|results| Tally::of(results).share());
    match (variants[at].baseline.and_then(share), share(at)) {
        (Some(baseline), Some(own)) => own < baseline,
        _ => false,
    }
}

fn variant_report(variant: &EvalVariant, at: usize, cases: &[CaseReport]) -> VariantReport {
    let tally = |case: &CaseReport, at: usize| Tally::of(case.results.get(at).map(Vec::as_slice).unwrap_or_default());
    let shares: Vec<f64> = cases.iter().filter_map(|case| tally(case, at).share()).collect();
    let comparison = variant.baseline.and_then(|baseline| {
        let pairs = cases.iter().filter_map(|case| pair(&case.results[baseline], &case.results[at]));
        compare(&pairs.collect::<Vec<_>>())
    });
    let is_flaky = |case: &&CaseReport| tally(case, at).share().is_some_and(|share| share > 0.0 && share < 1.0);
    let (mut usage, mut judge_usage, mut not_graded, mut time, mut answers) = (Usage::default(), Usage::default(), 0, 0_u64, 0_u64);
    for result in cases.iter().flat_map(|case| &case.results[at]) {
        usage.add(result.usage);
        judge_usage.add(result.judge_usage);
        not_graded += usize::from(!result.outcome.is_graded());
        if result.output.is_some() {
            time = time.saturating_add(result.duration_ms);
            answers += 1;
        }
    }
    VariantReport {
        variant: variant.clone(),
        rate: PassRate::of(&shares),
        comparison,
        flaky: cases.iter().filter(is_flaky).map(|case| case.key.clone()).collect(),
        not_graded,
        usage,
        judge_usage,
        mean_ms: time.checked_div(answers),
    }
}

/// The graded repeats that both have, so that they are compared over the same number.
fn pair(baseline: &[EvalResult], candidate: &[EvalResult]) -> Option<CasePair> {
    let graded = |results: &[EvalResult]| -> HashMap<u32, bool> {
        let outcomes = results.iter().map(|one| (one.cell.repeat, one.outcome));
        outcomes.filter(|(_, one)| one.is_graded()).map(|(at, one)| (at, one == EvalOutcome::Passed)).collect()
    };
    let (baseline, candidate) = (graded(baseline), graded(candidate));
    let mut pair = CasePair { baseline: 0, candidate: 0, repeats: 0 };
    for (repeat, passed) in &baseline {
        let Some(other) = candidate.get(repeat) else { continue };
        pair.baseline += u32::from(*passed);
        pair.candidate += u32::from(*other);
        pair.repeats += 1;
    }
    (pair.repeats > 0).then_some(pair)
}

/// Two runs of the same cases, by their keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunComparison {
    /// Labels of the compared variants.
    pub baseline: String,
    pub candidate: String,
    /// Null if no case was graded in both.
    pub comparison: Option<Comparison>,
    /// Titles of cases that the candidate passes less often.
    pub regressed: Vec<String>,
    /// Titles of cases that the candidate passes more often.
    pub improved: Vec<String>,
    /// Cases that only one of the runs has.
    pub unmatched: usize,
}

/// Compares a variant of one run with a variant of another.
#[must_use]
pub fn compare_runs((one, of_one): (&Report, usize), (other, of_other): (&Report, usize)) -> RunComparison {
    let label = |report: &Report, at: usize| report.variants.get(at).map(|one| one.variant.label.clone()).unwrap_or_default();
    let others: HashMap<&str, &CaseReport> = other.cases.iter().map(|case| (case.key.as_str(), case)).collect();
    let (mut pairs, mut regressed, mut improved, mut matched) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for case in &one.cases {
        let Some(candidate) = others.get(case.key.as_str()) else { continue };
        matched += 1;
        let (Some(before), Some(after)) = (case.results.get(of_one), candidate.results.get(of_other)) else { continue };
        let Some(pair) = pair(before, after) else { continue };
        if pair.candidate < pair.baseline {
            regressed.push(case.title.clone());
        } else if pair.candidate > pair.baseline {
            improved.push(case.title.clone());
        }
        pairs.push(pair);
    }
    RunComparison {
        baseline: label(one, of_one),
        candidate: label(other, of_other),
        comparison: compare(&pairs),
        regressed,
        improved,
        unmatched: one.cases.len() + other.cases.len() - 2 * matched,
    }
}
