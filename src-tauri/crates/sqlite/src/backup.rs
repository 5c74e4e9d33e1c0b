//! Copies of a database: before a migration, on demand, back again; and setting a damaged file aside.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use inklings_core::StorageError;
use rusqlite::Connection;
use rusqlite::backup::Backup;

use crate::error::storage_error;
use crate::lock::{alone, with_suffix};
use crate::open::{Mode, Schema, connect, inspect};

/// Backups made before migrations that are kept.
const KEPT: usize = 3;
/// What an automatic backup's name has after the database's.
const MARK: &str = ".backup-v";

/// Copies the database at `from` to `to`, page by page, while others may be using it. `to` appears whole or not at all.
pub fn copy(from: &Path, to: &Path) -> Result<(), StorageError> {
    let part = with_suffix(to, ".part");
    let failed = |error| storage_error("copying", from, error);
    let run = || {
        let source = connect(from, Mode::Read)?;
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
    let prefix = format!("{}{MARK}", path.file_name().unwrap_or_default().to_string_lossy());
    let mut found: Vec<_> = path
        .parent()
        .and_then(|folder| fs::read_dir(folder).ok())
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix))
        .map(|entry| entry.path())
        .collect();
    found.sort_by_key(|path| (path.metadata().and_then(|meta| meta.modified()).unwrap_or(UNIX_EPOCH), path.clone()));
    found
}

/// Checks every page and index of the database; the findings, none if it is sound.
pub fn check(path: &Path) -> Result<Vec<String>, StorageError> {
    let connection = connect(path, Mode::Read)?;
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
/// it open. Returns where it went.
pub fn set_aside(path: &Path) -> Result<PathBuf, StorageError> {
    let _alone = alone(path)?;
    let aside = with_suffix(path, &format!(".damaged-{}", stamp()));
    for suffix in ["-wal", "-shm"] {
        let log = with_suffix(path, suffix);
        if log.exists() {
            fs::rename(&log, with_suffix(&aside, suffix)).map_err(|error| io("moving", &log, error))?;
        }
    }
    fs::rename(path, &aside).map_err(|error| io("moving", path, error))?;
    Ok(aside)
}

/// Puts the database `from` in the place of `path`. What was there is set aside first and its new place returned. Refused
/// when `from` isn't a sound database of ours, or while another program has `path` open.
pub fn restore(path: &Path, from: &Path, schema: &Schema) -> Result<Option<PathBuf>, StorageError> {
    inspect(from, schema)?;
    if let Some(finding) = check(from)?.into_iter().next() {
        return Err(StorageError::Corrupt { path: from.to_owned(), detail: finding });
    }
    let fresh = with_suffix(path, ".restoring");
    copy(from, &fresh)?;
    let aside = if path.exists() { Some(set_aside(path)?) } else { None };
    fs::rename(&fresh, path).map_err(|error| io("writing", path, error))?;
    Ok(aside)
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
