//! Traces: one row for each artifact that a run executed, with its input, output and cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::{ArtifactId, RunId, SessionId, SkillId, TraceId};
use crate::kind::ArtifactKind;
use crate::model::{Price, TokenUsage};
use crate::name::Slug;
use crate::path::SkillPath;
use crate::sandbox::ScriptOutcome;
use crate::skill::{Scope, Skill, text_enum};
use crate::storage_error::StorageError;
use crate::time::Time;

text_enum! {
    TraceStatus {
        Running = "running",
        Ok = "ok",
        Error = "error",
        Cancelled = "cancelled",
        /// Its process ended before it did.
        Interrupted = "interrupted",
        /// The artifact was unavailable, and its fallback ran instead.
        Fallback = "fallback",
    }
}

text_enum! {
    SessionKind {
        Chat = "chat",
        Run = "run",
        Eval = "eval",
        Optimization = "optimisation",
        Composer = "composer",
    }
}

text_enum! {
    Strictness {
        /// A failure ends the run.
        Hard = "hard",
        /// A failure is only recorded.
        Soft = "soft",
    }
}

text_enum! {
    Outcome {
        Passed = "passed",
        Failed = "failed",
        /// It couldn't be checked and isn't part of the score.
        NotRun = "not_run",
    }
}

/// The result of an assertion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    pub description: String,
    /// The type as written, with its check: `length/char_range`, `not-contains`.
    pub assertion: String,
    pub severity: Strictness,
    pub weight: f64,
    pub outcome: Outcome,
    /// From 0 to 1. Null for types that only pass or fail.
    pub score: Option<f64>,
    pub explanation: String,
}

/// A skill as it was when it ran. Not a foreign key: the skill may be in the other database, or deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TracedSkill {
    #[serde(rename = "skill_scope")]
    pub scope: Scope,
    #[serde(rename = "skill_id")]
    pub id: SkillId,
    #[serde(rename = "skill_slug")]
    pub slug: Slug,
    #[serde(rename = "skill_revision")]
    pub revision: i64,
}

impl TracedSkill {
    /// The skill at its current revision.
    #[must_use]
    pub fn of(skill: &Skill) -> Self {
        let head = &skill.head;
        Self { scope: head.scope, id: head.id, slug: skill.package.slug.clone(), revision: head.revision }
    }
}

/// A chat, an optimization, or a series of runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    pub kind: SessionKind,
    pub title: String,
    pub created_at: Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Null if unknown.
    pub input_tokens: Option<u64>,
    /// Null if unknown.
    pub output_tokens: Option<u64>,
    /// Estimated cost in USD. Null if unknown.
    #[serde(rename = "estimated_cost")]
    pub cost: Option<f64>,
}

impl Usage {
    /// What a model's tokens cost at a price.
    #[must_use]
    pub fn of(tokens: TokenUsage, price: Option<Price>) -> Self {
        let cost = price.and_then(|price| price.of(tokens));
        Self { input_tokens: tokens.input_tokens, output_tokens: tokens.output_tokens, cost }
    }

    /// Unknown values of one side count as zero; the sum is unknown only if both sides are.
    pub fn add(&mut self, other: Self) {
        fn both<T>(a: Option<T>, b: Option<T>, sum: impl FnOnce(T, T) -> T) -> Option<T> {
            match (a, b) {
                (Some(a), Some(b)) => Some(sum(a, b)),
                (a, b) => a.or(b),
            }
        }
        self.input_tokens = both(self.input_tokens, other.input_tokens, u64::saturating_add);
        self.output_tokens = both(self.output_tokens, other.output_tokens, u64::saturating_add);
        self.cost = both(self.cost, other.cost, |a, b| a + b);
    }
}

