//! DSPy programs in the real process: runs, fallbacks and optimizations.

use std::sync::{Arc, Mutex};

use inklings_core::program::{Metric, ProgramExample, ProgramRunner as _, StoppedBy};
use inklings_core::trace::SessionKind;
use inklings_core::{CancellationToken, Skill, TraceStatus};
use inklings_runtime::optimize::{Search, optimize};
use inklings_runtime::{Limits, RunEventKind, SkillError};
use inklings_sidecar::{DspyProcess, Launch};
use serde_json::{Value, json};

use crate::support::{Answer, EventRecorder, World, dispatcher_with, params, process, programs, skill, world};

const FRONT: &str = "---\nname: asks\ndescription: Answers questions.\n---\n\nAnswer.\n";

/// A skill with a program and its fallback prompt.
fn asks(content: &Value, metadata: &Value, state: Option<&str>) -> Skill {
    let mut program = json!({ "path": "dspy/answer.json", "kind": "dspy_module", "name": "Answer", "ordinal": 1, "metadata": metadata });
    if state.is_some() {
        program["state"] = json!("dspy/answer.state.json");
    }
    let prompt = json!({ "path": "prompts/ask.j2", "kind": "prompt_template", "name": "Ask", "ordinal": 2 });
    let declared = json!({ "artifacts": [program, prompt] }).to_string();
    let content = content.to_string();
    let mut files =
        vec![("SKILL.md", FRONT), ("dspy/answer.json", content.as_str()), ("prompts/ask.j2", "{{ question }}"), ("skill.json", &declared)];
    files.extend(state.map(|state| ("dspy/answer.state.json", state)));
    skill(&files)
}

fn predict() -> Value {
    json!({ "template_id": "predict", "signature": "question -> answer" })
}

fn with(answers: Vec<Answer>, programs: Arc<DspyProcess>) -> World {
    let mut world = world(answers);
    world.runner.dispatcher = dispatcher_with(programs);
    world
}

/// An answer in the format of the chat adapter.
const BLUE: &str = "[[ ## answer ## ]]\nblue\n\n[[ ## completed ## ]]";

#[tokio::test]
async fn a_program_runs_in_its_process_and_its_trace_has_what_was_asked() {
    let world = with(vec![Answer::Says(BLUE)], programs());
    let skill = asks(&predict(), &json!({ "assertions": [{ "type": "contains", "value": "blue" }], "fallback_artifact": "Ask" }), None);
    let request = world.request(&skill, json!({ "question": "what colour?" }));
    let (run, report) = (request.run, world.run(request).await.unwrap());
    assert_eq!(report.status, TraceStatus::Ok, "{:?}", report.error);
    assert_eq!(report.output.unwrap().value, Some(json!({ "answer": "blue" })));
    let rows = world.rows(run);
    assert_eq!(rows.len(), 2, "the skill's text and the program, nothing fell back");
    let row = &rows[1];
    assert_eq!((row.status, row.assertions_passed, row.fallback_of), (TraceStatus::Ok, 1, None));
    assert_eq!((row.usage.input_tokens, row.model_id.as_deref()), (Some(100), Some("listed-1")));
    let asked = row.rendered_input.as_deref().unwrap();
    assert!(asked.contains("what colour?") && asked.contains("--- answer\n[[ ## answer ## ]]\nblue"), "{asked}");
}

#[tokio::test]
async fn a_state_gives_instructions_and_demonstrations_and_nothing_else() {
    let state = json!({
        "dspy": "3.4.1", "template_id": "predict",
        "state": { "predict": {
            "traces": [], "train": [], "lm": { "model": "openai/gpt", "api_base": "http://evil.example" },
            "demos": [{ "question": "sky?", "answer": "azure-demo" }],
            "signature": { "instructions": "Name one colour.", "fields": [{ "prefix": "Question:", "description": "${question}" }, { "prefix": "Answer:", "description": "${answer}" }] },
        } },
    });
    let world = with(vec![Answer::Says(BLUE)], programs());
    let skill = asks(&predict(), &json!({ "fallback_artifact": "Ask" }), Some(&state.to_string()));
    let request = world.request(&skill, json!({ "question": "what colour?" }));
    let (run, report) = (request.run, world.run(request).await.unwrap());
    let row = world.rows(run).pop().unwrap();
    assert_eq!(report.status, TraceStatus::Ok, "{row:#?}");
    let asked = row.rendered_input.unwrap();
    assert!(asked.contains("Name one colour.") && asked.contains("azure-demo"), "{asked}");
    assert!(row.log.is_some_and(|log| log.contains("lm")), "what was left out is said");
}

