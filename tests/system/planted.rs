//! Malicious folders: imported completely or not at all, quickly, and with a reason.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::archive;
use crate::support::{INKLINGS, Run, World, arg, finish, finish_soon};

const MAIN: &str = "---\nname: planted\ndescription: Is not what it seems.\n---\nWords.\n";

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn import(world: &World, path: &Path) -> Run {
    finish_soon(world.command().args(["--json", "--workspace", arg(&world.workspace()), "import", arg(path)]))
}

/// A folder prepared by `plant`, with a main file.
fn planted(world: &World, plant: impl FnOnce(&Path)) -> PathBuf {
    let folder = world.root.path().join("planted");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("SKILL.md"), MAIN).unwrap();
    plant(&folder);
    folder
}

/// Asserts that importing `path` is refused because of `part`, with a hint, and stores nothing.
fn refused(world: &World, path: &Path, part: &str) {
    let run = import(world, path);
    assert_eq!(run.code, Some(1), "{part}: {run:?}");
    let said = if run.stdout.is_empty() { &run.stderr } else { &run.stdout };
    let said: Value = serde_json::from_str(said).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let of = |part: &Value| part["diagnostics"].as_array().cloned().unwrap_or_default();
    let items = said["items"].as_array().into_iter().flatten().flat_map(of);
    let found = items.chain(of(&said)).chain([said.clone()]).find(|finding| {
        let named = format!("{} {}", finding["rule"].as_str().unwrap_or_default(), finding["message"].as_str().unwrap_or_default());
        named.contains(part) && finding["hint"].as_str().is_some_and(|hint| !hint.is_empty())
    });
    assert!(found.is_some(), "nothing says {part:?} and what to do: {said:#}");
    assert!(said["items"].as_array().into_iter().flatten().all(|item| item["status"] == "refused"), "{said:#}");
    assert!(!world.workspace().join("agents.db").exists(), "{part}: something was stored");
}

#[test]
fn what_is_no_file_is_refused_and_never_waited_for() {
    let world = World::new();
    refused(&world, &planted(&world, |folder| pipe(&folder.join("pipe"))), "folder/device");
    refused(&world, &planted(&world, |folder| drop(UnixListener::bind(folder.join("socket")).unwrap())), "folder/device");
    let without_main = |make: &dyn Fn(&Path)| {
        planted(&world, |folder| {
            fs::remove_file(folder.join("SKILL.md")).unwrap();
            make(&folder.join("SKILL.md"));
        })
    };
    for make in [&pipe as &dyn Fn(&Path), &|path| fs::create_dir(path).unwrap(), &|path| symlink("/etc/passwd", path).unwrap()] {
        let folder = without_main(make);
        refused(&world, &folder, "folder/");
        // As the path itself.
        let run = import(&world, &folder.join("SKILL.md"));
        assert!(run.code == Some(1) && !world.workspace().join("agents.db").exists(), "{run:?}");
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!((said.contains("\"hint\"") || said.contains("\"found\": 0")) && !said.contains("root:"), "{run:?}");
    }
    let alone = world.root.path().join("pipe.skill");
    pipe(&alone);
    for path in [&alone, Path::new("/dev/zero"), Path::new("/dev/tty")] {
        let run = import(&world, path);
        assert!(run.code == Some(1) && run.stderr.contains("\"hint\""), "{run:?}");
    }
}

#[test]
fn a_link_in_a_skill_is_left_out_and_never_followed() {
    let world = World::new();
    world.file("secret.txt", "the secret words");
    let folder = planted(&world, |folder| {
        symlink("../secret.txt", folder.join("file.txt")).unwrap();
        symlink("..", folder.join("above")).unwrap();
        symlink("/dev/zero", folder.join("endless.txt")).unwrap();
    });
    let run = import(&world, &folder);
    assert!(run.ok && run.stdout.matches("folder/symlink").count() == 3, "{run:?}");
    let shown = world.json(&["skill", "show", "planted"]);
    assert!(!shown.to_string().contains("secret.txt") && !shown.to_string().contains("endless"), "{shown:#}");
    assert!(!String::from_utf8_lossy(&fs::read(world.workspace().join("agents.db")).unwrap()).contains("the secret words"));
}

