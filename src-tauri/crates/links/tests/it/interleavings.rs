use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use inklings_core::change::RevisionFilter;
use inklings_core::{SkillPath, SkillStorageRepository as _, UserData as _};

use crate::support::{Home, read};

/// Lines of the file that both sides edit.
const LINES: usize = 30;

/// Replaces a line by a text that is nowhere else.
fn edited(text: &str, line: usize, with: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if let Some(line) = lines.get_mut(line) {
        *line = with;
    }
    lines.join("\n") + "\n"
}

#[test]
fn in_200_interleavings_of_both_sides_every_text_is_on_disk_or_in_a_revision() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut home = Home::new();
    let body = (0..LINES).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n") + "\n";
    let file = home.write_skill(".claude", "checker", "Body\n").join("notes.md");
    fs::write(&file, body).unwrap();
    home.scan();
    let path = SkillPath::parse("notes.md").unwrap();
    let id = home.skill("checker").unwrap().head.id;
    let mut texts = BTreeSet::new();
    for n in 0..200 {
        let token = format!("edit {n}.");
        let line = random.usize(..LINES);
        match random.u8(..10) {
            // Saved here, from what is stored or from an older state.
            0..=3 => {
                let mut opened = home.skill("checker").unwrap();
                let stored = opened.package.tree()[&path].text().unwrap().to_owned();
                if random.bool() {
                    let external = format!("external {n}.");
                    fs::write(&file, edited(&read(&file), random.usize(..LINES), &external)).unwrap();
                    texts.insert(external);
                }
                opened.head.revision = home.skill("checker").unwrap().head.revision;
                if home.save(&opened, "notes.md", &edited(&stored, line, &token)).is_ok() {
                    texts.insert(token);
                }
            }
            // On disk, in place or by another file.
            4..=7 => {
                let text = edited(&read(&file), line, &token);
                if random.bool() {
                    fs::write(&file, text).unwrap();
                } else {
                    fs::write(file.with_extension("tmp"), text).unwrap();
                    fs::rename(file.with_extension("tmp"), &file).unwrap();
                }
                texts.insert(token);
            }
            8 => {
                let skill = home.skill("checker").unwrap();
                let text = edited(skill.package.tree()[&path].text().unwrap(), line, &token);
                home.save_in_store(&skill, path.as_str(), &text);
                texts.insert(token);
                home = home.restart();
            }
            _ => home.scan(),
        }
        // A change on disk is seen before the next one overwrites it.
        home.links.sync(&home.scope, id).unwrap();
    }
    home.links.sync(&home.scope, id).unwrap();
    let revisions = home.repository.revisions(id, &RevisionFilter::default(), 1_000).unwrap().revisions;
    let mut found: String = revisions
        .iter()
        .filter_map(|revision| home.repository.revision_file(id, revision.number, &path).unwrap())
        .map(|file| file.text().unwrap().to_owned())
        .collect();
    found.push_str(&read(&file));
    let lost: Vec<_> = texts.iter().filter(|text| !found.contains(text.as_str())).collect();
    assert!(lost.is_empty(), "{lost:?}");
    assert!(texts.len() > 120, "{}", texts.len());
    assert_eq!(home.text("checker", "notes.md"), Some(read(&file)));
}

#[test]
fn a_save_while_a_sync_waits_for_the_lock_is_kept() {
    let home = Arc::new(Home::new());
    let file = home.write_skill(".claude", "checker", "Body\n").join("notes.md");
    fs::write(&file, "one").unwrap();
    home.scan();
    let skill = home.skill("checker").unwrap();
    let id = skill.head.id;
    let saving = home.clone();
    let watcher = home.interrupted(1, move || {
        let saved = saving.save(&skill, "notes.md", "two").unwrap();
        saving.save_in_store(&saved.skill, "notes.md", "three");
    });
    watcher.sync(&home.scope, id).unwrap();
    assert_eq!((home.text("checker", "notes.md").as_deref(), read(&file).as_str()), (Some("three"), "three"));
    assert!(home.user.drafts("", id).unwrap().is_empty());
}

#[test]
fn saves_beside_a_watcher_are_not_taken_back() {
    let home = Home::new();
    let file = home.write_skill(".claude", "checker", "Body\n").join("notes.md");
    fs::write(&file, "at first").unwrap();
    home.scan();
    let mut skill = home.skill("checker").unwrap();
    let id = skill.head.id;
    let is_over = AtomicBool::new(false);
    let taken_back = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                home.links.sync(&home.scope, id).unwrap();
            }
        });
        let taken_back = (0..60).find_map(|round| {
            let text = format!("round {round}");
            match home.save(&skill, "notes.md", &text) {
                Ok(saved) => skill = saved.skill,
                Err(error) => return Some(error.to_string()),
            }
            let found = (home.text("checker", "notes.md")?, read(&file));
            (found != (text.clone(), text)).then(|| format!("{found:?}"))
        });
        is_over.store(true, Ordering::Relaxed);
        taken_back
    });
    assert_eq!(taken_back, None);
}

#[test]
fn a_skill_that_is_unlinked_while_it_is_synchronized_stays_unlinked() {
    let home = Arc::new(Home::new());
    let file = home.write_skill(".claude", "checker", "Body\n").join("notes.md");
    home.scan();
    let id = home.skill("checker").unwrap().head.id;
    fs::write(&file, "on disk").unwrap();
    let (begun, is_begun) = mpsc::channel();
    let unlinking = home.clone();
    let watcher = home.interrupted(2, move || {
        let other = thread::spawn(move || unlinking.links.deactivate(&unlinking.scope, id));
        // It waits until the folder is synchronized. If it didn't, it would be done by then.
        let since = Instant::now();
        while !other.is_finished() && since.elapsed() < Duration::from_millis(200) {
            thread::yield_now();
        }
        begun.send(other).unwrap();
    });
    watcher.sync(&home.scope, id).unwrap();
    // With the event, if it never happened.
    drop(watcher);
    is_begun.recv().unwrap().join().unwrap().unwrap();
    assert!(home.links.store().active_link("", id).unwrap().is_none());
    assert_eq!(home.text("checker", "notes.md").as_deref(), Some("on disk"));
}
