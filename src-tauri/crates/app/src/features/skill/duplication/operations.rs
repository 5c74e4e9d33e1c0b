use inklings_rpc::{CallContext, Failure, operations};

use super::api::{MoveSkillParams, MovedSkill};
use super::service;
use crate::after_write::log_failure;
use crate::app::App;
use crate::wire::{SkillDetail, SkillRef};

fn fork(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillDetail, Failure> {
    let editor = app.editor(cx)?;
    let parent = editor.catalog.require(&params.skill, params.scope)?;
    Ok(service::fork(&editor, &parent)?)
}

fn duplicate(app: &App, cx: &CallContext, params: SkillRef) -> Result<SkillDetail, Failure> {
    let editor = app.editor(cx)?;
    let parent = editor.catalog.require(&params.skill, params.scope)?;
    Ok(service::duplicate(&editor, &parent)?)
}

fn move_skill(app: &App, cx: &CallContext, params: MoveSkillParams) -> Result<MovedSkill, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    let bindings = |path| app.scopes.bindings(path).map_err(|error| log_failure("references can't follow a moved skill", error)).ok();
    let references = cx.workspace.as_deref().and_then(bindings);
    Ok(service::move_skill(&editor, references.as_deref(), &skill, params.to, params.keep)?)
}

operations! { App;
    Fork = "skill/fork", Write["skill"], blocking fork(SkillRef) -> SkillDetail;
    Duplicate = "skill/duplicate", Write["skill"], blocking duplicate(SkillRef) -> SkillDetail;
    MoveSkill = "skill/move", Write["skill", "draft"], blocking move_skill(MoveSkillParams) -> MovedSkill;
}
