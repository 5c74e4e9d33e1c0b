//! An open database: one writing connection, a few reading ones.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use inklings_core::StorageError;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use tempfile::TempPath;

use crate::backup;
use crate::error::{Fault, storage_error};
use crate::lock::{OpenLock, SetupLock, shared, with_suffix};
use crate::open::{BUSY_TIMEOUT, Create, Mode, Schema, connect, inspect, missing, mode_of, refuse_no_file, upgraded_copy, writer};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    ReadWrite,
    ReadOnly,
}

/// Reading connections kept for reuse; more are opened when needed and closed afterwards.
const IDLE_READERS: usize = 4;

const SETUP_RETRY_INTERVAL: Duration = Duration::from_millis(5);

/// Calls block.
#[derive(Debug)]
pub struct Database {
    path: PathBuf,
    mode: Mode,
    // For an older file that can't be written: a migrated copy for the readers.
    upgraded: Option<TempPath>,
    identity: Option<(u64, u64)>,
    /// Device and inode of the write-ahead log.
    log: Option<(u64, u64)>,
    readers: Mutex<Vec<Connection>>,
    watcher: Mutex<Option<Connection>>,
    // Closed after the readers: only a writing connection runs a checkpoint when it is the last one to close.
    writer: Option<Mutex<Connection>>,
    _lock: Option<OpenLock>,
}

impl Database {
    /// Checks that the file is valid, migrates it if it is older, and opens it read-only if it can't be written
    /// (an older one as a migrated copy, which doesn't see later writes of others).
    pub fn open(path: &Path, schema: &Schema, create: Create) -> Result<Self, StorageError> {
        // SQLite's busy timeout covers statements, but not changing the journal mode or recovering a log:
        // processes that create or open the same file at the same time are serialized here.
        let begun = Instant::now();
        loop {
            match Self::attempt(path, schema, create) {
                Err(StorageError::Busy { .. }) if begun.elapsed() < BUSY_TIMEOUT => std::thread::sleep(SETUP_RETRY_INTERVAL),
                outcome => return outcome,
            }
        }
    }

    fn attempt(path: &Path, schema: &Schema, create: Create) -> Result<Self, StorageError> {
        // Checked first: a broken link looks like a missing file, and its target would be created.
        refuse_no_file(path)?;
        let mut found = stored_version(path, schema)?;
        if found.is_none() && create == Create::Never {
            return Err(missing(path));
        }
        if found.is_none() && !path.parent().is_some_and(Path::is_dir) {
            return Err(StorageError::Removed { path: path.to_owned() });
        }
        let mode = mode_of(path);
        if mode != Mode::Write && found.is_none() {
            return Err(StorageError::ReadOnly { path: path.to_owned() });
        }
        let mut turn = None;
        if mode == Mode::Write && found.unwrap_or_default() < schema.version() {
            turn = SetupLock::wait(path);
            // The previous holder of the lock created it.
            found = stored_version(path, schema)?;
        }
        let found = found.unwrap_or_default();
        let outdated = mode != Mode::Write && found < schema.version();
        let upgraded = outdated.then(|| upgraded_copy(path, schema)).transpose()?;
        let lock = (mode == Mode::Write).then(|| shared(path)).flatten();
        let writer = (mode == Mode::Write).then(|| writer(path, schema, found)).transpose()?.map(Mutex::new);
        drop(turn);
        let log = identity(&with_suffix(path, "-wal"));
        Ok(Self {
            path: path.to_owned(),
            mode,
            upgraded,
            identity: identity(path),
            log,
            writer,
            readers: Mutex::default(),
            watcher: Mutex::default(),
            _lock: lock,
        })
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    #[must_use]
    pub fn access(&self) -> Access {
        if self.writer.is_some() { Access::ReadWrite } else { Access::ReadOnly }
    }

    /// Device and inode of the file that was opened.
    #[must_use]
    pub fn identity(&self) -> Option<(u64, u64)> {
        self.identity
    }

    /// Whether the file that was opened is still the one at its path.
    #[must_use]
    pub fn is_present(&self) -> bool {
        identity(&self.path) == self.identity
    }

    /// Closes a database whose file was replaced. SQLite doesn't remove the log of such a file and would apply it to
    /// the new one, so it is moved aside.
    pub fn close_replaced(self) -> Result<(), StorageError> {
        let (path, log) = (self.path.clone(), self.log);
        drop(self);
        if log.is_some() && identity(&with_suffix(&path, "-wal")) == log { backup::set_logs_aside(&path) } else { Ok(()) }
    }

    /// A number that changes with each commit of any process. SQLite's update hook covers only its own connection;
    /// `PRAGMA data_version` changes when another connection commits, so it is read on one that never writes.
    pub fn version(&self) -> Result<i64, StorageError> {
        let mut watcher = lock(&self.watcher);
        let connection = match &mut *watcher {
            Some(connection) => connection,
            empty => {
                let connection = connect(&self.path, self.mode.reading())?;
                if !self.is_present() {
                    return Err(StorageError::Removed { path: self.path.clone() });
                }
                empty.insert(connection)
            }
        };
        connection.pragma_query_value(None, "data_version", |row| row.get(0)).map_err(|error| storage_error("watching", &self.path, error))
    }

    /// Runs `query` on a reading connection. Consistent only within one statement; use [`Self::snapshot`]
    /// for several.
    pub fn read<T>(&self, query: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, StorageError> {
        let connection = match lock(&self.readers).pop() {
            Some(connection) => connection,
            None => match &self.upgraded {
                Some(copy) => connect(copy, Mode::Immutable)?,
                None => connect(&self.path, self.mode.reading())?,
            },
        };
        let result = query(&connection);
        let mut idle = lock(&self.readers);
        if idle.len() < IDLE_READERS {
            idle.push(connection);
        }
        drop(idle);
        result.map_err(|fault| fault.at("reading", &self.path))
    }

    /// Runs `query` in one read transaction: every statement sees the same state.
    pub fn snapshot<T>(&self, query: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, StorageError> {
        self.read(|connection| {
            let transaction = connection.unchecked_transaction()?;
            query(&transaction)
        })
    }

    /// Runs `change` in one write transaction: committed if it returns `Ok`, else rolled back.
    pub fn write<T>(&self, change: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>) -> Result<T, StorageError> {
        let Some(writer) = &self.writer else {
            return Err(StorageError::ReadOnly { path: self.path.clone() });
        };
        if !self.is_present() {
            return Err(StorageError::Removed { path: self.path.clone() });
        }
        let mut connection = lock(writer);
        let run = || {
            let mut transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            // It may have been replaced while this waited for another write.
            if !self.is_present() {
                return Err(Fault::from(StorageError::Removed { path: self.path.clone() }));
            }
            let value = change(&mut transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        run().map_err(|fault: Fault| fault.at("writing", &self.path))
    }
}

/// The version of the file, if there is one.
fn stored_version(path: &Path, schema: &Schema) -> Result<Option<i64>, StorageError> {
    match inspect(path, schema) {
        Ok(found) => Ok(Some(found)),
        // Also if another process just moved a damaged file aside.
        Err(StorageError::NotFound { .. } | StorageError::Removed { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// If a thread panicked while it held the lock, its transaction was rolled back and the connection is valid.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    path.metadata().ok().map(|meta| (meta.dev(), meta.ino()))
}
