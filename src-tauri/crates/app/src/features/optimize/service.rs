//! Optimizing programs and proposing the result.

use std::sync::Arc;

use inklings_core::program::{Metric, OptimizationResult, ProgramExample};
use inklings_core::proposal::{ProposalFilter, ProposalKind, ProposalStatus};
use inklings_core::trace::TracedSkill;
use inklings_core::{
    Artifact, ArtifactKind, CancellationToken, Diagnostic, Digest, ModelRef, ProgramRunner, Proposal, ProposalId, Proposals, RunId, Skill,
    SkillCatalog, SkillPath, StorageError, UserData,
};
use inklings_runtime::assertions::Assertion;
use inklings_runtime::optimize::{Search, optimize};
use inklings_runtime::program::{Content, state_of};
use inklings_runtime::{Limits, Redactor, SkillError};
use inklings_runtime::{RunReport, RunRequest};
use serde_json::{Map, Value};

use super::api::OutdatedArtifact;
use super::error::OptimizeError;
use super::examples::{ExampleSet, split};
use crate::features::proposal::OptimizationBody;
use crate::features::run::resources::needs_trust;
use crate::features::run::service::{RunEnvironment, RunService};

/// Share of the examples in the valset.
const DEFAULT_VALSET_FRACTION: f64 = 0.3;
/// In seconds.
const DEFAULT_TIME_LIMIT: u32 = 2 * 60 * 60;
const DEFAULT_SEED: u64 = 1;

pub(crate) fn program_of<'a>(skill: &'a Skill, wanted: &str) -> Result<&'a Artifact, OptimizeError> {
    let all = &skill.package.artifacts;
    let found = all.iter().find(|one| one.path.as_str() == wanted).or_else(|| all.iter().find(|one| one.name == wanted));
    let artifact = found.ok_or_else(|| SkillError::NoArtifact(wanted.to_owned()))?;
    if artifact.kind == ArtifactKind::DspyModule {
        return Ok(artifact);
    }
    Err(OptimizeError::NotAProgram { name: artifact.name.clone(), kind: artifact.kind })
}

/// Each `None` has a default.
pub(crate) struct SearchRequest {
    pub(crate) metric: Option<Metric>,
    pub(crate) optimizer: String,
    pub(crate) options: Map<String, Value>,
    pub(crate) valset_fraction: Option<f64>,
    pub(crate) seed: Option<u64>,
    pub(crate) calls: Option<u64>,
}

impl SearchRequest {
    /// The search, and the diagnostics of skipped examples.
    pub(crate) fn search(self, artifact: &Artifact, found: ExampleSet) -> Result<(Search, Vec<Diagnostic>), OptimizeError> {
        let metric = self.metric.map_or_else(|| default_metric(artifact), Ok)?;
        let seed = self.seed.unwrap_or(DEFAULT_SEED);
        let usable = usable(found.examples, &metric);
        let (trainset, valset) = split(usable, self.valset_fraction.unwrap_or(DEFAULT_VALSET_FRACTION), seed);
        if trainset.is_empty() {
            return Err(OptimizeError::NoExamples(found.diagnostics));
        }
        let Self { optimizer, options, calls, .. } = self;
        Ok((Search { trainset, valset, metric, optimizer, options, seed, max_calls: calls }, found.diagnostics))
    }
}

/// The search of the last accepted proposal, and its limits where `limits` has none.
pub(crate) fn repeated_search(
    proposals: &dyn Proposals,
    skill: &Skill,
    artifact: &Artifact,
    limits: Limits,
) -> Result<(Search, Limits), OptimizeError> {
    let body = last_accepted(proposals, skill, &artifact.path)?;
    let body = body.ok_or_else(|| OptimizeError::NeverOptimized(artifact.name.clone()))?;
    let search = Search {
        trainset: body.trainset,
        valset: body.valset,
        metric: body.metric,
        optimizer: body.optimizer,
        options: body.options,
        seed: body.seed,
        max_calls: body.calls,
    };
    let limits = Limits {
        tokens: limits.tokens.or(body.limits.tokens),
        cost: limits.cost.or(body.limits.cost),
        seconds: limits.seconds.or(body.limits.seconds),
    };
    Ok((search, limits))
}

