//! Published Agent Skills folders are imported and exported byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{World, arg, finish};

fn snapshot(folder: &Path) -> BTreeMap<String, (Vec<u8>, bool)> {
    let (mut files, mut waiting) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let executable = path.metadata().unwrap().permissions().mode() & 0o100 != 0;
                files.insert(path.strip_prefix(folder).unwrap().display().to_string(), (fs::read(&path).unwrap(), executable));
            }
        }
    }
    files
}

#[test]
fn a_public_folder_survives_import_and_export() {
    let world = World::new();
    let skill_md = "\u{feff}---\r\nname: pdf-forms\r\n# a comment\r\ndescription: >-\r\n  Fills PDF forms. Use when a form\r\n  has fields.\r\nlicense: MIT\r\n\
                    metadata:\r\n  vendor:\r\n    team: forms\r\nx-unknown: [1, 2]\r\n---\r\n\r\n# PDF forms\r\n\r\nRun `scripts/fill.py`.\r\n";
    world.file("in/pdf-forms/SKILL.md", skill_md);
    let script = world.file("in/pdf-forms/scripts/fill.py", "#!/usr/bin/env python3\nprint('fill')\n");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    world.file("in/pdf-forms/references/FIELDS.md", "# Fields\n");
    world.file("in/pdf-forms/assets/blank.pdf", (0..=255_u8).cycle().take(70_000).collect::<Vec<_>>());
    world.file("in/pdf-forms/references/naïve résumé.txt", "ünïcode");
    let before = snapshot(&world.root.path().join("in/pdf-forms"));
    let report = world.json(&["import", arg(&world.root.path().join("in"))]);
    assert_eq!(report["items"][0]["status"], "new", "{report}");
    let out = world.root.path().join("out");
    world.json(&["export", "pdf-forms", "--format", "folder", "--out", arg(&out)]);
    assert_eq!(snapshot(&out.join("pdf-forms")), before);
    let again = world.json(&["import", arg(&world.root.path().join("in"))]);
    assert_eq!(again["items"][0]["status"], "unchanged", "{again}");
}

#[test]
fn a_look_at_a_conflict_shows_both_sides() {
    let world = World::new();
    world.file("in/fact/SKILL.md", "---\nname: fact\ndescription: Checks facts whenever the desk asks for it.\n---\nBody\n");
    world.file("in/fact/references/r.md", "Ask two sources.\n");
    world.file("in/fact/references/n.md", "Ada\n");
    let folder = world.root.path().join("in");
    world.json(&["import", arg(&folder), "--scope", "account"]);
    let mine = world.file("mine.md", "Ask one source.\n");
    finish(world.command().args(["skill", "edit", "fact", "--path", "references/r.md", "--from", arg(&mine)]));
    world.file("in/fact/references/r.md", "Ask three sources.\n");
    world.file("in/fact/references/n.md", "Ada\nBob\n");
    let run = finish(world.command().args(["import", arg(&folder), "--dry-run"]));
    for part in [
        "references/n.md: changed in the import\n",
        "references/r.md: conflict\n",
        "--- base/references/r.md\n+++ yours/references/r.md\n@@ -1 +1 @@\n-Ask two sources.\n+Ask one source.\n",
        "--- base/references/r.md\n+++ imported/references/r.md\n@@ -1 +1 @@\n-Ask two sources.\n+Ask three sources.\n",
        "conflict in 1",
    ] {
        assert!(run.stdout.contains(part), "{part:?} is not in {}", run.stdout);
    }
}

/// A package of another store, with every runnable artifact kind and the name of a shipped skill.
const PACKAGE: &str = include_str!("../fixtures/packages/consistency-checker.json");

