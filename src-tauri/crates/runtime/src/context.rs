//! The context of a step: values, the conversation so far, a model that records usage, and an event emitter.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use inklings_core::model::{Answer, Completion, Finish, LanguageModel, ModelError, ModelRef, OnText, Part, Price, Request};
use inklings_core::trace::Usage;
use inklings_core::{Artifact, CancellationToken, Models, RunId, SessionId, Skill, TraceId};
use inklings_prompt::PromptEngine;
use serde_json::{Map, Value};
use tokio::sync::OnceCell;

use crate::budget::Budget;
use crate::error::SkillError;
use crate::event::{RunEvent, RunEventKind, RunEvents};
use crate::handler::ArtifactHandler;
use crate::output::RunReport;
use crate::resources::RunResources;

/// An exchange that is shown to the model before the prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// A text, or the values of a prompt.
    pub input: Value,
    pub output: Value,
}

/// What the context artifacts have added so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conversation {
    /// Instructions.
    pub system: Vec<String>,
    pub examples: Vec<Example>,
}

impl Conversation {
    pub fn instruct(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            self.system.push(text.to_owned());
        }
    }
}

/// Emits the events of a run, numbered from 0.
pub(crate) struct EventEmitter<'a> {
    run: RunId,
    seq: AtomicU64,
    events: &'a dyn RunEvents,
}

impl<'a> EventEmitter<'a> {
    pub(crate) fn new(run: RunId, events: &'a dyn RunEvents) -> Self {
        Self { run, seq: AtomicU64::new(0), events }
    }

    pub(crate) fn emit(&self, what: RunEventKind) {
        let seq = self.seq.fetch_add(1, Ordering::Relaxed);
        self.events.on_event(RunEvent { run: self.run, seq, what });
    }
}

/// Model usage of a step so far. It is separate from the step's result, so that a failure or a cancellation
/// loses none of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct UsageMeter {
    pub(crate) usage: Usage,
    /// Of answers from a cache, which aren't paid for.
    pub(crate) replayed: Usage,
    /// Time that those answers took when they were first given.
    pub(crate) replayed_time: Duration,
    /// The model that answered last, by the provider's name.
    pub(crate) model_id: Option<String>,
}

pub struct ExecutionContext<'a> {
    /// The trace of this step.
    pub trace: TraceId,
    pub run: RunId,
    pub session: SessionId,
    /// Number of enclosing runs.
    pub depth: u32,
    pub skill: &'a Skill,
    /// The workspace's folder.
    pub workspace: Option<&'a Path>,
    /// Values by name: parameters, outputs of earlier artifacts, and `outputs`.
    pub values: &'a HashMap<String, Value>,
    pub(crate) conversation: &'a Mutex<Conversation>,
    pub prompts: &'a PromptEngine,
    pub cancel: &'a CancellationToken,
    pub budget: &'a Arc<Budget>,
    pub(crate) model: &'a Arc<RunModel>,
    pub(crate) emitter: &'a EventEmitter<'a>,
    pub(crate) rendered: Mutex<Option<String>>,
    /// Text that arrived so far: the output of an answer that was interrupted.
    pub(crate) streamed: Mutex<Option<String>>,
    pub(crate) requested: Mutex<Option<ModelRef>>,
    pub(crate) meter: Arc<Mutex<UsageMeter>>,
    pub(crate) log: Mutex<Option<String>>,
    /// Whether log or output reached its limit.
    pub(crate) truncated: AtomicBool,
    pub resources: &'a RunResources,
    pub(crate) caller: &'a dyn SkillCaller,
}

/// Runs another skill within a run: on its budget, one level deeper, with traces of its own. The run implements it, so that
/// handlers don't depend on the runner.
#[async_trait]
pub(crate) trait SkillCaller: Send + Sync {
    async fn call_skill(&self, skill: Arc<Skill>, params: Map<String, Value>) -> Result<RunReport, SkillError>;
}

