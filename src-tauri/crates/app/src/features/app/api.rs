use schemars::JsonSchema;
use serde::Serialize;

use crate::features::workspace::WorkspaceStatus;
use crate::workspace_manager::Banner;

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AppStatus {
    pub version: String,
    /// The account's folder.
    pub home: String,
    /// The person's home folder, which is shown as `~`.
    pub user_home: Option<String>,
    /// Id of this process in the change feed: changes with another origin come from elsewhere.
    pub origin: String,
    /// The open workspace.
    pub workspace: Option<WorkspaceStatus>,
    /// Banners about the account.
    pub banners: Vec<Banner>,
    /// Number of visible skills.
    pub skills: usize,
    /// Where the sample workspace is or would be.
    pub sample_workspace: String,
}

/// Facts about the app, the machine and the databases.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Diagnostics {
    /// Plain text.
    pub text: String,
}
