use inklings_core::{Action, Actions, ArtifactKind, ModelRef, Scope, Skill, SkillCatalog, Slug, StorageError};
use inklings_prompt::PromptEngine;
use inklings_runtime::plan::Plan;
use inklings_runtime::{Limits, Runner, SkillError};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::api::{ActionEntry, ActionList, SaveActionParams};
use super::error::ActionError;
use crate::features::eval::RewriteParams;

/// The stored actions and the built-in one, by slug.
pub(crate) fn all(actions: &dyn Actions) -> Result<Vec<Action>, StorageError> {
    let mut all = actions.actions()?;
    if !all.iter().any(Action::is_built_in) {
        all.push(Action::built_in());
        all.sort_by(|one, other| one.slug.cmp(&other.slug));
    }
    Ok(all)
}

fn find(actions: &dyn Actions, slug: &str) -> Result<Option<Action>, ActionError> {
    let Ok(slug) = Slug::parse(slug) else { return Ok(None) };
    let built_in = Action::built_in();
    Ok(actions.action(&slug)?.or_else(|| (built_in.slug == slug).then_some(built_in)))
}

/// An enabled action with some values replaced.
pub(super) fn runnable(actions: &dyn Actions, slug: &str, params: Map<String, Value>) -> Result<Action, ActionError> {
    let mut action = find(actions, slug)?.ok_or_else(|| ActionError::NotFound(slug.to_owned()))?;
    if !action.enabled {
        return Err(ActionError::Disabled(action.slug));
    }
    action.params.extend(params);
    Ok(action)
}

pub(super) fn delete(actions: &dyn Actions, slug: &str) -> Result<(), ActionError> {
    let action = find(actions, slug)?.ok_or_else(|| ActionError::NotFound(slug.to_owned()))?;
    if action.is_built_in() {
        return Err(ActionError::BuiltIn(action.slug));
    }
    actions.delete_action(&action.slug)?;
    Ok(())
}

/// Values of the built-in action.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RewriteValues {
    #[serde(default)]
    skill: Option<String>,
    #[serde(default)]
    scope: Option<Scope>,
    #[serde(default)]
    judge: Option<ModelRef>,
    #[serde(default)]
    iterations: Option<u32>,
}

impl RewriteValues {
    fn of(action: &Action) -> Result<Self, ActionError> {
        serde_json::from_value(action.params.clone().into()).map_err(|error| ActionError::Values(action.slug.clone(), error))
    }
}

/// What the built-in action does with its values.
pub(super) fn rewrite_params(action: Action, limits: Limits) -> Result<RewriteParams, ActionError> {
    let RewriteValues { skill, scope, judge, iterations } = RewriteValues::of(&action)?;
    let skill = skill.ok_or(ActionError::NoTarget(action.slug))?;
    Ok(RewriteParams { skill, scope, model: action.model, judge, iterations, limits })
}

/// Why an action may not run as it is saved.
#[derive(Debug, thiserror::Error)]
enum Warning {
    #[error("skill {0:?} not found")]
    NoSkill(String),
    #[error("artifact {artifact:?} not found in the skill {skill}")]
    NoArtifact { skill: Slug, artifact: String },
    #[error("{0}")]
    NoPlan(SkillError),
    #[error("the skill has no variable {0:?}")]
    NoVariable(String),
    #[error(transparent)]
    Values(ActionError),
}

/// Actions beside the skills that a caller sees.
pub(super) struct ActionService<'a> {
    pub(super) actions: &'a dyn Actions,
    pub(super) catalog: SkillCatalog,
    pub(super) runner: &'a Runner,
}

