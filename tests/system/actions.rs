//! Actions with the real command and a scripted model server: saved, listed, changed, run and required by manifests.

use inklings_testkit::Action;
use serde_json::{Value, json};

use crate::chats::{Chat, chat};
use crate::evals::{evaluated, good, rewriting};
use crate::support::{Run, arg, finish};

/// A skill of the account with a prompt of two variables, and a model server.
async fn reporting(manifest: &Value, answers: impl IntoIterator<Item = Action>) -> Chat {
    let chat = chat(answers).await;
    let declared = json!({
        "metadata": { "manifest": manifest },
        "artifacts": [{ "path": "prompts/draft.j2", "kind": "prompt_template", "name": "Draft", "ordinal": 1 }],
    });
    chat.world.file("skills/report/SKILL.md", "---\nname: report\ndescription: Writes reports. Use for a report.\n---\n\nWrite.\n");
    chat.world.file("skills/report/prompts/draft.j2", "Report on {{ topic }} in a {{ tone }} tone.");
    chat.world.file("skills/report/skill.json", declared.to_string());
    let imported = finish(chat.world.command().args(["import", arg(&chat.world.root.path().join("skills/report"))]));
    assert!(imported.ok, "{imported:?}");
    chat
}

fn nothing() -> Value {
    json!({ "version": 1 })
}

fn inklings(chat: &Chat, args: &[&str]) -> Run {
    finish(chat.world.command().args(args))
}

/// The entry of an action in the list.
fn listed(chat: &Chat, slug: &str) -> Value {
    let list = chat.world.json(&["action", "list"]);
    list["actions"].as_array().unwrap().iter().find(|one| one["slug"] == slug).unwrap_or_else(|| panic!("{list}")).clone()
}

