//! `symbol/rename`: a variable or an artifact gets another name, wherever a skill names it.

use std::path::Path;

use inklings_core::edit::TreeEdit;
use inklings_core::name::output_key;
use inklings_core::path::SKILL_JSON;
use inklings_core::user::{InputKey, SavedInput};
use inklings_core::{Artifact, ArtifactKind, Scope, Skill, SkillPath, slugify};
use inklings_rpc::{CallContext, Code, Failure, operations};
use inklings_symbols::{Mention, Role, Symbol, Texts};
use serde_json::Value;

use super::api::{RenameParams, Renamed, Renaming};
use crate::after_write::after_write;
use crate::app::App;
use crate::editing::{SkillEditor, ensure_unlocked};
use crate::features::symbol::{declares, find_uses, texts};

fn renaming(app: &App, cx: &CallContext, params: RenameParams) -> Result<Renaming, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    ensure_unlocked(&skill)?;
    rename_in(app, &skill, &params.symbol, &params.to)?;
    let found = find_uses(&skill, &texts(app, &skill, Vec::new()), &params.symbol, follows)?;
    let inputs = match &params.symbol {
        Symbol::Variable { name } => inputs(app, cx, &skill, name, &params.to, false)?,
        _ => Followed::default(),
    };
    Ok(Renaming { uses: found.uses, inputs: inputs.here, inputs_elsewhere: inputs.elsewhere, mentions: found.mentions })
}

