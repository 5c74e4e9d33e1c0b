//! `input/*`: named, saved inputs of an artifact's form.

use inklings_core::user::{InputKey, SavedInput};
use inklings_core::{Scope, SkillPath, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::app::App;
use crate::wire::FileRef;
use inklings_rpc::{CallContext, Done, Failure, operations};

/// Characters of an input's name.
const NAME_CHARS: usize = 120;

/// A named set of parameters.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct InputEntry {
    /// Name; the empty one holds what was used last.
    pub name: String,
    /// Parameters by variable.
    pub params: Map<String, Value>,
    /// When it was saved.
    pub updated_at: Time,
}

/// The saved inputs of an artifact.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct InputList {
    /// By name.
    pub inputs: Vec<InputEntry>,
}

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

/// Parameters to save.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveInputParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The artifact.
    pub path: SkillPath,
    /// Name; the empty one holds what was used last.
    pub name: String,
    /// Parameters by variable.
    pub params: Map<String, Value>,
}

fn save(app: &App, cx: &CallContext, params: SaveInputParams) -> Result<Done, Failure> {
    if params.name.chars().count() > NAME_CHARS {
        return Err(Failure::invalid(format!("the name of the input has more than {NAME_CHARS} characters")).hint("choose a shorter one"));
    }
    let file = FileRef { skill: params.skill, scope: params.scope, path: params.path };
    let input = SavedInput { name: params.name.trim().to_owned(), params: params.params, updated_at: app.clock.now() };
    with_key(app, cx, &file, |key| Ok(app.user.put_input(key, &input, &cx.origin)?))?;
    Ok(Done {})
}

/// Names a saved input.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteInputParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The artifact.
    pub path: SkillPath,
    /// Name.
    pub name: String,
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
