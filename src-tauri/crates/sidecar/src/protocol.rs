//! What travels between the app and the DSPy process: lines of JSON, each a JSON-RPC 2.0 message, in both directions.
//!
//! This file is the one source: `inklings dev sidecar-schema` writes it as JSON Schema, from which the process's Python types are
//! generated. The messages in `tests/contract/sidecar/` are read and written again by both sides' tests.
//!
//! | from the app | params | answer |
//! |---|---|---|
//! | `manifest` | `{}` | [`ProgramManifest`] |
//! | `execute` | [`Execution`] | [`Prediction`] |
//! | `optimize` | [`Optimization`] | [`Optimized`] |
//! | `cancel` | [`JobRef`] | none, it is a notification; the job answers with an error of the kind `cancelled` |
//! | `shutdown` | `{}` | none, it is a notification; the process ends, as at the end of its input |
//!
//! | from the process | params | answer |
//! |---|---|---|
//! | `hello` | [`Hello`] | none; the first message |
//! | `ping` | `{}` | none; every [`PING_SECONDS`], also while it computes |
//! | `log` | [`Log`] | none |
//! | `progress` | [`Progress`] | none |
//! | `lm.complete` | [`Complete`] | [`Completion`] |
//! | `metric.score` | [`ScoreRequest`] | [`Score`] |
//! | `tool.call` | [`ToolRequest`] | any JSON |
//!
//! A job is the id of its `execute` or `optimize` request. Each side counts the ids of its own requests, from 1.

use inklings_core::model::{Completion, Request};
use inklings_core::program::{Execution, Optimization, Optimized, Prediction, ProgramExample, ProgramManifest, ProgramProgress, Score};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Version of the protocol: both sides must have the same.
pub const PROTOCOL: u32 = 1;
/// Seconds between two signs of life.
pub const PING_SECONDS: u64 = 2;
/// Bytes of a line.
pub const LINE_BYTES: usize = 32 << 20;
/// Jobs that the process works on at the same time; more wait.
pub const JOBS: usize = 32;

/// The process's first message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    /// [`PROTOCOL`] of its build.
    pub protocol: u32,
    /// DSPy's version.
    pub dspy: String,
    /// Its process id.
    pub pid: u32,
}

/// Names a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobRef {
    /// Id of its request.
    pub job: u64,
}

/// How bad something is that the log says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// For developers.
    Debug,
    /// What happens.
    Info,
    /// It goes on, but not as it should.
    Warning,
    /// Something failed.
    Error,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Log {
    /// How bad it is.
    pub level: Level,
    /// The line.
    pub text: String,
    /// The job that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<u64>,
}

/// How far a job is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// The job.
    pub job: u64,
    /// How far.
    #[serde(flatten)]
    pub progress: ProgramProgress,
}

/// A question to the run's model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Complete {
    /// The job.
    pub job: u64,
    /// The question.
    pub request: Request,
}

/// A prediction to judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreRequest {
    /// The job.
    pub job: u64,
    /// The example.
    pub example: ProgramExample,
    /// What the program gave for it.
    pub prediction: Map<String, Value>,
}

/// A tool to call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolRequest {
    /// The job.
    pub job: u64,
    /// The tool: `workspace_search`, `get_page` or `run_skill`.
    pub name: String,
    /// Its arguments.
    pub args: Map<String, Value>,
}

/// What kind of failure an error is; `data.kind` of a JSON-RPC error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// To the app: unknown template, unreadable signature, missing input, bad options.
    Invalid,
    /// To the app: the program failed.
    Failed,
    /// To the app: a question to the model failed; the app knows why.
    /// To the process: the model failed.
    Model,
    /// Either way: the job was stopped.
    Cancelled,
    /// To the process: the run may not use more; an optimisation ends with its best candidate so far.
    OverBudget,
    /// To the process: there is no such tool, page or skill, the arguments make no sense, or the tool failed. A program may go on.
    Tool,
    /// Either way: the message isn't in the protocol.
    Protocol,
    /// To the app: a fault of the process itself.
    Internal,
}

/// The `data` of an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorData {
    /// What kind of failure it is.
    pub kind: ErrorKind,
}

/// A JSON-RPC error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RpcError {
    /// A number, as JSON-RPC wants one: -32000 for all but protocol errors, which have JSON-RPC's own.
    pub code: i64,
    /// What went wrong, a sentence for people.
    pub message: String,
    /// What kind.
    pub data: ErrorData,
}

/// The JSON Schema of every type of the protocol.
#[must_use]
pub fn schema() -> Value {
    schemars::schema_for!(Protocol).to_value()
}

/// Every type of the protocol.
#[derive(Debug, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Protocol {
    hello: Hello,
    cancel: JobRef,
    log: Log,
    progress: Progress,
    complete: Complete,
    completion: Completion,
    score_request: ScoreRequest,
    score: Score,
    tool_request: ToolRequest,
    execution: Execution,
    prediction: Prediction,
    optimization: Optimization,
    optimized: Optimized,
    manifest: ProgramManifest,
    error: RpcError,
}
