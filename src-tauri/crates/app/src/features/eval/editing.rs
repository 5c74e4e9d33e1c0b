//! Changes of a skill's cases, saved as one revision.

use std::collections::BTreeMap;
use std::sync::Arc;

use inklings_core::chat::{ChatMessage, ChatStep};
use inklings_core::edit::TreeEdit;
use inklings_core::path::SKILL_JSON;
use inklings_core::{MessageId, Package, Skill, SkillPath, TraceStatus, TreeFile};
use inklings_evals::cases::{
    CaseEdit, CaseFile, CaseKind, CaseList, DEFAULT_FILE, MESSAGE, PastedCase, Task, from_csv, from_json_lines, is_case_file,
};
use inklings_runtime::{Redactor, SkillError};
use serde_json::{Map, Value};

use super::api::EditedCases;
use super::error::EvalError;
use super::service;
use crate::editing::{SkillEditor, ensure_unlocked};
use crate::features::run::RunDetail;
use crate::features::trace::service::is_step;

/// Cases that are added or changed in one call.
const MAX_CHANGES: usize = 1_000;

/// A change whose cases are known.
pub(super) enum Change {
    Add { file: Option<String>, cases: Vec<PastedCase> },
    Edit { key: String, edit: KeyedEdit },
}

pub(super) enum KeyedEdit {
    Duplicate,
    Remove,
    Set { field: String, value: Option<Value> },
}

pub(super) fn pasted(text: &str) -> Result<Vec<PastedCase>, EvalError> {
    let found = if text.trim_start().starts_with('{') { from_json_lines(text) } else { from_csv(text) }?;
    if found.is_empty() { Err(EvalError::NothingPasted) } else { Ok(found) }
}

/// The texts of files with cases while they are changed; None for a deleted one.
struct Files<'a> {
    package: &'a Package,
    changed: BTreeMap<SkillPath, Option<String>>,
}

impl Files<'_> {
    fn text(&self, path: &SkillPath) -> Option<String> {
        match self.changed.get(path) {
            Some(text) => text.clone(),
            None => self.package.tree().get(path).and_then(|file| file.text().map(str::to_owned)),
        }
    }

    fn cases(&self) -> CaseList {
        let mut tree = self.package.tree();
        for (path, text) in &self.changed {
            match text {
                Some(text) => drop(tree.insert(path.clone(), TreeFile::new(text.as_bytes()))),
                None => drop(tree.remove(path)),
            }
        }
        service::cases_of(&self.package.metadata, &tree)
    }

    fn apply(&mut self, change: &Change) -> Result<(), EvalError> {
        match change {
            Change::Add { file, cases } => {
                let name = file.as_deref().unwrap_or(DEFAULT_FILE);
                let path = SkillPath::parse(name).ok().filter(|path| is_case_file(path.as_str()));
                let path = path.ok_or_else(|| EvalError::NotACaseFile(name.to_owned()))?;
                let text = self.text(&path);
                let file = CaseFile { path: path.as_str(), text: text.as_deref() };
                let text = file.edit(&CaseEdit::Add(file.entries(cases)))?;
                self.changed.insert(path, text);
            }
            Change::Edit { key, edit } => {
                let case = self.cases().cases.into_iter().find(|case| case.key == *key);
                let case = case.ok_or_else(|| EvalError::NoSuchCase(key.clone()))?;
                if case.file == SKILL_JSON {
                    return Err(EvalError::ManifestCase(key.clone()));
                }
                let path = SkillPath::parse(&case.file).map_err(|_| EvalError::NotACaseFile(case.file.clone()))?;
                let pointer = case.pointer;
                let edit = match edit {
                    KeyedEdit::Duplicate => CaseEdit::Duplicate { pointer },
                    KeyedEdit::Remove => CaseEdit::Remove { pointer },
                    KeyedEdit::Set { field, value } => CaseEdit::Set { pointer, key: field.clone(), value: value.clone() },
                };
                let text = self.text(&path);
                let text = CaseFile { path: path.as_str(), text: text.as_deref() }.edit(&edit)?;
                self.changed.insert(path, text);
            }
        }
        Ok(())
    }
}

