//! `input/*`: named, saved inputs of an artifact's form.

use inklings_core::user::{InputKey, SavedInput};
use inklings_rpc::{CallContext, Done, Failure, operations};

use super::api::{DeleteInputParams, InputEntry, InputList, SaveInputParams};
use crate::app::App;
use crate::wire::FileRef;

const MAX_NAME_CHARS: usize = 120;

/// Inputs belong to the workspace that they were typed in, since they often quote its pages.
fn with_key<T>(app: &App, cx: &CallContext, file: &FileRef, run: impl FnOnce(InputKey<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
    let skill = app.catalog(cx)?.require(&file.skill, file.scope)?;
    run(InputKey { workspace: &cx.workspace_key(), slug: &skill.package.slug, path: &file.path })
}

fn list(app: &App, cx: &CallContext, params: FileRef) -> Result<InputList, Failure> {
    let inputs = with_key(app, cx, &params, |key| Ok(app.user.inputs(key)?))?;
    let entry = |input: SavedInput| InputEntry { name: input.name, params: input.params, updated_at: input.updated_at };
    Ok(InputList { inputs: inputs.into_iter().map(entry).collect() })
}

fn save(app: &App, cx: &CallContext, params: SaveInputParams) -> Result<Done, Failure> {
    if params.name.chars().count() > MAX_NAME_CHARS {
        return Err(
            Failure::invalid(format!("the name of the input has more than {MAX_NAME_CHARS} characters")).hint("choose a shorter one")
        );
    }
    let file = FileRef { skill: params.skill, scope: params.scope, path: params.path };
    let input = SavedInput { name: params.name.trim().to_owned(), params: params.params, updated_at: app.clock.now() };
    with_key(app, cx, &file, |key| Ok(app.user.put_input(key, &input, &cx.origin)?))?;
    Ok(Done {})
}

fn delete(app: &App, cx: &CallContext, params: DeleteInputParams) -> Result<Done, Failure> {
    let file = FileRef { skill: params.skill, scope: params.scope, path: params.path };
    with_key(app, cx, &file, |key| Ok(app.user.delete_input(key, &params.name, &cx.origin)?))?;
    Ok(Done {})
}

operations! { App;
    ListInputs = "input/list", Read, blocking list(FileRef) -> InputList;
    SaveInput = "input/save", Write["input"], blocking save(SaveInputParams) -> Done;
    DeleteInput = "input/delete", Write["input"], blocking delete(DeleteInputParams) -> Done;
}
