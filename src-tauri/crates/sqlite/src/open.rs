//! Opening a file: checking what it is and whether it can be used, and migrating its schema.
//!
//! - A damaged file is set aside. A file of a newer version or of another program is refused and left unchanged. A transaction that a killed
//!   process left unfinished is rolled back first; read-only connections may therefore write as well.
//! - `quick_check` runs only after an unclean stop, which is a log left behind by nobody (see `lock`).
//! - An older file that can't be written is read from a migrated private copy, so that a read-only workspace works after an update.
//! - Writes are refused when the file was replaced or removed: SQLite would continue to write to the unlinked file.
//! - A checkpoint runs every 4,000 pages of the log, not 1,000: a write that checkpoints waits for the disk, and a run is six small writes.
//! - Landed migrations are listed with checksums (`migrations/checksums.txt`). Version 3 was changed after it had landed: its two former
//!   forms are in `migrations/superseded`, and a database with one of them is converted when it is opened.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use inklings_core::{CancellationToken, StorageError};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use rusqlite_migration::{M, Migrations};
use tempfile::TempPath;

use crate::backup::{self, LOG_SUFFIXES};
use crate::error::storage_error;
use crate::lock::{ExclusiveLock, try_lock_exclusively, with_suffix};

/// Expected schema of a file: its migrations, which are never edited once landed, and its application id.
#[derive(Debug, Clone, Copy)]
pub struct Schema {
    /// One SQL script per version, starting at version 1.
    pub migrations: &'static [&'static str],
    /// Former forms of migrations that were changed after they had landed.
    pub superseded: &'static [SupersededMigration],
    /// `PRAGMA application_id` of our files.
    pub application_id: i32,
}

/// A former form of a migration that was changed after builds had applied it. A file with it is converted to the current form when it is
/// opened; any other difference from the migrations makes a file foreign.
#[derive(Debug, Clone, Copy)]
pub struct SupersededMigration {
    pub version: i64,
    /// The former SQL.
    pub sql: &'static str,
}

impl Schema {
    /// The version that this build writes.
    #[must_use]
    pub fn version(&self) -> i64 {
        i64::try_from(self.migrations.len()).unwrap_or(i64::MAX)
    }
}

/// Whether opening may create the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Create {
    /// Create it, and its folder's absence is an error.
    IfMissing,
    /// A missing file is an error.
    Never,
}

/// How the file can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Write,
    /// Reads a writable file. SQLite opens it for writing, since only such a connection can roll back a journal that a
    /// killed writer left, and removes the log's files when it is the last one to close.
    Query,
    /// Reads a file that can't be written, while others may be writing.
    Read,
    /// Read-only folder without logs: there can be no writer.
    Immutable,
}

impl Mode {
    /// How a file that is used in this mode is only read.
    pub(crate) fn reading(self) -> Self {
        if self == Self::Write { Self::Query } else { self }
    }
}

/// Contents of a few kilobytes fill pages of this size well; with the default of 4 KiB, half of a page often stays empty.
const PAGE_BYTES: i64 = 16 * 1024;
/// Log size in pages at which a write runs a checkpoint and waits for the disk. A write of some contents and their indices takes
/// a dozen pages, so this is one write in some hundreds; at SQLite's 1,000 it was one in some dozens.
const LOG_PAGES: i64 = 4_000;
/// Size limit in bytes of the log file after a checkpoint.
const LOG_KEPT_BYTES: i64 = 4 * 1024 * 1024;
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens a connection with the common pragmas.
pub(crate) fn connect(path: &Path, mode: Mode) -> Result<Connection, StorageError> {
    refuse_no_file(path)?;
    refuse_foreign_journal(path)?;
    let flags = match mode {
        Mode::Write => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        Mode::Query => OpenFlags::SQLITE_OPEN_READ_WRITE,
        Mode::Read | Mode::Immutable => OpenFlags::SQLITE_OPEN_READ_ONLY,
    } | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let failed = |error| storage_error("opening", path, error);
    let connection = Connection::open_with_flags(uri(path, mode), flags).map_err(failed)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(failed)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true).map_err(failed)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false).map_err(failed)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(failed)?;
    connection.pragma_update(None, "synchronous", "NORMAL").map_err(failed)?;
    // Temporary data stays in memory: a shared temporary folder may be full, read-only or readable by others.
    connection.pragma_update(None, "temp_store", "MEMORY").map_err(failed)?;
    if mode == Mode::Query {
        connection.pragma_update(None, "query_only", true).map_err(failed)?;
    }
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Opens a read-only connection in a mode that the file's location allows.
pub(crate) fn connect_reading(path: &Path) -> Result<Connection, StorageError> {
    refuse_no_file(path)?;
    if !path.exists() {
        return Err(missing(path));
    }
    connect(path, mode_of(path).reading())
}

