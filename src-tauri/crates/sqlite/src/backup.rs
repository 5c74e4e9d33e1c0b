//! Copies of a database: before a migration, on demand, and restoring them; setting a damaged file aside.
//!
//! A restore checks and copies the backup beside the database while that is in use, which can take long and can be cancelled. The copy then
//! replaces the database by one rename, after the log of the old file was checkpointed; the old file keeps a second name.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use inklings_core::{CancellationToken, Failpoint, StorageError};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, ffi};
use tempfile::NamedTempFile;

use crate::error::storage_error;
use crate::lock::{lock_exclusively, with_suffix};
use crate::open::{BUSY_TIMEOUT, Mode, Schema, connect, connect_reading, inspect, refuse_no_file};

/// Number of automatic backups that are kept.
const MAX_BACKUPS: usize = 3;
const BACKUP_INFIX: &str = ".backup-v";
const DAMAGED_INFIX: &str = ".damaged-";
/// Suffix of a database that a restored backup replaced.
const REPLACED_INFIX: &str = ".replaced-";
const STAGED_SUFFIX: &str = ".restoring";
/// Suffix of an incomplete copy.
const PARTIAL_SUFFIX: &str = ".part";
/// The mode that SQLite uses; the umask applies.
const DATABASE_MODE: u32 = 0o666;
/// A copy may be in a folder that others can open, and an account's has its settings and chats.
const COPY_MODE: u32 = 0o600;
/// Pages copied between two checks for cancellation.
const PAGES_PER_STEP: i32 = 256;
/// SQLite VM instructions, or pages, between two checks for cancellation.
const STEPS_PER_REPORT: i32 = 10;
/// Files that SQLite keeps beside a database and applies to any file with the database's name.
pub(crate) const LOG_SUFFIXES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Called with the copied and the total number of bytes.
pub type Report<'a> = &'a dyn Fn(u64, u64);

/// Copies the database at `from` to `to`, page by page, while others may be using it. `to` appears complete or not at all; an existing file
/// isn't overwritten.
pub fn copy(from: &Path, to: &Path, cancel: &CancellationToken, report: Report<'_>) -> Result<(), StorageError> {
    let fresh = temporary(to, to, COPY_MODE)?;
    copy_pages(from, fresh.path(), to, cancel, report)?;
    fresh.persist_noclobber(to).map_err(|error| match error.error.kind() {
        std::io::ErrorKind::AlreadyExists => StorageError::Exists { what: "file", value: to.display().to_string() },
        _ => io("writing", to, error.error),
    })?;
    sync_folder(to)
}

/// An empty file in the folder of `path`, removed when it is dropped. `shown` is the file that errors name.
fn temporary(path: &Path, shown: &Path, mode: u32) -> Result<NamedTempFile, StorageError> {
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(StorageError::NotFound { what: "folder", name: folder.display().to_string() });
    }
    let created = tempfile::Builder::new()
        .prefix(&format!("{}.", part_prefix(path)))
        .suffix(PARTIAL_SUFFIX)
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder);
    created.map_err(|error| io("writing", shown, error))
}

/// What the names of unfinished copies of the file `path` begin with.
fn part_prefix(path: &Path) -> String {
    format!(".{}", path.file_name().unwrap_or_default().to_string_lossy())
}

