use std::path::Path;

use inklings_core::SkillCatalog;
use inklings_targets::AgentDirs;

use super::api::AppStatus;
use crate::features::workspace::error::WorkspaceError;
use crate::features::workspace::service::WorkspaceService;

pub(super) struct StatusService<'a> {
    pub(super) workspaces: WorkspaceService<'a>,
    pub(super) agent_dirs: Option<&'a AgentDirs>,
    /// See [`AppStatus::origin`].
    pub(super) origin: &'a str,
}

impl StatusService<'_> {
    pub(super) fn status(&self, catalog: &SkillCatalog, workspace: Option<&Path>) -> Result<AppStatus, WorkspaceError> {
        let manager = self.workspaces.workspaces;
        Ok(AppStatus {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            home: manager.account_dir().display().to_string(),
            user_home: self.agent_dirs.map(|dirs| dirs.home.display().to_string()),
            origin: self.origin.to_owned(),
            workspace: workspace.map(|path| self.workspaces.status(path)).transpose()?,
            banners: manager.banners(),
            skills: catalog.list_all()?.len(),
            sample_workspace: manager.sample_path().display().to_string(),
        })
    }
}
