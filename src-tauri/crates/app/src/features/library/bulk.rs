//! One change to many skills. Each skill is changed as a whole or not at all; each change comes with the step that undoes it.

use std::sync::Arc;

use inklings_core::edit::Saved;
use inklings_core::{Scope, Skill, SkillStorageRepository, Slug};

use super::api::{BulkAction, ChangedSkill, MAX_SKILLS, SkillUndo, UndoStep};
use super::error::BulkError;
use crate::editing::{SkillEditor, ensure_unlocked};
use crate::features::skill::{DeletionPlan, delete, line, restore, revert};
use crate::wire::SkillRef;

/// Characters of a tag or a category.
const MAX_VALUE_CHARS: usize = 120;

/// Changes many skills.
pub(super) struct BulkEditor<'a> {
    pub(super) editor: SkillEditor<'a>,
    /// Their skills may depend on one that is deleted.
    pub(super) other_workspaces: Vec<Arc<dyn SkillStorageRepository>>,
}

#[derive(Debug, Default)]
pub(super) struct BulkOutcome {
    pub(super) changed: Vec<ChangedSkill>,
    pub(super) refused: Vec<Refusal>,
}

#[derive(Debug)]
pub(super) struct Refusal {
    /// As the caller named it, or the id if it was found.
    pub(super) skill: String,
    pub(super) scope: Option<Scope>,
    pub(super) name: Option<String>,
    pub(super) error: BulkError,
}