/// Removes incomplete copies of killed processes. The caller must hold the lock that covers files of these names.
fn remove_parts(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(prefix) && name.ends_with(PARTIAL_SUFFIX) {
            // Retried with the next copy.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Copies the pages of the database `from` into the file `to`, which nobody else uses. `shown` is the path for errors about the
/// copy.
pub(crate) fn copy_pages(from: &Path, to: &Path, shown: &Path, cancel: &CancellationToken, report: Report<'_>) -> Result<(), StorageError> {
    let failed = |error: rusqlite::Error| {
        let (action, path) = if is_about_the_copy(&error) { ("writing", shown) } else { ("copying", from) };
        storage_error(action, path, error)
    };
    let writing = |error| storage_error("writing", shown, error);
    let source = connect_reading(from)?;
    // One snapshot for all steps: otherwise each commit of another process restarts the copy.
    let snapshot = source.unchecked_transaction().map_err(failed)?;
    snapshot.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).map_err(failed)?;
    let page_bytes: i32 = snapshot.pragma_query_value(None, "page_size", |row| row.get(0)).map_err(failed)?;
    let mut target = Connection::open(to).map_err(writing)?;
    target.pragma_update_and_check(None, "journal_mode", "MEMORY", |_| Ok(())).map_err(writing)?;
    let backup = Backup::new(&source, &mut target).map_err(failed)?;
    let mut busy_since: Option<Instant> = None;
    loop {
        if cancel.is_cancelled() {
            return Err(StorageError::Cancelled { action: "copying", path: from.to_owned() });
        }
        let step = backup.step(PAGES_PER_STEP).map_err(failed)?;
        let pages = backup.progress();
        let bytes = |pages: i32| u64::from(pages.max(0).unsigned_abs()) * u64::from(page_bytes.unsigned_abs());
        report(bytes(pages.pagecount - pages.remaining), bytes(pages.pagecount));
        match step {
            StepResult::Done => break,
            StepResult::More => busy_since = None,
            _ if busy_since.get_or_insert_with(Instant::now).elapsed() > BUSY_TIMEOUT => {
                return Err(StorageError::Busy { path: from.to_owned() });
            }
            _ => std::thread::sleep(RETRY_INTERVAL),
        }
    }
    drop(backup);
    target.close().map_err(|(_, error)| writing(error))?;
    File::open(to).and_then(|file| file.sync_all()).map_err(|error| io("writing", shown, error))
}

const RETRY_INTERVAL: Duration = Duration::from_millis(5);

/// Whether an error can only concern the destination of a copy.
fn is_about_the_copy(error: &rusqlite::Error) -> bool {
    const WRITE_ERRORS: [i32; 6] = [
        ffi::SQLITE_IOERR_WRITE,
        ffi::SQLITE_IOERR_FSYNC,
        ffi::SQLITE_IOERR_DIR_FSYNC,
        ffi::SQLITE_IOERR_TRUNCATE,
        ffi::SQLITE_IOERR_DELETE,
        ffi::SQLITE_IOERR_CLOSE,
    ];
    let rusqlite::Error::SqliteFailure(code, _) = error else { return false };
    matches!(code.code, ErrorCode::DiskFull | ErrorCode::ReadOnly) || WRITE_ERRORS.contains(&code.extended_code)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs the folder of `path`, so that renames survive a power loss.
fn sync_folder(path: &Path) -> Result<(), StorageError> {
    match File::open(folder_of(path)).and_then(|folder| folder.sync_all()) {
        // Some network file systems can't sync a folder; the files themselves are synced.
        Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => Ok(()),
        outcome => outcome.map_err(|error| io("writing", path, error)),
    }
}

/// The backup before a migration; the last three are kept. The caller holds the setup lock.
pub(crate) fn before_migration(path: &Path, version: i64) -> Result<(), StorageError> {
    remove_parts(folder_of(path), &part_prefix(&with_suffix(path, BACKUP_INFIX)));
    copy(path, &with_suffix(path, &format!("{BACKUP_INFIX}{version}-{}", stamp())), &CancellationToken::new(), &|_, _| ())?;
    let mut copies = backups(path);
    while copies.len() > MAX_BACKUPS {
        let _ = fs::remove_file(copies.remove(0));
    }
    Ok(())
}

/// The automatic backups beside a database, oldest first.
#[must_use]
pub fn backups(path: &Path) -> Vec<PathBuf> {
    beside(path, BACKUP_INFIX)
}

/// The databases beside `path` whose names have `infix` after its name, oldest first.
fn beside(path: &Path, infix: &str) -> Vec<PathBuf> {
    let prefix = format!("{}{infix}", path.file_name().unwrap_or_default().to_string_lossy());
    let is_log = |name: &str| LOG_SUFFIXES.iter().any(|suffix| name.ends_with(suffix));
    let mut found: Vec<_> = path
        .parent()
        .and_then(|folder| fs::read_dir(folder).ok())
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with(&prefix) && !is_log(&name)
        })
        .map(|entry| entry.path())
        .collect();
    found.sort_by_key(|path| (path.metadata().and_then(|meta| meta.modified()).unwrap_or(UNIX_EPOCH), path.clone()));
    found
}

/// Checks every page and index. `None` if the database is valid.
pub fn check(path: &Path, cancel: &CancellationToken) -> Result<Vec<String>, StorageError> {
    let connection = connect_reading(path)?;
    let failed = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => StorageError::Cancelled { action: "checking", path: path.to_owned() },
        _ => storage_error("checking", path, error),
    };
    let asked = cancel.clone();
    connection.progress_handler(STEPS_PER_REPORT, Some(move || asked.is_cancelled())).map_err(failed)?;
    let mut statement = connection.prepare("PRAGMA integrity_check").map_err(failed)?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).map_err(failed)?;
    let mut findings = rows.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    findings.retain(|finding| finding != "ok");
    Ok(findings)
}