/// The artifact's assertions, else the first output.
fn default_metric(artifact: &Artifact) -> Result<Metric, SkillError> {
    let assertions = Assertion::parse_all(&artifact.metadata).map_err(SkillError::Assertions)?;
    if !assertions.is_empty() {
        return Ok(Metric::Assertions);
    }
    let content = Content::of(artifact).map_err(|error| SkillError::Program { artifact: artifact.name.clone(), error })?;
    let field = content.signature.outputs.first().map(|field| field.name.clone()).unwrap_or_default();
    Ok(Metric::Exact { field })
}

/// Comparing metrics need examples with outputs.
fn usable(examples: Vec<ProgramExample>, metric: &Metric) -> Vec<ProgramExample> {
    match metric {
        Metric::Assertions => examples,
        Metric::Exact { field } | Metric::Contains { field } => {
            examples.into_iter().filter(|one| one.outputs.contains_key(field)).collect()
        }
    }
}

pub(crate) struct NewOptimization {
    /// None for a new ID.
    pub(crate) run: Option<RunId>,
    /// The workspace of the proposal; empty for the account.
    pub(crate) workspace: String,
    pub(crate) artifact: Artifact,
    pub(crate) search: Search,
    /// None for the default model.
    pub(crate) model: Option<ModelRef>,
    pub(crate) limits: Limits,
}

/// Optimizes programs and stores the results as proposals.
pub(crate) struct OptimizeService<'a> {
    pub(crate) runs: RunService<'a>,
    pub(crate) programs: &'a dyn ProgramRunner,
    pub(crate) proposals: &'a Arc<dyn Proposals>,
}

impl OptimizeService<'_> {
    pub(crate) async fn optimize(
        &self,
        skill: Skill,
        new: NewOptimization,
        environment: RunEnvironment,
    ) -> Result<(RunReport, Option<Proposal>), OptimizeError> {
        ensure_judgeable(&new)?;
        self.ensure_priced(&new).await?;
        let recorder = self.runs.recorder(environment.traces);
        let run = new.run.unwrap_or_else(|| RunId::new(self.runs.ids.uuid()));
        let cancel = CancellationToken::new();
        let _guard = self.runs.active.enter(run, cancel.clone())?;
        let request = RunRequest {
            run,
            session: None,
            parent: None,
            depth: 0,
            skill: Arc::new(skill.clone()),
            workspace: environment.workspace,
            artifact: Some(new.artifact.path.to_string()),
            params: Map::new(),
            model: new.model.clone(),
            limits: Limits { seconds: new.limits.seconds.or(Some(DEFAULT_TIME_LIMIT)), ..new.limits },
            cancel,
            replay_of: None,
            resources: environment.resources,
        };
        let search = new.search.clone();
        let (report, optimized) = optimize(self.runs.runner, request, search, self.programs, &recorder, self.runs.events).await?;
        // Unchanged instructions and demos are proposed only if the state was compiled by another version of DSPy.
        let is_outdated = state_of(&new.artifact).is_some_and(|state| version_of(&state) != self.programs.status().dspy);
        let Some(optimized) = optimized.filter(|found| is_outdated || found.predictors != found.predictors_before) else {
            return Ok((report, None));
        };
        let proposal = self.proposal(&skill, &new, optimized, &report)?;
        let (proposals, stored) = (self.proposals.clone(), proposal.clone());
        tokio::task::spawn_blocking(move || proposals.put_proposal(&stored)).await??;
        Ok((report, Some(proposal)))
    }

    /// Refuses a cost limit for a model without a known price, since it would never be reached.
    async fn ensure_priced(&self, new: &NewOptimization) -> Result<(), OptimizeError> {
        if new.limits.cost.is_none() {
            return Ok(());
        }
        let model = self.runs.runner.models.model(new.model.as_ref()).await?;
        if model.price().is_some() { Ok(()) } else { Err(OptimizeError::UnknownPrice(model.id().clone())) }
    }

    fn proposal(
        &self,
        skill: &Skill,
        NewOptimization { artifact, search, limits, workspace, .. }: &NewOptimization,
        found: OptimizationResult,
        report: &RunReport,
    ) -> Result<Proposal, OptimizeError> {
        let scores = found.validation.unwrap_or(found.train);
        let body = OptimizationBody {
            run: report.run,
            artifact: artifact.name.clone(),
            content_sha256: Digest::of(artifact.content.as_bytes()).to_string(),
            state_sha256: artifact.state.as_ref().map(|state| Digest::of(&state.bytes).to_string()),
            optimizer: search.optimizer.clone(),
            options: search.options.clone(),
            metric: search.metric.clone(),
            seed: search.seed,
            dspy: self.programs.status().dspy,
            model: report.traces.first().and_then(|trace| trace.model_id.clone()),
            train: found.train,
            validation: found.validation,
            stopped: found.stopped,
            before: found.predictors_before,
            after: found.predictors,
            state_blob: found.state_blob,
            trainset: search.trainset.clone(),
            valset: search.valset.clone(),
            calls: search.max_calls,
            limits: *limits,
            usage: report.usage,
        };
        Ok(Proposal {
            id: ProposalId::new(self.runs.ids.uuid()),
            kind: ProposalKind::Optimisation,
            workspace: workspace.clone(),
            skill: TracedSkill::of(skill),
            artifact_path: Some(artifact.path.clone()),
            title: format!("{} by {}: {:.2} to {:.2}", artifact.name, search.optimizer, scores.before, scores.after),
            status: ProposalStatus::Open,
            body: redacted(self.runs.redactor, &body)?,
            revision: None,
            created_at: self.runs.clock.now(),
            decided_at: None,
        })
    }
}

