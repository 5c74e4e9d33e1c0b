//! Eval runs, their results and cached responses.

use std::time::Duration;

use inklings_core::eval::{CachedResponse, EvalCell, EvalFilter, EvalOutcome, EvalResult, EvalRun, EvalStatus};
use inklings_core::model::{Completion, Finish, TokenUsage};
use inklings_core::trace::{Outcome, Strictness, TracedSkill, Usage, Verdict};
use inklings_core::{
    Clock as _, Digest, EvalRunId, EvalStore as _, IdSource as _, ResponseCache as _, RunId, Scope, SkillId, Slug, StorageError,
};
use inklings_store::Store;
use serde_json::json;

use crate::support::{World, changes, world};

fn run(world: &World, workspace: &str) -> EvalRun {
    let skill =
        TracedSkill { scope: Scope::Account, id: SkillId::new(world.ids.uuid()), slug: Slug::parse("checker").unwrap(), revision: 3 };
    EvalRun {
        id: EvalRunId::new(world.ids.uuid()),
        workspace: workspace.to_owned(),
        skill,
        status: EvalStatus::Running,
        error: None,
        plan: json!({ "cases": ["größer"] }),
        created_at: world.clock.now(),
        completed_at: None,
    }
}

fn result(world: &World, repeat: u32, outcome: EvalOutcome) -> EvalResult {
    let usage = |cost| Usage { input_tokens: Some(7), output_tokens: None, cost };
    EvalResult {
        cell: EvalCell { case: "evals/evals.json#1".to_owned(), variant: 1, repeat },
        outcome,
        output: Some("größer".to_owned()),
        error: None,
        verdicts: vec![Verdict {
            description: "is x".to_owned(),
            assertion: "equals".to_owned(),
            severity: Strictness::Hard,
            weight: 2.0,
            outcome: Outcome::Passed,
            score: Some(0.5),
            explanation: "it is".to_owned(),
        }],
        usage: usage(Some(0.5)),
        judge_usage: usage(Some(0.25)),
        paid: usage(None),
        duration_ms: 1234,
        model_id: Some("m".to_owned()),
        run: Some(RunId::new(world.ids.uuid())),
        created_at: world.clock.now(),
    }
}

#[test]
fn runs_and_results_come_back_as_they_were_put() {
    let world = world();
    assert_eq!(world.store.eval_runs(&EvalFilter::default(), 9).unwrap(), []);
    let all: Vec<_> = ["", "/w", "/other"].map(|workspace| run(&world, workspace)).into();
    for one in &all {
        world.store.open_eval(one).unwrap();
    }
    assert_eq!(world.store.eval_run(all[1].id).unwrap().as_ref(), Some(&all[1]));
    let ids = |filter: EvalFilter, limit| world.store.eval_runs(&filter, limit).unwrap().iter().map(|one| one.id).collect::<Vec<_>>();
    let of = |workspace: &str| EvalFilter { workspace: workspace.to_owned(), ..EvalFilter::default() };
    assert_eq!(ids(of("/w"), 9), [all[1].id, all[0].id]);
    assert_eq!(ids(of("/w"), 1), [all[1].id]);
    assert_eq!(ids(EvalFilter { without_account: true, ..of("/w") }, 9), [all[1].id]);
    assert_eq!(ids(EvalFilter { without_account: true, ..of("") }, 9), []);
    assert_eq!(ids(EvalFilter { skill: Some(all[0].skill.id), ..of("/w") }, 9), [all[0].id]);
    let put = [result(&world, 0, EvalOutcome::Passed), result(&world, 1, EvalOutcome::NotRun)];
    for one in &put {
        world.store.put_eval_result(all[1].id, one).unwrap();
    }
    assert_eq!(world.store.eval_results(all[1].id).unwrap(), put);
    assert_eq!(world.store.eval_results(all[0].id).unwrap(), []);
    let unknown = EvalRunId::new(world.ids.uuid());
    assert!(matches!(world.store.put_eval_result(unknown, &put[0]), Err(StorageError::NotFound { .. })));
}

