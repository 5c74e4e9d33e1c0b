//! DSPy programs of `dspy_module` artifacts: what is run, how it is improved, how either can end. The port of the DSPy process.
//!
//! A program is a shipped template over a signature, never code of a person. [`ProgramRunner`] runs and optimises programs; what
//! they need outside (a model, tools, a score) is answered by [`ProgramHost`], since the process itself has no network and no keys.
//! The types here are also what travels to that process. Deliberately absent: processes, pipes, traces.

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
    /// Fields under headings, as `ChatAdapter` has them.
    #[default]
    Chat,
    /// One JSON object, as `JSONAdapter` has it.
    Json,
}

/// The content of a `dspy_module` artifact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Program {
    /// Id of a shipped template, e.g. `chain_of_thought`.
    pub template_id: String,
    /// Inputs and outputs with types, e.g. `claims: list[str] -> contradictions: list[str]`.
    pub signature: String,
    /// What the program is to do, in words; DSPy makes one from the fields without it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub instructions: String,
    /// The template's own settings, as its manifest describes them.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub parameters: Map<String, Value>,
    /// How prompts are written.
    #[serde(default)]
    pub adapter: Adapter,
}

/// One run of a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Execution {
    /// What runs.
    #[serde(flatten)]
    pub program: Program,
    /// Instructions and demonstrations from an optimisation. Untrusted: only what a whitelist knows is taken from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_blob: Option<Value>,
    /// Values of the signature's inputs.
    pub params: Map<String, Value>,
}

/// What a run gave.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Prediction {
    /// Values of the signature's outputs, and what the template adds, e.g. `reasoning`.
    pub outputs: Map<String, Value>,
    /// What of the state was left out, and why, one sentence each.
    #[serde(default)]
    pub diagnostics: Vec<String>,
}

/// An example to learn from, or to judge by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramExample {
    /// Values of inputs.
    pub inputs: Map<String, Value>,
    /// Values of outputs that are known to be good; may be empty where a metric judges without them.
    #[serde(default)]
    pub outputs: Map<String, Value>,
}

/// How a prediction is judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Metric {
    /// The artifact's assertions, scored by [`ProgramHost::score`].
    Assertions,
    /// The field equals the example's.
    Exact {
        /// Name of an output.
        field: String,
    },
    /// The field contains the example's text, or its list all of the example's items.
    Contains {
        /// Name of an output.
        field: String,
    },
}

/// An improvement of a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Optimization {
    /// What is improved.
    #[serde(flatten)]
    pub program: Program,
    /// Where it starts from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_blob: Option<Value>,
    /// Examples to learn from.
    pub training_data: Vec<ProgramExample>,
    /// Examples that are only judged by.
    #[serde(default)]
    pub held_out: Vec<ProgramExample>,
    /// How predictions are judged.
    pub metric: Metric,
    /// Id of a shipped optimiser, e.g. `bootstrap_few_shot`.
    pub optimizer: String,
    /// The optimiser's own settings, as the manifest describes them.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    /// Seed of everything random.
    pub seed: u64,
    /// Most questions to models; the run's account has its own limits of tokens and cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
}

/// Scores from 0 to 1, before and after.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// Of the program as it was.
    pub before: f64,
    /// Of the candidate.
    pub after: f64,
}

/// Why an optimisation ended before its optimiser was through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// A limit of questions, tokens or cost.
    Budget,
    /// The model failed again and again.
    Model,
}

/// What an optimisation gave: a proposal, nothing is changed by it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Optimized {
    /// The candidate's state.
    pub state_blob: Value,
    /// Average scores over the training examples.
    pub train: Scores,
    /// Average scores over the held-out examples; none without such, or when it was stopped before they were judged.
    pub held_out: Option<Scores>,
    /// Set when it ended early; the candidate is the best one so far.
    pub stopped: Option<StoppedBy>,
    /// What the program's predictors said and showed before, for people.
    pub predictors_before: Vec<PredictorState>,
    /// What the candidate's do.
    pub predictors: Vec<PredictorState>,
}

/// One predictor of a program, as people read it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PredictorState {
    /// Its name within the program, e.g. `predict`.
    pub name: String,
    /// Its instructions.
    pub instructions: String,
    /// Demonstrations: values by field.
    pub demos: Vec<Map<String, Value>>,
}

/// A template that ships.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramTemplate {
    /// Its id.
    pub id: String,
    /// A name for people.
    pub title: String,
    /// What it does and when to take it, a sentence or two.
    pub description: String,
    /// What its signature has to look like, a sentence; empty when any will do.
    pub signature_rules: String,
    /// JSON Schema of `parameters`, an object.
    pub parameters: Value,
    /// Ids of the optimisers that can improve it.
    pub optimizers: Vec<String>,
}

