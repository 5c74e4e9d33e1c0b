//! Looking after database files: check, copy, put back.

use std::path::{Path, PathBuf};

use inklings_core::{Cancel, StorageError};
use inklings_sqlite::{backup, inspect};
use inklings_store::SCHEMA;

/// The findings of a full check; none if the file is sound and ours.
pub fn check(path: &Path) -> Result<Vec<String>, StorageError> {
    inspect(path, &SCHEMA)?;
    backup::check(path)
}

/// Copies a database while others may be using it. A file that is at `to` already is refused.
pub fn copy(path: &Path, to: &Path, cancel: &Cancel) -> Result<(), StorageError> {
    inspect(path, &SCHEMA)?;
    backup::copy(path, to, cancel)
}

/// Puts a copy in the place of a database; what was there is kept and its new place returned.
pub fn restore(path: &Path, from: &Path, cancel: &Cancel) -> Result<Option<PathBuf>, StorageError> {
    backup::restore(path, from, &SCHEMA, cancel)
}

/// The automatic copies beside a database, oldest first.
#[must_use]
pub fn backups(path: &Path) -> Vec<PathBuf> {
    backup::backups(path)
}
