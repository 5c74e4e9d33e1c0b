//! What a case runs, what of a run becomes a case, and what runs cost.

use inklings_testkit::{Action, Reply, Script, Step, Tokens};
use serde_json::{Value, json};

use super::{Evaluated, always, evaluated, evaluated_in, good, rates, refusal};
use crate::support::{World, arg, finish};

/// Imports a skill with these artifacts and cases.
fn import(world: &World, name: &str, artifacts: &Value, files: &[(&str, &str)], cases: &Value) {
    let file = |path: &str, text: &str| world.file(&format!("skills/{name}/{path}"), text);
    file("SKILL.md", &format!("---\nname: {name}\ndescription: Answers about a topic. Use when {name} is asked for.\n---\n\nBe brief.\n"));
    file("skill.json", &json!({ "artifacts": artifacts }).to_string());
    file("evals/evals.json", &cases.to_string());
    for (path, text) in files {
        file(path, text);
    }
    let imported = finish(world.command().args(["import", arg(&world.root.path().join("skills").join(name))]));
    assert!(imported.ok, "{imported:?}");
}

fn prompt(path: &str, name: &str) -> Value {
    json!({ "path": path, "kind": "prompt_template", "name": name })
}

/// A skill of two prompts.
async fn two_steps(step: Step) -> Evaluated {
    let evaluated = evaluated(&good(), [step]).await;
    let files = [("prompts/a.j2", "STEPONE {{ topic }}"), ("prompts/b.j2", "STEPTWO {{ outputs.first }}")];
    let cases = json!([{ "id": 1, "input": { "topic": "x" }, "assertions": good() }]);
    import(&evaluated.world, "twostep", &json!([prompt(files[0].0, "First"), prompt(files[1].0, "Second")]), &files, &cases);
    evaluated
}

