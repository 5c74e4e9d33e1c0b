//! DSPy programs of `dspy_module` artifacts: running and optimizing them. The port to the DSPy process.
//!
//! A program is a shipped template over a signature, never user code. [`ProgramRunner`] runs and optimizes programs;
//! [`ProgramHost`] provides models, tools and scores, since the process itself has no network and no keys.
//! The types are also those of the protocol with the process. Deliberately absent: processes, pipes, traces.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::cancel::CancellationToken;
use crate::model::{Completion, ModelError, Request};
use crate::sandbox::HostError;

/// How a program writes its prompts and reads the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Adapter {
    /// Fields under headings, like `ChatAdapter`.
    #[default]
    Chat,
    /// One JSON object, like `JSONAdapter`.
    Json,
}

/// The content of a `dspy_module` artifact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Program {
    /// ID of a shipped template, e.g. `chain_of_thought`.
    pub template_id: String,
    /// Inputs and outputs with types, e.g. `claims: list[str] -> contradictions: list[str]`.
    pub signature: String,
    /// Instructions; if `None`, DSPy derives them from the fields.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub instructions: String,
    /// Template parameters, as described in its manifest.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub parameters: Map<String, Value>,
    #[serde(default)]
    pub adapter: Adapter,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Execution {
    #[serde(flatten)]
    pub program: Program,
    /// Compiled state of an optimization: instructions and demos. Untrusted: read by a whitelist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_blob: Option<Value>,
    /// Values of the signature's inputs.
    pub params: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Prediction {
    /// Values of the signature's outputs, and those that the template adds, e.g. `reasoning`.
    pub outputs: Map<String, Value>,
    /// Parts of the state that were ignored and why, one sentence each.
    #[serde(default)]
    pub diagnostics: Vec<String>,
}

/// An example of the trainset or valset.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramExample {
    pub inputs: Map<String, Value>,
    /// Known good outputs. May be empty for a metric that doesn't need them.
    #[serde(default)]
    pub outputs: Map<String, Value>,
}

/// How a prediction is scored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Metric {
    /// The artifact's assertions, scored by [`ProgramHost::score`].
    Assertions,
    /// The output equals the example's.
    Exact {
        /// Name of an output.
        field: String,
    },
    /// The output contains the text of the example, or all items of its list.
    Contains {
        /// Name of an output.
        field: String,
    },
}

/// A request to optimize a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Optimization {
    #[serde(flatten)]
    pub program: Program,
    /// The initial state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_blob: Option<Value>,
    pub trainset: Vec<ProgramExample>,
    #[serde(default)]
    pub valset: Vec<ProgramExample>,
    pub metric: Metric,
    /// ID of a shipped optimizer, e.g. `bootstrap_few_shot`.
    pub optimizer: String,
    /// Optimizer parameters, as described in its manifest.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    /// Random seed.
    pub seed: u64,
    /// Maximum number of model calls; the run's budget also limits tokens and cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
}

/// Scores from 0 to 1, before and after.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// Of the original program.
    pub before: f64,
    /// Of the candidate.
    pub after: f64,
}

/// Why an optimization ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// A limit of model calls, tokens or cost was reached.
    Budget,
    /// The model failed repeatedly.
    Model,
}

/// The candidate becomes a proposal; nothing is changed yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OptimizationResult {
    /// The candidate's state.
    pub state_blob: Value,
    /// Average scores over the trainset.
    pub train: Scores,
    /// Average scores over the valset. Null if it is empty, or if the optimization ended before scoring it.
    pub validation: Option<Scores>,
    /// Set if it ended early. The candidate is the best one so far.
    pub stopped: Option<StoppedBy>,
    /// State of the predictors before the optimization, for display.
    pub predictors_before: Vec<PredictorState>,
    /// State of the predictors of the candidate.
    pub predictors: Vec<PredictorState>,
}

/// A predictor of a program, for display.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PredictorState {
    /// Name within the program, e.g. `predict`.
    pub name: String,
    pub instructions: String,
    /// Values by field.
    pub demos: Vec<Map<String, Value>>,
}

/// A shipped template.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramTemplate {
    pub id: String,
    /// Display name.
    pub title: String,
    /// What it does and when to use it: at most two sentences.
    pub description: String,
    /// Requirement on the signature, one sentence; empty if any works.
    pub signature_rules: String,
    /// JSON Schema of `parameters`, an object.
    pub parameters: Value,
    /// IDs of the optimizers that support it.
    pub optimizers: Vec<String>,
}

