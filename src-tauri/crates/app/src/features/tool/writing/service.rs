use std::sync::Arc;

use inklings_core::chat::{FileChange, ToolPreview};
use inklings_core::name::lookup_key;
use inklings_core::{LifecycleAction, Package, Relation, RelationKind, Skill, SkillFormat as _, SkillStep, SkillStorageRepository, Slug};

use super::api::{SkillWriteCall, SkillWriteOperation, SkillWriteResult, StepCall, WrittenState};
use crate::editing::{SkillEditor, ensure_unlocked};
use crate::features::skill::{
    DeletionPlan, PlannedMerge, RelatedSkills, SkillValues, change_lifecycle, delete, dependencies_of, dependents_of, merge_skills,
    plan_lifecycle, plan_merge,
};
use crate::features::tool::CreateSkillCall;
use crate::features::tool::error::ToolError;
use crate::features::tool::known_skills::KnownSkills;
use crate::features::tool::service::{
    PlannedSkill, PlannedUpdate, create, plan_change, plan_create, problems_of, scope_name, skill_preview, tool_change, update, whole_body,
};

/// What a call is about to do.
pub(crate) enum PlannedWrite {
    Create(PlannedSkill),
    Update(PlannedUpdate),
    Delete(Skill),
    Merge(Box<PlannedMerge>),
    Lifecycle { skill: Skill, action: LifecycleAction, reason: Option<String> },
    Related(RelatedSkills),
}

/// Fails as the call would, as far as that is known.
pub(crate) fn plan(editor: &SkillEditor<'_>, known: &KnownSkills<'_>, call: &SkillWriteCall) -> Result<PlannedWrite, ToolError> {
    let find = |name: &str| known.require(&editor.catalog, name, call.scope);
    let skill = || find(&call.name);
    let in_state = |action, reason: Option<&String>| {
        let skill = skill()?;
        plan_lifecycle(editor, &skill, action, reason.cloned())?;
        Ok(PlannedWrite::Lifecycle { skill, action, reason: reason.cloned() })
    };
    match call.operation {
        SkillWriteOperation::Create => planned_creation(editor, call).map(PlannedWrite::Create),
        SkillWriteOperation::Update => planned_update(editor, call, skill()?).map(PlannedWrite::Update),
        SkillWriteOperation::Delete => Ok(PlannedWrite::Delete(skill()?)),
        SkillWriteOperation::Merge => {
            let target = call.target.as_deref().unwrap_or(&call.name);
            let source = required(call, "source", call.source.as_ref())?;
            find(target).and_then(|_| find(source))?;
            Ok(PlannedWrite::Merge(Box::new(plan_merge(editor, [(target, call.scope), (source, call.scope)])?)))
        }
        SkillWriteOperation::Promote => in_state(LifecycleAction::Promote, None),
        SkillWriteOperation::Deprecate => in_state(LifecycleAction::Deprecate, Some(required(call, "reason", call.reason.as_ref())?)),
        SkillWriteOperation::Dependents => Ok(PlannedWrite::Related(dependents_of(&editor.catalog, skill()?)?)),
        SkillWriteOperation::Dependencies => Ok(PlannedWrite::Related(dependencies_of(&editor.catalog, skill()?)?)),
    }
}

fn required<'a, T>(call: &SkillWriteCall, field: &'static str, value: Option<&'a T>) -> Result<&'a T, ToolError> {
    value.ok_or(ToolError::MissingField { operation: call.operation.as_str(), field })
}

fn planned_creation(editor: &SkillEditor<'_>, call: &SkillWriteCall) -> Result<PlannedSkill, ToolError> {
    // Other systems write names as snake_case.
    let slug = Slug::parse(&lookup_key(&call.name)).map_err(|error| ToolError::Name { name: call.name.clone(), why: error.to_string() })?;
    let create = CreateSkillCall {
        name: slug.to_string(),
        title: slug.humanised(),
        description: required(call, "description", call.description.as_ref())?.clone(),
        content: required(call, "content", call.content.as_ref())?.clone(),
        tags: call.tags.clone().unwrap_or_default(),
        scope: call.scope,
    };
    let mut planned = plan_create(editor, &create)?;
    set_structure(&mut planned.package, call);
    editor.folder.sync_sources_strictly(&mut planned.package)?;
    Ok(planned)
}

fn planned_update(editor: &SkillEditor<'_>, call: &SkillWriteCall, skill: Skill) -> Result<PlannedUpdate, ToolError> {
    ensure_unlocked(&skill)?;
    let values = SkillValues { description: call.description.clone(), tags: call.tags.clone(), ..SkillValues::default() };
    let has_structure = call.steps.is_some() || call.depends_on.is_some() || call.conflicts_with.is_some();
    if values == SkillValues::default() && !has_structure && call.content.is_none() {
        return Err(ToolError::NoFields);
    }
    let change = |package: &mut Package| {
        if values != SkillValues::default() {
            values.normalized()?.apply_to(package);
        }
        set_structure(package, call);
        Ok(())
    };
    plan_change(editor, skill, change, |_| Ok(call.content.as_deref().map(whole_body)))
}