#[test]
fn what_is_too_much_is_refused_before_it_is_read() {
    let world = World::new();
    // Reading all of it would exceed time limits and memory.
    let huge = |name: &'static str| planted(&world, move |folder| fs::File::create(folder.join(name)).unwrap().set_len(1 << 36).unwrap());
    refused(&world, &huge("dropped.bin"), "limit/bytes");
    refused(&world, &huge("SKILL.md"), "limit/bytes");
    refused(&world, &huge("skill.json"), "limit/bytes");
    let many = planted(&world, |folder| (0..10_000).for_each(|n| fs::write(folder.join(format!("{n}.txt")), "").unwrap()));
    refused(&world, &many, "limit/files");
    let deep = planted(&world, |folder| fs::create_dir_all(folder.join("d/".repeat(1_900))).unwrap());
    refused(&world, &deep, "folder/path");
}

#[test]
fn names_that_not_every_system_can_hold_are_refused() {
    let world = World::new();
    refused(&world, &planted(&world, |folder| fs::write(folder.join(OsStr::from_bytes(b"caf\xe9")), "").unwrap()), "folder/name");
    for name in ["con.txt", "COM1", "a:b", "end.", "b\\c"] {
        refused(&world, &planted(&world, |folder| fs::write(folder.join(name), "").unwrap()), "folder/path");
    }
    let conflicting = |one: &'static str, other: &'static str| {
        planted(&world, move |folder| {
            fs::write(folder.join(one), "").unwrap();
            fs::write(folder.join(other), "").unwrap();
        })
    };
    refused(&world, &conflicting("e\u{301}", "\u{e9}"), "folder/path-clash");
    refused(&world, &conflicting("Notes.md", "notes.MD"), "folder/path-clash");
}

#[test]
fn texts_that_would_grow_are_refused() {
    let world = World::new();
    let json = |text: String| planted(&world, move |folder| fs::write(folder.join("skill.json"), text).unwrap());
    refused(&world, &json("[".repeat(1 << 20)), "skill-json/");
    refused(&world, &json(format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000))), "skill-json/");
    let state = planted(&world, |folder| {
        let entry = r#"{"artifacts": [{"path": "d.json", "kind": "dspy_module", "name": "D", "ordinal": 1, "state": "d.state.json"}]}"#;
        fs::write(folder.join("skill.json"), entry).unwrap();
        fs::write(folder.join("d.json"), "{}").unwrap();
        fs::write(folder.join("d.state.json"), "[".repeat(1 << 20)).unwrap();
    });
    refused(&world, &state, "state/json");
    let alias = "---\nname: planted\ndescription: &a x\nb: &b [*a, *a]\n".to_owned()
        + &(0..64).map(|n| format!("c{n}: &c{n} [*b, *b, *b, *b]\n")).collect::<Vec<_>>().concat()
        + &"[".repeat(5_000)
        + "\n---\n";
    refused(&world, &planted(&world, |folder| fs::write(folder.join("SKILL.md"), alias).unwrap()), "frontmatter/yaml");
}

