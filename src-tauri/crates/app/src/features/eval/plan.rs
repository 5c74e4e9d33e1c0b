//! What an eval run does: its cases, variants and cells.

use std::collections::BTreeMap;

use inklings_core::eval::{EvalCell, EvalVariant};
use inklings_core::{Digest, ModelRef, ProposalId};
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
    /// The proposal whose change some variants have.
    #[serde(default)]
    pub(crate) proposed: Option<Proposed>,
}

/// A proposal that a run evaluates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Proposed {
    pub(crate) proposal: ProposalId,
    /// Positions of the variants with its change.
    pub(crate) variants: Vec<usize>,
    /// Of the skill's files with its change. A run isn't resumed with other files.
    pub(crate) files: Digest,
}

/// What a variant runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    WithoutSkill,
    Revision(i64),
    /// This revision with the change of the proposal.
    Proposal(i64),
}

impl Subject {
    const fn revision(self) -> Option<i64> {
        match self {
            Self::WithoutSkill => None,
            Self::Revision(number) | Self::Proposal(number) => Some(number),
        }
    }

    fn label(self) -> String {
        match self {
            Self::WithoutSkill => "without skill".to_owned(),
            Self::Revision(number) => format!("revision {number}"),
            Self::Proposal(_) => "proposal".to_owned(),
        }
    }
}

impl EvalPlan {
    /// `current` is the skill's revision, `proposed` the files of the skill with the proposal of the params. These name at least one model.
    pub(crate) fn new(
        params: &EvalParams,
        skill: &str,
        current: i64,
        proposed: Option<Digest>,
        all: Vec<Case>,
        judge: ModelRef,
    ) -> Result<Self, EvalError> {
        let repeat = params.repeat.unwrap_or(1);
        if !(1..=MAX_REPEAT).contains(&repeat) {
            return Err(EvalError::OutOfRange { name: "repeat", max: MAX_REPEAT as usize });
        }
        let concurrency = params.concurrency.unwrap_or(DEFAULT_CONCURRENCY);
        if !(1..=MAX_CONCURRENCY).contains(&concurrency) {
            return Err(EvalError::OutOfRange { name: "concurrency", max: MAX_CONCURRENCY });
        }
        let cases = select(params, skill, all)?;
        let subjects = subjects(params, current)?;
        let variants = variants(&subjects, &params.models);
        let proposed = params.proposal.zip(proposed).map(|(proposal, files)| {
            let is_proposal = |position: &usize| matches!(subjects[position % subjects.len()], Subject::Proposal(_));
            Proposed { proposal, variants: (0..variants.len()).filter(is_proposal).collect(), files }
        });
        let (fresh, limits) = (params.fresh, params.limits);
        Ok(Self { cases, variants, repeat, concurrency, judge, fresh, limits, rewritten: BTreeMap::new(), proposed })
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

/// A proposal is compared with the revision that it changes, two or more revisions with each other, one with no skill.
fn subjects(params: &EvalParams, current: i64) -> Result<Vec<Subject>, EvalError> {
    if params.proposal.is_some() {
        return match params.revisions.as_slice() {
            [] => Ok(vec![Subject::Revision(current), Subject::Proposal(current)]),
            _ => Err(EvalError::ProposalAndRevisions),
        };
    }
    let revisions = if params.revisions.is_empty() { vec![current] } else { params.revisions.clone() };
    let without = (!params.without_baseline && revisions.len() < 2).then_some(Subject::WithoutSkill);
    Ok(without.into_iter().chain(revisions.into_iter().map(Subject::Revision)).collect())
}

/// Each subject with each model. The first subject is the baseline of the others with the same model; a single subject is compared across
/// models.
fn variants(subjects: &[Subject], models: &[ModelRef]) -> Vec<EvalVariant> {
    let mut variants = Vec::new();
    for (at, model) in models.iter().enumerate() {
        for (index, subject) in subjects.iter().enumerate() {
            let label = if models.len() > 1 { format!("{}, {model}", subject.label()) } else { subject.label() };
            let baseline = match (index, subjects.len()) {
                (0, 1) => (at > 0).then_some(0),
                (0, _) => None,
                _ => Some(at * subjects.len()),
            };
            variants.push(EvalVariant { label, revision: subject.revision(), model: model.clone(), baseline });
        }
    }
    variants
}

#[cfg(test)]
mod tests {
    use super::Subject::{Proposal, Revision, WithoutSkill};
    use super::*;

    #[test]
    fn every_variant_but_the_first_has_a_baseline_with_its_model() {
        let models: Vec<ModelRef> = ["a/x", "a/y"].iter().map(|model| model.parse().unwrap()).collect();
        let baselines = |subjects: &[Subject], models| variants(subjects, models).iter().map(|one| one.baseline).collect::<Vec<_>>();
        assert_eq!(baselines(&[WithoutSkill, Revision(3)], &models), [None, Some(0), None, Some(2)]);
        assert_eq!(baselines(&[Revision(3)], &models), [None, Some(0)]);
        assert_eq!(baselines(&[Revision(2), Revision(3), Revision(4)], &models[..1]), [None, Some(0), Some(0)]);
        let labels: Vec<_> = variants(&[WithoutSkill, Revision(3)], &models).into_iter().map(|one| one.label).collect();
        assert_eq!(labels[..2], ["without skill, a/x", "revision 3, a/x"]);
        assert_eq!(baselines(&[Revision(3), Proposal(3)], &models), [None, Some(0), None, Some(2)]);
    }
}
