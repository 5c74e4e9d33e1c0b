//! The change feed: one row per write, polled by every window and process to invalidate what they have read.
//!
//! Files are identified by device and inode: a file that was only reopened is the same, a file that replaced another is not.

use std::sync::{Arc, Weak};

use inklings_core::StorageError;
use inklings_sqlite::{Database, Fault};
use rusqlite::{Connection, params};

use crate::store::Store;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Increasing; gaps have no meaning.
    pub seq: i64,
    /// `skill`, `draft`, `input`, `setting`, `workspace`, `proposal`, `reference`.
    pub kind: String,
    pub id: String,
    /// Opaque id of the process or window that wrote it.
    pub origin: String,
}

/// Appends an entry, in the writer's transaction.
pub(crate) fn append(connection: &Connection, kind: &str, id: &str, origin: &str) -> Result<(), Fault> {
    connection.prepare_cached("INSERT INTO changes (kind, id, origin) VALUES (?1, ?2, ?3)")?.execute(params![kind, id, origin])?;
    Ok(())
}

/// Result of polling the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeedUpdate {
    /// Entries since the last poll.
    Changes(Vec<Change>),
    /// The file was replaced or removed: everything may have changed.
    Replaced,
}

/// Entries that are read at a time.
const PAGE_SIZE: i64 = 10_000;

/// Follows one store's feed across processes. Calls block.
#[derive(Debug, Default)]
pub struct ChangeFeed {
    /// Device and inode of the followed file.
    file: Option<(u64, u64)>,
    /// The open database. Weak: only the [`Store`] keeps it open.
    database: Weak<Database>,
    seq: i64,
    /// The version up to which all entries were read.
    seen: Option<i64>,
}

impl ChangeFeed {
    /// Starts at the current end of the feed.
    pub fn new(store: &Store) -> Result<Self, StorageError> {
        match store.database()? {
            Some(database) => Self::at_end(&database),
            None => Ok(Self::default()),
        }
    }

    fn at_end(database: &Arc<Database>) -> Result<Self, StorageError> {
        Ok(Self { file: database.identity(), database: Arc::downgrade(database), seq: last(database)?, seen: None })
    }

    /// Changes since the last poll. A file that was created meanwhile is followed from its first entry.
    pub fn poll(&mut self, store: &Store) -> Result<FeedUpdate, StorageError> {
        let Some(database) = store.database()? else {
            let is_following = std::mem::take(self).file.is_some();
            return Ok(if is_following { FeedUpdate::Replaced } else { FeedUpdate::Changes(Vec::new()) });
        };
        if self.file.is_some() && self.file != database.identity() {
            *self = Self::at_end(&database)?;
            return Ok(FeedUpdate::Replaced);
        }
        if !std::ptr::eq(self.database.as_ptr(), Arc::as_ptr(&database)) {
            // Versions are comparable only within one open connection.
            (self.file, self.database, self.seen) = (database.identity(), Arc::downgrade(&database), None);
        }
        let version = database.version()?;
        if self.seen == Some(version) {
            return Ok(FeedUpdate::Changes(Vec::new()));
        }
        let mut changes = Vec::new();
        loop {
            let page = match read(&database, self.seq) {
                Ok(page) => page,
                // The version isn't recorded, so that the next poll reads the rest.
                Err(error) if changes.is_empty() => return Err(error),
                Err(_) => return Ok(FeedUpdate::Changes(changes)),
            };
            let is_last = i64::try_from(page.len()).is_ok_and(|count| count < PAGE_SIZE);
            self.seq = page.last().map_or(self.seq, |change| change.seq);
            changes.extend(page);
            if is_last {
                self.seen = Some(version);
                return Ok(FeedUpdate::Changes(changes));
            }
        }
    }
}

fn read(database: &Database, since: i64) -> Result<Vec<Change>, StorageError> {
    database.read(|connection| {
        let mut statement = connection.prepare_cached("SELECT seq, kind, id, origin FROM changes WHERE seq > ?1 ORDER BY seq LIMIT ?2")?;
        let rows = statement.query_map([since, PAGE_SIZE], |row| {
            Ok(Change { seq: row.get(0)?, kind: row.get(1)?, id: row.get(2)?, origin: row.get(3)? })
        })?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    })
}

fn last(database: &Database) -> Result<i64, StorageError> {
    database.read(|connection| Ok(connection.query_row("SELECT coalesce(max(seq), 0) FROM changes", [], |row| row.get(0))?))
}
