//! Parameters and results of `app/*`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::Banner;
use crate::features::workspace::WorkspaceStatus;

/// What the app is and how it is.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AppStatus {
    /// Version of the app.
    pub version: String,
    /// The account's folder.
    pub home: String,
    /// The person's home folder, which paths are shortened by.
    pub user_home: Option<String>,
    /// Mark of this process in the change feed: changes with another origin come from elsewhere.
    pub origin: String,
    /// The open workspace.
    pub workspace: Option<WorkspaceStatus>,
    /// What to tell about the account.
    pub banners: Vec<Banner>,
    /// Number of visible skills.
    pub skills: usize,
    /// Where the sample workspace is or would be.
    pub sample_workspace: String,
}

/// What is known of the app, the machine and the databases.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Diagnostics {
    /// For people to read and to send.
    pub text: String,
}
