//! Runs with the real command and a scripted model server: requests, output and traces.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use inklings_testkit::{Action, PartialReply, Reply, Script, ScriptedModel, Status, Step};
use serde_json::{Value, json};

use crate::support::{Run, World, arg, finish};

/// A key that must not appear anywhere.
const KEY: &str = "marked-key-0123456789-abcdef";

/// A world with a skill `ask` in the account and a model server as its default model.
struct Served {
    world: World,
    server: ScriptedModel,
}

const SKILL: &str = "---\nname: ask\ndescription: Asks about a topic. Use when a topic needs asking about.\n---\n\nBe brief.\n";

fn served_skill(world: &World, metadata: &Value) {
    let json = json!({ "artifacts": [
        { "path": "prompts/ask.j2", "kind": "prompt_template", "name": "Ask", "ordinal": 1, "metadata": metadata },
    ] });
    world.file("skills/ask/SKILL.md", SKILL);
    world.file("skills/ask/prompts/ask.j2", "Ask about {{ topic }}.");
    world.file("skills/ask/skill.json", json.to_string());
    let import = world.command().args(["import", arg(&world.root.path().join("skills/ask"))]).output().unwrap();
    assert!(import.status.success(), "{import:?}");
}

async fn served(script: Script) -> Served {
    served_in(World::new(), script).await
}

async fn served_in(world: World, script: Script) -> Served {
    let server = ScriptedModel::start(script).await.unwrap();
    served_skill(&world, &json!({}));
    let url = format!("{}/v1", server.url());
    let add = ["model", "add", "local", "--kind", "openai-compatible", "--base-url", &url, "--model", "tiny", "--key-env", "TEST_KEY"];
    let added = finish(world.command().env("TEST_KEY", KEY).args(add));
    assert!(added.ok, "{added:?}");
    Served { world, server }
}

impl Served {
    /// The command in the account, with the key in its environment.
    fn command(&self) -> Command {
        let mut command = self.world.command();
        command.env("TEST_KEY", KEY);
        command
    }

    fn run(&self, args: &[&str]) -> Run {
        finish(self.command().args(args))
    }

    fn json(&self, args: &[&str]) -> Value {
        let run = finish(self.command().arg("--json").args(args));
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {run:?}"))
    }

    fn traces(&self) -> Vec<Value> {
        let mut all = self.json(&["runs", "steps"])["traces"].as_array().unwrap().clone();
        all.reverse();
        all
    }
}

const ASK: [&str; 4] = ["run", "ask", "--param", "topic=bees"];

#[tokio::test(flavor = "multi_thread")]
async fn an_older_revision_runs_as_it_was_and_its_trace_names_it() {
    let served = served(script([Reply::chunks(["before"]), Reply::chunks(["after"])].map(Action::from))).await;
    let from = served.world.file("new.j2", "Tell all about {{ topic }}.");
    served.json(&["skill", "edit", "ask", "--path", "prompts/ask.j2", "--from", arg(&from)]);
    let old = served.json(&["run", "ask", "--param", "topic=bees", "--revision", "1"]);
    let new = served.json(&["run", "ask", "--param", "topic=bees"]);
    let rendered = |run: &Value| run["traces"].as_array().unwrap().last().unwrap()["rendered_input"].as_str().unwrap().to_owned();
    assert!(rendered(&old).contains("Ask about bees."), "{old}");
    assert!(rendered(&new).contains("Tell all about bees."), "{new}");
    assert_eq!(old["traces"][0]["skill_revision"], 1);
    assert_eq!(new["traces"][0]["skill_revision"], 2);
    let missing = served.run(&["run", "ask", "--param", "topic=bees", "--revision", "9"]);
    assert!(!missing.ok && missing.stderr.contains("not found"), "{missing:?}");
}

