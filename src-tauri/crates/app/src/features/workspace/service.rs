use std::path::{Path, PathBuf};

use inklings_core::user::{GitExclude, RecentWorkspace};
use inklings_core::{StorageError, UserData};

use super::api::{RecentEntry, WorkspaceStatus};
use super::error::WorkspaceError;
use crate::workspace_manager::WorkspaceManager;

/// Opens workspaces and keeps what the person decided about them.
pub(crate) struct WorkspaceService<'a> {
    pub(crate) workspaces: &'a dyn WorkspaceManager,
    pub(crate) user: &'a dyn UserData,
}

impl WorkspaceService<'_> {
    pub(super) fn open(&self, path: &Path) -> Result<WorkspaceStatus, WorkspaceError> {
        let status = self.status(path)?;
        self.user.note_workspace(&status.path)?;
        Ok(status)
    }

    pub(super) fn open_sample(&self) -> Result<WorkspaceStatus, WorkspaceError> {
        self.open(&self.workspaces.sample()?)
    }

    pub(crate) fn status(&self, path: &Path) -> Result<WorkspaceStatus, WorkspaceError> {
        let state = self.workspaces.inspect(path)?;
        let shown = state.path.display().to_string();
        let decision = self.user.recent_workspaces()?.into_iter().find(|known| known.path == shown).map(|known| known.git_exclude);
        let repository = self.workspaces.workspace(&state.path)?;
        Ok(WorkspaceStatus {
            name: folder_name(&state.path),
            trusted: self.user.is_trusted(&shown)?,
            writable: state.writable,
            has_store: state.has_store,
            skills: usize::try_from(repository.count_skills()?).unwrap_or(usize::MAX),
            pages: state.pages,
            git_exclude_offer: state.in_git && state.writable && decision.is_none_or(|decision| decision == GitExclude::Ask),
            banners: state.banners,
            path: shown,
        })
    }

    /// Newest first.
    pub(super) fn recent(&self) -> Result<Vec<RecentEntry>, StorageError> {
        let entry = |known: RecentWorkspace| {
            let path = PathBuf::from(&known.path);
            RecentEntry {
                name: folder_name(&path),
                exists: path.is_dir(),
                opened_at: known.opened_at,
                trusted: known.trusted,
                path: known.path,
            }
        };
        Ok(self.user.recent_workspaces()?.into_iter().map(entry).collect())
    }

    pub(super) fn decide_git_exclude(&self, path: &Path, accept: bool) -> Result<(), WorkspaceError> {
        if accept {
            self.workspaces.exclude_from_git(path)?;
        }
        let decision = if accept { GitExclude::Done } else { GitExclude::Declined };
        Ok(self.user.note_git_exclude(&path.display().to_string(), decision)?)
    }

    /// Decides about the workspace that is open.
    pub(super) fn trust_open(&self, path: &Path, trusted: bool, origin: &str) -> Result<(), WorkspaceError> {
        Ok(self.user.note_trust(&path.display().to_string(), trusted, origin)?)
    }

    /// Decides about a workspace that was opened before.
    pub(super) fn trust_recent(&self, path: &str, trusted: bool, origin: &str) -> Result<(), WorkspaceError> {
        self.require_recent(path)?;
        Ok(self.user.note_trust(path, trusted, origin)?)
    }

    pub(super) fn forget(&self, path: &str, origin: &str) -> Result<(), WorkspaceError> {
        self.require_recent(path)?;
        Ok(self.user.forget_workspace(path, origin)?)
    }

    fn require_recent(&self, path: &str) -> Result<(), WorkspaceError> {
        if self.user.recent_workspaces()?.iter().any(|known| known.path == path) {
            return Ok(());
        }
        Err(WorkspaceError::NeverOpened(path.to_owned()))
    }
}

/// The last part of a path; the whole path of a root.
fn folder_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
