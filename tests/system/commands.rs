//! The command has the functions of the app: files, artifacts, saved inputs, drafts, settings.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{INKLINGS, World, arg, finish};

fn paths(skill: &Value) -> Vec<&str> {
    skill["entries"].as_array().unwrap().iter().map(|entry| entry["path"].as_str().unwrap()).collect()
}

#[test]
fn files_are_added_copied_moved_and_deleted() {
    let world = World::new();
    world.json(&["skill", "create", "One"]);
    world.json(&["skill", "create", "Two"]);
    let note = world.file("disk/note.md", "A note.");
    let added = world.json(&["file", "add", "one", arg(&note), "--folder", "references"]);
    assert_eq!(added["files"], json!([{ "from": "references/note.md", "to": "references/note.md" }]));
    assert_eq!(world.refused(&["file", "add", "one", arg(&note), "--folder", "references"])["code"], "exists");
    world.json(&["file", "add", "one", arg(&note), "--folder", "references", "--on-conflict", "keep-both"]);
    world.json(&["file", "move", "one", "references/note.md", "references/first.md"]);
    world.json(&["file", "copy", "one", "references/first.md", "copied.md", "--to-skill", "two"]);
    world.json(&["file", "move", "one", "references/note-copy.md", "moved.md", "--to-skill", "two"]);
    assert_eq!(paths(&world.json(&["skill", "show", "one"])), ["SKILL.md", "references/first.md"]);
    assert_eq!(paths(&world.json(&["skill", "show", "two"])), ["SKILL.md", "copied.md", "moved.md"]);
    assert_eq!(world.json(&["file", "find", "moved"])["found"][0]["path"], "moved.md");
    world.json(&["file", "delete", "two", "copied.md", "moved.md"]);
    assert_eq!(paths(&world.json(&["skill", "show", "two"])), ["SKILL.md"]);
    let within = world.refused(&["file", "move", "one", "references/first.md", "x.md", "--to-skill", "one"]);
    assert!(!within.to_string().contains("file/move"), "no operation is named: {within}");
}

#[test]
fn artifacts_are_declared_and_inputs_saved_for_them() {
    let world = World::new();
    world.json(&["skill", "create", "One"]);
    let text = world.file("ask.j2", "Ask {{ topic }}.");
    world.json(&["artifact", "declare", "one", "--kind", "prompt_template", "--name", "Ask", "--from", arg(&text)]);
    world.json(&["input", "save", "one", "Ask", "bees", "--param", "topic=bees"]);
    let saved = world.json(&["input", "list", "one"]);
    assert_eq!(saved["artifacts"][0]["inputs"][0]["params"], json!({ "topic": "bees" }));
    let render = |args: &[&str]| {
        let run = finish(world.command().arg("--workspace").arg(world.workspace()).args(["render", "one", "Ask"]).args(args));
        (run.code, run.stdout)
    };
    let sent = |prompt: &str| format!("--- system ---\n# One\n\nSay step by step what to do.\n\n--- user ---\n{prompt}\n");
    assert_eq!(render(&["--input", "bees"]), (Some(0), sent("Ask bees.")));
    assert_eq!(render(&["--input", "bees", "--param", "topic=wasps"]), (Some(0), sent("Ask wasps.")));
    assert_eq!(render(&["--input", "ants"]).0, Some(1));
    world.json(&["input", "delete", "one", "Ask", "bees"]);
    assert_eq!(world.refused(&["input", "delete", "one", "Ask", "bees"])["code"], "notFound");
    world.json(&["artifact", "undeclare", "one", "Ask"]);
    let detail = world.json(&["skill", "show", "one"]);
    let plain = |entry: &Value| entry["path"].as_str().unwrap().starts_with("prompts/") && entry["artifact"].is_null();
    assert!(detail["entries"].as_array().unwrap().iter().any(plain), "{detail}");
    assert_eq!(world.refused(&["artifact", "undeclare", "one", "Ask"])["code"], "notFound");
}

#[test]
fn the_window_needs_a_display() {
    let world = World::new();
    let run = finish(world.command().env_remove("DISPLAY").env("WAYLAND_DISPLAY", "").arg("studio"));
    let said = "error: no display; start it in a desktop session, or use `inklings serve`\n";
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(1), "", said));
}

