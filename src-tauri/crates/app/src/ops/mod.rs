//! Operations by family. Each module ends in its part of the table.

pub mod artifact;
pub mod bulk;
pub mod bytes;
pub mod carry;
pub mod check;
pub mod compare;
pub mod db;
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
pub mod reference;
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

use std::borrow::Cow;
use std::sync::Arc;

use inklings_core::change::changed_paths;
use inklings_core::edit::{self, Commit, SaveError, Saved, TreeEdit};
use inklings_core::{
    ChangeSet, Digest, Expected, Package, Scope, Skill, SkillCatalog, SkillFormat as _, SkillPath, SkillStorageRepository, StorageError,
    Tree, TreeFile, user,
};

use crate::app::App;
use crate::wire::{SkillDetail, detail, is_in_both_scopes};
use inklings_rpc::{CallContext, Failure};

/// Where the drafts of a scope's skills are filed: under the workspace for its skills, under the account for the account's.
pub(crate) fn draft_key(cx: &CallContext, scope: Scope) -> String {
    match scope {
        Scope::Account => String::new(),
        Scope::Workspace => cx.workspace_key(),
    }
}

/// Paths of a skill with unsaved typing.
pub(crate) fn draft_paths(app: &App, cx: &CallContext, skill: &Skill) -> Result<Vec<SkillPath>, Failure> {
    let drafts = app.user.draft_marks(&draft_key(cx, skill.head.scope))?;
    Ok(drafts.into_iter().filter(|draft| draft.skill == skill.head.id).map(|draft| draft.path).collect())
}

/// Unsaved typing in the files of a skill, newest first.
pub(crate) fn drafts_of(app: &App, cx: &CallContext, skill: &Skill) -> Result<Vec<user::Draft>, Failure> {
    Ok(app.user.drafts(&draft_key(cx, skill.head.scope), skill.head.id)?)
}

/// The hash of a file as it was at a revision; none if it wasn't there. This is what tells later whether the file moved on.
pub(crate) fn base_hash(catalog: &SkillCatalog, skill: &Skill, revision: i64, path: &SkillPath) -> Result<Option<Digest>, Failure> {
    if revision == skill.head.revision {
        return Ok(skill.package.tree().get(path).map(TreeFile::digest));
    }
    Ok(home(catalog, skill)?.revision_file(skill.head.id, revision, path)?.map(|entry| entry.digest()))
}

/// A skill's detail with its draft marks.
pub(crate) fn full(app: &App, cx: &CallContext, catalog: &SkillCatalog, skill: &Skill) -> Result<SkillDetail, Failure> {
    let findings = inklings_lint::check_skill(&skill.package, app.folder.as_ref());
    Ok(detail(skill, is_in_both_scopes(catalog, skill)?, &draft_paths(app, cx, skill)?, findings))
}

/// The detail of a skill that was just written.
pub(crate) fn written(app: &App, cx: &CallContext, catalog: &SkillCatalog, skill: &Skill) -> SkillDetail {
    let in_both = after_write("looking for it in the other scope", is_in_both_scopes(catalog, skill));
    let drafts = after_write("listing its drafts", draft_paths(app, cx, skill));
    detail(skill, in_both, &drafts, inklings_lint::check_skill(&skill.package, app.folder.as_ref()))
}

/// What follows a write that is stored can't fail the call any more: its caller would take the write for refused and repeat it. A
/// failure is logged, and the default stands in for the result.
pub(crate) fn after_write<T: Default>(what: &str, result: Result<T, impl Into<Failure>>) -> T {
    result.unwrap_or_else(|error| {
        let failure: Failure = error.into();
        // Other messages may repeat what a person wrote, which the log doesn't keep.
        let message = if failure.code.is_of_the_machine() { failure.message.as_str() } else { "" };
        tracing::warn!(code = ?failure.code, message, "a write is stored, but {what} failed");
        T::default()
    })
}

/// The repository that a stored skill lives in.
pub(crate) fn home<'a>(catalog: &'a SkillCatalog, skill: &Skill) -> Result<&'a Arc<dyn SkillStorageRepository>, Failure> {
    Ok(catalog.holder(skill.head.id, skill.head.scope)?)
}

