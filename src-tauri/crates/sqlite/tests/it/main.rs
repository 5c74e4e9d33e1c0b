//! Real files: what may be opened, what is refused, what is kept.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod interrupted;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Barrier;

use inklings_core::{CancellationToken, StorageError};
use inklings_sqlite::{Access, Create, Database, Schema, backup};
use rusqlite::Connection;

const V1: Schema = Schema { migrations: &["CREATE TABLE notes (text TEXT NOT NULL) STRICT;"], superseded: &[], application_id: 0x1234 };
const V2: Schema = Schema {
    migrations: &["CREATE TABLE notes (text TEXT NOT NULL) STRICT;", "ALTER TABLE notes ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';"],
    superseded: &[],
    application_id: 0x1234,
};

/// Nobody hears how far a copy is.
fn quiet(_: u64, _: u64) {}

struct Place {
    _folder: tempfile::TempDir,
    file: PathBuf,
}

fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("it's 100% #odd?.db");
    Place { _folder: folder, file }
}

fn open(file: &Path, schema: &Schema) -> Result<Database, StorageError> {
    Database::open(file, schema, Create::IfMissing)
}

fn add(database: &Database, text: &str) {
    database.write(|transaction| Ok(transaction.execute("INSERT INTO notes (text) VALUES (?1)", [text])?)).unwrap();
}

fn count(database: &Database) -> i64 {
    database.read(|connection| Ok(connection.query_row("SELECT count(*) FROM notes", [], |row| row.get(0))?)).unwrap()
}

#[test]
fn a_new_file_is_created_and_opens_again() {
    let place = place();
    assert!(matches!(Database::open(&place.file, &V1, Create::Never), Err(StorageError::NotFound { .. })));
    let first = open(&place.file, &V1).unwrap();
    add(&first, "one");
    let second = open(&place.file, &V1).unwrap();
    add(&second, "two");
    assert_eq!((count(&first), count(&second)), (2, 2));
    assert_eq!(second.access(), Access::ReadWrite);
}

#[test]
fn many_may_make_or_migrate_the_same_file_in_one_moment() {
    for round in 0..30 {
        let place = place();
        if round % 2 == 1 {
            add(&open(&place.file, &V1).unwrap(), "old");
        }
        let start = Barrier::new(6);
        let databases: Vec<Database> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..6)
                .map(|_| {
                    scope.spawn(|| {
                        start.wait();
                        open(&place.file, &V2).unwrap()
                    })
                })
                .collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        for database in &databases {
            assert_eq!(database.access(), Access::ReadWrite);
            add(database, "new");
        }
        assert_eq!(count(&databases[0]), 6 + round % 2);
        // Only the first had anything to do.
        assert_eq!(backup::backups(&place.file).len(), usize::from(round % 2 == 1));
    }
}

#[test]
fn an_older_file_is_copied_then_migrated_and_three_copies_are_kept() {
    let place = place();
    add(&open(&place.file, &V1).unwrap(), "old");
    for _ in 0..5 {
        fs::copy(&place.file, place.file.with_extension("db.backup-v1-0")).unwrap();
        let migrated = open(&place.file, &V2).unwrap();
        let mood: String = migrated.read(|connection| Ok(connection.query_row("SELECT mood FROM notes", [], |row| row.get(0))?)).unwrap();
        assert_eq!(mood, "calm");
        drop(migrated);
        let connection = Connection::open(&place.file).unwrap();
        connection.execute_batch("ALTER TABLE notes DROP COLUMN mood; PRAGMA user_version = 1").unwrap();
    }
    let copies = backup::backups(&place.file);
    assert_eq!(copies.len(), 3, "{copies:?}");
    assert_eq!(count(&Database::open(copies.last().unwrap(), &V1, Create::Never).unwrap()), 1);
}

#[test]
fn a_newer_file_is_refused_and_left_as_it_is() {
    let place = place();
    add(&open(&place.file, &V2).unwrap(), "from the future");
    let before = fs::read(&place.file).unwrap();
    let error = open(&place.file, &V1).unwrap_err();
    assert!(matches!(error, StorageError::NewerDatabase { found: 2, known: 1, .. }), "{error}");
    assert_eq!(fs::read(&place.file).unwrap(), before);
}

