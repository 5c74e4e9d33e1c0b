//! Optimizes a DSPy program: from examples to a candidate state with scores. The skill isn't changed.
//!
//! It is a run like any other, with a budget, cancellation and a trace of one step. The caller stores the result as a proposal; the
//! skill changes only when a person accepts it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use inklings_core::program::{Metric, Optimization, OptimizationResult, ProgramExample, ProgramProgress, ProgramRunner};
use inklings_core::trace::{SessionKind, Usage};
use inklings_core::{Artifact, ArtifactKind, ProgramError, TraceStatus};
use serde_json::{Map, Value};

use crate::budget::Budget;
use crate::context::{ExecutionContext, RunModel};
use crate::error::SkillError;
use crate::event::RunEvents;
use crate::handlers::program_failed;
use crate::output::{ArtifactOutput, RunReport};
use crate::program::{Content, ProgramServices, state_of};
use crate::record::Recorder;
use crate::request::RunRequest;
use crate::run::Runner;

/// Time for the optimizer to return its best candidate after the deadline, when models are no longer called.
const FINISH_GRACE: Duration = Duration::from_mins(1);

#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    pub trainset: Vec<ProgramExample>,
    pub valset: Vec<ProgramExample>,
    pub metric: Metric,
    /// Id of the optimizer.
    pub optimizer: String,
    /// Options of the optimizer.
    pub options: Map<String, Value>,
    pub seed: u64,
    pub max_calls: Option<u64>,
}

/// Optimizes the `dspy_module` that the request names. An error means that nothing was executed; later failures are
/// in the report, and then there is no candidate.
pub async fn optimize(
    runner: &Runner,
    request: RunRequest,
    search: Search,
    programs: &dyn ProgramRunner,
    recorder: &Recorder,
    events: &dyn RunEvents,
) -> Result<(RunReport, Option<OptimizationResult>), SkillError> {
    request.limits.check()?;
    let artifact = program(&request)?;
    let failed = |error| program_failed(&artifact, error);
    let content = Content::of(&artifact).map_err(failed)?;
    if let Some(reason) = programs.unavailable() {
        return Err(failed(ProgramError::Unavailable(reason)));
    }
    let job = Optimization {
        program: content.program,
        state_blob: state_of(&artifact),
        trainset: search.trainset,
        valset: search.valset,
        metric: search.metric,
        optimizer: search.optimizer,
        options: search.options,
        seed: search.seed,
        budget: search.max_calls,
    };
    let budget = Arc::new(Budget::new(request.limits).with_grace(FINISH_GRACE));
    let model = Arc::new(RunModel::new(runner.models.clone(), request.model.clone()));
    let mut active = runner.begin(request, SessionKind::Optimization, Some(budget), (model.clone(), model), recorder, events).await?;
    let candidate = Mutex::new(None);
    let work = async |context: &ExecutionContext<'_>| {
        let (output, optimized) = work(&job, &artifact, programs, context).await?;
        *candidate.lock().unwrap_or_else(PoisonError::into_inner) = Some(optimized);
        Ok(output)
    };
    // Without parameters: they belong to the examples, and this run can't be replayed.
    let (row, result) = active.perform(&artifact, false, None, None, work).await?;
    let closed = match result {
        Ok((_, outcome)) => active.close(row, TraceStatus::Ok, None, outcome).await,
        Err((error, outcome)) => active.fail(row, error, outcome).await,
    };
    let candidate = candidate.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((active.finish(closed.err()), candidate))
}

fn program(request: &RunRequest) -> Result<Artifact, SkillError> {
    let wanted = request.artifact.as_deref().unwrap_or_default();
    let all = &request.skill.package.artifacts;
    let found = all.iter().find(|one| one.path.as_str() == wanted).or_else(|| all.iter().find(|one| one.name == wanted));
    let artifact = found.ok_or_else(|| SkillError::NoArtifact(wanted.to_owned()))?;
    if artifact.kind != ArtifactKind::DspyModule {
        let what = format!("only DSPy modules can be optimized, not artifacts of kind {}", artifact.kind);
        return Err(program_failed(artifact, ProgramError::Invalid(what)));
    }
    Ok(artifact.clone())
}

async fn work(
    job: &Optimization,
    artifact: &Artifact,
    programs: &dyn ProgramRunner,
    context: &ExecutionContext<'_>,
) -> Result<(ArtifactOutput, OptimizationResult), SkillError> {
    let on_progress = |progress: ProgramProgress, usage: Usage| {
        context.progress(progress.fraction, &progress.text);
        context.trial(progress.score, usage);
    };
    let host = ProgramServices::new(artifact, context, &on_progress)?;
    let result = programs.optimize(job, &host, context.cancel).await;
    context.emit_rendered();
    let report = host.into_report();
    if let Some(error) = report.fatal {
        return Err(error);
    }
    let optimized = result.map_err(|error| program_failed(artifact, error))?;
    let output = ArtifactOutput {
        text: serde_json::to_string_pretty(&optimized).unwrap_or_default(),
        skills_used: report.skills,
        tools_used: report.tools,
        ..ArtifactOutput::default()
    };
    Ok((output, optimized))
}
