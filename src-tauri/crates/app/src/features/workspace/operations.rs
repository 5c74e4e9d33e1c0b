//! `workspace/*`: folders that are opened.

use std::path::Path;

use inklings_core::user::GitExclude;
use inklings_rpc::{CallContext, Code, Done, Failure, NoParams, operations};

use super::api::{ForgetParams, GitExcludeParams, OpenParams, RecentEntry, RecentList, TrustParams, WorkspaceStatus};
use crate::app::App;
use crate::features::path::expand;

impl WorkspaceStatus {
    /// The state of the workspace at `path`.
    pub(crate) fn of(app: &App, path: &Path) -> Result<Self, Failure> {
        let state = app.scopes.inspect(path)?;
        let name = state.path.file_name().map_or_else(|| state.path.display().to_string(), |name| name.to_string_lossy().into_owned());
        let shown = state.path.display().to_string();
        let decided = app.user.recent_workspaces()?.into_iter().find(|known| known.path == shown).map(|known| known.git_exclude);
        let repository = app.scopes.workspace(&state.path)?;
        Ok(Self {
            name,
            trusted: app.user.is_trusted(&shown)?,
            writable: state.writable,
            has_store: state.has_store,
            skills: usize::try_from(repository.count_skills()?).unwrap_or(usize::MAX),
            pages: state.pages,
            git_exclude_offer: state.in_git && state.writable && decided.is_none_or(|decision| decision == GitExclude::Ask),
            banners: state.banners,
            path: shown,
        })
    }
}

fn open(app: &App, _: &CallContext, params: OpenParams) -> Result<WorkspaceStatus, Failure> {
    open_path(app, &expand(&params.path)?)
}

fn open_path(app: &App, path: &Path) -> Result<WorkspaceStatus, Failure> {
    let status = WorkspaceStatus::of(app, path)?;
    app.user.note_workspace(&status.path)?;
    Ok(status)
}

fn open_sample(app: &App, _: &CallContext, _: NoParams) -> Result<WorkspaceStatus, Failure> {
    open_path(app, &app.scopes.sample()?)
}

fn recent(app: &App, _: &CallContext, _: NoParams) -> Result<RecentList, Failure> {
    let entry = |known: inklings_core::user::RecentWorkspace| {
        let path = Path::new(&known.path);
        let name = path.file_name().map_or_else(|| known.path.clone(), |name| name.to_string_lossy().into_owned());
        RecentEntry { name, exists: path.is_dir(), opened_at: known.opened_at, trusted: known.trusted, path: known.path.clone() }
    };
    Ok(RecentList { workspaces: app.user.recent_workspaces()?.into_iter().map(entry).collect() })
}

fn git_exclude(app: &App, cx: &CallContext, params: GitExcludeParams) -> Result<Done, Failure> {
    let path = cx.workspace.as_deref().ok_or_else(|| Failure::invalid("no workspace is open").hint("open a folder first"))?;
    if params.accept {
        app.scopes.exclude_from_git(path)?;
    }
    let decision = if params.accept { GitExclude::Done } else { GitExclude::Declined };
    app.user.note_git_exclude(&path.display().to_string(), decision)?;
    Ok(Done {})
}

fn trust(app: &App, cx: &CallContext, params: TrustParams) -> Result<Done, Failure> {
    let path = if let Some(path) = params.path {
        known(app, path)?
    } else {
        let open = cx.workspace.as_deref().ok_or_else(|| Failure::invalid("no workspace is open").hint("open a folder first"))?;
        open.display().to_string()
    };
    app.user.note_trust(&path, params.trusted, &cx.origin)?;
    Ok(Done {})
}

/// Refuses a folder that was never opened: nobody has looked at what is in it.
fn known(app: &App, path: String) -> Result<String, Failure> {
    if app.user.recent_workspaces()?.iter().any(|known| known.path == path) {
        return Ok(path);
    }
    Err(Failure::new(Code::NotFound, format!("{path} isn't in the list of workspaces")).hint("open the folder first"))
}

fn forget(app: &App, cx: &CallContext, params: ForgetParams) -> Result<Done, Failure> {
    app.user.forget_workspace(&known(app, params.path)?, &cx.origin)?;
    Ok(Done {})
}

operations! { App;
    Open = "workspace/open", Admin["workspace", "skill"], blocking open(OpenParams) -> WorkspaceStatus;
    OpenSample = "workspace/open_sample", Admin["workspace", "skill"], blocking open_sample(NoParams) -> WorkspaceStatus;
    Recent = "workspace/recent", Read, blocking recent(NoParams) -> RecentList;
    ExcludeFromGit = "workspace/git_exclude", Admin["workspace"], blocking git_exclude(GitExcludeParams) -> Done;
    /// Lets what is in a workspace run and call models, or no longer.
    Trust = "workspace/trust", Admin["workspace"], blocking trust(TrustParams) -> Done;
    /// Removes a folder from the list of workspaces, with its trust. The folder itself and its drafts stay.
    Forget = "workspace/forget", Admin["workspace"], blocking forget(ForgetParams) -> Done;
}