#[tokio::test]
async fn an_answer_without_the_outputs_fails_the_program_and_does_not_fall_back() {
    let world = with(vec![Answer::Says("who knows"), Answer::Says("who knows"), Answer::Says("who knows")], programs());
    let skill = asks(&predict(), &json!({ "fallback_artifact": "Ask" }), None);
    let request = world.request(&skill, json!({ "question": "what colour?" }));
    let (run, report) = (request.run, world.run(request).await.unwrap());
    assert!(matches!(report.error, Some(SkillError::Program { .. })), "{:?}", report.error);
    assert_eq!(world.rows(run).last().unwrap().status, TraceStatus::Error);
}

#[tokio::test]
async fn an_unknown_template_is_the_artifacts_fault() {
    let world = with(vec![Answer::Says("never")], programs());
    let skill = asks(&json!({ "template_id": "magic", "signature": "question -> answer" }), &json!({ "fallback_artifact": "Ask" }), None);
    let report = world.run(world.request(&skill, json!({ "question": "what colour?" }))).await.unwrap();
    let said = report.error.unwrap().to_string();
    assert!(said.contains("magic"), "{said}");
    assert!(world.model.as_ref().unwrap().asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_process_that_breaks_is_replaced_by_the_prompt() {
    // A program that exits immediately looks like a killed process.
    let broken = inklings_sidecar::find_built().map(|launch| Launch { program: "/bin/true".into(), ..launch });
    let world = with(vec![Answer::Says("blue")], process(broken));
    let skill = asks(&predict(), &json!({ "fallback_artifact": "Ask" }), None);
    let request = world.request(&skill, json!({ "question": "what colour?" }));
    let (run, report) = (request.run, world.run(request).await.unwrap());
    assert_eq!(report.status, TraceStatus::Ok, "{:?}", report.error);
    let rows = world.rows(run);
    let (program, stand_in) = (&rows[1], &rows[2]);
    assert_eq!((program.status, stand_in.status), (TraceStatus::Fallback, TraceStatus::Ok));
    assert_eq!(stand_in.fallback_of, Some(program.id));
    assert!(program.error.as_deref().unwrap().contains("DSPy is unavailable"), "{:?}", program.error);
}

fn example(question: &str, answer: &str) -> ProgramExample {
    ProgramExample { inputs: params(json!({ "question": question })), outputs: params(json!({ "answer": answer })) }
}

fn search() -> Search {
    Search {
        trainset: vec![example("sky?", "blue"), example("sea?", "blue")],
        valset: vec![example("jeans?", "blue")],
        metric: Metric::Exact { field: "answer".to_owned() },
        optimizer: "labeled_few_shot".to_owned(),
        options: params(json!({})),
        seed: 1,
        max_calls: None,
    }
}

#[tokio::test]
async fn an_optimization_proposes_and_its_trace_says_what_it_cost() {
    let world = with((0..40).map(|_| Answer::Says(BLUE)).collect(), programs());
    let skill = asks(&predict(), &json!({}), None);
    let mut request = world.request(&skill, json!({}));
    request.artifact = Some("Answer".to_owned());
    let run = request.run;
    let received = EventRecorder(Mutex::default(), |_: &_| ());
    let process = programs();
    let optimized = optimize(&world.runner, request, search(), process.as_ref(), &world.recorder, &received).await;
    let (report, found) = optimized.unwrap();
    assert_eq!(report.status, TraceStatus::Ok, "{:?}", report.error);
    let found = found.unwrap();
    assert_eq!(found.predictors[0].demos.len(), 2, "{found:?}");
    assert!(found.predictors_before[0].demos.is_empty());
    assert!((found.validation.unwrap().after - 1.0).abs() < f64::EPSILON);
    let rows = world.rows(run);
    assert_eq!((rows.len(), rows[0].status, &rows[0].params), (1, TraceStatus::Ok, &None));
    assert_eq!(report.usage.output_tokens, rows[0].usage.output_tokens);
    assert!(report.usage.output_tokens.unwrap() >= 10);
    let events = received.0.into_inner().unwrap();
    assert!(events.iter().any(|event| matches!(event.what, RunEventKind::Trial { .. })));
    let raw = rusqlite::Connection::open(world.store.path()).unwrap();
    let kind: String = raw.query_row("SELECT kind FROM sessions", [], |row| row.get(0)).unwrap();
    assert_eq!(kind, SessionKind::Optimization.as_str());
}

#[tokio::test]
async fn an_optimization_whose_time_is_over_hands_over_what_it_found() {
    let mut answers: Vec<_> = (0..4).map(|_| Answer::Says(BLUE)).collect();
    answers.push(Answer::Hangs(""));
    let world = with(answers, programs());
    let mut request = world.request(&asks(&predict(), &json!({}), None), json!({}));
    request.artifact = Some("Answer".to_owned());
    request.limits = Limits { seconds: Some(5), ..Limits::default() };
    let run = request.run;
    let process = programs();
    let search = Search { optimizer: "bootstrap_few_shot_random_search".to_owned(), ..search() };
    let optimized = optimize(&world.runner, request, search, process.as_ref(), &world.recorder, &inklings_runtime::NoopListener).await;
    let (report, found) = optimized.unwrap();
    assert_eq!(report.status, TraceStatus::Ok, "{:?}", report.error);
    assert_eq!(found.unwrap().stopped, Some(StoppedBy::Budget));
    let row = world.rows(run).pop().unwrap();
    assert_eq!(row.usage.input_tokens, Some(400), "what was paid is there");
    assert!(row.rendered_input.is_some_and(|asked| asked.contains("call 4")));
}

#[tokio::test]
async fn a_program_that_is_stopped_keeps_what_it_asked_and_paid() {
    let cancel = CancellationToken::new();
    let world = with(vec![Answer::Says(BLUE), Answer::Stops(cancel.clone())], programs());
    let skill = asks(
        &json!({ "template_id": "best_of_n", "signature": "question -> answer" }),
        &json!({ "assertions": [{ "type": "contains", "value": "red" }] }),
        None,
    );
    let mut request = world.request(&skill, json!({ "question": "what colour?" }));
    let run = request.run;
    request.cancel = cancel;
    assert_eq!(world.run(request).await.unwrap().status, TraceStatus::Cancelled);
    let row = world.rows(run).pop().unwrap();
    assert_eq!((row.status, row.usage.input_tokens), (TraceStatus::Cancelled, Some(100)));
    assert!(row.rendered_input.is_some_and(|asked| asked.contains("what colour?")));
}

#[tokio::test]
async fn what_cannot_be_optimized_is_refused_before_anything_is_asked() {
    let world = with(vec![Answer::Says("never")], programs());
    let skill = asks(&predict(), &json!({}), None);
    let process = programs();
    for (artifact, said) in [("Ask", "only DSPy modules"), ("Nothing", "not found")] {
        let mut request = world.request(&skill, json!({}));
        request.artifact = Some(artifact.to_owned());
        let refused = optimize(&world.runner, request, search(), process.as_ref(), &world.recorder, &inklings_runtime::NoopListener).await;
        let text = refused.unwrap_err().to_string();
        assert!(text.contains(said), "{text}");
    }
    let absent = self::process(None);
    let mut request = world.request(&skill, json!({}));
    request.artifact = Some("Answer".to_owned());
    let refused = optimize(&world.runner, request, search(), absent.as_ref(), &world.recorder, &inklings_runtime::NoopListener).await;
    assert!(refused.unwrap_err().to_string().contains("DSPy is unavailable"), "{:?}", absent.status());
    assert!(world.model.as_ref().unwrap().asked.lock().unwrap().is_empty());
}
