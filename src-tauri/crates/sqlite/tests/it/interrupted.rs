//! Kills at critical points lose no data.

use std::cell::RefCell;
use std::ffi::OsString;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;

use rustix::fs::inotify;

use super::*;

fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn names(folder: &Path) -> Vec<OsString> {
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

/// Copies a database with its rollback journal during a transaction, after pages were written to the file, as left by a
/// killed process.
fn killed_inside_a_write(from: &Path, to: &Path) {
    let connection = Connection::open(from).unwrap();
    connection.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN IMMEDIATE").unwrap();
    connection.execute_batch("CREATE TABLE IF NOT EXISTS notes (text TEXT NOT NULL) STRICT").unwrap();
    for _ in 0..200 {
        connection.execute("INSERT INTO notes (text) VALUES (?1)", ["half of it ".repeat(1_000)]).unwrap();
    }
    fs::copy(from, to).unwrap();
    fs::copy(beside(from, "-journal"), beside(to, "-journal")).unwrap();
    connection.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn a_write_that_was_killed_halfway_is_rolled_back_at_opening() {
    for present in [false, true] {
        let (source, fixture) = (fixture(), fixture());
        if present {
            add(&open(&source.file, &V1).unwrap(), "kept");
        }
        killed_inside_a_write(&source.file, &fixture.file);
        assert!(fixture.file.metadata().unwrap().len() > 1_000_000, "pages were written before the kill");
        let database = open(&fixture.file, &V1).unwrap();
        assert_eq!(count(&database), i64::from(present));
        add(&database, "after");
        assert_eq!(count(&database), i64::from(present) + 1);
        assert!(!beside(&fixture.file, "-journal").exists());
    }
}

#[test]
fn a_database_with_a_half_done_write_is_checked_copied_and_put_back() {
    let (source, fixture) = (fixture(), fixture());
    add(&open(&source.file, &V1).unwrap(), "kept");
    let half = || killed_inside_a_write(&source.file, &fixture.file);
    half();
    assert!(backup::check(&fixture.file, &CancellationToken::new()).unwrap().is_empty());
    half();
    let copy = fixture.file.with_file_name("copy.db");
    backup::copy(&fixture.file, &copy, &CancellationToken::new(), &quiet).unwrap();
    half();
    let aside = backup::restore(&fixture.file, &copy, &V1, &CancellationToken::new(), &quiet).unwrap().unwrap();
    for file in [&fixture.file, &copy, &aside] {
        assert_eq!(count(&open(file, &V1).unwrap()), 1, "{}", file.display());
    }
}

#[test]
fn a_journal_that_names_other_files_is_refused_and_they_stay() {
    let (source, fixture) = (fixture(), fixture());
    add(&open(&source.file, &V1).unwrap(), "kept");
    killed_inside_a_write(&source.file, &fixture.file);
    let victim = fixture.file.with_file_name("victim");
    fs::write(&victim, "").unwrap();
    let name = victim.to_str().unwrap().as_bytes();
    let sum: u32 = name.iter().map(|byte| u32::from(*byte)).sum();
    let mut journal = fs::read(beside(&fixture.file, "-journal")).unwrap();
    journal.extend([0; 4]);
    journal.extend(name);
    journal.extend(u32::try_from(name.len()).unwrap().to_be_bytes());
    journal.extend(sum.to_be_bytes());
    journal.extend([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]);
    fs::write(beside(&fixture.file, "-journal"), journal).unwrap();
    let error = open(&fixture.file, &V1).unwrap_err();
    assert!(matches!(&error, StorageError::Foreign { detail, .. } if detail == "its journal references other files"), "{error}");
    assert!(matches!(backup::check(&fixture.file, &CancellationToken::new()), Err(StorageError::Foreign { .. })));
    assert!(victim.exists());
}

/// A database whose last write is in a log that no process has open.
fn unclean(file: &Path) {
    let source = fixture();
    let database = open(&source.file, &V1).unwrap();
    add(&database, "in the file");
    drop(database);
    let database = open(&source.file, &V1).unwrap();
    add(&database, "in the log");
    fs::copy(&source.file, file).unwrap();
    fs::copy(beside(&source.file, "-wal"), beside(file, "-wal")).unwrap();
}

/// File system events in a folder.
struct Events(OwnedFd);

#[derive(Debug, PartialEq, Eq)]
enum Event {
    MovedAway(String),
    Removed(String),
    MovedHere(String),
}

impl Events {
    fn of(folder: &Path) -> Self {
        let queue = inotify::init(inotify::CreateFlags::NONBLOCK).unwrap();
        let wanted = inotify::WatchFlags::MOVED_FROM | inotify::WatchFlags::MOVED_TO | inotify::WatchFlags::DELETE;
        inotify::add_watch(&queue, folder, wanted).unwrap();
        Self(queue)
    }

    fn of_names_that_begin_with(&self, file: &Path) -> Vec<Event> {
        let prefix = file.file_name().unwrap().to_str().unwrap();
        let mut buffer = [MaybeUninit::uninit(); 16 * 1024];
        let mut reader = inotify::Reader::new(&self.0, &mut buffer);
        let mut events = Vec::new();
        while let Ok(event) = reader.next() {
            let Some(rest) = event.file_name().and_then(|name| name.to_str().unwrap().strip_prefix(prefix)) else { continue };
            let rest = rest.to_owned();
            if event.events().contains(inotify::ReadFlags::MOVED_FROM) {
                events.push(Event::MovedAway(rest));
            } else if event.events().contains(inotify::ReadFlags::DELETE) {
                events.push(Event::Removed(rest));
            } else {
                events.push(Event::MovedHere(rest));
            }
        }
        events
    }
}

#[test]
fn while_a_copy_is_put_back_there_is_a_whole_database_at_every_moment() {
    let fixture = fixture();
    let copy = fixture.file.with_file_name("copy.db");
    add(&open(&copy, &V1).unwrap(), "of the copy");
    for damaged in [false, true] {
        let _ = fs::remove_file(&fixture.file);
        unclean(&fixture.file);
        if damaged {
            fs::write(&fixture.file, "no database".repeat(10_000)).unwrap();
        }
        let events = Events::of(fixture.file.parent().unwrap());
        let aside = backup::restore(&fixture.file, &copy, &V1, &CancellationToken::new(), &quiet).unwrap().unwrap();
        let events = events.of_names_that_begin_with(&fixture.file);
        let here = Event::MovedHere(String::new());
        assert_eq!(events.iter().filter(|event| **event == here).count(), 1, "{events:?}");
        for event in [Event::MovedAway(String::new()), Event::Removed(String::new()), Event::MovedAway("-wal".to_owned())] {
            assert!(!events.contains(&event), "{events:?}");
        }
        assert_eq!(count(&open(&fixture.file, &V1).unwrap()), 1);
        if !damaged {
            // The log was checkpointed first, so a kill before the end loses nothing.
            assert!(!beside(&aside, "-wal").exists());
            assert_eq!(count(&open(&aside, &V1).unwrap()), 2);
        }
    }
}

#[test]
fn a_damaged_database_leaves_before_its_log_does() {
    let fixture = fixture();
    unclean(&fixture.file);
    let events = Events::of(fixture.file.parent().unwrap());
    let aside = backup::set_aside(&fixture.file).unwrap();
    let events = events.of_names_that_begin_with(&fixture.file);
    let at = |event: &Event| events.iter().position(|one| one == event);
    let (database, log) = (at(&Event::MovedAway(String::new())), at(&Event::Removed("-wal".to_owned())));
    assert!(database.is_some() && database < log, "{events:?}");
    assert_eq!(count(&open(&aside, &V1).unwrap()), 2, "its log came along");
}

#[test]
fn a_log_that_a_killed_move_left_is_not_played_into_the_next_database() {
    let fixture = fixture();
    unclean(&fixture.file);
    let aside = fixture.file.with_file_name("aside.db");
    fs::hard_link(beside(&fixture.file, "-wal"), beside(&aside, "-wal")).unwrap();
    fs::rename(&fixture.file, &aside).unwrap();
    assert_eq!(count(&open(&fixture.file, &V1).unwrap()), 0);
    assert_eq!(count(&open(&aside, &V1).unwrap()), 2, "the copy that was set aside has its log");
}

#[test]
fn a_copy_touches_no_file_but_its_own() {
    let fixture = fixture();
    add(&open(&fixture.file, &V1).unwrap(), "one");
    let folder = fixture.file.parent().unwrap();
    let copy = fixture.file.with_file_name("copy.db");
    fs::write(fixture.file.with_file_name("copy.db.part"), "the user's own").unwrap();
    let before = names(folder);
    let cancelled = CancellationToken::new();
    cancelled.cancel();
    assert!(matches!(backup::copy(&fixture.file, &copy, &cancelled, &quiet), Err(StorageError::Cancelled { .. })));
    assert_eq!(names(folder), before, "nothing stays of a copy that was cancelled");

    backup::copy(&fixture.file, &copy, &CancellationToken::new(), &quiet).unwrap();
    assert_eq!(fs::read_to_string(fixture.file.with_file_name("copy.db.part")).unwrap(), "the user's own");
    assert!(matches!(backup::copy(&fixture.file, &copy, &CancellationToken::new(), &quiet), Err(StorageError::Exists { .. })));
    assert!(backup::check(&copy, &CancellationToken::new()).unwrap().is_empty());
    let mut after = before;
    after.push("copy.db".into());
    after.sort();
    assert_eq!(names(folder), after, "no log stays beside the copy");

    fs::write(folder.join(format!(".{}.restoring.abc.part", fixture.file.file_name().unwrap().to_str().unwrap())), "of a killed one")
        .unwrap();
    let aside = backup::restore(&fixture.file, &copy, &V1, &CancellationToken::new(), &quiet).unwrap().unwrap();
    after.push(aside.file_name().unwrap().to_owned());
    after.sort();
    assert_eq!(names(folder), after);
}

#[test]
fn of_two_copies_to_one_name_one_is_made_and_the_other_fails() {
    let fixture = fixture();
    add(&open(&fixture.file, &V1).unwrap(), "one");
    for round in 0..20 {
        let copy = fixture.file.with_file_name(format!("copy-{round}.db"));
        let start = Barrier::new(2);
        let made = std::thread::scope(|scope| {
            let all: Vec<_> = (0..2)
                .map(|_| {
                    scope.spawn(|| {
                        start.wait();
                        backup::copy(&fixture.file, &copy, &CancellationToken::new(), &quiet)
                    })
                })
                .collect();
            all.into_iter().map(|one| one.join().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(made.iter().filter(|one| one.is_ok()).count(), 1, "{made:?}");
        assert!(made.iter().all(|one| matches!(one, Ok(()) | Err(StorageError::Exists { .. }))), "{made:?}");
        assert_eq!(count(&open(&copy, &V1).unwrap()), 1);
    }
}

/// A database of some megabytes.
fn large(file: &Path) {
    let database = open(file, &V1).unwrap();
    for _ in 0..8 {
        add(&database, &"a long note ".repeat(100_000));
    }
}

#[test]
fn a_copy_says_how_far_it_is_until_all_is_written() {
    let fixture = fixture();
    large(&fixture.file);
    let copy = fixture.file.with_file_name("copy.db");
    let received = RefCell::new(Vec::new());
    backup::copy(&fixture.file, &copy, &CancellationToken::new(), &|done, total| received.borrow_mut().push((done, total))).unwrap();
    let received = received.into_inner();
    let size = copy.metadata().unwrap().len();
    assert!(received.len() > 1 && received.is_sorted() && received.iter().all(|(_, total)| *total == size), "{received:?}");
    assert_eq!(received.last(), Some(&(size, size)));
}

#[test]
fn a_restore_that_is_cancelled_on_the_way_changes_nothing() {
    let (source, fixture) = (fixture(), fixture());
    large(&source.file);
    add(&open(&fixture.file, &V1).unwrap(), "kept");
    let before = (names(fixture.file.parent().unwrap()), fs::read(&fixture.file).unwrap());
    let cancel = CancellationToken::new();
    let outcome = backup::restore(&fixture.file, &source.file, &V1, &cancel, &|_, _| cancel.cancel());
    assert!(matches!(outcome, Err(StorageError::Cancelled { .. })), "{outcome:?}");
    assert_eq!((names(fixture.file.parent().unwrap()), fs::read(&fixture.file).unwrap()), before);
}

#[test]
fn a_check_ends_when_it_is_cancelled() {
    let fixture = fixture();
    large(&fixture.file);
    let cancel = CancellationToken::new();
    cancel.cancel();
    let outcome = backup::check(&fixture.file, &cancel);
    assert!(matches!(outcome, Err(StorageError::Cancelled { action: "checking", .. })), "{outcome:?}");
}

#[test]
fn a_staged_copy_takes_the_place_of_a_database_only_while_nobody_has_it_open() {
    let (source, fixture) = (fixture(), fixture());
    add(&open(&source.file, &V1).unwrap(), "from the copy");
    let database = open(&fixture.file, &V1).unwrap();
    let stage = || backup::stage(&fixture.file, &source.file, &V1, &CancellationToken::new(), &quiet).unwrap();
    assert!(matches!(stage().replace(), Err(StorageError::InUse { .. })));
    assert_eq!(count(&database), 0);
    let staged = stage();
    // Writes after staging are in the kept database.
    add(&database, "late");
    drop(database);
    let kept = staged.replace().unwrap().unwrap();
    assert!(kept.to_str().unwrap().contains(".replaced-"), "{}", kept.display());
    add(&open(&fixture.file, &V1).unwrap(), "one more");
    assert_eq!((count(&open(&fixture.file, &V1).unwrap()), count(&open(&kept, &V1).unwrap())), (2, 1));
    assert!(!names(fixture.file.parent().unwrap()).iter().any(|name| name.to_str().unwrap().contains(".restoring")));
}
