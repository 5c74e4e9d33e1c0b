//! Traces: writing, filtering, statistics and pruning.

use inklings_core::ScriptOutcome;
use inklings_core::trace::{Retention, Session, SessionKind, SkillSum, StatsBy, Trace, TraceDetail, TraceFilter, TracedSkill, Usage};
use inklings_core::user::{CHECKPOINT_BYTES, CHECKPOINTS, CHECKPOINTS_BYTES, CheckpointKey, Checkpoints as _};
use inklings_core::{
    ArtifactKind, Clock as _, Digest, IdSource as _, RunId, Scope, SessionId, SkillId, StorageError, TraceId, TraceStatus, TraceStore as _,
};

use serde_json::json;

use crate::support::{World, path, world};

/// The distinguishing fields of a row.
struct Row {
    run: RunId,
    kind: ArtifactKind,
    status: TraceStatus,
    output: &'static str,
    cost: Option<f64>,
}

fn run(world: &World) -> RunId {
    RunId::new(world.ids.uuid())
}

fn add(world: &World, row: &Row) -> Trace {
    let session = SessionId::new(uuid::Uuid::nil());
    let opened = Session { id: session, kind: SessionKind::Run, title: "Test".to_owned(), created_at: world.clock.now() };
    world.store.open_session(&opened).unwrap();
    let mut trace = Trace {
        id: TraceId::new(world.ids.uuid()),
        session_id: session,
        run_id: row.run,
        parent_run_id: None,
        skill: TracedSkill { scope: Scope::Account, id: world.ids.skill(), slug: "tested".parse().unwrap(), revision: 2 },
        artifact_id: world.ids.artifact(),
        artifact_name: "Ask".to_owned(),
        artifact_path: path(&format!("{}.txt", row.kind.as_str())),
        artifact_kind: row.kind,
        variant: None,
        status: TraceStatus::Running,
        params: None,
        asked_artifact: None,
        rendered_input: Some("In".to_owned()),
        raw_output: None,
        error: None,
        detail: None,
        log: None,
        truncated: false,
        cut_off: false,
        started_at: world.clock.now(),
        completed_at: None,
        duration_ms: None,
        usage: Usage::default(),
        model_requested: None,
        model_id: None,
        assertions_run: 0,
        assertions_passed: 0,
        score: None,
        verdicts: Vec::new(),
        fallback_of: None,
        replay_of: None,
    };
    world.store.open_trace(&trace).unwrap();
    if row.status != TraceStatus::Running {
        trace.status = row.status;
        trace.raw_output = Some(row.output.to_owned());
        trace.completed_at = Some(world.clock.now());
        trace.duration_ms = Some(1_000);
        trace.usage = Usage { input_tokens: Some(10), output_tokens: Some(1), cost: row.cost };
        trace.model_id = (row.kind == ArtifactKind::PromptTemplate).then(|| "model-1".to_owned());
        world.store.close_trace(&trace).unwrap();
    }
    trace
}

#[test]
fn a_scripts_log_and_fault_are_kept_and_found() {
    let world = world();
    let mut trace = add(&world, &ok(run(&world), ArtifactKind::CodeTemplate));
    trace.log = Some("read 12 pages\n".to_owned());
    trace.detail = Some(TraceDetail { outcome: ScriptOutcome::Exception, traceback: Some("Traceback".to_owned()), line: Some(3) });
    world.store.close_trace(&trace).unwrap();
    assert_eq!(world.store.trace(trace.id).unwrap(), Some(trace));
    let of = |text: &str| TraceFilter { text: Some(text.to_owned()), ..TraceFilter::default() };
    assert_eq!(world.store.traces(&of("12 Pages"), None, 9).unwrap().items.len(), 1);
    assert_eq!(world.store.traces(&of("13 pages"), None, 9).unwrap().items.len(), 0);
}

fn key<'a>(skill: SkillId, workspace: &'a str, key: &'a str) -> CheckpointKey<'a> {
    CheckpointKey { workspace, skill, script: Digest::of(b"script"), key }
}

