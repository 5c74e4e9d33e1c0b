//! kill -9 while a linked skill is written to and its folder changes: nothing that was written on either side is lost.

use std::fs;
use std::time::{Duration, Instant};

use crate::support::{Seeded, World, full};
use crate::writer;

#[test]
fn no_edit_of_either_side_of_a_linked_skill_is_lost_by_kill_9() {
    let world = World::new();
    let folder = world.person().join(".claude/skills/victim");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("SKILL.md"), "---\nname: victim\ndescription: Is written to from both sides.\n---\nBody\n").unwrap();
    fs::write(folder.join("notes.md"), "begun").unwrap();
    fs::write(folder.join("disk.md"), "begun").unwrap();
    assert_eq!(world.json(&["link", "sync"])["links"].as_array().unwrap().len(), 1);
    let rounds = if full() { 200 } else { 20 };
    let mut random = Seeded(0x114b_5eed);
    let mut written = 0;
    for round in 0..rounds {
        let mut child = writer::start(&world, "victim", "notes.md", 10_000);
        let mut acks = writer::acks(&mut child);
        let wanted = 1 + random.below(6);
        let mut last = acks.next().expect("the writer starts");
        let mut on_disk = String::new();
        while last.0 < wanted {
            written += 1;
            on_disk = format!("on disk {written}");
            // In place, as some editors do, or by renaming a complete file.
            if random.below(2) == 0 {
                fs::write(folder.join("disk.md"), &on_disk).unwrap();
            } else {
                fs::write(folder.join("disk.new~"), &on_disk).unwrap();
                fs::rename(folder.join("disk.new~"), folder.join("disk.md")).unwrap();
            }
            last = acks.next().expect("the writer goes on");
        }
        let until = Instant::now() + Duration::from_micros(random.below(8_000));
        while Instant::now() < until {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        let late: Vec<_> = acks.collect();
        child.wait().unwrap();
        let (n, _) = late.last().copied().unwrap_or(last);

        let synced = world.json(&["link", "sync"]);
        assert!(synced["links"][0]["problem"].is_null(), "round {round}: {synced}");
        let stored = |path: &str| world.json(&["skill", "show", "victim", "--path", path])["text"].as_str().unwrap().to_owned();
        let notes = fs::read_to_string(folder.join("notes.md")).unwrap();
        assert!(
            notes == writer::body(n) || notes == writer::body(n + 1),
            "round {round}: write {n} was acknowledged, found {}",
            &notes[..20]
        );
        assert_eq!(stored("notes.md"), notes, "round {round}");
        if !on_disk.is_empty() {
            assert_eq!(
                (fs::read_to_string(folder.join("disk.md")).unwrap(), stored("disk.md")),
                (on_disk.clone(), on_disk),
                "round {round}"
            );
        }
    }
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["SKILL.md", "disk.md", "notes.md"], "nothing is left beside the files");
    assert_eq!(world.json(&["db", "check", "--scope", "account"])["ok"], true);
}
