//! Executes the cells of an eval run, and records each result when it ends.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::{StreamExt as _, stream};
use inklings_core::eval::{EvalCell, EvalOutcome, EvalResult, EvalRun, EvalStatus, EvalVariant};
use inklings_core::trace::{Outcome, Session, SessionKind, TraceStatus, Usage, Verdict};
use inklings_core::{CancellationToken, Digest, EvalStore, ModelError, ProgressReporter, ResponseCache, RunId, SessionId, Skill};
use inklings_evals::cases::{Case, Task};
use inklings_runtime::{Budget, Limits, RunPart, RunReport, RunRequest, SkillError};

use super::cached_models::CachedModels;
use super::error::EvalError;
use super::plan::EvalPlan;
use super::subject::Subject;
use crate::features::run::service::{RunEnvironment, RunService};

/// In seconds.
const DEFAULT_TIME_LIMIT: u32 = 4 * 60 * 60;

pub(crate) fn with_time_limit(limits: Limits) -> Limits {
    Limits { seconds: limits.seconds.or(Some(DEFAULT_TIME_LIMIT)), ..limits }
}

/// A run that is open, and everything that it needs.
pub(crate) struct EvalJob {
    pub(crate) run: EvalRun,
    pub(crate) plan: EvalPlan,
    pub(crate) limits: Limits,
    /// The skill of each variant; None without it.
    pub(crate) skills: Vec<Option<Skill>>,
    /// The skill as it is now.
    pub(crate) current: Skill,
    /// The budget of the work that the run is a part of.
    pub(crate) within: Option<Arc<Budget>>,
    /// Results of an earlier process.
    pub(crate) done: Vec<EvalResult>,
    pub(crate) environment: RunEnvironment,
}

pub(crate) struct EvalRunner<'a> {
    pub(crate) runs: RunService<'a>,
    pub(crate) evals: &'a Arc<dyn EvalStore>,
    pub(crate) responses: &'a Arc<dyn ResponseCache>,
}

/// The state of a run in progress.
struct Progress<'a> {
    budget: Arc<Budget>,
    session: SessionId,
    cancel: &'a CancellationToken,
    reporter: &'a ProgressReporter,
    done: AtomicUsize,
    /// Of those, the cells whose run failed.
    errors: AtomicUsize,
    total: usize,
    /// Whether a limit was reached.
    over_budget: AtomicBool,
}

impl Progress<'_> {
    fn end(&self) -> (EvalStatus, Option<String>) {
        let errors = self.errors.load(Ordering::Relaxed);
        if self.over_budget.load(Ordering::Relaxed) {
            (EvalStatus::OverBudget, None)
        } else if self.done.load(Ordering::Relaxed) < self.total || (errors > 0 && self.cancel.is_cancelled()) {
            (EvalStatus::Cancelled, None)
        } else if errors > 0 {
            (EvalStatus::Failed, Some(format!("{errors} of {} results are errors", self.total)))
        } else if self.budget.exceeded().is_err() {
            (EvalStatus::OverBudget, None)
        } else {
            (EvalStatus::Complete, None)
        }
    }
}

