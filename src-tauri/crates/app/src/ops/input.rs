//! `input/*`: named, saved inputs of an artifact's form.

use inklings_core::user::{InputKey, SavedInput};
use inklings_core::{Scope, SkillPath, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::app::App;
use crate::context::{CallContext, Permission};
use crate::error::Failure;
use crate::operation::{Blocking, Effect, Entry};
use crate::wire::{Done, FileRef};

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

/// `input/list`
pub struct ListInputs;

impl Blocking for ListInputs {
    const NAME: &'static str = "input/list";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = FileRef;
    type Output = InputList;

    fn run(app: &App, cx: &CallContext, params: FileRef) -> Result<InputList, Failure> {
        let inputs = with_key(app, cx, &params, |key| Ok(app.user.inputs(key)?))?;
        let entry = |input: SavedInput| InputEntry { name: input.name, params: input.params, updated_at: input.updated_at };
        Ok(InputList { inputs: inputs.into_iter().map(entry).collect() })
    }
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

/// `input/save`
pub struct SaveInput;

impl Blocking for SaveInput {
    const NAME: &'static str = "input/save";
    const NEEDS: Permission = Permission::Write;
    const EFFECT: Effect = Effect::Writes(&["input"]);
    type Params = SaveInputParams;
    type Output = Done;

    fn run(app: &App, cx: &CallContext, params: SaveInputParams) -> Result<Done, Failure> {
        if params.name.chars().count() > NAME_CHARS {
            return Err(
                Failure::invalid(format!("the name of the input has more than {NAME_CHARS} characters")).hint("choose a shorter one")
            );
        }
        let file = FileRef { skill: params.skill, scope: params.scope, path: params.path };
        let input = SavedInput { name: params.name.trim().to_owned(), params: params.params, updated_at: app.clock.now() };
        with_key(app, cx, &file, |key| Ok(app.user.put_input(key, &input, &cx.origin)?))?;
        Ok(Done {})
    }
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

/// `input/delete`
pub struct DeleteInput;

impl Blocking for DeleteInput {
    const NAME: &'static str = "input/delete";
    const NEEDS: Permission = Permission::Write;
    const EFFECT: Effect = Effect::Writes(&["input"]);
    type Params = DeleteInputParams;
    type Output = Done;

    fn run(app: &App, cx: &CallContext, params: DeleteInputParams) -> Result<Done, Failure> {
        let file = FileRef { skill: params.skill, scope: params.scope, path: params.path };
        with_key(app, cx, &file, |key| Ok(app.user.delete_input(key, &params.name, &cx.origin)?))?;
        Ok(Done {})
    }
}

pub(crate) const TABLE: &[Entry] = &[Entry::of::<ListInputs>(), Entry::of::<SaveInput>(), Entry::of::<DeleteInput>()];