/// Sets the steps and relations that a call has.
fn set_structure(package: &mut Package, call: &SkillWriteCall) {
    if let Some(steps) = &call.steps {
        package.steps = ordered(steps.clone());
    }
    for (kind, targets) in [(RelationKind::DependsOn, &call.depends_on), (RelationKind::ConflictsWith, &call.conflicts_with)] {
        let Some(targets) = targets else { continue };
        package.relations.retain(|relation| relation.kind != kind);
        for target in targets.iter().map(|target| target.trim()).filter(|target| !target.is_empty()) {
            let relation = Relation { kind, target: target.to_owned() };
            if !package.relations.contains(&relation) {
                package.relations.push(relation);
            }
        }
    }
}

/// By their numbers, numbered anew.
fn ordered(steps: Vec<StepCall>) -> Vec<SkillStep> {
    let mut steps: Vec<SkillStep> = (1..).zip(steps).map(|(position, step)| step.at(position)).collect();
    steps.sort_by_key(|step| step.step);
    for (number, step) in (1..).zip(&mut steps) {
        step.step = number;
    }
    steps
}

impl PlannedWrite {
    /// None if it only reads.
    pub(crate) fn preview(&self) -> Option<ToolPreview> {
        Some(match self {
            Self::Create(planned) => planned.preview(),
            Self::Update(planned) => planned.preview(),
            Self::Delete(skill) => skill_preview(skill, "Delete"),
            Self::Merge(planned) => {
                let (target, source) = (&planned.target, &planned.source);
                let summary = format!(
                    "Merge the skill {} into {} in {}, and archive {0}",
                    source.package.slug,
                    target.package.slug,
                    scope_name(target.head.scope)
                );
                ToolPreview { summary, files: planned.files(), ..skill_preview(target, "Merge") }
            }
            Self::Lifecycle { skill, action: LifecycleAction::Promote, .. } => skill_preview(skill, "Promote"),
            Self::Lifecycle { skill, reason, .. } => {
                let reason = FileChange { path: "Reason".to_owned(), before: None, after: reason.clone() };
                ToolPreview { files: vec![reason], ..skill_preview(skill, "Deprecate") }
            }
            Self::Related(_) => return None,
        })
    }

    /// `other_workspaces` are the other open ones, whose skills may depend on one that is deleted.
    pub(crate) fn make(
        self,
        editor: &SkillEditor<'_>,
        other_workspaces: &[Arc<dyn SkillStorageRepository>],
    ) -> Result<SkillWriteResult, ToolError> {
        let state = |skill: &Skill| WrittenState {
            ok: true,
            name: skill.package.slug.to_string(),
            version: skill.head.revision,
            lifecycle: skill.head.lifecycle,
            change: None,
            problems: Vec::new(),
            warning: None,
        };
        let written = match self {
            Self::Create(planned) => {
                let skill = create(editor, planned)?;
                WrittenState {
                    change: Some(tool_change(&skill, None, Some(skill.head.revision))),
                    problems: problems_of(editor, &skill),
                    ..state(&skill)
                }
            }
            Self::Update(planned) => {
                let (skill, from) = update(editor, planned)?;
                WrittenState {
                    change: Some(tool_change(&skill, Some(from), Some(skill.head.revision))),
                    problems: problems_of(editor, &skill),
                    ..state(&skill)
                }
            }
            Self::Delete(skill) => {
                let plan = DeletionPlan::new(&editor.catalog, other_workspaces, &[&skill])?;
                let deletion = delete(editor, &plan, &skill, skill.head.revision)?;
                let change = tool_change(&skill, Some(skill.head.revision), None);
                WrittenState { version: deletion.revision, change: Some(change), ..state(&skill) }
            }
            Self::Merge(planned) => {
                let merged = merge_skills(editor, *planned)?;
                let skill = &merged.target;
                WrittenState {
                    change: Some(tool_change(skill, Some(merged.applied_to), Some(skill.head.revision))),
                    problems: problems_of(editor, skill),
                    warning: merged.warning(),
                    ..state(skill)
                }
            }
            Self::Lifecycle { skill, action, reason } => state(&change_lifecycle(editor, skill, action, reason.as_deref())?),
            Self::Related(RelatedSkills { skills, cycle }) => return Ok(SkillWriteResult::Related { skills, cycle }),
        };
        Ok(SkillWriteResult::Written(written))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_follow_their_numbers_or_the_order_of_the_list() {
        let step = |step, action: &str| StepCall { step, action: action.to_owned(), description: String::new(), tool: None, params: None };
        let actions = |steps| ordered(steps).into_iter().map(|step| (step.step, step.action)).collect::<Vec<_>>();
        let named = |all: &[&str]| (1..).zip(all).map(|(number, action)| (number, (*action).to_owned())).collect::<Vec<_>>();
        assert_eq!(actions(vec![step(None, "a"), step(None, "b")]), named(&["a", "b"]));
        assert_eq!(actions(vec![step(Some(20), "b"), step(Some(10), "a")]), named(&["a", "b"]));
    }
}
