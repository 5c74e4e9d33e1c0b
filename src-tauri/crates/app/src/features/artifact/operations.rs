use inklings_rpc::{CallContext, Failure, operations};

use super::api::{DeclareParams, UndeclareParams};
use super::error::ArtifactError;
use super::service;
use crate::app::App;
use crate::wire::EditResult;

fn declare(app: &App, cx: &CallContext, params: DeclareParams) -> Result<EditResult, Failure> {
    if params.name.trim().is_empty() {
        return Err(ArtifactError::NoName.into());
    }
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    Ok(service::declare(&editor, &skill, &params)?)
}

fn undeclare(app: &App, cx: &CallContext, params: UndeclareParams) -> Result<EditResult, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    Ok(service::undeclare(&editor, &skill, &params.path)?)
}

operations! { App;
    Declare = "artifact/declare", UpdateSkills["skill"], blocking declare(DeclareParams) -> EditResult;
    Undeclare = "artifact/undeclare", UpdateSkills["skill"], blocking undeclare(UndeclareParams) -> EditResult;
}
