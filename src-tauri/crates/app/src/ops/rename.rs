//! `symbol/rename`: a variable or an artifact gets another name, wherever a skill names it.

use std::path::Path;

use inklings_core::name::output_key;
use inklings_core::user::{InputKey, SavedInput};
use inklings_core::{Artifact, ArtifactKind, Package, Scope, Skill, SkillPath, slugify};
use inklings_symbols::{Role, Symbol, Texts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::app::App;
use crate::context::{CallContext, Permission};
use crate::error::{Code, Failure};
use crate::operation::{Blocking, Effect, Entry};
use crate::ops::artifact::change;
use crate::ops::skill::EditResult;
use crate::ops::symbol::{FilePlaces, declares, texts, uses};
use crate::ops::{draft_paths, unlocked};

/// A new name for something.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenameParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// What gets the name: a variable or an artifact.
    pub symbol: Symbol,
    /// The new name.
    pub to: String,
}

/// What a new name would do.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Renaming {
    /// What would change, by file.
    pub uses: Vec<FilePlaces>,
    /// Saved inputs that would follow.
    pub inputs: usize,
    /// Saved inputs of folders that have skills of their own and aren't open: they keep the old name.
    pub inputs_elsewhere: usize,
    /// Where the old word stays: only a person can tell what it stands for there.
    pub mentions: Vec<FilePlaces>,
}

/// `symbol/renaming`: what a new name would do, or why it can't be; nothing is changed.
pub struct Preview;

impl Blocking for Preview {
    const NAME: &'static str = "symbol/renaming";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = RenameParams;
    type Output = Renaming;

    fn run(app: &App, cx: &CallContext, params: RenameParams) -> Result<Renaming, Failure> {
        let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
        unlocked(&skill)?;
        rename_in(app, &mut skill.package.clone(), &params.symbol, &params.to)?;
        let found = uses(&skill, &texts(app, &skill, Vec::new()), &params.symbol, follows)?;
        let inputs = match &params.symbol {
            Symbol::Variable { name } => inputs(app, cx, &skill, name, &params.to, false)?,
            _ => Followed::default(),
        };
        Ok(Renaming { uses: found.uses, inputs: inputs.here, inputs_elsewhere: inputs.elsewhere, mentions: found.mentions })
    }
}

/// What a new name did.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Renamed {
    /// The skill at its new revision.
    pub result: EditResult,
    /// Places that have the new name.
    pub uses: usize,
    /// Saved inputs that have it.
    pub inputs: usize,
    /// Saved inputs of folders that have skills of their own and aren't open: they keep the old name.
    pub inputs_elsewhere: usize,
    /// Where the old word still stands.
    pub mentions: Vec<FilePlaces>,
}

/// `symbol/rename`: as one revision, and in saved inputs. The way back is the same with the names exchanged.
pub struct Rename;

impl Blocking for Rename {
    const NAME: &'static str = "symbol/rename";
    const NEEDS: Permission = Permission::Write;
    const EFFECT: Effect = Effect::Writes(&["skill", "input"]);
    type Params = RenameParams;
    type Output = Renamed;

    fn run(app: &App, cx: &CallContext, params: RenameParams) -> Result<Renamed, Failure> {
        let RenameParams { skill, scope, symbol, to } = params;
        let before = app.catalog(cx)?.require(&skill, scope)?;
        refuse_unsaved(app, cx, &before, &symbol)?;
        let why = format!("renamed {} to {to}", named(&symbol)?);
        let mut count = 0;
        let result = change(app, cx, &skill, scope, &why, |package| {
            count = rename_in(app, package, &symbol, &to)?;
            Ok(())
        })?;
        let (id, scope) = (result.skill.summary.id, result.skill.summary.scope);
        let after = app.catalog(cx)?.require(&id.to_string(), Some(scope))?;
        let inputs = match &symbol {
            Symbol::Variable { name } => inputs(app, cx, &after, name, &to, true)?,
            _ => Followed::default(),
        };
        let mentions = uses(&after, &texts(app, &after, Vec::new()), &symbol, follows)?.mentions;
        Ok(Renamed { result, uses: count, inputs: inputs.here, inputs_elsewhere: inputs.elsewhere, mentions })
    }
}

/// Whether a place follows a new name. What an artifact gives is named by its own code, which only a person can change.
fn follows(role: Role) -> bool {
    role != Role::Gives
}

fn named(symbol: &Symbol) -> Result<&str, Failure> {
    match symbol {
        Symbol::Variable { name } | Symbol::Artifact { name } => Ok(name),
        _ => Err(Failure::invalid("only variables and artifacts can be renamed everywhere at once").hint("rename files in the tree")),
    }
}