#[test]
fn a_later_attempt_counts_and_the_first_stays() {
    let world = world();
    let one = run(&world, "");
    world.store.open_eval(&one).unwrap();
    for outcome in [EvalOutcome::Error, EvalOutcome::Passed] {
        world.store.put_eval_result(one.id, &result(&world, 0, outcome)).unwrap();
    }
    world.store.put_eval_result(one.id, &result(&world, 1, EvalOutcome::Failed)).unwrap();
    let found = world.store.eval_results(one.id).unwrap();
    let found: Vec<_> = found.iter().map(|one| (one.cell.repeat, one.outcome, one.paid.input_tokens)).collect();
    assert_eq!(found, [(0, EvalOutcome::Passed, Some(14)), (1, EvalOutcome::Failed, Some(7))], "what all attempts cost is paid");
    let connection = rusqlite::Connection::open(world.store.path()).unwrap();
    let rows: i64 = connection.query_row("SELECT count(*) FROM eval_results", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 3);
}

#[test]
fn a_run_of_an_ended_process_is_interrupted_and_goes_on_in_another() {
    let world = world();
    let one = run(&world, "");
    world.store.open_eval(&one).unwrap();
    let other = || Store::open(Scope::Account, world.store.path(), "other", world.clock.clone(), world.format.clone()).unwrap();
    let living = other();
    assert_eq!(living.eval_run(one.id).unwrap().unwrap().status, EvalStatus::Running);
    assert!(!living.reopen_eval(one.id).unwrap(), "its process lives");
    world.store.close();
    assert_eq!(living.eval_run(one.id).unwrap().unwrap().status, EvalStatus::Interrupted);
    assert!(living.reopen_eval(one.id).unwrap());
    living.close_eval(one.id, EvalStatus::Failed, Some("no model")).unwrap();
    let found = living.eval_run(one.id).unwrap().unwrap();
    assert_eq!((found.status, found.error.as_deref(), found.completed_at.is_some()), (EvalStatus::Failed, Some("no model"), true));
    assert!(living.reopen_eval(one.id).unwrap());
    living.close_eval(one.id, EvalStatus::Complete, None).unwrap();
    assert!(!living.reopen_eval(one.id).unwrap(), "it is complete");
}

#[test]
fn every_change_of_a_run_is_in_the_feed() {
    let world = world();
    world.stored("Any");
    let mut feed = inklings_store::ChangeFeed::new(&world.store).unwrap();
    let one = run(&world, "");
    world.store.open_eval(&one).unwrap();
    world.store.put_eval_result(one.id, &result(&world, 0, EvalOutcome::Passed)).unwrap();
    world.store.close_eval(one.id, EvalStatus::Complete, None).unwrap();
    let found: Vec<_> = changes(&mut feed, &world.store).into_iter().map(|change| (change.kind, change.id)).collect();
    assert_eq!(found, vec![("eval".to_owned(), one.id.to_string()); 3]);
}

#[test]
fn responses_are_kept_for_ninety_days() {
    let world = world();
    world.clock.set("2026-01-01T00:00:00Z");
    let response = |text: &str| CachedResponse {
        completion: Completion {
            text: text.to_owned(),
            tool_calls: Vec::new(),
            finish: Finish::Stop,
            usage: TokenUsage { input_tokens: Some(1), ..TokenUsage::default() },
            model: "m".to_owned(),
        },
        duration: Duration::from_millis(1500),
    };
    let [one, two, three] = ["one", "two", "three"].map(|text| Digest::of(text.as_bytes()));
    assert_eq!(world.store.response(one).unwrap(), None);
    world.store.put_response(one, &response("first")).unwrap();
    world.store.put_response(one, &response("again")).unwrap();
    assert_eq!(world.store.response(one).unwrap(), Some(response("again")));
    world.clock.set("2026-04-02T00:00:00Z");
    world.store.put_response(two, &response("new")).unwrap();
    assert_eq!(world.store.response(one).unwrap(), None, "it is too old");
    world.store.put_response(three, &response("third")).unwrap();
    world.store.forget_responses(&[two]).unwrap();
    assert_eq!((world.store.response(two).unwrap(), world.store.response(three).unwrap().is_some()), (None, true));
}

#[test]
fn rejected_edits_are_remembered_once_by_skill() {
    let world = world();
    let skill = SkillId::new(world.ids.uuid());
    let [one, two] = ["one", "two"].map(|text| Digest::of(text.as_bytes()));
    for (key, edit) in [(one, json!({ "why": "größer" })), (two, json!(2)), (one, json!("again"))] {
        world.store.put_rejected_edit(skill, key, &edit).unwrap();
    }
    assert_eq!(world.store.rejected_edits(skill, 9).unwrap(), [(one, json!({ "why": "größer" })), (two, json!(2))]);
    assert_eq!(world.store.rejected_edits(skill, 1).unwrap(), [(two, json!(2))]);
    assert_eq!(world.store.rejected_edits(SkillId::new(world.ids.uuid()), 9).unwrap(), []);
}
