//! Runs and their traces.

use std::sync::Mutex;
use std::sync::atomic::Ordering;

use inklings_core::model::{Finish, Part, Role};
use inklings_core::trace::{Outcome, StatsBy, TraceFilter};
use inklings_core::{ArtifactKind, LanguageModel as _, ModelError, TraceStatus, TraceStore as _};
use inklings_runtime::{Limits, RunEventKind, RunRequest, SkillError};
use serde_json::{Map, Value, json};

use crate::support::{Answer, EventRecorder, seed, skill, world};

const HOUR_MS: i64 = 3_600_000;

const FRONT: &str = "---\nname: tested\ndescription: Is tested.\n---\n\nDo it well.\n";

fn prompt(metadata: &Value) -> inklings_core::Skill {
    let json = json!({ "artifacts": [
        { "path": "prompts/ask.j2", "kind": "prompt_template", "name": "Ask", "ordinal": 1, "metadata": metadata },
    ] });
    skill(&[("SKILL.md", FRONT), ("prompts/ask.j2", "Ask about {{ topic }}."), ("skill.json", &json.to_string())])
}

#[tokio::test]
async fn each_artifact_has_a_row_and_all_share_a_session() {
    let world = world(vec![Answer::Says("{\"contradictions\": []} and some words")]);
    let checker = seed("consistency-checker");
    let claims = json!({ "entity_name": "Ann", "claims": [{ "page_name": "A", "text": "born 1802" }] });
    let request = RunRequest { artifact: Some("Check Prompt".to_owned()), ..world.request(&checker, claims.clone()) };
    let (run, report) = (request.run, world.run(request).await.unwrap());
    let rows = world.rows(run);
    let kinds: Vec<_> = rows.iter().map(|row| row.artifact_kind).collect();
    assert_eq!(kinds, [ArtifactKind::Description, ArtifactKind::Approach, ArtifactKind::Example, ArtifactKind::PromptTemplate]);
    assert!(rows.iter().all(|row| row.session_id == report.session && row.skill.revision == 3));
    assert_eq!(rows.iter().filter(|row| row.params.is_some()).count(), 1);
    assert_eq!(serde_json::to_value(&rows[0].params).unwrap(), claims);
    let last = rows.last().unwrap();
    assert_eq!((last.usage.input_tokens.unwrap() > 0, last.model_id.as_deref()), (true, Some("listed-1")));
    assert_eq!(last.variant.as_deref(), Some("anthropic"));
    assert!(rows[0].usage.input_tokens.unwrap() > 0 && rows[0].usage.cost.is_none());
}

#[tokio::test]
async fn the_prompt_is_sent_after_instructions_and_examples() {
    let world = world(vec![Answer::Says("fine")]);
    let checker = seed("consistency-checker");
    let claims = json!({ "entity_name": "Ann", "claims": [{ "page_name": "A", "text": "born 1802" }] });
    let request = RunRequest { artifact: Some("Check Prompt".to_owned()), ..world.request(&checker, claims) };
    world.run(request).await.unwrap();
    let asked = world.asked();
    let approach = checker.package.artifacts.iter().find(|one| one.kind == ArtifactKind::Approach).unwrap();
    assert!(asked.system.ends_with(approach.content.trim()), "{}", asked.system);
    let roles: Vec<_> = asked.messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::User]);
    let Part::Text { text } = &asked.messages[0].parts[0] else { panic!("no text") };
    assert!(
        text.contains("Ansel Roake was born in 1802") && text.contains("<output_format>"),
        "the example is shown as the prompt would ask it: {text}"
    );
}

