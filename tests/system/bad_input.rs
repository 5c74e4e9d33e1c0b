//! Invalid input is refused with a clear message and without side effects.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use serde_json::Value;

use crate::support::{INKLINGS, World, arg, finish};

/// An agents.db with version 1 of the schema.
const OLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/fixtures/databases/agents-v1.db.zst");

fn says(refusal: &Value, code: &str, part: &str) {
    assert_eq!(refusal["code"], code, "{refusal}");
    assert!(refusal["message"].as_str().unwrap().contains(part), "{refusal}");
    assert!(refusal["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "no hint: {refusal}");
}

#[test]
fn a_file_or_nothing_is_no_workspace() {
    let world = World::new();
    let file = world.file("page.md", "# Page");
    for (path, code, part) in [(file, "invalid", "isn't a folder"), (world.root.path().join("gone"), "notFound", "folder not found")] {
        let run = finish(world.command().args(["--json", "--workspace", arg(&path), "skill", "list"]));
        assert_eq!(run.code, Some(1));
        says(&serde_json::from_str(&run.stderr).unwrap(), code, part);
    }
}

#[test]
fn a_removed_workspace_folder_is_said_and_nothing_is_made_in_its_place() {
    let world = World::new();
    world.json(&["skill", "create", "Here"]);
    fs::remove_dir_all(world.workspace()).unwrap();
    says(&world.refused(&["skill", "create", "There"]), "notFound", "folder not found");
    assert!(!world.workspace().exists());
}

#[test]
fn a_newer_database_is_left_untouched() {
    let world = World::new();
    world.json(&["skill", "create", "Kept"]);
    let file = world.workspace().join("agents.db");
    rusqlite::Connection::open(&file).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    let before = fs::read(&file).unwrap();
    says(&world.refused(&["skill", "list"]), "newerDatabase", "newer version");
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn a_garbage_database_is_set_aside_and_the_app_goes_on() {
    let world = World::new();
    let garbage = "this is not a database ".repeat(500);
    fs::write(world.workspace().join("agents.db"), &garbage).unwrap();
    world.json(&["skill", "create", "Fresh"]);
    let kept: Vec<_> = fs::read_dir(world.workspace())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().contains("damaged"))
        .collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(fs::read_to_string(&kept[0]).unwrap(), garbage);
}

#[test]
fn another_programs_database_is_left_alone() {
    let world = World::new();
    let file = world.workspace().join("agents.db");
    rusqlite::Connection::open(&file).unwrap().execute_batch("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)").unwrap();
    let before = fs::read(&file).unwrap();
    says(&world.refused(&["skill", "list"]), "corrupt", "another program");
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn unsafe_paths_are_refused() {
    let world = World::new();
    world.json(&["skill", "create", "Target"]);
    let note = world.file("note.md", "x");
    for (path, part) in [
        ("../escape.md", "inside the skill folder"),
        ("/etc/passwd", "is absolute"),
        ("a/../../b", "inside the skill folder"),
        ("con.txt", "Windows"),
    ] {
        let refusal = world.refused(&["skill", "edit", "target", "--path", path, "--from", arg(&note)]);
        assert!(refusal["message"].as_str().unwrap().contains(part), "{path}: {refusal}");
    }
    world.json(&["skill", "edit", "target", "--path", "Notes.md", "--from", arg(&note)]);
    let conflict = world.refused(&["skill", "edit", "target", "--path", "notes.MD", "--from", arg(&note)]);
    says(&conflict, "exists", "Notes.md");
    assert_eq!(world.json(&["skill", "show", "target"])["revision"], 2, "refused edits make no revision");
}

#[test]
fn case_clashing_and_binary_text_folders_are_refused_whole() {
    let world = World::new();
    world.file("bad/clash/SKILL.md", "---\nname: clash\ndescription: two files that differ in case only\n---\nbody\n");
    world.file("bad/clash/Notes.md", "a");
    world.file("bad/clash/notes.md", "b");
    world.file("bad/latin/SKILL.md", b"---\nname: latin\ndescription: caf\xe9\n---\n");
    world.file("bad/good/SKILL.md", "---\nname: good\ndescription: is imported although its neighbours are not\n---\nbody\n");
    let run =
        finish(world.command().args(["--json", "--workspace", arg(&world.workspace()), "import", arg(&world.root.path().join("bad"))]));
    assert_eq!(run.code, Some(1), "{run:?}");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let status: Vec<_> = report["items"].as_array().unwrap().iter().map(|item| item["status"].as_str().unwrap()).collect();
    assert_eq!(status, ["refused", "new", "refused"], "{report}");
    for item in [&report["items"][0], &report["items"][2]] {
        let finding = &item["diagnostics"][0];
        assert!(finding["message"].as_str().is_some_and(|text| !text.is_empty()) && finding["hint"].is_string(), "{item}");
    }
    let stored = world.json(&["skill", "list"]);
    assert!(stored["skills"].as_array().unwrap().iter().all(|skill| skill["slug"] != "clash" && skill["slug"] != "latin"));
}

#[test]
fn a_template_error_has_line_and_column() {
    let world = World::new();
    world.json(&["skill", "create", "Broken"]);
    let template = world.file("t.j2", "fine\n{% for x in %}\n");
    world.json(&["skill", "edit", "broken", "--path", "prompts/t.j2", "--from", arg(&template)]);
    let run = finish(world.command().args(["--workspace", arg(&world.workspace()), "render", "broken", "prompts/t.j2"]));
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("prompts/t.j2:2:"), "{run:?}");
}

#[test]
fn locked_skills_are_duplicated_not_edited() {
    let world = World::new();
    let note = world.file("note.md", "mine");
    let refusal = world.refused(&["skill", "edit", "consistency-checker", "--path", "note.md", "--from", arg(&note)]);
    says(&refusal, "locked", "locked");
    let fork = world.json(&["skill", "fork", "consistency-checker"]);
    assert_eq!((fork["scope"].as_str(), fork["shadows"].as_bool()), (Some("workspace"), Some(true)), "{fork}");
    world.json(&["skill", "edit", "consistency-checker", "--path", "note.md", "--from", arg(&note)]);
}

#[test]
fn a_folder_without_rights_is_said() {
    let world = World::new();
    // Root ignores permissions, so the test runs as another user, with a copy of the command that this user can execute.
    let open = |path: &std::path::Path, mode: u32| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    open(world.root.path(), 0o755);
    let (command, home) = (world.root.path().join("inklings"), world.root.path().join("other-home"));
    fs::copy(INKLINGS, &command).unwrap();
    open(&command, 0o755);
    fs::create_dir(&home).unwrap();
    open(&home, 0o777);
    world.json(&["skill", "create", "Private"]);
    let run_as_other = |args: &[&str]| {
        let mut run = if rustix::process::geteuid().is_root() {
            let mut run = Command::new("setpriv");
            run.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&command);
            run
        } else {
            Command::new(&command)
        };
        finish(run.args(["--json", "--home", arg(&home), "--workspace", arg(&world.workspace())]).args(args))
    };
    open(&world.workspace(), 0o000);
    let closed = run_as_other(&["skill", "list"]);
    open(&world.workspace(), 0o555);
    open(&world.workspace().join("agents.db"), 0o444);
    let (listed, written) = (run_as_other(&["skill", "list"]), run_as_other(&["skill", "create", "New"]));
    open(&world.workspace(), 0o755);
    let older = zstd::decode_all(fs::File::open(OLDER).unwrap()).unwrap();
    fs::remove_file(world.workspace().join("agents.db")).unwrap();
    fs::write(world.workspace().join("agents.db"), &older).unwrap();
    open(&world.workspace(), 0o555);
    let outdated = run_as_other(&["skill", "list"]);
    open(&world.workspace(), 0o755);
    assert_eq!(closed.code, Some(1), "{closed:?}");
    says(&serde_json::from_str(&closed.stderr).unwrap(), "readOnly", "no permission to open");
    assert!(listed.ok && listed.stdout.contains("private"), "a read-only workspace can be looked at: {listed:?}");
    assert!(outdated.ok && outdated.stdout.contains("team-notes"), "an older file too: {outdated:?}");
    assert!(fs::read(world.workspace().join("agents.db")).unwrap() == older, "and it stays as it is");
    assert_eq!(written.code, Some(1), "{written:?}");
    says(&serde_json::from_str(&written.stderr).unwrap(), "readOnly", "can't be written");
}

#[test]
fn a_full_disk_loses_nothing() {
    let script = r#"
        set -e
        "$1" --home /mnt/home skill create Kept --description "is there before the disk is full" >/dev/null
        head -c 3000000 /dev/zero | tr '\0' 'x' > /dev/shm/big.txt
        for n in 1 2 3 4 5 6 7 8; do
            "$1" --home /mnt/home skill edit kept --path "big-$n.txt" --from /dev/shm/big.txt >/dev/null 2>/dev/shm/error.txt || break
        done
        cat /dev/shm/error.txt
        "$1" --home /mnt/home db check
        "$1" --home /mnt/home skill show kept
    "#;
    let run = finish(Command::new("bwrap").args([
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--size",
        "6000000",
        "--tmpfs",
        "/mnt",
        "--",
        "bash",
        "-c",
        script,
        "bash",
        INKLINGS,
    ]));
    assert!(run.ok, "{run:?}");
    assert!(run.stdout.contains("no space left"), "{run:?}");
    assert!(run.stdout.contains("no problems in") && run.stdout.contains("SKILL.md"), "{run:?}");
}

#[test]
fn a_copy_that_is_restored_onto_a_full_or_read_only_disk_names_that_disk() {
    let script = r#"
        set -e
        head -c 900000 /dev/urandom | base64 -w0 | head -c 1000000 > /dev/shm/big.txt
        "$1" --home /dev/shm/home skill create Large >/dev/null
        for n in 1 2 3 4 5 6; do "$1" --home /dev/shm/home skill edit large --path "big-$n.txt" --from /dev/shm/big.txt >/dev/null; done
        "$1" --home /dev/shm/home db backup --to /dev/shm/copy.db >/dev/null
        "$1" --home /mnt/home skill create Kept >/dev/null
        "$1" --home /mnt/home --json db restore --from /dev/shm/copy.db 2>&1 && exit 3
        "$1" --home /mnt/home db check
        "$1" --home /mnt/home skill show kept
        ls -A /mnt/home
        "$1" --home /mnt/sealed --json db restore --from /dev/shm/copy.db 2>&1 && exit 4
        exit 0
    "#;
    let sealed = World::new();
    sealed.json(&["skill", "create", "Sealed"]);
    let run = finish(
        Command::new("bwrap")
            .args(["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--size", "6000000", "--tmpfs", "/mnt"])
            .args(["--ro-bind", arg(&sealed.home()), "/mnt/sealed"])
            .args(["--", "bash", "-c", script, "bash", INKLINGS]),
    );
    assert!(run.ok, "{run:?}");
    assert!(run.stdout.contains("no space left") && run.stdout.contains("/mnt/home/agents.db"), "{run:?}");
    assert!(run.stdout.contains("no problems in") && run.stdout.contains("SKILL.md"), "{run:?}");
    assert!(!run.stdout.contains(".part") && !run.stdout.contains(".replaced"), "nothing is left behind: {run:?}");
    assert!(run.stdout.contains("\"readOnly\"") && run.stdout.contains("/mnt/sealed/agents.db"), "{run:?}");
    assert!(!run.stdout.contains("/dev/shm/copy.db"), "the copy isn't at fault: {run:?}");
}
