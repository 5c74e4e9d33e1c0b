use inklings_rpc::{CallContext, Done, Failure, NoParams, operations};

use super::api::{DiscardDraftParams, DraftList, SaveDraftParams, SaveDraftResult, SkillDrafts};
use super::service::Drafts;
use crate::app::App;
use crate::wire::SkillRef;

fn drafts<'a>(app: &'a App, cx: &'a CallContext) -> Result<Drafts<'a>, Failure> {
    Ok(Drafts { catalog: app.catalog(cx)?, user: app.user.as_ref(), clock: app.clock.as_ref(), caller: App::caller(cx) })
}

fn save(app: &App, cx: &CallContext, params: SaveDraftParams) -> Result<SaveDraftResult, Failure> {
    let drafts = drafts(app, cx)?;
    let skill = drafts.skill(&params.skill, params.scope)?;
    drafts.caller.ensure_may_change(&skill)?;
    Ok(drafts.save(&skill, params.path, params.base_revision, params.text)?)
}

fn list(app: &App, cx: &CallContext, _: NoParams) -> Result<DraftList, Failure> {
    Ok(drafts(app, cx)?.list()?)
}

fn get(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillDrafts, Failure> {
    let drafts = drafts(app, cx)?;
    let skill = drafts.skill(&params.skill, params.scope)?;
    cx.require_scope(skill.head.scope)?;
    Ok(drafts.of_skill(&skill)?)
}

fn discard(app: &App, cx: &CallContext, params: DiscardDraftParams) -> Result<Done, Failure> {
    let drafts = drafts(app, cx)?;
    let skill = drafts.skill(&params.skill, params.scope)?;
    drafts.caller.ensure_may_change(&skill)?;
    drafts.discard(&skill, params.path, params.updated_at)?;
    Ok(Done {})
}

operations! { App;
    SaveDraft = "draft/save", Write["draft"], blocking save(SaveDraftParams) -> SaveDraftResult;
    ListDrafts = "draft/list", Read, blocking list(NoParams) -> DraftList;
    GetDrafts = "draft/get", Read, blocking get(SkillRef) -> SkillDrafts;
    DiscardDraft = "draft/discard", Write["draft"], blocking discard(DiscardDraftParams) -> Done;
}