#[test]
fn an_archive_that_leaves_its_folder_is_refused() {
    let world = World::new();
    let main = [b"fs/SKILL.md\0", MAIN.as_bytes()].concat();
    let hidden = [
        b"fs/../../escaped\0words".as_slice(),
        b"f/tmp/escaped\0words",
        b"fs\\..\\escaped\0words",
        b"fC:/escaped\0words",
        b"f../s/SKILL.md\0words",
    ];
    for entry in hidden {
        let file = world.file("in/some.skill", archive::of(&[&main, entry].join(&0xff)));
        refused(&world, &file, "package/name");
    }
    for (entry, part) in
        [(b"ls/link\0/etc/passwd".as_slice(), "folder/symlink"), (b"ps/pipe\0", "folder/device"), (b"fs/con.txt\0", "folder/path")]
    {
        let file = world.file("in/some.skill", archive::of(&[&main, entry].join(&0xff)));
        refused(&world, &file, part);
    }
    assert_eq!(fs::read_dir(world.root.path().join("in")).unwrap().count(), 1);
    assert!(!world.root.path().join("escaped").exists() && !Path::new("/tmp/escaped").exists());
    // Truncated, or of another type than the extension.
    let whole = archive::of(&main);
    refused(&world, &world.file("cut.skill", &whole[..whole.len() - 9]), "package/zip");
    refused(&world, &world.file("words.zip", "no archive at all"), "package/zip");
    refused(&world, &world.file("words.json", "{\"name\": "), "package/json");
    fs::File::create(world.root.path().join("huge.skill")).unwrap().set_len(1 << 36).unwrap();
    let huge = import(&world, &world.root.path().join("huge.skill"));
    assert!(huge.code == Some(1) && format!("{}{}", huge.stdout, huge.stderr).contains("\"hint\": \""), "{huge:?}");
    assert!(import(&world, &world.file("fine.skill", &whole)).ok);
}

#[test]
fn an_export_that_cant_be_finished_leaves_what_was_there() {
    let world = World::new();
    world.json(&["skill", "create", "Mine"]);
    let file = world.file("a-file", "theirs");
    for (out, code) in [(file.clone(), "notFound"), (file.join("below"), "notFound"), (PathBuf::from("/proc/nowhere"), "notFound")] {
        let refusal = world.refused(&["export", "mine", "--out", arg(&out)]);
        assert!(refusal["hint"].is_string(), "{code}: {refusal}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "theirs");
    // A missing folder is created.
    let out = world.root.path().join("made/for/it");
    world.json(&["export", "mine", "--out", arg(&out)]);
    assert!(out.join("mine/SKILL.md").is_file());
    // Nothing is written through a link with the folder's name.
    let (elsewhere, trap) = (world.root.path().join("elsewhere"), world.root.path().join("trap"));
    fs::create_dir_all(&elsewhere).unwrap();
    fs::create_dir_all(&trap).unwrap();
    symlink(&elsewhere, trap.join("mine")).unwrap();
    assert_eq!(world.refused(&["export", "mine", "--out", arg(&trap)])["code"], "exists");
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[test]
fn an_export_to_a_full_or_read_only_disk_leaves_nothing_half() {
    let script = r#"
        set -e
        "$1" --home /dev/shm/home skill create Kept >/dev/null
        "$1" --home /dev/shm/home export kept --out /mnt/out >/dev/null
        head -c 900000 /dev/urandom | base64 -w0 | head -c 1000000 > /dev/shm/big.txt
        for n in 1 2 3; do "$1" --home /dev/shm/home skill edit kept --path "big-$n.txt" --from /dev/shm/big.txt >/dev/null; done
        echo theirs > /mnt/out/kept/note.txt
        "$1" --home /dev/shm/home --json export kept --out /mnt/out --replace 2>&1 && exit 3
        echo; find /mnt/out -type f -o -type d -name '.inklings-*' | LC_ALL=C sort; cat /mnt/out/kept/note.txt
        "$1" --home /dev/shm/home --json export kept --out /sealed 2>&1 && exit 4
        exit 0
    "#;
    let sealed = tempfile::tempdir().unwrap();
    let run = finish(
        Command::new("bwrap")
            .args(["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--size", "1000000", "--tmpfs", "/mnt"])
            .args(["--ro-bind", arg(sealed.path()), "/mnt/sealed"])
            .args(["--", "bash", "-c", &script.replace("/sealed", "/mnt/sealed"), "bash", INKLINGS]),
    );
    assert!(run.ok, "{run:?}");
    assert!(run.stdout.contains("No space left") || run.stdout.contains("no space left"), "{run:?}");
    assert!(run.stdout.contains("\n/mnt/out/kept/SKILL.md\n/mnt/out/kept/note.txt\ntheirs\n"), "only what was there before: {run:?}");
    assert!(run.stdout.contains("permission denied"), "{run:?}");
    assert_eq!(run.stdout.matches("\"hint\"").count(), 2, "{run:?}");
}