/// What ends a rollback journal that names a super-journal, and begins every journal (SQLite's file format, "The Rollback Journal").
const JOURNAL_MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// Refuses a journal with a super-journal: rolling it back makes SQLite delete the file of that name, which may be any file.
/// This product never writes one, since no transaction spans two databases; an untrusted folder may contain one.
fn refuse_foreign_journal(path: &Path) -> Result<(), StorageError> {
    let journal = with_suffix(path, "-journal");
    // Opening a pipe must not block here; SQLite refuses links and pipes later.
    if !journal.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
        return Ok(());
    }
    let mut end = [0; 16];
    let read = File::open(&journal).and_then(|mut file| {
        file.seek(SeekFrom::End(-16))?;
        file.read_exact(&mut end)
    });
    let length_of_name = u32::from_be_bytes([end[0], end[1], end[2], end[3]]);
    // A shorter file, or one that was just removed, has no super-journal.
    if read.is_ok() && end[8..] == JOURNAL_MAGIC && length_of_name > 0 {
        return Err(StorageError::Foreign { path: path.to_owned(), detail: "its journal references other files".to_owned() });
    }
    Ok(())
}

/// The error that there is no such file.
pub(crate) fn missing(path: &Path) -> StorageError {
    StorageError::NotFound { what: "database", name: path.display().to_string() }
}

/// Refuses anything but a regular file. With a link, locks, logs and copies would be beside the link, while other programs use the
/// target; opening a pipe would block forever.
pub(crate) fn refuse_no_file(path: &Path) -> Result<(), StorageError> {
    let Ok(meta) = path.symlink_metadata() else { return Ok(()) };
    let foreign = |detail: &str| Err(StorageError::Foreign { path: path.to_owned(), detail: detail.to_owned() });
    match () {
        () if meta.is_symlink() => foreign("it is a symbolic link"),
        () if !meta.is_file() => foreign("it isn't a regular file"),
        () => Ok(()),
    }
}

/// The file as an SQLite URI with percent-encoding.
fn uri(path: &Path, mode: Mode) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii() && !matches!(byte, b'%' | b'?' | b'#') {
            uri.push(char::from(*byte));
        } else {
            // Writing to a string can't fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    if mode == Mode::Immutable {
        uri.push_str("?immutable=1");
    }
    uri
}

/// Refuses a file of another program, a damaged one, or a newer one. Changes nothing, except that an unfinished transaction
/// of a killed writer is rolled back, as any program does that opens the file.
pub fn inspect(path: &Path, schema: &Schema) -> Result<i64, StorageError> {
    let unclean = mode_of(path) == Mode::Write && unclean(path);
    let connection = connect_reading(path)?;
    if unclean {
        backup::quick_check(&connection, path)?;
    }
    check_schema(&connection, path, schema)
}

/// Reads a file as it is: an older one isn't migrated.
pub fn read_unmigrated<T>(path: &Path, query: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StorageError> {
    query(&connect_reading(path)?).map_err(|error| storage_error("reading", path, error))
}

fn check_schema(connection: &Connection, path: &Path, schema: &Schema) -> Result<i64, StorageError> {
    let failed = |error| storage_error("opening", path, error);
    // A transaction, so that all queries see one state: another process may be migrating the file.
    let state = connection.unchecked_transaction().map_err(failed)?;
    let pragma = |name: &str| state.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (found, owner) = (pragma("user_version").map_err(failed)?, pragma("application_id").map_err(failed)?);
    let present = objects(&state).map_err(failed)?;
    if present.is_empty() && found == 0 {
        return Ok(0);
    }
    let foreign = |detail: String| StorageError::Foreign { path: path.to_owned(), detail };
    if owner != i64::from(schema.application_id) {
        return Err(foreign("it belongs to another program".to_owned()));
    }
    if found > schema.version() {
        return Err(StorageError::NewerDatabase { path: path.to_owned(), found, known: schema.version() });
    }
    let expected = expected(path, &until(schema, found))?;
    match difference(&expected, &present) {
        Some(detail) if !is_superseded(path, schema, found, &present)? => Err(foreign(detail)),
        _ => Ok(found),
    }
}

/// The migrations up to a version.
fn until(schema: &Schema, version: i64) -> Vec<&'static str> {
    schema.migrations.iter().copied().take(usize::try_from(version).unwrap_or_default()).collect()
}

