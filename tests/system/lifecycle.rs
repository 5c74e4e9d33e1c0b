//! Promoting, deprecating, archiving, merging and relating skills, with the real command.

use serde_json::{Value, json};

use crate::support::{World, arg, finish};

fn create(world: &World, name: &str) {
    world.json(&["skill", "create", name, "--scope", "account", "--description", &format!("Makes {name} for guests. Use for {name}.")]);
}

fn found(world: &World, message: &str) -> Vec<String> {
    let found = world.json(&["search", message]);
    found["skills"].as_array().unwrap().iter().map(|one| one["slug"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_deprecated_skill_is_not_found_until_it_is_reinstated() {
    let world = World::new();
    create(&world, "Tea");
    let is_found = || found(&world, "make tea for guests").contains(&"tea".to_owned());
    let is_indexed = || finish(world.command().args(["skill", "index"])).stdout.contains("Makes Tea");
    assert!(is_indexed());
    assert!(is_found());
    let deprecated = world.json(&["skill", "deprecate", "tea", "--reason", "use coffee"]);
    assert_eq!((&deprecated["lifecycle"], &deprecated["revision"]), (&json!("deprecated"), &json!(1)));
    assert!(!is_found());
    assert!(!is_indexed());
    let shown = finish(world.command().args(["skill", "show", "tea"]));
    assert!(shown.stdout.contains("deprecated: use coffee"), "{}", shown.stdout);
    assert_eq!(world.json(&["skill", "stats"])["deprecated"], 1);

    let refused = world.refused(&["skill", "promote", "tea"]);
    assert_eq!(refused["message"], "tea is deprecated, so it can't be promoted");
    assert_eq!(world.json(&["skill", "archive", "tea"])["lifecycle"], "archived");
    assert!(!is_found());
    assert_eq!(world.json(&["skill", "reinstate", "tea"])["lifecycle"], "released");
    assert!(is_found());
    assert_eq!(world.json(&["skill", "show", "tea"])["card"]["deprecated_reason"], Value::Null);
    let said = finish(world.command().args(["skill", "archive", "tea", "--reason", "gone"]));
    assert!(said.ok && said.stdout.trim_end().ends_with("is archived"), "{}", said.stdout);
}

#[test]
fn a_built_in_skill_is_deprecated_like_any_other() {
    let world = World::new();
    let slug = "workspace-link-auditor";
    assert_eq!(world.json(&["skill", "deprecate", slug, "--reason", "not ours"])["lifecycle"], "deprecated");
    // The next start seeds again.
    assert_eq!(world.json(&["skill", "show", slug])["lifecycle"], "deprecated");
    assert_eq!(world.refused(&["skill", "merge", slug, "consistency-checker"])["code"], "locked", "its files stay as they are");
}

#[test]
fn a_merge_is_shown_before_it_is_made() {
    let world = World::new();
    create(&world, "Tea");
    create(&world, "Coffee");
    let beans = world.file("beans.md", "Arabica.");
    world.json(&["file", "add", "coffee", arg(&beans), "--folder", "references"]);
    world.json(&["file", "add", "tea", arg(&world.file("milk.md", "Oat.")), "--folder", "references"]);
    world.json(&["file", "add", "coffee", arg(&world.file("other/milk.md", "Cow.")), "--folder", "references"]);
    let preview = world.json(&["skill", "merge", "tea", "coffee", "--dry-run"]);
    let paths: Vec<_> = preview["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["SKILL.md", "references/beans.md"]);
    assert!(preview["files"][0]["after"].as_str().unwrap().contains("\n## Coffee\n"), "{preview}");
    assert_eq!((&preview["omitted"], &preview["dependents"]), (&json!(["references/milk.md"]), &json!([])));
    assert_eq!(world.json(&["skill", "show", "tea"])["revision"].as_i64(), Some(2), "nothing was written");

    let merged = world.json(&["skill", "merge", "tea", "coffee"]);
    assert_eq!((&merged["skill"]["revision"], &merged["source"]["lifecycle"]), (&json!(3), &json!("archived")));
    assert_eq!((&merged["omitted"], &merged["failure"]), (&json!(["references/milk.md"]), &Value::Null));
    let text = |path: &str| finish(world.command().args(["skill", "show", "tea", "--path", path])).stdout;
    assert_eq!((text("references/beans.md").as_str(), text("references/milk.md").as_str()), ("Arabica.", "Oat."));
    assert_eq!(text("SKILL.md"), preview["files"][0]["after"].as_str().unwrap());
    assert_eq!(world.refused(&["skill", "merge", "tea", "tea"])["code"], "invalid");
    // The merge is one revision, and the source comes back as it was.
    world.json(&["skill", "revert", "tea", "3"]);
    assert_eq!(world.json(&["skill", "reinstate", "coffee"])["lifecycle"], "released");
}

#[test]
fn dependencies_and_dependents_are_listed_with_circles() {
    let world = World::new();
    for (name, needs) in [("a", "b"), ("b", "c"), ("c", "gone")] {
        let json = json!({ "relations": { "depends_on": [needs] } }).to_string();
        world.file(&format!("{name}/SKILL.md"), format!("---\nname: {name}\ndescription: Does {name}. Use for {name}.\n---\n\nDo it.\n"));
        world.file(&format!("{name}/skill.json"), json);
        assert!(finish(world.command().arg("import").arg(world.root.path().join(name))).ok);
    }
    let related = |args: &[&str]| {
        let list = world.json(args);
        let names = list["skills"].as_array().unwrap().iter().map(|one| format!("{} {}", one["name"].as_str().unwrap(), one["depth"]));
        (names.collect::<Vec<_>>(), list["cycle"].clone())
    };
    let texts = |all: &[&str]| all.iter().map(|&one| one.to_owned()).collect::<Vec<_>>();
    assert_eq!(related(&["skill", "deps", "a"]), (texts(&["b 1", "c 2", "gone 3"]), Value::Null));
    assert_eq!(related(&["skill", "deps", "c", "--dependents"]), (texts(&["b 1", "a 2"]), Value::Null));
    let listed = finish(world.command().args(["skill", "deps", "a"]));
    assert!(listed.stdout.contains("not found"), "{}", listed.stdout);
    world.file("c/skill.json", json!({ "relations": { "depends_on": ["a"] } }).to_string());
    let again = finish(world.command().arg("import").arg(world.root.path().join("c")));
    assert!(again.ok, "{again:?}");
    assert_eq!(related(&["skill", "deps", "a"]), (texts(&["b 1", "c 2"]), json!(["a", "b", "c", "a"])));
    let circle = finish(world.command().args(["skill", "deps", "b"]));
    assert!(circle.stdout.contains("cycle: b -> c -> a -> b"), "{}", circle.stdout);
}

#[test]
fn an_archived_skill_is_used_by_nobody() {
    let world = World::new();
    let artifact = json!({ "path": "scripts/run.py", "kind": "code_template", "name": "Run", "ordinal": 1 });
    for (name, source) in [
        ("old", "inklings.submit(1)"),
        ("lists", "inklings.submit([one['name'] for one in inklings.skills.list()])"),
        ("calls", "inklings.submit(inklings.run_skill('old', {}))"),
    ] {
        world.file(&format!("in/{name}/SKILL.md"), format!("---\nname: {name}\ndescription: Is run. Use for {name}.\n---\n\nRun it.\n"));
        world.file(&format!("in/{name}/skill.json"), json!({ "artifacts": [artifact] }).to_string());
        world.file(&format!("in/{name}/scripts/run.py"), format!("import inklings\n{source}\n"));
    }
    let imported = finish(world.command().arg("import").arg(world.root.path().join("in")));
    assert!(imported.ok, "{imported:?}");
    let listed = || world.json(&["run", "lists"])["value"].as_array().unwrap().contains(&json!("old"));
    assert!(listed() && world.json(&["run", "calls"])["value"] == 1);
    world.json(&["skill", "archive", "old", "--reason", "gone"]);
    for args in [&["run", "old"][..], &["skill", "exec", "old", "scripts/run.py"], &["chat", "send", "--skill", "old", "hello"]] {
        let refused = world.refused(args);
        assert_eq!(refused["message"], "the skill old is archived", "{args:?}");
        assert_eq!(refused["hint"], "reinstate it first", "{args:?}");
    }
    let called = finish(world.command().args(["run", "calls"]));
    assert!(!called.ok && called.stderr.contains("the skill old is archived"), "{called:?}");
    assert!(!listed());
    world.json(&["skill", "reinstate", "old"]);
    assert_eq!(world.json(&["run", "old"])["value"], 1);
}
