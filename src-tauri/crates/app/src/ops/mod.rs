//! Operations by family. Each module ends in its part of the table.

pub mod artifact;
pub mod check;
pub mod draft;
pub mod file;
pub mod history;
pub mod input;
pub mod prompt;
pub mod settings;
pub mod skill;
pub mod status;
pub mod transfer;
pub mod workspace;

use std::sync::Arc;

use inklings_core::change::changed_paths;
use inklings_core::edit::TreeEdit;
use inklings_core::{Digest, Entry, Skill, SkillCatalog, SkillPath, SkillStorageRepository, Tree};

use crate::app::App;
use crate::context::CallContext;
use crate::error::Failure;
use crate::wire::{SkillDetail, detail};

/// Where a skill's drafts are filed: under the workspace for its skills, under the account for the account's.
pub(crate) fn draft_key(cx: &CallContext, skill: &Skill) -> String {
    match skill.head.scope {
        inklings_core::Scope::Account => String::new(),
        inklings_core::Scope::Workspace => cx.workspace_key(),
    }
}

/// Paths of a skill with unsaved typing.
pub(crate) fn draft_paths(app: &App, cx: &CallContext, skill: &Skill) -> Result<Vec<SkillPath>, Failure> {
    let drafts = app.user.drafts(&draft_key(cx, skill))?;
    Ok(drafts.into_iter().filter(|draft| draft.skill == skill.head.id).map(|draft| draft.path).collect())
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
