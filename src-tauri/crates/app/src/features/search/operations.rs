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

operations! { App;
    GetSearchStatus = "search/status", Read, blocking status(NoParams) -> SearchStatus;
    /// Ranks the skills that fit a message, without asking a model.
    SearchSkills = "search/skills", Read, blocking skills(SearchSkillsParams) -> SkillSearchResult;
}
