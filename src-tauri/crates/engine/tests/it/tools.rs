//! The tools by which models of other systems work with skills, and the lifecycle that they see.

use inklings_app::dispatch;
use inklings_app::features::library::Card;
use inklings_app::features::skill::{Archive, ArchiveParams, Create, CreateParams, Promote, PromoteParams};
use inklings_app::features::tool::operation_name;
use inklings_app::wire::SkillRef;
use inklings_core::Scope;
use inklings_engine::Engine;
use inklings_rpc::{CallContext, Code, Failure, Role};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{ask, beside_work};

struct World {
    engine: Engine,
    _folder: TempDir,
}

impl World {
    fn new() -> Self {
        let (engine, folder) = beside_work();
        Self { engine, _folder: folder }
    }

    fn create(&self, name: &str) {
        let description = Some(format!("What {name} is for, and when."));
        let params = CreateParams { name: name.to_owned(), description, content: None, scope: Some(Scope::Account) };
        ask::<Create>(&self.engine, None, params).unwrap();
    }

    /// A call by the name that a model uses, without a chat.
    fn try_call(&self, tool: &str, arguments: Value) -> Result<Value, Failure> {
        let cx = CallContext { actor: "assistant".to_owned(), role: Role::Assistant, ..CallContext::local(None, "test") };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(dispatch(self.engine.app().clone(), cx, operation_name(tool).unwrap(), arguments))
    }

    fn call(&self, tool: &str, arguments: Value) -> Value {
        self.try_call(tool, arguments).unwrap()
    }

    fn write(&self, operation: &str, name: &str, more: Value) -> Value {
        self.call("skill_write", write_arguments(operation, name, more))
    }

    fn refused(&self, operation: &str, name: &str, more: Value) -> Failure {
        self.try_call("skill_write", write_arguments(operation, name, more)).unwrap_err()
    }

    fn uses(&self, skill: &str) -> u32 {
        ask::<Card>(&self.engine, None, named(skill)).unwrap().quality.uses
    }
}

fn named(skill: &str) -> SkillRef {
    SkillRef { skill: skill.to_owned(), scope: None }
}

fn write_arguments(operation: &str, name: &str, more: Value) -> Value {
    let mut arguments = json!({ "operation": operation, "name": name });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    arguments
}

fn names(result: &Value) -> Vec<&str> {
    result["skills"].as_array().unwrap().iter().map(|skill| skill["name"].as_str().unwrap()).collect()
}

#[test]
fn a_skill_is_written_and_read_by_the_names_of_another_system() {
    let world = World::new();
    let steps = json!([{ "step": 2, "action": "pour" }, { "step": 1, "action": "boil", "tool": "kettle", "params": { "degrees": 100 } }]);
    let created = world.write(
        "create",
        "tea_times",
        json!({ "description": "Says when tea is ready.", "content": "# Tea\n\nBlack: 3 minutes.", "steps": steps, "tags": ["tea"] }),
    );
    assert_eq!(
        (&created["ok"], &created["name"], &created["version"], &created["lifecycle"]),
        (&json!(true), &json!("tea-times"), &json!(1), &json!("verified"))
    );
    assert_eq!(world.refused("create", "tea-times", json!({ "description": "x", "content": "x" })).code, Code::Exists);

    let loaded = world.call("load_skill", json!({ "name": "tea_times" }));
    assert_eq!(loaded["content"], "# Tea\n\nBlack: 3 minutes.\n");
    let step = |at: usize| (&loaded["steps"][at]["step"], &loaded["steps"][at]["action"]);
    assert_eq!((step(0), step(1)), ((&json!(1), &json!("boil")), (&json!(2), &json!("pour"))));
    assert_eq!(loaded["steps"][0]["params"], json!({ "degrees": 100 }));
    assert_eq!((&loaded["title"], &loaded["trust_tier"], &loaded["warning"]), (&json!("Tea Times"), &json!(2), &Value::Null));
    assert!(loaded["quality"].as_f64().is_some_and(|quality| quality > 0.5 && quality < 1.0), "{loaded}");

    let updated = world.write("update", "tea-times", json!({ "content": "Green: 2 minutes.", "depends_on": ["kettle"], "steps": [] }));
    assert_eq!(updated["version"], 2);
    let alias = world.call("loadSkill", json!({ "slug": "tea-times" }));
    assert_eq!((&alias["name"], &alias["instructions"]), (&json!("Tea Times"), &json!("Green: 2 minutes.\n")));
    assert_eq!(world.uses("tea-times"), 2, "each load is a use");
    let read = world.call("skill_read", json!({ "name": "tea-times" }));
    assert_eq!((names(&read), &read["skills"][0]["steps"]), (vec!["tea-times"], &json!([])));
    assert_eq!(world.uses("tea-times"), 2, "inspecting it is none");

    let missing = world.write("dependencies", "tea-times", json!({}));
    assert_eq!((names(&missing), &missing["skills"][0]["title"]), (vec!["kettle"], &Value::Null));
    let nothing = world.refused("update", "tea-times", json!({}));
    assert!(nothing.hint.is_some_and(|hint| hint.contains("depends_on")));
    let unnamed = world.refused("merge", "tea-times", json!({}));
    assert_eq!(unnamed.message, "merge requires \"source\"");
    assert_eq!(world.write("delete", "tea-times", json!({}))["version"], 3);
}