/// Whether the objects are those of a version whose last migration was changed later.
fn is_superseded(path: &Path, schema: &Schema, version: i64, present: &Objects) -> Result<bool, StorageError> {
    for former in schema.superseded.iter().filter(|former| former.version == version) {
        let mut migrations = until(schema, version - 1);
        migrations.push(former.sql);
        if *expected(path, &migrations)? == *present {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Converts a file whose last migration was changed later to its current form. Tables that differ are recreated
/// and keep the values of the columns that both have.
fn renew(connection: &mut Connection, path: &Path, schema: &Schema) -> Result<(), StorageError> {
    let failed = |error| storage_error("migrating", path, error);
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    let found: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(failed)?;
    let present = objects(&transaction).map_err(failed)?;
    // Another process may have converted and migrated it meanwhile.
    if !is_superseded(path, schema, found, &present)? {
        return Ok(());
    }
    let wanted = expected(path, &until(schema, found))?;
    rebuild(&transaction, &wanted, &present).and_then(|()| transaction.commit()).map_err(failed)
}

fn rebuild(connection: &Connection, wanted: &Objects, present: &Objects) -> rusqlite::Result<()> {
    let differs = |(key, made): &(&(String, String), &(String, Option<String>))| present.get(*key) != Some(*made);
    let tables = wanted.iter().filter(|((kind, _), _)| kind == "table").filter(differs);
    for ((_, name), (_, sql)) in tables {
        let Some(sql) = sql else { continue };
        let is_there = present.contains_key(&("table".to_owned(), name.clone()));
        let former = format!("{name}_former");
        if is_there {
            connection.execute_batch(&format!("ALTER TABLE \"{name}\" RENAME TO \"{former}\""))?;
        }
        connection.execute_batch(sql)?;
        if is_there {
            let columns = "SELECT group_concat('\"' || name || '\"', ', ') FROM pragma_table_info(?1)
                WHERE name IN (SELECT name FROM pragma_table_info(?2))";
            let columns: String = connection.query_row(columns, [&former, name], |row| row.get(0))?;
            // Drops its indexes as well.
            connection.execute_batch(&format!(
                "INSERT INTO \"{name}\" ({columns}) SELECT {columns} FROM \"{former}\"; DROP TABLE \"{former}\""
            ))?;
        }
    }
    let there = objects(connection)?;
    let missing = wanted.iter().filter(|(key, _)| !there.contains_key(*key)).filter_map(|(_, (_, sql))| sql.as_ref());
    for sql in missing {
        connection.execute_batch(sql)?;
    }
    Ok(())
}

/// Tables, indexes, triggers and views by type and name: the table they belong to and their SQL.
type Objects = BTreeMap<(String, String), (String, Option<String>)>;

/// The objects of a database, without the tables that SQLite creates itself for statistics or sequences. They are recognized by
/// their SQL, not by name: a crafted file can give any object a reserved name.
fn objects(connection: &Connection) -> rusqlite::Result<Objects> {
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NULL OR sql NOT IN (
        'CREATE TABLE sqlite_sequence(name,seq)',
        'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
        'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)')";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), (row.get(2)?, row.get(3)?))))?;
    rows.collect()
}

/// The expected objects after some migrations, obtained by applying them to an empty database. A list of forbidden objects
/// would never be complete.
fn expected(path: &Path, migrations: &[&'static str]) -> Result<Arc<Objects>, StorageError> {
    // Cached: building a schema takes about a millisecond.
    static MADE: Mutex<BTreeMap<Vec<&str>, Arc<Objects>>> = Mutex::new(BTreeMap::new());
    let failed = |error| storage_error("opening", path, error);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(objects) = made.get(migrations) {
        return Ok(objects.clone());
    }
    let mut connection = Connection::open_in_memory().map_err(failed)?;
    migrate(&mut connection, path, migrations)?;
    let objects = Arc::new(objects(&connection).map_err(failed)?);
    made.insert(migrations.to_vec(), objects.clone());
    Ok(objects)
}

/// The first unexpected, missing or different object.
fn difference(expected: &Objects, present: &Objects) -> Option<String> {
    let unexpected = present.keys().find(|key| !expected.contains_key(key)).map(|(kind, name)| format!("unknown {kind} {name}"));
    let missing = || expected.keys().find(|key| !present.contains_key(key)).map(|(kind, name)| format!("missing {kind} {name}"));
    let differs = || {
        let other = expected.iter().find(|(key, made)| present.get(key) != Some(made));
        other.map(|((kind, name), _)| format!("unexpected definition of {kind} {name}"))
    };
    unexpected.or_else(missing).or_else(differs)
}

/// Whether the operating system lets this process write a file or folder.
#[must_use]
pub fn is_writable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

pub(crate) fn mode_of(path: &Path) -> Mode {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if is_writable(folder) && (!path.exists() || is_writable(path)) {
        Mode::Write
    } else if LOG_SUFFIXES.iter().any(|suffix| with_suffix(path, suffix).exists()) {
        Mode::Read
    } else {
        Mode::Immutable
    }
}

/// Whether a log or journal exists although nobody has the file open, which means an unclean stop.
fn unclean(path: &Path) -> bool {
    let is_nonempty = |suffix| with_suffix(path, suffix).metadata().is_ok_and(|meta| meta.len() > 0);
    (is_nonempty("-wal") || is_nonempty("-journal")) && matches!(try_lock_exclusively(path), ExclusiveLock::Acquired(_))
}

/// Opens the writing connection: sets the journal mode and migrates, after a backup unless the file is empty.
pub(crate) fn writer(path: &Path, schema: &Schema, found: i64) -> Result<Connection, StorageError> {
    let mut connection = connect(path, Mode::Write)?;
    let failed = |error| storage_error("opening", path, error);
    if found == 0 {
        connection.pragma_update(None, "page_size", PAGE_BYTES).map_err(failed)?;
    }
    let journal = if on_network(path) { "DELETE" } else { "WAL" };
    connection.pragma_update_and_check(None, "journal_mode", journal, |_| Ok(())).map_err(failed)?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES).map_err(failed)?;
    connection.pragma_update_and_check(None, "journal_size_limit", LOG_KEPT_BYTES, |_| Ok(())).map_err(failed)?;
    if found < schema.version() {
        if found > 0 {
            backup::before_migration(path, found)?;
        }
        connection.pragma_update(None, "application_id", schema.application_id).map_err(failed)?;
        let upgraded = renew(&mut connection, path, schema).and_then(|()| migrate(&mut connection, path, schema.migrations));
        if let Err(error) = upgraded {
            // Another process may have migrated the file meanwhile.
            let now: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(failed)?;
            if now != schema.version() {
                return Err(error);
            }
        }
    }
    Ok(connection)
}

fn migrate(connection: &mut Connection, path: &Path, migrations: &[&'static str]) -> Result<(), StorageError> {
    if migrations.is_empty() {
        return Ok(());
    }
    let steps: Vec<M<'_>> = migrations.iter().copied().map(M::up).collect();
    Migrations::new(steps).to_latest(connection).map_err(|error| match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => storage_error("migrating", path, err),
        other => StorageError::Failed { action: "migrating", path: path.to_owned(), source: Box::new(other) },
    })
}

/// A migrated private copy of an older file that can't be written. Deleted on drop.
pub(crate) fn upgraded_copy(path: &Path, schema: &Schema) -> Result<TempPath, StorageError> {
    let failed = |error| StorageError::Failed { action: "copying", path: path.to_owned(), source: Box::new(error) };
    let copy = tempfile::Builder::new().prefix("inklings-").suffix(".db").tempfile().map_err(failed)?.into_temp_path();
    backup::copy_pages(path, &copy, &copy, &CancellationToken::new(), &|_, _| ())?;
    let mut connection = connect(&copy, Mode::Write)?;
    renew(&mut connection, path, schema)?;
    migrate(&mut connection, path, schema.migrations)?;
    Ok(copy)
}

/// Write-ahead logging needs shared memory, which network file systems don't give.
fn on_network(path: &Path) -> bool {
    const NFS: i64 = 0x6969;
    const SMB: i64 = 0x517b;
    const CIFS: i64 = 0xff53_4d42;
    const SMB2: i64 = 0xfe53_4d42;
    let folder = path.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf);
    rustix::fs::statfs(&folder).is_ok_and(|stat| {
        #[expect(clippy::unnecessary_cast, reason = "the width of f_type differs between targets")]
        let kind = stat.f_type as i64;
        [NFS, SMB, CIFS, SMB2].contains(&kind)
    })
}
