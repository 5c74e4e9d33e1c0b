//! Shipped scripts in the real command over a copy of the sample workspace.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use inklings_testkit::{Action, Script, ScriptedModel, Step};
use serde_json::{Value, json};

use crate::programs::fields;
use crate::support::{World, arg, finish};

/// The source tree.
fn tree() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."))
}

/// A world whose workspace is a copy of the sample.
fn sampled() -> World {
    let world = World::new();
    let copied = Command::new("cp").arg("-rT").arg(tree().join("seed/workspace")).arg(world.workspace()).status().unwrap();
    assert!(copied.success());
    world
}

fn expected() -> Value {
    serde_json::from_slice(&fs::read(tree().join("tests/fixtures/sample-workspace.json")).unwrap()).unwrap()
}

#[test]
fn the_link_auditor_finds_every_planted_fault_without_a_model() {
    let outcome = sampled().json(&["run", "workspace-link-auditor"]);
    assert_eq!(outcome["status"], "ok", "{}", outcome["error"]);
    let (found, expected) = (&outcome["value"], expected());
    let pairs = |list: &Value| -> BTreeSet<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        list.as_array().unwrap().iter().map(|one| (text(&one["page"]), text(&one["target"]))).collect()
    };
    assert_eq!(found["summary"]["pages"], expected["pages"]);
    assert_eq!(pairs(&found["broken_links"]), pairs(&expected["broken_links"]));
    let orphans: Vec<_> = found["orphans"].as_array().unwrap().iter().map(|one| one["page"].clone()).collect();
    assert_eq!(json!(orphans), expected["orphans"]);
    assert!(found["broken_links"].as_array().unwrap().iter().all(|one| one["line"].as_u64().is_some()), "{found}");
    let traces = outcome["traces"].as_array().unwrap();
    let script = traces.iter().find(|row| row["artifact_kind"] == "code_template").unwrap();
    assert_eq!((&script["status"], &script["assertions_passed"]), (&json!("ok"), &script["assertions_run"]), "{script}");
}

#[test]
fn the_timeline_script_collects_dates_without_a_model() {
    let outcome = sampled().json(&["run", "timeline-consistency", "scripts/collect-dates.py"]);
    assert_eq!(outcome["status"], "ok", "{}", outcome["error"]);
    assert!(outcome["value"]["absolute"].as_u64().unwrap() > 20, "{}", outcome["value"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_checker_reads_the_pages_itself() {
    let claims = r#"{"claims": [{"entity": "Mara Venn", "text": "has grey eyes"}]}"#;
    let found = r#"[{"pages": ["Mara Venn"], "explanation": "grey or green eyes"}]"#;
    let server = ScriptedModel::start(Script::new([
        Step::from(Action::from(claims)).when_user("Read the page below").repeat(0),
        Step::from(Action::from("yes")).when_user("Answer yes or no").repeat(0),
        Step::from(fields(&[("reasoning", "two colours"), ("contradictions", found)])).repeat(0),
    ]))
    .await
    .unwrap();
    let world = sampled();
    let url = format!("{}/v1", server.url());
    let added =
        finish(world.command().args(["model", "add", "local", "--kind", "openai-compatible", "--base-url", &url, "--model", "tiny"]));
    assert!(added.ok, "{added:?}");
    let outcome = world.json(&["run", "consistency-checker", "--param", "entity_type=character", "--param", "entity_name=Mara Venn"]);
    assert_eq!(outcome["status"], "ok", "{}", outcome["error"]);
    assert_eq!(outcome["value"]["contradictions"], serde_json::from_str::<Value>(found).unwrap());
    let traces = outcome["traces"].as_array().unwrap();
    let script = traces.iter().find(|row| row["artifact_kind"] == "code_template").unwrap();
    assert_eq!(script["status"], "ok");
    assert!(script["log"].as_str().unwrap().contains("pages to read for type 'character'"), "{script}");
    assert!(script["input_tokens"].as_u64().unwrap() > 0, "its questions are on its row");
    let read = server.requests().iter().filter(|one| one.body.to_string().contains("Read the page below")).count();
    assert!(read > 3, "{read} pages were asked about");
    let last = server.requests().pop().unwrap().body.to_string();
    assert!(last.contains("has grey eyes") || last.contains("Answer yes or no"), "{last}");
}

#[test]
fn a_failed_script_says_where_and_prints_what_python_said() {
    let world = sampled();
    world.file("skills/broken/SKILL.md", "---\nname: broken\ndescription: Breaks.\n---\n");
    world.file("skills/broken/scripts/main.py", "import inklings\n\ndef deep():\n    return {}['nothing']\n\ndeep()\n");
    let declared = json!({ "artifacts": [{ "path": "scripts/main.py", "kind": "code_template", "name": "Main", "ordinal": 1 }] });
    world.file("skills/broken/skill.json", declared.to_string());
    let import = finish(world.command().args(["import", arg(&world.root.path().join("skills"))]));
    assert!(import.ok, "{import:?}");
    let run = finish(world.command().args(["run", "broken"]));
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("line 4: KeyError: 'nothing'"), "{run:?}");
    assert!(run.stderr.contains("File \"scripts/main.py\", line 6"), "{run:?}");
    assert_eq!(world.json(&["run", "workspace-link-auditor"])["status"], "ok");
}
