//! What a handler is given: the values, the conversation so far, a model that keeps accounts, and ears for what happens.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use inklings_core::model::{Completion, LanguageModel, ModelError, ModelRef, OnText, Part, Price, Request};
use inklings_core::trace::Usage;
use inklings_core::{CancellationToken, Models, RunId, SessionId, Skill, TraceId};
use inklings_prompt::PromptEngine;
use serde_json::{Map, Value};
use tokio::sync::OnceCell;

use crate::budget::Budget;
use crate::error::SkillError;
use crate::event::{RunEvent, RunEventKind, RunEvents};
use crate::output::RunReport;
use crate::resources::RunResources;

/// A pair of what is asked and what is answered, shown to the model before the real question.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// What is asked: a text, or the values of a prompt.
    pub input: Value,
    /// What is answered.
    pub output: Value,
}

/// What context artifacts have given so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conversation {
    /// Instructions, in order.
    pub system: Vec<String>,
    /// Examples, in order.
    pub examples: Vec<Example>,
}

/// Tells a run's events, numbered.
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

/// What an execution has used of models so far. It is kept beside the execution's result, so that a failure or a stop
/// loses none of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct UsageMeter {
    pub(crate) usage: Usage,
    /// The model that answered last, as its provider named it.
    pub(crate) model_id: Option<String>,
}

/// One execution's surroundings.
pub struct ExecutionContext<'a> {
    /// The trace of this execution.
    pub trace: TraceId,
    pub run: RunId,
    pub session: SessionId,
    /// How many runs are above it.
    pub depth: u32,
    pub skill: &'a Skill,
    /// The folder of the workspace that the run belongs to.
    pub workspace: Option<&'a Path>,
    /// Values by name: parameters, what earlier artifacts gave, and `outputs`.
    pub values: &'a HashMap<String, Value>,
    pub(crate) conversation: &'a Mutex<Conversation>,
    pub prompts: &'a PromptEngine,
    /// Stops the run.
    pub cancel: &'a CancellationToken,
    /// What the run may use.
    pub budget: &'a Arc<Budget>,
    pub(crate) model: &'a Arc<RunModel>,
    pub(crate) emitter: &'a EventEmitter<'a>,
    pub(crate) rendered: Mutex<Option<String>>,
    /// Text that arrived so far: what is kept of an answer that breaks off.
    pub(crate) streamed: Mutex<Option<String>>,
    pub(crate) requested: Mutex<Option<ModelRef>>,
    pub(crate) meter: Arc<Mutex<UsageMeter>>,
    /// What it wrote.
    pub(crate) log: Mutex<Option<String>>,
    /// Pages, other skills, checkpoints.
    pub resources: &'a RunResources,
    pub(crate) caller: &'a dyn SkillCaller,
}

/// Runs another skill within a run: on its budget, one level deeper, with traces of its own. The run implements it, so that what a
/// handler is given doesn't know the runner.
#[async_trait]
pub(crate) trait SkillCaller: Send + Sync {
    async fn call_skill(&self, skill: Arc<Skill>, params: Map<String, Value>) -> Result<RunReport, SkillError>;
}

