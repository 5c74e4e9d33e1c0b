//! Answers the requests of a DSPy program: completions by the run's model, tools over pages and skills, and scores.
//!
//! The process has no network and no keys. Every request comes here, counts towards the run's budget and appears in its trace.
//! Tools are host functions of the sandbox with the same capabilities. Deliberately absent: processes and pipes, which `sidecar` has.

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
use crate::script::{Capabilities, ScriptHost};

pub use self::content::{Content, state_of};

/// The host functions that the `react` template may call.
const TOOLS: [&str; 3] = ["workspace_search", "get_page", "run_skill"];

/// The host functions of one program.
pub(crate) struct ProgramServices<'a> {
    context: &'a ExecutionContext<'a>,
    tools: ScriptHost<'a>,
    assertions: Arc<[Assertion]>,
    model: OnceCell<Arc<dyn LanguageModel>>,
    transcript: Mutex<Transcript>,
    called: Mutex<BTreeSet<String>>,
    on_progress: OnProgress<'a>,
}

/// Receives the progress of an optimization and its usage so far.
pub(crate) type OnProgress<'a> = &'a (dyn Fn(ProgramProgress, Usage) + Send + Sync);

pub(crate) struct ProgramReport {
    pub(crate) skills: Vec<String>,
    pub(crate) tools: Vec<String>,
    /// An error that ends the run, whatever the program made of it.
    pub(crate) fatal: Option<SkillError>,
}

impl<'a> ProgramServices<'a> {
    pub(crate) fn new(artifact: &Artifact, context: &'a ExecutionContext<'a>, on_progress: OnProgress<'a>) -> Result<Self, SkillError> {
        let assertions = Assertion::parse_all(&artifact.metadata).map_err(SkillError::Assertions)?;
        Ok(Self {
            context,
            tools: ScriptHost::new(context, Capabilities::of(artifact), Digest::of(artifact.content.as_bytes())),
            assertions: assertions.into(),
            model: OnceCell::new(),
            transcript: Mutex::default(),
            called: Mutex::default(),
            on_progress,
        })
    }

    pub(crate) fn into_report(self) -> ProgramReport {
        let tools = self.tools.into_report();
        ProgramReport {
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
impl ProgramHost for ProgramServices<'_> {
    async fn complete(&self, request: &Request) -> Result<Completion, ModelError> {
        let model = self.model().await?;
        let completion = model.complete(request, &|_| (), self.context.cancel).await?;
        let mut transcript = self.transcript.lock().unwrap_or_else(PoisonError::into_inner);
        self.context.append_rendered(|text| transcript.add(text, request, &completion));
        Ok(completion)
    }

    async fn call_tool(&self, name: &str, arguments: Value) -> Result<Value, HostError> {
        if !TOOLS.contains(&name) {
            return Err(HostError::Denied(format!("tool {name:?} not found; tools: {}", TOOLS.join(", "))));
        }
        self.called.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
        self.tools.call(name, arguments).await
    }

    async fn score(&self, _: &ProgramExample, outputs: &Map<String, Value>) -> Result<Score, HostError> {
        if self.assertions.is_empty() {
            return Ok(Score { score: 1.0, feedback: "No assertions.".to_owned() });
        }
        let output = output_of(outputs.clone());
        let judged = assertions::evaluate_blocking(self.assertions.clone(), output, Duration::ZERO, self.context);
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

pub(crate) fn output_of(outputs: Map<String, Value>) -> ArtifactOutput {
    let value = Value::Object(outputs);
    ArtifactOutput { text: serde_json::to_string_pretty(&value).unwrap_or_default(), value: Some(value), ..ArtifactOutput::default() }
}

/// The failed assertions, as text for a model to learn from.
fn feedback(verdicts: &[Verdict]) -> String {
    let wrong = verdicts.iter().filter(|one| one.outcome == Outcome::Failed);
    let lines: Vec<_> = wrong.map(|one| format!("{}: {}", one.description, one.explanation)).collect();
    if lines.is_empty() { "All assertions passed.".to_owned() } else { lines.join("\n") }
}
