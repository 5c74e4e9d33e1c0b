//! Copies of a database: before a migration, on demand, back again; and setting a damaged file aside.

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

/// Backups made before migrations that are kept.
const MAX_BACKUPS: usize = 3;
/// What an automatic backup's name has after the database's.
const BACKUP_INFIX: &str = ".backup-v";
/// What the name of a database that was found damaged gets when it is set aside.
const DAMAGED_INFIX: &str = ".damaged-";
/// What the name of a sound one gets when a copy takes its place.
const REPLACED_INFIX: &str = ".replaced-";
/// What the name of a copy gets that will take a database's place.
const STAGED_SUFFIX: &str = ".restoring";
/// What ends the name of a copy that isn't whole yet.
const PARTIAL_SUFFIX: &str = ".part";
/// Pages that are copied between two looks whether the copy was cancelled.
const PAGES_PER_STEP: i32 = 256;
/// Instructions of SQLite's machine, or pages of a tree, between two looks whether a check was cancelled.
const STEPS_PER_REPORT: i32 = 10;
/// What SQLite keeps beside a database and would play into whatever file has the database's name.
pub(crate) const LOGS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Hears how far a copy is: its bytes that are written, and all of them.
pub type Report<'a> = &'a dyn Fn(u64, u64);

/// Copies the database at `from` to `to`, page by page, while others may be using it. `to` appears whole or not at all; a file that
/// is there already stays as it is.
pub fn copy(from: &Path, to: &Path, cancel: &CancellationToken, report: Report<'_>) -> Result<(), StorageError> {
    let fresh = temporary(to, to)?;
    copy_pages(from, fresh.path(), to, cancel, report)?;
    fresh.persist_noclobber(to).map_err(|error| match error.error.kind() {
        std::io::ErrorKind::AlreadyExists => StorageError::Exists { what: "file", value: to.display().to_string() },
        _ => io("writing", to, error.error),
    })?;
    sync_folder(to)
}

/// An empty file in the folder of `path`, removed when it is dropped. `shown` is the file that errors name.
fn temporary(path: &Path, shown: &Path) -> Result<NamedTempFile, StorageError> {
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(StorageError::NotFound { what: "folder", name: folder.display().to_string() });
    }
    // As SQLite makes its files; the process's mask is applied.
    let permissions = Permissions::from_mode(0o666);
    let made = tempfile::Builder::new()
        .prefix(&format!("{}.", part_prefix(path)))
        .suffix(PARTIAL_SUFFIX)
        .permissions(permissions)
        .tempfile_in(folder);
    made.map_err(|error| io("writing", shown, error))
}

/// What the names of unfinished copies of the file `path` begin with.
fn part_prefix(path: &Path) -> String {
    format!(".{}", path.file_name().unwrap_or_default().to_string_lossy())
}

