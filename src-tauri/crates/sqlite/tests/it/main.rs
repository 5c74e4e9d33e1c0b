//! Opening, refusing and backing up real files.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod interrupted;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Barrier, mpsc};
use std::thread;

use inklings_core::{CancellationToken, StorageError};
use inklings_sqlite::{Access, Create, Database, Schema, backup};
use inklings_testkit::spawn_until_asleep;
use rusqlite::Connection;

const V1: Schema = Schema { migrations: &["CREATE TABLE notes (text TEXT NOT NULL) STRICT;"], superseded: &[], application_id: 0x1234 };
const V2: Schema = Schema {
    migrations: &["CREATE TABLE notes (text TEXT NOT NULL) STRICT;", "ALTER TABLE notes ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';"],
    superseded: &[],
    application_id: 0x1234,
};

/// Ignores the progress of a copy.
fn quiet(_: u64, _: u64) {}

struct Fixture {
    _folder: tempfile::TempDir,
    file: PathBuf,
}

fn fixture() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("it's 100% #odd?.db");
    Fixture { _folder: folder, file }
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
    let fixture = fixture();
    assert!(matches!(Database::open(&fixture.file, &V1, Create::Never), Err(StorageError::NotFound { .. })));
    let first = open(&fixture.file, &V1).unwrap();
    add(&first, "one");
    let second = open(&fixture.file, &V1).unwrap();
    add(&second, "two");
    assert_eq!((count(&first), count(&second)), (2, 2));
    assert_eq!(second.access(), Access::ReadWrite);
}

