//! `library/apply` and `library/undo`: one change to many skills. Each skill is changed as a whole or not at all, and the answer says
//! which and why; what was done comes with the step that takes it back.

use inklings_core::edit::Saved;
use inklings_core::{Skill, SkillCatalog, Slug};
use inklings_rpc::{CallContext, Code, Failure, operations};

use super::api::{Applied, ApplyParams, BulkAction, BulkReport, Refused, TakeBack, UndoParams, UndoStep};
use crate::app::App;
use crate::editing::ensure_unlocked;
use crate::features::skill::{DeletionPlan, delete, line, restore, revert};
use crate::wire::SkillRef;

/// Skills of one call.
const MOST: usize = 1_000;

/// Characters of a tag or a category.
const SHORT: usize = 120;

fn apply(app: &App, cx: &CallContext, params: ApplyParams) -> Result<BulkReport, Failure> {
    few_enough(params.skills.len())?;
    let action = tidy(params.action)?;
    let catalog = app.catalog(cx)?;
    let deletion = match action {
        BulkAction::Delete {} => Some(deletion(app, cx, &catalog, &params.skills)?),
        _ => None,
    };
    let mut report = BulkReport { done: Vec::new(), failed: Vec::new() };
    for named in params.skills {
        let skill = match catalog.require(&named.skill, named.scope) {
            Ok(skill) => skill,
            Err(error) => {
                report.failed.push(Refused { skill: named.skill, scope: named.scope, name: None, failure: error.into() });
                continue;
            }
        };
        match apply_to(app, cx, &catalog, &skill, &action, deletion.as_ref()) {
            Ok(undo) => report.done.push(Applied {
                id: skill.head.id,
                scope: skill.head.scope,
                slug: skill.package.slug,
                name: skill.package.name,
                undo,
            }),
            Err(failure) => report.failed.push(Refused {
                skill: skill.head.id.to_string(),
                scope: Some(skill.head.scope),
                name: Some(skill.package.name),
                failure,
            }),
        }
    }
    Ok(report)
}

fn few_enough(count: usize) -> Result<(), Failure> {
    if count <= MOST {
        return Ok(());
    }
    Err(Failure::new(Code::Limit, format!("{count} skills in one call, at most {MOST} are allowed")).hint("do it in several calls"))
}

fn tidy(action: BulkAction) -> Result<BulkAction, Failure> {
    Ok(match action {
        BulkAction::AddTag { tag } => BulkAction::AddTag { tag: line("tag", &tag, SHORT)? },
        BulkAction::RemoveTag { tag } => BulkAction::RemoveTag { tag: line("tag", &tag, SHORT)? },
        BulkAction::SetCategory { category } => BulkAction::SetCategory { category: line("category", &category, SHORT)? },
        other => other,
    })
}

/// What all the skills have to do with each other, when they are deleted.
fn deletion(app: &App, cx: &CallContext, catalog: &SkillCatalog, skills: &[SkillRef]) -> Result<DeletionPlan, Failure> {
    let found = skills.iter().map(|named| catalog.find(&named.skill, named.scope)).collect::<Result<Vec<_>, _>>()?;
    let found: Vec<&Skill> = found.iter().flatten().collect();
    Ok(DeletionPlan::new(catalog, &app.other_workspaces(cx), &found)?)
}

