//! The history and the locations of a skill, with the real command.

use std::fs;

use serde_json::{Value, json};

use crate::support::{World, arg, finish};

/// A skill with three revisions: an import, a changed file, an added file.
fn three(world: &World) {
    world.file("asks/SKILL.md", "---\nname: asks\ndescription: Asks about a topic.\n---\n\nOne.\nTwo.\nThree.\n");
    world.file("asks/prompts/ask.j2", "Which {{ thing }}?\n");
    assert!(finish(world.command().arg("import").arg(world.root.path().join("asks"))).ok);
    for (path, text) in [("prompts/ask.j2", "Which {{ thing }} now?\n"), ("notes.md", "A note.\n")] {
        let from = world.file("text", text);
        world.json(&["skill", "edit", "asks", "--path", path, "--from", arg(&from)]);
    }
}

fn numbers(history: &Value) -> Vec<i64> {
    history["revisions"].as_array().unwrap().iter().map(|one| one["number"].as_i64().unwrap()).collect()
}

#[test]
fn a_history_is_filtered_by_file_and_one_file_is_put_back() {
    let world = World::new();
    three(&world);
    assert_eq!(numbers(&world.json(&["skill", "history", "asks"])), [3, 2, 1]);
    assert_eq!(numbers(&world.json(&["skill", "history", "asks", "--path", "prompts/ask.j2"])), [2, 1]);
    let newest = world.json(&["skill", "history", "asks", "--limit", "1"]);
    assert_eq!((numbers(&newest), &newest["next"], &newest["revisions"][0]["previous"]), (vec![3], &json!(3), &json!(2)));

    let back = world.json(&["skill", "rollback", "asks", "--to", "1", "--path", "prompts/ask.j2"]);
    assert_eq!(back["revision"], 4);
    let shown = world.json(&["skill", "show", "asks", "--path", "prompts/ask.j2"]);
    assert_eq!(shown["text"], "Which {{ thing }}?\n");
    let kept = world.json(&["skill", "show", "asks", "--path", "notes.md"]);
    assert_eq!(kept["text"], "A note.\n", "other files stay");
    let why = &world.json(&["skill", "history", "asks", "--limit", "1"])["revisions"][0]["why"];
    assert_eq!(why, "restored prompts/ask.j2 from revision 1");

    // A file that didn't exist yet is deleted; one that never existed is refused.
    world.json(&["skill", "rollback", "asks", "--to", "2", "--path", "notes.md"]);
    assert_eq!(numbers(&world.json(&["skill", "history", "asks", "--path", "notes.md"])), [5, 3]);
    let refused = world.refused(&["skill", "rollback", "asks", "--to", "2", "--path", "nowhere.md"]);
    assert!(refused["message"].as_str().unwrap().contains("nowhere.md exists neither at revision 2 nor now"), "{refused}");
    assert_eq!(world.refused(&["skill", "rollback", "asks", "--to", "9", "--path", "notes.md"])["code"], "notFound");
    let locked = world.refused(&["skill", "rollback", "consistency-checker", "--to", "1", "--path", "SKILL.md"]);
    assert_eq!(locked["code"], "locked", "{locked}");
}

#[test]
fn two_revisions_and_two_skills_are_compared_file_by_file() {
    let world = World::new();
    three(&world);
    let found = world.json(&["skill", "diff", "asks", "--from", "1", "--stat"]);
    let short = |file: &Value| json!([file["path"], file["change"], file["added"], file["removed"]]);
    let files: Vec<_> = found["files"].as_array().unwrap().iter().map(short).collect();
    assert_eq!(files, [json!(["notes.md", "added", 1, 0]), json!(["prompts/ask.j2", "modified", 1, 1])]);
    assert_eq!((&found["right"]["revision"], &found["right"]["now"]), (&json!(3), &json!(true)));

    let diff = finish(world.command().args(["skill", "diff", "asks", "--from", "1", "--to", "2", "--path", "prompts/ask.j2"]));
    assert!(diff.stdout.contains("--- a/prompts/ask.j2 r1\n+++ b/prompts/ask.j2 r2\n"), "{}", diff.stdout);
    assert!(diff.stdout.contains("-Which {{ thing }}?\n+Which {{ thing }} now?\n"), "{}", diff.stdout);
    let first = world.json(&["skill", "diff", "asks", "--from", "0", "--to", "1", "--stat"]);
    assert_eq!(first["files"].as_array().unwrap().len(), 2, "before the first there is nothing");

    // An override and the skill that it hides.
    world.json(&["skill", "fork", "consistency-checker"]);
    let other = world.json(&["skill", "diff", "consistency-checker", "--with", "consistency-checker", "--with-scope", "account", "--stat"]);
    let files: Vec<_> = other["files"].as_array().unwrap().iter().map(|file| &file["path"]).collect();
    assert_eq!(files, ["skill.json"], "a duplicate has ids of its own: {other}");
    assert_eq!((&other["left"]["scope"], &other["right"]["scope"]), (&json!("account"), &json!("workspace")));
    assert_eq!(finish(world.command().args(["skill", "diff", "asks"])).code, Some(2), "something to compare with is needed");
}

