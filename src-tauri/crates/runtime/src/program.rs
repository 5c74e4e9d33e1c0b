//! What a DSPy program asks for outside its process: the run's model, tools over pages and skills, and how good an answer is.
//!
//! Its process has no network and no keys. Every question comes here, is booked on the run's account and shown in its trace.
//! Deliberately absent: processes and pipes, which are the runner's.

mod content;
mod transcript;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use inklings_core::model::{Completion, ModelError, Request};
use inklings_core::program::{ProgramExample, ProgramHost, ProgramProgress, Score};
use inklings_core::trace::{Outcome, Usage, Verdict};
use inklings_core::{Artifact, Digest, HostError, HostFunctions, LanguageModel};
use serde_json::{Map, Value};
use tokio::sync::OnceCell;

use self::transcript::Transcript;
use crate::assertions::{self, Assertion};
use crate::context::ExecutionContext;
use crate::error::SkillError;
use crate::output::ArtifactOutput;
use crate::script::{Capabilities, Host as Tools};

pub use self::content::{Content, state_of};

/// What the `react` template may call, by the names that the answering functions have.
const TOOLS: [&str; 3] = ["workspace_search", "get_page", "run_skill"];

/// The world as one program sees it.
pub(crate) struct Host<'a> {
    context: &'a ExecutionContext<'a>,
    tools: Tools<'a>,
    assertions: Arc<[Assertion]>,
    model: OnceCell<Arc<dyn LanguageModel>>,
    transcript: Mutex<Transcript>,
    called: Mutex<BTreeSet<String>>,
    on_progress: OnProgress<'a>,
}

/// Hears how far an optimisation is, with what it has used.
pub(crate) type OnProgress<'a> = &'a (dyn Fn(ProgramProgress, Usage) + Send + Sync);

/// What a program used.
pub(crate) struct Used {
    pub(crate) skills: Vec<String>,
    pub(crate) tools: Vec<String>,
    pub(crate) fatal: Option<SkillError>,
}

impl<'a> Host<'a> {
    pub(crate) fn new(artifact: &Artifact, context: &'a ExecutionContext<'a>, on_progress: OnProgress<'a>) -> Result<Self, SkillError> {
        let assertions = Assertion::parse_all(&artifact.metadata).map_err(SkillError::Assertions)?;
        Ok(Self {
            context,
            tools: Tools::new(context, Capabilities::of(artifact), Digest::of(artifact.content.as_bytes())),
            assertions: assertions.into(),
            model: OnceCell::new(),
            transcript: Mutex::default(),
            called: Mutex::default(),
            on_progress,
        })
    }

    /// What it used, once it has ended.
    pub(crate) fn used(self) -> Used {
        let tools = self.tools.used();
        Used {
            skills: tools.skills,
            tools: self.called.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect(),
            fatal: tools.fatal,
        }
    }

    async fn model(&self) -> Result<&Arc<dyn LanguageModel>, ModelError> {
        self.model.get_or_try_init(|| self.context.model()).await
    }
}

#[async_trait]
impl ProgramHost for Host<'_> {
    async fn complete(&self, request: &Request) -> Result<Completion, ModelError> {
        let model = self.model().await?;
        let completion = model.complete(request, &|_| (), self.context.cancel).await?;
        let mut transcript = self.transcript.lock().unwrap_or_else(PoisonError::into_inner);
        self.context.also_rendered(|text| transcript.add(text, request, &completion));
        Ok(completion)
    }

    async fn call_tool(&self, name: &str, arguments: Value) -> Result<Value, HostError> {
        if !TOOLS.contains(&name) {
            return Err(HostError::Denied(format!("there is no tool {name:?}; there are {}", TOOLS.join(", "))));
        }
        self.called.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
        self.tools.call(name, arguments).await
    }

    async fn score(&self, _: &ProgramExample, outputs: &Map<String, Value>) -> Result<Score, HostError> {
        if self.assertions.is_empty() {
            return Ok(Score { score: 1.0, feedback: "Nothing is asserted about it.".to_owned() });
        }
        let output = output_of(outputs.clone());
        let asks = self.assertions.iter().any(Assertion::needs_model);
        let model = if asks { self.context.model().await } else { Err(ModelError::NotConfigured) };
        let judged = assertions::evaluate_apart(self.assertions.clone(), output, Duration::ZERO, model, self.context.cancel.clone());
        let verdicts = judged.await.map_err(|error| HostError::Failed(error.to_string()))?;
        Ok(Score { score: assertions::Score::of(&verdicts).weighted.unwrap_or(0.0), feedback: feedback(&verdicts) })
    }

    fn progress(&self, progress: ProgramProgress) {
        (self.on_progress)(progress, self.context.meter().usage);
    }

    fn log(&self, text: &str) {
        self.context.log(&format!("{text}\n"));
    }
}

/// Outputs as the result of an artifact.
pub(crate) fn output_of(outputs: Map<String, Value>) -> ArtifactOutput {
    let value = Value::Object(outputs);
    ArtifactOutput { text: serde_json::to_string_pretty(&value).unwrap_or_default(), value: Some(value), ..ArtifactOutput::default() }
}

/// What was wrong, in words that a model can learn from.
fn feedback(verdicts: &[Verdict]) -> String {
    let wrong = verdicts.iter().filter(|one| one.outcome == Outcome::Failed);
    let lines: Vec<_> = wrong.map(|one| format!("{}: {}", one.description, one.explanation)).collect();
    if lines.is_empty() { "Everything that was checked holds.".to_owned() } else { lines.join("\n") }
}