impl ExecutionContext<'_> {
    /// Adds a context artifact for the prompts that follow.
    pub(crate) fn accompany(&self, artifact: &Artifact, handler: &dyn ArtifactHandler) {
        handler.accompany(artifact, &mut self.conversation.lock().unwrap_or_else(PoisonError::into_inner));
    }

    #[must_use]
    pub fn conversation(&self) -> Conversation {
        self.conversation.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the rendered input and emits it.
    pub fn set_rendered(&self, text: &str) {
        *self.rendered.lock().unwrap_or_else(PoisonError::into_inner) = Some(text.to_owned());
        self.emitter.emit(RunEventKind::Rendered { trace: self.trace, text: text.to_owned() });
    }

    /// Adds to the rendered input without emitting it: a program that calls a model many times emits all of it at its end, and a
    /// cancellation before that loses nothing.
    pub(crate) fn append_rendered(&self, add: impl FnOnce(&mut String)) {
        add(self.rendered.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default());
    }

    /// Emits the rendered input.
    pub(crate) fn emit_rendered(&self) {
        let text = self.rendered.lock().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default();
        self.emitter.emit(RunEventKind::Rendered { trace: self.trace, text });
    }

    /// Usage of its own model calls; runs of other skills have traces of their own.
    pub(crate) fn meter(&self) -> UsageMeter {
        self.meter.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Adds a piece of the answer and emits it.
    pub fn text(&self, piece: &str) {
        self.streamed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().push_str(piece);
        self.emitter.emit(RunEventKind::Text { trace: self.trace, text: piece.to_owned() });
    }

    /// Records that log or output is incomplete.
    pub(crate) fn set_truncated(&self) {
        self.truncated.store(true, Ordering::Relaxed);
    }

    /// Adds text to the log and emits it.
    pub fn log(&self, text: &str) {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().push_str(text);
        self.emitter.emit(RunEventKind::Log { trace: self.trace, text: text.to_owned() });
    }

    /// `fraction` is from 0 to 1.
    pub fn progress(&self, fraction: f64, text: &str) {
        self.emitter.emit(RunEventKind::Progress { trace: self.trace, fraction, text: text.to_owned() });
    }

    /// Emits a step of an optimization. `score` is from 0 to 1.
    pub(crate) fn trial(&self, score: Option<f64>, usage: Usage) {
        self.emitter.emit(RunEventKind::Trial { trace: self.trace, score, usage });
    }

    /// See [`SkillCaller`].
    pub async fn run_skill(&self, skill: Arc<Skill>, params: Map<String, Value>) -> Result<RunReport, SkillError> {
        self.caller.call_skill(skill, params).await
    }

    /// The run's model. Every call records its usage, gets what the limits leave for its answer, and is refused once one is reached.
    pub async fn model(&self) -> Result<Arc<dyn LanguageModel>, ModelError> {
        let model = self.model.get().await?;
        *self.requested.lock().unwrap_or_else(PoisonError::into_inner) = Some(model.id().clone());
        Ok(Arc::new(Metered { model, budget: self.budget.clone(), meter: self.meter.clone() }))
    }
}

/// The model of a run and of its nested runs. It is resolved once and on first use, since that may read its key.
pub(crate) struct RunModel {
    models: Arc<dyn Models>,
    /// None is the default model.
    requested: Option<ModelRef>,
    resolved: OnceCell<Arc<dyn LanguageModel>>,
}

impl RunModel {
    pub(crate) fn new(models: Arc<dyn Models>, requested: Option<ModelRef>) -> Self {
        Self { models, requested, resolved: OnceCell::new() }
    }

    pub(crate) async fn get(&self) -> Result<Arc<dyn LanguageModel>, ModelError> {
        self.resolved.get_or_try_init(|| self.models.model(self.requested.as_ref())).await.cloned()
    }

    /// None without a default model.
    pub(crate) async fn name(&self) -> Option<ModelRef> {
        match &self.requested {
            Some(requested) => Some(requested.clone()),
            None => self.get().await.ok().map(|model| model.id().clone()),
        }
    }
}

/// The model on a budget, for calls outside of runs. Every call records its usage, and is refused once a limit is reached.
#[must_use]
pub fn metered(model: Arc<dyn LanguageModel>, budget: Arc<Budget>) -> Arc<dyn LanguageModel> {
    Arc::new(Metered { model, budget, meter: Arc::default() })
}

/// A model that records its usage on the run's budget and on the step's meter.
struct Metered {
    model: Arc<dyn LanguageModel>,
    budget: Arc<Budget>,
    meter: Arc<Mutex<UsageMeter>>,
}

#[async_trait]
impl LanguageModel for Metered {
    fn id(&self) -> &ModelRef {
        self.model.id()
    }

    fn price(&self) -> Option<Price> {
        self.model.price()
    }

    async fn complete(&self, request: &Request, on_text: OnText<'_>, cancel: &CancellationToken) -> Result<Completion, ModelError> {
        let over = |error: SkillError| ModelError::OverBudget { detail: error.to_string() };
        self.budget.check().map_err(over)?;
        let cap = OnceLock::new();
        let prepare = |request: &Request| -> Result<Request, ModelError> {
            let (request, reached) = self.budget.fit(request, self.model.as_ref()).map_err(over)?;
            if let Some(reached) = reached {
                // Called once for an answer.
                let _ = cap.set(reached);
            }
            Ok(request)
        };
        let answer = tokio::time::timeout_at(self.budget.deadline().into(), self.model.answer(request, &prepare, on_text, cancel));
        let Answer { completion, replayed } = answer.await.map_err(|_| over(self.budget.out_of_time()))??;
        if completion.finish == Finish::Length
            && let Some(cap) = cap.get()
        {
            self.budget.reach(cap);
        }
        let used = Usage::of(completion.usage, self.price());
        if replayed.is_none() {
            self.budget.record(used);
            if used.input_tokens.is_none() && used.output_tokens.is_none() {
                self.budget.record_unreported(estimate(request, &completion));
            }
        }
        let mut meter = self.meter.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(time) = replayed {
            meter.replayed.add(used);
            meter.replayed_time += time;
        } else {
            meter.usage.add(used);
        }
        meter.model_id = Some(completion.model.clone());
        Ok(completion)
    }
}

/// Estimated tokens of a request and its answer, for servers that don't report usage: the token limit must hold there too.
fn estimate(request: &Request, completion: &Completion) -> u64 {
    let parts = request.messages.iter().flat_map(|message| &message.parts).map(|part| match part {
        Part::Text { text } | Part::ToolResult { text, .. } => text.as_str(),
        Part::ToolCall(_) => "",
    });
    let texts = parts.chain([request.system.as_str(), completion.text.as_str()]);
    texts.map(|text| u64::try_from(inklings_prompt::tokens::count(text)).unwrap_or(u64::MAX)).fold(0, u64::saturating_add)
}
