//! What a manifest requires and enforces, with the real command: readiness, gates, forbidden tools.

use std::io::{Read as _, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::chats::{answer, call, chat, id, steps};
use crate::support::{World, arg, end_soon, finish, terminal};
use inklings_testkit::Action;

/// A skill with a manifest.
fn skill(world: &World, manifest: &Value) {
    world.file(
        "skills/memo/SKILL.md",
        "---\nname: memo\ndescription: Writes memos. Use when somebody asks for a memo about a decision.\n---\n\nWrite a memo.\n",
    );
    world.file("skills/memo/skill.json", json!({ "metadata": { "manifest": manifest } }).to_string());
    let imported = finish(world.command().args(["import", arg(&world.root.path().join("skills/memo"))]));
    assert!(imported.ok, "{imported:?}");
}

#[test]
fn readiness_says_what_is_missing_and_what_to_do() {
    let world = World::new();
    let requires = ["read_skill", "red_skill"];
    skill(
        &world,
        &json!({ "version": 1, "requiredTools": requires, "requiredIntegrations": [{ "integrationId": "env:HOME" }, { "integrationId": "anthropic" }] }),
    );
    let run = finish(world.command().args(["--json", "skill", "readiness", "memo"]));
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, &report["readiness"]["blockers"]), (Some(1), &json!(["red_skill", "anthropic"])), "{report}");
    let text = finish(world.command().args(["skill", "readiness", "memo"])).stdout;
    assert!(text.contains("use \"read_skill\" if that is meant"), "{text}");

    world.file("notes/goals/memos.md", "---\ntype: goal\nskills: [memo, none]\n---\n\nFewer meetings.\n");
    let page = world.json(&["page", "skills", "goals/memos"]);
    let found: Vec<_> =
        page["skills"].as_array().unwrap().iter().map(|one| (one["name"].as_str().unwrap(), one["found"].as_bool().unwrap())).collect();
    assert_eq!((page["declared"].as_bool(), found), (Some(true), vec![("memo", true), ("none", false)]));
    assert_eq!(page["skills"][0]["skill"]["readiness"]["ready"], false);
}

