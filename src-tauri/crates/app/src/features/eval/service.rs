//! The cases of skills, trigger tests, and what eval runs cost and show.

use std::path::Path;
use std::sync::Arc;

use inklings_core::eval::{EvalFilter, EvalRun, EvalStatus};
use inklings_core::model::TokenUsage;
use inklings_core::{
    CancellationToken, EvalRunId, EvalStore, LanguageModel, ModelRef, Package, ProgressReporter, ResponseCache, Skill, SkillCatalog,
    StorageError, Tree, manifest,
};
use inklings_evals::cases::{self, Case, CaseKind, CaseList, is_case_file};
use inklings_evals::optimization_loop::{Evidence, OptimizationLoop};
use inklings_evals::report::{Report, RunComparison, compare_runs};
use inklings_evals::triggers::{self, TriggerReport};
use inklings_runtime::{Limits, Runner, request_tokens};
use serde_json::{Map, Value};

use super::api::{EvalEstimate, EvalSummary};
use super::cached_models::key;
use super::error::EvalError;
use super::plan::EvalPlan;
use super::subject::Subject;
use crate::features::search::{SearchSkillsParams, SkillSearch, search};

/// Newest runs among which the scored revision is looked for.
const MAX_RUNS_FOR_LOOP: usize = 100;

pub(crate) fn cases(package: &Package) -> CaseList {
    cases_of(&package.metadata, &package.tree())
}

pub(crate) fn cases_of(metadata: &Map<String, Value>, tree: &Tree) -> CaseList {
    let (manifest, _) = manifest::safe(metadata);
    let files = tree.iter().filter(|(path, _)| is_case_file(path.as_str()));
    let texts = files.filter_map(|(path, file)| Some((path.as_str(), file.text()?)));
    cases::read_checked(&manifest.evals, texts, inklings_lint::assertion::one)
}

pub(crate) fn trigger_cases(package: &Package) -> Result<Vec<Case>, EvalError> {
    let mut cases = cases(package).cases;
    cases.retain(|case| matches!(case.kind, CaseKind::Trigger { .. }));
    if cases.is_empty() { Err(EvalError::NoTriggers(package.name.clone())) } else { Ok(cases) }
}

/// The trigger cases of a skill against the ranking of all skills of the catalog. Asks no model.
pub(crate) fn test_triggers(
    index: &SkillSearch,
    workspace: Option<&Path>,
    catalog: &SkillCatalog,
    package: &Package,
    cancel: &CancellationToken,
    progress: &ProgressReporter,
) -> Result<TriggerReport, EvalError> {
    let cases = trigger_cases(package)?;
    triggers::evaluate(package.slug.as_str(), &cases, |query| {
        let params = SearchSkillsParams { message: query.to_owned(), limit: None };
        let found = search(index, workspace, catalog, &params, cancel, progress)?;
        Ok(found.skills.into_iter().map(|skill| skill.slug.to_string()).collect())
    })
}

/// Refuses invalid limits, and a cost limit for a model without a known price, since it would never be reached.
pub(crate) fn check_limits(limits: Limits, models: &[Arc<dyn LanguageModel>]) -> Result<(), EvalError> {
    limits.check()?;
    let unpriced = models.iter().find(|model| model.price().is_none()).filter(|_| limits.cost.is_some());
    unpriced.map_or(Ok(()), |model| Err(EvalError::UnknownPrice(model.id().clone())))
}

/// What the first requests of a plan cost. `skills` are those of the variants. Blocks.
pub(crate) fn estimate(
    runner: &Runner,
    responses: &dyn ResponseCache,
    plan: &EvalPlan,
    models: &[Arc<dyn LanguageModel>],
    current: &Skill,
    skills: &[Option<Skill>],
) -> Result<EvalEstimate, EvalError> {
    let mut estimate = EvalEstimate { cells: 0, cached: 0, unknown: 0, input_tokens: 0, input_cost: Some(0.0) };
    for (cell, case, variant) in plan.cells() {
        let Some(task) = case.task() else { continue };
        estimate.cells += 1;
        let family = runner.models.family(&variant.model);
        let subject = match skills.get(cell.variant).and_then(Option::as_ref) {
            Some(skill) => Subject::with_skill(runner, skill, task, &family),
            None => Ok(Subject::without_skill(current, task)),
        };
        let Some(request) = subject.ok().and_then(|subject| first_request(runner, subject, &family)) else {
            estimate.unknown += 1;
            continue;
        };
        let is_cached = !plan.fresh && responses.response(key(&variant.model, &format!("answer {}", cell.repeat), &request)?)?.is_some();
        if is_cached {
            estimate.cached += 1;
            continue;
        }
        let tokens = u64::try_from(request_tokens(&request)).unwrap_or(u64::MAX);
        estimate.input_tokens = estimate.input_tokens.saturating_add(tokens);
        let usage = TokenUsage { input_tokens: Some(tokens), output_tokens: Some(0), cached_tokens: None };
        let price = models.iter().find(|model| *model.id() == variant.model).and_then(|model| model.price());
        let cost = price.and_then(|price| price.of(usage));
        estimate.input_cost = estimate.input_cost.zip(cost).map(|(sum, cost)| sum + cost);
    }
    Ok(estimate)
}

