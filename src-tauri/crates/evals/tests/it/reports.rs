use inklings_core::eval::{EvalCell, EvalOutcome, EvalResult, EvalRun, EvalStatus, EvalVariant};
use inklings_core::manifest::Evals;
use inklings_core::trace::{Outcome, Strictness, TracedSkill, Usage, Verdict as Checked};
use inklings_core::{EvalRunId, Scope, SkillId, Time};
use inklings_evals::cases::{Case, read};
use inklings_evals::report::{Report, compare_runs, to_csv, to_html, to_junit};
use inklings_evals::statistics::ComparisonVerdict;
use serde_json::Value;

fn cases(count: usize) -> Vec<Case> {
    let entries: Vec<_> = (1..=count).map(|id| format!("{{\"id\":{id},\"prompt\":\"case <{id}>\",\"expected_output\":\"x\"}}")).collect();
    read(&Evals::default(), [("evals/evals.json", format!("[{}]", entries.join(",")).as_str())]).cases
}

fn variants() -> Vec<EvalVariant> {
    let model: inklings_core::ModelRef = "test/model".parse().unwrap();
    let variant = |label: &str, revision, baseline| EvalVariant { label: label.to_owned(), revision, model: model.clone(), baseline };
    vec![variant("without skill", None, None), variant("revision 2", Some(2), Some(0))]
}

fn result(case: &Case, variant: usize, repeat: u32, outcome: EvalOutcome) -> EvalResult {
    let verdict = Checked {
        description: "is \"x\"".to_owned(),
        assertion: "equals".to_owned(),
        severity: Strictness::Soft,
        weight: 1.0,
        outcome: if outcome == EvalOutcome::Passed { Outcome::Passed } else { Outcome::Failed },
        score: None,
        explanation: "differs <b>".to_owned(),
    };
    let used = Usage { input_tokens: Some(10), output_tokens: Some(2), cost: Some(0.5) };
    EvalResult {
        cell: EvalCell { case: case.key.clone(), variant, repeat },
        outcome,
        output: (outcome != EvalOutcome::Error).then(|| "=1+1 <script>".to_owned()),
        error: (outcome == EvalOutcome::Error).then(|| "no \u{1b}response".to_owned()),
        verdicts: if outcome == EvalOutcome::Error { Vec::new() } else { vec![verdict] },
        usage: used,
        judge_usage: Usage::default(),
        paid: if variant == 0 { Usage::default() } else { used },
        duration_ms: 1500,
        model_id: None,
        run: None,
        created_at: Time::from_millis(0),
    }
}

fn report(cases: &[Case], repeat: u32, outcome: impl Fn(usize, usize, u32) -> Option<EvalOutcome>) -> Report {
    let mut results = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        for variant in 0..2 {
            results.extend((0..repeat).filter_map(|repeat| Some(result(case, variant, repeat, outcome(at, variant, repeat)?))));
        }
    }
    let skill = TracedSkill {
        scope: Scope::Account,
        id: "00000000-0000-0000-0000-000000000001".parse::<SkillId>().unwrap(),
        slug: "memo".parse().unwrap(),
        revision: 2,
    };
    let run = EvalRun {
        id: "00000000-0000-0000-0000-000000000002".parse::<EvalRunId>().unwrap(),
        workspace: String::new(),
        skill,
        status: EvalStatus::Complete,
        error: None,
        plan: Value::Null,
        created_at: Time::from_millis(0),
        completed_at: None,
    };
    Report::new(run, cases, &variants(), repeat, results)
}

const fn graded(passed: bool) -> EvalOutcome {
    if passed { EvalOutcome::Passed } else { EvalOutcome::Failed }
}

#[test]
fn a_skill_that_helps_is_better_and_regressions_are_named() {
    let cases = cases(10);
    let found = report(&cases, 1, |case, variant, _| Some(graded((variant == 1) == (case > 0))));
    let [without, with] = &found.variants[..] else { panic!() };
    assert_eq!((without.rate.unwrap().rate, with.rate.unwrap().rate), (0.1, 0.9));
    let comparison = with.comparison.unwrap();
    assert_eq!((comparison.verdict, comparison.improved, comparison.regressed), (ComparisonVerdict::Better, 9, 1));
    assert_eq!((found.cases[0].regressions.as_slice(), found.cases[1].regressions.as_slice()), (&[1][..], &[][..]));
    assert_eq!((found.cells, found.done, found.paid.cost, with.mean_ms), (20, 20, Some(5.0), Some(1500)));
    assert_eq!(found.candidates().count(), 1);
}

#[test]
fn what_was_not_graded_counts_neither_way() {
    let cases = cases(8);
    let found = report(&cases, 1, |case, variant, _| match (case, variant) {
        (0, 1) => Some(EvalOutcome::NotRun),
        (1, 1) => Some(EvalOutcome::Error),
        (2, 1) => None,
        _ => Some(graded(variant == 1)),
    });
    let with = &found.variants[1];
    assert_eq!((with.rate.unwrap().rate, with.rate.unwrap().cases, with.not_graded, found.done), (1.0, 5, 2, 15));
    assert_eq!((with.comparison.unwrap().cases, with.comparison.unwrap().verdict), (5, ComparisonVerdict::TooFew));
}

#[test]
fn flaky_cases_are_named_and_compared_over_equal_repeats() {
    let cases = cases(7);
    let found = report(&cases, 3, |case, variant, repeat| match (case, variant) {
        (0, 1) => Some(graded(repeat != 1)),
        (1, 0) if repeat > 0 => Some(EvalOutcome::Error),
        _ => Some(graded(variant == 1)),
    });
    assert_eq!(found.variants[1].flaky, ["evals/evals.json#1"]);
    assert_eq!((found.variants[0].flaky.len(), found.variants[1].comparison.unwrap().verdict), (0, ComparisonVerdict::Better));
}

#[test]
fn two_runs_are_compared_by_their_cases() {
    let (all, fewer) = (cases(9), cases(8));
    let one = report(&all, 1, |case, _, _| Some(graded(case == 0)));
    let other = report(&fewer, 1, |case, _, _| Some(graded(case != 0)));
    let found = compare_runs((&one, 1), (&other, 1));
    assert_eq!((found.regressed.as_slice(), found.improved.len(), found.unmatched), (&["case <1>".to_owned()][..], 7, 1));
    assert_eq!(found.comparison.unwrap().verdict, ComparisonVerdict::NoDifferenceShown);
}

#[test]
fn reports_for_other_programs_are_well_formed_and_escape_what_models_wrote() {
    let found = report(
        &cases(2),
        1,
        |case, variant, _| if case == 1 && variant == 1 { Some(EvalOutcome::Error) } else { Some(graded(variant == 1)) },
    );
    let junit = to_junit(&found);
    assert!(junit.contains("<testsuites name=\"memo\" tests=\"4\" failures=\"2\" errors=\"1\" skipped=\"0\" time=\"6.000\">"), "{junit}");
    assert!(junit.contains("name=\"case &lt;1&gt;\"") && junit.contains("message=\"is &quot;x&quot;: differs &lt;b&gt;\""), "{junit}");
    assert!(junit.contains("no \u{fffd}response") && !junit.contains('\u{1b}'), "{junit}");
    let html = to_html(&found);
    assert!(!html.contains("<script") && html.contains("=1+1 &lt;script&gt;") && html.contains("too few cases"), "{html}");
    let csv = to_csv(&found);
    assert_eq!(csv.lines().count(), 5, "{csv}");
    assert!(csv.contains(",'=1+1 <script>"), "{csv}");
}
