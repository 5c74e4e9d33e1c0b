//! The change feed: one row a write, read by every window and process to know what to look at again.

use inklings_core::StorageError;
use inklings_sqlite::Fault;
use inklings_sqlite::watch::Watcher;
use rusqlite::{Connection, params};

use crate::store::Store;

/// One entry of the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Position; grows without gaps that matter.
    pub seq: i64,
    /// `skill`, `draft`, `input`, `setting`, `workspace`.
    pub kind: String,
    /// What changed.
    pub id: String,
    /// Who wrote it: an opaque mark of the process or window.
    pub origin: String,
}

/// Appends an entry, in the writer's transaction.
pub(crate) fn append(connection: &Connection, kind: &str, id: &str, origin: &str) -> Result<(), Fault> {
    connection.prepare_cached("INSERT INTO changes (kind, id, origin) VALUES (?1, ?2, ?3)")?.execute(params![kind, id, origin])?;
    Ok(())
}

/// Follows one store's feed across processes. Calls block; poll from a thread of its own.
#[derive(Debug)]
pub struct Feed {
    watcher: Option<Watcher>,
    seq: Option<i64>,
}

impl Feed {
    /// Starts at the present end of the feed.
    pub fn new(store: &Store) -> Result<Self, StorageError> {
        let mut feed = Self { watcher: None, seq: None };
        feed.attach(store)?;
        Ok(feed)
    }

    fn attach(&mut self, store: &Store) -> Result<(), StorageError> {
        if self.watcher.is_none()
            && let Some(database) = store.database()?
        {
            self.watcher = Some(Watcher::new(database.path())?);
            if self.seq.is_none() {
                self.seq = Some(last(store)?);
            }
        }
        Ok(())
    }

    /// The entries since the last look. A workspace's file that appears meanwhile is followed from its first entry.
    pub fn poll(&mut self, store: &Store) -> Result<Vec<Change>, StorageError> {
        if self.watcher.is_none() {
            self.seq = self.seq.or(Some(0));
            self.attach(store)?;
        } else if !self.watcher.as_mut().is_some_and(|watcher| watcher.changed(store.path()).unwrap_or(true)) {
            return Ok(Vec::new());
        }
        let Some(database) = store.database()? else {
            return Ok(Vec::new());
        };
        let since = self.seq.unwrap_or(0);
        let changes = database.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT seq, kind, id, origin FROM changes WHERE seq > ?1 ORDER BY seq LIMIT 10000")?;
            let rows = statement
                .query_map([since], |row| Ok(Change { seq: row.get(0)?, kind: row.get(1)?, id: row.get(2)?, origin: row.get(3)? }))?;
            Ok(rows.collect::<Result<Vec<_>, _>>()?)
        })?;
        if let Some(change) = changes.last() {
            self.seq = Some(change.seq);
        }
        Ok(changes)
    }
}

fn last(store: &Store) -> Result<i64, StorageError> {
    let Some(database) = store.database()? else {
        return Ok(0);
    };
    database.read(|connection| Ok(connection.query_row("SELECT coalesce(max(seq), 0) FROM changes", [], |row| row.get(0))?))
}
