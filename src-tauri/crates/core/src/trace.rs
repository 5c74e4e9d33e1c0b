//! Traces: one row for each artifact that a run executed, with what went in, what came out, and what it cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::{ArtifactId, RunId, SessionId, SkillId, TraceId};
use crate::kind::ArtifactKind;
use crate::name::Slug;
use crate::path::SkillPath;
use crate::ports::StorageError;
use crate::sandbox::ScriptOutcome;
use crate::skill::{Scope, text_enum};
use crate::time::Time;

text_enum! {
    /// How an execution stands or ended.
    TraceStatus {
        /// It is going on.
        Running = "running",
        /// It ended as it should.
        Ok = "ok",
        /// It failed.
        Error = "error",
        /// Someone stopped it.
        Cancelled = "cancelled",
        /// The process that ran it is gone.
        Interrupted = "interrupted",
        /// It could not run here; another artifact ran in its place.
        Fallback = "fallback",
    }
}

text_enum! {
    /// What a session is for.
    SessionKind {
        /// A conversation.
        Chat = "chat",
        /// Runs outside any conversation.
        Run = "run",
        /// An evaluation.
        Eval = "eval",
        /// An optimisation.
        Optimisation = "optimisation",
        /// Writing a skill together with the Composer.
        Composer = "composer",
    }
}

text_enum! {
    /// What a failed assertion means for the run.
    Strictness {
        /// The run stops.
        Hard = "hard",
        /// It is noted.
        Soft = "soft",
    }
}

text_enum! {
    /// What became of an assertion.
    Outcome {
        /// It holds.
        Passed = "passed",
        /// It does not hold.
        Failed = "failed",
        /// It could not be checked; it counts neither way.
        NotRun = "not_run",
    }
}

/// One assertion's result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// What was checked, for people.
    pub description: String,
    /// The type as written, with its check: `length/char_range`, `not-contains`.
    pub assertion: String,
    /// What a failure means.
    pub severity: Strictness,
    /// How much it counts in the score.
    pub weight: f64,
    /// The result.
    pub outcome: Outcome,
    /// From 0 to 1, for types that grade.
    pub score: Option<f64>,
    /// Why.
    pub explanation: String,
}

/// A skill as it was when it ran. No key into any table: it may live in the other database, or be gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TracedSkill {
    /// Where the skill lived.
    #[serde(rename = "skill_scope")]
    pub scope: Scope,
    /// The skill's id.
    #[serde(rename = "skill_id")]
    pub id: SkillId,
    /// The skill's slug.
    #[serde(rename = "skill_slug")]
    pub slug: Slug,
    /// The skill's revision.
    #[serde(rename = "skill_revision")]
    pub revision: i64,
}

/// A session: what belongs together in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    pub kind: SessionKind,
    pub title: String,
    /// When it began.
    pub created_at: Time,
}

/// What an execution used.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens read by models; null when unknown.
    pub input_tokens: Option<u64>,
    /// Tokens written by models; null when unknown.
    pub output_tokens: Option<u64>,
    /// Estimated cost in USD; null when unknown.
    #[serde(rename = "estimated_cost")]
    pub cost: Option<f64>,
}