#[tokio::test(flavor = "multi_thread")]
async fn the_checks_of_a_case_hold_for_the_fallback_of_a_program() {
    let evaluated = evaluated_in(World::without_the_process(), &good(), [always("Something else.")]).await;
    let program = json!({ "path": "dspy/q.json", "kind": "dspy_module", "name": "Q", "metadata": { "fallback_artifact": "Fall" } });
    let files = [("dspy/q.json", r#"{"template_id": "predict", "signature": "question -> answer"}"#), ("prompts/f.j2", "{{ question }}")];
    let cases = json!([
        { "id": 1, "input": { "question": "Why?" }, "assertions": good() },
        { "id": 2, "artifact": "Q", "input": { "question": "Where?" }, "assertions": good() }
    ]);
    import(&evaluated.world, "program", &json!([program, prompt("prompts/f.j2", "Fall")]), &files, &cases);
    let (report, _) = evaluated.eval(&["run", "program", "--without-baseline"]);
    assert_eq!((rates(&report), &report["variants"][0]["rate"]["cases"]), (vec![0.0], &json!(2)), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_case_runs_the_variant_for_the_model_unless_it_names_a_file() {
    let evaluated = evaluated(&good(), [always("good")]).await;
    let (default, other) = ("prompts/ask.j2", "prompts/ask.anthropic.j2");
    let mut variant = prompt(other, "Ask");
    variant["variant"] = json!("anthropic");
    let case = |id: u32, artifact: &str| json!({ "id": id, "artifact": artifact, "input": { "topic": "x" }, "assertions": good() });
    let files = [(default, "DEFAULT about {{ topic }}."), (other, "ANTHROPIC about {{ topic }}.")];
    import(&evaluated.world, "variants", &json!([prompt(default, "Ask"), variant]), &files, &json!([case(1, "Ask"), case(2, other)]));
    evaluated.eval(&["run", "variants", "--without-baseline", "--concurrency", "1"]);
    let sent: Vec<_> = evaluated.server.requests().iter().map(|request| request.body.to_string()).collect();
    assert!(sent.len() == 2 && sent[0].contains("DEFAULT about x") && sent[1].contains("ANTHROPIC about x"), "{sent:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_interrupted_case_paid_counts_when_its_run_goes_on() {
    let reply = Reply { usage: Some(Tokens { input: 1_000, output: 1_000, cached: 0 }), ..Reply::chunks(["good"]) };
    let evaluated = two_steps(Step::from(Action::from(reply)).repeat(0)).await;
    let (report, run) = evaluated.eval(&["run", "twostep", "--without-baseline", "--max-tokens", "1500"]);
    let paid = |report: &Value| report["paid"]["input_tokens"].as_u64();
    assert_eq!((report["run"]["status"].as_str(), paid(&report), run.code), (Some("over_budget"), Some(1_000), Some(1)), "{report}");
    let id = report["run"]["id"].as_str().unwrap();
    let (report, _) = evaluated.eval(&["run", "--resume", id]);
    assert_eq!((paid(&report), evaluated.requests()), (Some(1_000), 1), "the limit was reached before: {report}");
    let (report, run) = evaluated.eval(&["run", "--resume", id, "--max-tokens", "100000"]);
    assert_eq!((paid(&report), evaluated.requests(), run.ok), (Some(2_000), 2, true), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_values_of_a_run_are_an_example_of_its_first_step_only() {
    let evaluated = two_steps(always("good")).await;
    let ran = finish(evaluated.world.command().args(["run", "twostep", "-p", "topic=x"]));
    assert!(ran.ok, "{ran:?}");
    let examples = |filter: &[&str]| {
        let exported = finish(evaluated.world.command().args(["runs", "export", "--format", "dspy"]).args(filter));
        assert!(exported.ok, "{exported:?}");
        exported.stdout.matches("\"inputs\"").count()
    };
    assert_eq!((examples(&[]), examples(&["--text", "STEPTWO"])), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_a_successful_run_of_the_skill_gave_is_expected_of_its_case() {
    let evaluated = two_steps(refusal()).await;
    let run = || {
        finish(evaluated.world.command().args(["run", "twostep", "-p", "topic=x"]));
        let listed = finish(evaluated.world.command().args(["--json", "runs", "list"]));
        let listed: Value = serde_json::from_str(&listed.stdout).unwrap();
        listed["runs"][0]["run_id"].as_str().unwrap().to_owned()
    };
    let expected = |run: &str| {
        let (edited, _) = evaluated.eval(&["save", "twostep", "--run", run]);
        edited["cases"].as_array().unwrap().last().unwrap()["expected_output"].clone()
    };
    let failed = run();
    assert_eq!(expected(&failed), Value::Null);
    let refused = finish(&mut evaluated.command(&["save", "terse", "--run", &failed]));
    assert!(!refused.ok && refused.stderr.contains("this run is one of twostep"), "{refused:?}");
    evaluated.server.set_script(Script::new([always("One").when_anywhere("STEPONE"), always("Two")]));
    let (edited, _) = evaluated.eval(&["remove", "twostep", &last_key(&evaluated)]);
    assert_eq!(edited["cases"].as_array().unwrap().len(), 1, "{edited}");
    assert_eq!(expected(&run()), "Two");
}

/// The key of the last case of the skill with two steps.
fn last_key(evaluated: &Evaluated) -> String {
    let (listed, _) = evaluated.eval(&["cases", "twostep"]);
    listed["cases"].as_array().unwrap().last().unwrap()["key"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_typo_in_an_assertion_of_a_case_is_reported() {
    let evaluated = evaluated(&good(), []).await;
    let line = json!({ "prompt": "Why?", "assertions": [{ "type": "contians", "value": "x" }] });
    let (edited, _) = evaluated.eval(&["import", "terse", arg(&evaluated.world.file("disk/cases.jsonl", line.to_string()))]);
    let (listed, _) = evaluated.eval(&["cases", "terse"]);
    for found in [&edited, &listed] {
        let finding = &found["diagnostics"][0];
        assert_eq!((&finding["rule"], &finding["file"]), (&json!("assertion/type"), &json!("evals/evals.json")), "{found}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_eval_run_of_another_workspace_is_not_deleted() {
    let evaluated = evaluated(&good(), [always("good")]).await;
    let world = &evaluated.world;
    world.json(&["skill", "move", "terse", "--to", "workspace"]);
    world.json(&["workspace", "trust"]);
    let report = world.json(&["eval", "run", "terse", "--without-baseline"]);
    let id = report["run"]["id"].as_str().unwrap();
    let other = world.root.path().join("other");
    std::fs::create_dir(&other).unwrap();
    let refused = finish(world.command().arg("--workspace").arg(&other).args(["eval", "delete", id]));
    assert!(!refused.ok && refused.stderr.contains("eval run not found"), "{refused:?}");
    assert_eq!(world.json(&["eval", "delete", id])["deleted"], 1);
}
