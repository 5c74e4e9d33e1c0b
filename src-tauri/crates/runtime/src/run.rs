//! Runs a skill: plan, then each step through its handler, its assertions and its trace.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use inklings_core::trace::{Outcome, Session, SessionKind, Strictness, Trace, TracedSkill, Usage, Verdict};
use inklings_core::{Artifact, ModelError, ModelRef, Models, RunId, SessionId, Skill, SkillPath, TraceId, TraceStatus, TraceStore};
use inklings_prompt::PromptEngine;
use serde_json::{Map, Value};

use crate::assertions::{self, Assertion};
use crate::budget::Budget;
use crate::context::{Conversation, EventEmitter, ExecutionContext, RunModel, SkillCaller};
use crate::error::SkillError;
use crate::event::{RunEventKind, RunEvents};
use crate::handler::ArtifactDispatcher;
use crate::output::{ArtifactOutput, RunReport};
use crate::plan::{self, Plan, PlanRequest, Step};
use crate::record::{OpenTrace, Recorder, RunMeta, StepOutcome};
use crate::request::RunRequest;

/// How deep skills may call skills.
pub const MAX_DEPTH: u32 = 8;

/// Runs skills. One for a process.
pub struct Runner {
    /// Handlers by kind.
    pub dispatcher: ArtifactDispatcher,
    pub prompts: Arc<PromptEngine>,
    pub models: Arc<dyn Models>,
}

impl Runner {
    /// The plan of a run. `model`, the one that would answer, chooses variants. Blocks.
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

    fn plan_for(
        &self,
        skill: &Skill,
        artifact: Option<&str>,
        params: &Map<String, Value>,
        family: Option<&str>,
    ) -> Result<Plan, SkillError> {
        let request = PlanRequest { package: &skill.package, artifact, params, family };
        plan::plan(request, &self.dispatcher, &self.prompts)
    }

    /// Runs a skill to its end. An error means that nothing was executed; what fails later is in the report.
    pub async fn run(&self, request: RunRequest, recorder: &Recorder, events: &dyn RunEvents) -> Result<RunReport, SkillError> {
        request.limits.check()?;
        self.within(request, None, recorder, events).await
    }

    /// Runs a skill on the account of the run that asks for it, or on one of its own, whose time begins with the first execution.
    pub(crate) async fn within(
        &self,
        request: RunRequest,
        account: Option<(Arc<Budget>, Arc<RunModel>)>,
        recorder: &Recorder,
        events: &dyn RunEvents,
    ) -> Result<RunReport, SkillError> {
        if request.depth >= MAX_DEPTH {
            return Err(SkillError::TooDeep { limit: MAX_DEPTH });
        }
        let skill = request.skill.clone();
        let (budget, model) = match account {
            Some((budget, model)) => (Some(budget), model),
            None => (None, Arc::new(RunModel::new(self.models.clone(), request.model.clone()))),
        };
        let family = match model.name().await {
            Some(model) => {
                let models = Arc::clone(&self.models);
                let family = tokio::task::spawn_blocking(move || models.family(&model));
                Some(family.await.map_err(|_| SkillError::Broken("preparing a run"))?)
            }
            None => None,
        };
        let plan = self.plan_for(&skill, request.artifact.as_deref(), &request.params, family.as_deref())?;
        plan.ready()?;
        // Schemas and patterns are strangers': they are compiled on a thread for it.
        let (of, params) = (skill.clone(), request.params.clone());
        let preparing = tokio::task::spawn_blocking(move || PreparedStep::all(&of, &plan, &params));
        let steps = preparing.await.map_err(|_| SkillError::Broken("preparing a run"))??;
        // Counting tokens takes its time once; that time is no artifact's.
        drop(tokio::task::spawn_blocking(inklings_prompt::tokens::warm_up).await);
        let mut active = self.begin(request, SessionKind::Run, budget, model, recorder, events).await?;
        let error = active.steps(&steps).await.err();
        Ok(active.finish(error))
    }