impl ExecutionContext<'_> {
    /// Adds instructions for the prompts that follow.
    pub fn instruct(&self, text: &str) {
        if !text.is_empty() {
            self.conversation.lock().unwrap_or_else(PoisonError::into_inner).system.push(text.to_owned());
        }
    }

    /// Adds an example for the prompts that follow.
    pub fn show(&self, example: Example) {
        self.conversation.lock().unwrap_or_else(PoisonError::into_inner).examples.push(example);
    }

    /// What context artifacts gave so far.
    #[must_use]
    pub fn conversation(&self) -> Conversation {
        self.conversation.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells what was rendered.
    pub fn rendered(&self, text: &str) {
        *self.rendered.lock().unwrap_or_else(PoisonError::into_inner) = Some(text.to_owned());
        self.emitter.emit(RunEventKind::Rendered { trace: self.trace, text: text.to_owned() });
    }

    /// Adds to what was rendered, without telling it yet: what asks a model many times shows everything at its end, and a
    /// stop before that loses nothing.
    pub(crate) fn also_rendered(&self, add: impl FnOnce(&mut String)) {
        add(self.rendered.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default());
    }

    /// Tells what was rendered so far.
    pub(crate) fn tell_rendered(&self) {
        let text = self.rendered.lock().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default();
        self.emitter.emit(RunEventKind::Rendered { trace: self.trace, text });
    }

    /// What its questions to models took so far; runs of other skills have traces of their own.
    pub(crate) fn meter(&self) -> UsageMeter {
        self.meter.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells a piece of an answer.
    pub fn text(&self, piece: &str) {
        self.streamed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().push_str(piece);
        self.emitter.emit(RunEventKind::Text { trace: self.trace, text: piece.to_owned() });
    }

    /// Tells a piece of a script's log.
    pub fn log(&self, text: &str) {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().push_str(text);
        self.emitter.emit(RunEventKind::Log { trace: self.trace, text: text.to_owned() });
    }

    /// Tells how far a script is, from 0 to 1.
    pub fn progress(&self, fraction: f64, text: &str) {
        self.emitter.emit(RunEventKind::Progress { trace: self.trace, fraction, text: text.to_owned() });
    }

    /// Tells of a step of an optimisation.
    pub(crate) fn trial(&self, score: Option<f64>, usage: Usage) {
        self.emitter.emit(RunEventKind::Trial { trace: self.trace, score, usage });
    }

    /// Runs another skill within this run: on its budget, one level deeper, with its own traces.
    pub async fn run_skill(&self, skill: Arc<Skill>, params: Map<String, Value>) -> Result<RunReport, SkillError> {
        self.caller.call_skill(skill, params).await
    }

    /// The run's model. Every call to it is booked and refused once a limit is reached.
    pub async fn model(&self) -> Result<Arc<dyn LanguageModel>, ModelError> {
        let model = self.model.get().await?;
        *self.requested.lock().unwrap_or_else(PoisonError::into_inner) = Some(model.id().clone());
        Ok(Arc::new(Metered { model, budget: self.budget.clone(), meter: self.meter.clone() }))
    }
}

/// The model of a run and of the runs within it. It is looked for once, when it is first needed: that may read its key.
pub(crate) struct RunModel {
    models: Arc<dyn Models>,
    /// The one that was asked for; the default without it.
    requested: Option<ModelRef>,
    found: OnceCell<Arc<dyn LanguageModel>>,
}

impl RunModel {
    pub(crate) fn new(models: Arc<dyn Models>, requested: Option<ModelRef>) -> Self {
        Self { models, requested, found: OnceCell::new() }
    }

    pub(crate) async fn get(&self) -> Result<Arc<dyn LanguageModel>, ModelError> {
        self.found.get_or_try_init(|| self.models.model(self.requested.as_ref())).await.cloned()
    }

    /// What it is called; none when there is no default.
    pub(crate) async fn name(&self) -> Option<ModelRef> {
        match &self.requested {
            Some(requested) => Some(requested.clone()),
            None => self.get().await.ok().map(|model| model.id().clone()),
        }
    }
}

/// A model whose use is booked on a run's account and on the bill of the execution that asks.
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
        let answer = tokio::time::timeout_at(self.budget.deadline().into(), self.model.complete(request, on_text, cancel));
        let completion = answer.await.map_err(|_| over(self.budget.out_of_time()))??;
        let used = usage(&completion, self.price());
        self.budget.record(used);
        if used.input_tokens.is_none() && used.output_tokens.is_none() {
            self.budget.record_unreported(estimate(request, &completion));
        }
        let mut meter = self.meter.lock().unwrap_or_else(PoisonError::into_inner);
        meter.usage.add(used);
        meter.model_id = Some(completion.model.clone());
        Ok(completion)
    }
}

/// About how many tokens a question and its answer had, for servers that don't say: a limit of tokens holds there too.
fn estimate(request: &Request, completion: &Completion) -> u64 {
    let said = request.messages.iter().flat_map(|message| &message.parts).map(|part| match part {
        Part::Text { text } | Part::ToolResult { text, .. } => text.as_str(),
        Part::ToolCall(_) => "",
    });
    let texts = said.chain([request.system.as_str(), completion.text.as_str()]);
    texts.map(|text| u64::try_from(inklings_prompt::tokens::count(text)).unwrap_or(u64::MAX)).fold(0, u64::saturating_add)
}

/// Tokens and cost of an answer.
fn usage(completion: &Completion, price: Option<Price>) -> Usage {
    Usage {
        input_tokens: completion.usage.input_tokens,
        output_tokens: completion.usage.output_tokens,
        cost: price.and_then(|price| price.of(completion.usage)),
    }
}
