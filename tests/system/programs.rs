//! DSPy programs with the real command and the real process: runs, fallbacks, optimizations and proposals.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use inklings_testkit::{Action, PartialReply, Script, ScriptedModel, Step};
use serde_json::{Value, json};

use crate::support::{World, arg, finish};

/// An answer in the format of DSPy's chat adapter.
pub(crate) fn fields(pairs: &[(&str, &str)]) -> Action {
    let text: Vec<_> = pairs.iter().map(|(name, value)| format!("[[ ## {name} ## ]]\n{value}\n\n")).collect();
    Action::from(format!("{}[[ ## completed ## ]]", text.concat()).as_str())
}

async fn server(steps: impl IntoIterator<Item = Step>) -> ScriptedModel {
    ScriptedModel::start(Script::new(steps)).await.unwrap()
}

/// A world with the server as its model.
fn world(server: &ScriptedModel) -> World {
    with_model(World::new(), server)
}

fn with_model(world: World, server: &ScriptedModel) -> World {
    let url = format!("{}/v1", server.url());
    let arguments = ["model", "add", "local", "--kind", "openai-compatible", "--base-url", &url, "--model", "tiny", "--price", "tiny=1,10"];
    let added = finish(world.command().args(arguments));
    assert!(added.ok, "{added:?}");
    world
}