impl BulkEditor<'_> {
    pub(super) fn apply(&self, skills: Vec<SkillRef>, action: BulkAction) -> Result<BulkOutcome, BulkError> {
        ensure_within_limit(skills.len())?;
        let action = normalized(action)?;
        let deletion = match action {
            BulkAction::Delete {} => Some(self.deletion_plan(&skills)?),
            _ => None,
        };
        let mut outcome = BulkOutcome::default();
        for named in skills {
            let skill = match self.editor.catalog.require(&named.skill, named.scope) {
                Ok(skill) => skill,
                Err(error) => {
                    outcome.refused.push(Refusal { skill: named.skill, scope: named.scope, name: None, error: error.into() });
                    continue;
                }
            };
            match self.apply_to(&skill, &action, deletion.as_ref()) {
                Ok(undo) => outcome.changed.push(ChangedSkill {
                    id: skill.head.id,
                    scope: skill.head.scope,
                    slug: skill.package.slug,
                    name: skill.package.name,
                    undo,
                }),
                Err(error) => outcome.refused.push(Refusal {
                    skill: skill.head.id.to_string(),
                    scope: Some(skill.head.scope),
                    name: Some(skill.package.name),
                    error,
                }),
            }
        }
        Ok(outcome)
    }

    /// Deleting skills together allows those that depend on each other.
    fn deletion_plan(&self, skills: &[SkillRef]) -> Result<DeletionPlan, BulkError> {
        let catalog = &self.editor.catalog;
        let found = skills.iter().map(|named| catalog.find(&named.skill, named.scope)).collect::<Result<Vec<_>, _>>()?;
        let found: Vec<&Skill> = found.iter().flatten().collect();
        Ok(DeletionPlan::new(catalog, &self.other_workspaces, &found)?)
    }

    fn apply_to(&self, skill: &Skill, action: &BulkAction, deletion: Option<&DeletionPlan>) -> Result<Option<SkillUndo>, BulkError> {
        match action {
            BulkAction::Enable { on } => {
                if skill.head.enabled == *on {
                    return Ok(None);
                }
                self.editor.repository_of(skill)?.set_enabled(skill.head.id, *on, self.editor.caller.actor)?;
                Ok(Some(SkillUndo::Enable { on: !*on }))
            }
            BulkAction::AddTag { tag } => self.change_tags(skill, &format!("added the tag {tag}"), |tags| {
                if !tags.iter().any(|one| is_same_tag(one, tag)) {
                    tags.push(tag.clone());
                }
            }),
            BulkAction::RemoveTag { tag } => {
                self.change_tags(skill, &format!("removed the tag {tag}"), |tags| tags.retain(|one| !is_same_tag(one, tag)))
            }
            BulkAction::SetCategory { category } => {
                if skill.package.category == *category {
                    return Ok(None);
                }
                ensure_unlocked(skill)?;
                let saved = self.editor.change_values(skill, &format!("changed the category to {category}"), |package| {
                    package.category.clone_from(category);
                    Ok::<_, BulkError>(())
                })?;
                Ok(undo_of(&saved))
            }
            BulkAction::Delete {} => {
                if let Some(plan) = deletion {
                    delete(&self.editor, plan, skill, skill.head.revision)?;
                }
                Ok(Some(SkillUndo::Restore {}))
            }
        }
    }

    fn change_tags(&self, skill: &Skill, why: &str, mut change: impl FnMut(&mut Vec<String>)) -> Result<Option<SkillUndo>, BulkError> {
        let mut tags = skill.package.tags.clone();
        change(&mut tags);
        if tags == skill.package.tags {
            return Ok(None);
        }
        ensure_unlocked(skill)?;
        let saved = self.editor.change_values(skill, why, |package| {
            change(&mut package.tags);
            Ok::<_, BulkError>(())
        })?;
        Ok(undo_of(&saved))
    }

    pub(super) fn undo(&self, steps: Vec<UndoStep>) -> Result<BulkOutcome, BulkError> {
        ensure_within_limit(steps.len())?;
        let mut outcome = BulkOutcome::default();
        for step in steps {
            match self.undo_one(&step) {
                Ok((slug, name)) => outcome.changed.push(ChangedSkill { id: step.id, scope: step.scope, slug, name, undo: None }),
                Err(error) => {
                    // Failing to read the title must not hide what was undone so far.
                    let skill = self.editor.catalog.find(&step.id.to_string(), Some(step.scope)).ok().flatten();
                    let name = skill.map(|skill| skill.package.name);
                    outcome.refused.push(Refusal { skill: step.id.to_string(), scope: Some(step.scope), name, error });
                }
            }
        }
        Ok(outcome)
    }

    fn undo_one(&self, step: &UndoStep) -> Result<(Slug, String), BulkError> {
        let require = || self.editor.catalog.require(&step.id.to_string(), Some(step.scope));
        let skill = match step.undo {
            SkillUndo::Enable { on } => {
                let skill = require()?;
                self.editor.repository_of(&skill)?.set_enabled(skill.head.id, on, self.editor.caller.actor)?;
                skill
            }
            SkillUndo::Revision { to, from } => revert(&self.editor, &require()?, from, to)?.skill,
            SkillUndo::Restore {} => restore(&self.editor, step.id, step.scope)?,
        };
        Ok((skill.package.slug, skill.package.name))
    }
}

fn ensure_within_limit(count: usize) -> Result<(), BulkError> {
    if count <= MAX_SKILLS { Ok(()) } else { Err(BulkError::TooMany(count)) }
}

fn normalized(action: BulkAction) -> Result<BulkAction, BulkError> {
    Ok(match action {
        BulkAction::AddTag { tag } => BulkAction::AddTag { tag: line("tag", &tag, MAX_VALUE_CHARS)? },
        BulkAction::RemoveTag { tag } => BulkAction::RemoveTag { tag: line("tag", &tag, MAX_VALUE_CHARS)? },
        BulkAction::SetCategory { category } => BulkAction::SetCategory { category: line("category", &category, MAX_VALUE_CHARS)? },
        other => other,
    })
}

/// The step that undoes a save, and nothing that others wrote before it; none if it changed nothing.
fn undo_of(saved: &Saved) -> Option<SkillUndo> {
    let step = SkillUndo::Revision { to: saved.applied_to, from: saved.skill.head.revision };
    (saved.applied_to != saved.skill.head.revision).then_some(step)
}

/// Tags that differ only in case are one tag.
fn is_same_tag(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}