impl Usage {
    /// Adds what is known; what is unknown on one side only counts as nothing.
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
    /// Id.
    pub id: TraceId,
    /// The session.
    pub session_id: SessionId,
    /// The run: all executions of one call.
    pub run_id: RunId,
    /// The run whose script or program called this one.
    pub parent_run_id: Option<RunId>,
    /// The skill.
    #[serde(flatten)]
    pub skill: TracedSkill,
    /// The artifact.
    pub artifact_id: ArtifactId,
    /// Its name.
    pub artifact_name: String,
    /// Its file.
    pub artifact_path: SkillPath,
    /// Its kind.
    pub artifact_kind: ArtifactKind,
    /// The model family that its variant is for; null is the default.
    pub variant: Option<String>,
    /// How it stands or ended.
    pub status: TraceStatus,
    /// What the run was given; on the run's first row only.
    pub params: Option<Map<String, Value>>,
    /// The file that the run was asked to run alone; on the run's first row only, null for a whole skill.
    pub asked_artifact: Option<String>,
    /// What was sent or executed, after rendering.
    pub rendered_input: Option<String>,
    /// What came back.
    pub raw_output: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
    /// How and where a script failed.
    pub detail: Option<TraceDetail>,
    /// What a script wrote meanwhile.
    pub log: Option<String>,
    /// Whether input, output, log or values are not kept whole.
    pub truncated: bool,
    /// Whether the model reached its limit of tokens: the answer is cut off.
    pub cut_off: bool,
    /// When it began.
    pub started_at: Time,
    /// When it ended.
    pub completed_at: Option<Time>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<i64>,
    /// Tokens and cost; the judge's of its assertions included.
    #[serde(flatten)]
    pub usage: Usage,
    /// The model that was asked for, as `provider/model`.
    pub model_requested: Option<String>,
    /// The model that answered, as its provider named it.
    pub model_id: Option<String>,
    /// Assertions that were checked.
    pub assertions_run: u32,
    /// Those that hold.
    pub assertions_passed: u32,
    /// The share of the assertions' weights that holds, from 0 to 1; null when none was checked.
    pub score: Option<f64>,
    /// Every assertion with its result.
    pub verdicts: Vec<Verdict>,
    /// The execution in whose place this one ran.
    pub fallback_of: Option<TraceId>,
    /// The trace whose inputs were run again.
    pub replay_of: Option<TraceId>,
}

/// How and where a script failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TraceDetail {
    /// How it ended.
    pub outcome: ScriptOutcome,
    /// The traceback, with lines as in the artifact's file.
    pub traceback: Option<String>,
    /// The line of the artifact's file, from 1.
    pub line: Option<u32>,
}

/// What traces to show. All conditions hold together.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TraceFilter {
    /// Slug of the skill.
    pub skill: Option<String>,
    /// The artifact's path.
    pub artifact: Option<String>,
    /// Kind of the artifact.
    pub kind: Option<ArtifactKind>,
    /// Statuses; all when empty.
    pub status: Vec<TraceStatus>,
    /// The model that answered.
    pub model: Option<String>,
    /// The session.
    pub session: Option<SessionId>,
    /// The run.
    pub run: Option<RunId>,
    /// The run that called it.
    pub parent: Option<RunId>,
    /// Begun at this time or later.
    pub since: Option<Time>,
    /// Begun before this time.
    pub until: Option<Time>,
    /// Text that input, output or error has.
    pub text: Option<String>,
    /// Only those with an assertion that fails.
    pub failed_assertions: bool,
}

/// A run in a list: its executions taken together.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunSummary {
    /// The run.
    pub run_id: RunId,
    /// Its session.
    pub session_id: SessionId,
    /// The run that called it.
    pub parent_run_id: Option<RunId>,
    /// The skill.
    #[serde(flatten)]
    pub skill: TracedSkill,
    /// How it stands or ended: the worst of its executions, a fallback not counted.
    pub status: TraceStatus,
    /// When it began.
    pub started_at: Time,
    /// When its last execution ended; null while it is going on.
    pub completed_at: Option<Time>,
    /// How long its executions took together, in milliseconds; null while it is going on.
    pub duration_ms: Option<i64>,
    /// Tokens and cost.
    #[serde(flatten)]
    pub usage: Usage,
    /// Number of executions.
    pub traces: u32,
    /// The last model that answered.
    pub model_id: Option<String>,
    /// The last artifact that was executed.
    pub artifact_name: String,
    /// Assertions that were checked.
    pub assertions_run: u32,
    /// Those that hold.
    pub assertions_passed: u32,
    /// Whether something ran in another's place.
    pub fell_back: bool,
    /// The first error.
    pub error: Option<String>,
}