#[tokio::test]
async fn a_program_that_cant_run_falls_back_and_says_so() {
    let world = world(vec![Answer::Says("{\"contradictions\": [{\"pages\": [\"A\"], \"explanation\": \"x\"}]}"), Answer::Says("yes")]);
    let checker = seed("consistency-checker");
    let claims = json!({ "entity_name": "Ann", "claims": [{ "page_name": "A", "text": "born 1802" }] });
    let request = world.request(&checker, claims);
    let (run, report) = (request.run, world.run(request).await.unwrap());
    assert_eq!(report.status, TraceStatus::Ok, "{:?}", report.error);
    let rows = world.rows(run);
    assert_eq!(rows.len(), 5, "description, approach, example, program, prompt");
    let (program, stand_in) = (&rows[3], &rows[4]);
    assert_eq!((program.artifact_kind, program.status), (ArtifactKind::DspyModule, TraceStatus::Fallback));
    assert!(program.error.as_deref().unwrap().contains("not installed"));
    assert_eq!((stand_in.fallback_of, stand_in.status), (Some(program.id), TraceStatus::Ok));
    let summary = world.store.runs(&TraceFilter::default(), None, 10).unwrap().items.remove(0);
    assert!(summary.fell_back && summary.status == TraceStatus::Ok && summary.error.is_none());
    // The same row includes the usage of the judge.
    assert_eq!(stand_in.usage.input_tokens, Some(200));
    assert_eq!(summary.usage.input_tokens, Some(200), "what only goes along isn't counted twice");
}

#[tokio::test]
async fn a_clock_that_is_set_while_a_run_goes_on_changes_no_duration() {
    let entries: Vec<_> = ["One", "Two", "Three"]
        .iter()
        .map(|name| json!({ "path": format!("prompts/{name}.j2"), "kind": "prompt_template", "name": name }))
        .collect();
    let skill_json = json!({ "artifacts": entries }).to_string();
    let files = [
        ("SKILL.md", FRONT),
        ("skill.json", &skill_json),
        ("prompts/One.j2", "One."),
        ("prompts/Two.j2", "Two."),
        ("prompts/Three.j2", "Three."),
    ];
    let three = skill(&files);
    for hours in [-5, 5] {
        let world = world(vec![Answer::Says("1"), Answer::Says("2"), Answer::Says("3")]);
        let clock = world.clock.clone();
        // During each step, and between two steps.
        let events = EventRecorder(Mutex::default(), move |event| {
            if matches!(event.what, RunEventKind::Rendered { .. } | RunEventKind::Ended { .. }) {
                clock.jump(hours);
            }
        });
        let request = world.request(&three, json!({}));
        let run = request.run;
        world.runner.run(request, &world.recorder, &events).await.unwrap();
        let rows = world.rows(run);
        let names: Vec<_> =
            rows.iter().filter(|row| row.artifact_kind == ArtifactKind::PromptTemplate).map(|row| &row.artifact_name).collect();
        assert_eq!(names, ["One", "Two", "Three"]);
        for row in &rows {
            let (end, took) = (row.completed_at.unwrap().millis(), row.duration_ms.unwrap());
            assert!((0..HOUR_MS).contains(&took) && end - row.started_at.millis() == took, "{took}");
        }
        let whole = world.store.runs(&TraceFilter::default(), None, 10).unwrap().items.remove(0);
        let took = rows.iter().map(|row| row.duration_ms.unwrap()).sum();
        assert_eq!(whole.duration_ms, Some(took));
        assert!(whole.completed_at.unwrap() >= whole.started_at);
        let mean = world.store.trace_stats(&TraceFilter::default(), StatsBy::Skill).unwrap().remove(0).mean_ms;
        assert!(mean.is_some_and(|mean| (0.0..3_600_000.0).contains(&mean)), "{mean:?}");
    }
}

#[tokio::test]
async fn without_a_fallback_the_missing_part_is_named() {
    let world = world(vec![Answer::Says("never")]);
    let json = json!({ "artifacts": [{ "path": "dspy/a.json", "kind": "dspy_module", "name": "Answer", "ordinal": 1 }] });
    let program = r#"{"template_id": "predict", "signature": "question -> answer"}"#;
    let skill = skill(&[("SKILL.md", FRONT), ("dspy/a.json", program), ("skill.json", &json.to_string())]);
    let refused = world.run(world.request(&skill, json!({ "question": "why" }))).await;
    assert!(matches!(&refused, Err(SkillError::Unavailable { artifact, .. }) if artifact == "Answer"), "{refused:?}");
    assert!(world.store.runs(&TraceFilter::default(), None, 10).unwrap().items.is_empty(), "nothing was paid for");
}

