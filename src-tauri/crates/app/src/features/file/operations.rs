use inklings_rpc::{CallContext, Failure, operations};

use super::api::{
    AddParams, AddedFiles, BytesParams, CopyParams, DeleteFilesParams, FileBytes, FileContent, FindParams, MoveParams, NameMatches,
};
use super::{copying, deleting, moving, reading, search};
use crate::app::App;
use crate::wire::{EditResult, FileRef};

fn read(app: &App, cx: &CallContext, params: FileRef) -> Result<FileContent, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    Ok(reading::content(&skill, &params.path, editor.drafts(&skill)?)?)
}

fn bytes(app: &App, cx: &CallContext, params: BytesParams) -> Result<FileBytes, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    Ok(reading::bytes(&skill, &params.path, params.limit)?)
}

fn find(app: &App, cx: &CallContext, params: FindParams) -> Result<NameMatches, Failure> {
    Ok(search::find(&app.catalog(cx)?, &params)?)
}

fn move_files(app: &App, cx: &CallContext, params: MoveParams) -> Result<EditResult, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    Ok(moving::move_files(&editor, &app.prompts, &skill, &params.moves)?)
}

fn delete(app: &App, cx: &CallContext, params: DeleteFilesParams) -> Result<EditResult, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    Ok(deleting::delete(&editor, &skill, &params.paths, params.expected)?)
}

fn copy(app: &App, cx: &CallContext, params: CopyParams) -> Result<AddedFiles, Failure> {
    let editor = app.editor(cx)?;
    let source = editor.catalog.require(&params.skill, params.scope)?;
    let target = match &params.to_skill {
        Some(name) => editor.catalog.require(name, params.to_scope)?,
        None => source.clone(),
    };
    Ok(copying::copy(&editor, &source, &target, &params.files, params.on_existing, params.remove)?)
}

fn add(app: &App, cx: &CallContext, params: AddParams) -> Result<AddedFiles, Failure> {
    let editor = app.editor(cx)?;
    let target = editor.catalog.require(&params.skill, params.scope)?;
    Ok(copying::add(&editor, &target, &params.paths, params.folder.as_ref(), params.on_existing)?)
}

operations! { App;
    Read = "file/read", ReadSkills, blocking read(FileRef) -> FileContent;
    Bytes = "file/bytes", ReadSkills, blocking bytes(BytesParams) -> FileBytes;
    Find = "file/find", ReadSkills, blocking find(FindParams) -> NameMatches;
    Move = "file/move", UpdateSkills["skill", "draft"], blocking move_files(MoveParams) -> EditResult;
    DeleteFiles = "file/delete", UpdateSkills["skill", "draft"], blocking delete(DeleteFilesParams) -> EditResult;
    CopyFiles = "file/copy", UpdateSkills["skill", "draft"], blocking copy(CopyParams) -> AddedFiles;
    AddFiles = "file/add", Local["skill"], blocking add(AddParams) -> AddedFiles;
}
