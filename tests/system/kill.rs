//! kill -9 while writing: the database stays valid and nothing that was acknowledged is lost.

use std::time::{Duration, Instant};

use crate::support::{Seeded, World, full};
use crate::writer;

#[test]
fn no_acknowledged_write_is_lost_by_kill_9() {
    let world = World::new();
    world.json(&["skill", "create", "Victim", "--description", "is written to while its writer is killed"]);
    let rounds = if full() { 200 } else { 20 };
    let mut random = Seeded(0x1d1e_5eed);
    for round in 0..rounds {
        let mut child = writer::start(&world, "victim", "notes.md", 10_000);
        let mut acks = writer::acks(&mut child);
        let wanted = 1 + random.below(12);
        let mut last = acks.next().expect("the writer starts");
        while last.0 < wanted {
            last = acks.next().expect("the writer goes on");
        }
        // At a random point of the next write. Busy waiting, since a sleep is coarser than the duration of a write.
        let until = Instant::now() + Duration::from_micros(random.below(3_000));
        while Instant::now() < until {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        let late: Vec<_> = acks.collect();
        child.wait().unwrap();
        let (n, revision) = late.last().copied().unwrap_or(last);

        let checked = world.json(&["db", "check"]);
        assert_eq!(checked["ok"], true, "round {round}: {checked}");
        let shown = world.json(&["skill", "show", "victim", "--path", "notes.md"]);
        let (stored, text) = (shown["revision"].as_i64().unwrap(), shown["text"].as_str().unwrap());
        assert!(stored >= revision, "round {round}: revision {revision} was acknowledged, {stored} is stored");
        let expected = if stored == revision { vec![n] } else { vec![n + 1] };
        assert!(expected.iter().any(|n| text == writer::body(*n)), "round {round}: write {n} was acknowledged, found {}", &text[..20]);
        let history = world.json(&["skill", "history", "victim"]);
        let numbers: Vec<_> = history["revisions"].as_array().unwrap().iter().map(|one| one["number"].as_i64().unwrap()).collect();
        assert_eq!(numbers, (1..=stored).rev().collect::<Vec<_>>(), "round {round}");
    }
}
