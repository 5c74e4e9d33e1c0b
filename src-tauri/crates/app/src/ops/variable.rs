//! `variable/*`: the values that a skill's templates ask for, wherever they are named.

use inklings_core::user::{InputKey, SavedInput};
use inklings_core::{Artifact, ArtifactKind, Package, Scope, SkillPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::app::App;
use crate::context::{CallContext, Permission};
use crate::error::{Code, Failure};
use crate::find::{Finder, Query};
use crate::operation::{Blocking, Effect, Entry};
use crate::ops::artifact::change;
use crate::ops::skill::EditResult;

/// Places that are told of, in all.
const TOLD: usize = 2_000;

/// Names a variable.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VariableRef {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The variable.
    pub name: String,
}

/// A place that names a variable. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Use {
    /// The file.
    pub path: SkillPath,
    /// Its line.
    pub line: usize,
    /// Its column.
    pub column: usize,
    /// The line of its end.
    pub end_line: usize,
    /// The column after its end.
    pub end_column: usize,
    /// The line's text up to it.
    pub before: String,
    /// The line's text after it.
    pub after: String,
}

/// Where a variable is named.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Uses {
    /// In templates: what a new name changes.
    pub uses: Vec<Use>,
    /// The same word in scripts, programs and examples, where only a person can tell what it stands for.
    pub mentions: Vec<Use>,
}

/// `variable/uses`
pub struct ListUses;

impl Blocking for ListUses {
    const NAME: &'static str = "variable/uses";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = VariableRef;
    type Output = Uses;

    fn run(app: &App, cx: &CallContext, params: VariableRef) -> Result<Uses, Failure> {
        let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
        named(app, &skill.package, &params.name)
    }
}

fn named(app: &App, package: &Package, name: &str) -> Result<Uses, Failure> {
    let word = Finder::new(&Query { text: name.to_owned(), regex: false, case: true, word: true })?;
    let (mut uses, mut mentions) = (Vec::new(), Vec::new());
    for artifact in package.artifacts.iter().filter(|one| one.kind != ArtifactKind::Description && one.kind != ArtifactKind::Approach) {
        let places = if is_template(artifact) { app.prompts.uses(&artifact.content).unwrap_or_default() } else { Vec::new() };
        for found in word.find(&artifact.content, None, TOLD).0 {
            let at = (u32::try_from(found.line), u32::try_from(found.column));
            let in_template = places.iter().any(|(known, place)| known == name && at == (Ok(place.line), Ok(place.column)));
            let one = Use {
                path: artifact.path.clone(),
                line: found.line,
                column: found.column,
                end_line: found.end_line,
                end_column: found.end_column,
                before: found.before,
                after: found.after,
            };
            if in_template {
                uses.push(one);
            } else if artifact.kind != ArtifactKind::PromptTemplate {
                mentions.push(one);
            }
        }
    }
    uses.truncate(TOLD);
    mentions.truncate(TOLD);
    Ok(Uses { uses, mentions })
}

const fn is_template(artifact: &Artifact) -> bool {
    matches!(artifact.kind, ArtifactKind::PromptTemplate | ArtifactKind::CodeTemplate)
}

/// A new name for a variable.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenameParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The variable.
    pub from: String,
    /// Its new name.
    pub to: String,
}

/// What a new name did.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Renamed {
    /// The skill at its new revision.
    pub result: EditResult,
    /// Places in templates that have the new name.
    pub uses: usize,
    /// Saved inputs that have it.
    pub inputs: usize,
    /// Where the old word still stands in scripts, programs and examples.
    pub mentions: Vec<Use>,
}

/// `variable/rename`: in every template of the skill, in what `skill.json` says of parameters, and in saved inputs; as one revision.
pub struct Rename;

impl Blocking for Rename {
    const NAME: &'static str = "variable/rename";
    const NEEDS: Permission = Permission::Write;
    const EFFECT: Effect = Effect::Writes(&["skill", "input"]);
    type Params = RenameParams;
    type Output = Renamed;

