//! What executions and runs give.

use inklings_core::trace::Usage;
use inklings_core::{RunId, SessionId, Trace, TraceStatus};
use serde_json::Value;

use crate::error::SkillError;

/// What an execution gave.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ArtifactOutput {
    /// As text: a model's answer, or the value as JSON.
    pub text: String,
    /// The structured result of a script or program.
    pub value: Option<Value>,
    /// What it used. A handler adds only what its questions to the context's models don't tell: those are booked as they come.
    pub usage: Usage,
    /// Whether the model reached its limit of tokens: the text is cut off.
    pub cut_off: bool,
    /// Names of skills that it called.
    pub skills_used: Vec<String>,
    /// Names of tools that it called.
    pub tools_used: Vec<String>,
}

/// What became of a run.
#[derive(Debug)]
pub struct RunReport {
    pub run: RunId,
    pub session: SessionId,
    /// How it ended.
    pub status: TraceStatus,
    /// The output of the last artifact that was executed.
    pub output: Option<ArtifactOutput>,
    /// Why it failed.
    pub error: Option<SkillError>,
    /// Its traces, in order.
    pub traces: Vec<Trace>,
    /// What it used.
    pub usage: Usage,
}
