//! Parameters and results of `workspace/*`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::Banner;

/// An open workspace.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct WorkspaceStatus {
    /// Its folder, absolute: what later calls name it by.
    pub path: String,
    /// The folder's name.
    pub name: String,
    /// Whether it can be written.
    pub writable: bool,
    /// Whether it has skills of its own.
    pub has_store: bool,
    /// Number of its own skills.
    pub skills: usize,
    /// Number of markdown pages.
    pub pages: u32,
    /// Whether the person trusts it: nothing from it runs before.
    pub trusted: bool,
    /// Whether to offer keeping our files out of its git repository.
    pub git_exclude_offer: bool,
    /// What to tell about it.
    pub banners: Vec<Banner>,
}

/// Names a folder.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenParams {
    /// The folder; `~` stands for the home folder.
    pub path: String,
}

/// A workspace that was opened before.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RecentEntry {
    /// Its folder.
    pub path: String,
    /// The folder's name.
    pub name: String,
    /// When it was opened last.
    pub opened_at: inklings_core::Time,
    /// Whether the folder is still there.
    pub exists: bool,
    /// Whether the person trusts it.
    pub trusted: bool,
}

/// The workspaces that were opened.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RecentList {
    /// Last opened first.
    pub workspaces: Vec<RecentEntry>,
}

/// The decision about git.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GitExcludeParams {
    /// Whether to add our files to `.git/info/exclude`.
    pub accept: bool,
}

/// Whether a workspace is trusted.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrustParams {
    /// Whether what is in it may run and call models.
    pub trusted: bool,
    /// The folder of a workspace that was opened before; the open one without.
    #[serde(default)]
    pub path: Option<String>,
}

/// Names a workspace that was opened before.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgetParams {
    /// Its folder.
    pub path: String,
}
