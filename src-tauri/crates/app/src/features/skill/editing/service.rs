use inklings_core::edit::{SaveError, TreeEdit};
use inklings_core::user::{Draft, DraftKey, DraftStamp};
use inklings_core::{Diagnostic, Package, Scope, Skill, SkillFormat as _, SkillSummary, Slug, Source, StorageError, TreeFile, limits};

use super::error::WriteError;
use crate::after_write::{after_write, log_failure};
use crate::editing::{SkillEditor, base_hash, ensure_unlocked};
use crate::features::skill::SkillValues;
use crate::wire::{EditResult, SkillDetail, is_in_both_scopes, summary};

/// Creates a skill. Its slug is made from its name; without a description and content it has placeholders to fill in.
pub(crate) fn create(
    editor: &SkillEditor<'_>,
    name: &str,
    description: Option<String>,
    content: Option<String>,
    scope: Option<Scope>,
) -> Result<SkillDetail, WriteError> {
    let name = name.trim().to_owned();
    if name.is_empty() {
        return Err(WriteError::NoName);
    }
    let description = description.filter(|text| !text.trim().is_empty());
    let description = description.unwrap_or_else(|| format!("What {name} does, and when to use it."));
    check_length(&description)?;
    let body = content.unwrap_or_else(|| format!("\n# {name}\n\nSay step by step what to do.\n"));
    let slug = Slug::of_name(&name);
    let values = SkillValues { name: Some(name), description: Some(description), ..SkillValues::default() };
    let package = new_package(editor, slug, values, &body)?;
    let scope = editor.caller.target_scope(scope)?;
    let skill = editor.store_new(editor.new_head(scope, Source::User), package, "created")?;
    Ok(editor.written_detail(&skill))
}

/// A skill of `SKILL.md` alone. `content` is its body.
pub(crate) fn new_package(editor: &SkillEditor<'_>, slug: Slug, values: SkillValues, content: &str) -> Result<Package, StorageError> {
    let mut package = Package::new(slug.clone(), String::new(), String::new());
    values.apply_to(&mut package);
    editor.folder.sync_sources_strictly(&mut package)?;
    // The body goes through the folder, so that one rule makes the description artifact out of it.
    let mut tree = package.tree();
    let front = package.sources.frontmatter.as_deref().unwrap_or_default();
    tree.insert(package.main_path.clone(), TreeFile::new(format!("{front}{content}").into_bytes()));
    Ok(editor.folder.read(&tree, slug.as_str(), None).map_err(StorageError::Invalid)?.package)
}

fn check_length(description: &str) -> Result<(), StorageError> {
    let (found, limit) = (description.chars().count(), limits::DESCRIPTION_CHARS);
    if found <= limit {
        return Ok(());
    }
    let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    Err(StorageError::Limit { what: "characters of the description".to_owned(), found: count(found), limit: count(limit) })
}

/// Saves edits based on revision `expected`. On a conflict, the refused texts become drafts where possible.
pub(crate) fn edit(
    editor: &SkillEditor<'_>,
    skill: &Skill,
    edits: &[TreeEdit],
    expected: i64,
    why: Option<String>,
) -> Result<EditResult, WriteError> {
    ensure_unlocked(skill)?;
    let why = why.unwrap_or_else(|| describe(edits));
    match editor.save(skill, edits, expected, &why) {
        Ok(saved) => {
            after_write("discarding the drafts that it saved", discard_saved_drafts(editor, skill, edits));
            let findings = check_written(editor, &saved.skill, edits);
            let mut result = editor.edit_result(saved);
            result.diagnostics.extend(findings.into_iter().filter(|one| !result.diagnostics.contains(one)).collect::<Vec<_>>());
            Ok(result)
        }
        Err(SaveError::Conflict(conflict)) => {
            let is_in_drafts = !editor.caller.is_remote
                && save_refused_as_drafts(editor, skill, edits, expected).unwrap_or_else(|error| {
                    log_failure("a refused text can't be saved as a draft", error);
                    false
                });
            Err(WriteError::Conflict { conflict, is_in_drafts })
        }
        Err(error) => Err(error.into()),
    }
}

/// The diagnostics of the written texts, which are saved nevertheless.
fn check_written(editor: &SkillEditor<'_>, skill: &Skill, edits: &[TreeEdit]) -> Vec<Diagnostic> {
    let context = inklings_lint::Context { package: &skill.package, format: editor.folder };
    let written = edits.iter().filter_map(|edit| match edit {
        TreeEdit::Write(path, bytes) => Some((path, std::str::from_utf8(bytes).ok()?)),
        _ => None,
    });
    written.flat_map(|(path, text)| inklings_lint::check_file(&context, path, text)).collect()
}

/// Discards the drafts that were saved, but not drafts with another text.
fn discard_saved_drafts(editor: &SkillEditor<'_>, skill: &Skill, edits: &[TreeEdit]) -> Result<(), StorageError> {
    let is_saved = |draft: &Draft| {
        edits.iter().any(|edit| matches!(edit, TreeEdit::Write(path, bytes) if *path == draft.path && **bytes == *draft.content.as_bytes()))
    };
    let drafts = editor.drafts(skill)?.into_iter().filter(is_saved).map(|draft| DraftStamp {
        key: DraftKey { workspace: draft.workspace, skill: draft.skill, path: draft.path },
        updated_at: draft.updated_at,
    });
    editor.user.discard_unchanged_drafts(&drafts.collect::<Vec<_>>())
}

/// Files that have another draft already keep it. Returns whether all refused texts are drafts now.
fn save_refused_as_drafts(editor: &SkillEditor<'_>, skill: &Skill, edits: &[TreeEdit], expected: i64) -> Result<bool, StorageError> {
    let drafts = editor.drafts(skill)?;
    let mut all_saved = true;
    for edit in edits {
        let TreeEdit::Write(path, bytes) = edit else { continue };
        let Ok(text) = std::str::from_utf8(bytes) else {
            all_saved = false;
            continue;
        };
        if let Some(draft) = drafts.iter().find(|draft| draft.path == *path) {
            all_saved &= draft.content == text;
            continue;
        }
        editor.user.put_draft(&Draft {
            workspace: editor.caller.draft_key(skill.head.scope),
            skill: skill.head.id,
            path: path.clone(),
            base_revision: expected,
            base_sha256: base_hash(&editor.catalog, skill, expected, path)?,
            content: text.to_owned(),
            updated_at: editor.clock.now(),
        })?;
    }
    Ok(all_saved)
}

fn describe(edits: &[TreeEdit]) -> String {
    let one = |edit: &TreeEdit| match edit {
        TreeEdit::Write(path, _) => format!("edited {path}"),
        TreeEdit::Delete(path) => format!("deleted {path}"),
        TreeEdit::Executable(path, on) => format!("{path} {} executable", if *on { "is" } else { "is not" }),
    };
    let mut parts: Vec<String> = edits.iter().take(3).map(one).collect();
    if edits.len() > parts.len() {
        parts.push(format!("{} more", edits.len() - parts.len()));
    }
    parts.join(", ")
}

pub(crate) fn enable(editor: &SkillEditor<'_>, mut skill: Skill, enabled: bool) -> Result<SkillSummary, StorageError> {
    editor.repository_of(&skill)?.set_enabled(skill.head.id, enabled, editor.caller.actor)?;
    skill.head.enabled = enabled;
    Ok(summary(&skill, after_write("looking for it in the other scope", is_in_both_scopes(&editor.catalog, &skill))))
}
