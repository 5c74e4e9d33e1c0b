//! What SQLite says, as what went wrong for the user.

use std::path::Path;

use inklings_core::StorageError;
use rusqlite::ErrorCode;

/// What a closure over a connection may fail with.
#[derive(Debug)]
pub enum Fault {
    /// SQLite refused.
    Sql(rusqlite::Error),
    /// A rule of the caller refused.
    Storage(StorageError),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<StorageError> for Fault {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl Fault {
    /// As an error about the database at `path`.
    #[must_use]
    pub fn at(self, action: &'static str, path: &Path) -> StorageError {
        match self {
            Self::Sql(error) => storage_error(action, path, error),
            Self::Storage(error) => error,
        }
    }
}

/// Classifies an SQLite error about the database at `path`.
#[must_use]
pub fn storage_error(action: &'static str, path: &Path, error: rusqlite::Error) -> StorageError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StorageError::Busy { path },
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StorageError::ReadOnly { path },
        Some(ErrorCode::DiskFull) => StorageError::DiskFull { path },
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => StorageError::Corrupt { detail: error.to_string(), path },
        // SQLite doesn't tell a file that is gone from one that the system refuses to open.
        Some(ErrorCode::CannotOpen) if !path.exists() => StorageError::Gone { path },
        _ => StorageError::Failed { action, path, source: Box::new(error) },
    }
}
