//! `app/*`: what the app is and how it is.

use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::AppStatus;
use crate::app::App;
use crate::features::workspace::WorkspaceStatus;

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
