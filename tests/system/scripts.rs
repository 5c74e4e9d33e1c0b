//! Shipped scripts with the real command in a copy of the sample workspace.

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
    let world = sampled();
    let outcome = world.json(&["run", "workspace-link-auditor"]);
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
    for link in found["broken_links"].as_array().unwrap() {
        assert!(line_of(&world, &link["page"], &link["line"]).contains(link["target"].as_str().unwrap()), "{link}");
    }
    let traces = outcome["traces"].as_array().unwrap();
    let script = traces.iter().find(|row| row["artifact_kind"] == "code_template").unwrap();
    assert_eq!((&script["status"], &script["assertions_passed"]), (&json!("ok"), &script["assertions_run"]), "{script}");
}

/// A line of a page's file.
fn line_of(world: &World, slug: &Value, line: &Value) -> String {
    let file = world.workspace().join(format!("{}.md", slug.as_str().unwrap()));
    let line = usize::try_from(line.as_u64().unwrap()).unwrap();
    fs::read_to_string(file).unwrap().lines().nth(line - 1).unwrap().to_owned()
}

#[test]
fn the_link_auditor_reads_pages_of_any_language_and_names_each_links_own_line() {
    let world = World::new();
    let cake = "---\ntitle: Kuchen\n---\n# Kuchen\n\nSiehe [[Torte]] und [[Brot]].\n\nNoch einmal [[Brot]], dazu [[Tortte]].\n";
    world.file("notes/kuchen.md", cake);
    world.file("notes/torte.md", "# Torte\n\nEine Art [[Kuchen]].\n");
    let outcome = world.json(&["run", "workspace-link-auditor"]);
    assert_eq!(outcome["status"], "ok", "{}", outcome["error"]);
    let link = |line, target, suggestion: Value| json!({"page": "kuchen", "line": line, "target": target, "suggestion": suggestion});
    let expected = json!({
        "summary": {"pages": 2, "links": 5, "broken_links": 3, "orphans": 0, "duplicate_titles": 0, "truncated": false},
        "broken_links": [link(6, "Brot", Value::Null), link(8, "Brot", Value::Null), link(8, "Tortte", json!("torte"))],
        "orphans": [],
        "duplicate_titles": [],
    });
    assert_eq!(outcome["value"], expected);
}

#[test]
fn the_link_auditor_reads_every_page_of_a_large_workspace_or_says_that_it_did_not() {
    const PAGES: usize = 1_200;
    let world = World::new();
    for n in 0..PAGES {
        let link = if n + 1 == PAGES { "Siehe [[Fehlt]].\n" } else { "" };
        world.file(&format!("notes/mappe-{:02}/blatt-{n:04}.md", n * 30 / PAGES), format!("# Blatt {n}\n\n{link}"));
    }
    let summary = |args: &[&str]| {
        let outcome = world.json(&[&["run", "workspace-link-auditor"], args].concat());
        assert_eq!(outcome["status"], "ok", "{}", outcome["error"]);
        outcome["value"]["summary"].clone()
    };
    let whole = json!({"pages": PAGES, "links": 1, "broken_links": 1, "orphans": PAGES, "duplicate_titles": 0, "truncated": false});
    assert_eq!(summary(&[]), whole);
    let exact = format!("max_pages:={PAGES}");
    assert_eq!(summary(&["--param", &exact]), whole);
    let part = json!({"pages": 1_100, "links": 0, "broken_links": 0, "orphans": 1_100, "duplicate_titles": 0, "truncated": true});
    assert_eq!(summary(&["--param", "max_pages:=1100"]), part);
}

/// Imports a skill with one script.
fn import(world: &World, name: &str, script: &str) {
    world.file(&format!("skills/{name}/SKILL.md"), format!("---\nname: {name}\ndescription: Has a script.\n---\n"));
    world.file(&format!("skills/{name}/scripts/main.py"), script);
    let declared = json!({ "artifacts": [{ "path": "scripts/main.py", "kind": "code_template", "name": "Main", "ordinal": 1 }] });
    world.file(&format!("skills/{name}/skill.json"), declared.to_string());
    let import = finish(world.command().args(["import", arg(&world.root.path().join("skills"))]));
    assert!(import.ok, "{import:?}");
}

