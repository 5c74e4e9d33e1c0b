//! A malicious agents.db of a workspace is refused or opened defensively.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use rusqlite::Connection;
use serde_json::Value;

use crate::support::{World, arg, finish_soon};

/// A workspace with a runnable skill.
fn world() -> (World, PathBuf) {
    let world = World::new();
    world.json(&["skill", "create", "Mine"]);
    let prompt = world.file("p.j2", "Say hello.");
    let json = r#"{"artifacts": [{"path": "prompts/p.j2", "kind": "prompt_template", "name": "P", "ordinal": 1}]}"#;
    world.json(&["skill", "edit", "mine", "--path", "prompts/p.j2", "--from", arg(&prompt)]);
    world.json(&["skill", "edit", "mine", "--path", "skill.json", "--from", arg(&world.file("skill.json", json))]);
    let file = world.workspace().join("agents.db");
    (world, file)
}

fn beside(file: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", file.display()))
}

fn refused(world: &World, args: &[&str]) -> Value {
    let run = finish_soon(world.command().args(["--json", "--workspace", arg(&world.workspace())]).args(args));
    assert_eq!(run.code, Some(1), "{args:?}: {run:?}");
    let refusal: Value = serde_json::from_str(&run.stderr).unwrap_or_else(|error| panic!("{args:?}: {error}: {run:?}"));
    assert!(refusal["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "no hint: {refusal}");
    refusal
}

#[test]
fn a_schema_that_does_something_is_refused_and_does_nothing() {
    for (sql, part) in [
        ("CREATE TRIGGER evil AFTER UPDATE ON skills BEGIN DELETE FROM skills; END", "unknown trigger evil"),
        ("CREATE TRIGGER evil AFTER INSERT ON changes BEGIN UPDATE skills SET name = 'theirs'; END", "unknown trigger evil"),
        ("CREATE VIEW evil AS SELECT load_extension('/tmp/evil.so')", "unknown view evil"),
        ("CREATE VIRTUAL TABLE evil USING fts5(x)", "unknown table evil"),
        ("CREATE TABLE sync_state (token TEXT, rights TEXT); INSERT INTO sync_state VALUES ('mine', 'all')", "unknown table sync_state"),
        ("CREATE TABLE consents (subject TEXT); INSERT INTO consents VALUES ('everything')", "unknown table consents"),
        ("CREATE TABLE marketplaces (url TEXT); INSERT INTO marketplaces VALUES ('https://evil.example')", "unknown table marketplaces"),
        ("ALTER TABLE skills ADD COLUMN evil TEXT GENERATED ALWAYS AS (upper(name)) VIRTUAL", "unexpected definition of table skills"),
        ("ALTER TABLE skills ADD COLUMN evil TEXT DEFAULT 'x'", "unexpected definition of table skills"),
        ("CREATE INDEX evil ON skills (abs(length(name)))", "unknown index evil"),
        ("DROP TABLE approvals", "missing "),
        (
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'CHECK', 'check') WHERE name = 'skills'",
            "unexpected definition of table skills",
        ),
    ] {
        let (world, file) = world();
        Connection::open(&file).unwrap().execute_batch(sql).unwrap();
        let before = fs::read(&file).unwrap();
        for args in [&["skill", "list"][..], &["skill", "create", "New"], &["skill", "edit", "mine", "--path", "x", "--from", "/dev/null"]]
        {
            let refusal = refused(&world, args);
            assert_eq!(refusal["code"], "corrupt", "{sql}: {refusal}");
            assert!(refusal["message"].as_str().unwrap().contains(part), "{sql}: {refusal}");
        }
        assert!(fs::read(&file).unwrap() == before, "{sql}: the file was changed");
    }
}

#[test]
fn rows_that_claim_rights_give_none() {
    let (world, file) = world();
    let other = World::new();
    let workspace = arg(&world.workspace()).to_owned();
    let planted = Connection::open(&file).unwrap();
    let provider = r#"{"default": {"provider": "evil", "model": "m"}, "providers": [{"name": "evil", "kind": "ollama", "url": "http://127.0.0.1:9"}]}"#;
    planted.execute("INSERT INTO settings (key, value, updated_at) VALUES ('models', ?1, '2026-01-01T00:00:00Z')", [provider]).unwrap();
    planted
        .execute("INSERT INTO settings (key, value, updated_at) VALUES ('traces.retention', '{\"days\": 1}', '2026-01-01T00:00:00Z')", [])
        .unwrap();
    planted
        .execute(
            "INSERT INTO workspaces (path, opened_at, trusted_at) VALUES (?1, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')",
            [&workspace],
        )
        .unwrap();
    planted
        .execute(
            "INSERT INTO approvals (subject, decision, actor, created_at) VALUES ('*', 'approved', 'human', '2026-01-01T00:00:00Z')",
            [],
        )
        .unwrap();
    planted.execute("UPDATE skills SET trust_tier = 4, lifecycle = 'released', source = 'system' WHERE slug = 'mine'", []).unwrap();
    drop(planted);
    // The user of this account hasn't trusted it, and has no model configured.
    for world in [&world, &other] {
        let run = |args: &[&str]| {
            let run = finish_soon(world.command().args(["--json", "--workspace", &workspace]).args(args));
            (run.code, if run.ok { run.stdout } else { run.stderr })
        };
        let (code, said) = run(&["run", "mine"]);
        assert!(code == Some(1) && said.contains("notTrusted"), "{said}");
        let (code, said) = run(&["model", "list"]);
        assert!(code == Some(0) && !said.contains("evil"), "{said}");
        let (code, said) = run(&["proposal", "list"]);
        assert!(!said.contains("approved"), "{code:?} {said}");
    }
}

#[test]
fn a_file_of_another_kind_is_refused_and_never_waited_for() {
    let world = World::new();
    let file = world.workspace().join("agents.db");
    assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
    assert_eq!(refused(&world, &["skill", "list"])["code"], "corrupt");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(refused(&world, &["skill", "list"])["code"], "corrupt");
    fs::remove_dir(&file).unwrap();
    symlink("/etc/passwd", &file).unwrap();
    assert_eq!(refused(&world, &["skill", "list"])["code"], "corrupt");
    fs::remove_file(&file).unwrap();

    // Files beside it: locks and logs that could block, or links that could be written through.
    let (world, file) = self::world();
    let theirs = world.file("theirs.txt", "theirs ".repeat(10_000));
    let _ = fs::remove_file(beside(&file, "-lock"));
    assert!(Command::new("mkfifo").args([beside(&file, "-lock"), beside(&file, "-setup")]).status().unwrap().success());
    let listed = finish_soon(world.command().args(["--workspace", arg(&world.workspace()), "skill", "list"]));
    assert!(listed.ok && listed.stdout.contains("mine"), "{listed:?}");
    for suffix in ["-wal", "-shm", "-journal"] {
        let _ = fs::remove_file(beside(&file, suffix));
        symlink(&theirs, beside(&file, suffix)).unwrap();
        let made = finish_soon(world.command().args(["--workspace", arg(&world.workspace()), "skill", "create", "New"]));
        assert!(fs::read_to_string(&theirs).unwrap() == "theirs ".repeat(10_000), "{suffix}: {made:?}");
        let _ = fs::remove_file(beside(&file, suffix));
    }
    // Git's exclude file is read when the folder is opened.
    let ignored = world.workspace().join(".gitignore");
    fs::create_dir(world.workspace().join(".git")).unwrap();
    assert!(Command::new("mkfifo").arg(&ignored).status().unwrap().success());
    let listed = finish_soon(world.command().args(["--workspace", arg(&world.workspace()), "skill", "list"]));
    assert!(listed.ok, "{listed:?}");
}

#[test]
fn a_file_cut_in_the_middle_is_set_aside_and_one_with_a_strange_log_is_read() {
    let (world, file) = world();
    fs::write(beside(&file, "-wal"), "no log at all ".repeat(5_000)).unwrap();
    assert!(world.json(&["skill", "list"]).to_string().contains("\"mine\""));
    let bytes = fs::read(&file).unwrap();
    let half = &bytes[..bytes.len() / 2];
    let _ = fs::remove_file(beside(&file, "-wal"));
    fs::write(&file, half).unwrap();
    world.json(&["skill", "create", "Fresh"]);
    let kept: Vec<_> = fs::read_dir(world.workspace())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        // Its logs are moved with it.
        .filter(|path| path.to_string_lossy().contains("damaged") && !path.to_string_lossy().ends_with(['l', 'm']))
        .collect();
    assert!(kept.len() == 1 && fs::read(&kept[0]).unwrap() == half, "{kept:?}");
    assert!(!world.json(&["skill", "list"]).to_string().contains("\"mine\""));
}

#[test]
fn a_long_write_of_another_program_is_waited_for_then_said() {
    let (world, file) = world();
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(world.json(&["skill", "list"]).to_string().contains("\"mine\""), "looking goes on");
    let refusal = refused(&world, &["skill", "create", "Other"]);
    assert_eq!(refusal["code"], "busy", "{refusal}");
    other.execute_batch("ROLLBACK").unwrap();
    assert!(!world.json(&["skill", "list"]).to_string().contains("\"other\""), "nothing half");
    world.json(&["skill", "create", "Other"]);
}