/// A schema for `topic` whose parts are checked twice at each level of the value.
fn multiplying() -> Value {
    let mut parts: Map<String, Value> = (0..40)
        .map(|level| {
            let next = json!({ "items": { "$ref": format!("#/$defs/d{}", level + 1) } });
            (format!("d{level}"), json!({ "allOf": [next, next] }))
        })
        .collect();
    parts.insert("d40".to_owned(), json!({ "type": "string" }));
    json!({ "properties": { "topic": { "$ref": "#/$defs/d0" } }, "$defs": parts })
}

fn deep(levels: usize) -> Value {
    (0..levels).fold(json!("x"), |inner, _| json!([inner]))
}

#[tokio::test]
async fn nothing_is_executed_when_a_value_is_missing_or_unfit() {
    let world = world(vec![Answer::Says("never")]);
    let refused = world.run(world.request(&prompt(&json!({})), json!({}))).await;
    assert!(matches!(&refused, Err(SkillError::Missing(gaps)) if gaps[0].variable == "topic"), "{refused:?}");
    let typed = prompt(&json!({ "params": { "type": "object", "properties": { "topic": { "type": "string" } } } }));
    let refused = world.run(world.request(&typed, json!({ "topic": 3 }))).await;
    assert!(matches!(&refused, Err(SkillError::BadParameter { name, .. }) if name == "topic"), "{refused:?}");
    assert!(world.store.runs(&TraceFilter::default(), None, 10).unwrap().items.is_empty());
    let referring =
        prompt(&json!({ "params": { "$defs": { "n": { "type": "integer" } }, "properties": { "topic": { "$ref": "#/$defs/n" } } } }));
    let refused = world.run(world.request(&referring, json!({ "topic": "three" }))).await;
    assert!(matches!(&refused, Err(SkillError::BadParameter { name, .. }) if name == "topic"), "{refused:?}");
    let refused = world.run(world.request(&prompt(&json!({ "params": multiplying() })), json!({ "topic": deep(40) }))).await;
    assert!(matches!(&refused, Err(SkillError::UncheckedParameters(_))), "{refused:?}");
    let refused = world.run(world.request(&prompt(&json!({})), json!({ "topic": "x", "outputs": 1 }))).await;
    assert!(matches!(&refused, Err(SkillError::BadParameter { name, .. }) if name == "outputs"), "{refused:?}");
    let free = Limits { cost: Some(f64::NAN), ..Limits::default() };
    let refused = world.run(RunRequest { limits: free, ..world.request(&prompt(&json!({})), json!({ "topic": "x" })) }).await;
    assert!(matches!(refused, Err(SkillError::BadParameter { .. })));
    let deep = RunRequest { depth: 8, ..world.request(&prompt(&json!({})), json!({ "topic": "bees" })) };
    assert!(matches!(world.run(deep).await, Err(SkillError::TooDeep { limit: 8 })));
}

#[tokio::test]
async fn without_a_model_what_would_be_sent_is_kept() {
    let world = world(Vec::new());
    let request = world.request(&prompt(&json!({})), json!({ "topic": "bees" }));
    let (run, report) = (request.run, world.run(request).await.unwrap());
    assert!(matches!(report.error, Some(SkillError::Model(ModelError::NotConfigured))));
    let last = world.rows(run).pop().unwrap();
    assert!(last.rendered_input.unwrap().contains("Ask about bees."));
    assert_eq!(last.status, TraceStatus::Error);
}

