//! One scope's file: opened when first needed, created by the first write.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, TryLockError};
use std::time::{Duration, Instant};

use inklings_core::{CancellationToken, Clock, Scope, SkillFormat, StorageError};
use inklings_sqlite::{Access, Create, Database, Fault, LivenessLock, Schema, Superseded, backup};
use rusqlite::Transaction;

use crate::names::NameCache;

/// The schema of every agents.db. Append a file and a line in `migrations/checksums.txt`; never edit one that has landed.
pub const SCHEMA: Schema = Schema {
    migrations: &[
        include_str!("../../../../migrations/0001_skills.sql"),
        include_str!("../../../../migrations/0002_compact.sql"),
        include_str!("../../../../migrations/0003_traces.sql"),
        include_str!("../../../../migrations/0004_proposals.sql"),
        include_str!("../../../../migrations/0005_sums.sql"),
        include_str!("../../../../migrations/0006_bindings.sql"),
    ],
    // The traces got columns and a table after the first databases had them.
    superseded: &[
        Superseded { version: 3, sql: include_str!("../../../../migrations/superseded/0003_traces.a.sql") },
        Superseded { version: 3, sql: include_str!("../../../../migrations/superseded/0003_traces.b.sql") },
    ],
    application_id: 0x494e_4b4c,
};

/// How long the calls may take that still use a database which is or was replaced, and after which time that is looked at again.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
const CLOSE_RETRY: Duration = Duration::from_millis(5);

/// What opening a scope's file found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Health {
    /// There is a sound file, or none yet.
    Good,
    /// It can be read but not written.
    ReadOnly,
    /// A damaged file was moved to this place and a fresh one took its place.
    SetAside(PathBuf),
}

/// One scope's database. Clones of the `Arc` share it; calls block.
///
/// Nobody but the store keeps the file open between two calls. If a file is replaced, the old one must be closed, and its log moved
/// away, before the new one has a log of that name.
pub struct Store {
    scope: Scope,
    path: PathBuf,
    origin: String,
    clock: Arc<dyn Clock>,
    format: Arc<dyn SkillFormat>,
    open: Mutex<Option<Arc<Database>>>,
    /// Held for reading while the file is used by its path, for writing while another one takes its place.
    place: RwLock<()>,
    health: Health,
    mark: Mutex<Option<LivenessLock>>,
    pub(crate) names: NameCache,
}

impl Store {
    /// A scope's file at `path`, which need not exist yet. `origin` marks this process's writes in the change feed. A damaged
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
            place: RwLock::default(),
            health: Health::Good,
            mark: Mutex::default(),
            names: NameCache::default(),
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

    /// Lets go of the file; the last one to do so writes everything into it. The next use opens it again.
    pub fn close(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = None;
        *self.mark.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Lets `work` read the file by its path, and nobody replace it meanwhile.
    pub fn tend<T>(&self, cancel: &CancellationToken, work: impl FnOnce(&Path) -> Result<T, StorageError>) -> Result<T, StorageError> {
        let _tending = self.waited(cancel, || unlocked(self.place.try_read()))?;
        work(&self.path)
    }

    /// Puts another file in the place of this one: `stage` may take long, and the file is in use; during `swap` nothing of this process
    /// has it open. What uses it then is waited for, and whoever wants it next waits.
    pub fn replace<S, T>(
        &self,
        cancel: &CancellationToken,
        stage: impl FnOnce(&Path) -> Result<S, StorageError>,
        swap: impl FnOnce(S) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        let _alone = self.waited(cancel, || unlocked(self.place.try_write()))?;
        let staged = stage(&self.path)?;
        let begun = Instant::now();
        let mut open = self.waited(cancel, || {
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            // One more could only come from the lock that is held here.
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

    /// Tries until there is an outcome.
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

    /// Says beside the file that this process has something going on in it. Without, others take that for interrupted.
    pub(crate) fn put_mark(&self) {
        let mut mark = self.mark.lock().unwrap_or_else(PoisonError::into_inner);
        if mark.is_none() {
            LivenessLock::sweep(&self.path);
            *mark = LivenessLock::acquire(&self.path, &self.origin);
        }
    }

    /// What opening found.
    #[must_use]
    pub fn health(&self) -> &Health {
        &self.health
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The mark of this process's writes.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Whether the file exists.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Whether the file, or the folder that it would be made in, takes writes.
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

    /// The open database; `None` while the file doesn't exist. A file that was replaced under us is opened anew.
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

    /// Closes a database when the calls that still use it are done; given back if one doesn't end.
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

    /// The open database for a write: created if it doesn't exist.
    fn database_for_write(&self) -> Result<Arc<Database>, StorageError> {
        if let Some(database) = self.database()? {
            return Ok(database);
        }
        let database = Arc::new(Database::open(&self.path, &SCHEMA, Create::IfMissing)?);
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = Some(database.clone());
        Ok(database)
    }

    /// Reads in one consistent snapshot; `T::default()` while there is no file.
    pub(crate) fn read<T: Default>(&self, query: impl FnOnce(&rusqlite::Connection) -> Result<T, Fault>) -> Result<T, StorageError> {
        match self.database()? {
            Some(database) => database.snapshot(query),
            None => Ok(T::default()),
        }
    }

    /// Writes in one transaction, all or nothing.
    pub(crate) fn write<T>(&self, change: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>) -> Result<T, StorageError> {
        self.database_for_write()?.write(change)
    }
}

/// A lock that can be had at once; nothing that it guards can be left half done.
fn unlocked<G>(attempt: Result<G, TryLockError<G>>) -> Option<G> {
    match attempt {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
