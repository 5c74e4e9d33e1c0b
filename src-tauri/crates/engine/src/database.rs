//! Looking after database files: check, copy, put back.

use std::path::{Path, PathBuf};

use inklings_core::StorageError;
use inklings_rpc::Watch;
use inklings_sqlite::{backup, inspect};
use inklings_store::SCHEMA;

/// The findings of a full check; none if the file is sound and ours.
pub fn check(path: &Path, watch: &Watch) -> Result<Vec<String>, StorageError> {
    inspect(path, &SCHEMA)?;
    backup::check(path, watch.cancel())
}

/// Copies a database while others may be using it. A file that is at `to` already is refused.
pub fn copy(path: &Path, to: &Path, watch: &Watch) -> Result<(), StorageError> {
    inspect(path, &SCHEMA)?;
    backup::copy(path, to, watch.cancel(), &bytes(watch))
}

/// Puts a copy in the place of a database; what was there is kept and its new place returned.
pub fn restore(path: &Path, from: &Path, watch: &Watch) -> Result<Option<PathBuf>, StorageError> {
    backup::restore(path, from, &SCHEMA, watch.cancel(), &bytes(watch))
}

/// The part of [`restore`] that takes long, for a database that this process has open.
pub(crate) fn stage(path: &Path, from: &Path, watch: &Watch) -> Result<backup::Staged, StorageError> {
    backup::stage(path, from, &SCHEMA, watch.cancel(), &bytes(watch))
}

/// Tells bytes to whoever watches.
fn bytes(watch: &Watch) -> impl Fn(u64, u64) {
    let count = |bytes| usize::try_from(bytes).unwrap_or(usize::MAX);
    move |done, total| watch.tell(count(done), Some(count(total)))
}

/// The automatic copies beside a database, oldest first.
#[must_use]
pub fn backups(path: &Path) -> Vec<PathBuf> {
    backup::backups(path)
}