/// Unsaved typing would come back with the old name.
fn refuse_unsaved(app: &App, cx: &CallContext, skill: &Skill, symbol: &Symbol) -> Result<(), Failure> {
    let drafts = draft_paths(app, cx, skill)?;
    let texts = texts(app, skill, Vec::new());
    let found = texts.everywhere(symbol);
    let touched = found.iter().find(|(path, _)| drafts.contains(path));
    touched.map_or(Ok(()), |(path, _)| {
        Err(Failure::new(Code::Busy, format!("{path} has unsaved typing")).hint("save or discard it, then rename again"))
    })
}

/// Renames in a package and says in how many places.
fn rename_in(app: &App, package: &mut Package, symbol: &Symbol, to: &str) -> Result<usize, Failure> {
    match symbol {
        Symbol::Variable { name } => rename_variable(app, package, name, to),
        Symbol::Artifact { name } => rename_artifact(app, package, name, to),
        _ => named(symbol).map(|_| 0),
    }
}

const fn is_template(artifact: &Artifact) -> bool {
    matches!(artifact.kind, ArtifactKind::PromptTemplate | ArtifactKind::CodeTemplate)
}

fn rename_variable(app: &App, package: &mut Package, from: &str, to: &str) -> Result<usize, Failure> {
    if !app.prompts.is_name(to) {
        return Err(Failure::invalid(format!("{to:?} can't be the name of a variable"))
            .hint("use letters, digits and _, not beginning with a digit, and no word of the template language"));
    }
    if from == to {
        return Err(Failure::new(Code::Exists, format!("it is called {to} already")).hint("give another name"));
    }
    let is_known = |name: &str| package.artifacts.iter().any(|one| is_template(one) && (asks(app, one, name) || declares(one, name)));
    if !is_known(from) {
        return Err(Failure::new(Code::NotFound, format!("no template asks for {from}")).hint("check the spelling"));
    }
    if is_known(to) {
        return Err(
            Failure::new(Code::Exists, format!("a template asks for {to} already: the two would be one")).hint("choose another name")
        );
    }
    let mut count = 0;
    for artifact in package.artifacts.iter_mut().filter(|one| is_template(one)) {
        // What can't be read names nothing.
        let uses = app.prompts.uses(&artifact.content).unwrap_or_default().iter().filter(|(name, _)| name == from).count();
        if uses > 0 {
            let text = app.prompts.renamed(&artifact.content, from, to).unwrap_or_default();
            let clash = || {
                let what = format!("{to} has a meaning of its own in {}", artifact.path);
                Failure::new(Code::Exists, what).hint("choose another name")
            };
            artifact.content = text.ok_or_else(clash)?.into();
            count += uses;
        }
        count += rename_parameter(&mut artifact.metadata, from, to);
    }
    Ok(count)
}

fn asks(app: &App, artifact: &Artifact, name: &str) -> bool {
    app.prompts.uses(&artifact.content).is_ok_and(|uses| uses.iter().any(|(used, _)| used == name))
}

/// In an artifact's `params` schema.
fn rename_parameter(metadata: &mut Map<String, Value>, from: &str, to: &str) -> usize {
    let Some(schema) = metadata.get_mut("params").and_then(Value::as_object_mut) else { return 0 };
    let mut count = 0;
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut)
        && properties.contains_key(from)
    {
        let renamed = std::mem::take(properties).into_iter();
        *properties = renamed.map(|(name, value)| (if name == from { to.to_owned() } else { name }, value)).collect();
        count += 1;
    }
    for name in schema.get_mut("required").and_then(Value::as_array_mut).into_iter().flatten().filter(|name| *name == from) {
        *name = Value::from(to);
        count += 1;
    }
    count
}

fn rename_artifact(app: &App, package: &mut Package, from: &str, to: &str) -> Result<usize, Failure> {
    let to = to.trim();
    if to.is_empty() || to.chars().any(char::is_control) {
        return Err(Failure::invalid("an artifact needs a name of one line").hint("give it one"));
    }
    if package.artifacts.iter().all(|one| one.name != from) {
        return Err(Failure::new(Code::NotFound, format!("no artifact is called {from:?}")).hint("check the spelling"));
    }
    if from == to {
        return Err(Failure::new(Code::Exists, format!("it is called {to:?} already")).hint("give another name"));
    }
    let (old_key, new_key) = (output_key(from), output_key(to));
    let clash = package.artifacts.iter().find(|one| one.name != from && (one.name == to || output_key(&one.name) == new_key));
    if let Some(other) = clash {
        let what = format!("{:?} is called outputs.{new_key} already", other.name);
        return Err(Failure::new(Code::Exists, what).hint("choose another name"));
    }
    let mut count = 0;
    if old_key != new_key {
        for (path, text, uses) in rewritten(app, package, from, to)? {
            let front = package.sources.frontmatter.clone().filter(|_| path == package.main_path);
            if let Some(artifact) = package.artifacts.iter_mut().find(|one| one.path == path) {
                artifact.content = text.strip_prefix(front.as_deref().unwrap_or_default()).unwrap_or(&text).into();
                count += uses;
            }
        }
    }
    for artifact in &mut package.artifacts {
        if artifact.name == from {
            to.clone_into(&mut artifact.name);
            count += 1;
        }
        if let Some(fallback) = artifact.metadata.get_mut("fallback_artifact").filter(|name| *name == from) {
            *fallback = Value::from(to);
            count += 1;
        }
    }
    for step in package.run.iter_mut().flatten().filter(|step| *step == from) {
        to.clone_into(step);
        count += 1;
    }
    Ok(count)
}

