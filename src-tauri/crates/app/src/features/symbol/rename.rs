//! A rename replaces the text of each mention, so that nothing else in a file changes. Text that only a person can judge is listed, never
//! changed.

use std::path::Path;

use inklings_core::edit::TreeEdit;
use inklings_core::name::output_key;
use inklings_core::path::SKILL_JSON;
use inklings_core::user::{InputKey, SavedInput};
use inklings_core::{Action, Artifact, ArtifactKind, Scope, Skill, SkillPath, StorageError, slugify};
use inklings_prompt::PromptEngine;
use inklings_symbols::{Mention, Role, Symbol, Texts};
use serde_json::{Map, Value};

use super::api::{RenamePreview, RenameResult};
use super::error::SymbolError;
use super::names::declares;
use super::service::texts;
use super::uses::find_uses;
use crate::after_write::after_write;
use crate::editing::{SkillEditor, ensure_unlocked};
use crate::workspace_manager::WorkspaceManager;

/// Renames variables and artifacts wherever a skill names them.
pub(super) struct RenameService<'a> {
    pub(super) editor: SkillEditor<'a>,
    pub(super) prompts: &'a PromptEngine,
    pub(super) workspaces: &'a dyn WorkspaceManager,
}

impl RenameService<'_> {
    pub(super) fn preview(&self, skill: &Skill, symbol: &Symbol, to: &str) -> Result<RenamePreview, SymbolError> {
        ensure_unlocked(skill)?;
        self.renamed_texts(skill, symbol, to)?;
        let found = find_uses(skill, &texts(self.prompts, skill, Vec::new()), symbol, is_renamed)?;
        let inputs = match symbol {
            Symbol::Variable { name } => self.inputs_to_rename(skill, name, to)?.counts(),
            _ => InputCounts::default(),
        };
        let rename = self.rename_of_actions(skill, symbol, to)?;
        let actions = self.editor.actions.actions()?.iter_mut().map(|action| rename.apply(action)).filter(|is_renamed| *is_renamed).count();
        let (inputs, inputs_elsewhere) = (inputs.renamed, inputs.elsewhere);
        Ok(RenamePreview { uses: found.uses, inputs, inputs_elsewhere, actions, mentions: found.mentions })
    }

    pub(super) fn rename(&self, before: &Skill, symbol: &Symbol, to: &str) -> Result<RenameResult, SymbolError> {
        ensure_unlocked(before)?;
        self.refuse_unsaved_changes(before, symbol)?;
        let new = self.renamed_texts(before, symbol, to)?;
        let edits: Vec<_> = new.files.into_iter().map(|(path, text)| TreeEdit::Write(path, text.into_bytes().into())).collect();
        let why = format!("renamed {} to {to}", renamable_name(symbol)?);
        let saved = self.editor.save(before, &edits, before.head.revision, &why)?;
        let after = &saved.skill;
        let inputs = match symbol {
            Symbol::Variable { name } => after_write("renaming in its saved inputs", self.rename_in_inputs(after, name, to)),
            _ => InputCounts::default(),
        };
        let actions = after_write("renaming in actions", self.rename_in_actions(after, symbol, to));
        let mentions = find_uses(after, &texts(self.prompts, after, Vec::new()), symbol, is_renamed).map(|found| found.mentions);
        let mentions = after_write("looking for the old name", mentions);
        let result = self.editor.edit_result(saved);
        let (inputs, inputs_elsewhere) = (inputs.renamed, inputs.elsewhere);
        Ok(RenameResult { result, uses: new.count, inputs, inputs_elsewhere, actions, mentions })
    }

    /// A draft would bring the old name back.
    fn refuse_unsaved_changes(&self, skill: &Skill, symbol: &Symbol) -> Result<(), SymbolError> {
        let drafts = self.editor.draft_paths(skill)?;
        let texts = texts(self.prompts, skill, Vec::new());
        let found = texts.everywhere(symbol);
        let changed = found.iter().find(|(path, _)| drafts.contains(path));
        changed.map_or(Ok(()), |(path, _)| Err(SymbolError::UnsavedDraft { skill: skill.package.slug.clone(), path: (*path).clone() }))
    }

    fn renamed_texts(&self, skill: &Skill, symbol: &Symbol, to: &str) -> Result<RenamedTexts, SymbolError> {
        let texts = texts(self.prompts, skill, Vec::new());
        match symbol {
            Symbol::Variable { name } => rename_variable(self.prompts, &texts, name, to),
            Symbol::Artifact { name } => rename_artifact(&texts, name, to.trim()),
            _ => Err(SymbolError::NotRenamable),
        }
    }

    fn rename_in_inputs(&self, skill: &Skill, from: &str, to: &str) -> Result<InputCounts, StorageError> {
        let found = self.inputs_to_rename(skill, from, to)?;
        for StoredInput { workspace, path, input } in &found.inputs {
            let params = renamed_values(input.params.clone(), from, to);
            let key = InputKey { workspace, slug: &skill.package.slug, path };
            self.editor.user.put_input(key, &SavedInput { params, ..input.clone() }, self.editor.caller.origin)?;
        }
        Ok(found.counts())
    }

    fn rename_in_actions(&self, skill: &Skill, symbol: &Symbol, to: &str) -> Result<usize, StorageError> {
        let rename = self.rename_of_actions(skill, symbol, to)?;
        self.editor.actions.change_actions(&mut |action| rename.apply(action))
    }

    fn rename_of_actions<'b>(&self, skill: &'b Skill, symbol: &'b Symbol, to: &'b str) -> Result<ActionRename<'b>, StorageError> {
        Ok(ActionRename { skill, symbol, to, is_visible: self.is_visible(skill)? })
    }

    /// The inputs with a value under the name `from` that were saved for a skill: for a skill of the account in every workspace that was
    /// opened, except where the workspace may have a skill of its own under the slug.
    fn inputs_to_rename(&self, skill: &Skill, from: &str, to: &str) -> Result<InputsToRename, StorageError> {
        let open = self.editor.caller.workspace_key();
        let mut found = InputsToRename::default();
        let mut workspaces = vec![(open.clone(), self.is_visible(skill)?)];
        if skill.head.scope == Scope::Account {
            for recent in self.editor.user.recent_workspaces()?.into_iter().filter(|one| one.path != open) {
                workspaces.push((recent.path, false));
            }
            if !open.is_empty() {
                workspaces.push((String::new(), true));
            }
        }
        for (workspace, is_certain) in workspaces {
            let inputs = self.inputs_of_workspace(skill, &workspace, from, to)?;
            // A workspace without skills of its own can only mean the account's.
            if inputs.is_empty() || is_certain || !self.workspaces.has_store(Path::new(&workspace)) {
                found.inputs.extend(inputs);
            } else {
                found.elsewhere += inputs.len();
            }
        }
        Ok(found)
    }

    /// Whether the caller sees this skill under its name.
    fn is_visible(&self, skill: &Skill) -> Result<bool, StorageError> {
        let winner = self.editor.catalog.find(skill.package.slug.as_str(), None)?;
        Ok(winner.is_none_or(|winner| winner.head.id == skill.head.id && winner.head.scope == skill.head.scope))
    }

    fn inputs_of_workspace(&self, skill: &Skill, workspace: &str, from: &str, to: &str) -> Result<Vec<StoredInput>, StorageError> {
        let mut found = Vec::new();
        for artifact in skill.package.artifacts.iter().filter(|one| is_template(one)) {
            let key = InputKey { workspace, slug: &skill.package.slug, path: &artifact.path };
            for input in self.editor.user.inputs(key)? {
                if has_value_to_rename(&input.params, from, to) {
                    found.push(StoredInput { workspace: workspace.to_owned(), path: artifact.path.clone(), input });
                }
            }
        }
        Ok(found)
    }
}