#[test]
fn a_package_overrides_a_shipped_skill_in_a_workspace_and_leaves_as_it_came() {
    let world = World::new();
    let package = world.file("checker.json", PACKAGE);
    let kept = world.json(&["import", arg(&package), "--scope", "account"]);
    assert_eq!((&kept["items"][0]["status"], &kept["items"][0]["stored"]), (&json!("locked"), &json!(false)));
    // With an open workspace it is imported there.
    assert_eq!(world.json(&["import", arg(&package)])["items"][0]["status"], "new");
    let listed = world.json(&["skill", "list"]);
    let overriding = listed["skills"].as_array().unwrap().iter().find(|one| one["slug"] == "consistency-checker").unwrap();
    assert_eq!((&overriding["scope"], &overriding["shadows"]), (&json!("workspace"), &json!(true)));
    let out = world.root.path().join("out");
    world.json(&["export", "consistency-checker", "--format", "json", "--out", arg(&out)]);
    let written: Value = serde_json::from_slice(&fs::read(out.join("consistency-checker.json")).unwrap()).unwrap();
    assert_eq!(written, serde_json::from_str::<Value>(PACKAGE).unwrap());
}

#[test]
fn a_finding_names_the_file_that_the_skill_is() {
    let world = World::new();
    let package = world.file("checker.json", PACKAGE);
    let text = finish(world.command().args(["import", arg(&package), "--dry-run"])).stderr;
    let line = PACKAGE.lines().position(|line| line.contains("\"source\"")).unwrap() + 1;
    assert!(text.contains(&format!("{}:{line}:", package.display())), "{text}");
    let loose = world.file("loose.md", "---\nname: loose\ndescription: Notes: of the desk, for whoever asks for them.\n---\nBody\n");
    let text = finish(world.command().args(["import", arg(&loose), "--dry-run"])).stderr;
    assert!(text.contains(&format!("{}:3:", loose.display())), "{text}");
}

