//! Steps, their order, and refusals before anything executes.

use inklings_core::ArtifactKind;
use inklings_prompt::PromptEngine;
use inklings_runtime::SkillError;
use inklings_runtime::plan::{Plan, PlanRequest, plan};
use serde_json::{Value, json};

use crate::support::{dispatcher, params, seed, skill};

fn planned(skill: &inklings_core::Skill, artifact: Option<&str>, given: Value) -> Result<Plan, SkillError> {
    let given = params(given);
    let request = PlanRequest { package: &skill.package, artifact, params: &given, family: Some("anthropic") };
    plan(request, &dispatcher(), &PromptEngine::new())
}

fn names(plan: &Plan) -> Vec<&str> {
    plan.steps.iter().filter(|step| !step.context).map(|step| step.name.as_str()).collect()
}

fn gaps(plan: &Plan) -> Vec<String> {
    plan.missing.iter().map(|gap| format!("{}:{}", gap.artifact, gap.variable)).collect()
}

const FRONT: &str = "---\nname: tested\ndescription: Is tested.\n---\n\nDo it well.\n";

fn skill_json(artifacts: &Value) -> String {
    json!({ "artifacts": artifacts }).to_string()
}

#[test]
fn an_artifact_waits_for_the_one_that_gives_what_it_needs() {
    let json = skill_json(&json!([
        { "path": "prompts/judge.j2", "kind": "prompt_template", "name": "Judge", "ordinal": 1 },
        { "path": "scripts/collect.py", "kind": "code_template", "name": "Collect", "ordinal": 2 },
    ]));
    let files = [("SKILL.md", FRONT), ("prompts/judge.j2", "Judge {{ claims }}"), ("scripts/collect.py", "x = '{{ topic }}'\n")];
    let skill = skill(&[&files[..], &[("skill.json", json.as_str())]].concat());
    let made = planned(&skill, None, json!({ "topic": "bees" })).unwrap();
    assert_eq!(names(&made), ["Collect", "Judge"]);
    assert_eq!(gaps(&made), [""; 0]);
    // With all values given, the order is as written.
    assert_eq!(names(&planned(&skill, None, json!({ "topic": "bees", "claims": 1 })).unwrap()), ["Judge", "Collect"]);
    // Declared outputs are the only ones.
    let json = skill_json(&json!([
        { "path": "prompts/judge.j2", "kind": "prompt_template", "name": "Judge", "ordinal": 1 },
        { "path": "scripts/collect.py", "kind": "code_template", "name": "Collect", "ordinal": 2, "metadata": { "outputs": ["pages"] } },
    ]));
    let skill = crate::support::skill(&[&files[..], &[("skill.json", json.as_str())]].concat());
    let made = planned(&skill, None, json!({ "topic": "bees" })).unwrap();
    assert_eq!(gaps(&made), ["Judge:claims"]);
    let refused = made.ready().unwrap_err().to_string();
    assert!(refused.contains("Judge") && refused.contains("claims"), "{refused}");
}

#[test]
fn the_shipped_checker_can_be_given_its_claims() {
    let skill = seed("consistency-checker");
    let made = planned(&skill, None, json!({ "entity_name": "Ann", "claims": [{ "page_name": "A", "text": "b" }] })).unwrap();
    assert_eq!(names(&made), ["DSPy Checker"]);
    assert!(made.ready().is_ok());
    assert_eq!(made.steps.last().unwrap().fallback.as_ref().unwrap().as_str(), "prompts/check-prompt.anthropic.j2");
    let out: Vec<_> = made.skipped.iter().map(|one| one.name.as_str()).collect();
    assert!(out.contains(&"Cross-Reference Script") && out.contains(&"Check Prompt"), "{out:?}");
    assert_eq!(names(&planned(&skill, None, json!({ "entity_type": "person" })).unwrap()), ["Cross-Reference Script", "DSPy Checker"]);
    // The page type has a default; the claims come from the script.
    assert_eq!(gaps(&planned(&skill, None, json!({})).unwrap()), [""; 0]);
}

#[test]
fn a_programs_fallback_only_stands_in() {
    let json = skill_json(&json!([
        { "path": "prompts/ask.j2", "kind": "prompt_template", "name": "Ask", "ordinal": 1 },
        { "path": "dspy/answer.json", "kind": "dspy_module", "name": "Answer", "ordinal": 2, "metadata": { "fallback_artifact": "Ask" } },
    ]));
    let program = r#"{"template_id": "predict", "signature": "question -> answer"}"#;
    let files = [("SKILL.md", FRONT), ("prompts/ask.j2", "{{ question }}"), ("dspy/answer.json", program), ("skill.json", json.as_str())];
    let made = planned(&skill(&files), None, json!({ "question": "why" })).unwrap();
    assert_eq!(names(&made), ["Answer"]);
    assert_eq!(made.skipped[0].name, "Ask");
    // It runs if requested by name.
    assert_eq!(names(&planned(&skill(&files), Some("Ask"), json!({ "question": "why" })).unwrap()), ["Ask"]);
    let refused = planned(&skill(&files), Some("Nobody"), json!({}));
    assert!(matches!(refused, Err(SkillError::NoArtifact(_))), "{refused:?}");
}