/// A scripted server with `steps` as the world's model.
async fn model(world: &World, steps: impl IntoIterator<Item = Step>) -> ScriptedModel {
    let server = ScriptedModel::start(Script::new(steps)).await.unwrap();
    let url = format!("{}/v1", server.url());
    let added =
        finish(world.command().args(["model", "add", "local", "--kind", "openai-compatible", "--base-url", &url, "--model", "tiny"]));
    assert!(added.ok, "{added:?}");
    server
}

/// The fixture is the example of the original specification, verbatim.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_designs_example_runs_as_it_stands() {
    const ANSWER: &str = "- Häuser";
    let world = sampled();
    let server = model(&world, [Step::from(Action::from(ANSWER)).repeat(0)]).await;
    import(&world, "example", &fs::read_to_string(tree().join("tests/fixtures/scripts/cross-reference.py")).unwrap());
    let outcome = world.json(&["run", "example", "--param", "entity_type=character"]);
    assert_eq!(outcome["status"], "ok", "{}", outcome["error"]);
    let hits = world.json(&["page", "search", "character"])["hits"].as_array().unwrap().clone();
    assert!(hits.len() > 3, "{hits:?}");
    let asked: Vec<String> = server.requests().iter().map(|one| one.body.to_string()).collect();
    assert_eq!(asked.len(), hits.len());
    for (question, hit) in asked.iter().zip(&hits) {
        let page = world.json(&["page", "show", hit["slug"].as_str().unwrap()]);
        let prompt = format!("Extract factual claims about character entities from: {}", page["page"]["body"].as_str().unwrap());
        assert!(question.contains(json!(prompt).to_string().trim_matches('"')), "{question}");
    }
    // Extending a list with a string adds its characters.
    let claims: Vec<String> = ANSWER.repeat(hits.len()).chars().map(String::from).collect();
    assert_eq!(outcome["value"], json!({"entity_type": "character", "claims": claims}));
}

#[test]
fn a_script_gets_a_page_for_each_slug_or_hears_which_are_missing() {
    let world = sampled();
    world.file("notes/large.md", "x ".repeat(1_500_000));
    let script = "
import inklings
slugs = [page['slug'] for page in inklings.search('', 3)]
pages = inklings.get_pages(slugs)
try:
    inklings.get_pages([slugs[0], 'nobody', slugs[1], 'nothing'])
except LookupError as error:
    missing = str(error)
try:
    inklings.get_pages(['large'] * 100_000)
except ValueError as error:
    large = str(error)
inklings.submit([slugs, [page.slug for page in pages], missing, large, len(inklings.search(' ')), inklings.search('***')])
";
    import(&world, "reader", script);
    let outcome = world.json(&["run", "reader"]);
    assert_eq!(outcome["status"], "ok", "{}", outcome["error"]);
    let first = ["characters/captain-dray", "characters/edwin-pell", "characters/ilse-corrant"];
    let missing = "pages \"nobody\", \"nothing\" not found";
    let large = "these 100000 pages have more than 32 MiB of text; request fewer at once";
    assert_eq!(outcome["value"], json!([first, first, missing, large, 20, []]));
}

#[test]
fn what_a_script_keeps_is_held_to_its_bytes() {
    let world = World::new();
    let script = "import inklings\n\nkept = 0\ntry:\n    while True:\n        inklings.checkpoint(str(kept), 'x' * 1_000_000)\n        kept += 1\n\
                  except inklings.HostError as error:\n    inklings.submit([kept, str(error)])\n";
    import(&world, "keeper", script);
    let outcome = world.json(&["run", "keeper"]);
    assert_eq!(outcome["status"], "ok", "{}", outcome["error"]);
    assert_eq!(outcome["value"][0], 67);
    let said = outcome["value"][1].as_str().unwrap();
    assert!(said.contains("bytes of the skill's checkpoints in this workspace") && said.contains("67108864"), "{said}");
}