    fn run(app: &App, cx: &CallContext, params: RenameParams) -> Result<Renamed, Failure> {
        let RenameParams { skill, scope, from, to } = params;
        if !app.prompts.is_name(&to) {
            return Err(Failure::invalid(format!("{to:?} can't be the name of a variable"))
                .hint("use letters, digits and _, not beginning with a digit, and no word of the template language"));
        }
        let mut count = 0;
        let why = format!("renamed {from} to {to}");
        let result = change(app, cx, &skill, scope, &why, |package| {
            if from == to || !templates(package).any(|one| names(app, one, &from)) {
                return Err(Failure::new(Code::NotFound, format!("no template asks for {from}")).hint("check the spelling"));
            }
            if templates(package).any(|one| names(app, one, &to)) {
                return Err(Failure::new(Code::Exists, format!("a template asks for {to} already: the two would be one"))
                    .hint("choose another name"));
            }
            for artifact in package.artifacts.iter_mut().filter(|one| is_template(one)) {
                // What can't be read names nothing.
                let uses = app.prompts.uses(&artifact.content).unwrap_or_default().iter().filter(|(name, _)| *name == from).count();
                if uses > 0 {
                    artifact.content = renamed(app, artifact, &from, &to)?.into();
                    count += uses;
                }
                rename_parameter(&mut artifact.metadata, &from, &to);
            }
            Ok(())
        })?;
        let after = app.catalog(cx)?.require(&result.skill.summary.id.to_string(), Some(result.skill.summary.scope))?;
        let inputs = rename_inputs(app, cx, &after.package, &from, &to)?;
        let mentions = named(app, &after.package, &from)?.mentions;
        Ok(Renamed { result, uses: count, inputs, mentions })
    }
}

fn templates(package: &Package) -> impl Iterator<Item = &Artifact> {
    package.artifacts.iter().filter(|one| is_template(one))
}

fn names(app: &App, artifact: &Artifact, name: &str) -> bool {
    app.prompts.uses(&artifact.content).is_ok_and(|uses| uses.iter().any(|(used, _)| used == name))
}

fn renamed(app: &App, artifact: &Artifact, from: &str, to: &str) -> Result<String, Failure> {
    let text = app.prompts.renamed(&artifact.content, from, to).unwrap_or_default();
    text.ok_or_else(|| {
        Failure::new(Code::Exists, format!("{to} has a meaning of its own in {}", artifact.path)).hint("choose another name")
    })
}

/// In an artifact's `params` schema.
fn rename_parameter(metadata: &mut Map<String, Value>, from: &str, to: &str) {
    let Some(schema) = metadata.get_mut("params").and_then(Value::as_object_mut) else { return };
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut)
        && properties.contains_key(from)
    {
        let renamed = std::mem::take(properties).into_iter();
        *properties = renamed.map(|(name, value)| (if name == from { to.to_owned() } else { name }, value)).collect();
    }
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.iter_mut().filter(|name| *name == from).for_each(|name| *name = Value::from(to));
    }
}

/// In the inputs that were saved in this workspace. What they have under the new name already stays.
fn rename_inputs(app: &App, cx: &CallContext, package: &Package, from: &str, to: &str) -> Result<usize, Failure> {
    let workspace = cx.workspace_key();
    let mut count = 0;
    for path in package.tree().into_keys() {
        let key = InputKey { workspace: &workspace, slug: &package.slug, path: &path };
        for input in app.user.inputs(key)? {
            if !input.params.contains_key(from) || input.params.contains_key(to) {
                continue;
            }
            let params = input.params.into_iter().map(|(name, value)| (if name == from { to.to_owned() } else { name }, value)).collect();
            app.user.put_input(key, &SavedInput { params, ..input }, &cx.origin)?;
            count += 1;
        }
    }
    Ok(count)
}

pub(crate) const TABLE: &[Entry] = &[Entry::of::<ListUses>(), Entry::of::<Rename>()];