/// The execution of one artifact.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Trace {
    pub id: TraceId,
    pub session_id: SessionId,
    /// Shared by all executions of one run.
    pub run_id: RunId,
    /// The run whose script or program started this one.
    pub parent_run_id: Option<RunId>,
    #[serde(flatten)]
    pub skill: TracedSkill,
    pub artifact_id: ArtifactId,
    pub artifact_name: String,
    /// Path of its file.
    pub artifact_path: SkillPath,
    pub artifact_kind: ArtifactKind,
    /// Model family. Null for the default variant.
    pub variant: Option<String>,
    pub status: TraceStatus,
    /// Parameters of the run. Only on its first row.
    pub params: Option<Map<String, Value>>,
    /// Path of the artifact if only one was run. Null for the whole skill. Only on the first row of the run.
    pub asked_artifact: Option<String>,
    pub rendered_input: Option<String>,
    pub raw_output: Option<String>,
    pub error: Option<String>,
    pub detail: Option<TraceDetail>,
    /// Log of a script.
    pub log: Option<String>,
    /// Whether input, output, log or values were shortened.
    pub truncated: bool,
    /// Whether the response is incomplete: the model reached its token limit, or its provider ended it.
    pub cut_off: bool,
    pub started_at: Time,
    pub completed_at: Option<Time>,
    pub duration_ms: Option<i64>,
    /// Includes the calls of the judge for its assertions.
    #[serde(flatten)]
    pub usage: Usage,
    /// As `provider/model`.
    pub model_requested: Option<String>,
    /// As the provider reported it.
    pub model_id: Option<String>,
    pub assertions_run: u32,
    pub assertions_passed: u32,
    /// Weighted fraction of passed assertions, from 0 to 1. Null if none was checked.
    pub score: Option<f64>,
    pub verdicts: Vec<Verdict>,
    /// The execution that this one replaced as a fallback.
    pub fallback_of: Option<TraceId>,
    /// The trace whose run was replayed.
    pub replay_of: Option<TraceId>,
}

impl Trace {
    /// Whether it only accompanied prompts. A description that a model answered by is the run itself.
    #[must_use]
    pub const fn is_context(&self) -> bool {
        self.artifact_kind.is_context() && self.model_id.is_none() && self.error.is_none()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TraceDetail {
    pub outcome: ScriptOutcome,
    /// Line numbers are those of the artifact's file.
    pub traceback: Option<String>,
    /// Line of the artifact's file, from 1.
    pub line: Option<u32>,
}

/// All conditions must match.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TraceFilter {
    /// Slug.
    pub skill: Option<String>,
    /// Path of the artifact.
    pub artifact: Option<String>,
    pub kind: Option<ArtifactKind>,
    /// All if empty.
    pub status: Vec<TraceStatus>,
    /// The model that answered.
    pub model: Option<String>,
    pub session: Option<SessionId>,
    pub run: Option<RunId>,
    /// The run that started it.
    pub parent: Option<RunId>,
    /// Earliest start time.
    pub since: Option<Time>,
    /// Latest start time, exclusive.
    pub until: Option<Time>,
    /// Text in the input, output or error.
    pub text: Option<String>,
    /// Only those with a failed assertion.
    pub failed_assertions: bool,
}

/// A run, aggregated over its executions.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunSummary {
    pub run_id: RunId,
    pub session_id: SessionId,
    /// The run that started it.
    pub parent_run_id: Option<RunId>,
    #[serde(flatten)]
    pub skill: TracedSkill,
    /// The worst status of its executions, except `fallback`.
    pub status: TraceStatus,
    pub started_at: Time,
    /// When its last execution ended. Null while it is running.
    pub completed_at: Option<Time>,
    /// Total duration of its executions. Null while it is running.
    pub duration_ms: Option<i64>,
    #[serde(flatten)]
    pub usage: Usage,
    /// Number of executions.
    pub traces: u32,
    /// The last model that answered.
    pub model_id: Option<String>,
    /// Name of the last executed artifact.
    pub artifact_name: String,
    pub assertions_run: u32,
    pub assertions_passed: u32,
    /// Whether a fallback ran.
    pub fell_back: bool,
    /// The first error.
    pub error: Option<String>,
}

