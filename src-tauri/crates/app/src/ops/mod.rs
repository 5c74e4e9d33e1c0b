//! Operations by family. Each module ends in its part of the table.

pub mod artifact;
pub mod bulk;
pub mod bytes;
pub mod carry;
pub mod check;
pub mod compare;
pub mod deleted;
pub mod describe;
pub mod diagnostics;
pub mod draft;
pub mod export;
pub mod file;
pub mod find;
pub mod history;
pub mod import;
pub mod input;
pub mod library;
pub mod log;
pub mod model;
pub mod optimize;
pub mod page;
pub mod place;
pub mod program;
pub mod prompt;
pub mod proposal;
pub mod rename;
pub mod run;
pub mod script;
pub mod settings;
pub mod skill;
pub mod status;
pub mod structure;
pub mod symbol;
pub mod target;
pub mod text;
pub mod trace;
pub mod tree;
pub mod validate;
pub mod workspace;

use std::sync::Arc;

use inklings_core::change::changed_paths;
use inklings_core::edit::{self, SaveError, Saved, TreeEdit};
use inklings_core::{
    Digest, Entry, Projection as _, Scope, Skill, SkillCatalog, SkillPath, SkillStorageRepository, StorageError, Tree, user,
};

use crate::app::App;
use crate::context::CallContext;
use crate::error::Failure;
use crate::wire::{SkillDetail, detail};

/// Where a skill's drafts are filed: under the workspace for its skills, under the account for the account's.
pub(crate) fn draft_key(cx: &CallContext, skill: &Skill) -> String {
    match skill.head.scope {
        Scope::Account => String::new(),
        Scope::Workspace => cx.workspace_key(),
    }
}

/// Paths of a skill with unsaved typing.
pub(crate) fn draft_paths(app: &App, cx: &CallContext, skill: &Skill) -> Result<Vec<SkillPath>, Failure> {
    let drafts = app.user.draft_marks(&draft_key(cx, skill))?;
    Ok(drafts.into_iter().filter(|draft| draft.skill == skill.head.id).map(|draft| draft.path).collect())
}

/// Unsaved typing in the files of a skill, newest first.
pub(crate) fn drafts_of(app: &App, cx: &CallContext, skill: &Skill) -> Result<Vec<user::Draft>, Failure> {
    Ok(app.user.drafts(&draft_key(cx, skill), skill.head.id)?)
}

/// The hash of a file as it was at a revision; none if it wasn't there. This is what tells later whether the file moved on.
pub(crate) fn base_hash(catalog: &SkillCatalog, skill: &Skill, revision: i64, path: &SkillPath) -> Result<Option<Digest>, Failure> {
    if revision == skill.head.revision {
        return Ok(skill.package.tree().get(path).map(Entry::digest));
    }
    Ok(home(catalog, skill)?.revision_file(skill.head.id, revision, path)?.map(|entry| entry.digest()))
}

/// A skill's detail with its draft marks.
pub(crate) fn full(app: &App, cx: &CallContext, catalog: &SkillCatalog, skill: &Skill) -> Result<SkillDetail, Failure> {
    let findings = inklings_lint::check_skill(&skill.package, app.folder.as_ref());
    detail(catalog, skill, &draft_paths(app, cx, skill)?, findings)
}

/// The repository that a stored skill lives in.
pub(crate) fn home<'a>(catalog: &'a SkillCatalog, skill: &Skill) -> Result<&'a Arc<dyn SkillStorageRepository>, Failure> {
    Ok(catalog.holder(skill.head.id, skill.head.scope)?)
}

/// The one way in which an operation changes a stored skill's files. What the person keeps by the slug follows a changed one.
pub(crate) fn save(
    app: &App,
    cx: &CallContext,
    catalog: &SkillCatalog,
    skill: &Skill,
    (edits, expected, why): (&[TreeEdit], i64, &str),
) -> Result<Saved, SaveError> {
    let repository = catalog.holder(skill.head.id, skill.head.scope).map_err(SaveError::Storage)?;
    refuse_new_assertion_faults(app, skill, edits)?;
    let saved = edit::save(repository.as_ref(), skill.head.id, edits, expected, &cx.actor, why)?;
    let (before, after) = (&skill.package.slug, &saved.skill.package.slug);
    if before != after {
        let workspace = (skill.head.scope == Scope::Workspace).then(|| cx.workspace_key());
        // The skill is saved; its form's values are a comfort beside it.
        if let Err(error) = app.user.move_inputs(workspace.as_deref(), before, after, &cx.origin) {
            tracing::warn!(%error, "saved inputs did not follow the changed slug");
        }
    }
    Ok(saved)
}

/// Changes a stored package by its values, and saves what that does to its folder.
pub(crate) fn change_values(
    app: &App,
    cx: &CallContext,
    catalog: &SkillCatalog,
    skill: &Skill,
    why: &str,
    with: impl FnOnce(&mut inklings_core::Package) -> Result<(), Failure>,
) -> Result<Saved, Failure> {
    let mut after = skill.package.clone();
    with(&mut after)?;
    app.folder.settle_strictly(&mut after)?;
    let edits = edits(&skill.package.tree(), &after.tree());
    Ok(save(app, cx, catalog, skill, (&edits, skill.head.revision, why))?)
}

/// An assertion that can't be checked would look like one that holds, so none is saved. Those that came in with an import stay
/// until they are touched.
fn refuse_new_assertion_faults(app: &App, skill: &Skill, edits: &[TreeEdit]) -> Result<(), SaveError> {
    let mut tree = skill.package.tree();
    // What can't be applied or read is refused by the save itself, in its own words.
    let read =
        edit::apply(&mut tree, edits).ok().and_then(|()| app.folder.read(&tree, skill.package.slug.as_str(), Some(&skill.package)).ok());
    let Some(reading) = read else { return Ok(()) };
    let faults =
        |package| inklings_lint::check_package(package).into_iter().filter(|one| one.is_error() && one.rule.starts_with("assertion/"));
    let known: Vec<String> = faults(&skill.package).map(|one| one.message).collect();
    let fresh: Vec<_> = faults(&reading.package).filter(|one| !known.contains(&one.message)).collect();
    if fresh.is_empty() { Ok(()) } else { Err(StorageError::Invalid(fresh).into()) }
}

/// Refuses a skill that can't be changed in place.
pub(crate) fn unlocked(skill: &Skill) -> Result<(), Failure> {
    if skill.head.source.is_locked() { Err(Failure::locked(skill.package.slug.as_str())) } else { Ok(()) }
}

/// What leads from one folder to another: what goes comes first, since a path may return in other case.
pub(crate) fn edits(before: &Tree, after: &Tree) -> Vec<TreeEdit> {
    let (mut gone, mut put) = (Vec::new(), Vec::new());
    for (path, entry) in changed_paths(before, after) {
        match entry {
            Some(entry) => {
                put.push(TreeEdit::Write(path.clone(), entry.bytes.clone()));
                put.push(TreeEdit::Executable(path, entry.executable));
            }
            None => gone.push(TreeEdit::Delete(path)),
        }
    }
    gone.append(&mut put);
    gone
}