impl ActionService<'_> {
    pub(super) fn list(&self) -> Result<ActionList, ActionError> {
        let with_warnings = |action| {
            let warnings = self.warnings(&action)?;
            Ok(entry(action, &warnings))
        };
        Ok(ActionList { actions: all(self.actions)?.into_iter().map(with_warnings).collect::<Result<_, StorageError>>()? })
    }

    /// A missing artifact is an error if it is new: an action whose skill changed can still be disabled.
    pub(super) fn save(&self, params: SaveActionParams) -> Result<ActionEntry, ActionError> {
        let action = self.action_of(params)?;
        let before = self.actions.action(&action.slug)?;
        let mut warnings = self.warnings(&action)?;
        let is_same =
            |before: Action| (before.skill, before.scope, before.artifact) == (action.skill.clone(), action.scope, action.artifact.clone());
        if !before.is_some_and(is_same)
            && let Some(at) = warnings.iter().position(|warning| matches!(warning, Warning::NoArtifact { .. }))
            && let Warning::NoArtifact { skill, artifact } = warnings.swap_remove(at)
        {
            return Err(ActionError::NoArtifact { skill, artifact });
        }
        self.actions.put_action(&action)?;
        Ok(entry(action, &warnings))
    }

    fn action_of(&self, params: SaveActionParams) -> Result<Action, ActionError> {
        let slug = Slug::parse(&params.slug).map_err(|error| ActionError::Name(params.slug.clone(), error))?;
        let built_in = Action::built_in();
        let skill = match params.skill {
            Some(_) if slug == built_in.slug => return Err(ActionError::BuiltInTarget(slug)),
            Some(name) => Some(self.slug_of(&name, params.scope)?),
            None if slug == built_in.slug => None,
            None => return Err(ActionError::NoSkill(slug)),
        };
        if skill.is_none() && (params.artifact.is_some() || params.scope.is_some()) {
            return Err(ActionError::BuiltInTarget(slug));
        }
        let action = Action {
            slug,
            skill,
            scope: params.scope,
            artifact: params.artifact,
            params: params.params,
            model: params.model,
            mode: params.mode.unwrap_or(built_in.mode),
            enabled: params.enabled.unwrap_or(built_in.enabled),
        };
        if action.is_built_in() {
            RewriteValues::of(&action)?;
        }
        Ok(action)
    }

    /// Of a skill by ID, slug or title. One that doesn't exist is named by its slug.
    fn slug_of(&self, name: &str, scope: Option<Scope>) -> Result<Slug, ActionError> {
        match self.catalog.find(name, scope)? {
            Some(skill) => Ok(skill.package.slug),
            None => Slug::parse(name).map_err(|_| ActionError::Skill(name.to_owned())),
        }
    }

    fn warnings(&self, action: &Action) -> Result<Vec<Warning>, StorageError> {
        let Some(slug) = &action.skill else {
            let values = match RewriteValues::of(action) {
                Ok(values) => values,
                Err(error) => return Ok(vec![Warning::Values(error)]),
            };
            let Some(name) = values.skill else { return Ok(Vec::new()) };
            let is_known = self.catalog.find(&name, values.scope)?.is_some();
            return Ok(if is_known { Vec::new() } else { vec![Warning::NoSkill(name)] });
        };
        let Some(skill) = self.catalog.find(slug.as_str(), action.scope)? else { return Ok(vec![Warning::NoSkill(slug.to_string())]) };
        Ok(match self.runner.plan(&skill, action.artifact.as_deref(), &action.params, action.model.as_ref()) {
            Ok(plan) => unknown_names(&skill, &plan, &action.params, &self.runner.prompts).map(Warning::NoVariable).collect(),
            Err(SkillError::NoArtifact(artifact)) if action.artifact.as_ref() == Some(&artifact) => {
                vec![Warning::NoArtifact { skill: skill.package.slug, artifact }]
            }
            Err(error) => vec![Warning::NoPlan(error)],
        })
    }
}

fn entry(action: Action, warnings: &[Warning]) -> ActionEntry {
    ActionEntry { built_in: action.is_built_in(), warnings: warnings.iter().map(ToString::to_string).collect(), action }
}

/// Names of values that nothing in the plan takes; none if a script of it may take any.
fn unknown_names<'a>(
    skill: &Skill,
    plan: &Plan,
    params: &'a Map<String, Value>,
    prompts: &PromptEngine,
) -> impl Iterator<Item = String> + use<'a> {
    let mut known: Vec<String> = plan.steps.iter().flat_map(|step| step.needs.clone()).collect();
    let mut takes_any = false;
    for step in &plan.steps {
        let Some(artifact) = skill.package.artifacts.iter().find(|artifact| artifact.path == step.path) else { continue };
        let before = known.len();
        let declared = artifact.metadata.get("params").and_then(|schema| schema.get("properties")).and_then(Value::as_object);
        known.extend(declared.into_iter().flat_map(|properties| properties.keys().cloned()));
        if matches!(artifact.kind, ArtifactKind::PromptTemplate | ArtifactKind::CodeTemplate) {
            let used = prompts.variables(&artifact.content).unwrap_or_default();
            known.extend(used.into_iter().map(|variable| variable.name));
        }
        if artifact.kind == ArtifactKind::CodeTemplate {
            known.extend(prompts.script_params(&artifact.content).into_iter().map(|variable| variable.name));
            takes_any |= known.len() == before;
        }
    }
    params.keys().filter(move |name| !takes_any && !known.contains(name)).cloned()
}