#[test]
fn checkpoints_are_kept_apart_counted_and_retired() {
    let world = world();
    let (mine, other) = (world.ids.skill(), world.ids.skill());
    assert_eq!(world.store.checkpoint(key(mine, "", "k")).unwrap(), None);
    world.store.put_checkpoint(key(mine, "", "k"), &json!({ "a": 1 })).unwrap();
    world.store.put_checkpoint(key(mine, "", "k"), &json!([2])).unwrap();
    assert_eq!(world.store.checkpoint(key(mine, "", "k")).unwrap(), Some(json!([2])));
    assert_eq!(world.store.checkpoint(key(other, "", "k")).unwrap(), None);
    assert_eq!(world.store.checkpoint(key(mine, "/pages", "k")).unwrap(), None);
    let changed = CheckpointKey { script: Digest::of(b"changed"), ..key(mine, "", "k") };
    assert_eq!(world.store.checkpoint(changed).unwrap(), None);
    for n in 1..CHECKPOINTS {
        world.store.put_checkpoint(key(mine, "", &n.to_string()), &json!(n)).unwrap();
    }
    let full = world.store.put_checkpoint(key(mine, "", "one more"), &json!(0));
    assert!(matches!(full, Err(StorageError::Limit { limit: CHECKPOINTS, .. })), "{full:?}");
    world.store.put_checkpoint(key(mine, "", "k"), &json!("again")).unwrap();
    world.store.prune_traces(Retention { days: 0, bytes: 1_000 }).unwrap();
    assert_eq!(world.store.checkpoint(key(mine, "", "k")).unwrap(), None);
}

#[test]
fn the_checkpoints_of_a_skill_in_a_workspace_are_held_to_their_bytes() {
    let world = world();
    let (mine, other) = (world.ids.skill(), world.ids.skill());
    let former = CheckpointKey { script: Digest::of(b"former"), ..key(mine, "", "k") };
    let (large, old) = (json!("x".repeat(CHECKPOINT_BYTES - 2)), json!("y".repeat(2_000)));
    world.store.put_checkpoint(former, &old).unwrap();
    world.store.put_checkpoint(key(other, "", "k"), &json!("other's")).unwrap();
    world.store.put_checkpoint(key(mine, "/pages", "k"), &json!("elsewhere")).unwrap();
    let fits = CHECKPOINTS_BYTES / CHECKPOINT_BYTES as u64 - 1;
    for n in 0..fits {
        world.store.put_checkpoint(key(mine, "", &n.to_string()), &large).unwrap();
    }
    // Both fit.
    assert_eq!(world.store.checkpoint(former).unwrap(), Some(old.clone()));
    let full = world.store.put_checkpoint(key(mine, "", "one more"), &json!("x".repeat(CHECKPOINT_BYTES + 1)));
    let Err(StorageError::Limit { what, found, limit: CHECKPOINTS_BYTES }) = full else { panic!("{full:?}") };
    assert!(what.contains("checkpoints") && found > CHECKPOINTS_BYTES, "{what} {found}");
    assert_eq!(world.store.checkpoint(key(mine, "", "one more")).unwrap(), None);
    // A value can be replaced by one of the same size, and a new value evicts those of the former script.
    world.store.put_checkpoint(key(mine, "", "0"), &large).unwrap();
    assert_eq!(world.store.checkpoint(former).unwrap(), Some(old.clone()));
    world.store.put_checkpoint(key(mine, "", "rest"), &json!("x".repeat(CHECKPOINT_BYTES - 1_000))).unwrap();
    assert_eq!(world.store.checkpoint(former).unwrap(), None);
    for (kept, value) in [(key(other, "", "k"), "other's"), (key(mine, "/pages", "k"), "elsewhere")] {
        assert_eq!(world.store.checkpoint(kept).unwrap(), Some(json!(value)));
    }
}

fn ok(run: RunId, kind: ArtifactKind) -> Row {
    Row { run, kind, status: TraceStatus::Ok, output: "Out", cost: None }
}

#[test]
fn a_row_is_read_back_as_it_was_written() {
    let world = world();
    let one = run(&world);
    let row = Row { cost: Some(0.5), ..ok(one, ArtifactKind::PromptTemplate) };
    let written = add(&world, &row);
    assert_eq!(world.store.trace(written.id).unwrap(), Some(written.clone()));
    let open = add(&world, &Row { status: TraceStatus::Running, ..ok(one, ArtifactKind::CodeTemplate) });
    assert_eq!(world.store.traces(&TraceFilter::default(), None, 10).unwrap().items, [open, written]);
}

