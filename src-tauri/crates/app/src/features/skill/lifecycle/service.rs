use inklings_core::{LifecycleAction, LifecycleChange, Skill, SkillSummary};

use super::error::LifecycleError;
use crate::after_write::after_write;
use crate::editing::{SkillEditor, ensure_revision};
use crate::features::skill::line;
use crate::wire::{is_in_both_scopes, summary};

const MAX_REASON_CHARS: usize = 500;

/// Changes the state of a skill, locked ones included, and returns it with its new state. No revision is made.
pub(crate) fn change_lifecycle(
    editor: &SkillEditor<'_>,
    skill: Skill,
    action: LifecycleAction,
    reason: Option<&str>,
) -> Result<Skill, LifecycleError> {
    change_revision(editor, skill, None, action, reason)
}

/// The same, unless the skill has another revision than the expected one.
pub(crate) fn change_revision(
    editor: &SkillEditor<'_>,
    mut skill: Skill,
    expected: Option<i64>,
    action: LifecycleAction,
    reason: Option<&str>,
) -> Result<Skill, LifecycleError> {
    let repository = editor.repository_of(&skill)?;
    let reason = reason.map(|reason| line("reason", reason, MAX_REASON_CHARS)).transpose()?;
    loop {
        ensure_revision(&skill, expected)?;
        let change = LifecycleChange { revision: expected, ..plan(editor, &skill, action, reason.clone())? };
        if repository.set_lifecycle(skill.head.id, &change, editor.caller.actor)? {
            change.apply_to(&mut skill.head);
            return Ok(skill);
        }
        // Someone else changed it since it was read.
        skill = repository.present(skill.head.id)?;
    }
}

/// The change that an action makes, or why it is refused.
pub(crate) fn plan(
    editor: &SkillEditor<'_>,
    skill: &Skill,
    action: LifecycleAction,
    reason: Option<String>,
) -> Result<LifecycleChange, LifecycleError> {
    let history = match action {
        LifecycleAction::Reinstate => editor.repository_of(skill)?.lifecycle_history(skill.head.id)?,
        _ => Vec::new(),
    };
    LifecycleChange::of(&skill.head, action, reason, &history)
        .map_err(|transition| LifecycleError::Illegal { slug: skill.package.slug.clone(), transition })
}

/// The summary of a skill that was just changed.
pub(crate) fn changed_summary(editor: &SkillEditor<'_>, skill: &Skill) -> SkillSummary {
    summary(skill, after_write("looking for it in the other scope", is_in_both_scopes(&editor.catalog, skill)))
}
