//! Runs a skill: the plan, then each step through its handler, its assertions and its trace.
//!
//! A step's trace row is opened before it executes and names its process, which holds a liveness lock beside the database; an open
//! row whose lock is free was interrupted. A fallback prompt runs if its program is unavailable or the process breaks, never if an
//! artifact, a value or a model is at fault; both steps have a row. Traces are written to the workspace's database if one is open
//! and writable, else to the account's.

mod part;
mod prepared_step;

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use inklings_core::model::Request;
use inklings_core::trace::{Outcome, Session, SessionKind, Strictness, Trace, TracedSkill, Usage, Verdict};
use inklings_core::{Artifact, ArtifactKind, ModelRef, Models, Package, RunId, SessionId, Skill, TraceId, TraceStatus, TraceStore};
use inklings_prompt::PromptEngine;
use serde_json::{Map, Value};

use crate::assertions;
use crate::budget::Budget;
use crate::context::{Conversation, EventEmitter, ExecutionContext, RunModel, SkillCaller, UsageMeter};
use crate::error::SkillError;
use crate::event::{RunEventKind, RunEvents};
use crate::handler::ArtifactDispatcher;
use crate::output::{ArtifactOutput, RunReport};
use crate::plan::{self, Plan, PlanRequest};
use crate::record::{OpenTrace, Recorder, RunMeta, StepOutcome};
use crate::request::RunRequest;
use crate::{handlers, instructions};

pub(crate) use part::CallerContext;
pub use part::RunPart;
use prepared_step::PreparedStep;

/// Nesting of runs when skills call skills.
pub const MAX_DEPTH: u32 = 8;

/// Runs skills. There is one per process.
pub struct Runner {
    pub dispatcher: ArtifactDispatcher,
    pub prompts: Arc<PromptEngine>,
    pub models: Arc<dyn Models>,
}

impl Runner {
    /// The plan of a run. `model` selects the variants of artifacts. Blocks.
    pub fn plan(
        &self,
        skill: &Skill,
        artifact: Option<&str>,
        params: &Map<String, Value>,
        model: Option<&ModelRef>,
    ) -> Result<Plan, SkillError> {
        let family = model.map(|model| self.models.family(model));
        self.plan_for(skill, artifact, params, family.as_deref())
    }

    /// What a prompt, or SKILL.md itself, sends first with these values; `None` for an artifact that sends something only when it runs.
    /// `artifact` is one of the skill's, perhaps with another text. `family` is the model's, which selects variants of context artifacts.
    pub fn first_request(
        &self,
        package: &Package,
        artifact: &Artifact,
        values: &HashMap<String, Value>,
        family: Option<&str>,
    ) -> Result<Option<Request>, SkillError> {
        if artifact.path == package.main_path {
            let message = values.get(plan::MESSAGE).and_then(Value::as_str).unwrap_or_default();
            return Ok(Some(instructions::request(package, artifact, message)));
        }
        if artifact.kind != ArtifactKind::PromptTemplate {
            return Ok(None);
        }
        let mut conversation = Conversation::default();
        for context in plan::context_artifacts(package, family) {
            self.dispatcher.handler(context.kind)?.accompany(context, &mut conversation);
        }
        handlers::prompt_request(artifact, values, &conversation, &self.prompts).map(Some)
    }

    /// Like [`plan`](Self::plan), with the family of the model.
    pub fn plan_for(
        &self,
        skill: &Skill,
        artifact: Option<&str>,
        params: &Map<String, Value>,
        family: Option<&str>,
    ) -> Result<Plan, SkillError> {
        let request = PlanRequest { package: &skill.package, artifact, params, family };
        plan::plan(request, &self.dispatcher, &self.prompts)
    }

    /// Runs a skill. An error means that nothing was executed; later failures are in the report.
    pub async fn run(&self, request: RunRequest, recorder: &Recorder, events: &dyn RunEvents) -> Result<RunReport, SkillError> {
        request.limits.check()?;
        self.run_nested(request, None, recorder, events).await
    }

