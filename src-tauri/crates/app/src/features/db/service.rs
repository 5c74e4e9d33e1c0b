use std::borrow::Cow;
use std::path::Path;

use inklings_core::{CancellationToken, Clock, ProgressReporter};

use super::api::{DatabaseCopy, RestoredDatabase};
use super::error::DatabaseError;
use crate::check_cache::CheckCache;
use crate::features::run::ActiveRuns;
use crate::list_cache::ListCache;
use crate::workspace_manager::{WorkspaceAccessError, WorkspaceManager};

/// Backs up and restores the database of a workspace, or the account's.
pub(super) struct DatabaseService<'a> {
    pub(super) workspaces: &'a dyn WorkspaceManager,
    /// None for the account.
    pub(super) workspace: Option<&'a Path>,
    pub(super) clock: &'a dyn Clock,
    pub(super) runs: &'a ActiveRuns,
    pub(super) checks: &'a CheckCache,
    pub(super) lists: &'a ListCache,
    pub(super) cancel: &'a CancellationToken,
    pub(super) progress: &'a ProgressReporter,
}

impl DatabaseService<'_> {
    /// `to` is the file to create, or a folder, in which the file is named by scope and time.
    pub(super) fn back_up(&self, to: &Path) -> Result<DatabaseCopy, WorkspaceAccessError> {
        let file =
            if to.is_dir() { Cow::Owned(to.join(backup_name(self.workspace, &self.clock.now().to_string()))) } else { Cow::Borrowed(to) };
        self.workspaces.back_up_database(self.workspace, &file, self.cancel, self.progress)
    }

    /// Refused while runs are active, which would go on writing to the replaced database.
    pub(super) fn restore(&self, from: &Path) -> Result<RestoredDatabase, DatabaseError> {
        match self.runs.count() {
            0 => {}
            1 => return Err(DatabaseError::RunActive),
            count => return Err(DatabaseError::RunsActive(count)),
        }
        let restored = self.workspaces.restore_database(self.workspace, from, self.cancel, self.progress)?;
        // What is cached by revision or version: the same ones of another file have other content.
        self.checks.clear();
        self.lists.clear();
        Ok(restored)
    }
}

/// `inklings-account-2026-03-14-093000.db`
fn backup_name(workspace: Option<&Path>, now: &str) -> String {
    let scope = workspace.and_then(Path::file_name).map_or_else(|| "account".into(), |name| name.to_string_lossy());
    let (day, time) = now.split_once('T').unwrap_or((now, ""));
    let time: String = time.chars().filter(char::is_ascii_digit).take(6).collect();
    format!("inklings-{scope}-{day}-{time}.db")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_named_by_scope_and_time() {
        assert_eq!(backup_name(None, "2026-03-14T09:30:00.123Z"), "inklings-account-2026-03-14-093000.db");
        assert_eq!(backup_name(Some(Path::new("/home/ada/notes")), "2026-03-14T09:30:00Z"), "inklings-notes-2026-03-14-093000.db");
    }
}