#[test]
fn garbage_other_programs_files_and_strange_objects_are_told_apart() {
    let place = place();
    fs::write(&place.file, "this is no database at all, only text that is long enough to be read".repeat(50)).unwrap();
    assert!(matches!(open(&place.file, &V1).unwrap_err(), StorageError::Corrupt { .. }));
    fs::remove_file(&place.file).unwrap();

    Connection::open(&place.file).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    assert!(matches!(open(&place.file, &V1).unwrap_err(), StorageError::Foreign { .. }));
    fs::remove_file(&place.file).unwrap();

    drop(open(&place.file, &V1).unwrap());
    let trigger = "CREATE TRIGGER evil AFTER INSERT ON notes BEGIN DELETE FROM notes; END";
    Connection::open(&place.file).unwrap().execute_batch(trigger).unwrap();
    let error = open(&place.file, &V1).unwrap_err();
    assert!(error.to_string().contains("it has the unknown trigger evil"), "{error}");
    fs::remove_file(&place.file).unwrap();

    let changes = [
        ("CREATE/**/VIRTUAL TABLE evil USING fts5(x)", "it has the unknown table evil"),
        ("CREATE INDEX evil ON notes (text)", "it has the unknown index evil"),
        ("DROP TABLE notes", "it lacks the table notes"),
        ("ALTER TABLE notes ADD COLUMN evil TEXT", "its table notes is not the one that is known"),
    ];
    for (sql, message) in changes {
        drop(open(&place.file, &V1).unwrap());
        let connection = Connection::open(&place.file).unwrap();
        connection.execute_batch(sql).unwrap();
        drop(connection);
        let error = open(&place.file, &V1).unwrap_err();
        assert!(matches!(error, StorageError::Foreign { .. }) && error.to_string().contains(message), "{sql}: {error}");
        fs::remove_file(&place.file).unwrap();
    }
    drop(open(&place.file, &V1).unwrap());
    Connection::open(&place.file).unwrap().execute_batch("INSERT INTO notes VALUES ('x'); ANALYZE").unwrap();
    assert_eq!(count(&open(&place.file, &V1).unwrap()), 1);
}

#[test]
fn a_link_is_refused_also_one_to_nowhere() {
    let place = place();
    let link = place.file.with_file_name("link.db");
    std::os::unix::fs::symlink(&place.file, &link).unwrap();
    for _ in 0..2 {
        let error = open(&link, &V1).unwrap_err();
        assert!(matches!(&error, StorageError::Foreign { detail, .. } if detail == "it is a link"), "{error}");
        assert!(matches!(backup::check(&link, &CancellationToken::new()).unwrap_err(), StorageError::Foreign { .. }));
        assert!(matches!(
            backup::restore(&link, &place.file, &V1, &CancellationToken::new(), &quiet).unwrap_err(),
            StorageError::Foreign { .. }
        ));
        drop(open(&place.file, &V1).unwrap());
    }
}

#[test]
fn a_missing_file_is_said_by_check_and_copy() {
    let place = place();
    let to = place.file.with_file_name("copy.db");
    let missing = |error| matches!(error, StorageError::NotFound { what: "database", .. });
    assert!(missing(backup::check(&place.file, &CancellationToken::new()).unwrap_err()));
    assert!(missing(backup::copy(&place.file, &to, &CancellationToken::new(), &quiet).unwrap_err()));
    assert!(!place.file.exists() && !to.exists());
    drop(open(&place.file, &V1).unwrap());
    let nowhere = place.file.with_file_name("nowhere").join("copy.db");
    assert!(matches!(
        backup::copy(&place.file, &nowhere, &CancellationToken::new(), &quiet).unwrap_err(),
        StorageError::NotFound { what: "folder", .. }
    ));
}

#[test]
fn a_log_left_behind_is_not_played_into_a_restored_file() {
    let place = place();
    let database = open(&place.file, &V1).unwrap();
    add(&database, "kept");
    let copy = place.file.with_file_name("copy.db");
    backup::copy(&place.file, &copy, &CancellationToken::new(), &quiet).unwrap();
    for n in 0..10 {
        add(&database, &format!("after the copy {n}"));
    }
    let beside = |suffix: &str| PathBuf::from(format!("{}{suffix}", place.file.display()));
    let log = fs::read(beside("-wal")).unwrap();
    assert!(!log.is_empty());
    drop(database);

    for present in [false, true] {
        if !present {
            fs::remove_file(&place.file).unwrap();
        }
        fs::write(beside("-wal"), &log).unwrap();
        let aside = backup::restore(&place.file, &copy, &V1, &CancellationToken::new(), &quiet).unwrap();
        assert_eq!(aside.is_some(), present);
        assert!(!beside("-wal").exists());
        assert_eq!(count(&open(&place.file, &V1).unwrap()), 1);
    }
}

