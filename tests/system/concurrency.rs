//! Several processes on one file.

use std::time::{Duration, Instant};

use inklings_engine::{Engine, Options};

use crate::support::{World, arg};
use crate::writer;

#[test]
fn two_processes_writing_at_once_lose_nothing() {
    let world = World::new();
    world.json(&["skill", "create", "Shared", "--description", "is written to by two programs at once"]);
    let count = 40;
    let mut children: Vec<_> = ["left.md", "right.md"].map(|path| writer::start(&world, "shared", path, count)).into();
    let acked: Vec<Vec<_>> = {
        let readers: Vec<_> = children
            .iter_mut()
            .map(|child| {
                let acks = writer::acks(child);
                std::thread::spawn(move || acks.collect::<Vec<_>>())
            })
            .collect();
        readers.into_iter().map(|reader| reader.join().unwrap()).collect()
    };
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let mut revisions: Vec<i64> = acked.iter().flatten().map(|(_, revision)| *revision).collect();
    revisions.sort_unstable();
    assert_eq!(revisions, (2..=1 + 2 * i64::try_from(count).unwrap()).collect::<Vec<_>>(), "each write got a revision of its own");
    for path in ["left.md", "right.md"] {
        assert_eq!(world.json(&["skill", "show", "shared", "--path", path])["text"], writer::body(count));
    }
    assert_eq!(world.json(&["db", "check"])["ok"], true);
}

#[test]
fn many_processes_creating_the_same_database_agree() {
    let world = World::new();
    let children: Vec<_> = (0..6)
        .map(|n| {
            let mut command = world.command();
            command.args(["--workspace", arg(&world.workspace()), "skill", "create", &format!("Skill {n}")]);
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let skills = world.json(&["skill", "list"]);
    let own = skills["skills"].as_array().unwrap().iter().filter(|skill| skill["scope"] == "workspace").count();
    assert_eq!(own, 6);
}

/// The latency is measured by the benchmark `changes/edit_by_another_worst`.
#[test]
fn an_edit_by_another_process_is_announced() {
    let world = World::new();
    world.json(&["skill", "create", "Watched"]);
    let engine = Engine::start(Options { agents: None, clients: None, ..Options::with_home(Some(world.home())) }).unwrap();
    engine.app().workspaces.workspace(&world.workspace()).unwrap();
    let mut changes = engine.changes();
    let note = world.file("note.md", "new text");
    world.json(&["skill", "edit", "watched", "--path", "note.md", "--from", arg(&note)]);
    let done = Instant::now();
    let event = loop {
        match changes.try_recv() {
            Ok(event) if event.kind == "skill" && event.workspace.is_some() => break event,
            _ => assert!(done.elapsed() < Duration::from_secs(10), "nothing was announced"),
        }
        std::thread::yield_now();
    };
    assert_ne!(event.origin, engine.app().origin);
}

#[test]
fn a_workspace_file_that_appears_later_is_followed() {
    let world = World::new();
    let engine = Engine::start(Options { agents: None, clients: None, ..Options::with_home(Some(world.home())) }).unwrap();
    let repository = engine.app().workspaces.workspace(&world.workspace()).unwrap();
    assert!(repository.list_skills().unwrap().is_empty());
    assert!(!world.workspace().join("agents.db").exists(), "opening a folder writes nothing");
    let mut changes = engine.changes();
    world.json(&["skill", "create", "First"]);
    let begun = Instant::now();
    loop {
        match changes.try_recv() {
            Ok(event) if event.workspace.is_some() => break,
            _ => assert!(begun.elapsed() < Duration::from_secs(10), "nothing was announced"),
        }
        std::thread::yield_now();
    }
    assert_eq!(repository.list_skills().unwrap().len(), 1);
}