#[test]
fn every_shipped_skill_exports_as_it_was_shipped() {
    let world = World::new();
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../seed/skills");
    let out = world.root.path().join("out");
    let mut count = 0;
    for entry in fs::read_dir(&seeds).unwrap() {
        let slug = entry.unwrap().file_name().into_string().unwrap();
        world.json(&["export", &slug, "--out", arg(&out)]);
        assert_eq!(snapshot(&out.join(&slug)), snapshot(&seeds.join(&slug)), "{slug}");
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn all_skills_are_exported_at_once_an_override_instead_of_what_it_hides() {
    let world = World::new();
    world.json(&["skill", "fork", "timeline-consistency"]);
    let out = world.root.path().join("out");
    let report = world.json(&["export", "--all", "--out", arg(&out)]);
    let names = |value: &serde_json::Value| -> Vec<String> {
        let mut slugs: Vec<_> = value.as_array().unwrap().iter().map(|one| one["slug"].as_str().unwrap().to_owned()).collect();
        slugs.sort();
        slugs
    };
    let listed = names(&world.json(&["skill", "list"])["skills"]);
    assert_eq!((names(&report["items"]), listed.len()), (listed, 5));
    let scope = |slug: &str| report["items"].as_array().unwrap().iter().find(|one| one["slug"] == slug).unwrap()["scope"].clone();
    assert_eq!((scope("timeline-consistency"), scope("skill-reviewer")), ("workspace".into(), "account".into()));
}

#[test]
fn rollback_and_undelete_bring_back_every_byte() {
    let world = World::new();
    world.json(&["skill", "fork", "timeline-consistency"]);
    let out = world.root.path().join("a");
    world.json(&["export", "timeline-consistency", "--out", arg(&out)]);
    let note = world.file("note.md", "changed\n");
    world.json(&["skill", "edit", "timeline-consistency", "--path", "references/calendars.md", "--from", arg(&note)]);
    world.json(&["skill", "edit", "timeline-consistency", "--path", "new.md", "--from", arg(&note)]);
    world.json(&["skill", "rollback", "timeline-consistency", "--to", "1"]);
    let deleted = world.json(&["skill", "delete", "timeline-consistency"]);
    world.json(&["skill", "restore", deleted["id"].as_str().unwrap(), "--scope", "workspace"]);
    let again = world.root.path().join("b");
    world.json(&["export", "timeline-consistency", "--out", arg(&again)]);
    assert_eq!(snapshot(&again), snapshot(&out));
    let history = world.json(&["skill", "history", "timeline-consistency"]);
    assert_eq!(history["revisions"][0]["number"], 6, "{history}");
}

#[test]
fn a_copied_folder_becomes_a_skill_of_its_own() {
    let world = World::new();
    let parent = world.json(&["skill", "show", "consistency-checker"])["id"].as_str().unwrap().to_owned();
    world.json(&["skill", "fork", "consistency-checker"]);
    let out = world.root.path().join("out");
    world.json(&["export", "consistency-checker", "--out", arg(&out)]);
    let json = fs::read_to_string(out.join("consistency-checker/skill.json")).unwrap();
    assert!(!json.contains(&parent), "a fork is another skill: {json}");
    for name in ["first-copy", "second-copy"] {
        let copy = world.root.path().join("in").join(name);
        for (path, (bytes, _)) in snapshot(&out.join("consistency-checker")) {
            let bytes = if path == "SKILL.md" {
                String::from_utf8(bytes).unwrap().replacen("name: consistency-checker", &format!("name: {name}"), 1).into_bytes()
            } else {
                bytes
            };
            fs::create_dir_all(copy.join(&path).parent().unwrap()).unwrap();
            fs::write(copy.join(&path), bytes).unwrap();
        }
    }
    let report = world.json(&["import", arg(&world.root.path().join("in"))]);
    let status: Vec<_> = report["items"].as_array().unwrap().iter().map(|item| item["status"].as_str().unwrap()).collect();
    assert_eq!(status, ["new", "new"], "{report}");
}

#[test]
fn a_command_leaves_one_whole_file() {
    let world = World::new();
    world.json(&["skill", "create", "Whole"]);
    for database in [world.home().join("agents.db"), world.workspace().join("agents.db")] {
        let log = database.with_extension("db-wal");
        assert!(!log.exists(), "{} would have to be copied as well", log.display());
    }
}

#[test]
fn a_skill_without_frontmatter_comes_back_under_its_own_name() {
    let world = World::new();
    world.file("in/plain-words/SKILL.md", "Reads plain words aloud. Use when words are to be received.\n\n# How\n\nSlowly.\n");
    world.json(&["import", arg(&world.root.path().join("in"))]);
    let deleted = world.json(&["skill", "delete", "plain-words"]);
    let back = world.json(&["skill", "restore", deleted["id"].as_str().unwrap(), "--scope", "workspace"]);
    assert_eq!((back["slug"].as_str(), back["id"].as_str()), (Some("plain-words"), deleted["id"].as_str()));
}

#[test]
fn the_skills_of_other_agents_are_linked_where_they_are() {
    let world = World::new();
    let skill = |place: &str, name: &str| {
        world.file(
            &format!("{place}/{name}/SKILL.md"),
            format!("---\nname: {name}\ndescription: Is found. Use it in tests.\n---\n\nDo it.\n"),
        )
    };
    skill("person/.claude/skills", "shared");
    skill("person/.claude/skills", "claudes");
    skill("person/.codex/skills", "shared");
    skill("notes/.github/skills", "repos");
    world.file("person/.codex/skills/broken/SKILL.md", "---\nname: broken\n");
    let run = |args: &[&str]| {
        let mut command = world.command();
        command.arg("--workspace").arg(world.workspace()).args(args).arg("--json");
        let done = finish(&mut command);
        assert!(done.ok, "{done:?}");
        serde_json::from_str::<serde_json::Value>(&done.stdout).unwrap()
    };
    let list = || run(&["target", "list"]);
    let seen = list();
    let at = |list: &serde_json::Value, agent: &str| {
        let all = list["targets"].as_array().unwrap();
        let skills = all.iter().find(|one| one["agent"] == agent).unwrap()["skills"].as_array().unwrap().clone();
        skills.iter().map(|one| format!("{} {}", one["slug"].as_str().unwrap_or("-"), one["status"].as_str().unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(seen["new"], 0, "all of them are linked: {seen}");
    assert_eq!(at(&seen, "claude-code"), ["claudes unchanged", "shared unchanged"]);
    assert_eq!(at(&seen, "codex"), ["- refused", "shared unchanged"]);
    assert_eq!((at(&seen, "copilot"), &seen["targets"][0]["of_workspace"]), (vec!["repos unchanged".to_owned()], &serde_json::json!(true)));
    let links = run(&["link", "list"]);
    let folders: Vec<_> = links["links"].as_array().unwrap().iter().map(|one| one["folder"].as_str().unwrap().to_owned()).collect();
    let folder = |name: &str| world.root.path().canonicalize().unwrap().join(name).display().to_string();
    let linked = ["notes/.github/skills/repos", "person/.claude/skills/claudes", "person/.claude/skills/shared"].map(folder);
    assert_eq!(folders, linked, "shared is one skill");

    // A skill that isn't linked any more is changed on one side only.
    run(&["link", "remove", "shared"]);
    skill("person/.claude/skills", "shared");
    world.file("person/.claude/skills/shared/more.md", "More.\n");
    assert_eq!(at(&list(), "claude-code"), ["claudes unchanged", "shared update"]);
    run(&["link", "add", &folder("person/.claude/skills/shared")]);
    assert_eq!(at(&list(), "claude-code"), ["claudes unchanged", "shared unchanged"]);
}

#[test]
fn the_published_schema_is_the_one_that_packages_are_read_by() {
    let world = World::new();
    let printed = finish(world.command().arg("schema"));
    assert!(printed.ok, "{printed:?}");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../folder/schemas/skill-package.schema.json");
    assert!(
        fs::read_to_string(file).unwrap() == printed.stdout,
        "write it anew: inklings schema > src-tauri/crates/folder/schemas/skill-package.schema.json"
    );
}

#[test]
fn an_import_says_what_validate_says() {
    let world = World::new();
    world.file("in/papers/SKILL.md", "---\nname: papers\ndescription: Sorts papers of all kinds. Use it when they come.\n---\nBody\n");
    world.file("in/papers/prompts/ask.j2", "{% for page in pages %}{{ page }}\n");
    let artifact = json!({ "path": "prompts/ask.j2", "kind": "prompt_template", "name": "Ask" });
    world.file("in/papers/skill.json", json!({ "artifacts": [artifact], "run": ["Nobody"] }).to_string());
    let folder = world.root.path().join("in/papers");
    let valid = finish(world.command().args(["validate", arg(&folder)]));
    let found: Value = serde_json::from_str(&valid.stdout).unwrap();
    assert!(!valid.ok && found["diagnostics"].as_array().unwrap().len() > 1, "{valid:?}");
    let look = world.json(&["import", arg(&folder), "--dry-run"]);
    assert_eq!((&look["items"][0]["status"], &look["items"][0]["diagnostics"]), (&json!("new"), &found["diagnostics"]));
    let run = finish(world.command().args(["import", arg(&folder)]));
    assert!(run.ok && run.stdout.contains("new"), "{run:?}");
    for one in found["diagnostics"].as_array().unwrap() {
        assert!(run.stderr.contains(one["rule"].as_str().unwrap()), "{} is not in {}", one["rule"], run.stderr);
    }
}

#[test]
fn each_skill_and_file_of_an_import_can_be_chosen() {
    let world = World::new();
    for name in ["fact", "source"] {
        let text = format!("---\nname: {name}\ndescription: Checks each {name} whenever the desk asks for it.\n---\nBody\n");
        world.file(&format!("in/{name}/SKILL.md"), text);
        world.file(&format!("in/{name}/a.md"), "One.\n");
        world.file(&format!("in/{name}/b.md"), "One.\n");
    }
    let folder = world.root.path().join("in");
    let import = |more: &[&str]| world.json(&[&["import", arg(&folder), "--scope", "account"], more].concat());
    import(&[]);
    let mine = world.file("mine.md", "Mine.\n");
    for (skill, file) in [("fact", "a.md"), ("fact", "b.md"), ("source", "a.md")] {
        world.json(&["skill", "edit", skill, "--path", file, "--from", arg(&mine)]);
        world.file(&format!("in/{skill}/{file}"), "Theirs.\n");
    }
    let refused = world.refused(&["import", arg(&folder), "--scope", "account", "--choose", "nobody=merge"]);
    assert_eq!(refused["code"], "notFound");
    let refused = world.refused(&["import", arg(&folder), "--scope", "account", "--choose", "fact=replace", "--theirs", "fact=a.md"]);
    assert_eq!(refused["code"], "invalid");
    let path = folder.join("source");
    let report = import(&["--theirs", "fact=a.md", "--choose", &format!("{}=both", arg(&path))]);
    let stored: Vec<_> =
        report["items"].as_array().unwrap().iter().map(|item| (item["slug"].as_str().unwrap(), item["stored"] == true)).collect();
    assert_eq!(stored, [("fact", true), ("source-2", true)], "{report}");
    let text = |skill: &str, file: &str| world.json(&["skill", "show", skill, "--path", file])["text"].as_str().unwrap().to_owned();
    assert_eq!([text("fact", "a.md"), text("fact", "b.md")], ["Theirs.\n", "Mine.\n"]);
    assert_eq!([text("source", "a.md"), text("source-2", "a.md")], ["Mine.\n", "Theirs.\n"]);
    let report = import(&["--choose", "source=override", "--only-chosen"]);
    assert_eq!(report["items"][0]["stored"], false, "{report}");
    let both = world.json(&["skill", "list", "--all"]);
    let scopes = both["skills"].as_array().unwrap().iter().filter(|one| one["slug"] == "source").count();
    assert_eq!(scopes, 2, "{both}");
}

#[test]
fn a_missing_source_fails_alone() {
    let world = World::new();
    let text = |name: &str| format!("---\nname: {name}\ndescription: Checks each {name} whenever the desk asks for it.\n---\nBody\n");
    for name in ["fact", "source", "theme"] {
        world.file(&format!("in/{name}/SKILL.md"), text(name));
        world.json(&["import", arg(&world.root.path().join("in").join(name))]);
    }
    fs::remove_dir_all(world.root.path().join("in/source")).unwrap();
    for name in ["fact", "theme"] {
        world.file(&format!("in/{name}/SKILL.md"), text(name).replace("Body", "Newer"));
    }
    let update = |options: &[&str]| {
        let skills = ["skill", "update", "fact", "source", "theme"];
        finish(world.command().arg("--workspace").arg(world.workspace()).args(options).args(skills))
    };
    let updated = update(&["--json"]);
    let reports: Value = serde_json::from_str(&updated.stdout).unwrap_or_else(|error| panic!("{error}: {updated:?}"));
    assert_eq!((updated.code, reports.as_array().unwrap().len()), (Some(1), 3), "{reports}");
    let stored: Vec<_> = (0..3).map(|at| &reports[at]["items"][0]["stored"]).collect();
    assert_eq!(stored, [&json!(true), &Value::Null, &json!(true)], "{reports}");
    assert!(reports[1]["failure"]["message"].as_str().unwrap().starts_with("source: "), "{reports}");

    let again = update(&[]);
    assert_eq!((again.code, again.stdout.lines().count()), (Some(1), 2), "{again:?}");
    assert!(again.stderr.contains("error: source: ") && !again.stdout.contains("no skills found"), "{again:?}");
    let all = finish(world.command().arg("--workspace").arg(world.workspace()).args(["skill", "update", "--all"]));
    assert_eq!((all.code, all.stdout.lines().count()), (Some(1), 2), "{all:?}");
}

#[test]
fn a_skill_can_be_kept_as_a_third_partys() {
    let world = World::new();
    let text = "---\nname: papers\ndescription: Sorts papers of all kinds. Use it when they come.\n---\nBody\n";
    let file = world.file("in/papers/SKILL.md", text);
    let folder = world.root.path().join("in");
    assert_eq!(world.json(&["import", arg(&folder), "--third-party"])["items"][0]["status"], "new");
    let shown = world.json(&["skill", "show", "papers"]);
    assert_eq!((&shown["source"], &shown["locked"]), (&json!("imported"), &json!(true)));
    assert_eq!(world.refused(&["skill", "edit", "papers", "--path", "SKILL.md", "--from", arg(&file)])["code"], "locked");
    world.file("in/papers/SKILL.md", text.replace("Body", "Other"));
    assert_eq!(world.json(&["import", arg(&folder)])["items"][0]["status"], "update");
    assert_eq!(world.json(&["skill", "show", "papers"])["source"], "imported");
}