    /// Runs a skill as [`run`](Self::run) does, as a part of a larger one.
    pub async fn run_within(
        &self,
        request: RunRequest,
        part: RunPart,
        recorder: &Recorder,
        events: &dyn RunEvents,
    ) -> Result<RunReport, SkillError> {
        let budget = Arc::new(Budget::within(part.budget, request.limits));
        let model = Arc::new(RunModel::new(part.models, request.model.clone()));
        let judge = Arc::new(RunModel::new(part.judge_models, part.judge));
        self.run_nested(request, Some(CallerContext { budget, model, judge }), recorder, events).await
    }

    /// Runs a skill on the budget and models of the calling run. Without one it gets its own budget, whose time starts with the first step.
    pub(crate) async fn run_nested(
        &self,
        request: RunRequest,
        caller: Option<CallerContext>,
        recorder: &Recorder,
        events: &dyn RunEvents,
    ) -> Result<RunReport, SkillError> {
        if request.depth >= MAX_DEPTH {
            return Err(SkillError::TooDeep { limit: MAX_DEPTH });
        }
        let skill = request.skill.clone();
        let (budget, model, judge) = if let Some(CallerContext { budget, model, judge }) = caller {
            (Some(budget), model, judge)
        } else {
            let model = Arc::new(RunModel::new(self.models.clone(), request.model.clone()));
            (None, model.clone(), model)
        };
        let family = match model.name().await {
            Some(model) => {
                let models = Arc::clone(&self.models);
                let family = tokio::task::spawn_blocking(move || models.family(&model));
                Some(family.await.map_err(|_| SkillError::Internal("preparing the run"))?)
            }
            None => None,
        };
        let plan = self.plan_for(&skill, request.artifact.as_deref(), &request.params, family.as_deref())?;
        plan.ready()?;
        // Schemas and patterns are untrusted and may be slow to compile.
        let (of, params) = (skill.clone(), request.params.clone());
        let preparing = tokio::task::spawn_blocking(move || PreparedStep::all(&of, &plan, &params));
        let steps = preparing.await.map_err(|_| SkillError::Internal("preparing the run"))??;
        // The first token count loads its tables; that time must not be counted for a step.
        drop(tokio::task::spawn_blocking(inklings_prompt::tokens::warm_up).await);
        let mut active = self.begin(request, SessionKind::Run, budget, (model, judge), recorder, events).await?;
        let error = active.run_steps(&steps).await.err();
        Ok(active.finish(error))
    }

    /// Opens the session of a run that is about to execute something. None is a new budget. The second model judges outputs.
    pub(crate) async fn begin<'a>(
        &'a self,
        request: RunRequest,
        kind: SessionKind,
        budget: Option<Arc<Budget>>,
        (model, judge): (Arc<RunModel>, Arc<RunModel>),
        recorder: &'a Recorder,
        events: &'a dyn RunEvents,
    ) -> Result<ActiveRun<'a>, SkillError> {
        let skill = &request.skill;
        let meta = RunMeta {
            run: request.run,
            session: self.session(&request, kind, recorder).await?,
            parent: request.parent,
            replay_of: request.replay_of,
            skill: TracedSkill::of(skill),
            model_requested: request.model.as_ref().map(ToString::to_string),
            asked_artifact: request.artifact.clone(),
        };
        Ok(ActiveRun {
            runner: self,
            recorder,
            values: request.params.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            conversation: Mutex::default(),
            budget: budget.unwrap_or_else(|| Arc::new(Budget::new(request.limits))),
            model,
            judge,
            output_usage: Usage::default(),
            judge_usage: Usage::default(),
            output_time: Duration::ZERO,
            emitter: EventEmitter::new(request.run, events),
            events,
            traces: Vec::new(),
            output: None,
            meta,
            request,
        })
    }

    async fn session(&self, request: &RunRequest, kind: SessionKind, recorder: &Recorder) -> Result<SessionId, SkillError> {
        if let Some(session) = request.session {
            return Ok(session);
        }
        let (id, created_at) = (SessionId::new(recorder.ids.uuid()), recorder.clock.now());
        let (redactor, name) = (recorder.redactor.clone(), request.skill.package.name.clone());
        let open = move |store: &dyn TraceStore| store.open_session(&Session { id, kind, title: redactor.redact(&name), created_at });
        recorder.write(open).await?;
        Ok(id)
    }
}