/// A rename in the actions of a skill.
struct ActionRename<'a> {
    skill: &'a Skill,
    symbol: &'a Symbol,
    to: &'a str,
    /// Whether an action without a scope means this skill.
    is_visible: bool,
}

impl ActionRename<'_> {
    /// Returns whether the action had something to rename.
    fn apply(&self, action: &mut Action) -> bool {
        if !self.is_run_by(action) {
            return false;
        }
        match self.symbol {
            Symbol::Variable { name } if self.has_template(action) && has_value_to_rename(&action.params, name, self.to) => {
                action.params = renamed_values(std::mem::take(&mut action.params), name, self.to);
                true
            }
            Symbol::Artifact { name } if action.artifact.as_ref() == Some(name) => {
                action.artifact = Some(self.to.trim().to_owned());
                true
            }
            _ => false,
        }
    }

    fn is_run_by(&self, action: &Action) -> bool {
        let is_scope = action.scope.map_or(self.is_visible, |scope| scope == self.skill.head.scope);
        is_scope && action.skill.as_ref() == Some(&self.skill.package.slug)
    }

    /// Only templates have variables; other artifacts may have inputs of the same names.
    fn has_template(&self, action: &Action) -> bool {
        let is_asked = |one: &Artifact| action.artifact.as_ref().is_none_or(|asked| *asked == one.name || *asked == one.path.as_str());
        self.skill.package.artifacts.iter().any(|one| is_template(one) && is_asked(one))
    }
}