pub(crate) fn quick_check(connection: &Connection, path: &Path) -> Result<(), StorageError> {
    let found: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(|error| storage_error("checking", path, error))?;
    if found == "ok" { Ok(()) } else { Err(StorageError::Corrupt { path: path.to_owned(), detail: found }) }
}

/// Deletes a database that can be rebuilt, with its logs. Refused while another program has it open.
pub fn discard(path: &Path) -> Result<(), StorageError> {
    let aside = set_aside(path)?;
    for suffix in ["", "-wal", "-journal"] {
        let mut name = aside.clone().into_os_string();
        name.push(suffix);
        let _ = fs::remove_file(PathBuf::from(name));
    }
    Ok(())
}

/// Moves a damaged database with its logs aside, so that a new one can be created. Refused while another program has
/// it open. Returns the new path, also if another process just moved it.
pub fn set_aside(path: &Path) -> Result<PathBuf, StorageError> {
    let _alone = lock_exclusively(path)?;
    let aside = with_suffix(path, &format!("{DAMAGED_INFIX}{}", stamp()));
    // The logs are linked first and unlinked last: whenever this is interrupted, one of the two databases
    // is complete. SQLite discards logs without a database when it creates a new one.
    keep_logs(path, &aside)?;
    let moved = rename_present(path, &aside)?;
    remove_logs(path)?;
    sync_folder(path)?;
    if moved { Ok(aside) } else { Ok(beside(path, DAMAGED_INFIX).pop().unwrap_or(aside)) }
}

/// Links a file, or copies it if the file system has no hard links. `false` if it doesn't exist.
fn keep(path: &Path, saved: &Path) -> Result<bool, StorageError> {
    let linked = fs::hard_link(path, saved).or_else(|error| match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::AlreadyExists => Err(error),
        _ => fs::copy(path, saved).and_then(|_| File::open(saved)?.sync_all()),
    });
    match linked {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => {
            let _ = fs::remove_file(saved);
            Err(io("keeping", path, error))
        }
    }
}

/// SQLite rebuilds the shared memory from the log.
fn keep_logs(path: &Path, saved: &Path) -> Result<(), StorageError> {
    for suffix in ["-wal", "-journal"] {
        keep(&with_suffix(path, suffix), &with_suffix(saved, suffix))?;
    }
    Ok(())
}

/// The caller holds the exclusive lock.
fn remove_logs(path: &Path) -> Result<(), StorageError> {
    LOG_SUFFIXES.iter().try_for_each(|suffix| {
        let log = with_suffix(path, suffix);
        match fs::remove_file(&log) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(io("removing", &log, error)),
            _ => Ok(()),
        }
    })
}

/// Moves the logs of a replaced file aside, so that they aren't applied to the new file.
pub(crate) fn set_logs_aside(path: &Path) -> Result<(), StorageError> {
    keep_logs(path, &with_suffix(path, &format!("{REPLACED_INFIX}{}", stamp())))?;
    remove_logs(path)
}

/// Renames a file; `false` if there is none.
fn rename_present(from: &Path, to: &Path) -> Result<bool, StorageError> {
    match fs::rename(from, to) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(io("moving", from, error)),
    }
}

/// Replaces the database at `path` by `from`. The old database is kept beside it and its new path returned. Refused
/// if `from` isn't a valid database, or while another program has `path` open. There is a complete database at `path` at
/// every moment.
pub fn restore(
    path: &Path,
    from: &Path,
    schema: &Schema,
    cancel: &CancellationToken,
    report: Report<'_>,
) -> Result<Option<PathBuf>, StorageError> {
    refuse_no_file(path)?;
    // Held until the end, so that nobody opens or creates a database between the steps.
    let alone = lock_exclusively(path)?;
    if alone.is_some() {
        remove_staged(path);
    }
    stage(path, from, schema, cancel, report)?.put()
}

/// A checked copy beside the database that it will replace. Removed on drop.
#[derive(Debug)]
pub struct StagedCopy {
    path: PathBuf,
    fresh: NamedTempFile,
    /// Whether the database at `path` is valid as well.
    is_replacing_a_sound_one: bool,
}