#[test]
fn skills_are_listed_by_origin_and_lifecycle() {
    let world = World::new();
    world.create("By Hand");
    world.write("create", "by-model", json!({ "description": "Says a thing.", "content": "Say it." }));
    assert_eq!(names(&world.call("skill_read", json!({ "origin": "llm" }))), ["by-model"]);
    let verified = world.call("skill_read", json!({ "lifecycle": "verified", "limit": 0 }));
    assert_eq!((names(&verified), &verified["total"]), (vec![], &json!(1)));
    world.write("deprecate", "by-hand", json!({ "reason": "use by-model" }));
    let deprecated = world.call("skill_read", json!({ "lifecycle": "deprecated" }));
    assert_eq!((names(&deprecated), &deprecated["skills"][0]["warning"]), (vec!["by-hand"], &json!("it is deprecated")));
    let inspected = world.call("skill_read", json!({ "name": "by-hand" }));
    assert_eq!(inspected["skills"][0]["warning"], "it is deprecated: use by-model");
    assert_eq!(names(&world.call("skill_read", json!({ "scope": "workspace" }))), Vec::<&str>::new());
    let listed = world.call("list_skills", json!({ "scope": "account", "tag": "no-such-tag" }));
    assert_eq!(names(&listed), Vec::<&str>::new());
}

#[test]
fn a_list_has_fifty_skills_by_default_and_says_how_many_there_are() {
    let world = World::new();
    for number in 0..51 {
        let description = format!("Makes tea number {number}.");
        world.write("create", &format!("tea-{number}"), json!({ "description": description, "content": "Make it." }));
    }
    let listed = world.call("skill_read", json!({ "origin": "llm" }));
    assert_eq!((names(&listed).len(), &listed["total"]), (50, &json!(51)));
    let listed = world.call("skill_read", json!({ "origin": "llm", "limit": 60 }));
    assert_eq!((names(&listed).len(), &listed["total"]), (51, &json!(51)));
}

#[test]
fn an_offset_beyond_the_end_of_a_file_shows_nothing() {
    let world = World::new();
    world.create("Tea");
    for offset in [100_000, usize::MAX] {
        let viewed = world.call("view_skill_artifact", json!({ "skill": "tea", "path": "SKILL.md", "offset": offset }));
        assert_eq!((&viewed["content"], &viewed["truncated"]), (&json!(""), &json!(false)), "{offset}");
    }
}

#[test]
fn what_must_not_be_used_is_read_with_a_warning_only() {
    let world = World::new();
    world.create("Old Tea");
    let states = [
        ("deprecated", json!("it is deprecated: use coffee"), true),
        ("disabled", json!("it is disabled"), false),
        ("archived", json!("it is archived: gone"), false),
    ];
    for (state, warning, loads) in states {
        match state {
            "deprecated" => drop(world.write("deprecate", "old-tea", json!({ "reason": "use coffee" }))),
            "disabled" => {
                world.create("Off Tea");
                world.call("disable_skill", json!({ "name": "off-tea" }));
            }
            _ => {
                let params = ArchiveParams { skill: "old-tea".to_owned(), scope: None, reason: Some("gone".to_owned()) };
                ask::<Archive>(&world.engine, None, params).unwrap();
            }
        }
        let name = if state == "disabled" { "off-tea" } else { "old-tea" };
        for (tool, argument) in [("load_skill", "name"), ("loadSkill", "slug"), ("run_skill", "name")] {
            match world.try_call(tool, json!({ argument: name })) {
                Ok(loaded) => assert!(loads && loaded["warning"] == warning, "{tool} {state} {loaded}"),
                // A deprecated skill may be run, but this one has nothing to run.
                Err(failure) if loads => assert_eq!(tool, "run_skill", "{failure:?}"),
                Err(failure) => assert!(failure.message.contains(state), "{tool} {failure:?}"),
            }
        }
        assert_eq!(world.call("read_skill", json!({ "name": name }))["warning"], warning);
        assert_eq!(world.call("view_skill_artifact", json!({ "skill": name }))["warning"], warning);
        assert_eq!(world.call("view_skill_artifact", json!({ "skill": name, "path": "SKILL.md" }))["warning"], warning);
        assert_eq!(world.call("skill_read", json!({ "name": name }))["skills"][0]["warning"], warning);
    }
}