/// A saved input and where it is stored.
struct StoredInput {
    workspace: String,
    /// Path of the artifact.
    path: SkillPath,
    input: SavedInput,
}

#[derive(Default)]
struct InputsToRename {
    inputs: Vec<StoredInput>,
    /// See [`InputCounts::elsewhere`].
    elsewhere: usize,
}

impl InputsToRename {
    fn counts(&self) -> InputCounts {
        InputCounts { renamed: self.inputs.len(), elsewhere: self.elsewhere }
    }
}

#[derive(Default)]
struct InputCounts {
    renamed: usize,
    /// In workspaces where the skill's slug may mean another skill.
    elsewhere: usize,
}

/// The changed files of a skill, and the number of renamed mentions.
struct RenamedTexts {
    files: Vec<(SkillPath, String)>,
    count: usize,
}

/// A script names what it provides in its own code, which only a person can change.
fn is_renamed(role: Role) -> bool {
    role != Role::Gives
}

fn renamable_name(symbol: &Symbol) -> Result<&str, SymbolError> {
    match symbol {
        Symbol::Variable { name } | Symbol::Artifact { name } => Ok(name),
        _ => Err(SymbolError::NotRenamable),
    }
}

/// Values that already have one under the name `to` stay as they are.
fn has_value_to_rename(values: &Map<String, Value>, from: &str, to: &str) -> bool {
    values.contains_key(from) && !values.contains_key(to)
}

/// The values in their order.
fn renamed_values(values: Map<String, Value>, from: &str, to: &str) -> Map<String, Value> {
    values.into_iter().map(|(name, value)| (if name == from { to.to_owned() } else { name }, value)).collect()
}

const fn is_template(artifact: &Artifact) -> bool {
    matches!(artifact.kind, ArtifactKind::PromptTemplate | ArtifactKind::CodeTemplate)
}

/// Replaces each mention that is renamed by what `replacement` returns for it, given the file's text.
fn replace_mentions(
    texts: &Texts<'_>,
    symbol: &Symbol,
    replacement: impl Fn(&SkillPath, &str, &Mention) -> Result<String, SymbolError>,
) -> Result<RenamedTexts, SymbolError> {
    let mut new = RenamedTexts { files: Vec::new(), count: 0 };
    for (path, mentions) in texts.everywhere(symbol) {
        let mentions: Vec<_> = mentions.into_iter().filter(|one| is_renamed(one.role)).collect();
        let before = texts.text(path).unwrap_or_default();
        let mut after = before.to_owned();
        for mention in mentions.iter().rev() {
            after.replace_range(mention.range.clone(), &replacement(path, before, mention)?);
        }
        if !mentions.is_empty() {
            new.count += mentions.len();
            new.files.push((path.clone(), after));
        }
    }
    Ok(new)
}