#[test]
fn a_damaged_file_is_set_aside_once_by_however_many() {
    let place = place();
    let copy = place.file.with_file_name("copy.db");
    drop(open(&copy, &V1).unwrap());
    fs::write(&place.file, "no database".repeat(100)).unwrap();
    let first = backup::set_aside(&place.file).unwrap();
    assert_eq!(backup::set_aside(&place.file).unwrap(), first);

    fs::write(&place.file, "no database".repeat(100)).unwrap();
    let aside = backup::restore(&place.file, &copy, &V1, &CancellationToken::new(), &quiet).unwrap().unwrap();
    assert!(aside.to_string_lossy().contains(".damaged-"), "{}", aside.display());
}

#[test]
fn a_missing_folder_and_a_removed_file_are_said() {
    let place = place();
    let nowhere = place.file.join("sub/agents.db");
    assert!(matches!(open(&nowhere, &V1).unwrap_err(), StorageError::Gone { .. }));
    let database = open(&place.file, &V1).unwrap();
    fs::remove_file(&place.file).unwrap();
    let write = database.write(|transaction| Ok(transaction.execute("INSERT INTO notes (text) VALUES ('lost')", [])?));
    assert!(matches!(write.unwrap_err(), StorageError::Gone { .. }));
}

#[test]
fn a_failed_write_leaves_nothing_behind() {
    let place = place();
    let database = open(&place.file, &V1).unwrap();
    let failed = database.write(|transaction| {
        transaction.execute("INSERT INTO notes (text) VALUES ('half')", [])?;
        transaction.execute("INSERT INTO nowhere VALUES (1)", [])?;
        Ok(())
    });
    assert!(failed.is_err());
    assert_eq!(count(&database), 0);
}

#[test]
fn commits_are_noticed_whoever_makes_them() {
    let place = place();
    let (database, other) = (open(&place.file, &V1).unwrap(), open(&place.file, &V1).unwrap());
    let mut seen = vec![database.version().unwrap()];
    for writer in [&database, &other, &database] {
        assert_eq!(database.version().unwrap(), *seen.last().unwrap());
        add(writer, "x");
        let version = database.version().unwrap();
        assert!(!seen.contains(&version), "{version} {seen:?}");
        seen.push(version);
    }
}

#[test]
fn a_file_in_use_is_not_moved_and_a_free_one_is_replaced_by_a_sound_copy_only() {
    let place = place();
    let database = open(&place.file, &V1).unwrap();
    add(&database, "kept");
    let copy = place.file.with_file_name("copy.db");
    backup::copy(&place.file, &copy, &CancellationToken::new(), &quiet).unwrap();
    add(&database, "after the copy");
    assert!(matches!(backup::set_aside(&place.file).unwrap_err(), StorageError::InUse { .. }));
    assert!(matches!(backup::restore(&place.file, &copy, &V1, &CancellationToken::new(), &quiet).unwrap_err(), StorageError::InUse { .. }));
    assert!(!PathBuf::from(format!("{}.restoring", place.file.display())).exists());
    drop(database);

    let bad = place.file.with_file_name("bad.db");
    fs::write(&bad, "no database".repeat(100)).unwrap();
    assert!(backup::restore(&place.file, &bad, &V1, &CancellationToken::new(), &quiet).is_err());
    assert_eq!(count(&open(&place.file, &V1).unwrap()), 2);

    let aside = backup::restore(&place.file, &copy, &V1, &CancellationToken::new(), &quiet).unwrap().unwrap();
    assert!(aside.to_string_lossy().contains(".replaced-"), "{}", aside.display());
    assert_eq!(count(&open(&place.file, &V1).unwrap()), 1);
    assert_eq!(count(&open(&aside, &V1).unwrap()), 2);
    assert!(backup::check(&place.file, &CancellationToken::new()).unwrap().is_empty());
}

