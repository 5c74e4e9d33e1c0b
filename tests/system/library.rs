//! Filters and bulk changes of skills, with the real command.

use serde_json::{Value, json};

use crate::support::{World, finish};

fn three(world: &World) {
    for name in ["Part 10", "Part 9", "Notes"] {
        world.json(&["skill", "create", name, "--scope", "account", "--description", &format!("What {name} is for, and when.")]);
    }
}

fn slugs(list: &Value) -> Vec<&str> {
    list["skills"].as_array().unwrap().iter().map(|one| one["slug"].as_str().unwrap()).collect()
}

#[test]
fn a_list_is_narrowed_and_put_in_order() {
    let world = World::new();
    three(&world);
    assert_eq!(slugs(&world.json(&["skill", "list", "--yours"])), ["notes", "part-10", "part-9"]);
    let sorted = world.json(&["skill", "list", "--yours", "--sort", "title", "--limit", "2"]);
    assert_eq!((slugs(&sorted), &sorted["total"]), (vec!["notes", "part-9"], &json!(3)));
    assert_eq!(slugs(&world.json(&["skill", "list", "--search", "PART what", "--reverse"])), ["part-9", "part-10"]);
    let locked = world.json(&["skill", "list", "--built-in", "--lifecycle", "released"]);
    assert!(slugs(&locked).contains(&"consistency-checker") && !slugs(&locked).contains(&"notes"));
    let none = finish(world.command().args(["skill", "list", "--search", "xyzzy"]));
    assert_eq!((none.ok, none.stdout.trim()), (true, "no matches"));
    let unknown = finish(world.command().args(["skill", "list", "--lifecycle", "dead"]));
    assert!(!unknown.ok && unknown.stderr.contains("expected one of candidate, verified"), "{}", unknown.stderr);
    let stats = world.json(&["skill", "stats"]);
    assert_eq!((&stats["active"], &stats["runs"], &stats["freshness"]), (&stats["skills"], &json!(0), &Value::Null));
}

#[test]
fn one_change_goes_to_all_that_are_named_and_says_what_was_left() {
    let world = World::new();
    three(&world);
    let done = finish(world.command().args(["skill", "tag", "law", "notes", "consistency-checker", "part-9", "--json"]));
    let answer: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((done.ok, answer["done"].as_array().unwrap().len()), (false, 2), "{answer}");
    assert_eq!(answer["failed"][0]["failure"]["code"], "locked");
    assert_eq!(slugs(&world.json(&["skill", "list", "--tag", "law"])), ["notes", "part-9"]);
    world.json(&["skill", "tag", "law", "notes", "part-9", "--remove"]);
    world.json(&["skill", "category", "desk", "notes", "part-9"]);
    assert_eq!(slugs(&world.json(&["skill", "list", "--category", "desk"])), ["notes", "part-9"]);
    world.json(&["skill", "disable", "notes", "part-9"]);
    assert_eq!(slugs(&world.json(&["skill", "list", "--disabled"])), ["notes", "part-9"]);
    let said = finish(world.command().args(["skill", "enable", "notes", "part-10"]));
    assert!(said.ok && said.stdout.contains("enabled") && said.stdout.contains("unchanged"), "{}", said.stdout);
    world.json(&["skill", "delete", "notes", "part-9", "part-10"]);
    assert!(slugs(&world.json(&["skill", "list", "--yours"])).is_empty());
    let deleted = world.json(&["skill", "deleted"]);
    assert_eq!(deleted["skills"].as_array().unwrap().len(), 3);
    let notes = deleted["skills"].as_array().unwrap().iter().find(|one| one["slug"] == "notes").unwrap();
    let id = notes["id"].as_str().unwrap();
    assert_eq!(world.json(&["skill", "deleted", id])["entries"][0]["path"], "SKILL.md");
    let text = finish(world.command().args(["skill", "deleted", id, "--path", "SKILL.md"]));
    assert!(text.ok && text.stdout.starts_with("---\n"), "{}", text.stdout);
}

#[test]
fn a_deleted_skill_is_found_in_either_scope_and_says_its_new_name() {
    let world = World::new();
    for scope in ["account", "workspace"] {
        world.json(&["skill", "create", "Desk", "--scope", scope]);
        let id = world.json(&["skill", "delete", "desk", "--scope", scope])["id"].as_str().unwrap().to_owned();
        assert_eq!(world.json(&["skill", "deleted", &id])["scope"], scope);
        assert!(world.json(&["skill", "deleted", &id, "--path", "SKILL.md"])["text"].is_string());
        let restore = || finish(world.command().arg("--workspace").arg(world.workspace()).args(["skill", "restore", &id]));
        let restored = restore();
        assert!(restored.ok && restored.stdout.starts_with(&format!("restored desk ({scope}, ")), "{restored:?}");

        world.json(&["skill", "delete", "desk", "--scope", scope]);
        world.json(&["skill", "create", "Desk", "--scope", scope]);
        let restored = restore();
        assert!(restored.stdout.starts_with(&format!("restored as desk-restored ({scope}, ")), "{restored:?}");
        assert!(restored.ok && restored.stdout.ends_with(", since desk is in use\n"), "{restored:?}");
    }
    assert_eq!(world.refused(&["skill", "restore", "00000000-0000-0000-0000-000000000000"])["code"], "notFound");
}

#[test]
fn values_are_set_without_touching_the_text_around_them() {
    let world = World::new();
    world.file("desk/SKILL.md", "---\n# Ours.\nname: desk\ndescription: Keeps the desk.   # short\nlicense: MIT\n---\n\nText.\n");
    assert!(finish(world.command().arg("import").arg(world.root.path().join("desk"))).ok);
    let saved = world.json(&["skill", "set", "desk", "--description", "Keeps the desk tidy.", "--tags", "a, b", "--set-version", "2.0.0"]);
    assert_eq!(saved["revision"], 2);
    let text = finish(world.command().args(["skill", "show", "desk", "--path", "SKILL.md"])).stdout;
    assert!(text.starts_with("---\n# Ours.\nname: desk\n") && text.contains("license: MIT\n") && text.ends_with("\n\nText.\n"), "{text}");
    let shown = world.json(&["skill", "show", "desk"]);
    assert_eq!(
        (&shown["description"], &shown["tags"], &shown["version"]),
        (&json!("Keeps the desk tidy."), &json!(["a", "b"]), &json!("2.0.0"))
    );
    let stale = world.refused(&["skill", "set", "desk", "--description", "Mine.", "--expected", "1"]);
    assert_eq!(stale["code"], "revisionConflict");
    assert!(world.refused(&["skill", "set", "desk"])["message"].as_str().unwrap().contains("no values were given"));
}