/// The one way in which an operation changes a stored skill's files.
pub(crate) fn save(
    app: &App,
    cx: &CallContext,
    catalog: &SkillCatalog,
    skill: &Skill,
    edit: (&[TreeEdit], i64, &str),
) -> Result<Saved, SaveError> {
    let repository = catalog.holder(skill.head.id, skill.head.scope).map_err(SaveError::Storage)?;
    save_through(app, cx, catalog, skill, edit, &mut |writes| repository.commit_together(writes))
}

/// [`save`] with a commit of the caller's. What the person keeps by the slug follows a changed one.
fn save_through(
    app: &App,
    cx: &CallContext,
    catalog: &SkillCatalog,
    skill: &Skill,
    (edits, expected, why): (&[TreeEdit], i64, &str),
    commit: &mut Commit<'_>,
) -> Result<Saved, SaveError> {
    let repository = catalog.holder(skill.head.id, skill.head.scope).map_err(SaveError::Storage)?;
    let saved = edit::save_through(repository.as_ref(), skill.head.id, edits, expected, &cx.actor, why, &mut |writes| {
        refuse_new_assertion_faults(repository.as_ref(), writes)?;
        commit(writes)
    })?;
    let (before, after) = (&skill.package.slug, &saved.skill.package.slug);
    if before != after {
        let workspace = (skill.head.scope == Scope::Workspace).then(|| cx.workspace_key());
        after_write("moving its saved inputs", app.user.move_inputs(workspace.as_deref(), before, after, &cx.origin));
    }
    Ok(saved)
}

/// How often a change of values is made again on a newer revision, when another writer was faster.
const ATTEMPTS: usize = 20;

/// Changes a stored package by its values, and saves what that does to its folder. Such a change says what it wants, not what the
/// files should be, so it is made again on the newer revision when someone else wrote the same file.
pub(crate) fn change_values(
    app: &App,
    cx: &CallContext,
    catalog: &SkillCatalog,
    skill: &Skill,
    why: &str,
    with: impl FnMut(&mut Package) -> Result<(), Failure>,
) -> Result<Saved, Failure> {
    let repository = home(catalog, skill)?;
    change_values_through(app, cx, catalog, skill, why, with, &mut |writes| repository.commit_together(writes))
}

/// [`change_values`] with a commit of the caller's.
pub(crate) fn change_values_through(
    app: &App,
    cx: &CallContext,
    catalog: &SkillCatalog,
    skill: &Skill,
    why: &str,
    mut with: impl FnMut(&mut Package) -> Result<(), Failure>,
    commit: &mut Commit<'_>,
) -> Result<Saved, Failure> {
    let mut skill = Cow::Borrowed(skill);
    let mut attempt = 0;
    loop {
        attempt += 1;
        let mut after = skill.package.clone();
        with(&mut after)?;
        app.folder.settle_strictly(&mut after)?;
        let edits = edits(&skill.package.tree(), &after.tree());
        match save_through(app, cx, catalog, &skill, (&edits, skill.head.revision, why), commit) {
            Err(SaveError::Conflict(_)) if attempt < ATTEMPTS => {
                skill = Cow::Owned(home(catalog, &skill)?.present(skill.head.id)?);
            }
            saved => return Ok(saved?),
        }
    }
}

/// An assertion that can't be checked would look like one that holds, so none is saved. Those that came in with an import stay
/// until they are touched.
fn refuse_new_assertion_faults(repository: &dyn SkillStorageRepository, writes: &[(ChangeSet, Expected)]) -> Result<(), StorageError> {
    let faults =
        |package| inklings_lint::check_package(package).into_iter().filter(|one| one.is_error() && one.rule.starts_with("assertion/"));
    let Some(after) = writes.first().and_then(|(change, _)| change.after.as_ref()) else { return Ok(()) };
    let mut fresh: Vec<_> = faults(&after.package).collect();
    if !fresh.is_empty() {
        let before = repository.present(after.head.id)?;
        let known: Vec<String> = faults(&before.package).map(|one| one.message).collect();
        fresh.retain(|one| !known.contains(&one.message));
    }
    if fresh.is_empty() { Ok(()) } else { Err(StorageError::Invalid(fresh)) }
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
