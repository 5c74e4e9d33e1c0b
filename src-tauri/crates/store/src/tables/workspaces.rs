//! `workspaces`: the folders that were opened, in the account's database.

use inklings_core::StorageError;
use inklings_core::user::{GitExclude, RecentWorkspace};
use rusqlite::{OptionalExtension as _, params};

use crate::blob::broken;
use crate::feed;
use crate::store::Store;
use crate::tables::parse;

impl Store {
    pub(crate) fn note_workspace(&self, path: &str) -> Result<(), StorageError> {
        let now = self.now().to_string();
        self.write(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO workspaces (path, opened_at) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET opened_at = excluded.opened_at",
                )?
                .execute(params![path, now])?;
            Ok(())
        })
    }

    pub(crate) fn note_git_exclude(&self, path: &str, decision: GitExclude) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction
                .prepare_cached("UPDATE workspaces SET git_exclude = ?2 WHERE path = ?1")?
                .execute(params![path, decision.as_str()])?;
            Ok(())
        })
    }

    /// Whether code of the workspace may run.
    pub(crate) fn is_trusted(&self, path: &str) -> Result<bool, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT trusted_at IS NOT NULL FROM workspaces WHERE path = ?1")?;
            Ok(statement.query_row([path], |row| row.get(0)).optional()?.unwrap_or(false))
        })
    }

    pub(crate) fn note_trust(&self, path: &str, trusted: bool, origin: &str) -> Result<(), StorageError> {
        let now = self.now().to_string();
        self.write(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO workspaces (path, opened_at, trusted_at) VALUES (?1, ?2, iif(?3, ?2, NULL))
                     ON CONFLICT DO UPDATE SET trusted_at = excluded.trusted_at",
                )?
                .execute(params![path, now, trusted])?;
            feed::append(transaction, "workspace", path, origin)
        })
    }

    /// Removes a workspace from the list.
    pub(crate) fn forget_workspace(&self, path: &str, origin: &str) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction.prepare_cached("DELETE FROM workspaces WHERE path = ?1")?.execute([path])?;
            feed::append(transaction, "workspace", path, origin)
        })
    }

    /// Most recent first.
    pub(crate) fn recent_workspaces(&self) -> Result<Vec<RecentWorkspace>, StorageError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM workspaces ORDER BY opened_at DESC LIMIT 50")?;
            let mut rows = statement.query([])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                let decision: String = row.get("git_exclude")?;
                let git_exclude = [GitExclude::Ask, GitExclude::Done, GitExclude::Declined]
                    .into_iter()
                    .find(|known| known.as_str() == decision)
                    .ok_or_else(|| broken(&"unknown git_exclude"))?;
                let trusted = row.get::<_, Option<String>>("trusted_at")?.is_some();
                all.push(RecentWorkspace { path: row.get("path")?, opened_at: parse(row, "opened_at")?, git_exclude, trusted });
            }
            Ok(all)
        })
    }
}
