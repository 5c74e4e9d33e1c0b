//! One scope's file: opened on first use, created by the first write.
//!
//! `Store::replace` restores a backup while the app runs: it waits until this process has closed the file, blocks new users until the rename,
//! and the change feed then reports `database`, so that clients reload everything. It is refused while a run writes traces.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError, RwLock, TryLockError};
use std::time::{Duration, Instant};

use inklings_core::{CancellationToken, Clock, Scope, SkillFormat, StorageError};
use inklings_sqlite::{Access, Create, Database, Fault, LivenessLock, Schema, SupersededMigration, backup, read_unmigrated};
use rusqlite::Transaction;

use crate::names::NameCache;

/// Append a file and a line in `migrations/checksums.txt`; never edit a landed migration.
pub const SCHEMA: Schema = Schema {
    migrations: &[
        include_str!("../../../../migrations/0001_skills.sql"),
        include_str!("../../../../migrations/0002_compact.sql"),
        include_str!("../../../../migrations/0003_traces.sql"),
        include_str!("../../../../migrations/0004_proposals.sql"),
        include_str!("../../../../migrations/0005_sums.sql"),
        include_str!("../../../../migrations/0006_bindings.sql"),
        include_str!("../../../../migrations/0007_links.sql"),
        include_str!("../../../../migrations/0008_chat.sql"),
        include_str!("../../../../migrations/0009_feedback.sql"),
        include_str!("../../../../migrations/0010_evals.sql"),
        include_str!("../../../../migrations/0011_actions.sql"),
        include_str!("../../../../migrations/0012_access.sql"),
        include_str!("../../../../migrations/0013_marketplace.sql"),
    ],
    // Version 3 was changed after databases had it.
    superseded: &[
        SupersededMigration { version: 3, sql: include_str!("../../../../migrations/superseded/0003_traces.a.sql") },
        SupersededMigration { version: 3, sql: include_str!("../../../../migrations/superseded/0003_traces.b.sql") },
    ],
    application_id: 0x494e_4b4c,
};

/// Whether a valid database of any version is an account's: no other has rows in these tables.
pub fn is_of_account(path: &Path) -> Result<bool, StorageError> {
    const SQL: &str = "SELECT EXISTS (SELECT 1 FROM seeds) OR EXISTS (SELECT 1 FROM settings) OR EXISTS (SELECT 1 FROM workspaces)";
    read_unmigrated(path, |connection| connection.query_row(SQL, [], |row| row.get(0)))
}

/// How long replacing a file waits for calls that still use the old one, and how often that is checked.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
const CLOSE_RETRY: Duration = Duration::from_millis(5);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Health {
    /// A valid file, or none yet.
    Good,
    ReadOnly,
    /// The damaged file was moved to this path, and a new one was created.
    SetAside(PathBuf),
}

/// One scope's database. Calls block.
///
/// Only the store keeps the file open between calls. If a file is replaced, the old one must be closed, and its log moved
/// aside, before the new one creates a log of that name.
pub struct Store {
    scope: Scope,
    path: PathBuf,
    origin: String,
    clock: Arc<dyn Clock>,
    format: Arc<dyn SkillFormat>,
    open: Mutex<Option<Arc<Database>>>,
    /// Read lock: the file is used by its path. Write lock: the file is being replaced.
    file_lock: RwLock<()>,
    health: Health,
    mark: Mutex<Option<LivenessLock>>,
    pub(crate) names: NameCache,
    pub(crate) revocations: AtomicU64,
}

impl Store {
    /// `path` need not exist yet. `origin` identifies this process's writes in the change feed. A damaged
    /// file is set aside; a newer one, or one of another program, is refused and left untouched.
    pub fn open(
        scope: Scope,
        path: &Path,
        origin: impl Into<String>,
        clock: Arc<dyn Clock>,
        format: Arc<dyn SkillFormat>,
    ) -> Result<Self, StorageError> {
        let mut store = Self {
            scope,
            path: path.to_owned(),
            origin: origin.into(),
            clock,
            format,
            open: Mutex::new(None),
            file_lock: RwLock::default(),
            health: Health::Good,
            mark: Mutex::default(),
            names: NameCache::default(),
            revocations: AtomicU64::new(0),
        };
        store.health = match store.database() {
            Ok(Some(database)) if database.access() == Access::ReadOnly => Health::ReadOnly,
            Ok(_) => Health::Good,
            Err(error @ StorageError::Corrupt { .. }) if path.is_file() => {
                tracing::warn!(path = %path.display(), %error, "moving a damaged database aside");
                Health::SetAside(backup::set_aside(path)?)
            }
            Err(error) => return Err(error),
        };
        Ok(store)
    }

