use std::sync::Arc;

use inklings_core::{Artifact, Skill, SkillPath};
use serde_json::{Map, Value};

use crate::assertions::Assertion;
use crate::error::SkillError;
use crate::plan::{Plan, Step};

/// A step with everything parsed that its execution needs, so that a faulty step is refused before the first one runs.
pub(super) struct PreparedStep {
    pub(super) artifact: Artifact,
    /// Whether it only accompanies prompts.
    pub(super) context: bool,
    /// Whether no step follows.
    pub(super) last: bool,
    pub(super) assertions: Arc<[Assertion]>,
    pub(super) fallback: Option<Box<PreparedStep>>,
}

impl PreparedStep {
    pub(super) fn all(skill: &Skill, plan: &Plan, params: &Map<String, Value>) -> Result<Vec<Self>, SkillError> {
        let mut steps = plan.steps.iter().map(|step| Self::with_fallback(skill, step)).collect::<Result<Vec<_>, _>>()?;
        if let Some(step) = steps.last_mut() {
            step.last = true;
            step.fallback.iter_mut().for_each(|fallback| fallback.last = true);
        }
        for step in steps.iter().flat_map(|step| std::iter::once(step).chain(step.fallback.as_deref())) {
            crate::params::check(&step.artifact, params)?;
        }
        Ok(steps)
    }

    fn with_fallback(skill: &Skill, step: &Step) -> Result<Self, SkillError> {
        let mut prepared = Self::new(skill, &step.path, step.context)?;
        prepared.fallback = step.fallback.as_ref().map(|path| Self::new(skill, path, false)).transpose()?.map(Box::new);
        Ok(prepared)
    }

    fn new(skill: &Skill, path: &SkillPath, context: bool) -> Result<Self, SkillError> {
        let found = skill.package.artifacts.iter().find(|one| one.path == *path);
        let artifact = found.ok_or_else(|| SkillError::NoArtifact(path.to_string()))?;
        let assertions = Assertion::parse_all(&artifact.metadata).map_err(SkillError::Assertions)?;
        Ok(Self { artifact: artifact.clone(), context, last: false, assertions: assertions.into(), fallback: None })
    }
}