#[test]
fn a_run_is_its_executions_taken_together() {
    let world = world();
    let (good, bad, active) = (run(&world), run(&world), run(&world));
    add(&world, &ok(good, ArtifactKind::Description));
    add(&world, &Row { cost: Some(0.25), ..ok(good, ArtifactKind::PromptTemplate) });
    add(&world, &Row { status: TraceStatus::Fallback, ..ok(bad, ArtifactKind::DspyModule) });
    add(&world, &Row { status: TraceStatus::Error, ..ok(bad, ArtifactKind::PromptTemplate) });
    add(&world, &Row { status: TraceStatus::Running, ..ok(active, ArtifactKind::PromptTemplate) });
    let runs = world.store.runs(&TraceFilter::default(), None, 10).unwrap().items;
    let facts: Vec<_> = runs.iter().map(|one| (one.run_id, one.status, one.traces, one.fell_back)).collect();
    assert_eq!(facts, [(active, TraceStatus::Running, 1, false), (bad, TraceStatus::Error, 2, true), (good, TraceStatus::Ok, 2, false)]);
    assert_eq!((runs[0].completed_at, runs[0].duration_ms), (None, None));
    // The tokens of context artifacts are part of the prompt.
    assert_eq!((runs[2].usage.input_tokens, runs[2].usage.cost, runs[2].model_id.as_deref()), (Some(10), Some(0.25), Some("model-1")));
    // A run is on one page only, with all its steps.
    let first = world.store.runs(&TraceFilter::default(), None, 2).unwrap();
    let second = world.store.runs(&TraceFilter::default(), first.next, 2).unwrap().items;
    assert_eq!(second.iter().map(|one| one.run_id).collect::<Vec<_>>(), [good]);
    let only = TraceFilter { kind: Some(ArtifactKind::Description), ..TraceFilter::default() };
    assert_eq!(world.store.runs(&only, None, 10).unwrap().items[0].traces, 2);
}

#[test]
fn filters_hold_together() {
    let world = world();
    let one = run(&world);
    let prompt = add(&world, &Row { output: "Der ÄRGER", ..ok(one, ArtifactKind::PromptTemplate) });
    let failed = add(&world, &Row { status: TraceStatus::Error, ..ok(run(&world), ArtifactKind::CodeTemplate) });
    let find = |filter: TraceFilter| -> Vec<TraceId> {
        world.store.traces(&filter, None, 10).unwrap().items.into_iter().map(|trace| trace.id).collect()
    };
    let any = TraceFilter::default;
    assert_eq!(find(TraceFilter { status: vec![TraceStatus::Error], ..any() }), [failed.id]);
    assert_eq!(find(TraceFilter { status: vec![TraceStatus::Error, TraceStatus::Ok], ..any() }), [failed.id, prompt.id]);
    assert_eq!(find(TraceFilter { model: Some("model-1".to_owned()), ..any() }), [prompt.id]);
    assert_eq!(find(TraceFilter { run: Some(one), ..any() }), [prompt.id]);
    for text in ["ÄRGER", "der", "rger"] {
        assert_eq!(find(TraceFilter { text: Some(text.to_owned()), ..any() }), [prompt.id], "{text}");
    }
    assert_eq!(find(TraceFilter { text: Some("'; DROP TABLE skills; --".to_owned()), ..any() }), []);
    assert_eq!(find(TraceFilter { since: Some(failed.started_at), ..any() }), [failed.id]);
    assert_eq!(find(TraceFilter { until: Some(failed.started_at), ..any() }), [prompt.id]);
    assert_eq!(find(TraceFilter { skill: Some("other".to_owned()), ..any() }), []);
    assert_eq!(find(TraceFilter { status: vec![TraceStatus::Error], model: Some("model-1".to_owned()), ..any() }), []);
    assert_eq!(find(TraceFilter { failed_assertions: true, ..any() }), []);
}

#[test]
fn stats_are_grouped_by_day_artifact_and_model() {
    let world = world();
    world.clock.set("2026-03-01T08:00:00Z");
    let one = run(&world);
    add(&world, &ok(one, ArtifactKind::Description));
    add(&world, &Row { cost: Some(0.5), ..ok(one, ArtifactKind::PromptTemplate) });
    world.clock.set("2026-03-02T08:00:00Z");
    add(&world, &Row { status: TraceStatus::Error, ..ok(run(&world), ArtifactKind::PromptTemplate) });
    let rows = |by| world.store.trace_stats(&TraceFilter::default(), by).unwrap();
    let days: Vec<_> =
        rows(StatsBy::Day).into_iter().map(|row| (row.key, row.runs, row.traces, row.errors, row.usage.input_tokens)).collect();
    assert_eq!(days, [("2026-03-01".to_owned(), 1, 2, 0, Some(10)), ("2026-03-02".to_owned(), 1, 1, 1, Some(10))]);
    let artifacts: Vec<_> = rows(StatsBy::Artifact).into_iter().map(|row| (row.key, row.usage.input_tokens, row.usage.cost)).collect();
    assert_eq!(
        artifacts,
        [("tested/prompt_template.txt".to_owned(), Some(20), Some(0.5)), ("tested/description.txt".to_owned(), Some(10), None)]
    );
    assert_eq!(rows(StatsBy::Model).into_iter().map(|row| row.key).collect::<Vec<_>>(), ["model-1"]);
}