/// Refuses a metric of assertions if none of them can be checked here.
fn ensure_judgeable(new: &NewOptimization) -> Result<(), OptimizeError> {
    if new.search.metric != Metric::Assertions {
        return Ok(());
    }
    let assertions = Assertion::parse_all(&new.artifact.metadata).map_err(SkillError::Assertions)?;
    if assertions.iter().any(Assertion::can_run) { Ok(()) } else { Err(OptimizeError::NoCheckableAssertion(new.artifact.name.clone())) }
}

/// Removes secrets from the body, which has model outputs and the user's examples.
fn redacted(redactor: &Redactor, body: &OptimizationBody) -> Result<Value, OptimizeError> {
    let text = serde_json::to_string(body).map_err(OptimizeError::Unserializable)?;
    serde_json::from_str(&redactor.redact(&text)).map_err(OptimizeError::Unserializable)
}

/// The artifacts with a state compiled by another version than `dspy`.
pub(crate) fn list_outdated(
    catalog: &SkillCatalog,
    user: &dyn UserData,
    proposals: &dyn Proposals,
    workspace: &str,
    dspy: &str,
) -> Result<Vec<OutdatedArtifact>, StorageError> {
    let mut artifacts = Vec::new();
    for summary in catalog.list_all()? {
        if !summary.kinds.contains(&ArtifactKind::DspyModule) {
            continue;
        }
        let skill = catalog.require(&summary.id.to_string(), Some(summary.scope))?;
        artifacts.extend(outdated_of(user, proposals, workspace, &skill, dspy)?);
    }
    Ok(artifacts)
}

fn outdated_of(
    user: &dyn UserData,
    proposals: &dyn Proposals,
    workspace: &str,
    skill: &Skill,
    dspy: &str,
) -> Result<Vec<OutdatedArtifact>, StorageError> {
    let mut all = Vec::new();
    if needs_trust(user, workspace, skill.head.scope)? {
        return Ok(all);
    }
    for artifact in skill.package.artifacts.iter().filter(|one| one.kind == ArtifactKind::DspyModule) {
        let Some(state) = state_of(artifact) else { continue };
        let made_by = version_of(&state);
        if made_by.as_deref() == Some(dspy) {
            continue;
        }
        all.push(OutdatedArtifact {
            skill: skill.package.slug.clone(),
            title: skill.package.name.clone(),
            scope: skill.head.scope,
            artifact: artifact.name.clone(),
            path: artifact.path.clone(),
            dspy: made_by,
            again: last_accepted(proposals, skill, &artifact.path)?.is_some(),
        });
    }
    Ok(all)
}

/// The version of DSPy in a state, in our format or in that of DSPy's own files.
fn version_of(state: &Value) -> Option<String> {
    let ours = state.get("dspy");
    let theirs = || state.get("metadata")?.get("dependency_versions")?.get("dspy");
    ours.or_else(theirs)?.as_str().map(str::to_owned)
}

fn last_accepted(proposals: &dyn Proposals, skill: &Skill, path: &SkillPath) -> Result<Option<OptimizationBody>, StorageError> {
    let filter = ProposalFilter { skill: Some(skill.head.id), status: Some(ProposalStatus::Accepted), ..ProposalFilter::default() };
    let accepted = proposals.proposals(&filter)?.into_iter();
    let mut of_artifact = accepted.filter(|one| one.kind == ProposalKind::Optimisation && one.artifact_path.as_ref() == Some(path));
    Ok(of_artifact.find_map(|one| serde_json::from_value(one.body).ok()))
}
