use inklings_core::SkillSummary;
use inklings_core::edit::TreeEdit;
use inklings_rpc::{CallContext, Failure, operations};

use super::api::{CreateParams, EditParams, EnableParams};
use super::service;
use crate::app::App;
use crate::wire::{EditResult, SkillDetail};

fn create(app: &App, cx: &CallContext, params: CreateParams) -> Result<SkillDetail, Failure> {
    Ok(service::create(&app.editor(cx)?, &params.name, params.description, params.content, params.scope)?)
}

fn edit(app: &App, cx: &CallContext, params: EditParams) -> Result<EditResult, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    let edits: Vec<TreeEdit> = params.changes.into_iter().map(Into::into).collect();
    Ok(service::edit(&editor, &skill, &edits, params.expected, params.why)?)
}

fn enable(app: &App, cx: &CallContext, params: EnableParams) -> Result<SkillSummary, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    Ok(service::enable(&editor, skill, params.enabled)?)
}

operations! { App;
    Create = "skill/create", Write["skill"], blocking create(CreateParams) -> SkillDetail;
    Edit = "skill/edit", Write["skill", "draft"], blocking edit(EditParams) -> EditResult;
    Enable = "skill/enable", Write["skill"], blocking enable(EnableParams) -> SkillSummary;
}