#[test]
fn texts_that_go_along_ask_no_model_and_make_no_run_shorter() {
    let world = world();
    for seconds in [4_i64, 6] {
        world.clock.set("2026-03-01T08:00:00Z");
        let one = run(&world);
        let mut text = add(&world, &ok(one, ArtifactKind::Approach));
        text.duration_ms = Some(0);
        world.store.close_trace(&text).unwrap();
        for half in 1..=2 {
            let mut prompt = add(&world, &ok(one, ArtifactKind::PromptTemplate));
            prompt.completed_at = Some(format!("2026-03-01T08:00:{:02}Z", seconds / 2 * half).parse().unwrap());
            prompt.duration_ms = Some(seconds * 500);
            world.store.close_trace(&prompt).unwrap();
        }
    }
    let rows = |by| -> Vec<_> {
        let rows = world.store.trace_stats(&TraceFilter::default(), by).unwrap();
        rows.into_iter().map(|row| (row.key, row.runs, row.traces, row.mean_ms)).collect()
    };
    assert_eq!(rows(StatsBy::Day), [("2026-03-01".to_owned(), 2, 6, Some(5_000.0))]);
    assert_eq!(rows(StatsBy::Skill), [("tested".to_owned(), 2, 6, Some(5_000.0))]);
    assert_eq!(rows(StatsBy::Model), [("model-1".to_owned(), 2, 4, Some(2_500.0))]);
    let artifacts = [("tested/prompt_template.txt".to_owned(), 2, 4, Some(2_500.0)), ("tested/approach.txt".to_owned(), 2, 2, Some(0.0))];
    assert_eq!(rows(StatsBy::Artifact), artifacts);
}

#[test]
fn a_run_that_goes_on_has_no_duration_yet() {
    let world = world();
    let one = run(&world);
    add(&world, &ok(one, ArtifactKind::PromptTemplate));
    add(&world, &Row { status: TraceStatus::Running, ..ok(one, ArtifactKind::PromptTemplate) });
    let rows = world.store.trace_stats(&TraceFilter::default(), StatsBy::Day).unwrap();
    assert_eq!(rows.iter().map(|row| (row.runs, row.mean_ms)).collect::<Vec<_>>(), [(1, None)]);
}

#[test]
fn traces_go_when_they_are_old_or_too_many_but_never_while_they_run() {
    let world = world();
    world.clock.set("2026-01-01T08:00:00Z");
    let old = run(&world);
    add(&world, &ok(old, ArtifactKind::PromptTemplate));
    let still = add(&world, &Row { status: TraceStatus::Running, ..ok(run(&world), ArtifactKind::PromptTemplate) });
    world.clock.set("2026-06-01T08:00:00Z");
    let (first, last) = (run(&world), run(&world));
    add(&world, &ok(first, ArtifactKind::PromptTemplate));
    add(&world, &ok(last, ArtifactKind::PromptTemplate));
    assert_eq!(world.store.prune_traces(Retention { days: 90, bytes: 1_000 }).unwrap(), 1);
    // Each row has five bytes of text.
    assert_eq!(world.store.prune_traces(Retention { days: 90, bytes: 5 }).unwrap(), 1);
    let left: Vec<_> = world.store.traces(&TraceFilter::default(), None, 10).unwrap().items.into_iter().map(|trace| trace.run_id).collect();
    assert_eq!(left, [last, still.run_id]);
    add(&world, &ok(still.run_id, ArtifactKind::PromptTemplate));
    assert_eq!(world.store.delete_runs(&[last, still.run_id]).unwrap(), 1);
    let left = world.store.traces(&TraceFilter::default(), None, 10).unwrap().items;
    assert_eq!(left.iter().map(|trace| trace.run_id).collect::<Vec<_>>(), [still.run_id; 2], "its finished step stays with it");
}

