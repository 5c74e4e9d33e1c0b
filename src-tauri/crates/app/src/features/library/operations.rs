use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::{
    ApplyParams, BulkReport, LibraryCard, LibraryKeys, LibraryPage, LibraryParams, LibraryStats, RefusedSkill, SeekParams, SeekResult,
    UndoParams,
};
use super::bulk::{BulkEditor, BulkOutcome};
use super::service::LibraryService;
use crate::app::App;
use crate::wire::SkillRef;

fn library<'a>(app: &'a App, cx: &CallContext) -> Result<LibraryService<'a>, Failure> {
    Ok(LibraryService { catalog: app.catalog(cx)?, traces: app.trace_stores(cx)?.all, clock: app.clock.as_ref() })
}

fn list(app: &App, cx: &CallContext, params: LibraryParams) -> Result<LibraryPage, Failure> {
    Ok(library(app, cx)?.list(&params)?)
}

fn keys(app: &App, cx: &CallContext, params: LibraryParams) -> Result<LibraryKeys, Failure> {
    Ok(library(app, cx)?.keys(&params)?)
}

fn seek(app: &App, cx: &CallContext, params: SeekParams) -> Result<SeekResult, Failure> {
    Ok(library(app, cx)?.seek(&params)?)
}

fn stats(app: &App, cx: &CallContext, _: NoParams) -> Result<LibraryStats, Failure> {
    Ok(library(app, cx)?.stats()?)
}

fn card(app: &App, cx: &CallContext, params: SkillRef) -> Result<LibraryCard, Failure> {
    Ok(library(app, cx)?.card(&params)?)
}

fn bulk_editor<'a>(app: &'a App, cx: &'a CallContext) -> Result<BulkEditor<'a>, Failure> {
    Ok(BulkEditor { editor: app.editor(cx)?, other_workspaces: app.other_workspaces(cx) })
}

fn apply(app: &App, cx: &CallContext, params: ApplyParams) -> Result<BulkReport, Failure> {
    Ok(bulk_editor(app, cx)?.apply(params.skills, params.action)?.into())
}

fn undo(app: &App, cx: &CallContext, params: UndoParams) -> Result<BulkReport, Failure> {
    Ok(bulk_editor(app, cx)?.undo(params.steps)?.into())
}

impl From<BulkOutcome> for BulkReport {
    fn from(outcome: BulkOutcome) -> Self {
        let refused = outcome.refused.into_iter().map(|one| RefusedSkill {
            skill: one.skill,
            scope: one.scope,
            name: one.name,
            failure: one.error.into(),
        });
        Self { done: outcome.changed, failed: refused.collect() }
    }
}

operations! { App;
    ListLibrary = "library/list", ReadSkills, blocking list(LibraryParams) -> LibraryPage;
    /// The ids of all matching skills, for a selection that spans pages.
    ListKeys = "library/keys", ReadSkills, blocking keys(LibraryParams) -> LibraryKeys;
    Seek = "library/seek", ReadSkills, blocking seek(SeekParams) -> SeekResult;
    Stats = "library/stats", ReadSkills, blocking stats(NoParams) -> LibraryStats;
    Card = "library/card", ReadSkills, blocking card(SkillRef) -> LibraryCard;
    Apply = "library/apply", Local["skill", "draft", "export"], blocking apply(ApplyParams) -> BulkReport;
    UndoMany = "library/undo", Write["skill"], blocking undo(UndoParams) -> BulkReport;
}
