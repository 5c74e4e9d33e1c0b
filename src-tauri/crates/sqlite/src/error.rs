//! What SQLite says, as what went wrong for the user.

use std::path::Path;

use inklings_core::StorageError;
use rusqlite::ErrorCode;

#[derive(Debug)]
pub enum Fault {
    Sql(rusqlite::Error),
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
    #[must_use]
    pub fn at(self, action: &'static str, path: &Path) -> StorageError {
        match self {
            Self::Sql(error) => storage_error(action, path, error),
            Self::Storage(error) => error,
        }
    }
}

#[must_use]
pub fn storage_error(action: &'static str, path: &Path, error: rusqlite::Error) -> StorageError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StorageError::Busy { path },
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StorageError::ReadOnly { path },
        Some(ErrorCode::DiskFull) => StorageError::DiskFull { path },
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => StorageError::Corrupt { detail: error.to_string(), path },
        // SQLite reports the same error for a missing file and for one that can't be opened.
        Some(ErrorCode::CannotOpen) if !path.exists() => StorageError::Removed { path },
        _ => StorageError::Failed { action, path, source: Box::new(error) },
    }
}