text_enum! {
    /// What statistics are grouped by.
    StatsBy {
        /// The day in UTC.
        Day = "day",
        /// The artifact, as `slug/path`.
        Artifact = "artifact",
        /// The model that answered.
        Model = "model",
        Skill = "skill",
    }
}

/// Statistics of a group of traces.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StatsRow {
    /// The day, artifact, model or skill.
    pub key: String,
    pub runs: u32,
    /// Number of executions.
    pub traces: u32,
    /// Number of failed executions.
    pub errors: u32,
    #[serde(flatten)]
    pub usage: Usage,
    /// Number of executions without a known price, which the cost doesn't include.
    pub unpriced: u32,
    /// Mean duration: of runs if grouped by day or skill, of executions if grouped by artifact or model.
    pub mean_ms: Option<f64>,
    pub assertions_run: u32,
    pub assertions_passed: u32,
}

/// Totals over the runs of a skill.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkillSum {
    pub id: SkillId,
    pub runs: u32,
    /// Estimated cost in USD. Null if no price is known.
    pub cost: Option<f64>,
    /// Number of executions without a known price, which the cost doesn't include.
    pub unpriced: u32,
}

/// Setting with a [`Retention`].
pub const TRACE_RETENTION: &str = "traces.retention";

/// Traces older than `days` are deleted, then the oldest ones until the others fit in `mib`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Retention {
    pub days: u32,
    /// Bytes of inputs and outputs.
    pub bytes: u64,
}

impl Default for Retention {
    /// 90 days, 256 MiB.
    fn default() -> Self {
        Self { days: 90, bytes: 256 * 1024 * 1024 }
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct TracePage<T> {
    /// Newest first.
    pub items: Vec<T>,
    /// Where the next page begins; `None` on the last one. Valid for the same filter only, even after rows of this page were
    /// deleted.
    pub next: Option<i64>,
}

impl<T> Default for TracePage<T> {
    fn default() -> Self {
        Self { items: Vec::new(), next: None }
    }
}

/// Calls block.
pub trait TraceStore: Send + Sync {
    /// Whether traces can be written here.
    fn takes_traces(&self) -> bool;
    /// Creates a session, unless it exists.
    fn open_session(&self, session: &Session) -> Result<(), StorageError>;
    /// None if there is no such session here.
    fn session_kind(&self, id: SessionId) -> Result<Option<SessionKind>, StorageError>;
    /// Inserts a row with this process as its owner. Called before the execution.
    fn open_trace(&self, trace: &Trace) -> Result<(), StorageError>;
    /// Completes a row. One that was deleted meanwhile is inserted again.
    fn close_trace(&self, trace: &Trace) -> Result<(), StorageError>;
    /// Marks open rows of ended processes as interrupted. Returns their number.
    fn mark_interrupted(&self) -> Result<usize, StorageError>;
    fn trace(&self, id: TraceId) -> Result<Option<Trace>, StorageError>;
    /// A page of at most `limit` traces, newest first. `before` is the cursor of the previous page. Unreadable rows are skipped.
    fn traces(&self, filter: &TraceFilter, before: Option<i64>, limit: usize) -> Result<TracePage<Trace>, StorageError>;
    /// A page of at most `limit` runs with a matching trace, newest first. `before` is the cursor of the previous page. Unreadable
    /// runs are skipped.
    fn runs(&self, filter: &TraceFilter, before: Option<i64>, limit: usize) -> Result<TracePage<RunSummary>, StorageError>;
    /// Days in chronological order, other groups by number of executions.
    fn trace_stats(&self, filter: &TraceFilter, by: StatsBy) -> Result<Vec<StatsRow>, StorageError>;
    /// Totals of the runs since a time, by skill.
    fn skill_sums(&self, since: Time) -> Result<Vec<SkillSum>, StorageError>;
    /// Deletes old traces, except of active runs. Returns the number of deleted traces.
    fn prune_traces(&self, retention: Retention) -> Result<usize, StorageError>;
    /// Deletes the traces of runs, except of active ones. Returns the number of deleted traces.
    fn delete_runs(&self, runs: &[RunId]) -> Result<usize, StorageError>;
}