    /// A run that is about to execute something, with its session, on an account.
    pub(crate) async fn begin<'a>(
        &'a self,
        request: RunRequest,
        kind: SessionKind,
        budget: Option<Arc<Budget>>,
        model: Arc<RunModel>,
        recorder: &'a Recorder,
        events: &'a dyn RunEvents,
    ) -> Result<ActiveRun<'a>, SkillError> {
        let skill = &request.skill;
        let meta = RunMeta {
            run: request.run,
            session: self.session(&request, kind, recorder).await?,
            parent: request.parent,
            replay_of: request.replay_of,
            skill: TracedSkill {
                scope: skill.head.scope,
                id: skill.head.id,
                slug: skill.package.slug.clone(),
                revision: skill.head.revision,
            },
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

/// A step with what its execution needs, so that nothing is found wrong halfway.
struct PreparedStep {
    artifact: Artifact,
    assertions: Arc<[Assertion]>,
    fallback: Option<Box<PreparedStep>>,
}

impl PreparedStep {
    fn all(skill: &Skill, plan: &Plan, params: &Map<String, Value>) -> Result<Vec<Self>, SkillError> {
        let steps = plan.steps.iter().map(|step| Self::of(skill, step)).collect::<Result<Vec<_>, _>>()?;
        for step in steps.iter().flat_map(|step| std::iter::once(step).chain(step.fallback.as_deref())) {
            crate::params::check(&step.artifact, params)?;
        }
        Ok(steps)
    }

    fn of(skill: &Skill, step: &Step) -> Result<Self, SkillError> {
        let mut one = Self::at(skill, &step.path)?;
        one.fallback = step.fallback.as_ref().map(|path| Self::at(skill, path)).transpose()?.map(Box::new);
        Ok(one)
    }

    fn at(skill: &Skill, path: &SkillPath) -> Result<Self, SkillError> {
        let found = skill.package.artifacts.iter().find(|one| one.path == *path);
        let artifact = found.ok_or_else(|| SkillError::NoArtifact(path.to_string()))?;
        let assertions = Assertion::parse_all(&artifact.metadata).map_err(SkillError::Assertions)?;
        Ok(Self { artifact: artifact.clone(), assertions: assertions.into(), fallback: None })
    }
}

/// What became of an execution.
pub(crate) type StepResult = Result<(ArtifactOutput, StepOutcome), (SkillError, StepOutcome)>;

/// A run that is going on.
pub(crate) struct ActiveRun<'a> {
    runner: &'a Runner,
    recorder: &'a Recorder,
    request: RunRequest,
    meta: RunMeta,
    values: HashMap<String, Value>,
    conversation: Mutex<Conversation>,
    budget: Arc<Budget>,
    model: Arc<RunModel>,
    emitter: EventEmitter<'a>,
    events: &'a dyn RunEvents,
    traces: Vec<Trace>,
    output: Option<ArtifactOutput>,
}