#[test]
fn the_lifecycle_goes_step_by_step() {
    let world = World::new();
    world.write("create", "notes", json!({ "description": "Keeps notes.", "content": "Keep them." }));
    assert_eq!(world.write("promote", "notes", json!({}))["lifecycle"], "released");
    let card = || ask::<Card>(&world.engine, None, named("notes")).unwrap();
    assert!(card().last_validated_at.is_some());
    let refused = world.refused("promote", "notes", json!({}));
    assert_eq!(refused.message, "notes is released, so it can't be promoted");
    let deprecated = world.write("deprecate", "notes", json!({ "reason": " use memos " }));
    assert_eq!((&deprecated["lifecycle"], &deprecated["version"]), (&json!("deprecated"), &json!(1)), "no revision");
    assert_eq!(card().deprecated_reason.as_deref(), Some("use memos"));
    let again = world.refused("deprecate", "notes", json!({ "reason": "x" }));
    assert_eq!(again.message, "notes is already deprecated");
    let retired =
        ask::<Promote>(&world.engine, None, PromoteParams { skill: "notes".to_owned(), scope: None, expected: None }).unwrap_err();
    assert_eq!(
        (retired.message.as_str(), retired.hint.as_deref()),
        ("notes is deprecated, so it can't be promoted", Some("reinstate it first"))
    );
    assert_eq!(world.refused("deprecate", "notes", json!({})).message, "deprecate requires \"reason\"");
}

#[test]
fn a_skill_that_others_need_is_not_deleted() {
    let world = World::new();
    for name in ["base", "user", "second"] {
        world.write("create", name, json!({ "description": "Does a thing.", "content": "Do it." }));
    }
    world.write("update", "user", json!({ "depends_on": ["Base"] }));
    world.write("update", "second", json!({ "depends_on": ["user"] }));
    let refused = world.refused("delete", "base", json!({}));
    assert_eq!((refused.code, refused.message.as_str()), (Code::HasDependents, "base is needed by user"));
    let dependents = world.write("dependents", "base", json!({}));
    let depths: Vec<_> = dependents["skills"].as_array().unwrap().iter().map(|one| (one["name"].clone(), one["depth"].clone())).collect();
    assert_eq!(depths, [(json!("user"), json!(1)), (json!("second"), json!(2))]);
    assert_eq!(dependents["cycle"], Value::Null);
    world.write("update", "base", json!({ "depends_on": ["second"] }));
    let circle = world.write("dependencies", "base", json!({}));
    assert_eq!((names(&circle), &circle["cycle"]), (vec!["second", "user"], &json!(["base", "second", "user", "base"])));
}

#[test]
fn a_merge_adds_what_the_target_has_not_and_archives_the_source() {
    let world = World::new();
    let create = |name: &str, more: Value| {
        let mut values = json!({ "description": format!("Makes {name}."), "content": format!("# About {name}\n\nMake {name}.") });
        values.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world.write("create", name, values);
    };
    create("tea", json!({ "steps": [{ "action": "boil" }], "tags": ["drink"], "depends_on": ["coffee"] }));
    create(
        "coffee",
        json!({ "steps": [{ "action": "boil" }, { "action": "grind" }], "tags": ["drink", "hot"], "depends_on": ["kettle", "tea"] }),
    );
    let merged = world.write("merge", "tea", json!({ "source": "coffee" }));
    assert_eq!((&merged["name"], &merged["version"], &merged["warning"]), (&json!("tea"), &json!(2), &Value::Null));
    let loaded = world.call("load_skill", json!({ "name": "tea" }));
    assert_eq!(loaded["description"], "Makes tea. Makes coffee.");
    assert_eq!(loaded["content"], "# About tea\n\nMake tea.\n\n## About coffee\n\nMake coffee.\n");
    let actions: Vec<_> = loaded["steps"].as_array().unwrap().iter().map(|step| step["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["boil", "grind"]);
    assert_eq!(names(&world.write("dependencies", "tea", json!({}))), ["kettle"], "neither needs itself");
    assert_eq!(world.call("read_skill", json!({ "name": "tea" }))["tags"], json!(["drink", "hot"]));
    assert_eq!(world.call("read_skill", json!({ "name": "coffee" }))["warning"], "it is archived: merged into tea");
    let archived = world.refused("merge", "tea", json!({ "source": "coffee" }));
    assert_eq!(archived.message, "coffee is already archived");
    assert_eq!(world.refused("merge", "tea", json!({ "source": "tea" })).message, "tea can't be merged into itself");
    assert_eq!(world.refused("merge", "coffee", json!({ "source": "tea" })).message, "coffee is archived");
}