#[test]
fn the_locations_of_a_skill_are_listed_with_their_relations() {
    let world = World::new();
    three(&world);
    let home = world.root.path().join("person");
    let show = |skill: &str| {
        let mut command = world.command();
        let run = finish(command.env("HOME", &home).env_remove("XDG_CONFIG_HOME").args([
            "--json",
            "--workspace",
            arg(&world.workspace()),
            "skill",
            "show",
            skill,
        ]));
        assert!(run.ok, "{run:?}");
        serde_json::from_str::<Value>(&run.stdout).unwrap()["locations"].clone()
    };
    assert_eq!(show("asks")["line"], "account, in every workspace");

    // The imported folder equals the first revision.
    let copy = home.join(".claude/skills/any-folder");
    fs::create_dir_all(copy.join("prompts")).unwrap();
    for file in ["SKILL.md", "prompts/ask.j2"] {
        fs::copy(world.root.path().join("asks").join(file), copy.join(file)).unwrap();
    }
    let locations = show("asks");
    assert_eq!(locations["line"], "account, in every workspace; also in ~/.claude/skills, older");
    let found = &locations["copies"][0];
    assert_eq!((&found["agent"], &found["revision"], &found["path"]), (&json!("Claude Code"), &json!(1), &json!(copy)));

    fs::write(copy.join("prompts/ask.j2"), "Which {{ thing }} now?\n").unwrap();
    fs::write(copy.join("notes.md"), "A note.\n").unwrap();
    assert_eq!(show("asks")["copies"][0]["relation"], "same");
    fs::write(copy.join("notes.md"), "Another note.\n").unwrap();
    assert_eq!(show("asks")["copies"][0]["relation"], "different");
    fs::write(copy.join("SKILL.md"), "---\nname: asks\ndescription: Asks.\nmetadata:\n  version: \"9.0.0\"\n---\n").unwrap();
    assert_eq!(show("asks")["copies"][0]["relation"], "newer");

    // Claude Code prefers the user's skill to the workspace's.
    let shared = world.workspace().join(".claude/skills/asks");
    fs::create_dir_all(&shared).unwrap();
    fs::copy(copy.join("SKILL.md"), shared.join("SKILL.md")).unwrap();
    let line = show("asks")["line"].as_str().unwrap().to_owned();
    assert!(line.ends_with("; Claude Code uses the one in ~/.claude/skills"), "{line}");
    fs::remove_dir_all(&shared).unwrap();

    let diff = finish(world.command().env("HOME", &home).env_remove("XDG_CONFIG_HOME").args([
        "skill",
        "diff",
        "asks",
        "--copy",
        arg(&copy),
        "--stat",
    ]));
    assert!(diff.ok && diff.stdout.contains("notes.md") && diff.stdout.contains("+1  -1"), "{diff:?}");
    // A comparison only opens copies.
    let other = finish(world.command().env("HOME", &home).args(["skill", "diff", "asks", "--copy", arg(&world.root.path().join("asks"))]));
    assert!(!other.ok && other.stderr.contains("isn't a copy of this skill"), "{other:?}");

    world.json(&["skill", "fork", "consistency-checker"]);
    let locations = show("consistency-checker");
    assert_eq!((&locations["line"], &locations["wins"]), (&json!("workspace overrides account"), &json!("workspace")));
    assert_eq!(
        (&locations["other"]["scope"], &locations["other"]["relation"], &locations["parent"]),
        (&json!("account"), &json!("same"), &Value::Null)
    );
}