/// An account skill that names colors with a program, and its fallback prompt.
fn colours(world: &World) {
    let declared = json!({ "artifacts": [
        { "path": "dspy/answer.json", "kind": "dspy_module", "name": "Answer", "ordinal": 1, "metadata": { "fallback_artifact": "Ask" } },
        { "path": "prompts/ask.j2", "kind": "prompt_template", "name": "Ask", "ordinal": 2 },
    ] });
    world.file("colours/SKILL.md", "---\nname: colours\ndescription: Names colours. Use it when someone asks for one.\n---\n\nName it.\n");
    world.file("colours/dspy/answer.json", r#"{"template_id": "predict", "signature": "thing -> colour"}"#);
    world.file("colours/prompts/ask.j2", "Which colour has {{ thing }}? Answer as JSON.\n");
    world.file("colours/skill.json", declared.to_string());
    let imported = finish(world.command().arg("import").arg(world.root.path().join("colours")));
    assert!(imported.ok, "{imported:?}");
}

fn kinds(outcome: &Value) -> Vec<(&str, &str)> {
    let rows = outcome["traces"].as_array().unwrap().iter();
    rows.map(|row| (row["artifact_kind"].as_str().unwrap(), row["status"].as_str().unwrap())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_checkers_program_runs_in_its_process() {
    let found = r#"[{"pages": ["A", "B"], "explanation": "30 here and 40 there"}]"#;
    let server = server([
        Step::from(Action::from("yes")).when_user("Answer yes or no").repeat(0),
        Step::from(fields(&[("reasoning", "two ages"), ("contradictions", found)])).repeat(0),
    ])
    .await;
    let world = world(&server);
    let claims = r#"claims:=[{"page_name": "A", "text": "Ann is 30"}, {"page_name": "B", "text": "Ann is 40"}]"#;
    let outcome = world.json(&["run", "consistency-checker", "--param", "entity_name=Ann", "--param", claims]);
    assert_eq!(outcome["status"], "ok", "{}", outcome["error"]);
    assert_eq!(outcome["value"]["contradictions"], serde_json::from_str::<Value>(found).unwrap());
    assert_eq!(kinds(&outcome).last(), Some(&("dspy_module", "ok")), "nothing fell back");
    let row = outcome["traces"].as_array().unwrap().last().unwrap();
    assert!(row["input_tokens"].as_u64().unwrap() > 0 && row["estimated_cost"].as_f64().unwrap() > 0.0, "{row}");
    assert!(row["rendered_input"].as_str().unwrap().contains("Ann is 40"), "{row}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_optimization_raises_the_validation_score_and_a_person_decides() {
    // The model answers "azure" only if the demos contain it.
    let server = server([
        Step::from(fields(&[("colour", "azure")])).when_anywhere("[[ ## colour ## ]]\nazure").repeat(0),
        Step::from(fields(&[("colour", "blue")])).repeat(0),
    ])
    .await;
    let world = world(&server);
    colours(&world);
    let lines: Vec<_> = (0..10).map(|n| format!("{{\"thing\": \"the sky of day {n}\", \"colour\": \"azure\"}}\n")).collect();
    let data = world.file("examples.jsonl", format!("{}no JSON\n", lines.concat()));
    let found = world.json(&["optimize", "colours", "Answer", "--data", arg(&data), "--optimizer", "labeled_few_shot", "--max-cost", "1"]);
    let proposal = &found["proposal"];
    assert_eq!(found["run"]["status"], "ok", "{}", found["run"]["error"]);
    assert_eq!(proposal["body"]["validation"], json!({ "before": 0.0, "after": 1.0 }), "{proposal}");
    assert_eq!(found["diagnostics"][0]["line"], 11, "the line that is no example is named");
    assert!(found["run"]["estimated_cost"].as_f64().unwrap_or_default() > 0.0);

    // The skill is unchanged so far.
    let before = world.json(&["skill", "show", "colours"]);
    assert_eq!(before["revision"], 1);
    let id = proposal["id"].as_str().unwrap();
    assert_eq!(world.json(&["proposal", "list"])["open"], 1);
    let accepted = world.json(&["proposal", "accept", id, "--reason", "better"]);
    assert_eq!((&accepted["revision"], &accepted["forked"]), (&json!(2), &json!(false)));
    assert!(world.refused(&["proposal", "reject", id])["message"].as_str().unwrap().contains("already accepted"));
    assert_eq!(world.json(&["proposal", "list"])["open"], 0);
    let history = world.json(&["skill", "history", "colours"]);
    assert!(history.to_string().contains("validation score 0.00 -> 1.00"), "{history}");

    // The new state is used.
    let outcome = world.json(&["run", "colours", "--param", "thing=the sea"]);
    assert_eq!(outcome["value"], json!({ "colour": "azure" }), "{outcome}");
    // It was compiled by this version of DSPy.
    assert_eq!(world.json(&["optimize", "--outdated"])["artifacts"], json!([]));

    let rolled = world.json(&["skill", "rollback", "colours", "--to", "1"]);
    assert_eq!(rolled["revision"], 3, "{rolled}");
    let outcome = world.json(&["run", "colours", "--param", "thing=the sea"]);
    assert_eq!(outcome["value"], json!({ "colour": "blue" }), "{outcome}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_of_another_version_is_offered_to_be_made_again() {
    let server = server([Step::from(fields(&[("colour", "azure")])).repeat(0)]).await;
    let world = world(&server);
    colours(&world);
    let data = world.file("examples.jsonl", "{\"thing\": \"a\", \"colour\": \"azure\"}\n{\"thing\": \"b\", \"colour\": \"azure\"}\n");
    let found = world.json(&["optimize", "colours", "Answer", "--data", arg(&data), "--optimizer", "labeled_few_shot"]);
    world.json(&["proposal", "accept", found["proposal"]["id"].as_str().unwrap()]);
    let shown = finish(world.command().args(["skill", "show", "colours", "--path", "dspy/answer.state.json"]));
    let mut state: Value = serde_json::from_str(&shown.stdout).unwrap_or_else(|error| panic!("{error}: {shown:?}"));
    assert!(state["dspy"].is_string(), "{state}");
    state["dspy"] = json!("2.6.0");
    let edited = world.file("state.json", state.to_string());
    let done = finish(world.command().args(["skill", "edit", "colours", "--path", "dspy/answer.state.json", "--from"]).arg(&edited));
    assert!(done.ok, "{done:?}");
    let listed = world.json(&["optimize", "--outdated"]);
    let one = &listed["artifacts"][0];
    assert_eq!((&one["skill"], &one["dspy"], &one["again"]), (&json!("colours"), &json!("2.6.0"), &json!(true)), "{listed}");
    // The old state stays in use until then.
    assert_eq!(world.json(&["run", "colours", "--param", "thing=the sea"])["status"], "ok");
    let again = world.json(&["optimize", "colours", "Answer", "--again"]);
    world.json(&["proposal", "accept", again["proposal"]["id"].as_str().unwrap()]);
    assert_eq!(world.json(&["optimize", "--outdated"])["artifacts"], json!([]));

    // Without an improvement there is no proposal.
    let last = world.json(&["optimize", "colours", "Answer", "--again"]);
    assert_eq!((&last["run"]["status"], &last["proposal"]), (&json!("ok"), &Value::Null), "{last}");
    let done = finish(world.command().args(["optimize", "colours", "Answer", "--again"]));
    assert!(done.ok && done.stdout.contains("no improvement found"), "{done:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_hold_for_the_next_time_too_and_none_is_given_in_vain() {
    let server = server([Step::from(fields(&[("colour", "azure")])).repeat(0)]).await;
    let world = world(&server);
    colours(&world);
    let data = world.file("examples.jsonl", "{\"thing\": \"a\", \"colour\": \"azure\"}\n{\"thing\": \"b\", \"colour\": \"azure\"}\n");
    let search = ["optimize", "colours", "Answer", "--data", arg(&data), "--optimizer", "labeled_few_shot"];
    let found = world.json(&[&search[..], &["--max-calls", "50", "--max-cost", "3", "--metric", "contains:colour"]].concat());
    let body = &found["proposal"]["body"];
    assert_eq!((&body["calls"], &body["limits"]["cost"]), (&json!(50), &json!(3.0)), "{body}");
    assert_eq!(body["metric"], json!({ "type": "contains", "field": "colour" }));

    // Interrupted between creating the revision and recording the decision.
    let text = serde_json::to_string_pretty(&body["state_blob"]).unwrap();
    let state = world.file("state.json", &text);
    world.json(&["skill", "edit", "colours", "--path", "dspy/answer.state.json", "--from", arg(&state)]);
    let accepted = world.json(&["proposal", "accept", found["proposal"]["id"].as_str().unwrap()]);
    assert_eq!(accepted["revision"], world.json(&["skill", "show", "colours"])["revision"], "{accepted}");

    let url = format!("{}/v1", server.url());
    world.json(&["model", "add", "other", "--kind", "openai-compatible", "--base-url", &url, "--no-key", "--model", "free"]);
    let refused = world.refused(&[&search[..], &["--max-cost", "3", "--model", "other/free"]].concat());
    assert!(refused["message"].as_str().unwrap().contains("price of other/free is unknown"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shipped_program_gets_better_in_a_copy() {
    let server = server([Step::from(fields(&[("reasoning", "none"), ("contradictions", "[]")])).repeat(0)]).await;
    let world = world(&server);
    let line = |n: u8| format!("{{\"claims\": [\"Ann is {n}\"], \"contradictions\": []}}\n");
    let data = world.file("examples.jsonl", (0..4).map(line).collect::<Vec<_>>().concat());
    let found = world.json(&["optimize", "consistency-checker", "DSPy Checker", "--data", arg(&data), "--optimizer", "labeled_few_shot"]);
    assert_eq!(found["proposal"]["body"]["metric"]["type"], "assertions", "{}", found["run"]["error"]);
    let accepted = world.json(&["proposal", "accept", found["proposal"]["id"].as_str().unwrap()]);
    assert_eq!(accepted["forked"], true, "{accepted}");
    let copy = accepted["skill"].as_str().unwrap();
    let state = finish(
        world
            .command()
            .arg("--workspace")
            .arg(world.workspace())
            .args(["skill", "show", copy, "--scope", "workspace"])
            .args(["--path", "dspy/dspy-checker.state.json"]),
    );
    assert!(state.stdout.contains("Ann is"), "{state:?}");
    let original = finish(world.command().args(["skill", "show", "consistency-checker", "--path", "dspy/dspy-checker.state.json"]));
    assert!(original.stdout.contains("Ilse Brandt") && !original.stdout.contains("Ann is"), "{original:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_among_the_examples_is_kept_nowhere() {
    const KEY: &str = "sk-marked-0123456789abcdefghijklmnop";
    let server = server([Step::from(fields(&[("colour", KEY)])).repeat(0)]).await;
    let world = world(&server);
    colours(&world);
    let line = |thing: &str| format!("{{\"thing\": \"{thing}\", \"colour\": \"{KEY}\"}}\n");
    let data = world.file("examples.jsonl", line("a") + &line("b"));
    let found = world.json(&["optimize", "colours", "Answer", "--data", arg(&data), "--optimizer", "labeled_few_shot"]);
    assert!(found["proposal"]["body"]["state_blob"].is_object(), "{found}");
    let shown = world.json(&["proposal", "show", found["proposal"]["id"].as_str().unwrap()]).to_string();
    assert!(!shown.contains(KEY), "{shown}");
    for entry in fs::read_dir(world.home()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = if path.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
        assert!(!bytes.windows(KEY.len()).any(|part| part == KEY.as_bytes()), "{}", path.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changed_since_is_not_overwritten() {
    let server = server([Step::from(fields(&[("colour", "azure")])).repeat(0)]).await;
    let world = world(&server);
    colours(&world);
    let data = world.file("examples.jsonl", "{\"thing\": \"a\", \"colour\": \"azure\"}\n{\"thing\": \"b\", \"colour\": \"azure\"}\n");
    let found = world.json(&["optimize", "colours", "Answer", "--data", arg(&data), "--optimizer", "labeled_few_shot"]);
    let other = world.file("answer.json", r#"{"template_id": "predict", "signature": "thing, light -> colour"}"#);
    let done = finish(world.command().args(["skill", "edit", "colours", "--path", "dspy/answer.json", "--from"]).arg(&other));
    assert!(done.ok, "{done:?}");
    let refused = world.refused(&["proposal", "accept", found["proposal"]["id"].as_str().unwrap()]);
    assert!(refused["message"].as_str().unwrap().contains("was changed after"), "{refused}");
    assert_eq!(world.json(&["skill", "show", "colours"])["revision"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_examples_or_with_wrong_names_nothing_is_asked() {
    let server = server([]).await;
    let world = world(&server);
    colours(&world);
    let said = |args: &[&str]| world.refused(args)["message"].as_str().unwrap().to_owned();
    assert!(said(&["optimize", "colours", "Answer"]).contains("no examples"));
    assert!(said(&["optimize", "colours", "Ask"]).contains("only DSPy modules"));
    assert!(said(&["optimize", "colours", "Nobody"]).contains("not found"));
    let missing = world.root.path().join("missing.jsonl");
    assert!(said(&["optimize", "colours", "Answer", "--data", arg(&missing)]).contains("missing.jsonl not found"));
    assert!(server.requests().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_process_skills_run_by_their_fallback_and_it_is_said() {
    let server = server([Step::from(Action::from(r#"{"colour": "blue"}"#)).repeat(0)]).await;
    let world = with_model(World::without_the_process(), &server);
    colours(&world);
    let outcome = world.json(&["run", "colours", "--param", "thing=the sea"]);
    assert_eq!(outcome["status"], "ok", "{outcome}");
    assert_eq!(kinds(&outcome)[1..], [("dspy_module", "fallback"), ("prompt_template", "ok")]);
    let status = world.json(&["dspy", "status"]);
    assert!(status["reason"].as_str().unwrap().contains("reinstall the app"), "{status}");
    let refused =
        world.refused(&["optimize", "colours", "Answer", "--data", arg(&world.file("one.jsonl", "{\"thing\": \"a\", \"colour\": \"b\"}"))]);
    assert_eq!(refused["code"], "notInstalled", "{refused}");
}

/// The descendants of `parent` whose command line contains this text.
fn below(parent: u32, text: &str) -> Vec<u32> {
    let all = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let of = |pid: u32| -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let line = fs::read_to_string(format!("/proc/{pid}/cmdline")).ok()?;
        let above: u32 = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
        (above == parent && line.contains(text)).then_some(pid)
    };
    all.filter_map(of).collect()
}

fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "no {what}");
        std::thread::yield_now();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_is_killed_in_the_middle_is_fallen_back_from() {
    let server =
        server([Step::from(Action::Hang(PartialReply::default())), Step::from(Action::from(r#"{"colour": "blue"}"#)).repeat(0)]).await;
    let world = world(&server);
    colours(&world);
    let running = world.command().args(["--json", "run", "colours", "--param", "thing=the sea"]).stdout(Stdio::piped()).spawn().unwrap();
    until("question", || (!server.requests().is_empty()).then_some(()));
    let process = until("process", || below(running.id(), "inklings-dspy").first().copied());
    assert!(Command::new("kill").args(["-9", &process.to_string()]).status().unwrap().success());
    let output = running.wait_with_output().unwrap();
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(outcome["status"], "ok", "{outcome}");
    assert_eq!(kinds(&outcome)[1..], [("dspy_module", "fallback"), ("prompt_template", "ok")]);
    assert!(outcome["traces"][1]["error"].as_str().unwrap().contains("DSPy process failed"), "{outcome}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_left_of_a_command_that_was_killed() {
    let server = server([Step::from(Action::Hang(PartialReply::default())).repeat(0)]).await;
    let world = world(&server);
    colours(&world);
    let mut running = world.command().args(["run", "colours", "--param", "thing=the sea"]).spawn().unwrap();
    until("question", || (!server.requests().is_empty()).then_some(()));
    let process = until("process", || below(running.id(), "inklings-dspy").first().copied());
    running.kill().unwrap();
    running.wait().unwrap();
    // A zombie counts as ended.
    let has_ended = || match fs::read_to_string(format!("/proc/{process}/stat")) {
        Err(_) => Some(()),
        Ok(stat) => stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('Z')).then_some(()),
    };
    until("end of the process", has_ended);
}
