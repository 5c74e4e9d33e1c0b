use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::{DeleteParams, Deleted, DeletedContent, DeletedFileParams, DeletedList, RestoreParams};
use super::service::{self, DeletionPlan};
use crate::app::App;
use crate::wire::{RevisionFile, SkillDetail};

fn delete(app: &App, cx: &CallContext, params: DeleteParams) -> Result<Deleted, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    let plan = DeletionPlan::new(&editor.catalog, &app.other_workspaces(cx), &[&skill])?;
    Ok(service::delete(&editor, &plan, &skill, params.expected.unwrap_or(skill.head.revision))?)
}

fn deleted(app: &App, cx: &CallContext, _: NoParams) -> Result<DeletedList, Failure> {
    Ok(service::list_deleted(&app.catalog(cx)?)?)
}

fn deleted_files(app: &App, cx: &CallContext, params: RestoreParams) -> Result<DeletedContent, Failure> {
    Ok(service::deleted_files(&app.catalog(cx)?, &app.folder, params.id, params.scope)?)
}

fn deleted_file(app: &App, cx: &CallContext, params: DeletedFileParams) -> Result<RevisionFile, Failure> {
    Ok(service::deleted_file(&app.catalog(cx)?, params.id, params.scope, &params.path)?)
}

fn restore(app: &App, cx: &CallContext, params: RestoreParams) -> Result<SkillDetail, Failure> {
    let editor = app.editor(cx)?;
    let skill = service::restore(&editor, params.id, params.scope)?;
    Ok(editor.written_detail(&skill))
}

operations! { App;
    Delete = "skill/delete", Write["skill", "draft"], blocking delete(DeleteParams) -> Deleted;
    /// What can be restored.
    ListDeleted = "skill/deleted", Read, blocking deleted(NoParams) -> DeletedList;
    ReadDeleted = "skill/deleted_files", Read, blocking deleted_files(RestoreParams) -> DeletedContent;
    ReadDeletedFile = "skill/deleted_file", Read, blocking deleted_file(DeletedFileParams) -> RevisionFile;
    Restore = "skill/restore", Write["skill"], blocking restore(RestoreParams) -> SkillDetail;
}
