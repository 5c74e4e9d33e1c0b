use inklings_rpc::{CallContext, Done, Failure, NoParams, operations};

use super::api::{ForgetParams, GitExcludeParams, OpenParams, RecentList, TrustParams, WorkspaceStatus};
use super::service::WorkspaceService;
use crate::app::App;
use crate::features::path::expand;

fn open(app: &App, _: &CallContext, params: OpenParams) -> Result<WorkspaceStatus, Failure> {
    Ok(app.workspace_service().open(&expand(&params.path)?)?)
}

fn open_sample(app: &App, _: &CallContext, _: NoParams) -> Result<WorkspaceStatus, Failure> {
    Ok(app.workspace_service().open_sample()?)
}

fn recent(app: &App, _: &CallContext, _: NoParams) -> Result<RecentList, Failure> {
    Ok(RecentList { workspaces: app.workspace_service().recent()? })
}

fn git_exclude(app: &App, cx: &CallContext, params: GitExcludeParams) -> Result<Done, Failure> {
    app.workspace_service().decide_git_exclude(cx.require_workspace()?, params.accept)?;
    Ok(Done {})
}

fn trust(app: &App, cx: &CallContext, params: TrustParams) -> Result<Done, Failure> {
    let service = app.workspace_service();
    match params.path {
        Some(path) => service.trust_recent(&path, params.trusted, &cx.origin)?,
        None => service.trust_open(cx.require_workspace()?, params.trusted, &cx.origin)?,
    }
    Ok(Done {})
}

fn forget(app: &App, cx: &CallContext, params: ForgetParams) -> Result<Done, Failure> {
    app.workspace_service().forget(&params.path, &cx.origin)?;
    Ok(Done {})
}

impl App {
    pub(crate) fn workspace_service(&self) -> WorkspaceService<'_> {
        WorkspaceService { workspaces: self.workspaces.as_ref(), user: self.user.as_ref() }
    }
}

operations! { App;
    Open = "workspace/open", Local["workspace", "skill"], blocking open(OpenParams) -> WorkspaceStatus;
    OpenSample = "workspace/open_sample", Local["workspace", "skill"], blocking open_sample(NoParams) -> WorkspaceStatus;
    Recent = "workspace/recent", Read, blocking recent(NoParams) -> RecentList;
    ExcludeFromGit = "workspace/git_exclude", Local["workspace"], blocking git_exclude(GitExcludeParams) -> Done;
    /// Allows what is in a workspace to run and to call models, or no longer.
    Trust = "workspace/trust", Local["workspace"], blocking trust(TrustParams) -> Done;
    /// Removes a folder from the list of recent workspaces, with its trust. The folder and its drafts stay.
    Forget = "workspace/forget", Local["workspace"], blocking forget(ForgetParams) -> Done;
}