#[test]
fn a_damaged_page_is_found_after_an_unclean_stop() {
    let place = place();
    let database = open(&place.file, &V1).unwrap();
    for n in 0..2_000 {
        add(&database, &format!("row {n} {}", "x".repeat(100)));
    }
    drop(database);
    let mut bytes = fs::read(&place.file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 6_000].fill(0x5a);
    fs::write(&place.file, &bytes).unwrap();
    // What a killed process leaves: a log that nobody has open.
    fs::write(format!("{}-wal", place.file.display()), [0_u8; 64]).unwrap();
    assert!(matches!(open(&place.file, &V1).unwrap_err(), StorageError::Corrupt { .. }));
    assert!(!backup::check(&place.file, &CancellationToken::new()).is_ok_and(|findings| findings.is_empty()));
}

#[test]
fn a_long_log_is_taken_into_the_file_and_begins_anew() {
    const MIB: u64 = 1024 * 1024;
    let place = place();
    let database = open(&place.file, &V1).unwrap();
    let log = place.file.with_file_name(format!("{}-wal", place.file.file_name().unwrap().to_str().unwrap()));
    let text = "x".repeat(1024 * 1024);
    let lengths: Vec<_> = (0..80)
        .map(|_| {
            add(&database, &text);
            log.metadata().unwrap().len()
        })
        .collect();
    assert!(lengths.iter().all(|length| *length < 70 * MIB), "{lengths:?}");
    assert!(lengths[79] < 30 * MIB, "it never began anew: {lengths:?}");
    assert_eq!(count(&database), 80);
}

#[test]
fn a_lock_is_never_made_through_a_link() {
    let place = place();
    let (lock, elsewhere) = (
        place.file.with_file_name(format!("{}-lock", place.file.file_name().unwrap().to_str().unwrap())),
        place.file.with_file_name("elsewhere"),
    );
    std::os::unix::fs::symlink(&elsewhere, &lock).unwrap();
    add(&open(&place.file, &V1).unwrap(), "one");
    assert!(!elsewhere.exists());
}

/// Makes a pipe that nobody reads or writes: opening it in the plain way waits for ever.
fn pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn what_is_no_file_is_refused_and_never_waited_for() {
    let place = place();
    let beside = |suffix: &str| PathBuf::from(format!("{}{suffix}", place.file.display()));
    let refused = || {
        let error = open(&place.file, &V1).unwrap_err();
        assert!(matches!(&error, StorageError::Foreign { detail, .. } if detail == "it is no file"), "{error}");
        assert!(matches!(backup::check(&place.file, &CancellationToken::new()).unwrap_err(), StorageError::Foreign { .. }));
    };
    pipe(&place.file);
    refused();
    fs::remove_file(&place.file).unwrap();
    fs::create_dir(&place.file).unwrap();
    refused();
    fs::remove_dir(&place.file).unwrap();

    drop(open(&place.file, &V1).unwrap());
    fs::remove_file(beside("-lock")).unwrap();
    for suffix in ["-lock", "-setup", "-run-abc"] {
        pipe(&beside(suffix));
    }
    add(&open(&place.file, &V1).unwrap(), "one");
    add(&open(&place.file, &V2).unwrap(), "two");
    inklings_sqlite::LivenessLock::sweep(&place.file);
    assert_eq!(count(&open(&place.file, &V2).unwrap()), 2);
}

#[test]
fn a_log_that_leads_elsewhere_is_never_written() {
    for suffix in ["-wal", "-shm", "-journal"] {
        let place = place();
        add(&open(&place.file, &V1).unwrap(), "one");
        let (log, elsewhere) = (PathBuf::from(format!("{}{suffix}", place.file.display())), place.file.with_file_name("elsewhere"));
        fs::write(&elsewhere, "theirs".repeat(10_000)).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &log).unwrap();
        if let Ok(database) = open(&place.file, &V1) {
            let _ = database.write(|transaction| Ok(transaction.execute("INSERT INTO notes (text) VALUES ('two')", [])?));
        }
        assert!(fs::read(&elsewhere).unwrap() == "theirs".repeat(10_000).as_bytes(), "{suffix}");
    }
}