#[test]
fn the_timeline_script_collects_dates_of_all_pages_without_a_model() {
    let world = sampled();
    world.file("notes/chronik.md", "---\ntype: notiz\n---\n# Chronik\n\nGegründet wurde sie 1893.\n");
    let outcome = world.json(&["run", "timeline-consistency", "scripts/collect-dates.py"]);
    assert_eq!(outcome["status"], "ok", "{}", outcome["error"]);
    let found = &outcome["value"];
    assert!(found["absolute"].as_u64().unwrap() > 20, "{found}");
    assert_eq!(found["pages_searched"].as_u64().unwrap(), expected()["pages"].as_u64().unwrap() + 1);
    let events = found["events"].as_array().unwrap();
    assert!(events.iter().any(|event| event["slug"] == "chronik" && event["when"] == "1893"), "{found}");
    for event in events {
        assert!(line_of(&world, &event["slug"], &event["line"]).contains(event["text"].as_str().unwrap()), "{event}");
    }
    let only = world.json(&["run", "timeline-consistency", "scripts/collect-dates.py", "--param", "page_types:=[\"notiz\"]"]);
    assert_eq!(only["value"]["pages_searched"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_checker_reads_the_pages_itself() {
    let claims = r#"{"claims": [{"entity": "Mara Venn", "text": "has grey eyes"}]}"#;
    let found = r#"[{"pages": ["Mara Venn"], "explanation": "grey or green eyes"}]"#;
    let world = sampled();
    let steps = [
        Step::from(Action::from(claims)).when_user("Read the page below").repeat(0),
        Step::from(Action::from("yes")).when_user("Answer yes or no").repeat(0),
        Step::from(fields(&[("reasoning", "two colours"), ("contradictions", found)])).repeat(0),
    ];
    let server = model(&world, steps).await;
    let outcome = world.json(&["run", "consistency-checker", "--param", "entity_type=character", "--param", "entity_name=Mara Venn"]);
    assert_eq!(outcome["status"], "ok", "{}", outcome["error"]);
    assert_eq!(outcome["value"]["contradictions"], serde_json::from_str::<Value>(found).unwrap());
    let traces = outcome["traces"].as_array().unwrap();
    let script = traces.iter().find(|row| row["artifact_kind"] == "code_template").unwrap();
    assert_eq!(script["status"], "ok");
    assert!(script["log"].as_str().unwrap().contains("pages of type 'character' to read"), "{script}");
    assert!(script["input_tokens"].as_u64().unwrap() > 0, "its questions are on its row");
    let read = server.requests().iter().filter(|one| one.body.to_string().contains("Read the page below")).count();
    assert!(read > 3, "{read} pages were asked about");
    let last = server.requests().pop().unwrap().body.to_string();
    assert!(last.contains("has grey eyes") || last.contains("Answer yes or no"), "{last}");
}

#[test]
fn every_shipped_skill_is_ready_in_the_sample_workspace() {
    let world = sampled();
    for skill in fs::read_dir(tree().join("seed/skills")).unwrap() {
        let slug = skill.unwrap().file_name().into_string().unwrap();
        let checked = world.json(&["skill", "readiness", &slug]);
        assert_eq!((&checked["readiness"]["ready"], &checked["readiness"]["blockers"]), (&json!(true), &json!([])), "{checked}");
    }
}

#[test]
fn a_failed_script_says_where_and_prints_what_python_said() {
    let world = sampled();
    import(&world, "broken", "import inklings\n\ndef deep():\n    return {}['nothing']\n\ndeep()\n");
    let run = finish(world.command().args(["run", "broken"]));
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("line 4: KeyError: 'nothing'"), "{run:?}");
    assert!(run.stderr.contains("File \"scripts/main.py\", line 6"), "{run:?}");
    assert_eq!(world.json(&["run", "workspace-link-auditor"])["status"], "ok");
}