#[test]
fn the_size_of_traces_is_counted_in_bytes() {
    let world = world();
    let (first, last) = (run(&world), run(&world));
    for run in [first, last] {
        // 30 bytes in ten characters, and two of the input.
        add(&world, &Row { output: "漢字漢字漢字漢字漢字", ..ok(run, ArtifactKind::PromptTemplate) });
    }
    assert_eq!(world.store.prune_traces(Retention { days: 90, bytes: 64 }).unwrap(), 0);
    assert_eq!(world.store.prune_traces(Retention { days: 90, bytes: 63 }).unwrap(), 1);
    assert_eq!(pages(&world, &TraceFilter::default(), 9), [last]);
}

#[test]
fn looking_for_old_traces_waits_for_no_writer() {
    let world = world();
    add(&world, &ok(run(&world), ArtifactKind::PromptTemplate));
    let other = rusqlite::Connection::open(world.store.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(world.store.prune_traces(Retention { days: 90, bytes: 1_000 }).unwrap(), 0);
}

#[test]
fn trust_is_remembered_by_folder() {
    let world = world();
    let user: &dyn inklings_core::UserData = &world.store;
    assert!(!user.is_trusted("/home/ann/notes").unwrap());
    user.note_trust("/home/ann/notes", true, "test").unwrap();
    assert!(user.is_trusted("/home/ann/notes").unwrap() && !user.is_trusted("/home/ann").unwrap());
    user.note_trust("/home/ann/notes", false, "test").unwrap();
    assert!(!user.is_trusted("/home/ann/notes").unwrap());
}

#[test]
fn numbers_of_any_size_can_be_summed() {
    let world = world();
    for _ in 0..3 {
        let mut trace = add(&world, &ok(run(&world), ArtifactKind::PromptTemplate));
        trace.usage.input_tokens = Some(u64::MAX);
        world.store.close_trace(&trace).unwrap();
    }
    let rows = world.store.trace_stats(&TraceFilter::default(), StatsBy::Skill).unwrap();
    assert!(rows[0].usage.input_tokens.unwrap() > 1 << 60);
    assert_eq!(world.store.runs(&TraceFilter::default(), None, 10).unwrap().items.len(), 3);
}

#[test]
fn a_skills_sums_count_runs_once_and_lose_nothing_of_its_costs() {
    let world = world();
    let paid = |run, cost| add(&world, &Row { cost, ..ok(run, ArtifactKind::PromptTemplate) });
    world.clock.set("2026-01-01T08:00:00Z");
    paid(run(&world), Some(9.0));
    world.clock.set("2026-03-01T08:00:00Z");
    let twice = run(&world);
    paid(twice, Some(0.1));
    for _ in 0..9 {
        paid(run(&world), Some(0.1));
    }
    add(&world, &ok(twice, ArtifactKind::Description));
    let skill = paid(twice, None).skill.id;
    let direct = rusqlite::Connection::open(world.store.path()).unwrap();
    direct.execute("UPDATE skill_execution_traces SET skill_id = ?1", [skill.to_string()]).unwrap();
    let other = paid(twice, None).skill.id;
    direct.execute("UPDATE skill_execution_traces SET skill_id = 'none' WHERE seq = 1", []).unwrap();
    let sums = |since: &str| {
        let mut sums = world.store.skill_sums(since.parse().unwrap()).unwrap();
        sums.sort_by_key(|sum| sum.id);
        sums
    };
    let one = SkillSum { id: skill, runs: 10, cost: Some(1.0), unpriced: 1 };
    let two = SkillSum { id: other, runs: 1, cost: None, unpriced: 1 };
    assert_eq!(sums("2026-02-01T00:00:00Z"), [one, two]);
    assert_eq!(sums("2025-01-01T00:00:00Z"), [one, two]);
    assert_eq!(sums("2026-04-01T00:00:00Z"), []);
}

#[test]
fn a_row_that_cant_be_read_hides_no_other() {
    let world = world();
    let (bad, good) =
        (add(&world, &ok(run(&world), ArtifactKind::CodeTemplate)), add(&world, &ok(run(&world), ArtifactKind::CodeTemplate)));
    let connection = rusqlite::Connection::open(world.store.path()).unwrap();
    connection.execute("UPDATE skill_execution_traces SET verdicts = '[1]' WHERE id = ?1", [bad.id.to_string()]).unwrap();
    let read: Vec<_> = world.store.traces(&TraceFilter::default(), None, 10).unwrap().items.into_iter().map(|trace| trace.id).collect();
    assert_eq!(read, [good.id]);
}

#[test]
fn a_row_that_cant_be_read_ends_no_list() {
    let world = world();
    let all: Vec<_> = (0..5).map(|_| add(&world, &ok(run(&world), ArtifactKind::CodeTemplate)).id).collect();
    let connection = rusqlite::Connection::open(world.store.path()).unwrap();
    connection.execute("UPDATE skill_execution_traces SET verdicts = '[1]' WHERE id = ?1", [all[3].to_string()]).unwrap();
    let page = |before| {
        let page = world.store.traces(&TraceFilter::default(), before, 2).unwrap();
        (page.items.into_iter().map(|trace| trace.id).collect::<Vec<_>>(), page.next)
    };
    let (first, next) = page(None);
    assert_eq!(first, [all[4], all[2]]);
    let (second, end) = page(next);
    assert_eq!((second, end), (vec![all[1], all[0]], None));
}

#[test]
fn a_run_that_cant_be_read_hides_no_other() {
    let world = world();
    let runs: Vec<_> = (0..4).map(|_| run(&world)).collect();
    for run in &runs {
        add(&world, &ok(*run, ArtifactKind::CodeTemplate));
    }
    let connection = rusqlite::Connection::open(world.store.path()).unwrap();
    let break_it = "UPDATE skill_execution_traces SET started_at = 'never' WHERE run_id = ?1";
    connection.execute(break_it, [runs[2].to_string()]).unwrap();
    assert_eq!(pages(&world, &TraceFilter::default(), 1), [runs[3], runs[1], runs[0]]);
}

/// All runs, read page by page.
fn pages(world: &World, filter: &TraceFilter, limit: usize) -> Vec<RunId> {
    let (mut all, mut from) = (Vec::new(), None);
    loop {
        let page = world.store.runs(filter, from, limit).unwrap();
        all.extend(page.items.iter().map(|run| run.run_id));
        from = page.next;
        if from.is_none() {
            return all;
        }
    }
}

#[test]
fn runs_that_overlap_are_on_one_page_each_whatever_the_filter() {
    let world = world();
    let (parent, child, last) = (run(&world), run(&world), run(&world));
    add(&world, &ok(parent, ArtifactKind::CodeTemplate));
    add(&world, &Row { status: TraceStatus::Error, ..ok(child, ArtifactKind::PromptTemplate) });
    add(&world, &Row { status: TraceStatus::Error, ..ok(parent, ArtifactKind::PromptTemplate) });
    add(&world, &Row { status: TraceStatus::Error, ..ok(last, ArtifactKind::PromptTemplate) });
    add(&world, &Row { status: TraceStatus::Error, ..ok(child, ArtifactKind::PromptTemplate) });
    let failed = TraceFilter { status: vec![TraceStatus::Error], ..TraceFilter::default() };
    for filter in [failed, TraceFilter { kind: Some(ArtifactKind::PromptTemplate), ..TraceFilter::default() }] {
        let all: Vec<_> = world.store.runs(&filter, None, 9).unwrap().items.iter().map(|run| run.run_id).collect();
        assert_eq!(all, [last, parent, child]);
        for limit in 1..=3 {
            assert_eq!(pages(&world, &filter, limit), all, "{limit} on a page");
        }
    }
}

#[test]
fn what_was_removed_between_two_pages_ends_no_list() {
    let world = world();
    let runs: Vec<_> = (0..3).map(|_| run(&world)).collect();
    let traces: Vec<_> = runs.iter().map(|run| add(&world, &ok(*run, ArtifactKind::PromptTemplate)).id).collect();
    let any = TraceFilter::default();
    let (first_runs, first_traces) = (world.store.runs(&any, None, 1).unwrap(), world.store.traces(&any, None, 1).unwrap());
    assert_eq!((first_runs.items[0].run_id, first_traces.items[0].id), (runs[2], traces[2]));
    world.store.delete_runs(&[runs[2]]).unwrap();
    assert_eq!(world.store.runs(&any, first_runs.next, 1).unwrap().items[0].run_id, runs[1]);
    assert_eq!(world.store.traces(&any, first_traces.next, 1).unwrap().items[0].id, traces[1]);
}

#[test]
fn the_end_of_a_row_that_was_removed_meanwhile_is_not_lost() {
    let world = world();
    let mut trace = add(&world, &ok(run(&world), ArtifactKind::PromptTemplate));
    world.store.delete_runs(&[trace.run_id]).unwrap();
    trace.raw_output = Some("late".to_owned());
    world.store.close_trace(&trace).unwrap();
    assert_eq!(world.store.trace(trace.id).unwrap().unwrap().raw_output.as_deref(), Some("late"));
}
