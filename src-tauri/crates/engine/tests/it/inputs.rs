//! Saved inputs, and the examples of skills beside them.

use inklings_app::App;
use inklings_app::features::input::{InputEntry, ListInputs, SaveInput, SaveInputParams};
use inklings_app::features::prompt::{Render, RenderParams};
use inklings_app::features::skill::{Change, Create, CreateParams, Duplicate, Edit, EditParams, Get, List, ListParams};
use inklings_app::wire::{FileRef, SkillRef};
use inklings_core::{ArtifactKind, SkillPath};
use inklings_engine::{Engine, Resources};
use inklings_rpc::Operation;
use serde_json::{Map, Value, json};

use crate::support::{ask, start};

struct World {
    engine: Engine,
    _home: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        Self { engine: start(home.path(), Resources::find()), _home: home }
    }

    fn ask<T: Operation<App = App>>(&self, params: T::Params) -> T::Output {
        ask::<T>(&self.engine, None, params).unwrap()
    }

    fn inputs(&self, skill: &str, path: &str) -> Vec<InputEntry> {
        let file = FileRef { skill: skill.to_owned(), scope: None, path: SkillPath::parse(path).unwrap() };
        self.ask::<ListInputs>(file).inputs
    }

    fn save(&self, skill: &str, path: &str, name: &str, params: Map<String, Value>) {
        let path = SkillPath::parse(path).unwrap();
        self.ask::<SaveInput>(SaveInputParams { skill: skill.to_owned(), scope: None, path, name: name.to_owned(), params });
    }
}

fn names(inputs: &[InputEntry]) -> Vec<&str> {
    inputs.iter().map(|one| one.name.as_str()).collect()
}

#[test]
fn every_built_in_prompt_has_an_example_that_renders() {
    let world = World::new();
    let mut prompts = 0;
    for skill in world.ask::<List>(ListParams::default()).skills {
        let detail = world.ask::<Get>(SkillRef { skill: skill.slug.to_string(), scope: None });
        for entry in detail.entries.iter().filter(|one| one.artifact.as_ref().is_some_and(|one| one.kind == ArtifactKind::PromptTemplate)) {
            let inputs = world.inputs(skill.slug.as_str(), entry.path.as_str());
            let first = inputs.first().unwrap_or_else(|| panic!("{}: no example for {}", skill.slug, entry.path));
            let request = RenderParams {
                skill: skill.slug.to_string(),
                scope: None,
                path: entry.path.to_string(),
                text: None,
                params: first.params.clone(),
                model: None,
            };
            for variant in world.ask::<Render>(request).variants {
                assert!(variant.missing.is_empty() && variant.text.is_some_and(|text| text.len() > 500), "{}: {}", skill.slug, entry.path);
            }
            prompts += 1;
        }
    }
    assert!(prompts >= 4, "{prompts} prompts");
}

#[test]
fn an_example_is_offered_where_it_has_every_required_value() {
    let world = World::new();
    let [example] = &*world.inputs("consistency-checker", "prompts/check-prompt.j2") else { panic!("one example") };
    assert_eq!(
        (example.name.as_str(), example.example.as_ref().map(SkillPath::as_str)),
        ("Age and Date", Some("examples/age-and-date.json"))
    );
    assert_eq!(example.params["entity_name"], "Ansel Roake");
    // A script that needs no values, and a text.
    assert!(world.inputs("consistency-checker", "scripts/cross-reference.py").is_empty());
    assert!(world.inputs("quarterly-report-standards", "SKILL.md").is_empty());

    let created = world.ask::<Create>(CreateParams { name: "Greeter".to_owned(), description: None, content: None, scope: None });
    let artifact = |path: &str, kind: &str, name: &str| json!({"path": path, "kind": kind, "name": name});
    let example = |name: &str| artifact(&format!("examples/{}.json", name.to_lowercase()), "example", name);
    let declared = json!({"artifacts": [
        artifact("prompts/greet.j2", "prompt_template", "Greet"),
        example("Whole"),
        example("Half"),
        example("Odd"),
        example("Broken"),
    ]});
    let write = |path: &str, text: &str| Change::Write { path: SkillPath::parse(path).unwrap(), text: text.to_owned() };
    world.ask::<Edit>(EditParams {
        skill: created.summary.id.to_string(),
        scope: None,
        expected: created.summary.revision,
        changes: vec![
            write("prompts/greet.j2", "Hello {{ who }}, it is {{ day }}."),
            write("examples/whole.json", r#"{"input": {"who": "Ada", "day": "Monday"}, "output": "Hi"}"#),
            write("examples/half.json", r#"{"input": {"who": "Ada"}, "output": "Hi"}"#),
            write("examples/odd.json", r#"{"input": "Ada"}"#),
            write("examples/broken.json", "not JSON"),
            write("skill.json", &declared.to_string()),
        ],
        why: None,
    });
    assert_eq!(names(&world.inputs("greeter", "prompts/greet.j2")), ["Whole"]);
    assert_eq!(names(&world.inputs("greeter", "SKILL.md")), ["Whole"]);
    // A saved input of the same name replaces it.
    let params = Map::from_iter([("who".to_owned(), json!("Bo")), ("day".to_owned(), json!("Friday"))]);
    world.save("greeter", "prompts/greet.j2", "Whole", params);
    let inputs = world.inputs("greeter", "prompts/greet.j2");
    assert_eq!((names(&inputs), inputs[0].example.is_none(), &inputs[0].params["who"]), (vec!["Whole"], true, &json!("Bo")));
}

#[test]
fn a_duplicate_has_the_saved_inputs() {
    let world = World::new();
    let path = "prompts/check-prompt.j2";
    let params = Map::from_iter([("entity_name".to_owned(), json!("Aria"))]);
    world.save("consistency-checker", path, "", params.clone());
    world.save("consistency-checker", path, "mine", params.clone());
    let copy = world.ask::<Duplicate>(SkillRef { skill: "consistency-checker".to_owned(), scope: None });
    let inputs = world.inputs(copy.summary.slug.as_str(), path);
    assert_eq!(names(&inputs), ["", "mine", "Age and Date"]);
    assert_eq!(inputs[1].params, params);
    assert_eq!(names(&world.inputs("consistency-checker", path)), ["", "mine", "Age and Date"]);
}
