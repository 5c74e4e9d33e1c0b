use std::path::Path;

use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::{SearchSkillsParams, SearchStatus, SkillSearchResult};
use super::service;
use crate::app::App;

fn skills(app: &App, cx: &CallContext, params: SearchSkillsParams) -> Result<SkillSearchResult, Failure> {
    Ok(service::search(&app.search, cx.workspace.as_deref(), &app.catalog(cx)?, &params, &cx.cancel, &cx.progress)?)
}

fn status(app: &App, cx: &CallContext, _: NoParams) -> Result<SearchStatus, Failure> {
    Ok(app.search.status(cx.workspace.as_deref()))
}

/// Indexes the skills that changed, with their vectors. Blocks until it is done.
pub fn complete_index(app: &App, workspace: Option<&Path>) -> Result<(), Failure> {
    let cx = CallContext::local(workspace.map(Path::to_path_buf), app.origin.clone());
    app.search.complete(workspace, &app.catalog(&cx)?);
    Ok(())
}

operations! { App;
    GetSearchStatus = "search/status", ReadSkills, blocking status(NoParams) -> SearchStatus;
    /// Ranks the skills that fit a message, without asking a model.
    SearchSkills = "search/skills", ReadSkills, blocking skills(SearchSkillsParams) -> SkillSearchResult;
}
