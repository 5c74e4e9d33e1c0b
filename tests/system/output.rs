//! Output is complete or an error, input is bounded, and no text of a skill controls the terminal.

use std::fs::{File, OpenOptions};
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{INKLINGS, World, arg, finish, finish_soon, in_terminal};

fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

#[test]
fn a_result_that_cannot_be_written_is_a_failure() {
    let world = World::new();
    let skill = world.file("skills/one/SKILL.md", "---\nname: one\ndescription: One.\n---\nBody.\n");
    world.json(&["import", arg(skill.parent().unwrap())]);
    let folder = arg(skill.parent().unwrap()).to_owned();
    for args in [
        &["skill", "list"][..],
        &["--json", "skill", "list"],
        &["skill", "show", "one", "--path", "SKILL.md"],
        &["skill", "create", "Two"],
        &["skill", "diff", "one", "--from", "1"],
        &["runs", "export"],
        &["--json", "runs", "export"],
        &["validate", &folder],
        &["completions", "bash"],
        &["--help"],
        &["--version"],
    ] {
        let mut command = world.command();
        command.arg("--workspace").arg(world.workspace()).args(args).stdout(full()).stderr(Stdio::piped());
        // Only this command has an empty result.
        let expected = if args == ["runs", "export"] || args.contains(&"diff") { Some(0) } else { Some(1) };
        let done = command.spawn().unwrap().wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), expected, "{args:?}: {said}");
        if expected == Some(1) {
            assert!(said.contains("can't write to standard output: No space left"), "{args:?}: {said}");
        }
    }
    // Nor does a closed standard error matter.
    let silent = world.command().args(["skill", "show", "nobody"]).stdout(full()).stderr(full()).status().unwrap();
    assert_eq!(silent.code(), Some(1));
}

#[test]
fn a_closed_pipe_is_not_a_failure() {
    let world = World::new();
    for args in [&["completions", "bash"][..], &["skill", "list"], &["skill", "show", "skill-reviewer", "--path", "SKILL.md"], &["--help"]]
    {
        let (read, write) = std::io::pipe().unwrap();
        drop(read);
        let done = world.command().args(args).stdout(OwnedFd::from(write)).stderr(Stdio::piped()).spawn().unwrap();
        let done = done.wait_with_output().unwrap();
        assert_eq!((done.status.code(), String::from_utf8_lossy(&done.stderr).as_ref()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn input_without_an_end_is_refused() {
    let world = World::new();
    world.json(&["skill", "create", "Target"]);
    for (args, what) in [
        (&["skill", "edit", "target", "--path", "note.md", "--from", "/dev/zero"][..], "/dev/zero is larger than 16777216 bytes"),
        (&["skill", "edit", "target", "--path", "note.md", "--from", "-"], "standard input is larger than 16777216 bytes"),
        (&["render", "consistency-checker", "Check Prompt", "--params-file", "/dev/zero"], "/dev/zero is larger than"),
        (&["run", "consistency-checker", "--params-file", "-"], "standard input is larger than"),
        (
            &["model", "add", "x", "--kind", "openai-compatible", "--base-url", "http://localhost:9", "--key-stdin"],
            "standard input is larger than 8194 bytes",
        ),
    ] {
        // Limits the damage if a command doesn't stop reading.
        let mut command = Command::new("bash");
        command.args(["-c", "ulimit -v 8000000; exec \"$@\"", "bash", INKLINGS, "--home"]).arg(world.home());
        command.args(["--json", "--workspace"]).arg(world.workspace()).args(args).stdin(File::open("/dev/zero").unwrap());
        let run = finish_soon(&mut command);
        assert_eq!(run.code, Some(1), "{args:?}: {run:?}");
        let refusal: Value = serde_json::from_str(&run.stderr).unwrap_or_else(|error| panic!("{args:?}: {error}: {run:?}"));
        assert_eq!(refusal["code"], "limit", "{refusal}");
        assert!(refusal["message"].as_str().unwrap().contains(what), "{refusal}");
    }
    assert_eq!(world.json(&["skill", "show", "target"])["revision"], 1);
}

#[test]
fn a_binary_file_is_written_to_a_pipe_as_it_is() {
    let world = World::new();
    world.json(&["skill", "create", "Target"]);
    let bytes: Vec<u8> = (0..=255).collect();
    world.file("skill/SKILL.md", "---\nname: binary\ndescription: Has a binary file.\n---\nBody.\n");
    world.file("skill/data.bin", &bytes);
    world.json(&["import", arg(&world.root.path().join("skill"))]);
    let show = ["skill", "show", "binary", "--path", "data.bin"];
    let piped = world.command().arg("--workspace").arg(world.workspace()).args(show).output().unwrap();
    assert!(piped.status.success() && piped.stdout == bytes, "{piped:?}");
    let shown = in_terminal(world.command().arg("--workspace").arg(world.workspace()).args(show));
    assert!(shown.code == Some(1) && shown.stdout.contains("data.bin is binary"), "{shown:?}");
}

#[test]
fn a_dumb_terminal_gets_no_colors() {
    let world = World::new();
    let refused = |term: &str| {
        let mut command = world.command();
        in_terminal(command.env_remove("NO_COLOR").env("TERM", term).args(["skill", "show", "nobody"])).stdout
    };
    assert!(refused("xterm").contains("\u{1b}[31merror"));
    let plain = refused("dumb");
    assert!(plain.contains("error: ") && !plain.contains('\u{1b}'), "{plain:?}");
}

#[test]
fn texts_are_exact_in_a_pipe_and_visible_in_a_terminal() {
    let world = World::new();
    world.json(&["skill", "create", "Target"]);
    let hostile = "a\u{1b}]52;c;aGk=\u{7}b\r\nc\u{9b}31m\u{202e}d\n";
    let note = world.file("note.md", hostile);
    world.json(&["skill", "edit", "target", "--path", "note.md", "--from", arg(&note)]);
    let show = |json: bool| {
        let mut command = world.command();
        command
            .arg("--workspace")
            .arg(world.workspace())
            .args(json.then_some("--json"))
            .args(["skill", "show", "target", "--path", "note.md"]);
        command
    };
    assert_eq!(finish(&mut show(false)).stdout, hostile);
    let read: Value = serde_json::from_str(&finish(&mut show(true)).stdout).unwrap();
    assert_eq!(read["text"], json!(hostile));
    let shown = in_terminal(&mut show(false)).stdout;
    assert_eq!(shown.replace("\r\n", "\n"), "a^[]52;c;aGk=^Gb\nc<U+009B>31m<U+202E>d\n");
    let shown = in_terminal(&mut show(true)).stdout;
    assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{shown:?}");
    assert_eq!(serde_json::from_str::<Value>(&shown).unwrap()["text"], json!(hostile));
}

#[test]
fn a_parameter_is_read_by_its_declared_type() {
    let world = World::new();
    let claims = r#"[{"page_name": "Ann", "text": "born 1802"}, {"page_name": "Mill", "text": "born 1811"}]"#;
    let render = |claims: &str| {
        let claims = format!("claims={claims}");
        finish(world.command().args(["render", "consistency-checker", "Check Prompt", "-p", "entity_name=12", "-p", &claims]))
    };
    let rendered = render(claims);
    assert!(rendered.ok && rendered.stdout.contains("born 1811") && rendered.stdout.contains("12"), "{rendered:?}");
    let refused = render("Ann, Mill");
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("claims must be an array") && refused.stderr.contains("--param claims:="), "{refused:?}");
}
