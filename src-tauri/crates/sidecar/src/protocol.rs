//! The protocol between the app and the DSPy process: JSON-RPC 2.0 in both directions, one message per line.
//!
//! This file is the source of the protocol: `inklings dev sidecar-schema` writes its JSON Schema, from which the Python types are
//! generated. Tests of both sides parse and serialize the messages in `tests/contract/sidecar/`.
//!
//! | from the app | params | answer |
//! |---|---|---|
//! | `manifest` | `{}` | [`ProgramManifest`] |
//! | `execute` | [`Execution`] | [`Prediction`] |
//! | `optimize` | [`Optimization`] | [`OptimizationResult`] |
//! | `cancel` | [`JobRef`] | none (notification); the job ends with an error of the kind `cancelled` |
//! | `shutdown` | `{}` | none (notification); the process exits, as at the end of its input |
//!
//! | from the process | params | answer |
//! |---|---|---|
//! | `hello` | [`Hello`] | none (notification); the first message |
//! | `ping` | `{}` | none (notification); sent every [`PING_SECONDS`], also while computing |
//! | `log` | [`Log`] | none (notification) |
//! | `progress` | [`Progress`] | none (notification) |
//! | `lm.complete` | [`Complete`] | [`Completion`] |
//! | `metric.score` | [`ScoreRequest`] | [`Score`] |
//! | `tool.call` | [`ToolRequest`] | any JSON |
//!
//! The id of a job is that of its `execute` or `optimize` request. Each side numbers its own requests from 1.

use inklings_core::model::{Completion, Request};
use inklings_core::program::{
    Execution, Optimization, OptimizationResult, Prediction, ProgramExample, ProgramManifest, ProgramProgress, Score,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Protocol version. Both sides must use the same one.
pub const PROTOCOL: u32 = 1;
/// Seconds between pings.
pub const PING_SECONDS: u64 = 2;
/// Maximum length of a line in bytes.
pub const LINE_BYTES: usize = 32 << 20;
/// Jobs that the process runs concurrently; further ones wait.
pub const JOBS: usize = 32;

/// The first message of the process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    /// [`PROTOCOL`] of the build.
    pub protocol: u32,
    pub dspy: String,
    pub pid: u32,
}

/// A reference to a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobRef {
    pub job: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Debug,
    Info,
    Warning,
    Error,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Log {
    pub level: Level,
    pub text: String,
    /// The job that wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    pub job: u64,
    #[serde(flatten)]
    pub progress: ProgramProgress,
}

/// A request to the run's model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Complete {
    pub job: u64,
    pub request: Request,
}

/// A prediction to score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreRequest {
    pub job: u64,
    pub example: ProgramExample,
    /// Outputs of the program for the example.
    pub prediction: Map<String, Value>,
}

/// A tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolRequest {
    pub job: u64,
    /// `workspace_search`, `get_page` or `run_skill`.
    pub name: String,
    pub args: Map<String, Value>,
}

/// `data.kind` of a JSON-RPC error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// To the app: unknown template, invalid signature, missing input, or invalid options.
    Invalid,
    Failed,
    /// To the app: a model request failed; the app has the error.
    /// To the process: the model failed.
    Model,
    /// In both directions: the job was cancelled.
    Cancelled,
    /// To the process: a limit of the run was reached; an optimization returns its best candidate so far.
    OverBudget,
    /// To the process: the tool, page or skill doesn't exist, the arguments are invalid, or the tool failed. The program may continue.
    Tool,
    /// In both directions: the message doesn't conform to the protocol.
    Protocol,
    /// To the app: an internal error of the process.
    Internal,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorData {
    pub kind: ErrorKind,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RpcError {
    /// -32000, or a code that JSON-RPC defines for protocol errors.
    pub code: i64,
    /// For people.
    pub message: String,
    pub data: ErrorData,
}

/// The JSON Schema of all messages.
#[must_use]
pub fn schema() -> Value {
    schemars::schema_for!(Protocol).to_value()
}

/// All types of the protocol.
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
    optimized: OptimizationResult,
    manifest: ProgramManifest,
    error: RpcError,
}
