//! The port to the databases of both scopes and to the folders that they are in.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inklings_core::binding::Bindings;
use inklings_core::files::WorkspaceFiles;
use inklings_core::pages::Pages;
use inklings_core::{CancellationToken, ProgressReporter, SkillStorageRepository, StorageError, TraceStore};
use inklings_links::LinkedScope;
use inklings_rpc::{Code, Failure};
use schemars::JsonSchema;
use serde::Serialize;

use crate::features::db::{DatabaseCheck, DatabaseCopy, RestoredDatabase};

/// A message about the app's or a workspace's state, shown until the state changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Banner {
    pub severity: inklings_core::Severity,
    pub message: String,
    pub hint: Option<String>,
    /// Operation that does what the hint says, if one does.
    pub action: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceState {
    /// Absolute and without links.
    pub path: PathBuf,
    pub writable: bool,
    /// Whether it has an agents.db.
    pub has_store: bool,
    /// Number of markdown pages.
    pub pages: u32,
    /// Whether it is a git repository that doesn't ignore our files yet.
    pub in_git: bool,
    pub banners: Vec<Banner>,
}

/// Why a workspace can't be opened or used.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceAccessError {
    #[error("folder not found: {}", .0.display())]
    NotFound(PathBuf),
    #[error("{} isn't a folder", .0.display())]
    NotAFolder(PathBuf),
    #[error("the path {} isn't valid UTF-8", .0.display())]
    NotUtf8(PathBuf),
    #[error("{} is the folder of your account", .0.display())]
    AccountFolder(PathBuf),
    /// A subfolder of a repository, or a worktree, whose `.git` is a file.
    #[error("{} isn't the top of a git repository", .0.display())]
    NotARepository(PathBuf),
    #[error("no permission to open {}", .0.display())]
    PermissionDenied(PathBuf),
    #[error("{}: {source}", .path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<WorkspaceAccessError> for Failure {
    fn from(error: WorkspaceAccessError) -> Self {
        let message = error.to_string();
        match error {
            WorkspaceAccessError::NotFound(_) => {
                Self::new(Code::NotFound, message).hint("check the path; if the folder was moved, open it at its new path")
            }
            WorkspaceAccessError::NotAFolder(_) => Self::invalid(message).hint("choose the folder that contains it"),
            WorkspaceAccessError::NotUtf8(_) => Self::invalid(message).hint("rename the folder"),
            WorkspaceAccessError::AccountFolder(_) => Self::invalid(message).hint("choose another folder as the workspace"),
            WorkspaceAccessError::NotARepository(_) => Self::invalid(message).hint("add agents.db* and .inklings/ to .gitignore instead"),
            WorkspaceAccessError::PermissionDenied(_) => Self::new(Code::ReadOnly, message).hint("check the permissions of the folder"),
            WorkspaceAccessError::Io { .. } => Self::new(Code::Io, message).hint("check the disk and the permissions of the folder"),
            WorkspaceAccessError::Storage(error) => error.into(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseFile {
    pub path: PathBuf,
    /// None if there is no file.
    pub bytes: Option<u64>,
    /// Bytes of the write-ahead log.
    pub log_bytes: u64,
    /// As it was found when it was opened.
    pub health: String,
}

/// The databases of both scopes and the folders they are in. Calls block. A path must be an existing folder.
pub trait WorkspaceManager: Send + Sync {
    /// The account's repository.
    fn account(&self) -> Arc<dyn SkillStorageRepository>;
    /// A workspace's repository.
    fn workspace(&self, path: &Path) -> Result<Arc<dyn SkillStorageRepository>, WorkspaceAccessError>;
    /// A workspace or the account, for synchronizing its linked skills.
    fn linked_scope(&self, workspace: Option<&Path>) -> Result<LinkedScope, WorkspaceAccessError>;
    /// Where runs are traced: the workspace's file if it takes writes, else the account's.
    fn traces(&self, workspace: Option<&Path>) -> Result<Arc<dyn TraceStore>, WorkspaceAccessError>;
    fn pages(&self, path: &Path) -> Result<Arc<dyn Pages>, WorkspaceAccessError>;
    fn files(&self, path: &Path) -> Result<Arc<dyn WorkspaceFiles>, WorkspaceAccessError>;
    fn bindings(&self, path: &Path) -> Result<Arc<dyn Bindings>, WorkspaceAccessError>;
    /// The workspaces that this process has open, by folder.
    fn open_workspaces(&self) -> Vec<(PathBuf, Arc<dyn SkillStorageRepository>)>;
    /// Opens the workspace in a folder and tells its state.
    fn inspect(&self, path: &Path) -> Result<WorkspaceState, WorkspaceAccessError>;
    /// Whether the folder has a database of skills. Opens nothing.
    fn has_store(&self, path: &Path) -> bool;
    /// The sample workspace's folder, created if it doesn't exist.
    fn sample(&self) -> Result<PathBuf, WorkspaceAccessError>;
    /// Where the sample workspace is or would be.
    fn sample_path(&self) -> PathBuf;
    /// Adds our files to `.git/info/exclude`. Refused unless the folder has a `.git` folder.
    fn exclude_from_git(&self, path: &Path) -> Result<(), WorkspaceAccessError>;
    /// The account's folder.
    fn account_dir(&self) -> PathBuf;
    /// Banners about the account.
    fn banners(&self) -> Vec<Banner>;
    /// Checks every page and index of a workspace's database; of the account's without one.
    fn check_database(&self, workspace: Option<&Path>, cancel: &CancellationToken) -> Result<DatabaseCheck, WorkspaceAccessError>;
    /// Copies such a database to a file that doesn't exist yet, while it is in use.
    fn back_up_database(
        &self,
        workspace: Option<&Path>,
        to: &Path,
        cancel: &CancellationToken,
        progress: &ProgressReporter,
    ) -> Result<DatabaseCopy, WorkspaceAccessError>;
    /// Replaces such a database by a copy. Nothing of this process uses it meanwhile.
    fn restore_database(
        &self,
        workspace: Option<&Path>,
        from: &Path,
        cancel: &CancellationToken,
        progress: &ProgressReporter,
    ) -> Result<RestoredDatabase, WorkspaceAccessError>;
    /// The databases that are open, the account's first.
    fn databases(&self) -> Vec<DatabaseFile>;
}