impl ActiveRun<'_> {
    async fn steps(&mut self, steps: &[PreparedStep]) -> Result<(), SkillError> {
        for step in steps {
            self.step(step).await?;
        }
        Ok(())
    }

    async fn step(&mut self, step: &PreparedStep) -> Result<(), SkillError> {
        let (row, result) = self.execute(step, None).await?;
        let (error, ending) = match result {
            Ok(output) => return self.finish_step(step, row, output, false).await,
            Err(failed) => failed,
        };
        let Some(fallback) = step.fallback.as_deref().filter(|_| error.lets_fall_back()) else {
            return self.fail(row, error, ending).await;
        };
        tracing::info!(skill = %self.meta.skill.slug, artifact = step.artifact.name, %error, "falls back");
        let instead_of = row.trace.id;
        self.close(row, TraceStatus::Fallback, Some(&error.to_string()), ending).await?;
        let (row, result) = self.execute(fallback, Some(instead_of)).await?;
        match result {
            Ok(output) => self.finish_step(fallback, row, output, true).await,
            Err((error, ending)) => self.fail(row, error, ending).await,
        }
    }

    /// Runs one artifact through its handler.
    async fn execute(&self, step: &PreparedStep, fallback_of: Option<TraceId>) -> Result<(OpenTrace, StepResult), SkillError> {
        let (artifact, dispatcher) = (&step.artifact, &self.runner.dispatcher);
        let params = self.traces.is_empty().then_some(&self.request.params);
        // Skills call skills: what lies on the stack at each level has to be little.
        Box::pin(self.perform(artifact, params, fallback_of, async |context| dispatcher.dispatch(artifact, context).await)).await
    }

    /// Does some work for an artifact under a row of its own. What it had rendered and asked for comes along with an error.
    pub(crate) async fn perform(
        &self,
        artifact: &Artifact,
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
            fallback_of,
        });
        let context = self.context(&row.trace);
        let result = match self.budget.check() {
            Ok(()) => self.unless_stopped(work(&context)).await,
            Err(error) => Err(error),
        };
        let meter = context.meter();
        let take = |mutex: Mutex<Option<String>>| mutex.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut ending = StepOutcome {
            model_requested: context.requested.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(ToString::to_string),
            rendered: take(context.rendered),
            log: take(context.log),
            usage: meter.usage,
            model_id: meter.model_id,
            ..StepOutcome::default()
        };
        let result = match result {
            Ok(mut output) => {
                output.usage.add(ending.usage);
                ending.usage = output.usage;
                ending.output = Some(output.text.clone());
                ending.cut_off = output.cut_off;
                Ok((output, ending))
            }
            Err(error) => {
                ending.output = take(context.streamed);
                ending.detail = error.detail();
                Err((error, ending))
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
            resources: &self.request.resources,
            caller: self,
        }
    }

    /// Checks an output, keeps it, and stops the run if an assertion that must hold doesn't.
    async fn finish_step(
        &mut self,
        step: &PreparedStep,
        row: OpenTrace,
        (output, mut ending): (ArtifactOutput, StepOutcome),
        stands_in: bool,
    ) -> Result<(), SkillError> {
        let (judged, used) = self.judge(step, &row, &output).await;
        ending.usage.add(used);
        let verdicts = match judged {
            Ok(verdicts) => verdicts,
            Err(error) => return self.fail(row, error, ending).await,
        };
        let error = self.verdict(step, &verdicts);
        ending.verdicts = verdicts;
        if !step.artifact.kind.is_context() {
            // What stands in for a program answers with the object that the program would have given.
            let parsed = stands_in.then(|| assertions::json_in(&output.text)).flatten();
            let value = output.value.as_ref().or(parsed.as_ref());
            plan::merge(&mut self.values, &step.artifact.name, &output.text, value);
            self.output = Some(output);
        }
        match error {
            Some(error) => self.fail(row, error, ending).await,
            None => self.close(row, TraceStatus::Ok, None, ending).await,
        }
    }

    /// Why the run can't go on after these verdicts: an assertion that must hold doesn't, or could not be checked because a limit
    /// was reached.
    fn verdict(&self, step: &PreparedStep, verdicts: &[Verdict]) -> Option<SkillError> {
        let mut hard = verdicts.iter().filter(|one| one.severity == Strictness::Hard);
        let found = |one: &Verdict| SkillError::Assertion {
            artifact: step.artifact.name.clone(),
            description: one.description.clone(),
            explanation: one.explanation.clone(),
        };
        let failed = hard.clone().find(|one| one.outcome == Outcome::Failed).map(found);
        failed.or_else(|| hard.find(|one| one.outcome == Outcome::NotRun).and_then(|_| self.budget.check().err()))
    }

    /// The verdicts on an output, and what the judge used, were it stopped halfway.
    async fn judge(&self, step: &PreparedStep, row: &OpenTrace, output: &ArtifactOutput) -> (Result<Vec<Verdict>, SkillError>, Usage) {
        if step.assertions.is_empty() {
            return (Ok(Vec::new()), Usage::default());
        }
        let took = row.begun.elapsed();
        let context = self.context(&row.trace);
        // Finding a model reads its key.
        let asks = step.assertions.iter().any(Assertion::needs_model);
        let model = if asks { context.model().await } else { Err(ModelError::NotConfigured) };
        let judging = assertions::evaluate_apart(step.assertions.clone(), output.clone(), took, model, self.request.cancel.clone());
        (self.unless_stopped(judging).await, context.meter().usage)
    }

    /// Waits for something, unless the run is stopped or its time is over.
    async fn unless_stopped<T>(&self, work: impl Future<Output = Result<T, SkillError>>) -> Result<T, SkillError> {
        tokio::select! {
            biased;
            () = self.request.cancel.cancelled() => Err(SkillError::Cancelled),
            () = tokio::time::sleep_until(self.budget.end().into()) => Err(self.budget.out_of_time()),
            result = work => result,
        }
    }

    pub(crate) async fn fail(&mut self, row: OpenTrace, error: SkillError, ending: StepOutcome) -> Result<(), SkillError> {
        let status = if error.is_cancelled() { TraceStatus::Cancelled } else { TraceStatus::Error };
        self.close(row, status, Some(&error.to_string()), ending).await?;
        Err(error)
    }

    pub(crate) async fn close(
        &mut self,
        row: OpenTrace,
        status: TraceStatus,
        error: Option<&str>,
        ending: StepOutcome,
    ) -> Result<(), SkillError> {
        let trace = self.recorder.end(row, status, error, ending).await?;
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
        RunReport { run: self.meta.run, session: self.meta.session, status, output: self.output, error, traces: self.traces, usage }
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
        self.runner.within(request, Some((self.budget.clone(), self.model.clone())), self.recorder, self.events).await
    }
}