fn save<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["action", "save", "weekly", "report", "Draft", "-p", "topic=bees", "-p", "tone=dry"], more].concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_runs_its_skill_with_the_saved_values() {
    let chat = reporting(&nothing(), ["Bees.", "Wasps.", "Again."].map(Action::from)).await;
    let saved = chat.world.json(&save(&["--mode", "goal_loop"]));
    assert_eq!((&saved["params"], &saved["warnings"]), (&json!({ "topic": "bees", "tone": "dry" }), &json!([])), "{saved}");
    assert_eq!(listed(&chat, "weekly")["mode"], "goal_loop");
    let text = inklings(&chat, &["action", "list"]).stdout;
    assert!(text.contains("mode goal_loop: not scheduled here") && text.contains("optimize-skill"), "{text}");

    let run = inklings(&chat, &["action", "run", "weekly", "--stream"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "Bees.\n"), "{run:?}");
    assert!(chat.sent(0).contains("Report on bees in a dry tone."), "{}", chat.sent(0));
    let outcome = chat.world.json(&["action", "run", "weekly", "-p", "topic=wasps"]);
    assert_eq!((&outcome["status"], &outcome["text"]), (&json!("ok"), &json!("Wasps.")), "as `inklings run` prints it: {outcome}");
    assert!(chat.sent(1).contains("Report on wasps in a dry tone."), "{}", chat.sent(1));
    assert_eq!(listed(&chat, "weekly")["params"]["topic"], "bees", "the values of one run aren't saved");
    let runs = chat.world.json(&["runs", "list"]);
    assert_eq!(runs["runs"][0]["run_id"], outcome["run"], "listed like any run: {runs}");

    chat.world.json(&["action", "save", "weekly", "report", "Draft", "-p", "topic=ants"]);
    assert_eq!(listed(&chat, "weekly")["mode"], "goal_loop", "omitted options are kept");
    let refused = chat.world.refused(&["action", "run", "weekly"]);
    assert!(refused["message"].as_str().unwrap().contains("tone") && chat.server.requests().len() == 2, "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_action_names_is_checked_when_it_is_saved() {
    let chat = reporting(&nothing(), [Action::from("Bees.")]).await;
    let refused = |args: &[&str]| chat.world.refused(&[&["action"], args].concat());
    assert_eq!(refused(&["save", "Weekly report", "report"])["code"], "invalid");
    assert_eq!(refused(&["save", "weekly"])["code"], "invalid", "without a skill");
    assert_eq!(refused(&["save", "weekly", "report", "Drafts"])["code"], "notFound");
    assert_eq!(refused(&["run", "weekly"])["code"], "notFound");
    assert_eq!(refused(&["delete", "weekly"])["code"], "notFound");
    assert_eq!(refused(&["delete", "optimize-skill"])["code"], "invalid");
    assert_eq!(refused(&["save", "optimize-skill", "report"])["code"], "invalid");
    assert_eq!(refused(&["save", "optimize-skill", "-p", "skil=report"])["code"], "invalid");

    let saved = chat.world.json(&save(&["-p", "tune=dry"]));
    assert_eq!(saved["warnings"], json!(["the skill has no variable \"tune\""]));
    let saved = chat.world.json(&["action", "save", "elsewhere", "their-skill", "-p", "topic=bees"]);
    assert_eq!(saved["warnings"], json!(["skill \"their-skill\" not found"]));
    assert_eq!(refused(&["run", "elsewhere"])["code"], "notFound");

    // An action can be disabled whatever became of its skill.
    chat.world.json(&["file", "delete", "report", "prompts/draft.j2"]);
    let disabled = chat.world.json(&["action", "save", "weekly", "--enabled", "false"]);
    assert_eq!(disabled["warnings"], json!(["artifact \"Draft\" not found in the skill report"]), "{disabled}");
    let refused = refused(&["run", "weekly"]);
    assert!(refused["message"].as_str().unwrap().contains("disabled") && chat.server.requests().is_empty(), "{refused}");
    chat.world.json(&["action", "delete", "weekly"]);
    chat.world.json(&["action", "delete", "elsewhere"]);
    let list = chat.world.json(&["action", "list"]);
    let [only] = list["actions"].as_array().unwrap().as_slice() else { panic!("{list}") };
    assert_eq!((&only["slug"], &only["built_in"]), (&json!("optimize-skill"), &json!(true)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_manifest_finds_the_actions_that_it_requires() {
    let required = |slug: &str| json!({ "actionSlug": slug, "required": true });
    let manifest = json!({ "version": 1, "actions": [required("weekly"), required("optimize-skill")] });
    let chat = reporting(&manifest, [] as [Action; 0]).await;
    let blockers = || {
        let run = inklings(&chat, &["--json", "skill", "readiness", "report"]);
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        (run.code, report["readiness"]["blockers"].clone())
    };
    assert_eq!(blockers(), (Some(1), json!(["weekly"])));
    chat.world.json(&save(&[]));
    assert_eq!(blockers(), (Some(0), json!([])));
    chat.world.json(&["action", "save", "optimize-skill", "--enabled", "false"]);
    assert_eq!(blockers(), (Some(1), json!(["optimize-skill"])));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_passes_the_gates_of_its_skill_and_follows_its_new_name() {
    let gate = json!({ "key": "figures", "label": "Approve the figures", "when": "before_run", "required": true });
    let chat = reporting(&json!({ "version": 1, "humanGates": [gate] }), [Action::from("Bees.")]).await;
    chat.world.json(&save(&[]));
    let renamed = chat.world.file("renamed.md", "---\nname: memo\ndescription: Writes memos. Use for a memo.\n---\n\nWrite.\n");
    chat.world.json(&["skill", "edit", "report", "--path", "SKILL.md", "--from", arg(&renamed)]);
    assert_eq!(listed(&chat, "weekly")["skill"], "memo");
    assert_eq!(chat.world.refused(&["action", "run", "weekly"])["code"], "approvalRequired");
    assert!(chat.server.requests().is_empty());
    assert!(inklings(&chat, &["action", "run", "weekly", "--approve", "figures"]).ok);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_of_an_untrusted_workspace_does_not_run_by_an_action() {
    let chat = reporting(&nothing(), [Action::from("Bees.")]).await;
    chat.world.json(&["skill", "move", "report", "--to", "workspace"]);
    chat.world.json(&save(&[]));
    assert_eq!(chat.world.refused(&["action", "run", "weekly"])["code"], "notTrusted");
    let elsewhere = inklings(&chat, &["--json", "action", "list"]).stdout;
    assert!(elsewhere.contains("not found"), "no workspace is open: {elsewhere}");
    chat.world.json(&["workspace", "trust"]);
    chat.world.json(&["action", "run", "weekly"]);
    assert_eq!(chat.server.requests().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_built_in_action_optimizes_the_skill_of_its_values() {
    let evaluated = evaluated(&good(), rewriting([json!({ "find": "", "replace": "Say good." })])).await;
    let world = &evaluated.world;
    let refused = world.refused(&["action", "run", "optimize-skill"]);
    assert!(refused["message"].as_str().unwrap().contains("skill") && evaluated.server.requests().is_empty(), "{refused}");
    world.json(&["action", "save", "optimize-skill", "-p", "skill=terse", "-p", "iterations:=1"]);
    let found = world.json(&["action", "run", "optimize-skill"]);
    assert_eq!((&found["attempts"][0]["outcome"], &found["train"]["after"]), (&json!("kept"), &json!(1.0)), "{found}");
    world.json(&["proposal", "accept", found["proposal"].as_str().unwrap()]);
    world.json(&["action", "save", "optimize-skill", "--enabled", "false"]);
    assert_eq!(world.refused(&["action", "run", "optimize-skill"])["code"], "invalid");
}
