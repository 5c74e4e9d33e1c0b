use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::workspace_manager::Banner;

/// An open workspace.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct WorkspaceStatus {
    /// Absolute path, to be used in later calls.
    pub path: String,
    /// The folder's name.
    pub name: String,
    pub writable: bool,
    /// Whether it has an agents.db.
    pub has_store: bool,
    /// Number of its own skills.
    pub skills: usize,
    /// Number of markdown pages.
    pub pages: u32,
    /// Whether the user trusts it. Nothing of an untrusted workspace runs.
    pub trusted: bool,
    /// Whether to offer to exclude our files from its git repository.
    pub git_exclude_offer: bool,
    pub banners: Vec<Banner>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenParams {
    /// Path of the folder. `~` is the home folder.
    pub path: String,
}

/// A workspace that was opened before.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RecentEntry {
    pub path: String,
    /// The folder's name.
    pub name: String,
    /// When it was opened last.
    pub opened_at: inklings_core::Time,
    /// Whether the folder still exists.
    pub exists: bool,
    pub trusted: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RecentList {
    /// Last opened first.
    pub workspaces: Vec<RecentEntry>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GitExcludeParams {
    /// Whether to add our files to `.git/info/exclude`.
    pub accept: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrustParams {
    /// Whether skills of the workspace may run and call models.
    pub trusted: bool,
    /// Folder of a workspace that was opened before. [default: the open one]
    #[serde(default)]
    pub path: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgetParams {
    /// Folder of a workspace that was opened before.
    pub path: String,
}