text_enum! {
    /// What statistics are told apart by.
    StatsBy {
        /// The day, UTC.
        Day = "day",
        /// The artifact, as `slug/path`.
        Artifact = "artifact",
        /// The model that answered.
        Model = "model",
        /// The skill.
        Skill = "skill",
    }
}

/// A group of traces in numbers.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StatsRow {
    /// The group: a day, an artifact, a model, a skill.
    pub key: String,
    /// Runs.
    pub runs: u32,
    /// Executions.
    pub traces: u32,
    /// Executions that failed.
    pub errors: u32,
    /// Tokens and cost.
    #[serde(flatten)]
    pub usage: Usage,
    /// Executions that asked a model whose price isn't known: the cost is at least what is said.
    pub unpriced: u32,
    /// Mean duration in milliseconds: of a run by day or skill, of an execution by artifact or model.
    pub mean_ms: Option<f64>,
    /// Assertions that were checked.
    pub assertions_run: u32,
    /// Those that hold.
    pub assertions_passed: u32,
}

/// What the runs of one skill come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkillSum {
    pub id: SkillId,
    pub runs: u32,
    /// Estimated cost in USD; null when nothing of it is known.
    pub cost: Option<f64>,
    /// Executions that asked a model whose price isn't known: the cost is at least what is said.
    pub unpriced: u32,
}

/// Setting that holds a [`Retention`].
pub const TRACE_RETENTION: &str = "traces.retention";

/// How long traces are kept: what is older goes, then the oldest until the rest fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Retention {
    /// Days.
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

/// A part of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct TracePage<T> {
    /// Newest first.
    pub items: Vec<T>,
    /// Where the next page begins; `None` at the end. It holds for the filter that it was made with, also when what it was made of is
    /// removed meanwhile.
    pub next: Option<i64>,
}

impl<T> Default for TracePage<T> {
    fn default() -> Self {
        Self { items: Vec::new(), next: None }
    }
}

/// Where traces are kept. Calls block.
pub trait TraceStore: Send + Sync {
    /// Whether traces can be written here.
    fn takes_traces(&self) -> bool;
    /// Begins a session; one that is there stays as it is.
    fn open_session(&self, session: &Session) -> Result<(), StorageError>;
    /// Begins a row, before the execution does, in the name of this process.
    fn open_trace(&self, trace: &Trace) -> Result<(), StorageError>;
    /// Ends a row; one that was removed meanwhile is there again.
    fn close_trace(&self, trace: &Trace) -> Result<(), StorageError>;
    /// Marks the rows whose process is gone. Returns how many.
    fn mark_interrupted(&self) -> Result<usize, StorageError>;
    fn trace(&self, id: TraceId) -> Result<Option<Trace>, StorageError>;
    /// Traces, newest first; at most `limit`, from the page that begins at `before`. Rows that can't be read are left out.
    fn traces(&self, filter: &TraceFilter, before: Option<i64>, limit: usize) -> Result<TracePage<Trace>, StorageError>;
    /// Runs of which a trace fits, newest first; at most `limit`, from the page that begins at `before`. Runs that can't be read are
    /// left out.
    fn runs(&self, filter: &TraceFilter, before: Option<i64>, limit: usize) -> Result<TracePage<RunSummary>, StorageError>;
    /// Numbers by group, days in order, else by number of executions.
    fn trace_stats(&self, filter: &TraceFilter, by: StatsBy) -> Result<Vec<StatsRow>, StorageError>;
    /// What the runs since a time come to, by skill.
    fn skill_sums(&self, since: Time) -> Result<Vec<SkillSum>, StorageError>;
    /// Removes what retention gives up; running ones stay. Returns how many went.
    fn prune_traces(&self, retention: Retention) -> Result<usize, StorageError>;
    /// Removes the traces of runs; running ones stay. Returns how many went.
    fn delete_runs(&self, runs: &[RunId]) -> Result<usize, StorageError>;
}
