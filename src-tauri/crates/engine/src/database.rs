//! Checking, copying and restoring database files.

use std::path::{Path, PathBuf};

use inklings_core::{CancellationToken, ProgressReporter, StorageError};
use inklings_sqlite::{backup, inspect};
use inklings_store::SCHEMA;

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
pub fn restore(path: &Path, from: &Path, cancel: &CancellationToken, progress: &ProgressReporter) -> Result<Option<PathBuf>, StorageError> {
    backup::restore(path, from, &SCHEMA, cancel, &bytes(progress))
}

/// The slow part of [`restore`], for a database that this process has open.
pub(crate) fn stage(
    path: &Path,
    from: &Path,
    cancel: &CancellationToken,
    progress: &ProgressReporter,
) -> Result<backup::StagedCopy, StorageError> {
    backup::stage(path, from, &SCHEMA, cancel, &bytes(progress))
}

fn bytes(progress: &ProgressReporter) -> impl Fn(u64, u64) {
    move |done, total| progress.report_bytes(done, Some(total))
}

/// The automatic backups of a database, oldest first.
#[must_use]
pub fn backups(path: &Path) -> Vec<PathBuf> {
    backup::backups(path)
}