/// A text as it is written between the quotes of JSON.
fn json_escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn rename_variable(prompts: &PromptEngine, texts: &Texts<'_>, from: &str, to: &str) -> Result<RenamedTexts, SymbolError> {
    if !prompts.is_name(to) {
        return Err(SymbolError::VariableName(to.to_owned()));
    }
    if from == to {
        return Err(SymbolError::SameName(to.to_owned()));
    }
    let templates = || texts.package().artifacts.iter().filter(|one| is_template(one));
    let is_known = |name: &str| templates().any(|one| uses_variable(prompts, one, name) || declares(one, name));
    if !is_known(from) {
        return Err(SymbolError::UnknownVariable(from.to_owned()));
    }
    if is_known(to) {
        return Err(SymbolError::VariableExists(to.to_owned()));
    }
    // In a template that binds the new name itself, e.g. in a loop, the variable would no longer be used.
    let shadows = |one: &&Artifact| uses_variable(prompts, one, from) && !matches!(prompts.renamed(&one.content, from, to), Ok(Some(_)));
    if let Some(artifact) = templates().find(shadows) {
        return Err(SymbolError::NameInUse { name: to.to_owned(), path: artifact.path.clone() });
    }
    replace_mentions(texts, &Symbol::Variable { name: from.to_owned() }, |_, _, _| Ok(to.to_owned()))
}

fn uses_variable(prompts: &PromptEngine, artifact: &Artifact, name: &str) -> bool {
    prompts.uses(&artifact.content).is_ok_and(|uses| uses.iter().any(|(used, _)| used == name))
}

fn rename_artifact(texts: &Texts<'_>, from: &str, to: &str) -> Result<RenamedTexts, SymbolError> {
    if to.is_empty() || to.chars().any(char::is_control) {
        return Err(SymbolError::ArtifactName);
    }
    let artifacts = &texts.package().artifacts;
    if artifacts.iter().all(|one| one.name != from) {
        return Err(SymbolError::UnknownArtifact(from.to_owned()));
    }
    if from == to {
        return Err(SymbolError::SameName(to.to_owned()));
    }
    let (old_key, new_key, slug) = (output_key(from), output_key(to), slugify(to, "artifact"));
    if let Some(other) = artifacts.iter().find(|one| one.name != from && (one.name == to || output_key(&one.name) == new_key)) {
        return Err(SymbolError::OutputKeyExists { artifact: other.name.clone(), key: new_key });
    }
    let symbol = Symbol::Artifact { name: from.to_owned() };
    let is_declared = texts.everywhere(&symbol).into_iter().any(|(_, mentions)| mentions.iter().any(|one| one.role == Role::Defines));
    if !is_declared {
        return Err(SymbolError::NotDeclared(from.to_owned()));
    }
    replace_mentions(texts, &symbol, |path, text, mention| {
        if path.as_str() == SKILL_JSON {
            return Ok(json_escaped(to));
        }
        // In a template the name is a key of `outputs`; between quotes it may be written with hyphens.
        if matches!(text.as_bytes().get(mention.range.end), Some(b'"' | b'\'')) {
            return Ok(if text[mention.range.clone()].contains('-') { slug.clone() } else { new_key.clone() });
        }
        if new_key.starts_with(|first: char| first.is_ascii_digit()) {
            return Err(SymbolError::OutputKey { old: old_key.clone(), new: new_key.clone() });
        }
        Ok(new_key.clone())
    })
}
