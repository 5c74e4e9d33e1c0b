use inklings_core::change::RevisionFilter;
use inklings_rpc::{CallContext, Failure, operations};

use super::api::{History, HistoryParams, RestoreFilesParams, RevertParams, RevisionParams, RollbackParams};
use super::service;
use crate::app::App;
use crate::wire::{EditResult, RevisionFile};

fn history(app: &App, cx: &CallContext, params: HistoryParams) -> Result<History, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    let repository = catalog.holder(skill.head.id, skill.head.scope)?;
    let filter = RevisionFilter { before: params.before, path: params.path };
    Ok(service::list(repository.as_ref(), &skill, &filter, params.limit)?)
}

fn revision(app: &App, cx: &CallContext, params: RevisionParams) -> Result<RevisionFile, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    let repository = catalog.holder(skill.head.id, skill.head.scope)?;
    Ok(service::read(repository.as_ref(), &skill, params.number, &params.path)?)
}

fn rollback(app: &App, cx: &CallContext, params: RollbackParams) -> Result<EditResult, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    let saved = service::roll_back(&editor, &skill, params.number, params.expected)?;
    Ok(editor.edit_result(saved))
}

fn restore_files(app: &App, cx: &CallContext, params: RestoreFilesParams) -> Result<EditResult, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    let saved = service::restore_files(&editor, &skill, &params.paths, params.number, params.expected)?;
    Ok(editor.edit_result(saved))
}

fn revert(app: &App, cx: &CallContext, params: RevertParams) -> Result<EditResult, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    let saved = service::revert(&editor, &skill, params.from, params.to)?;
    Ok(editor.edit_result(saved))
}

operations! { App;
    ListRevisions = "skill/history", Read, blocking history(HistoryParams) -> History;
    ReadRevision = "skill/revision", Read, blocking revision(RevisionParams) -> RevisionFile;
    Rollback = "skill/rollback", Write["skill"], blocking rollback(RollbackParams) -> EditResult;
    RestoreFiles = "skill/restore_files", Write["skill"], blocking restore_files(RestoreFilesParams) -> EditResult;
    /// Unlike a rollback, what was written since to other files stays.
    Revert = "skill/revert", Write["skill"], blocking revert(RevertParams) -> EditResult;
}