#[test]
fn references_are_attached_found_shown_and_removed() {
    let world = World::new();
    world.json(&["skill", "create", "One"]);
    world.file("notes/pages/mara.md", "# Mara Venn\n");
    let costs = world.file("notes/data/costs.csv", "a,b\n");
    let found = world.json(&["reference", "search", "costs"]);
    assert_eq!(found["offers"][0]["target_ref"], "data/costs.csv");
    world.json(&["reference", "attach", "one", arg(&costs)]);
    world.json(&["reference", "attach", "one", "https://example.org/style", "--position", "0"]);
    world.json(&["reference", "attach", "one", "--page", "Mara Venn"]);
    let targets = || {
        let listed = world.json(&["reference", "list", "one"]);
        let all = listed["references"].as_array().unwrap().iter();
        all.map(|one| one["target_ref"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(targets(), ["https://example.org/style", "data/costs.csv", "pages/mara"]);
    let shown = finish(world.command().arg("--workspace").arg(world.workspace()).args(["reference", "show", "one", "data/costs.csv"]));
    assert_eq!(shown.stdout, "a,b\n");
    assert_eq!(world.refused(&["reference", "show", "one", "pages/mara"])["code"], "invalid");
    assert_eq!(world.refused(&["reference", "attach", "one", "../secret"])["code"], "invalid");
    assert_eq!(world.refused(&["reference", "attach", "one", "gone.csv"])["code"], "notFound");
    world.json(&["reference", "attach", "one", "gone.csv", "--allow-missing"]);
    assert_eq!(world.refused(&["reference", "attach", "one", "data/costs.csv"])["code"], "exists");
    world.json(&["reference", "remove", "one", "data/costs.csv"]);
    assert_eq!(world.refused(&["reference", "remove", "one", "data/costs.csv"])["code"], "notFound");
    assert_eq!(targets(), ["https://example.org/style", "pages/mara", "gone.csv"]);
}

#[test]
fn skills_move_are_duplicated_and_single_revisions_undone() {
    let world = World::new();
    world.json(&["skill", "create", "One"]);
    for (path, text) in [("a.md", "first"), ("b.md", "second")] {
        let file = world.file(path, text);
        world.json(&["skill", "edit", "one", "--path", path, "--from", arg(&file)]);
    }
    let first = finish(world.command().arg("--workspace").arg(world.workspace()).args([
        "skill",
        "show",
        "one",
        "--path",
        "a.md",
        "--revision",
        "2",
    ]));
    assert_eq!(first.stdout, "first");
    assert_eq!(world.refused(&["skill", "show", "one", "--path", "b.md", "--revision", "2"])["code"], "notFound");
    world.json(&["skill", "revert", "one", "2"]);
    assert_eq!(paths(&world.json(&["skill", "show", "one"])), ["SKILL.md", "b.md"], "what came later stays");
    assert_eq!(world.refused(&["skill", "revert", "one", "1"])["code"], "invalid");
    assert_eq!(world.refused(&["skill", "move", "one", "--to", "account"])["code"], "notTrusted");
    world.json(&["workspace", "trust"]);
    assert_eq!(world.json(&["skill", "move", "one", "--to", "account"])["removed"], true);
    assert_eq!(world.json(&["skill", "show", "one"])["scope"], "account");
    assert_eq!(world.json(&["skill", "move", "one", "--to", "workspace", "--keep"])["removed"], false);
    assert_ne!(world.json(&["skill", "duplicate", "one"])["slug"], "one");
    assert!(world.json(&["skill", "tokens", "one"])["on_load"].as_u64().unwrap() > 0);
}

#[test]
fn problems_of_stored_skills_are_listed_and_fixed() {
    let world = World::new();
    world.file("skills/odd/SKILL.md", "---\nname: odd\ndescription: Use when: something is odd with it.\n---\nBody.\n");
    world.json(&["import", arg(&world.root.path().join("skills/odd"))]);
    let rules = |report: &Value| {
        let all = report["skills"].as_array().unwrap().iter().filter(|skill| skill["slug"] == "odd");
        all.flat_map(|skill| skill["diagnostics"].as_array().unwrap())
            .map(|one| one["rule"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert!(rules(&world.json(&["skill", "check", "odd"])).contains(&"frontmatter/unquoted-colon".to_owned()));
    assert!(rules(&world.json(&["skill", "check"])).contains(&"frontmatter/unquoted-colon".to_owned()));
    let fixed = world.json(&["skill", "check", "odd", "--fix"]);
    assert!(fixed["fixed"].as_u64().unwrap() > 0 && !rules(&fixed).contains(&"frontmatter/unquoted-colon".to_owned()), "{fixed}");
    assert_eq!(world.json(&["skill", "show", "odd"])["revision"], 2);
}

#[test]
fn drafts_are_shown_and_discarded() {
    let world = World::new();
    world.json(&["skill", "create", "One"]);
    let [mine, theirs] = ["mine", "theirs"].map(|text| world.file(&format!("{text}.md"), text));
    world.json(&["skill", "edit", "one", "--path", "n.md", "--from", arg(&theirs)]);
    let refused = world.refused(&["skill", "edit", "one", "--path", "n.md", "--from", arg(&mine), "--expected", "1"]);
    assert_eq!(refused["code"], "revisionConflict");
    assert_eq!(world.json(&["draft", "list"])["drafts"][0]["path"], "n.md");
    assert_eq!(world.json(&["draft", "show", "one", "n.md"])["text"], "mine");
    world.json(&["draft", "discard", "one", "n.md"]);
    assert_eq!(world.json(&["draft", "list"])["drafts"], json!([]));
    assert_eq!(world.refused(&["draft", "discard", "one", "n.md"])["code"], "notFound");
}

#[test]
fn settings_are_changed_and_wrong_ones_refused() {
    let world = World::new();
    world.json(&["settings", "set", "traces.retention", r#"{"days": 7, "bytes": 1000000}"#]);
    world.json(&["settings", "set", "ui.theme", "dark"]);
    assert_eq!(world.json(&["settings", "get", "traces.retention"])["days"], 7);
    assert_eq!(world.json(&["settings", "list"])["values"]["ui.theme"], "dark");
    world.json(&["settings", "reset", "ui.theme"]);
    assert_eq!(world.refused(&["settings", "get", "ui.theme"])["code"], "notFound");
    for (key, value) in [("traces.retention", r#"{"days": "many"}"#), ("sandbox.limits", r#"{"secnods": 1}"#), ("sandbox.limits", "fast")] {
        let refused = world.refused(&["settings", "set", key, value]);
        assert!(refused["code"] == "invalid" && refused["hint"].as_str().unwrap().contains("default"), "{refused}");
    }
}

#[test]
fn the_account_the_workspaces_and_the_pages_are_listed() {
    let world = World::new();
    world.file("notes/one.md", "---\ntype: person\ntags: [poet]\n---\n# One\n");
    let sample = world.json(&["workspace", "sample"])["path"].as_str().unwrap().to_owned();
    assert!(fs::read_dir(&sample).unwrap().count() > 0);
    assert_eq!(world.json(&["workspace", "list"])["workspaces"][0]["path"], json!(sample));
    assert_eq!(world.json(&["status"])["workspace"]["pages"], 1);
    assert_eq!(world.json(&["page", "facets"])["tags"]["poet"], 1);
    assert_eq!(world.json(&["page", "status"])["pages"], 1);
    world.json(&["page", "refresh"]);
    assert!(world.json(&["functions"])["functions"].as_array().unwrap().iter().any(|one| one["name"] == "search"));
    fs::create_dir_all(world.workspace().join(".git/info")).unwrap();
    world.json(&["workspace", "git-exclude"]);
    assert!(fs::read_to_string(world.workspace().join(".git/info/exclude")).unwrap().contains("agents.db"));
}

#[test]
fn the_readmes_terminal_step_works_as_it_is_written() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../README.md")).unwrap();
    let (_, step) = readme.split_once("## Command line\n").unwrap();
    let script = step.split("```").nth(1).unwrap();
    let world = World::new();
    let mut bash = Command::new("bash");
    let path = format!("{}:{}", Path::new(INKLINGS).parent().unwrap().display(), std::env::var("PATH").unwrap());
    let run = finish(
        bash.args(["-euo", "pipefail", "-c", script]).env("PATH", path).env("INKLINGS_HOME", world.home()).env("INKLINGS_KEYS", "file"),
    );
    assert!(run.ok && run.stdout.contains("+Check dates first."), "{script}\n{run:?}");
}

#[test]
fn links_follow_a_moved_file() {
    let world = World::new();
    let body = "See [it](references/a%20b.md#top), ![](./references/c.png), `references/a b.md` and [none](references/gone.md).\n";
    let front = "---\nname: linked\ndescription: Links files. Use when links are asked for.\n---\n";
    world.file("skills/linked/SKILL.md", format!("{front}{body}"));
    world.file("skills/linked/references/a b.md", "# Top\n\nBack to [the skill](../SKILL.md), and [c](c.png).\n");
    world.file("skills/linked/references/c.png", [0x89_u8]);
    world.json(&["import", arg(&world.root.path().join("skills/linked"))]);
    let text = |path: &str| {
        let show = ["skill", "show", "linked", "--path", path];
        finish(world.command().arg("--workspace").arg(world.workspace()).args(show)).stdout
    };
    world.json(&["file", "move", "linked", "references/a b.md", "notes/deep/a b.md"]);
    let moved = body.replace("references/a", "notes/deep/a");
    assert_eq!(text("SKILL.md"), format!("{front}{moved}"));
    assert_eq!(text("notes/deep/a b.md"), "# Top\n\nBack to [the skill](../../SKILL.md), and [c](../../references/c.png).\n");
    world.json(&["file", "move", "linked", "references/c.png", "c.png"]);
    assert_eq!(text("SKILL.md"), format!("{front}{}", moved.replace("./references/c.png", "./c.png")));
    world.json(&["file", "move", "linked", "c.png", "references/c.png"]);
    world.json(&["file", "move", "linked", "notes/deep/a b.md", "references/a b.md"]);
    assert_eq!(text("SKILL.md"), format!("{front}{body}"), "a move back restores the links");
}

#[test]
fn empty_variables_count_as_not_set() {
    let world = World::new();
    let skill = world.file("skills/one/SKILL.md", "---\nname: one\ndescription: One. Use when one is asked for.\n---\nBody.\n");
    let folder = skill.parent().unwrap().to_owned();
    let run = finish(world.command().args(["validate", arg(&folder)]).env("INKLINGS_WORKSPACE", "").env("INKLINGS_HOME", ""));
    assert!(run.ok, "{run:?}");
    let mut without_home = Command::new(INKLINGS);
    let run = finish(without_home.args(["validate", arg(&folder)]).env("INKLINGS_HOME", "").env("HOME", world.person()));
    assert!(run.ok, "{run:?}");
}

#[test]
fn each_line_of_standard_input_is_a_query() {
    let world = World::new();
    let queries = world.file("queries.txt", "Is this SKILL.md any good?\n\n  Do the dates in my novel work out?\n");
    let search = |json: &[&str]| {
        let input = fs::File::open(&queries).unwrap();
        let run = finish(world.command().args(json).args(["search", "-"]).stdin(input));
        assert!(run.ok, "{run:?}");
        run.stdout
    };
    let lines: Vec<Value> = search(&["--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found: Vec<_> = lines.iter().map(|line| (&line["query"], &line["results"][0]["slug"])).collect();
    let (first, second) = (json!("Is this SKILL.md any good?"), json!("Do the dates in my novel work out?"));
    assert_eq!(found, [(&first, &json!("skill-reviewer")), (&second, &json!("timeline-consistency"))]);
    assert!(lines.iter().all(|line| line["elapsed_ms"].is_u64()), "{lines:?}");
    let text = search(&[]);
    assert!(text.starts_with("=== Is this SKILL.md any good? ===\n") && text.contains("\n\n=== Do the dates"), "{text}");
}

#[test]
fn completions_are_a_json_document_as_well() {
    let world = World::new();
    let script = finish(world.command().args(["completions", "bash"])).stdout;
    assert_eq!(world.json(&["completions", "bash"]), json!({ "script": script }));
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let world = World::new();
    let folder = world.root.path().join("man");
    let written = finish(world.command().args(["dev", "man", arg(&folder)]));
    assert!(written.ok, "{written:?}");
    let pages: BTreeSet<String> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let mut expected = BTreeSet::from(["inklings.1".to_owned()]);
    for command in commands(&world) {
        let words: Vec<_> = command.split(' ').collect();
        expected.extend((1..=words.len()).map(|count| format!("inklings-{}.1", words[..count].join("-"))));
    }
    assert_eq!(pages, expected);
    assert!(fs::read_to_string(folder.join("inklings-file-move.1")).unwrap().contains(".TH inklings-file-move 1"));
}

/// All commands in the help, without groups and hidden commands.
pub(crate) fn commands(world: &World) -> Vec<String> {
    fn below(world: &World, words: &[String], found: &mut Vec<String>) {
        let help = finish(world.command().args(words).arg("--help")).stdout;
        // Subcommands are in groups before the options; arguments are in angle brackets or square ones.
        let (listed, _) = help.split_once("\nOptions:\n").unwrap();
        let names: Vec<_> = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
        let names: Vec<_> = names.into_iter().filter(|name| name.starts_with(|ch: char| ch.is_ascii_lowercase())).collect();
        if names.is_empty() {
            return found.push(words.join(" "));
        }
        for name in names.into_iter().filter(|name| *name != "help") {
            below(world, &[words, &[name.to_owned()]].concat(), found);
        }
    }
    let mut found = Vec::new();
    below(world, &[], &mut found);
    found
}