fn apply_to(
    app: &App,
    cx: &CallContext,
    catalog: &SkillCatalog,
    skill: &Skill,
    action: &BulkAction,
    deletion: Option<&DeletionPlan>,
) -> Result<Option<TakeBack>, Failure> {
    match action {
        BulkAction::Enable { on } => {
            if skill.head.enabled == *on {
                return Ok(None);
            }
            catalog.holder(skill.head.id, skill.head.scope)?.set_enabled(skill.head.id, *on, &cx.actor)?;
            Ok(Some(TakeBack::Enable { on: !*on }))
        }
        BulkAction::AddTag { tag } => with_tags(app, cx, catalog, skill, &format!("added the tag {tag}"), |tags| {
            if !tags.iter().any(|one| same(one, tag)) {
                tags.push(tag.clone());
            }
        }),
        BulkAction::RemoveTag { tag } => {
            with_tags(app, cx, catalog, skill, &format!("took the tag {tag} away"), |tags| tags.retain(|one| !same(one, tag)))
        }
        BulkAction::SetCategory { category } => {
            if skill.package.category == *category {
                return Ok(None);
            }
            ensure_unlocked(skill)?;
            let saved =
                app.editor_of(cx, catalog.clone()).change_values(skill, &format!("put into the category {category}"), |package| {
                    package.category.clone_from(category);
                    Ok::<_, Failure>(())
                })?;
            Ok(take_back_of(&saved))
        }
        BulkAction::Delete {} => {
            if let Some(plan) = deletion {
                delete(&app.editor(cx)?, plan, skill, skill.head.revision)?;
            }
            Ok(Some(TakeBack::Restore {}))
        }
    }
}

/// The step that takes a save back, and nothing that others wrote before it; none when it changed nothing.
fn take_back_of(saved: &Saved) -> Option<TakeBack> {
    let step = TakeBack::Revision { to: saved.applied_to, from: saved.skill.head.revision };
    (saved.applied_to != saved.skill.head.revision).then_some(step)
}

/// Tags that differ only in case are one tag.
fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

fn with_tags(
    app: &App,
    cx: &CallContext,
    catalog: &SkillCatalog,
    skill: &Skill,
    why: &str,
    mut with: impl FnMut(&mut Vec<String>),
) -> Result<Option<TakeBack>, Failure> {
    let mut tags = skill.package.tags.clone();
    with(&mut tags);
    if tags == skill.package.tags {
        return Ok(None);
    }
    ensure_unlocked(skill)?;
    let saved = app.editor_of(cx, catalog.clone()).change_values(skill, why, |package| {
        with(&mut package.tags);
        Ok::<_, Failure>(())
    })?;
    Ok(take_back_of(&saved))
}

fn undo(app: &App, cx: &CallContext, params: UndoParams) -> Result<BulkReport, Failure> {
    few_enough(params.steps.len())?;
    let catalog = app.catalog(cx)?;
    let mut report = BulkReport { done: Vec::new(), failed: Vec::new() };
    for step in params.steps {
        match take_back(app, cx, &catalog, &step) {
            Ok((slug, name)) => report.done.push(Applied { id: step.id, scope: step.scope, slug, name, undo: None }),
            Err(failure) => {
                // The title is for people; what was done so far must be told all the same.
                let found = catalog.find(&step.id.to_string(), Some(step.scope)).ok().flatten();
                let name = found.map(|skill| skill.package.name);
                report.failed.push(Refused { skill: step.id.to_string(), scope: Some(step.scope), name, failure });
            }
        }
    }
    Ok(report)
}

fn take_back(app: &App, cx: &CallContext, catalog: &SkillCatalog, step: &UndoStep) -> Result<(Slug, String), Failure> {
    let scope = Some(step.scope);
    let skill = match step.undo {
        TakeBack::Enable { on } => {
            let skill = catalog.require(&step.id.to_string(), scope)?;
            catalog.holder(skill.head.id, skill.head.scope)?.set_enabled(skill.head.id, on, &cx.actor)?;
            return Ok((skill.package.slug, skill.package.name));
        }
        TakeBack::Revision { to, from } => revert(&app.editor(cx)?, &catalog.require(&step.id.to_string(), scope)?, from, to)?.skill,
        TakeBack::Restore {} => restore(&app.editor(cx)?, step.id, step.scope)?,
    };
    Ok((skill.package.slug, skill.package.name))
}

operations! { App;
    Apply = "library/apply", Write["skill", "draft", "export"], blocking apply(ApplyParams) -> BulkReport;
    UndoMany = "library/undo", Write["skill"], blocking undo(UndoParams) -> BulkReport;
}