fn gate(key: &str, when: &str) -> Value {
    json!({ "key": key, "label": format!("Approve {key}"), "when": when, "required": true })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gate_stops_a_run_until_it_is_approved() {
    let chat = chat([Action::from("A memo."), Action::from("Another memo.")]).await;
    skill(&chat.world, &json!({ "version": 1, "humanGates": [gate("figures", "before_run"), gate("tone", "after_draft")] }));
    let run = |more: &[&str]| finish(chat.world.command().args(["--json", "run", "memo", "--message", "Go"]).args(more));
    let refused = run(&[]);
    assert!(!refused.ok && refused.stderr.contains("approvalRequired") && refused.stderr.contains("Approve figures"), "{refused:?}");
    assert!(!refused.stderr.contains("Approve tone") && chat.server.requests().is_empty(), "{refused:?}");
    assert!(!run(&["--approve", "tone"]).ok && chat.server.requests().is_empty());
    let hint = finish(chat.world.command().args(["run", "memo", "--message", "Go"])).stderr;
    assert!(hint.contains("approve it with --approve figures\n"), "{hint}");
    assert!(run(&["--approve", "figures", "--approve", "tone"]).ok);
    assert_eq!(chat.server.requests().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_waits_for_a_decision_which_is_recorded() {
    let chat = chat([Action::from("A memo."), Action::from("Another memo."), Action::from("A third memo.")]).await;
    skill(&chat.world, &json!({ "version": 1, "humanGates": [gate("tone", "after_draft"), gate("doubt", "low_confidence")] }));
    let inklings = |args: &[&str]| finish(chat.world.command().args(args));
    let waits = inklings(&["run", "memo", "--message", "Go"]);
    assert_eq!((waits.code, waits.stdout.as_str()), (Some(1), "A memo.\n"), "{waits:?}");
    assert!(waits.stderr.contains("waits for approval: Approve tone") && !waits.stderr.contains("doubt"), "{waits:?}");

    let gates = |run: &str| chat.world.json(&["runs", "show", run])["gates"].clone();
    let runs: Value = serde_json::from_str(&inklings(&["--json", "runs", "list"]).stdout).unwrap();
    let run = runs["runs"][0]["run_id"].as_str().unwrap().to_owned();
    assert!(waits.stderr.contains(&format!("inklings runs approve {run}, or reject")), "{waits:?}");
    assert_eq!((&gates(&run)[0]["key"], &gates(&run)[0]["decision"]), (&json!("tone"), &Value::Null));
    assert_eq!(chat.world.refused(&["runs", "approve", &run, "--gate", "doubt"])["code"], "notFound");
    let approved = chat.world.json(&["runs", "approve", &run, "--reason", "Friendly enough"]);
    assert_eq!(
        (&approved["gates"][0]["decision"]["approved"], &gates(&run)[0]["decision"]["reason"]),
        (&json!(true), &json!("Friendly enough"))
    );
    assert_eq!(chat.world.refused(&["runs", "reject", &run, "--gate", "tone"])["code"], "exists", "decided once");

    let outcome = inklings(&["--json", "run", "memo", "--message", "Go", "--approve", "tone"]);
    let outcome: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(outcome["gates"][0]["decision"]["approved"], true);
    let rejected = inklings(&["--json", "run", "memo", "--message", "Go"]);
    assert_eq!(rejected.code, Some(1));
    let run: Value = serde_json::from_str(&rejected.stdout).unwrap();
    let rejected = chat.world.json(&["runs", "reject", run["run"].as_str().unwrap()]);
    assert_eq!(rejected["gates"][0]["decision"]["approved"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_at_a_question_ends_the_command() {
    let chat = chat([Action::from("A memo.")]).await;
    skill(&chat.world, &json!({ "version": 1, "humanGates": [gate("tone", "after_draft")] }));
    // The question comes after a call that Ctrl+C would have cancelled.
    let mut command = terminal(chat.world.command().args(["run", "memo", "--message", "Go"]));
    let mut run = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut shown = Vec::new();
    while !shown.ends_with(b"Approve tone [y/N] ") {
        let mut next = [0_u8];
        run.stdout.as_mut().unwrap().read_exact(&mut next).unwrap();
        shown.extend(next);
    }
    // The terminal turns Ctrl+C into a signal.
    run.stdin.as_mut().unwrap().write_all(b"\x03").unwrap();
    let ended = end_soon(run, &command);
    assert_eq!(ended.code, Some(130), "{ended:?}");
    let runs: Value = serde_json::from_str(&finish(chat.world.command().args(["--json", "runs", "list"])).stdout).unwrap();
    let run = chat.world.json(&["runs", "show", runs["runs"][0]["run_id"].as_str().unwrap()]);
    assert_eq!(run["gates"][0]["decision"], Value::Null, "{run}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_soft_assertion_is_low_confidence() {
    let chat = chat([Action::from("Certain."), Action::from("I guess.")]).await;
    let declared = json!({
        "metadata": { "manifest": { "version": 1, "humanGates": [gate("doubt", "low_confidence")] } },
        "artifacts": [{ "path": "prompts/memo.j2", "kind": "prompt_template", "name": "Memo", "ordinal": 1, "metadata": {
            "assertions": [{ "type": "not-icontains", "value": "guess", "severity": "soft" }] } }],
    });
    chat.world.file("skills/sure/SKILL.md", "---\nname: sure\ndescription: Writes memos. Use for a memo.\n---\n\nWrite.\n");
    chat.world.file("skills/sure/prompts/memo.j2", "Write a memo.");
    chat.world.file("skills/sure/skill.json", declared.to_string());
    assert!(finish(chat.world.command().args(["import", arg(&chat.world.root.path().join("skills/sure"))])).ok);
    let run = || finish(chat.world.command().args(["run", "sure"]));
    assert_eq!(run().code, Some(0));
    let unsure = run();
    assert!(unsure.code == Some(1) && unsure.stderr.contains("waits for approval: Approve doubt"), "{unsure:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_loses_forbidden_tools_with_the_skill_and_asks_at_gates() {
    let rename = || call("b", "update_skill", json!({ "name": "memo", "title": "Memos" }));
    let chat = chat([
        call("a", "read_skill", json!({ "name": "memo" })),
        call("c", "delete_skill", json!({ "name": "memo" })),
        Action::from("I can't."),
        call("a", "read_skill", json!({ "name": "memo" })),
        rename(),
        Action::from("Renamed."),
        call("a", "read_skill", json!({ "name": "memo" })),
        rename(),
    ])
    .await;
    skill(&chat.world, &json!({ "version": 1, "forbiddenTools": ["delete_skill"], "humanGates": [gate("words", "before_write")] }));
    let tools = |request: usize| chat.server.requests()[request].body["tools"].to_string();
    let first = chat.json(&["send", "delete the memo skill"]);
    assert!(tools(0).contains("delete_skill") && !tools(1).contains("delete_skill"), "{first}");
    let refused = steps(&first, "tool")[1];
    assert_eq!(
        (refused["status"].as_str(), chat.world.json(&["skill", "show", "memo"])["enabled"].as_bool()),
        (Some("failed"), Some(true)),
        "{refused}"
    );

    let asked = chat.json(&["send", "rename it"]);
    assert_eq!(answer(&asked)["status"], "waiting", "{asked}");
    assert_eq!(steps(&asked, "tool")[1]["preview"]["gates"], json!(["Approve words"]));
    let allowed = chat.json(&["permit", id(&asked), "b", "always"]);
    assert_eq!(answer(&allowed)["status"], "done", "{allowed}");
    let again = chat.json(&["send", "rename it again"]);
    assert_eq!(answer(&again)["status"], "waiting", "a gate asks each time: {again}");
}