/// A shipped optimizer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramOptimizer {
    pub id: String,
    /// Display name.
    pub title: String,
    /// What it changes and costs: at most two sentences.
    pub description: String,
    /// JSON Schema of `options`, an object.
    pub options: Value,
    /// Minimum number of training examples.
    pub least_examples: u32,
    /// Whether examples must have known outputs.
    pub needs_outputs: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramManifest {
    /// DSPy's version, which states record.
    pub dspy: String,
    pub templates: Vec<ProgramTemplate>,
    pub optimizers: Vec<ProgramOptimizer>,
}

/// The score of a prediction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Score {
    /// From 0 to 1.
    pub score: f64,
    /// Feedback for the model.
    pub feedback: String,
}

/// Progress of an optimization.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramProgress {
    /// From 0 to 1, never decreasing.
    pub fraction: f64,
    pub text: String,
    /// The score of the last evaluated candidate over the trainset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

/// Handles the calls of a program, and checks capabilities and budgets.
#[async_trait]
pub trait ProgramHost: Send + Sync {
    /// Calls the model of the run.
    async fn complete(&self, request: &Request) -> Result<Completion, ModelError>;

    /// Calls a tool of the `react` template.
    async fn call_tool(&self, name: &str, arguments: Value) -> Result<Value, HostError>;

    /// Scores a prediction ([`Metric::Assertions`]).
    async fn score(&self, example: &ProgramExample, outputs: &Map<String, Value>) -> Result<Score, HostError>;

    fn progress(&self, progress: ProgramProgress);

    /// Receives a line of the log.
    fn log(&self, text: &str);
}

/// None of these affects the next program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// The process isn't installed, doesn't start or has another protocol version. The fallback runs.
    #[error("DSPy is unavailable: {0}")]
    Unavailable(String),
    /// The process ended, hung or violated the protocol during this job. The fallback runs.
    #[error("the DSPy process failed: {0}")]
    Broken(String),
    /// The artifact or its values are invalid: unknown template, malformed signature, missing input.
    #[error("{0}")]
    Invalid(String),
    /// The program failed, e.g. since the model's answer has none of the outputs.
    #[error("{0}")]
    Failed(String),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("stopped")]
    Cancelled,
}

impl ProgramError {
    /// Whether only the process is at fault, so that the fallback may run.
    #[must_use]
    pub fn is_of_the_process(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Broken(_))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProcessState {
    /// Not started. The first job starts it.
    Idle,
    Starting,
    /// Accepts jobs.
    Ready,
    /// It failed recently and is restarted with the next job, after a delay.
    Waiting,
    /// Not restarted until the user retries.
    Unavailable,
}

/// Status of the DSPy process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramStatus {
    pub state: ProcessState,
    /// Why it is unavailable, with the next step.
    pub reason: Option<String>,
    /// Process ID.
    pub pid: Option<u32>,
    /// Version of DSPy: of the process, or of the installed one before it runs. Null if there is none.
    pub dspy: Option<String>,
    /// Number of active jobs.
    pub jobs: u32,
    /// Number of failures in the last five minutes.
    pub failures: u32,
    /// The newest lines of its log, oldest first.
    pub log: Vec<String>,
}

/// Runs programs in a separate process that the first job starts.
#[async_trait]
pub trait ProgramRunner: Send + Sync {
    /// Why programs can't run, as far as that is known without starting the process.
    fn unavailable(&self) -> Option<String>;

    fn status(&self) -> ProgramStatus;

    /// Resets the failure count, so that the next job starts the process again.
    fn retry(&self);

    /// Starts the process if needed.
    async fn manifest(&self) -> Result<ProgramManifest, ProgramError>;

    /// Runs a program. Dropping the future stops it.
    async fn execute(&self, job: &Execution, host: &dyn ProgramHost, cancel: &CancellationToken) -> Result<Prediction, ProgramError>;

    /// Searches for a better state. Dropping the future stops it.
    async fn optimize(
        &self,
        job: &Optimization,
        host: &dyn ProgramHost,
        cancel: &CancellationToken,
    ) -> Result<OptimizationResult, ProgramError>;
}
