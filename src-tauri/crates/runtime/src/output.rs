//! Results of steps and runs.

use std::time::Duration;

use inklings_core::trace::Usage;
use inklings_core::{RunId, SessionId, Trace, TraceStatus};
use serde_json::Value;

use crate::error::SkillError;

/// The result of a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ArtifactOutput {
    /// A model's answer, or the value as JSON.
    pub text: String,
    /// The structured result of a script or program.
    pub value: Option<Value>,
    /// Usage that the context's models didn't record already.
    pub usage: Usage,
    /// Whether the answer is incomplete: the model reached its token limit, or its provider ended it.
    pub cut_off: bool,
    /// Slugs of the skills that it called.
    pub skills_used: Vec<String>,
    pub tools_used: Vec<String>,
    /// Time that answers from a cache took when they were first given.
    pub replayed_time: Duration,
}

/// The result of a run.
#[derive(Debug)]
pub struct RunReport {
    pub run: RunId,
    pub session: SessionId,
    pub status: TraceStatus,
    /// The output of the last step.
    pub output: Option<ArtifactOutput>,
    pub error: Option<SkillError>,
    pub traces: Vec<Trace>,
    /// What was paid for.
    pub usage: Usage,
    /// Set if a file of the skill ran as a program.
    pub script: Option<ScriptResult>,
    /// Of the outputs, including answers from a cache.
    pub output_usage: Usage,
    /// Of the judge, including answers from a cache.
    pub judge_usage: Usage,
    /// Time of the outputs. An answer from a cache counts with the time that it took when it was first given.
    pub output_time: Duration,
}

/// How a file of a skill ended as a program, whatever the status of its run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScriptResult {
    /// From 0 to 255. None if it was stopped or aborted.
    pub exit_code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// Whether `stdout` or `stderr` reached its limit.
    pub truncated: bool,
}