/// Removes unfinished copies that killed processes left. The caller must be the only one who makes files of these names.
fn remove_parts(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(prefix) && name.ends_with(PARTIAL_SUFFIX) {
            // One that stays is tried again with the next copy.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Copies the pages of the database `from` into the file `to`, which nobody else uses. `shown` is the file that errors about the
/// copy name.
pub(crate) fn copy_pages(from: &Path, to: &Path, shown: &Path, cancel: &CancellationToken, report: Report<'_>) -> Result<(), StorageError> {
    let failed = |error: rusqlite::Error| {
        let (action, path) = if is_about_the_copy(&error) { ("writing", shown) } else { ("copying", from) };
        storage_error(action, path, error)
    };
    let writing = |error| storage_error("writing", shown, error);
    let source = connect_reading(from)?;
    // One snapshot for all steps: otherwise each commit of another process makes the copy begin anew.
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

/// How long a copy waits before it asks again for pages that another process is writing.
const RETRY_INTERVAL: Duration = Duration::from_millis(5);

/// Whether an error of copying can only be about the file that is written.
fn is_about_the_copy(error: &rusqlite::Error) -> bool {
    const WRITES: [i32; 6] = [
        ffi::SQLITE_IOERR_WRITE,
        ffi::SQLITE_IOERR_FSYNC,
        ffi::SQLITE_IOERR_DIR_FSYNC,
        ffi::SQLITE_IOERR_TRUNCATE,
        ffi::SQLITE_IOERR_DELETE,
        ffi::SQLITE_IOERR_CLOSE,
    ];
    let rusqlite::Error::SqliteFailure(code, _) = error else { return false };
    matches!(code.code, ErrorCode::DiskFull | ErrorCode::ReadOnly) || WRITES.contains(&code.extended_code)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes names in the folder of `path` survive a power loss.
fn sync_folder(path: &Path) -> Result<(), StorageError> {
    match File::open(folder_of(path)).and_then(|folder| folder.sync_all()) {
        // Some network file systems can't sync a folder; the files themselves are safe.
        Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => Ok(()),
        outcome => outcome.map_err(|error| io("writing", path, error)),
    }
}

/// The copy that is made before a migration; the last three are kept. The caller has the turn of setting the database up.
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

/// The databases beside `path` whose names have `mark` after its name, oldest first.
fn beside(path: &Path, mark: &str) -> Vec<PathBuf> {
    let prefix = format!("{}{mark}", path.file_name().unwrap_or_default().to_string_lossy());
    let is_log = |name: &str| LOGS.iter().any(|suffix| name.ends_with(suffix));
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

/// Checks every page and index of the database; the findings, none if it is sound.
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

/// Moves a damaged database with its logs aside, so that a fresh one can take its place. Refused while another program has
/// it open. Returns where it went, also when another process moved it a moment ago.
pub fn set_aside(path: &Path) -> Result<PathBuf, StorageError> {
    let _alone = lock_exclusively(path)?;
    let aside = with_suffix(path, &format!("{DAMAGED_INFIX}{}", stamp()));
    // The logs get their second names first and lose their first ones last: whenever this is interrupted, one of the two databases
    // has all that was written. Logs that are left without a database are discarded by SQLite when it makes a new one.
    keep_logs(path, &aside)?;
    let moved = rename_present(path, &aside)?;
    remove_logs(path)?;
    sync_folder(path)?;
    if moved { Ok(aside) } else { Ok(beside(path, DAMAGED_INFIX).pop().unwrap_or(aside)) }
}

/// Gives a file a second name, or copies it where the file system has no hard links. `false` if there is no such file.
fn keep(path: &Path, kept: &Path) -> Result<bool, StorageError> {
    let linked = fs::hard_link(path, kept).or_else(|error| match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::AlreadyExists => Err(error),
        _ => fs::copy(path, kept).and_then(|_| File::open(kept)?.sync_all()),
    });
    match linked {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => {
            let _ = fs::remove_file(kept);
            Err(io("keeping", path, error))
        }
    }
}

/// The shared memory isn't kept: SQLite makes it anew from the log.
fn keep_logs(path: &Path, kept: &Path) -> Result<(), StorageError> {
    for suffix in ["-wal", "-journal"] {
        keep(&with_suffix(path, suffix), &with_suffix(kept, suffix))?;
    }
    Ok(())
}

/// Removes a database's logs. The caller holds the database alone.
fn remove_logs(path: &Path) -> Result<(), StorageError> {
    LOGS.iter().try_for_each(|suffix| {
        let log = with_suffix(path, suffix);
        match fs::remove_file(&log) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(io("removing", &log, error)),
            _ => Ok(()),
        }
    })
}

/// Moves the logs of a file that was replaced away from the one that replaced it.
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

/// Puts the database `from` in the place of `path`. What was there is kept beside it and its new place returned. Refused
/// when `from` isn't a sound database of ours, or while another program has `path` open. There is a whole database at `path` at
/// every moment, the old one or the new one.
pub fn restore(
    path: &Path,
    from: &Path,
    schema: &Schema,
    cancel: &CancellationToken,
    report: Report<'_>,
) -> Result<Option<PathBuf>, StorageError> {
    refuse_no_file(path)?;
    // Held to the end, so that nobody opens or makes a database between the steps.
    let alone = lock_exclusively(path)?;
    if alone.is_some() {
        remove_staged(path);
    }
    stage(path, from, schema, cancel, report)?.put()
}

/// A sound copy that lies beside the database whose place it will take. Removed when it is dropped.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    fresh: NamedTempFile,
    /// Whether the database at `path` is sound, too.
    is_replacing_a_sound_one: bool,
}

/// The part of a restore that takes long: checks `from`, and copies it to where it can take the place of `path` in one rename. The
/// database at `path` may be in use.
pub fn stage(path: &Path, from: &Path, schema: &Schema, cancel: &CancellationToken, report: Report<'_>) -> Result<Staged, StorageError> {
    refuse_no_file(path)?;
    inspect(from, schema)?;
    if let Some(finding) = check(from, cancel)?.into_iter().next() {
        return Err(StorageError::Corrupt { path: from.to_owned(), detail: finding });
    }
    let fresh = temporary(&with_suffix(path, STAGED_SUFFIX), path)?;
    copy_pages(from, fresh.path(), path, cancel, report)?;
    Failpoint::RestoreCopied.reach();
    let is_replacing_a_sound_one = match check(path, cancel) {
        Ok(findings) => findings.is_empty(),
        Err(error @ StorageError::Cancelled { .. }) => return Err(error),
        // There is none, or it is damaged.
        Err(_) => false,
    };
    if cancel.is_cancelled() {
        return Err(StorageError::Cancelled { action: "restoring", path: path.to_owned() });
    }
    Ok(Staged { path: path.to_owned(), fresh, is_replacing_a_sound_one })
}

impl Staged {
    /// The rest of the restore, which can't be cancelled. Refused while anyone else has the database open.
    pub fn replace(self) -> Result<Option<PathBuf>, StorageError> {
        refuse_no_file(&self.path)?;
        let alone = lock_exclusively(&self.path)?;
        let path = self.path.clone();
        let kept = self.put()?;
        if alone.is_some() {
            remove_staged(&path);
        }
        Ok(kept)
    }

    /// The caller holds the database alone.
    fn put(self) -> Result<Option<PathBuf>, StorageError> {
        let Self { path, fresh, is_replacing_a_sound_one } = self;
        // The log goes into the database first: what others were told is stored must not depend on a file that lies apart for a moment.
        let sound = path.exists() && take_in_log(&path).is_ok() && is_replacing_a_sound_one;
        let aside = with_suffix(&path, &format!("{}{}", if sound { REPLACED_INFIX } else { DAMAGED_INFIX }, stamp()));
        let kept = keep(&path, &aside)?;
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
        Ok(kept.then_some(aside))
    }
}

/// Removes staged copies that killed processes left. The caller holds the database alone.
fn remove_staged(path: &Path) {
    remove_parts(folder_of(path), &part_prefix(&with_suffix(path, STAGED_SUFFIX)));
}

/// Writes what the log of a database holds into the database, and removes the log.
fn take_in_log(path: &Path) -> Result<(), StorageError> {
    let failed = |error| storage_error("checking", path, error);
    let connection = connect(path, Mode::Query)?;
    connection.pragma_update(None, "query_only", false).map_err(failed)?;
    let busy: bool = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).map_err(failed)?;
    if busy { Err(StorageError::Busy { path: path.to_owned() }) } else { connection.close().map_err(|(_, error)| failed(error)) }
}

/// Undoes what [`restore`] did beside the database. Best effort: the error that led here is the one to tell.
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
