//! Noticing commits, also those of other processes.
//!
//! SQLite's update hook sees its own connection only; `PRAGMA data_version` changes when any other connection commits. A
//! connection that never writes therefore sees everyone's commits, at the price of one cheap pragma a look.

use std::path::Path;

use inklings_core::StorageError;
use rusqlite::Connection;

use crate::error::storage_error;
use crate::open::{Mode, connect, mode_of};

/// A connection that only looks whether something was committed.
#[derive(Debug)]
pub struct Watcher {
    connection: Connection,
    seen: i64,
}

impl Watcher {
    /// Starts watching; what was committed before is not reported.
    pub fn new(path: &Path) -> Result<Self, StorageError> {
        // Where nobody can write, there is nothing to see, but looking must not fail.
        let mode = if mode_of(path) == Mode::Immutable { Mode::Immutable } else { Mode::Read };
        let connection = connect(path, mode)?;
        let mut watcher = Self { connection, seen: 0 };
        watcher.seen = watcher.version(path)?;
        Ok(watcher)
    }

    /// Whether anyone committed since the last look.
    pub fn changed(&mut self, path: &Path) -> Result<bool, StorageError> {
        let now = self.version(path)?;
        Ok(std::mem::replace(&mut self.seen, now) != now)
    }

    fn version(&self, path: &Path) -> Result<i64, StorageError> {
        self.connection.pragma_query_value(None, "data_version", |row| row.get(0)).map_err(|error| storage_error("watching", path, error))
    }
}
