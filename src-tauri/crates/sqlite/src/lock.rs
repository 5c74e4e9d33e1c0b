//! Who has a database open, as an advisory lock on a file beside it (`<file>-lock`).
//!
//! Everyone holds it shared while open; whoever gets it alone knows that nobody else is there: a write-ahead log left behind
//! then means an unclean stop, and only then may a file be moved aside or replaced. The lock can't sit on the database
//! itself: closing any handle of a file drops the POSIX locks that SQLite holds on it.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use inklings_core::StorageError;

/// A held lock; released when dropped or when the process ends.
#[derive(Debug)]
pub(crate) struct OpenLock(#[expect(dead_code, reason = "held for its lock")] File);

/// The outcome of asking for the file alone.
pub(crate) enum Alone {
    /// Nobody else has it open.
    Yes(File),
    /// Someone else has.
    No,
    /// The folder takes no lock file (read-only): nothing is known.
    Unknown,
}

/// The lock's file.
pub(crate) fn lock_path(database: &Path) -> PathBuf {
    with_suffix(database, "-lock")
}

/// `agents.db` with `-wal` and the like.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Asks for the database alone, without waiting.
pub(crate) fn try_alone(database: &Path) -> Alone {
    let Ok(file) = OpenOptions::new().create(true).truncate(false).write(true).open(lock_path(database)) else {
        return Alone::Unknown;
    };
    match file.try_lock() {
        Ok(()) => Alone::Yes(file),
        Err(TryLockError::WouldBlock) => Alone::No,
        Err(TryLockError::Error(_)) => Alone::Unknown,
    }
}

/// Asks for the database alone, or the error that it is in use.
pub(crate) fn alone(database: &Path) -> Result<Option<File>, StorageError> {
    match try_alone(database) {
        Alone::Yes(file) => Ok(Some(file)),
        Alone::No => Err(StorageError::InUse { path: database.to_owned() }),
        Alone::Unknown => Ok(None),
    }
}

/// Holds the database open together with others. `None` where the folder takes no lock file.
pub(crate) fn shared(database: &Path) -> Option<OpenLock> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(lock_path(database)).ok()?;
    file.lock_shared().ok()?;
    Some(OpenLock(file))
}
