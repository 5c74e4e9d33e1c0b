//! `app/*`: what the app is and how it is.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{App, Banner};
use crate::ops::workspace::WorkspaceStatus;
use inklings_rpc::{CallContext, Failure, NoParams, operations};

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

fn status(app: &App, cx: &CallContext, _: NoParams) -> Result<AppStatus, Failure> {
    Ok(AppStatus {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        home: app.scopes.home().display().to_string(),
        user_home: app.places.as_ref().map(|places| places.home.display().to_string()),
        origin: app.origin.clone(),
        workspace: cx.workspace.as_deref().map(|path| WorkspaceStatus::of(app, path)).transpose()?,
        banners: app.scopes.banners(),
        skills: app.catalog(cx)?.list_all()?.len(),
        sample_workspace: app.scopes.sample_path().display().to_string(),
    })
}

operations! { App;
    Status = "app/status", Read, blocking status(NoParams) -> AppStatus;
}
