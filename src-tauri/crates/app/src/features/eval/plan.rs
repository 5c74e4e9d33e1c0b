//! What an eval run does: its cases, variants and cells.

use std::collections::BTreeMap;

use inklings_core::ModelRef;
use inklings_core::eval::{EvalCell, EvalVariant};
use inklings_evals::cases::{Case, CaseKind};
use inklings_runtime::Limits;
use serde::{Deserialize, Serialize};

use super::api::EvalParams;
use super::error::EvalError;

const MAX_REPEAT: u32 = 100;
const MAX_CONCURRENCY: usize = 32;
const DEFAULT_CONCURRENCY: usize = 4;

/// Stored with the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct EvalPlan {
    pub(crate) cases: Vec<Case>,
    pub(crate) variants: Vec<EvalVariant>,
    pub(crate) repeat: u32,
    pub(crate) concurrency: usize,
    pub(crate) judge: ModelRef,
    pub(crate) fresh: bool,
    pub(crate) limits: Limits,
    /// Instructions that variants have instead of their revision's, by position.
    #[serde(default)]
    pub(crate) rewritten: BTreeMap<usize, String>,
}

impl EvalPlan {
    /// `current` is the skill's revision. The params name at least one model.
    pub(crate) fn new(params: &EvalParams, skill: &str, current: i64, all: Vec<Case>, judge: ModelRef) -> Result<Self, EvalError> {
        let repeat = params.repeat.unwrap_or(1);
        if !(1..=MAX_REPEAT).contains(&repeat) {
            return Err(EvalError::OutOfRange { name: "repeat", max: MAX_REPEAT as usize });
        }
        let concurrency = params.concurrency.unwrap_or(DEFAULT_CONCURRENCY);
        if !(1..=MAX_CONCURRENCY).contains(&concurrency) {
            return Err(EvalError::OutOfRange { name: "concurrency", max: MAX_CONCURRENCY });
        }
        let cases = select(params, skill, all)?;
        let revisions = if params.revisions.is_empty() { vec![current] } else { params.revisions.clone() };
        let without = (!params.without_baseline && params.revisions.len() < 2).then_some(None);
        let subjects: Vec<Option<i64>> = without.into_iter().chain(revisions.into_iter().map(Some)).collect();
        let variants = variants(&subjects, &params.models);
        Ok(Self { cases, variants, repeat, concurrency, judge, fresh: params.fresh, limits: params.limits, rewritten: BTreeMap::new() })
    }

    /// Cell by cell, so that a run that ends early has whole cases.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (EvalCell, &Case, &EvalVariant)> {
        let cell = move |repeat, case: &Case, variant| EvalCell { case: case.key.clone(), variant, repeat };
        (0..self.repeat).flat_map(move |repeat| {
            let of_case = move |case| self.variants.iter().enumerate().map(move |(at, one)| (cell(repeat, case, at), case, one));
            self.cases.iter().flat_map(of_case)
        })
    }
}

fn select(params: &EvalParams, skill: &str, all: Vec<Case>) -> Result<Vec<Case>, EvalError> {
    if let Some(missing) = params.cases.iter().find(|key| !all.iter().any(|case| case.key == **key)) {
        return Err(EvalError::NoSuchCase(missing.clone()));
    }
    let is_selected = |case: &Case| {
        matches!(case.kind, CaseKind::Task(_))
            && (params.cases.is_empty() || params.cases.contains(&case.key))
            && (params.tags.is_empty() || params.tags.iter().any(|tag| case.tags.contains(tag)))
            && params.split.is_none_or(|split| case.split == split)
    };
    let cases: Vec<Case> = all.into_iter().filter(is_selected).collect();
    if cases.is_empty() { Err(EvalError::NoCases(skill.to_owned())) } else { Ok(cases) }
}

/// Each subject with each model. The first subject is the baseline of the others with the same model; a single subject is compared across
/// models.
fn variants(subjects: &[Option<i64>], models: &[ModelRef]) -> Vec<EvalVariant> {
    let mut variants = Vec::new();
    for (at, model) in models.iter().enumerate() {
        for (index, revision) in subjects.iter().enumerate() {
            let subject = revision.map_or_else(|| "without skill".to_owned(), |number| format!("revision {number}"));
            let label = if models.len() > 1 { format!("{subject}, {model}") } else { subject };
            let baseline = match (index, subjects.len()) {
                (0, 1) => (at > 0).then_some(0),
                (0, _) => None,
                _ => Some(at * subjects.len()),
            };
            variants.push(EvalVariant { label, revision: *revision, model: model.clone(), baseline });
        }
    }
    variants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_but_the_first_has_a_baseline_with_its_model() {
        let models: Vec<ModelRef> = ["a/x", "a/y"].iter().map(|model| model.parse().unwrap()).collect();
        let baselines = |subjects: &[Option<i64>], models| variants(subjects, models).iter().map(|one| one.baseline).collect::<Vec<_>>();
        assert_eq!(baselines(&[None, Some(3)], &models), [None, Some(0), None, Some(2)]);
        assert_eq!(baselines(&[Some(3)], &models), [None, Some(0)]);
        assert_eq!(baselines(&[Some(2), Some(3), Some(4)], &models[..1]), [None, Some(0), Some(0)]);
        let labels: Vec<_> = variants(&[None, Some(3)], &models).into_iter().map(|one| one.label).collect();
        assert_eq!(labels[..2], ["without skill, a/x", "revision 3, a/x"]);
    }
}