#[test]
fn a_variant_is_chosen_for_the_model_and_defaults_are_taken() {
    let json = skill_json(&json!([
        { "path": "prompts/ask.j2", "kind": "prompt_template", "name": "Ask", "ordinal": 1,
          "metadata": { "params": { "type": "object", "properties": { "tone": { "type": "string", "default": "calm" } } } } },
        { "path": "prompts/ask.anthropic.j2", "kind": "prompt_template", "name": "Ask", "ordinal": 1, "variant": "anthropic",
          "metadata": { "params": { "type": "object", "properties": { "tone": { "type": "string", "default": "calm" } } } } },
    ]));
    let files = [
        ("SKILL.md", FRONT),
        ("prompts/ask.j2", "{{ tone }}"),
        ("prompts/ask.anthropic.j2", "claude: {{ tone }}"),
        ("skill.json", json.as_str()),
    ];
    let made = planned(&skill(&files), None, json!({})).unwrap();
    assert_eq!(made.steps.last().unwrap().path.as_str(), "prompts/ask.anthropic.j2");
    assert!(made.ready().is_ok());
}

#[test]
fn a_skill_of_texts_answers_a_message() {
    let texts = seed("quarterly-report-standards");
    let made = planned(&texts, None, json!({})).unwrap();
    assert!(matches!(made.ready(), Err(SkillError::Missing(_))));
    assert_eq!(gaps(&made), ["Overview:message"]);
    let made = planned(&texts, None, json!({"message": "hi"})).unwrap();
    assert_eq!((names(&made), made.steps[0].context, made.ready().is_ok()), (vec!["Overview"], false, true));
}

#[test]
fn instructions_answer_a_message_where_they_are_asked_alone() {
    let checker = seed("consistency-checker");
    let made = planned(&checker, Some("SKILL.md"), json!({"message": "hi"})).unwrap();
    assert_eq!((names(&made), made.ready().is_ok()), (vec!["Overview"], true), "without the approach and the example");
    let whole = planned(&checker, None, json!({"message": "hi"})).unwrap();
    assert!(whole.steps.len() > 3 && whole.steps[0].context, "the whole skill runs its artifacts");
    let approach = planned(&checker, Some("approach/verification.md"), json!({"message": "hi"})).unwrap();
    assert!(matches!(approach.ready(), Err(SkillError::NothingToRun)));
}

#[test]
fn the_output_of_an_artifact_is_waited_for_and_must_exist() {
    let json = skill_json(&json!([
        { "path": "prompts/first.j2", "kind": "prompt_template", "name": "First", "ordinal": 1 },
        { "path": "prompts/second.j2", "kind": "prompt_template", "name": "Second One", "ordinal": 2 },
    ]));
    let of = |first: &str| {
        let files = [("SKILL.md", FRONT), ("prompts/first.j2", first), ("prompts/second.j2", "Say hi."), ("skill.json", json.as_str())];
        planned(&skill(&files), None, json!({})).unwrap()
    };
    assert_eq!(names(&of("Use {{ outputs.second_one }}.")), ["Second One", "First"]);
    assert_eq!(gaps(&of("Use {{ outputs.nobody }}.")), ["First:outputs.nobody"]);
}

#[test]
fn what_improves_on_something_given_stays() {
    let json = skill_json(&json!([
        { "path": "prompts/judge.j2", "kind": "prompt_template", "name": "Judge", "ordinal": 1 },
        { "path": "scripts/refine.py", "kind": "code_template", "name": "Refine", "ordinal": 2, "metadata": { "outputs": ["draft"] } },
    ]));
    let files =
        [("SKILL.md", FRONT), ("prompts/judge.j2", "Judge {{ draft }}"), ("scripts/refine.py", "x = 1\n"), ("skill.json", json.as_str())];
    assert_eq!(names(&planned(&skill(&files), None, json!({ "draft": "x" })).unwrap()), ["Judge", "Refine"]);
}

#[test]
fn a_written_order_is_kept_even_where_a_name_stands_twice() {
    let json = json!({ "run": ["Two", "One", "Two"], "artifacts": [
        { "path": "prompts/one.j2", "kind": "prompt_template", "name": "One", "ordinal": 1 },
        { "path": "prompts/two.j2", "kind": "prompt_template", "name": "Two", "ordinal": 2 },
    ] });
    let files = [("SKILL.md", FRONT), ("prompts/one.j2", "One."), ("prompts/two.j2", "Two."), ("skill.json", &json.to_string())];
    assert_eq!(names(&planned(&skill(&files), None, json!({})).unwrap()), ["Two", "One", "Two"]);
}

#[test]
fn every_kind_has_exactly_one_handler() {
    let sandbox = std::sync::Arc::new(inklings_sandbox::PythonSandbox::new(None));
    let kinds: Vec<_> =
        inklings_runtime::handlers::all(sandbox, crate::support::process(None)).iter().map(|handler| handler.kind()).collect();
    for kind in ArtifactKind::ALL {
        assert_eq!(kinds.iter().filter(|known| **known == kind).count(), 1, "{}", kind.as_str());
    }
    assert_eq!(kinds.len(), ArtifactKind::ALL.len());
}
