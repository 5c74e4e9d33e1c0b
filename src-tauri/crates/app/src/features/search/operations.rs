use inklings_rpc::{CallContext, Failure, operations};

use super::api::{SearchSkillsParams, SkillSearchResult};
use super::service;
use crate::app::App;

fn skills(app: &App, cx: &CallContext, params: SearchSkillsParams) -> Result<SkillSearchResult, Failure> {
    Ok(service::search(&app.search, cx.workspace.as_deref(), &app.catalog(cx)?, &params, &cx.cancel, &cx.progress)?)
}

operations! { App;
    /// Ranks the skills that fit a message, without asking a model.
    SearchSkills = "search/skills", Read, blocking skills(SearchSkillsParams) -> SkillSearchResult;
}