/// The templates that take the artifact's output, with its new name.
fn rewritten(app: &App, package: &Package, from: &str, to: &str) -> Result<Vec<(SkillPath, String, usize)>, Failure> {
    let symbol = Symbol::Artifact { name: from.to_owned() };
    let texts = Texts::new(package, &app.prompts, []);
    let (key, slug) = (output_key(to), slugify(to, "artifact"));
    let mut all = Vec::new();
    for artifact in package.artifacts.iter().filter(|one| is_template(one)) {
        let Some(before) = texts.text(&artifact.path) else { continue };
        let mentions: Vec<_> = texts.mentions(&artifact.path).into_iter().filter(|one| one.symbol == symbol).collect();
        let mut after = before.to_owned();
        for mention in mentions.iter().rev() {
            let quoted = matches!(before.as_bytes().get(mention.range.end), Some(b'"' | b'\''));
            if !quoted && key.starts_with(|first: char| first.is_ascii_digit()) {
                let what =
                    format!("{} says outputs.{}, and outputs.{key} is nothing that a template can say", artifact.path, output_key(from));
                return Err(Failure::invalid(what).hint("let the name begin with a letter"));
            }
            // Between quotes the name may be written with hyphens.
            let hyphens = quoted && before[mention.range.clone()].contains('-');
            after.replace_range(mention.range.clone(), if hyphens { &slug } else { &key });
        }
        if !mentions.is_empty() {
            all.push((artifact.path.clone(), after, mentions.len()));
        }
    }
    Ok(all)
}

/// Saved inputs that follow a renamed variable.
#[derive(Default)]
struct Followed {
    here: usize,
    elsewhere: usize,
}

/// The inputs that were saved for a skill. Of the account's skill, in every folder that was opened, except where that may have a skill
/// of its own under the name. What an input has under the new name already stays.
fn inputs(app: &App, cx: &CallContext, skill: &Skill, from: &str, to: &str, write: bool) -> Result<Followed, Failure> {
    let present = cx.workspace_key();
    let mut followed = Followed::default();
    let mut places = vec![(present.clone(), is_seen(app, cx, skill)?)];
    if skill.head.scope == Scope::Account {
        for recent in app.user.recent_workspaces()?.into_iter().filter(|one| one.path != present) {
            places.push((recent.path, false));
        }
        if !present.is_empty() {
            places.push((String::new(), true));
        }
    }
    for (workspace, sure) in places {
        let found = inputs_in(app, cx, (skill, &workspace), (from, to), false)?;
        if found == 0 {
            continue;
        }
        // A folder without skills of its own can only mean the account's.
        let ours = sure || app.scopes.inspect(Path::new(&workspace)).map_or(true, |state| !state.has_store);
        if !ours {
            followed.elsewhere += found;
        } else if write {
            followed.here += inputs_in(app, cx, (skill, &workspace), (from, to), true)?;
        } else {
            followed.here += found;
        }
    }
    Ok(followed)
}

/// Whether the call's workspace sees this skill under its name.
fn is_seen(app: &App, cx: &CallContext, skill: &Skill) -> Result<bool, Failure> {
    let winner = app.catalog(cx)?.find(skill.package.slug.as_str(), None)?;
    Ok(winner.is_none_or(|winner| winner.head.id == skill.head.id && winner.head.scope == skill.head.scope))
}

fn inputs_in(
    app: &App,
    cx: &CallContext,
    (skill, workspace): (&Skill, &str),
    (from, to): (&str, &str),
    write: bool,
) -> Result<usize, Failure> {
    let mut count = 0;
    for artifact in skill.package.artifacts.iter().filter(|one| is_template(one)) {
        let key = InputKey { workspace, slug: &skill.package.slug, path: &artifact.path };
        for input in app.user.inputs(key)? {
            if !input.params.contains_key(from) || input.params.contains_key(to) {
                continue;
            }
            count += 1;
            if write {
                let renamed = |(name, value): (String, Value)| (if name == from { to.to_owned() } else { name }, value);
                let params = input.params.into_iter().map(renamed).collect();
                app.user.put_input(key, &SavedInput { params, ..input }, &cx.origin)?;
            }
        }
    }
    Ok(count)
}

pub(crate) const TABLE: &[Entry] = &[Entry::of::<Preview>(), Entry::of::<Rename>()];