#[test]
fn many_may_make_or_migrate_the_same_file_in_one_moment() {
    for round in 0..30 {
        let fixture = fixture();
        if round % 2 == 1 {
            add(&open(&fixture.file, &V1).unwrap(), "old");
        }
        let start = Barrier::new(6);
        let databases: Vec<Database> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..6)
                .map(|_| {
                    scope.spawn(|| {
                        start.wait();
                        open(&fixture.file, &V2).unwrap()
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
        // Only the first one migrates.
        assert_eq!(backup::backups(&fixture.file).len(), usize::from(round % 2 == 1));
    }
}

#[test]
fn an_older_file_is_copied_then_migrated_and_three_copies_are_kept() {
    let fixture = fixture();
    add(&open(&fixture.file, &V1).unwrap(), "old");
    for _ in 0..5 {
        fs::copy(&fixture.file, fixture.file.with_extension("db.backup-v1-0")).unwrap();
        let migrated = open(&fixture.file, &V2).unwrap();
        let mood: String = migrated.read(|connection| Ok(connection.query_row("SELECT mood FROM notes", [], |row| row.get(0))?)).unwrap();
        assert_eq!(mood, "calm");
        drop(migrated);
        let connection = Connection::open(&fixture.file).unwrap();
        connection.execute_batch("ALTER TABLE notes DROP COLUMN mood; PRAGMA user_version = 1").unwrap();
    }
    let copies = backup::backups(&fixture.file);
    assert_eq!(copies.len(), 3, "{copies:?}");
    assert_eq!(count(&Database::open(copies.last().unwrap(), &V1, Create::Never).unwrap()), 1);
}

#[test]
fn a_newer_file_is_refused_and_left_as_it_is() {
    let fixture = fixture();
    add(&open(&fixture.file, &V2).unwrap(), "from the future");
    let before = fs::read(&fixture.file).unwrap();
    let error = open(&fixture.file, &V1).unwrap_err();
    assert!(matches!(error, StorageError::NewerDatabase { found: 2, known: 1, .. }), "{error}");
    assert_eq!(fs::read(&fixture.file).unwrap(), before);
}

#[test]
fn garbage_other_programs_files_and_strange_objects_are_distinguished() {
    let fixture = fixture();
    fs::write(&fixture.file, "this is no database at all, only text that is long enough to be read".repeat(50)).unwrap();
    assert!(matches!(open(&fixture.file, &V1).unwrap_err(), StorageError::Corrupt { .. }));
    fs::remove_file(&fixture.file).unwrap();

    Connection::open(&fixture.file).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    assert!(matches!(open(&fixture.file, &V1).unwrap_err(), StorageError::Foreign { .. }));
    fs::remove_file(&fixture.file).unwrap();

    drop(open(&fixture.file, &V1).unwrap());
    let trigger = "CREATE TRIGGER evil AFTER INSERT ON notes BEGIN DELETE FROM notes; END";
    Connection::open(&fixture.file).unwrap().execute_batch(trigger).unwrap();
    let error = open(&fixture.file, &V1).unwrap_err();
    assert!(error.to_string().contains("unknown trigger evil"), "{error}");
    fs::remove_file(&fixture.file).unwrap();

    let changes = [
        ("CREATE/**/VIRTUAL TABLE evil USING fts5(x)", "unknown table evil"),
        ("CREATE INDEX evil ON notes (text)", "unknown index evil"),
        ("DROP TABLE notes", "missing table notes"),
        ("ALTER TABLE notes ADD COLUMN evil TEXT", "unexpected definition of table notes"),
    ];
    for (sql, message) in changes {
        drop(open(&fixture.file, &V1).unwrap());
        let connection = Connection::open(&fixture.file).unwrap();
        connection.execute_batch(sql).unwrap();
        drop(connection);
        let error = open(&fixture.file, &V1).unwrap_err();
        assert!(matches!(error, StorageError::Foreign { .. }) && error.to_string().contains(message), "{sql}: {error}");
        fs::remove_file(&fixture.file).unwrap();
    }
    drop(open(&fixture.file, &V1).unwrap());
    Connection::open(&fixture.file).unwrap().execute_batch("INSERT INTO notes VALUES ('x'); ANALYZE").unwrap();
    assert_eq!(count(&open(&fixture.file, &V1).unwrap()), 1);
}

#[test]
fn a_link_is_refused_also_one_to_nowhere() {
    let fixture = fixture();
    let link = fixture.file.with_file_name("link.db");
    std::os::unix::fs::symlink(&fixture.file, &link).unwrap();
    for _ in 0..2 {
        let error = open(&link, &V1).unwrap_err();
        assert!(matches!(&error, StorageError::Foreign { detail, .. } if detail == "it is a symbolic link"), "{error}");
        assert!(matches!(backup::check(&link, &CancellationToken::new()).unwrap_err(), StorageError::Foreign { .. }));
        assert!(matches!(
            backup::restore(&link, &fixture.file, &V1, &CancellationToken::new(), &quiet).unwrap_err(),
            StorageError::Foreign { .. }
        ));
        drop(open(&fixture.file, &V1).unwrap());
    }
}

#[test]
fn a_missing_file_is_said_by_check_and_copy() {
    let fixture = fixture();
    let to = fixture.file.with_file_name("copy.db");
    let missing = |error| matches!(error, StorageError::NotFound { what: "database", .. });
    assert!(missing(backup::check(&fixture.file, &CancellationToken::new()).unwrap_err()));
    assert!(missing(backup::copy(&fixture.file, &to, &CancellationToken::new(), &quiet).unwrap_err()));
    assert!(!fixture.file.exists() && !to.exists());
    drop(open(&fixture.file, &V1).unwrap());
    let nowhere = fixture.file.with_file_name("nowhere").join("copy.db");
    assert!(matches!(
        backup::copy(&fixture.file, &nowhere, &CancellationToken::new(), &quiet).unwrap_err(),
        StorageError::NotFound { what: "folder", .. }
    ));
}

#[test]
fn a_log_left_behind_is_not_played_into_a_restored_file() {
    let fixture = fixture();
    let database = open(&fixture.file, &V1).unwrap();
    add(&database, "kept");
    let copy = fixture.file.with_file_name("copy.db");
    backup::copy(&fixture.file, &copy, &CancellationToken::new(), &quiet).unwrap();
    for n in 0..10 {
        add(&database, &format!("after the copy {n}"));
    }
    let beside = |suffix: &str| PathBuf::from(format!("{}{suffix}", fixture.file.display()));
    let log = fs::read(beside("-wal")).unwrap();
    assert!(!log.is_empty());
    drop(database);

    for present in [false, true] {
        if !present {
            fs::remove_file(&fixture.file).unwrap();
        }
        fs::write(beside("-wal"), &log).unwrap();
        let aside = backup::restore(&fixture.file, &copy, &V1, &CancellationToken::new(), &quiet).unwrap();
        assert_eq!(aside.is_some(), present);
        assert!(!beside("-wal").exists());
        assert_eq!(count(&open(&fixture.file, &V1).unwrap()), 1);
    }
}

#[test]
fn a_damaged_file_is_set_aside_once_by_however_many() {
    let fixture = fixture();
    let copy = fixture.file.with_file_name("copy.db");
    drop(open(&copy, &V1).unwrap());
    fs::write(&fixture.file, "no database".repeat(100)).unwrap();
    let first = backup::set_aside(&fixture.file).unwrap();
    assert_eq!(backup::set_aside(&fixture.file).unwrap(), first);

    fs::write(&fixture.file, "no database".repeat(100)).unwrap();
    let aside = backup::restore(&fixture.file, &copy, &V1, &CancellationToken::new(), &quiet).unwrap().unwrap();
    assert!(aside.to_string_lossy().contains(".damaged-"), "{}", aside.display());
}

#[test]
fn a_missing_folder_and_a_removed_file_are_said() {
    let fixture = fixture();
    let nowhere = fixture.file.join("sub/agents.db");
    assert!(matches!(open(&nowhere, &V1).unwrap_err(), StorageError::Removed { .. }));
    let database = open(&fixture.file, &V1).unwrap();
    fs::remove_file(&fixture.file).unwrap();
    let write = database.write(|transaction| Ok(transaction.execute("INSERT INTO notes (text) VALUES ('lost')", [])?));
    assert!(matches!(write.unwrap_err(), StorageError::Removed { .. }));
}

#[test]
fn a_write_that_waits_while_the_file_is_replaced_is_refused() {
    let fixture = fixture();
    let other = fixture.file.with_extension("other");
    add(&open(&other, &V1).unwrap(), "theirs");
    let database = &open(&fixture.file, &V1).unwrap();
    let (begun, is_begun) = mpsc::channel();
    let (release, is_released) = mpsc::channel();
    thread::scope(|scope| {
        let first = scope.spawn(move || {
            database.write(|_| {
                begun.send(()).unwrap();
                is_released.recv().unwrap();
                Ok(())
            })
        });
        is_begun.recv().unwrap();
        let second = spawn_until_asleep(scope, || {
            database.write(|transaction| Ok(transaction.execute("INSERT INTO notes (text) VALUES ('ours')", [])?))
        })
        .unwrap();
        fs::rename(&other, &fixture.file).unwrap();
        release.send(()).unwrap();
        first.join().unwrap().unwrap();
        assert!(matches!(second.join().unwrap(), Err(StorageError::Removed { .. })));
    });
}

#[test]
fn a_failed_write_leaves_nothing_behind() {
    let fixture = fixture();
    let database = open(&fixture.file, &V1).unwrap();
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
    let fixture = fixture();
    let (database, other) = (open(&fixture.file, &V1).unwrap(), open(&fixture.file, &V1).unwrap());
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
    let fixture = fixture();
    let database = open(&fixture.file, &V1).unwrap();
    add(&database, "kept");
    let copy = fixture.file.with_file_name("copy.db");
    backup::copy(&fixture.file, &copy, &CancellationToken::new(), &quiet).unwrap();
    add(&database, "after the copy");
    assert!(matches!(backup::set_aside(&fixture.file).unwrap_err(), StorageError::InUse { .. }));
    assert!(matches!(
        backup::restore(&fixture.file, &copy, &V1, &CancellationToken::new(), &quiet).unwrap_err(),
        StorageError::InUse { .. }
    ));
    assert!(!PathBuf::from(format!("{}.restoring", fixture.file.display())).exists());
    drop(database);

    let bad = fixture.file.with_file_name("bad.db");
    fs::write(&bad, "no database".repeat(100)).unwrap();
    assert!(backup::restore(&fixture.file, &bad, &V1, &CancellationToken::new(), &quiet).is_err());
    fs::write(&bad, "").unwrap();
    assert!(matches!(
        backup::restore(&fixture.file, &bad, &V1, &CancellationToken::new(), &quiet).unwrap_err(),
        StorageError::NotABackup { .. }
    ));
    assert_eq!(count(&open(&fixture.file, &V1).unwrap()), 2);

    let aside = backup::restore(&fixture.file, &copy, &V1, &CancellationToken::new(), &quiet).unwrap().unwrap();
    assert!(aside.to_string_lossy().contains(".replaced-"), "{}", aside.display());
    assert_eq!(count(&open(&fixture.file, &V1).unwrap()), 1);
    assert_eq!(count(&open(&aside, &V1).unwrap()), 2);
    assert!(backup::check(&fixture.file, &CancellationToken::new()).unwrap().is_empty());
}

#[test]
fn a_damaged_page_is_found_after_an_unclean_stop() {
    let fixture = fixture();
    let database = open(&fixture.file, &V1).unwrap();
    for n in 0..2_000 {
        add(&database, &format!("row {n} {}", "x".repeat(100)));
    }
    drop(database);
    let mut bytes = fs::read(&fixture.file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 6_000].fill(0x5a);
    fs::write(&fixture.file, &bytes).unwrap();
    // A log that no process has open, as left by a killed process.
    fs::write(format!("{}-wal", fixture.file.display()), [0_u8; 64]).unwrap();
    assert!(matches!(open(&fixture.file, &V1).unwrap_err(), StorageError::Corrupt { .. }));
    assert!(!backup::check(&fixture.file, &CancellationToken::new()).is_ok_and(|findings| findings.is_empty()));
}

#[test]
fn a_long_log_is_taken_into_the_file_and_begins_anew() {
    const MIB: u64 = 1024 * 1024;
    let fixture = fixture();
    let database = open(&fixture.file, &V1).unwrap();
    let log = fixture.file.with_file_name(format!("{}-wal", fixture.file.file_name().unwrap().to_str().unwrap()));
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
    let fixture = fixture();
    let (lock, elsewhere) = (
        fixture.file.with_file_name(format!("{}-lock", fixture.file.file_name().unwrap().to_str().unwrap())),
        fixture.file.with_file_name("elsewhere"),
    );
    std::os::unix::fs::symlink(&elsewhere, &lock).unwrap();
    add(&open(&fixture.file, &V1).unwrap(), "one");
    assert!(!elsewhere.exists());
}

/// Makes a pipe without reader and writer, which blocks when it is opened.
fn pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn what_is_no_file_is_refused_and_never_waited_for() {
    let fixture = fixture();
    let beside = |suffix: &str| PathBuf::from(format!("{}{suffix}", fixture.file.display()));
    let refused = || {
        let error = open(&fixture.file, &V1).unwrap_err();
        assert!(matches!(&error, StorageError::Foreign { detail, .. } if detail == "it isn't a regular file"), "{error}");
        assert!(matches!(backup::check(&fixture.file, &CancellationToken::new()).unwrap_err(), StorageError::Foreign { .. }));
    };
    pipe(&fixture.file);
    refused();
    fs::remove_file(&fixture.file).unwrap();
    fs::create_dir(&fixture.file).unwrap();
    refused();
    fs::remove_dir(&fixture.file).unwrap();

    drop(open(&fixture.file, &V1).unwrap());
    fs::remove_file(beside("-lock")).unwrap();
    for suffix in ["-lock", "-setup", "-run-abc"] {
        pipe(&beside(suffix));
    }
    add(&open(&fixture.file, &V1).unwrap(), "one");
    add(&open(&fixture.file, &V2).unwrap(), "two");
    inklings_sqlite::LivenessLock::sweep(&fixture.file);
    assert_eq!(count(&open(&fixture.file, &V2).unwrap()), 2);
}

#[test]
fn a_log_that_leads_elsewhere_is_never_written() {
    for suffix in ["-wal", "-shm", "-journal"] {
        let fixture = fixture();
        add(&open(&fixture.file, &V1).unwrap(), "one");
        let (log, elsewhere) = (PathBuf::from(format!("{}{suffix}", fixture.file.display())), fixture.file.with_file_name("elsewhere"));
        fs::write(&elsewhere, "theirs".repeat(10_000)).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &log).unwrap();
        if let Ok(database) = open(&fixture.file, &V1) {
            let _ = database.write(|transaction| Ok(transaction.execute("INSERT INTO notes (text) VALUES ('two')", [])?));
        }
        assert!(fs::read(&elsewhere).unwrap() == "theirs".repeat(10_000).as_bytes(), "{suffix}");
    }
}