/// The tokens of a context artifact, counted with one encoding for all models. They are paid with the prompts that it accompanies, so no
/// sum over steps includes them.
fn context_output(text: &str) -> ArtifactOutput {
    let text = text.trim();
    let input_tokens = u64::try_from(inklings_prompt::tokens::count(text)).ok();
    ArtifactOutput { text: text.to_owned(), usage: Usage { input_tokens, ..Usage::default() }, ..ArtifactOutput::default() }
}

pub(crate) type StepResult = Result<(ArtifactOutput, StepOutcome), (SkillError, StepOutcome)>;

pub(crate) struct ActiveRun<'a> {
    runner: &'a Runner,
    recorder: &'a Recorder,
    request: RunRequest,
    meta: RunMeta,
    values: HashMap<String, Value>,
    conversation: Mutex<Conversation>,
    budget: Arc<Budget>,
    model: Arc<RunModel>,
    judge: Arc<RunModel>,
    output_usage: Usage,
    judge_usage: Usage,
    output_time: Duration,
    emitter: EventEmitter<'a>,
    events: &'a dyn RunEvents,
    traces: Vec<Trace>,
    output: Option<ArtifactOutput>,
}

impl ActiveRun<'_> {
    async fn run_steps(&mut self, steps: &[PreparedStep]) -> Result<(), SkillError> {
        for step in steps {
            self.run_step(step).await?;
        }
        Ok(())
    }

    async fn run_step(&mut self, step: &PreparedStep) -> Result<(), SkillError> {
        let (row, result) = self.execute(step, None).await?;
        let (error, outcome) = match result {
            Ok(output) => return self.finish_step(step, row, output, false).await,
            Err(failed) => failed,
        };
        let Some(fallback) = step.fallback.as_deref().filter(|_| error.allows_fallback()) else {
            return self.fail(row, error, outcome).await;
        };
        tracing::info!(skill = %self.meta.skill.slug, artifact = step.artifact.name, %error, "running the fallback prompt");
        let instead_of = row.trace.id;
        self.close(row, TraceStatus::Fallback, Some(&error.to_string()), outcome).await?;
        let (row, result) = self.execute(fallback, Some(instead_of)).await?;
        match result {
            Ok(output) => self.finish_step(fallback, row, output, true).await,
            Err((error, outcome)) => self.fail(row, error, outcome).await,
        }
    }

    async fn execute(&self, step: &PreparedStep, fallback_of: Option<TraceId>) -> Result<(OpenTrace, StepResult), SkillError> {
        let (artifact, dispatcher) = (&step.artifact, &self.runner.dispatcher);
        let params = self.traces.is_empty().then_some(&self.request.params);
        // Boxed because skills call skills: each level must take little of the stack.
        Box::pin(self.perform(artifact, step.context, params, fallback_of, async |context| {
            if !step.context {
                return dispatcher.dispatch(artifact, context).await;
            }
            context.accompany(artifact, dispatcher.handler(artifact.kind)?.as_ref());
            Ok(context_output(&artifact.content))
        }))
        .await
    }

    /// Runs `work` under a trace row of its own. The outcome carries what was rendered and used also when it failed.
    pub(crate) async fn perform(
        &self,
        artifact: &Artifact,
        is_context: bool,
        params: Option<&Map<String, Value>>,
        fallback_of: Option<TraceId>,
        work: impl AsyncFnOnce(&ExecutionContext<'_>) -> Result<ArtifactOutput, SkillError>,
    ) -> Result<(OpenTrace, StepResult), SkillError> {
        let row = self.recorder.begin(&self.meta, artifact, params, fallback_of).await?;
        self.emitter.emit(RunEventKind::Began {
            trace: row.trace.id,
            name: artifact.name.clone(),
            path: artifact.path.clone(),
            artifact_kind: artifact.kind,
            context: is_context,
            fallback_of,
        });
        let context = self.context(&row.trace);
        let result = match self.budget.check() {
            Ok(()) => self.until_cancelled(work(&context)).await,
            Err(error) => Err(error),
        };
        let meter = context.meter();
        let take = |mutex: Mutex<Option<String>>| mutex.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut outcome = StepOutcome {
            model_requested: context.requested.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(ToString::to_string),
            rendered: take(context.rendered),
            log: take(context.log),
            truncated: context.truncated.into_inner(),
            usage: meter.usage,
            model_id: meter.model_id,
            ..StepOutcome::default()
        };
        let result = match result {
            Ok(mut output) => {
                output.usage.add(outcome.usage);
                outcome.usage = output.usage;
                output.usage.add(meter.replayed);
                output.replayed_time = meter.replayed_time;
                outcome.output = Some(output.text.clone());
                outcome.cut_off = output.cut_off;
                Ok((output, outcome))
            }
            Err(error) => {
                outcome.output = take(context.streamed);
                outcome.detail = error.detail();
                Err((error, outcome))
            }
        };
        Ok((row, result))
    }

    fn context<'a>(&'a self, trace: &Trace) -> ExecutionContext<'a> {
        ExecutionContext {
            trace: trace.id,
            run: self.meta.run,
            session: self.meta.session,
            depth: self.request.depth,
            skill: &self.request.skill,
            workspace: self.request.workspace.as_deref(),
            values: &self.values,
            conversation: &self.conversation,
            prompts: &self.runner.prompts,
            cancel: &self.request.cancel,
            budget: &self.budget,
            model: &self.model,
            emitter: &self.emitter,
            rendered: Mutex::default(),
            streamed: Mutex::default(),
            requested: Mutex::default(),
            meter: Arc::default(),
            log: Mutex::default(),
            truncated: AtomicBool::default(),
            resources: &self.request.resources,
            caller: self,
        }
    }

    /// Evaluates the assertions of an output and stores it. A failed hard assertion fails the run.
    async fn finish_step(
        &mut self,
        step: &PreparedStep,
        row: OpenTrace,
        (output, mut outcome): (ArtifactOutput, StepOutcome),
        is_fallback: bool,
    ) -> Result<(), SkillError> {
        let took = row.begun.elapsed() + output.replayed_time;
        // Of a run on its own, what the judge lacked ends only hard assertions.
        let before_judging = self.budget.exceeded().err();
        let (judged, used) = self.judge(step, &row, &output, took).await;
        outcome.usage.add(used.usage);
        self.output_usage.add(output.usage);
        self.output_time += took;
        self.judge_usage.add(used.usage);
        self.judge_usage.add(used.replayed);
        let verdicts = match judged {
            Ok(verdicts) => verdicts,
            Err(error) => return self.fail(row, error, outcome).await,
        };
        let exceeded = if self.budget.is_part() { self.budget.exceeded().err() } else { before_judging };
        let error = self.verdict(step, &verdicts, exceeded);
        outcome.verdicts = verdicts;
        if !step.context {
            // A fallback prompt answers with the object that its program would have returned.
            let parsed = is_fallback.then(|| assertions::json_in(&output.text)).flatten();
            let value = output.value.as_ref().or(parsed.as_ref());
            plan::merge(&mut self.values, &step.artifact.name, &output.text, value);
            self.output = Some(output);
        }
        match error {
            Some(error) => self.fail(row, error, outcome).await,
            None => self.close(row, TraceStatus::Ok, None, outcome).await,
        }
    }

    /// The error that ends the run: a hard assertion failed, or couldn't be evaluated because a limit was reached; or the last answer
    /// exceeded one. A caller's limits are checked when its own last step is done.
    fn verdict(&self, step: &PreparedStep, verdicts: &[Verdict], exceeded: Option<SkillError>) -> Option<SkillError> {
        let mut hard = verdicts.iter().filter(|one| one.severity == Strictness::Hard);
        let found = |one: &Verdict| SkillError::Assertion {
            artifact: step.artifact.name.clone(),
            description: one.description.clone(),
            explanation: one.explanation.clone(),
        };
        let failed = hard.clone().find(|one| one.outcome == Outcome::Failed).map(found);
        let failed = failed.or_else(|| hard.find(|one| one.outcome == Outcome::NotRun).and_then(|_| self.budget.check().err()));
        failed.or_else(|| exceeded.filter(|_| step.last && self.request.parent.is_none()))
    }

    /// The verdicts on an output, and what the judge used even if it was interrupted.
    async fn judge(
        &self,
        step: &PreparedStep,
        row: &OpenTrace,
        output: &ArtifactOutput,
        took: Duration,
    ) -> (Result<Vec<Verdict>, SkillError>, UsageMeter) {
        if step.assertions.is_empty() {
            return (Ok(Vec::new()), UsageMeter::default());
        }
        let context = ExecutionContext { model: &self.judge, ..self.context(&row.trace) };
        let judging = assertions::evaluate_blocking(step.assertions.clone(), output.clone(), took, &context);
        (self.until_cancelled(judging).await, context.meter())
    }

    /// Fails when the run is cancelled or out of time before `work` is done.
    async fn until_cancelled<T>(&self, work: impl Future<Output = Result<T, SkillError>>) -> Result<T, SkillError> {
        tokio::select! {
            biased;
            () = self.request.cancel.cancelled() => Err(SkillError::Cancelled),
            () = tokio::time::sleep_until(self.budget.end().into()) => Err(self.budget.out_of_time()),
            result = work => result,
        }
    }

    pub(crate) async fn fail(&mut self, row: OpenTrace, error: SkillError, outcome: StepOutcome) -> Result<(), SkillError> {
        let status = if error.is_cancelled() { TraceStatus::Cancelled } else { TraceStatus::Error };
        self.close(row, status, Some(&error.to_string()), outcome).await?;
        Err(error)
    }

    pub(crate) async fn close(
        &mut self,
        row: OpenTrace,
        status: TraceStatus,
        error: Option<&str>,
        outcome: StepOutcome,
    ) -> Result<(), SkillError> {
        let trace = self.recorder.end(row, status, error, outcome).await?;
        self.emitter.emit(RunEventKind::Ended { trace: Box::new(trace.clone()) });
        self.traces.push(trace);
        Ok(())
    }

    pub(crate) fn finish(self, error: Option<SkillError>) -> RunReport {
        let status = match &error {
            None => TraceStatus::Ok,
            Some(error) if error.is_cancelled() => TraceStatus::Cancelled,
            Some(_) => TraceStatus::Error,
        };
        let usage = self.budget.usage();
        self.emitter.emit(RunEventKind::Finished { status });
        RunReport {
            run: self.meta.run,
            session: self.meta.session,
            status,
            output: self.output,
            error,
            traces: self.traces,
            usage,
            script: None,
            output_usage: self.output_usage,
            judge_usage: self.judge_usage,
            output_time: self.output_time,
        }
    }
}

#[async_trait]
impl SkillCaller for ActiveRun<'_> {
    async fn call_skill(&self, skill: Arc<Skill>, params: Map<String, Value>) -> Result<RunReport, SkillError> {
        let request = RunRequest {
            run: RunId::new(self.recorder.ids.uuid()),
            session: Some(self.meta.session),
            parent: Some(self.meta.run),
            depth: self.request.depth + 1,
            skill,
            artifact: None,
            params,
            replay_of: None,
            ..self.request.clone()
        };
        let caller = CallerContext { budget: self.budget.clone(), model: self.model.clone(), judge: self.judge.clone() };
        self.runner.run_nested(request, Some(caller), self.recorder, self.events).await
    }
}
