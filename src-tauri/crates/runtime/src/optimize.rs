//! Looks for a better state of a DSPy program: from examples to a candidate with scores. Nothing is changed by it.
//!
//! It runs as any other run does: on an account, stoppable, with a trace that says what it cost.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use inklings_core::program::{Metric, Optimization, Optimized, ProgramExample, ProgramProgress, ProgramRunner};
use inklings_core::trace::{SessionKind, Usage};
use inklings_core::{Artifact, ArtifactKind, ProgramError, TraceStatus};
use serde_json::{Map, Value};

use crate::budget::Budget;
use crate::context::{ExecutionContext, RunModel};
use crate::error::SkillError;
use crate::event::RunEvents;
use crate::handlers::program_failed;
use crate::output::ArtifactOutput;
use crate::output::RunReport;
use crate::program::{Content, Host, state_of};
use crate::record::Recorder;
use crate::request::RunRequest;
use crate::run::Runner;

/// Time that the search has to hand over the best it found once models answer no more.
const FINISH_GRACE: Duration = Duration::from_mins(1);

/// How to look.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// Examples to learn from.
    pub training: Vec<ProgramExample>,
    /// Examples that are only judged by.
    pub held_out: Vec<ProgramExample>,
    /// How predictions are judged.
    pub metric: Metric,
    /// Id of the optimiser.
    pub optimizer: String,
    /// Its settings.
    pub options: Map<String, Value>,
    /// Seed of everything random.
    pub seed: u64,
    /// Most questions to models.
    pub calls: Option<u64>,
}

impl Runner {
    /// Optimises the artifact that the request names, a `dspy_module`. An error means that nothing was executed; what fails later is
    /// in the report, and then there is no candidate.
    pub async fn optimize(
        &self,
        request: RunRequest,
        search: Search,
        programs: &dyn ProgramRunner,
        recorder: &Recorder,
        events: &dyn RunEvents,
    ) -> Result<(RunReport, Option<Optimized>), SkillError> {
        request.limits.check()?;
        let artifact = program(&request)?;
        let failed = |error| program_failed(&artifact, error);
        let content = Content::of(&artifact).map_err(failed)?;
        if let Some(why) = programs.unavailable() {
            return Err(failed(ProgramError::Unavailable(why)));
        }
        let job = Optimization {
            program: content.program,
            state_blob: state_of(&artifact),
            training_data: search.training,
            held_out: search.held_out,
            metric: search.metric,
            optimizer: search.optimizer,
            options: search.options,
            seed: search.seed,
            budget: search.calls,
        };
        let account = Arc::new(Budget::new(request.limits).with_grace(FINISH_GRACE));
        let model = Arc::new(RunModel::new(self.models.clone(), request.model.clone()));
        let mut active = self.begin(request, SessionKind::Optimisation, Some(account), model, recorder, events).await?;
        let found = Mutex::new(None);
        let work = async |context: &ExecutionContext<'_>| {
            let (output, optimized) = work(&job, &artifact, programs, context).await?;
            *found.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(optimized);
            Ok(output)
        };
        // Without values: they are the examples', and no run to do again.
        let (row, result) = active.perform(&artifact, None, None, work).await?;
        let ended = match result {
            Ok((_, ending)) => active.close(row, TraceStatus::Ok, None, ending).await,
            Err((error, ending)) => active.fail(row, error, ending).await,
        };
        let found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok((active.finish(ended.err()), found))
    }
}

fn program(request: &RunRequest) -> Result<Artifact, SkillError> {
    let wanted = request.artifact.as_deref().unwrap_or_default();
    let all = &request.skill.package.artifacts;
    let found = all.iter().find(|one| one.path.as_str() == wanted).or_else(|| all.iter().find(|one| one.name == wanted));
    let artifact = found.ok_or_else(|| SkillError::NoArtifact(wanted.to_owned()))?;
    if artifact.kind != ArtifactKind::DspyModule {
        let what = format!("it is a {}, and only DSPy programs can be optimised", artifact.kind);
        return Err(program_failed(artifact, ProgramError::Invalid(what)));
    }
    Ok(artifact.clone())
}

async fn work(
    job: &Optimization,
    artifact: &Artifact,
    programs: &dyn ProgramRunner,
    context: &ExecutionContext<'_>,
) -> Result<(ArtifactOutput, Optimized), SkillError> {
    let told = |progress: ProgramProgress, usage: Usage| {
        context.progress(progress.fraction, &progress.text);
        context.trial(progress.score, usage);
    };
    let host = Host::new(artifact, context, &told)?;
    let ended = programs.optimize(job, &host, context.cancel).await;
    context.tell_rendered();
    let used = host.used();
    if let Some(error) = used.fatal {
        return Err(error);
    }
    let optimized = ended.map_err(|error| program_failed(artifact, error))?;
    let output = ArtifactOutput {
        text: serde_json::to_string_pretty(&optimized).unwrap_or_default(),
        skills_used: used.skills,
        tools_used: used.tools,
        ..ArtifactOutput::default()
    };
    Ok((output, optimized))
}