    /// Closes the file; the last connection to close runs a checkpoint. The next use opens it again.
    pub fn close(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = None;
        *self.mark.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Runs `work` on the file by its path, while it can't be replaced.
    pub fn tend<T>(&self, cancel: &CancellationToken, work: impl FnOnce(&Path) -> Result<T, StorageError>) -> Result<T, StorageError> {
        let _reader = self.waited(cancel, || unlocked(self.file_lock.try_read()))?;
        work(&self.path)
    }

    /// Replaces the file: `stage` may take long while the file is in use; during `swap` nothing in this process
    /// has it open. Waits for current users, and blocks new ones.
    pub fn replace<S, T>(
        &self,
        cancel: &CancellationToken,
        stage: impl FnOnce(&Path) -> Result<S, StorageError>,
        swap: impl FnOnce(S) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        let _writer = self.waited(cancel, || unlocked(self.file_lock.try_write()))?;
        let staged = stage(&self.path)?;
        let begun = Instant::now();
        let mut open = self.waited(cancel, || {
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            // Another reference could only come through the lock that is held here.
            let is_unused = open.as_ref().is_none_or(|database| Arc::strong_count(database) == 1);
            if is_unused {
                Some(Ok(open))
            } else {
                (begun.elapsed() > CLOSE_TIMEOUT).then(|| Err(StorageError::Busy { path: self.path.clone() }))
            }
        })??;
        *open = None;
        *self.mark.lock().unwrap_or_else(PoisonError::into_inner) = None;
        swap(staged)
    }

    fn waited<T>(&self, cancel: &CancellationToken, attempt: impl Fn() -> Option<T>) -> Result<T, StorageError> {
        loop {
            if cancel.is_cancelled() {
                return Err(StorageError::Cancelled { action: "opening", path: self.path.clone() });
            }
            match attempt() {
                Some(outcome) => return Ok(outcome),
                None => std::thread::sleep(CLOSE_RETRY),
            }
        }
    }

    /// Shows other processes that this one has open runs. Without it, they mark its runs as interrupted.
    pub(crate) fn put_mark(&self) {
        let mut mark = self.mark.lock().unwrap_or_else(PoisonError::into_inner);
        if mark.is_none() {
            LivenessLock::sweep(&self.path);
            *mark = LivenessLock::acquire(&self.path, &self.origin);
        }
    }

    #[must_use]
    pub fn health(&self) -> &Health {
        &self.health
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Id of this process in the change feed.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Whether the file exists.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Whether the file, or the folder in which it would be created, is writable.
    pub(crate) fn is_writable(&self) -> bool {
        match self.database() {
            Ok(Some(database)) => database.access() == Access::ReadWrite,
            Ok(None) => self.path.parent().is_some_and(inklings_sqlite::is_writable),
            Err(_) => false,
        }
    }

    pub(crate) fn scope_of(&self) -> Scope {
        self.scope
    }

    pub(crate) fn projection_of(&self) -> &dyn SkillFormat {
        self.format.as_ref()
    }

    pub(crate) fn now(&self) -> inklings_core::Time {
        self.clock.now()
    }

    /// `None` while the file doesn't exist. A replaced file is reopened.
    pub(crate) fn database(&self) -> Result<Option<Arc<Database>>, StorageError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(database) = open.as_ref().filter(|database| database.is_present()) {
            return Ok(Some(database.clone()));
        }
        if let Some(replaced) = open.take() {
            *open = self.closed(replaced)?;
            if open.is_some() {
                return Err(StorageError::Busy { path: self.path.clone() });
            }
        }
        if !self.path.exists() {
            return Ok(None);
        }
        let database = Arc::new(Database::open(&self.path, &SCHEMA, Create::Never)?);
        *open = Some(database.clone());
        Ok(Some(database))
    }

    /// Waits for calls that still use the database; returns it if one doesn't end in time.
    fn closed(&self, mut database: Arc<Database>) -> Result<Option<Arc<Database>>, StorageError> {
        let begun = Instant::now();
        loop {
            match Arc::try_unwrap(database) {
                Ok(database) => return database.close_replaced().map(|()| None),
                Err(used) if begun.elapsed() > CLOSE_TIMEOUT => return Ok(Some(used)),
                Err(used) => database = used,
            }
            tracing::debug!(path = %self.path.display(), "waiting for the last use of a replaced database");
            std::thread::sleep(CLOSE_RETRY);
        }
    }

    /// Creates the file if it doesn't exist.
    fn database_for_write(&self) -> Result<Arc<Database>, StorageError> {
        if let Some(database) = self.database()? {
            return Ok(database);
        }
        let database = Arc::new(Database::open(&self.path, &SCHEMA, Create::IfMissing)?);
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = Some(database.clone());
        Ok(database)
    }

    /// Reads a consistent snapshot; `T::default()` while the file doesn't exist.
    pub(crate) fn read<T: Default>(&self, query: impl FnOnce(&rusqlite::Connection) -> Result<T, Fault>) -> Result<T, StorageError> {
        match self.database()? {
            Some(database) => database.snapshot(query),
            None => Ok(T::default()),
        }
    }

    pub(crate) fn write<T>(&self, change: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>) -> Result<T, StorageError> {
        self.database_for_write()?.write(change)
    }
}

/// Ignores poisoning: the guarded state is always consistent.
fn unlocked<G>(attempt: Result<G, TryLockError<G>>) -> Option<G> {
    match attempt {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