impl EvalRunner<'_> {
    /// Executes the cells that have no result yet, or an error. Returns how it ended, and why it failed.
    pub(crate) async fn execute(
        &self,
        job: &EvalJob,
        cancel: &CancellationToken,
        reporter: &ProgressReporter,
    ) -> Result<(EvalStatus, Option<String>), EvalError> {
        let graded: HashSet<&EvalCell> =
            job.done.iter().filter(|one| one.outcome != EvalOutcome::Error).map(|result| &result.cell).collect();
        let missing: Vec<_> = job.plan.cells().filter(|(cell, ..)| !graded.contains(cell)).collect();
        let limits = with_time_limit(job.limits);
        let budget = job.within.clone().map_or_else(|| Budget::new(limits), |whole| Budget::within(whole, limits));
        for result in &job.done {
            budget.record(result.paid);
        }
        let progress = Progress {
            budget: Arc::new(budget),
            session: self.open_session(job).await?,
            cancel,
            reporter,
            done: AtomicUsize::new(graded.len()),
            errors: AtomicUsize::new(0),
            total: graded.len() + missing.len(),
            over_budget: AtomicBool::new(false),
        };
        reporter.report(graded.len(), Some(progress.total));
        let mut cells = Vec::with_capacity(missing.len());
        for (cell, case, variant) in missing {
            cells.push(self.cell(job, cell, case, variant, &progress));
        }
        let mut results = stream::iter(cells).buffer_unordered(job.plan.concurrency);
        while let Some(result) = results.next().await {
            result?;
        }
        Ok(progress.end())
    }

    async fn open_session(&self, job: &EvalJob) -> Result<SessionId, EvalError> {
        let id = SessionId::new(self.runs.ids.uuid());
        let title = self.runs.redactor.redact(&job.current.package.name);
        let session = Session { id, kind: SessionKind::Eval, title, created_at: self.runs.clock.now() };
        let traces = job.environment.traces.clone();
        tokio::task::spawn_blocking(move || traces.open_session(&session)).await??;
        Ok(id)
    }

    /// Of a cell that the end of the run interrupts, only what was paid is recorded, as an error.
    async fn cell(
        &self,
        job: &EvalJob,
        cell: EvalCell,
        case: &Case,
        variant: &EvalVariant,
        progress: &Progress<'_>,
    ) -> Result<(), EvalError> {
        let Some(task) = case.task() else { return Ok(()) };
        if progress.cancel.is_cancelled() {
            return Ok(());
        }
        if progress.budget.check().is_err() {
            progress.over_budget.store(true, Ordering::Relaxed);
            return Ok(());
        }
        let run = RunId::new(self.runs.ids.uuid());
        let models = |purpose: &str| self.models(job, &format!("{purpose} {}", cell.repeat));
        let (answers, judgements) = (models("answer"), models("judge"));
        let skill = job.skills.get(cell.variant).and_then(Option::as_ref);
        let report = self.run(job, run, task, (skill, variant), progress, (&answers, &judgements)).await;
        let ended = match &report {
            Ok(report) => report.error.as_ref(),
            Err(EvalError::Skill(error)) => Some(error),
            Err(_) => None,
        };
        let is_over = ended.is_some_and(is_limit) && progress.budget.check().is_err();
        if is_over {
            progress.over_budget.store(true, Ordering::Relaxed);
        }
        let is_interrupted = is_over || ended.is_some_and(SkillError::is_cancelled);
        // What was paid for is recorded, so that the run counts it when it goes on.
        let is_paid = report.as_ref().is_ok_and(|report| report.usage != Usage::default());
        if is_interrupted && !is_paid {
            return Ok(());
        }
        let result = match report {
            Ok(report) => self.graded(cell, report),
            Err(EvalError::Skill(error)) => self.refused(cell, &error),
            Err(error) => return Err(error),
        };
        // A case that can't begin will not begin the next time either.
        let is_retried = result.outcome == EvalOutcome::Error && result.run.is_some();
        progress.errors.fetch_add(usize::from(is_retried), Ordering::Relaxed);
        // What couldn't be judged is judged anew the next time.
        let forgotten = if result.outcome == EvalOutcome::NotRun { judgements.keys() } else { Vec::new() };
        self.store(job, result, forgotten).await?;
        progress.reporter.report(progress.done.fetch_add(1, Ordering::Relaxed) + 1, Some(progress.total));
        Ok(())
    }

    /// A fresh run has responses of its own, which it finds again when it goes on after a crash.
    fn models(&self, job: &EvalJob, sample: &str) -> CachedModels {
        CachedModels {
            models: self.runs.runner.models.clone(),
            responses: self.responses.clone(),
            redactor: self.runs.redactor.clone(),
            sample: if job.plan.fresh { format!("{sample} {}", job.run.id) } else { sample.to_owned() },
            used: Arc::new(Mutex::default()),
        }
    }

    async fn run(
        &self,
        job: &EvalJob,
        run: RunId,
        task: &Task,
        (skill, variant): (Option<&Skill>, &EvalVariant),
        progress: &Progress<'_>,
        (answers, judgements): (&CachedModels, &CachedModels),
    ) -> Result<RunReport, EvalError> {
        let subject = match skill {
            Some(skill) => Subject::with_skill(self.runs.runner, skill, task, &self.runs.runner.models.family(&variant.model))?,
            None => Subject::without_skill(&job.current, task),
        };
        let _guard = self.runs.active.enter(run, progress.cancel.clone())?;
        let request = RunRequest {
            run,
            session: Some(progress.session),
            parent: None,
            depth: 0,
            skill: Arc::new(subject.skill),
            workspace: job.environment.workspace.clone(),
            artifact: subject.artifact.map(|path| path.to_string()),
            params: subject.input,
            model: Some(variant.model.clone()),
            limits: Limits::default(),
            cancel: progress.cancel.clone(),
            replay_of: None,
            resources: job.environment.resources.clone(),
        };
        let part = RunPart {
            budget: progress.budget.clone(),
            models: Arc::new(answers.clone()),
            judge_models: Arc::new(judgements.clone()),
            judge: Some(job.plan.judge.clone()),
        };
        let recorder = self.runs.recorder(job.environment.traces.clone());
        Ok(self.runs.runner.run_within(request, part, &recorder, self.runs.events).await?)
    }

    fn graded(&self, cell: EvalCell, report: RunReport) -> EvalResult {
        let secrets = self.runs.redactor.now();
        let executed = report.traces.iter().filter(|trace| trace.status != TraceStatus::Fallback);
        let verdicts: Vec<Verdict> = executed.flat_map(|trace| trace.verdicts.clone()).collect();
        EvalResult {
            cell,
            outcome: outcome(report.error.as_ref(), &verdicts),
            output: report.output.map(|output| secrets.redact(&output.text)),
            error: report.error.map(|error| secrets.redact(&error.to_string())),
            verdicts,
            usage: report.output_usage,
            judge_usage: report.judge_usage,
            paid: report.usage,
            duration_ms: u64::try_from(report.output_time.as_millis()).unwrap_or(u64::MAX),
            model_id: report.traces.iter().rev().find_map(|trace| trace.model_id.clone()),
            run: Some(report.run),
            created_at: self.runs.clock.now(),
        }
    }

    /// The result of a case that couldn't begin.
    fn refused(&self, cell: EvalCell, error: &SkillError) -> EvalResult {
        EvalResult {
            cell,
            outcome: EvalOutcome::Error,
            output: None,
            error: Some(self.runs.redactor.redact(&error.to_string())),
            verdicts: Vec::new(),
            usage: Usage::default(),
            judge_usage: Usage::default(),
            paid: Usage::default(),
            duration_ms: 0,
            model_id: None,
            run: None,
            created_at: self.runs.clock.now(),
        }
    }

    async fn store(&self, job: &EvalJob, result: EvalResult, forgotten: Vec<Digest>) -> Result<(), EvalError> {
        let (evals, responses, id) = (self.evals.clone(), self.responses.clone(), job.run.id);
        let store = move || {
            evals.put_eval_result(id, &result)?;
            if forgotten.is_empty() { Ok(()) } else { responses.forget_responses(&forgotten) }
        };
        Ok(tokio::task::spawn_blocking(store).await??)
    }
}

const fn is_limit(error: &SkillError) -> bool {
    matches!(error, SkillError::Budget { .. } | SkillError::Model(ModelError::OverBudget { .. }))
}

/// A provider or limit at fault, or a cancellation, says nothing about the skill; any other failure is the skill's.
fn outcome(error: Option<&SkillError>, verdicts: &[Verdict]) -> EvalOutcome {
    match error {
        Some(SkillError::Model(_) | SkillError::Budget { .. } | SkillError::Cancelled | SkillError::Trace(_) | SkillError::Internal(_)) => {
            EvalOutcome::Error
        }
        Some(_) => EvalOutcome::Failed,
        None => {
            // Without a weight it is only recorded.
            let counted = |outcome| verdicts.iter().any(|one| one.weight > 0.0 && one.outcome == outcome);
            if counted(Outcome::Failed) {
                EvalOutcome::Failed
            } else if verdicts.is_empty() || counted(Outcome::NotRun) {
                EvalOutcome::NotRun
            } else {
                EvalOutcome::Passed
            }
        }
    }
}
