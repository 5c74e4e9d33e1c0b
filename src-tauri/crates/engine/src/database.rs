//! Checking, copying and restoring database files.

use std::path::{Path, PathBuf};

use inklings_core::{CancellationToken, ProgressReporter, Scope, StorageError};
use inklings_sqlite::{backup, inspect};
use inklings_store::{SCHEMA, is_of_account};

/// The problems that a full check finds. Fails if the file isn't a database of this app.
pub fn check(path: &Path, cancel: &CancellationToken) -> Result<Vec<String>, StorageError> {
    inspect(path, &SCHEMA)?;
    backup::check(path, cancel)
}

/// Copies a database, even while others use it. Fails if the file `to` exists.
pub fn copy(path: &Path, to: &Path, cancel: &CancellationToken, progress: &ProgressReporter) -> Result<(), StorageError> {
    inspect(path, &SCHEMA)?;
    backup::copy(path, to, cancel, &bytes(progress))
}

/// Replaces a database with a copy. Returns the new path of the replaced file, if there was one.
pub fn restore(
    scope: Scope,
    path: &Path,
    from: &Path,
    cancel: &CancellationToken,
    progress: &ProgressReporter,
) -> Result<Option<PathBuf>, StorageError> {
    refuse_account(scope, from)?;
    backup::restore(path, from, &SCHEMA, cancel, &bytes(progress))
}

/// The slow part of [`restore`], for a database that this process has open.
pub(crate) fn stage(
    scope: Scope,
    path: &Path,
    from: &Path,
    cancel: &CancellationToken,
    progress: &ProgressReporter,
) -> Result<backup::StagedCopy, StorageError> {
    refuse_account(scope, from)?;
    backup::stage(path, from, &SCHEMA, cancel, &bytes(progress))
}

/// A workspace may be shared, and an account's database has tokens, settings and chats.
fn refuse_account(scope: Scope, from: &Path) -> Result<(), StorageError> {
    if scope == Scope::Workspace && inspect(from, &SCHEMA)? > 0 && is_of_account(from)? {
        return Err(StorageError::NotABackup { path: from.to_owned(), detail: "it is a backup of the account" });
    }
    Ok(())
}

fn bytes(progress: &ProgressReporter) -> impl Fn(u64, u64) {
    move |done, total| progress.report_bytes(done, Some(total))
}

/// The automatic backups of a database, oldest first.
#[must_use]
pub fn backups(path: &Path) -> Vec<PathBuf> {
    backup::backups(path)
}