#[tokio::test]
async fn a_stopped_run_keeps_what_it_received() {
    let world = world(vec![Answer::Hangs("half an ans")]);
    let request = world.request(&prompt(&json!({})), json!({ "topic": "bees" }));
    let (run, cancel) = (request.run, request.cancel.clone());
    let events = EventRecorder(Mutex::default(), move |event| {
        if matches!(event.what, RunEventKind::Text { .. }) {
            cancel.cancel();
        }
    });
    let report = world.runner.run(request, &world.recorder, &events).await.unwrap();
    assert_eq!(report.status, TraceStatus::Cancelled);
    let last = world.rows(run).pop().unwrap();
    assert_eq!((last.status, last.raw_output.as_deref()), (TraceStatus::Cancelled, Some("half an ans")));
    let seqs: Vec<_> = events.0.lock().unwrap().iter().map(|event| event.seq).collect();
    assert_eq!(seqs, (0..u64::try_from(seqs.len()).unwrap()).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_hard_assertion_stops_the_run_and_keeps_the_rows() {
    let metadata = json!({ "assertions": [
        { "type": "contains", "value": "honey", "severity": "hard" },
        { "type": "contains", "value": "wax" },
    ] });
    let world = world(vec![Answer::Says("only wax")]);
    let request = world.request(&prompt(&metadata), json!({ "topic": "bees" }));
    let (run, report) = (request.run, world.run(request).await.unwrap());
    assert!(matches!(&report.error, Some(SkillError::Assertion { artifact, .. }) if artifact == "Ask"), "{:?}", report.error);
    assert_eq!(report.output.unwrap().text, "only wax");
    let last = world.rows(run).pop().unwrap();
    assert_eq!((last.assertions_run, last.assertions_passed, last.status), (2, 1, TraceStatus::Error));
    assert_eq!(last.verdicts[0].outcome, Outcome::Failed);
    assert_eq!(last.raw_output.as_deref(), Some("only wax"));
}

#[tokio::test]
async fn a_run_looks_for_its_model_once() {
    let rubric = json!({ "type": "llm-rubric", "value": "is about honey" });
    for by_name in [false, true] {
        let world = world(vec![Answer::Says("honey"), Answer::Says("{\"reason\": \"it is\", \"score\": 5}")]);
        let request = world.request(&prompt(&json!({ "assertions": [rubric] })), json!({ "topic": "bees" }));
        let model = by_name.then(|| world.model.as_ref().unwrap().id().clone());
        let report = world.run(RunRequest { model, ..request }).await.unwrap();
        let last = report.traces.last().unwrap();
        assert_eq!((last.assertions_run, last.assertions_passed), (1, 1), "{:?}", last.verdicts);
        assert_eq!(world.lookups.load(Ordering::Relaxed), 1, "to choose variants, to answer and to judge");
    }
}

#[tokio::test]
async fn secrets_stay_out_and_long_texts_are_cut() {
    let world = world(vec![Answer::Says("your key is my-very-own-key indeed")]);
    let request = world.request(&prompt(&json!({})), json!({ "topic": "my-very-own-key", "more": "x".repeat(300 * 1024) }));
    let run = request.run;
    world.run(request).await.unwrap();
    let rows = world.rows(run);
    let text = serde_json::to_string(&rows).unwrap();
    assert!(!text.contains("my-very-own-key") && text.contains("[redacted]"));
    assert!(!std::fs::read(world.store.path()).unwrap().windows(15).any(|part| part == b"my-very-own-key"));
    for (bytes, is_cut) in [(262_144, false), (262_145, true)] {
        let mut text = "longs ".repeat(50_000);
        text.truncate(bytes);
        let world = crate::support::world(vec![Answer::Says(String::leak(text.clone()))]);
        let request = world.request(&prompt(&json!({})), json!({ "topic": "bees" }));
        let run = request.run;
        world.run(request).await.unwrap();
        let last = world.rows(run).pop().unwrap();
        let kept = if is_cut { format!("{}\n[truncated]", &text[..262_144]) } else { text };
        assert!(last.truncated == is_cut && last.raw_output == Some(kept), "{bytes}");
    }
}

#[tokio::test]
async fn an_assertion_that_a_limit_kept_from_being_checked_does_not_hold() {
    let metadata =
        json!({ "assertions": [{ "type": "semantic", "check": "llm_eval", "prompt": "Fine?", "expected": "yes", "severity": "hard" }] });
    let world = world(vec![Answer::Says("first"), Answer::Says("yes")]);
    let request = world.request(&prompt(&metadata), json!({ "topic": "bees" }));
    let report = world.run(RunRequest { limits: Limits { tokens: Some(50), ..Limits::default() }, ..request }).await.unwrap();
    assert!(matches!(report.error, Some(SkillError::Budget { .. })), "{:?}", report.error);
    assert_eq!(report.output.unwrap().text, "first");
}

#[tokio::test]
async fn a_run_stops_at_its_limit() {
    let json = json!({ "run": ["One", "Two"], "artifacts": [
        { "path": "prompts/one.j2", "kind": "prompt_template", "name": "One", "ordinal": 1 },
        { "path": "prompts/two.j2", "kind": "prompt_template", "name": "Two", "ordinal": 2 },
    ] });
    let files = [
        ("SKILL.md", FRONT),
        ("prompts/one.j2", "One."),
        ("prompts/two.j2", "After {{ outputs.one }}."),
        ("skill.json", &json.to_string()),
    ];
    let both = world(vec![Answer::Says("first"), Answer::Says("second")]);
    let report = both.run(both.request(&skill(&files), json!({}))).await.unwrap();
    assert_eq!(report.output.unwrap().text, "second");
    assert!(both.model.as_ref().unwrap().asked.lock().unwrap()[1].messages[0].parts == [Part::Text { text: "After first.".to_owned() }]);
    assert!((report.usage.cost.unwrap() - 2.0 * 0.0002).abs() < 1e-9);
    let world = world(vec![Answer::Says("first"), Answer::Says("second")]);
    let request = RunRequest { limits: Limits { tokens: Some(100), ..Limits::default() }, ..world.request(&skill(&files), json!({})) };
    let (run, report) = (request.run, world.run(request).await.unwrap());
    assert!(matches!(report.error, Some(SkillError::Budget { .. })), "{:?}", report.error);
    assert_eq!(world.rows(run).len(), 3);
    assert_eq!(world.model.as_ref().unwrap().asked.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_request_for_which_a_limit_leaves_too_little_is_not_sent() {
    for limits in [Limits { tokens: Some(1), ..Limits::default() }, Limits { cost: Some(0.000_001), ..Limits::default() }] {
        let world = world(vec![Answer::Says("never")]);
        let request = world.request(&prompt(&json!({})), json!({ "topic": "bees" }));
        let report = world.run(RunRequest { limits, ..request }).await.unwrap();
        let error = report.error.unwrap().to_string();
        assert!(error.contains("too little is left for a request of about"), "{error}");
        assert!(world.model.as_ref().unwrap().asked.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn an_answer_gets_what_the_limits_leave_and_a_run_that_exceeds_them_says_so() {
    let run = async |answer, tokens| {
        let world = world(vec![answer]);
        let request = world.request(&prompt(&json!({})), json!({ "topic": "bees" }));
        let report = world.run(RunRequest { limits: Limits { tokens: Some(tokens), ..Limits::default() }, ..request }).await.unwrap();
        let row = world.rows(report.run).pop().unwrap();
        assert_eq!((row.status, row.raw_output.as_deref()), (report.status, Some("all of it")), "the output is kept");
        assert_eq!(report.output.unwrap().text, "all of it");
        (report.error.map(|error| error.to_string()), world.asked().max_tokens)
    };
    let (error, most) = run(Answer::Says("all of it"), 105).await;
    assert!(error.is_some_and(|error| error.contains("105 tokens")) && most.is_some_and(|most| most < 105), "it used 110");
    let (error, most) = run(Answer::Ends("all of it", Finish::Length), 1_000).await;
    assert!(error.is_some_and(|error| error.contains("1000 tokens")) && most.is_some_and(|most| most < 1_000), "the limit cut it off");
    let ended = run(Answer::Ends("all of it", Finish::Length), 1_000_000).await;
    assert_eq!(ended, (None, None), "the model's own limit is below what is left");
}

#[tokio::test]
async fn an_open_row_is_interrupted_once_its_process_has_ended() {
    let world = world(vec![Answer::Hangs("")]);
    let request = world.request(&prompt(&json!({})), json!({ "topic": "bees" }));
    let run = request.run;
    {
        let mut active = Box::pin(world.run(request));
        while world.rows(run).len() < 2 {
            tokio::select! { _ = &mut active => panic!("it hangs"), () = tokio::task::yield_now() => {} }
        }
    }
    assert_eq!(world.store.mark_interrupted().unwrap(), 0, "it is this process's own");
    let other = world.store("other");
    assert_eq!(other.mark_interrupted().unwrap(), 0, "its process is there");
    world.store.close();
    assert_eq!(other.mark_interrupted().unwrap(), 1);
    let last = world.rows(run).pop().unwrap();
    assert_eq!((last.status, last.error.is_some()), (TraceStatus::Interrupted, true));
}