fn first_request(runner: &Runner, subject: Subject, family: &str) -> Option<inklings_core::model::Request> {
    let path = subject.artifact?;
    let package = &subject.skill.package;
    let artifact = package.artifacts.iter().find(|one| one.path == path)?;
    runner.first_request(package, artifact, &subject.input.into_iter().collect(), Some(family)).ok().flatten()
}

/// `proposals` is the number of open ones.
pub(crate) fn optimization_loop(
    evals: &dyn EvalStore,
    visible: EvalFilter,
    skill: &Skill,
    proposals: usize,
) -> Result<OptimizationLoop, StorageError> {
    let cases = cases(&skill.package).cases;
    let tasks: Vec<_> = cases.iter().filter_map(Case::task).collect();
    let filter = EvalFilter { skill: Some(skill.head.id), ..visible };
    let runs = evals.eval_runs(&filter, MAX_RUNS_FOR_LOOP)?;
    let scored = runs.iter().filter(|run| run.status == EvalStatus::Complete).map(|run| run.skill.revision).max();
    let evidence = Evidence {
        tasks: tasks.len(),
        triggers: cases.len() - tasks.len(),
        checked: tasks.iter().any(|task| !task.checks().is_empty()),
        scored: scored.map(|revision| revision >= skill.head.revision),
        proposals,
    };
    Ok(OptimizationLoop::of(&skill.package.name, &manifest::safe(&skill.package.metadata).0, evidence))
}

/// A run of the workspace, or of the account.
pub(crate) fn eval_run(evals: &dyn EvalStore, visible: &EvalFilter, id: EvalRunId) -> Result<EvalRun, EvalError> {
    let is_visible = |run: &EvalRun| match run.workspace.as_str() {
        "" => !visible.without_account,
        workspace => workspace == visible.workspace,
    };
    evals.eval_run(id)?.filter(is_visible).ok_or(EvalError::NotFound)
}

pub(crate) fn report(evals: &dyn EvalStore, visible: &EvalFilter, id: EvalRunId) -> Result<Report, EvalError> {
    report_of(evals, eval_run(evals, visible, id)?)
}

fn report_of(evals: &dyn EvalStore, run: EvalRun) -> Result<Report, EvalError> {
    let plan: EvalPlan = serde_json::from_value(run.plan.clone())?;
    let results = evals.eval_results(run.id)?;
    Ok(Report::new(run, &plan.cases, &plan.variants, plan.repeat, results))
}

pub(crate) fn list(evals: &dyn EvalStore, filter: &EvalFilter, limit: usize) -> Result<Vec<EvalSummary>, EvalError> {
    let summary = |run| {
        let Report { run, variants, cells, done, .. } = report_of(evals, run)?;
        Ok(EvalSummary { run, variants, cells, done })
    };
    evals.eval_runs(filter, limit)?.into_iter().map(summary).collect()
}

/// Compares the last variants of two runs, which have the skill.
pub(crate) fn compare(
    evals: &dyn EvalStore,
    visible: &EvalFilter,
    baseline: EvalRunId,
    candidate: EvalRunId,
) -> Result<RunComparison, EvalError> {
    let (baseline, candidate) = (report(evals, visible, baseline)?, report(evals, visible, candidate)?);
    let last = |report: &Report| report.variants.len().saturating_sub(1);
    Ok(compare_runs((&baseline, last(&baseline)), (&candidate, last(&candidate))))
}

/// The models of a plan, each once.
pub(crate) fn models_of(plan: &EvalPlan) -> Vec<ModelRef> {
    let mut models: Vec<ModelRef> = plan.variants.iter().map(|variant| variant.model.clone()).chain([plan.judge.clone()]).collect();
    models.sort();
    models.dedup();
    models
}

/// Closes a run that ended with `error`.
pub(crate) fn fail(evals: &dyn EvalStore, id: EvalRunId, error: &EvalError) -> Result<(), StorageError> {
    evals.close_eval(id, inklings_core::eval::EvalStatus::Failed, Some(&error.to_string()))
}
