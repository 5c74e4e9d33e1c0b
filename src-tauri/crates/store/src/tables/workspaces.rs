//! `workspaces`: the folders that were opened, in the account's database.

use inklings_core::StorageError;
use inklings_core::user::{GitExclude, RecentWorkspace};
use rusqlite::params;

use crate::blob::broken;
use crate::store::Store;
use crate::tables::parse;

impl Store {
    /// Notes that a workspace was opened just now.
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

    /// Notes the decision about git.
    pub(crate) fn note_git_exclude(&self, path: &str, decision: GitExclude) -> Result<(), StorageError> {
        self.write(|transaction| {
            transaction
                .prepare_cached("UPDATE workspaces SET git_exclude = ?2 WHERE path = ?1")?
                .execute(params![path, decision.as_str()])?;
            Ok(())
        })
    }

    /// The workspaces that were opened, last first.
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
                all.push(RecentWorkspace { path: row.get("path")?, opened_at: parse(row, "opened_at")?, git_exclude });
            }
            Ok(all)
        })
    }
}
