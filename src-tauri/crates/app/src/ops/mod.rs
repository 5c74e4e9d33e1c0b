//! Operations by family. Each module ends in its part of the table.

use std::sync::Arc;

use inklings_core::edit::{SaveError, Saved, TreeEdit};
use inklings_core::{Package, Scope, Skill, SkillCatalog, SkillPath, SkillStorageRepository};

use crate::app::App;
use crate::editing::{self, SkillEditor};
use inklings_rpc::{CallContext, Failure};

pub(crate) use crate::after_write::after_write;

// What follows goes with the last operation that calls it: use cases take a `SkillEditor`.

fn editor<'a>(app: &'a App, cx: &'a CallContext, catalog: &SkillCatalog) -> SkillEditor<'a> {
    app.editor_of(cx, catalog.clone())
}

pub(crate) fn draft_key(cx: &CallContext, scope: Scope) -> String {
    App::caller(cx).draft_key(scope)
}

pub(crate) fn draft_paths(app: &App, cx: &CallContext, skill: &Skill) -> Result<Vec<SkillPath>, Failure> {
    let drafts = app.user.draft_marks(&draft_key(cx, skill.head.scope))?;
    Ok(drafts.into_iter().filter(|draft| draft.skill == skill.head.id).map(|draft| draft.path).collect())
}

pub(crate) fn home<'a>(catalog: &'a SkillCatalog, skill: &Skill) -> Result<&'a Arc<dyn SkillStorageRepository>, Failure> {
    Ok(catalog.holder(skill.head.id, skill.head.scope)?)
}

pub(crate) fn save(
    app: &App,
    cx: &CallContext,
    catalog: &SkillCatalog,
    skill: &Skill,
    (edits, expected, why): (&[TreeEdit], i64, &str),
) -> Result<Saved, SaveError> {
    editor(app, cx, catalog).save(skill, edits, expected, why)
}

pub(crate) fn change_values(
    app: &App,
    cx: &CallContext,
    catalog: &SkillCatalog,
    skill: &Skill,
    why: &str,
    with: impl FnMut(&mut Package) -> Result<(), Failure>,
) -> Result<Saved, Failure> {
    editor(app, cx, catalog).change_values(skill, why, with)
}

pub(crate) fn unlocked(skill: &Skill) -> Result<(), Failure> {
    Ok(editing::ensure_unlocked(skill)?)
}