/// An optimiser that ships.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramOptimizer {
    /// Its id.
    pub id: String,
    /// A name for people.
    pub title: String,
    /// What it changes and what it costs, a sentence or two.
    pub description: String,
    /// JSON Schema of `options`, an object.
    pub options: Value,
    /// Fewest training examples.
    pub least_examples: u32,
    /// Whether examples must have known outputs.
    pub needs_outputs: bool,
}

/// What the process can do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramManifest {
    /// DSPy's version, which states record.
    pub dspy: String,
    /// Templates.
    pub templates: Vec<ProgramTemplate>,
    /// Optimisers.
    pub optimizers: Vec<ProgramOptimizer>,
}

/// A judgement of a prediction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Score {
    /// From 0 to 1.
    pub score: f64,
    /// Why, in words that a model can learn from.
    pub feedback: String,
}

/// How far an optimisation is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramProgress {
    /// From 0 to 1, never less than before.
    pub fraction: f64,
    /// What it is about.
    pub text: String,
    /// The score of a candidate that was just judged over the training examples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

/// What answers the calls of a program. Rights and budgets are checked here.
#[async_trait]
pub trait ProgramHost: Send + Sync {
    /// Asks the run's model.
    async fn complete(&self, request: &Request) -> Result<Completion, ModelError>;

    /// Answers a tool of the `react` template.
    async fn call_tool(&self, name: &str, arguments: Value) -> Result<Value, HostError>;

    /// Judges a prediction ([`Metric::Assertions`]).
    async fn score(&self, example: &ProgramExample, outputs: &Map<String, Value>) -> Result<Score, HostError>;

    /// Hears how far it is.
    fn progress(&self, progress: ProgramProgress);

    /// Hears a line of the log.
    fn log(&self, text: &str);
}

/// How a program can fail. After any of these the next one runs as if nothing had been.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// The process isn't there, doesn't start or speaks another version; the fallback runs.
    #[error("the DSPy process can't run: {0}")]
    Unavailable(String),
    /// The process ended, hung or said something that isn't in the protocol while it had this job; the fallback runs.
    #[error("the DSPy process failed: {0}")]
    Broken(String),
    /// The artifact or its values make no sense: unknown template, unreadable signature, missing input.
    #[error("{0}")]
    Invalid(String),
    /// The program ran and failed, e.g. an answer of the model that has none of the outputs.
    #[error("{0}")]
    Failed(String),
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Someone stopped it.
    #[error("stopped")]
    Cancelled,
}

impl ProgramError {
    /// Whether nothing but the process is at fault, so that the fallback may run in its place.
    #[must_use]
    pub fn is_of_the_process(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Broken(_))
    }
}

/// Where the process stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProcessState {
    /// Not started; the first job starts it.
    Idle,
    /// Warming up.
    Starting,
    /// Takes jobs.
    Ready,
    /// It failed a moment ago and is started again with the next job, after a pause.
    Waiting,
    /// It isn't tried any more until someone asks.
    Unavailable,
}

/// The process's health, for the settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramStatus {
    /// Where it stands.
    pub state: ProcessState,
    /// Why it isn't there, in a sentence with what to do.
    pub reason: Option<String>,
    /// Its process id.
    pub pid: Option<u32>,
    /// Version of DSPy: of the process, and before it runs of the one that ships; null where there is none.
    pub dspy: Option<String>,
    /// Jobs that it has at the moment.
    pub jobs: u32,
    /// Failures within the last five minutes.
    pub failures: u32,
    /// The last lines of its log, oldest first.
    pub log: Vec<String>,
}

/// Runs programs in a process of their own, which it starts when the first one comes.
#[async_trait]
pub trait ProgramRunner: Send + Sync {
    /// Why nothing can run, if that is known without starting anything.
    fn unavailable(&self) -> Option<String>;

    /// Its health.
    fn status(&self) -> ProgramStatus;

    /// Forgets earlier failures, so that the next job tries again.
    fn retry(&self);

    /// What the process can do; starts it.
    async fn manifest(&self) -> Result<ProgramManifest, ProgramError>;

    /// Runs a program. Dropping the future stops it.
    async fn execute(&self, job: &Execution, host: &dyn ProgramHost, cancel: &CancellationToken) -> Result<Prediction, ProgramError>;

    /// Looks for a better state. Dropping the future stops it.
    async fn optimize(&self, job: &Optimization, host: &dyn ProgramHost, cancel: &CancellationToken) -> Result<Optimized, ProgramError>;
}