fn rename(app: &App, cx: &CallContext, params: RenameParams) -> Result<Renamed, Failure> {
    let RenameParams { skill, scope, symbol, to } = params;
    let editor = app.editor(cx)?;
    let before = editor.catalog.require(&skill, scope)?;
    ensure_unlocked(&before)?;
    refuse_unsaved(app, &editor, &before, &symbol)?;
    let new = rename_in(app, &before, &symbol, &to)?;
    let edits: Vec<_> = new.files.into_iter().map(|(path, text)| TreeEdit::Write(path, text.into_bytes().into())).collect();
    let why = format!("renamed {} to {to}", named(&symbol)?);
    let saved = editor.save(&before, &edits, before.head.revision, &why)?;
    let after = &saved.skill;
    let inputs = match &symbol {
        Symbol::Variable { name } => after_write("renaming in its saved inputs", inputs(app, cx, after, name, &to, true)),
        _ => Followed::default(),
    };
    let mentions = find_uses(after, &texts(app, after, Vec::new()), &symbol, follows).map(|found| found.mentions);
    let mentions = after_write("looking for the old name", mentions);
    let result = editor.edit_result(saved);
    Ok(Renamed { result, uses: new.count, inputs: inputs.here, inputs_elsewhere: inputs.elsewhere, mentions })
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
fn refuse_unsaved(app: &App, editor: &SkillEditor<'_>, skill: &Skill, symbol: &Symbol) -> Result<(), Failure> {
    let drafts = editor.draft_paths(skill)?;
    let texts = texts(app, skill, Vec::new());
    let found = texts.everywhere(symbol);
    let touched = found.iter().find(|(path, _)| drafts.contains(path));
    touched.map_or(Ok(()), |(path, _)| Err(Failure::unsaved_draft(skill.package.slug.as_str(), path, "rename again")))
}

/// A skill's files with the new name, and in how many places they have it.
struct NewTexts {
    files: Vec<(SkillPath, String)>,
    count: usize,
}

/// Writes the new name where the texts have the old one, and nothing else.
fn rename_in(app: &App, skill: &Skill, symbol: &Symbol, to: &str) -> Result<NewTexts, Failure> {
    let texts = texts(app, skill, Vec::new());
    match symbol {
        Symbol::Variable { name } => rename_variable(app, &texts, name, to),
        Symbol::Artifact { name } => rename_artifact(&texts, name, to.trim()),
        _ => named(symbol).map(|_| NewTexts { files: Vec::new(), count: 0 }),
    }
}

const fn is_template(artifact: &Artifact) -> bool {
    matches!(artifact.kind, ArtifactKind::PromptTemplate | ArtifactKind::CodeTemplate)
}

/// Replaces each mention that follows by what `written` says for it, given the file's text.
fn replaced(
    texts: &Texts<'_>,
    symbol: &Symbol,
    written: impl Fn(&SkillPath, &str, &Mention) -> Result<String, Failure>,
) -> Result<NewTexts, Failure> {
    let mut new = NewTexts { files: Vec::new(), count: 0 };
    for (path, mentions) in texts.everywhere(symbol) {
        let mentions: Vec<_> = mentions.into_iter().filter(|one| follows(one.role)).collect();
        let before = texts.text(path).unwrap_or_default();
        let mut after = before.to_owned();
        for mention in mentions.iter().rev() {
            after.replace_range(mention.range.clone(), &written(path, before, mention)?);
        }
        if !mentions.is_empty() {
            new.count += mentions.len();
            new.files.push((path.clone(), after));
        }
    }
    Ok(new)
}

/// A text as it stands between the quotes of JSON.
fn in_json(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn rename_variable(app: &App, texts: &Texts<'_>, from: &str, to: &str) -> Result<NewTexts, Failure> {
    if !app.prompts.is_name(to) {
        return Err(Failure::invalid(format!("{to:?} can't be the name of a variable"))
            .hint("use letters, digits and _, not beginning with a digit, and no word of the template language"));
    }
    if from == to {
        return Err(Failure::new(Code::Exists, format!("it is called {to} already")).hint("give another name"));
    }
    let templates = || texts.package().artifacts.iter().filter(|one| is_template(one));
    let is_known = |name: &str| templates().any(|one| asks(app, one, name) || declares(one, name));
    if !is_known(from) {
        return Err(Failure::new(Code::NotFound, format!("no template asks for {from}")).hint("check the spelling"));
    }
    if is_known(to) {
        return Err(
            Failure::new(Code::Exists, format!("a template asks for {to} already: the two would be one")).hint("choose another name")
        );
    }
    // In a template that has the new name for something of its own, the value would no longer be asked for.
    if let Some(artifact) =
        templates().find(|one| asks(app, one, from) && !matches!(app.prompts.renamed(&one.content, from, to), Ok(Some(_))))
    {
        return Err(Failure::new(Code::Exists, format!("{to} has a meaning of its own in {}", artifact.path)).hint("choose another name"));
    }
    replaced(texts, &Symbol::Variable { name: from.to_owned() }, |_, _, _| Ok(to.to_owned()))
}

fn asks(app: &App, artifact: &Artifact, name: &str) -> bool {
    app.prompts.uses(&artifact.content).is_ok_and(|uses| uses.iter().any(|(used, _)| used == name))
}

fn rename_artifact(texts: &Texts<'_>, from: &str, to: &str) -> Result<NewTexts, Failure> {
    if to.is_empty() || to.chars().any(char::is_control) {
        return Err(Failure::invalid("an artifact needs a name of one line").hint("give it one"));
    }
    let artifacts = &texts.package().artifacts;
    if artifacts.iter().all(|one| one.name != from) {
        return Err(Failure::new(Code::NotFound, format!("no artifact is called {from:?}")).hint("check the spelling"));
    }
    if from == to {
        return Err(Failure::new(Code::Exists, format!("it is called {to:?} already")).hint("give another name"));
    }
    let (old_key, new_key, slug) = (output_key(from), output_key(to), slugify(to, "artifact"));
    let clash = artifacts.iter().find(|one| one.name != from && (one.name == to || output_key(&one.name) == new_key));
    if let Some(other) = clash {
        let what = format!("{:?} is called outputs.{new_key} already", other.name);
        return Err(Failure::new(Code::Exists, what).hint("choose another name"));
    }
    let symbol = Symbol::Artifact { name: from.to_owned() };
    let declaration = texts.everywhere(&symbol).into_iter().any(|(_, mentions)| mentions.iter().any(|one| one.role == Role::Defines));
    if !declaration {
        return Err(Failure::invalid(format!("{from:?} is no name that skill.json gives")).hint("declare the artifact in skill.json first"));
    }
    replaced(texts, &symbol, |path, text, mention| {
        if path.as_str() == SKILL_JSON {
            return Ok(in_json(to));
        }
        // In a template the name is a key of `outputs`; between quotes it may be written with hyphens.
        if matches!(text.as_bytes().get(mention.range.end), Some(b'"' | b'\'')) {
            return Ok(if text[mention.range.clone()].contains('-') { slug.clone() } else { new_key.clone() });
        }
        if new_key.starts_with(|first: char| first.is_ascii_digit()) {
            let what = format!("a template says outputs.{old_key}, and outputs.{new_key} is nothing that a template can say");
            return Err(Failure::invalid(what).hint("let the name begin with a letter"));
        }
        Ok(new_key.clone())
    })
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
        let ours = sure || !app.scopes.has_store(Path::new(&workspace));
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

operations! { App;
    /// What a new name would do, or why it can't be; nothing is changed.
    Preview = "symbol/renaming", Read, blocking renaming(RenameParams) -> Renaming;
    /// As one revision, and in saved inputs. The way back is the same with the names exchanged.
    Rename = "symbol/rename", Write["skill", "input"], blocking rename(RenameParams) -> Renamed;
}
