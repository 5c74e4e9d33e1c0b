//! Copies of a database: before a migration, on demand, back again; and setting a damaged file aside.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use inklings_core::StorageError;
use rusqlite::Connection;
use rusqlite::backup::Backup;

use crate::error::storage_error;
use crate::lock::{alone, with_suffix};
use crate::open::{Schema, connect_reading, inspect, refuse_no_file};

/// Backups made before migrations that are kept.
const KEPT: usize = 3;
/// What an automatic backup's name has after the database's.
const MARK: &str = ".backup-v";
/// What the name of a database that was found damaged gets when it is set aside.
const DAMAGED: &str = ".damaged-";
/// What the name of a sound one gets when a copy takes its place.
const REPLACED: &str = ".replaced-";
/// What SQLite keeps beside a database and would play into whatever file has the database's name.
const LOGS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Copies the database at `from` to `to`, page by page, while others may be using it. `to` appears whole or not at all.
pub fn copy(from: &Path, to: &Path) -> Result<(), StorageError> {
    if let Some(folder) = to.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        return Err(StorageError::NotFound { what: "folder", name: folder.display().to_string() });
    }
    let part = with_suffix(to, ".part");
    let failed = |error| storage_error("copying", from, error);
    let run = || {
        let source = connect_reading(from)?;
        let mut target = Connection::open(&part).map_err(|error| storage_error("writing", to, error))?;
        let backup = Backup::new(&source, &mut target).map_err(failed)?;
        backup.run_to_completion(256, Duration::ZERO, None).map_err(failed)?;
        drop(backup);
        target.close().map_err(|(_, error)| storage_error("writing", to, error))?;
        fs::rename(&part, to).map_err(|error| io("writing", to, error))
    };
    run().inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

/// The copy that is made before a migration; the last three are kept.
pub(crate) fn before_migration(path: &Path, version: i64) -> Result<(), StorageError> {
    copy(path, &with_suffix(path, &format!("{MARK}{version}-{}", stamp())))?;
    let mut copies = backups(path);
    while copies.len() > KEPT {
        let _ = fs::remove_file(copies.remove(0));
    }
    Ok(())
}

/// The automatic backups beside a database, oldest first.
#[must_use]
pub fn backups(path: &Path) -> Vec<PathBuf> {
    beside(path, MARK)
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
pub fn check(path: &Path) -> Result<Vec<String>, StorageError> {
    let connection = connect_reading(path)?;
    let failed = |error| storage_error("checking", path, error);
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
    let _alone = alone(path)?;
    let aside = with_suffix(path, &format!("{DAMAGED}{}", stamp()));
    if move_aside(path, &aside)? {
        return Ok(aside);
    }
    Ok(beside(path, DAMAGED).pop().unwrap_or(aside))
}

/// Moves a database and its logs to another name. The caller holds the database alone. Returns whether there was a
/// database: logs without one are moved all the same, or they would be played into the next file of that name.
fn move_aside(path: &Path, aside: &Path) -> Result<bool, StorageError> {
    // The logs go first: after a stop halfway a database without its log is safe to open, a log without its database isn't.
    for suffix in LOGS {
        rename_present(&with_suffix(path, suffix), &with_suffix(aside, suffix))?;
    }
    rename_present(path, aside)
}

/// Renames a file; `false` if there is none.
fn rename_present(from: &Path, to: &Path) -> Result<bool, StorageError> {
    match fs::rename(from, to) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(io("moving", from, error)),
    }
}

/// Puts the database `from` in the place of `path`. What was there is set aside first and its new place returned. Refused
/// when `from` isn't a sound database of ours, or while another program has `path` open.
pub fn restore(path: &Path, from: &Path, schema: &Schema) -> Result<Option<PathBuf>, StorageError> {
    refuse_no_file(path)?;
    // Held to the end, so that nobody opens or makes a database between the two moves.
    let _alone = alone(path)?;
    inspect(from, schema)?;
    if let Some(finding) = check(from)?.into_iter().next() {
        return Err(StorageError::Corrupt { path: from.to_owned(), detail: finding });
    }
    let fresh = with_suffix(path, ".restoring");
    copy(from, &fresh)?;
    let run = || {
        let sound = check(path).is_ok_and(|findings| findings.is_empty());
        let aside = with_suffix(path, &format!("{}{}", if sound { REPLACED } else { DAMAGED }, stamp()));
        let moved = move_aside(path, &aside)?;
        fs::rename(&fresh, path).map_err(|error| io("writing", path, error))?;
        Ok(moved.then_some(aside))
    };
    run().inspect_err(|_| {
        let _ = fs::remove_file(&fresh);
    })
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