/// Saves all changes, or none.
pub(super) fn edit(editor: &SkillEditor<'_>, skill: &Skill, changes: &[Change], expected: Option<i64>) -> Result<EditedCases, EvalError> {
    ensure_unlocked(skill)?;
    let count = |change: &Change| match change {
        Change::Add { cases, .. } => cases.len(),
        Change::Edit { .. } => 1,
    };
    if changes.iter().map(count).sum::<usize>() > MAX_CHANGES {
        return Err(EvalError::TooManyChanges(MAX_CHANGES));
    }
    let mut files = Files { package: &skill.package, changed: BTreeMap::new() };
    for change in changes {
        files.apply(change)?;
    }
    let edit = |(path, text): (SkillPath, Option<String>)| match text {
        Some(text) => TreeEdit::Write(path, Arc::from(text.into_bytes())),
        None => TreeEdit::Delete(path),
    };
    let edits: Vec<TreeEdit> = files.changed.into_iter().map(edit).collect();
    let saved = editor.save(skill, &edits, expected.unwrap_or(skill.head.revision), "changed eval cases")?;
    let found = service::cases(&saved.skill.package);
    Ok(EditedCases { cases: found.cases, diagnostics: found.diagnostics, revision: saved.skill.head.revision, before: saved.applied_to })
}

/// A run of the skill as a case: its values, and its output as the expected one if it succeeded.
pub(super) fn case_of_run(skill: &Skill, run: &RunDetail, name: Option<String>) -> Result<PastedCase, EvalError> {
    let RunDetail { summary, executions, .. } = run;
    // A moved skill has another ID.
    if summary.skill.id != skill.head.id && summary.skill.slug != skill.package.slug {
        return Err(EvalError::RunOfAnotherSkill(summary.skill.slug.clone()));
    }
    let first = executions.first().ok_or(EvalError::NotFound)?;
    let params = first.params.clone().ok_or(EvalError::ValuesNotKept)?;
    if executions.iter().any(|trace| trace.truncated) {
        return Err(EvalError::ValuesNotKept);
    }
    let has = |asked: &str| skill.package.artifacts.iter().any(|one| one.name == asked || one.path.as_str() == asked);
    if let Some(asked) = first.asked_artifact.as_deref().filter(|asked| !has(asked)) {
        return Err(SkillError::NoArtifact(asked.to_owned()).into());
    }
    let last = executions.iter().rev().find(|trace| is_step(trace)).filter(|_| summary.status == TraceStatus::Ok);
    let output = last.and_then(|trace| trace.raw_output.clone());
    let kept = Value::from(params.clone()).to_string();
    if Redactor::is_redacted(&kept) || output.as_deref().is_some_and(Redactor::is_redacted) {
        return Err(EvalError::SecretsRemoved);
    }
    let is_message = params.get(MESSAGE).is_some_and(Value::is_string) && first.artifact_path.is_skill_md();
    let task =
        Task { artifact: first.asked_artifact.clone().filter(|_| !is_message), input: params, expected_output: output, ..Task::default() };
    Ok(PastedCase { name, tags: Vec::new(), kind: CaseKind::Task(task) })
}

/// A message of a chat and the answer to it.
pub(super) fn case_of_answer(messages: &[ChatMessage], answer: MessageId, name: Option<String>) -> Result<PastedCase, EvalError> {
    let find = |id| messages.iter().find(|message| message.id == id);
    let answer = find(answer).ok_or(EvalError::NoAnswer)?;
    let asked = answer.parent.and_then(find).ok_or(EvalError::NoAnswer)?;
    let input = Map::from_iter([(MESSAGE.to_owned(), asked.content.text.as_str().into())]);
    let expected_output = Some(text_of(answer)).filter(|text| !text.trim().is_empty());
    Ok(PastedCase { name, tags: Vec::new(), kind: CaseKind::Task(Task { input, expected_output, ..Task::default() }) })
}

/// What the answer ended with.
fn text_of(answer: &ChatMessage) -> String {
    let texts = answer.steps.iter().filter_map(|step| match step {
        ChatStep::Text { text, last: true, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n\n")
}