fn script(steps: impl IntoIterator<Item = impl Into<Step>>) -> Script {
    Script::new(steps.into_iter().map(Into::into))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rendered_prompt_is_all_that_a_run_sends() {
    let served = served(script([Reply::chunks(["Honey."])].map(Action::from))).await;
    let rendered = served.run(&["render", "ask", "Ask", "--param", "topic=bees"]);
    assert!(rendered.stdout.contains("Be brief.") && rendered.stdout.contains("Ask about bees."), "{rendered:?}");
    assert!(served.run(&ASK).ok);
    let sent = served.traces().pop().unwrap()["rendered_input"].as_str().unwrap().to_owned();
    assert_eq!(rendered.stdout, sent + "\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_sends_the_prompt_and_prints_the_answer() {
    let served = served(script([Reply::chunks(["Bees ", "make ", "honey."])].map(Action::from))).await;
    let run = served.run(&[&ASK[..], &["--stream"]].concat());
    assert!(run.ok, "{run:?}");
    assert_eq!(run.stdout, "Bees make honey.\n");
    assert!(run.stderr.contains("step "), "{run:?}");
    let asked = &served.server.requests()[0];
    assert_eq!((asked.method.as_str(), asked.path.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!((&asked.body["model"], &asked.body["stream"]), (&json!("tiny"), &json!(true)));
    let messages = asked.body["messages"].to_string();
    assert!(messages.contains("Be brief.") && messages.contains("Ask about bees."), "{messages}");
    let rows = served.traces();
    assert_eq!(rows.iter().map(|row| row["artifact_kind"].as_str().unwrap()).collect::<Vec<_>>(), ["description", "prompt_template"]);
    assert_eq!(rows[0]["session_id"], rows[1]["session_id"]);
    assert_eq!((&rows[1]["status"], &rows[1]["raw_output"]), (&json!("ok"), &json!("Bees make honey.")));
    assert_eq!(rows[1]["model_requested"], "local/tiny");
    assert!(rows[1]["input_tokens"].as_u64().unwrap() > 0 && rows[1]["estimated_cost"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn anthropics_messages_are_spoken_as_well() {
    let served = served(script([Action::from("Buzz.")])).await;
    let url = served.server.url();
    let add = ["model", "add", "claude", "--kind", "anthropic", "--base-url", &url, "--model", "claude-x", "--key-env", "TEST_KEY"];
    assert!(served.run(&add).ok);
    let run = served.run(&[&ASK[..], &["--model", "claude/claude-x"]].concat());
    assert_eq!((run.ok, run.stdout.as_str()), (true, "Buzz.\n"), "{run:?}");
    let asked = served.server.requests().pop().unwrap();
    assert_eq!((asked.path.as_str(), &asked.headers["x-api-key"]), ("/v1/messages", &KEY.to_owned()));
    assert!(asked.body["system"].to_string().contains("Be brief."), "{}", asked.body);
    assert!(asked.body["messages"].to_string().contains("Ask about bees."), "{}", asked.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shipped_checker_runs_with_given_claims_by_its_prompt_where_programs_cannot_run() {
    let found = r#"{"contradictions": [{"pages": ["Ann"], "explanation": "two birth years"}]}"#;
    let steps = [Step::from(Action::from("yes")).when_user("Answer yes or no"), Step::from(Action::from(found))];
    let served = served_in(World::without_the_process(), Script::new(steps)).await;
    let claims = r#"claims:=[{"page_name": "Ann", "text": "born 1802"}, {"page_name": "Mill", "text": "born 1811"}]"#;
    let outcome = served.json(&["run", "consistency-checker", "--param", "entity_name=Ann", "--param", claims]);
    assert_eq!(outcome["status"], "ok", "{outcome}");
    assert_eq!(outcome["text"], found);
    let rows = served.traces();
    let kinds: Vec<_> = rows.iter().map(|row| (row["artifact_kind"].as_str().unwrap(), row["status"].as_str().unwrap())).collect();
    assert_eq!(
        kinds,
        [("description", "ok"), ("approach", "ok"), ("example", "ok"), ("dspy_module", "fallback"), ("prompt_template", "ok")]
    );
    assert!(rows.iter().all(|row| row["session_id"] == rows[0]["session_id"]));
    assert_eq!(rows[4]["fallback_of"], rows[3]["id"]);
    assert_eq!((&rows[4]["assertions_run"], &rows[4]["assertions_passed"]), (&json!(4), &json!(4)), "{}", rows[4]["verdicts"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn trouble_with_the_model_is_said_and_kept() {
    let busy = Status::error(429, "slow down").header("retry-after", "0");
    let served = served(script([Action::Status(busy), Action::from("after all")])).await;
    assert_eq!(served.run(&ASK).stdout, "after all\n");
    assert_eq!(served.server.requests().len(), 2);

    for (action, code, words) in [
        (Action::Cut(PartialReply::with(["half "])), "model", "closed before the response was complete"),
        (Action::Garbage(PartialReply::default()), "model", "invalid response from local"),
        (Action::Status(Status::error(401, "who are you")), "noModel", "rejected the API key"),
        (Action::Status(Status::error(404, "no such model")), "model", "rejected the request"),
        (Action::Hang(PartialReply::default()), "limit", "limit of 1 s"),
    ] {
        served.server.set_script(script([action]));
        // Only the endless answer needs a limit.
        let limit: &[&str] = if code == "limit" { &["--timeout", "1"] } else { &[] };
        let run = finish(served.command().arg("--json").args(ASK).args(limit));
        let outcome: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{words}: {run:?}"));
        assert_eq!((run.code, &outcome["error"]["code"]), (Some(1), &json!(code)), "{words}: {outcome}");
        assert!(outcome["error"]["message"].as_str().unwrap().contains(words), "{words}: {outcome}");
        let last = served.traces().pop().unwrap();
        assert_eq!(last["status"], "error", "{words}");
        assert!(last["error"].as_str().unwrap().contains(words), "{words}: {last}");
        if words == "broke off" {
            assert_eq!(last["raw_output"], "half ", "what came is kept");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_process_leaves_its_runs_marked() {
    let served = served(script([Action::Hang(PartialReply::with(["thinking "]))])).await;
    let mut run = served.command().args(ASK).arg("--stream").stdout(Stdio::piped()).spawn().unwrap();
    let mut received = [0_u8; 9];
    run.stdout.as_mut().unwrap().read_exact(&mut received).unwrap();
    assert_eq!(served.traces().pop().unwrap()["status"], "running");
    run.kill().unwrap();
    run.wait().unwrap();
    let last = served.traces().pop().unwrap();
    assert_eq!((&last["status"], last["error"].is_string()), (&json!("interrupted"), true), "{last}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_stops_the_run_and_keeps_what_came() {
    let served = served(script([Action::Hang(PartialReply::with(["thinking "]))])).await;
    let mut run = served.command().args(ASK).arg("--stream").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut received = [0_u8; 9];
    run.stdout.as_mut().unwrap().read_exact(&mut received).unwrap();
    let id = rustix::process::Pid::from_child(&run);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(1));
    let last = served.traces().pop().unwrap();
    assert_eq!((&last["status"], &last["raw_output"]), (&json!("cancelled"), &json!("thinking ")));
    served.server.idle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_who_pauses_gets_the_whole_answer() {
    // More chunks than the pipe and the event queue can hold.
    let pieces: Vec<String> = (0..24_000).map(|number| format!("piece {number:05} of an answer. ")).collect();
    let served = served(script([Reply::chunks(pieces.iter().map(String::as_str))].map(Action::from))).await;
    let mut run = served.command().args(ASK).arg("--stream").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let begun = std::time::Instant::now();
    while served.traces().last().is_none_or(|last| last["status"] != "ok") {
        assert!(begun.elapsed() < Duration::from_mins(2), "the run waits for its reader: {:?}", served.traces());
        std::thread::sleep(Duration::from_millis(250));
    }
    let mut printed = String::new();
    run.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
    assert!(run.wait().unwrap().success());
    let whole = format!("{}\n", pieces.concat());
    assert!(printed == whole, "{} of {} bytes", printed.len(), whole.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_is_received_while_the_reader_pauses() {
    let pieces: Vec<String> = (0..4_000).map(|number| format!("piece {number:05} of an answer. ")).collect();
    let served = served(script([Action::Hang(PartialReply::with(pieces.iter().map(String::as_str)))])).await;
    let mut run = served.command().args(ASK).arg("--stream").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let id = rustix::process::Pid::from_child(&run);
    let begun = std::time::Instant::now();
    // A pipe holds 64 KiB.
    while rustix::io::ioctl_fionread(run.stdout.as_ref().unwrap()).unwrap() < 60_000 {
        assert!(begun.elapsed() < Duration::from_mins(1), "the pipe isn't filled");
        std::thread::sleep(Duration::from_millis(20));
    }
    // The first signal cancels the run; the second one doesn't wait for the reader.
    while run.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_mins(1), "the command waits for its reader");
        rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(served.traces().pop().unwrap()["status"], "cancelled");
}

/// All files in a folder that contain these bytes.
fn with_bytes(folder: &Path, bytes: &[u8], found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            with_bytes(&path, bytes, found);
        } else if std::fs::read(&path).unwrap().windows(bytes.len()).any(|part| part == bytes) {
            found.push(path.display().to_string());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_found_nowhere() {
    let echo = Reply { text: Some(format!("the key is {KEY}")), model: Some(format!("model-{KEY}")), ..Reply::default() };
    let refused = Status::error(400, &format!("bad key {KEY}"));
    let served = served(Script::new([Step::from(Action::Reply(echo)).repeat(3), Step::from(Action::Status(refused))])).await;
    served_skill(&served.world, &json!({ "assertions": [{ "type": "contains", "value": KEY, "description": format!("has {KEY}") }] }));
    let url = format!("{}/v1", served.server.url());
    let stored = ["model", "add", "stored", "--kind", "openai-compatible", "--base-url", &url, "--model", "tiny", "--key-stdin"];
    let mut adding = served.command().args(stored).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    std::io::Write::write_all(&mut adding.stdin.take().unwrap(), format!("{KEY}\n").as_bytes()).unwrap();
    assert!(adding.wait().unwrap().success());
    let workspace = served.world.workspace();
    let (mut said, export) = (String::new(), served.world.root.path().join("traces.jsonl"));
    for args in [
        vec!["run", "ask", "--param", "topic=bees"],
        vec!["run", "ask", "--param", &format!("topic={KEY}"), "--model", "stored/tiny", "--workspace", arg(&workspace)],
        vec!["--json", "run", "ask", "--param", "topic=x", "--param", &format!("{KEY}=1"), "--model", "stored/tiny"],
        vec!["run", "ask", "--param", "topic=refused", "--workspace", arg(&workspace)],
        vec!["--json", "model", "list"],
        vec!["--json", "runs", "steps"],
        vec!["runs", "export", "--out", arg(&export)],
        vec!["runs", "export", "--format", "dspy"],
    ] {
        let run = finish(served.command().env("INKLINGS_LOG", "trace").args(&args));
        // The requested answer is printed verbatim; nothing else contains the key.
        said.push_str(if args.contains(&"run") { "" } else { &run.stdout });
        said.push_str(&run.stderr);
    }
    assert_eq!(served.server.requests().len(), 4, "all four runs reached the server");
    assert!(said.contains("[redacted]"));
    let at = said.find(KEY).map(|at| said[at.saturating_sub(200)..].chars().take(300).collect::<String>());
    assert_eq!(at, None);
    let mut found = Vec::new();
    with_bytes(served.world.root.path(), KEY.as_bytes(), &mut found);
    // The skill contains it, since the user wrote it there; no recorded data does.
    found.retain(|path| !path.contains("/skills/ask/"));
    assert_eq!(found, [arg(&served.world.home().join("agents.db"))], "the skill's own text");
    let kept = rusqlite::Connection::open(served.world.home().join("agents.db")).unwrap();
    let row = "SELECT count(*) FROM skill_execution_traces t JOIN sessions s ON s.id = t.session_id WHERE instr(t.id || t.skill_slug
        || t.artifact_name || coalesce(t.params, '') || coalesce(t.rendered_input, '') || coalesce(t.raw_output, '') || coalesce(t.error, '')
        || coalesce(t.model_requested, '') || coalesce(t.model_id, '') || t.verdicts || coalesce(t.asked_artifact, '') || s.title, ?1) > 0";
    assert_eq!(kept.query_row(row, [KEY], |row| row.get::<_, i64>(0)).unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_untrusted_workspace_remembers_is_not_run_again() {
    let served = served(script([Action::from("Buzz.")])).await;
    let workspace = served.world.workspace();
    assert!(
        served.run(&[&ASK[..], &["--workspace", arg(&workspace)]].concat()).ok,
        "an account's skill runs beside an untrusted workspace"
    );
    let rows = served.world.json(&["runs", "steps"]);
    let file = rusqlite::Connection::open(workspace.join("agents.db")).unwrap();
    file.execute("UPDATE skill_execution_traces SET params = '{\"topic\": \"their words\"}' WHERE params IS NOT NULL", []).unwrap();
    drop(file);
    let refusal = served.world.refused(&["runs", "replay", rows["traces"][0]["id"].as_str().unwrap()]);
    assert_eq!(refusal["code"], "notTrusted", "{refusal}");
    assert!(
        refusal["message"].as_str().unwrap().contains("the values of this run are stored in a workspace that isn't trusted"),
        "{refusal}"
    );
    assert_eq!(served.server.requests().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn providers_that_are_added_at_once_are_all_kept() {
    let world = World::new();
    finish(world.command().args(["skill", "list"]));
    let add = |n: usize| {
        let name = format!("par{n}");
        world.command().args(["model", "add", &name, "--kind", "ollama"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut adding: Vec<_> = (0..8).map(add).collect();
    assert!(adding.iter_mut().all(|one| one.wait().unwrap().success()));
    let listed = finish(world.command().args(["--json", "model", "list"]));
    let setup: Value = serde_json::from_str(&listed.stdout).unwrap();
    assert_eq!(setup["providers"].as_array().unwrap().len(), 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_in_a_workspace_runs_once_it_is_trusted() {
    let served = served(script([Action::from("Hello.")])).await;
    let world = &served.world;
    world.json(&["skill", "create", "Mine"]);
    let prompt = world.file("p.j2", "Say hello.");
    let json = r#"{"artifacts": [{"path": "prompts/p.j2", "kind": "prompt_template", "name": "P", "ordinal": 1}]}"#;
    world.json(&["skill", "edit", "mine", "--path", "prompts/p.j2", "--from", arg(&prompt)]);
    world.json(&["skill", "edit", "mine", "--path", "skill.json", "--from", arg(&world.file("skill.json", json))]);
    let refusal = world.refused(&["run", "mine"]);
    assert_eq!(refusal["code"], "notTrusted", "{refusal}");
    assert!(served.server.requests().is_empty());
    let workspace = world.workspace();
    let run = served.run(&["run", "mine", "--trust", "--workspace", arg(&workspace)]);
    assert_eq!((run.ok, run.stdout.as_str()), (true, "Hello.\n"), "{run:?}");
    let back = finish(world.command().args(["workspace", "distrust", "--workspace", arg(&workspace)]));
    assert!(back.ok && world.refused(&["run", "mine"])["code"] == "notTrusted", "{back:?}");
    // Its traces are in the workspace, not in the account.
    assert!(served.traces().is_empty());
    assert_eq!(world.json(&["runs", "steps"])["traces"].as_array().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_assertion_is_said_and_the_run_can_be_repeated() {
    let served = served(script([Action::from("wax"), Action::from("honey and wax")])).await;
    served_skill(&served.world, &json!({ "assertions": [{ "type": "contains", "value": "honey", "severity": "hard" }] }));
    let run = served.run(&ASK);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), "wax\n"), "{run:?}");
    assert!(run.stderr.contains("honey") && run.stderr.contains("0/1 assertions"), "{run:?}");
    let failed = served.traces().pop().unwrap();
    let again = served.run(&["runs", "replay", failed["id"].as_str().unwrap()]);
    assert_eq!((again.ok, again.stdout.as_str()), (true, "honey and wax\n"), "{again:?}");
    let replayed = served.traces().pop().unwrap();
    assert_eq!((&replayed["replay_of"], &replayed["assertions_passed"]), (&failed["id"], &json!(1)));
    assert!(replayed["rendered_input"].as_str().unwrap().contains("Ask about bees."));

    let lines = served.run(&["runs", "export"]).stdout;
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[3], replayed, "an export has every column");
    let examples = served.run(&["runs", "export", "--format", "dspy"]).stdout;
    let examples: Vec<Value> = examples.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let facts: Vec<_> = examples.iter().map(|one| (&one["inputs"]["topic"], &one["output"], &one["ok"])).collect();
    let bees = json!("bees");
    assert_eq!(facts, [(&bees, &json!("wax"), &json!(false)), (&bees, &json!("honey and wax"), &json!(true))]);
    assert_eq!(served.json(&["runs", "stats", "--by", "model"])["rows"][0]["runs"], 2);
}

#[test]
fn without_a_model_what_would_be_sent_is_shown() {
    let world = World::new();
    served_skill(&world, &json!({}));
    let run = finish(world.command().args(ASK));
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.stderr.contains("Ask about bees.") && run.stderr.contains("no model is configured") && run.stderr.contains("model add"),
        "{run:?}"
    );
    let plan = finish(world.command().args(["run", "ask", "--plan"]));
    assert!(plan.ok && plan.stdout.contains("missing: Ask needs \"topic\""), "{plan:?}");
}

#[test]
fn an_assertion_that_cant_be_checked_is_not_saved() {
    let world = World::new();
    served_skill(&world, &json!({}));
    let written = json!({ "artifacts": [{ "path": "prompts/ask.j2", "kind": "prompt_template", "name": "Ask", "ordinal": 1,
        "metadata": { "assertions": [{ "type": "regex", "value": "(" }] } }] });
    let file = world.file("written.json", serde_json::to_string_pretty(&written).unwrap());
    let run = finish(world.command().args(["--json", "skill", "edit", "ask", "--path", "skill.json", "--from", arg(&file)]));
    let refusal: Value = serde_json::from_str(&run.stderr).unwrap();
    let finding = &refusal["fields"]["diagnostics"][0];
    assert_eq!(
        (&refusal["code"], &finding["rule"], &finding["file"]),
        (&json!("invalid"), &json!("assertion/pattern"), &json!("skill.json"))
    );
    assert_eq!(finding["pointer"], "/artifacts/0/metadata/assertions/0/value");
    let shown = finish(world.command().args(["skill", "show", "ask", "--path", "skill.json"]));
    assert!(!shown.stdout.contains("regex"), "nothing is half done: {shown:?}");
}

#[test]
fn wrong_input_is_refused_before_anything_runs() {
    let world = World::new();
    served_skill(&world, &json!({}));
    let refused = |args: &[&str]| -> Value {
        let run = finish(world.command().arg("--json").args(args));
        assert_eq!(run.code, Some(1), "{args:?}: {run:?}");
        serde_json::from_str(&run.stderr).unwrap_or_else(|error| panic!("{args:?}: {error}: {run:?}"))
    };
    let missing = refused(&["run", "ask"]);
    assert_eq!((&missing["code"], &missing["fields"]["missing"][0]["variable"]), (&json!("invalid"), &json!("topic")), "{missing}");
    assert_eq!(refused(&["run", "nobody"])["code"], "notFound");
    assert_eq!(refused(&["run", "ask", "Nothing", "-p", "topic=x"])["code"], "notFound");
    assert_eq!(refused(&["run", "quarterly-report-standards"])["code"], "invalid");
    let open = ["model", "add", "far", "--kind", "openai-compatible", "--base-url", "http://models.example.org/v1", "--key-env", "K"];
    let problem = refused(&open);
    assert_eq!(problem["fields"]["problems"][0]["field"], "base_url", "{problem}");
    assert_eq!(refused(&["model", "remove", "nobody"])["code"], "notFound");
    assert_eq!(refused(&["model", "test"])["code"], "noModel");
    assert_eq!(refused(&["runs", "step", "00000000-0000-0000-0000-000000000000"])["code"], "notFound");
    assert_eq!(finish(world.command().args(["run", "ask", "--model", "gpt"])).code, Some(2), "no provider/model");
    assert_eq!(finish(world.command().args(["run", "ask", "--param", "topic"])).code, Some(2), "no value");
    assert_eq!(refused(&["run", "ask", "-p", "topic=x", "--max-cost", "NaN"])["code"], "invalid");
    assert!(finish(world.command().args(["--json", "runs", "steps"])).stdout.contains("\"traces\": []"));
}