/// The long part of a restore: checks `from` and copies it beside `path`, so that one rename can replace the database. The
/// database at `path` may be in use.
pub fn stage(
    path: &Path,
    from: &Path,
    schema: &Schema,
    cancel: &CancellationToken,
    report: Report<'_>,
) -> Result<StagedCopy, StorageError> {
    refuse_no_file(path)?;
    // Version 0 is an empty file, which a new database begins as.
    if inspect(from, schema)? == 0 {
        return Err(StorageError::NotABackup { path: from.to_owned(), detail: "it is empty" });
    }
    if let Some(finding) = check(from, cancel)?.into_iter().next() {
        return Err(StorageError::Corrupt { path: from.to_owned(), detail: finding });
    }
    let fresh = temporary(&with_suffix(path, STAGED_SUFFIX), path, DATABASE_MODE)?;
    copy_pages(from, fresh.path(), path, cancel, report)?;
    Failpoint::RestoreCopied.reach();
    let is_replacing_a_sound_one = match check(path, cancel) {
        Ok(findings) => findings.is_empty(),
        Err(error @ StorageError::Cancelled { .. }) => return Err(error),
        // Missing or damaged.
        Err(_) => false,
    };
    if cancel.is_cancelled() {
        return Err(StorageError::Cancelled { action: "restoring", path: path.to_owned() });
    }
    Ok(StagedCopy { path: path.to_owned(), fresh, is_replacing_a_sound_one })
}

impl StagedCopy {
    /// The second part of the restore, which can't be cancelled. Refused while another program has the database open.
    pub fn replace(self) -> Result<Option<PathBuf>, StorageError> {
        refuse_no_file(&self.path)?;
        let alone = lock_exclusively(&self.path)?;
        let path = self.path.clone();
        let saved = self.put()?;
        if alone.is_some() {
            remove_staged(&path);
        }
        Ok(saved)
    }

    /// The caller holds the exclusive lock.
    fn put(self) -> Result<Option<PathBuf>, StorageError> {
        let Self { path, fresh, is_replacing_a_sound_one } = self;
        // Checkpoints first: committed data must not depend on a separate file while files are renamed.
        let sound = path.exists() && take_in_log(&path).is_ok() && is_replacing_a_sound_one;
        let aside = with_suffix(&path, &format!("{}{}", if sound { REPLACED_INFIX } else { DAMAGED_INFIX }, stamp()));
        let saved = keep(&path, &aside)?;
        Failpoint::RestoreKept.reach();
        keep_logs(&path, &aside)?;
        remove_logs(&path)?;
        Failpoint::RestoreLogsRemoved.reach();
        if let Err(error) = fresh.persist(&path) {
            take_back(&path, &aside);
            return Err(io("writing", &path, error.error));
        }
        Failpoint::RestoreReplaced.reach();
        sync_folder(&path)?;
        Ok(saved.then_some(aside))
    }
}

/// Removes staged copies of killed processes. The caller holds the exclusive lock.
fn remove_staged(path: &Path) {
    remove_parts(folder_of(path), &part_prefix(&with_suffix(path, STAGED_SUFFIX)));
}

/// Checkpoints the log of a database and removes it.
fn take_in_log(path: &Path) -> Result<(), StorageError> {
    let failed = |error| storage_error("checking", path, error);
    let connection = connect(path, Mode::Query)?;
    connection.pragma_update(None, "query_only", false).map_err(failed)?;
    let busy: bool = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).map_err(failed)?;
    if busy { Err(StorageError::Busy { path: path.to_owned() }) } else { connection.close().map_err(|(_, error)| failed(error)) }
}

/// Undoes the steps of [`restore`] beside the database. Best effort: the caller reports the original error.
fn take_back(path: &Path, aside: &Path) {
    for suffix in ["-wal", "-journal"] {
        let _ = rename_present(&with_suffix(aside, suffix), &with_suffix(path, suffix));
    }
    let _ = fs::remove_file(aside);
}

fn io(action: &'static str, path: &Path, error: std::io::Error) -> StorageError {
    match error.kind() {
        std::io::ErrorKind::StorageFull => StorageError::DiskFull { path: path.to_owned() },
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => StorageError::ReadOnly { path: path.to_owned() },
        _ => StorageError::Failed { action, path: path.to_owned(), source: Box::new(error) },
    }
}

fn stamp() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis())
}
