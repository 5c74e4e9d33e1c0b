//! Eval runs and their results, and the cache of models' responses. All are the account's: a workspace's file must not vouch for a skill.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest::Digest;
use crate::id::{EvalRunId, RunId, SkillId};
use crate::model::{Completion, ModelRef};
use crate::skill::text_enum;
use crate::storage_error::StorageError;
use crate::time::Time;
use crate::trace::{TracedSkill, Usage, Verdict};

text_enum! {
    EvalStatus {
        Running = "running",
        /// Every cell has a result, and no run failed.
        Complete = "complete",
        Cancelled = "cancelled",
        /// A limit was reached.
        OverBudget = "over_budget",
        /// It couldn't go on, or runs of it failed.
        Failed = "failed",
        /// Its process ended.
        Interrupted = "interrupted",
    }
}

text_enum! {
    EvalOutcome {
        /// All checks passed.
        Passed = "passed",
        /// At least one check failed.
        Failed = "failed",
        /// Something couldn't be checked, and the rest passed. It counts neither way.
        NotRun = "not_run",
        /// There is no output to check. It counts neither way.
        Error = "error",
    }
}

impl EvalOutcome {
    /// Whether it counts in a pass rate.
    #[must_use]
    pub const fn is_graded(self) -> bool {
        matches!(self, Self::Passed | Self::Failed)
    }
}

/// A skill or its absence, with a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvalVariant {
    /// Unique in its run.
    pub label: String,
    /// Null without the skill.
    pub revision: Option<i64>,
    pub model: ModelRef,
    /// Position of the variant that it is compared with.
    pub baseline: Option<usize>,
}

/// A run of cases. Only its status changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvalRun {
    pub id: EvalRunId,
    /// Folder of the workspace; empty for the account.
    pub workspace: String,
    #[serde(flatten)]
    pub skill: TracedSkill,
    pub status: EvalStatus,
    /// Why it failed.
    pub error: Option<String>,
    /// Cases, variants and settings, as they were when it began.
    #[serde(skip)]
    #[schemars(skip)]
    pub plan: Value,
    pub created_at: Time,
    pub completed_at: Option<Time>,
}

/// Which result of a run it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct EvalCell {
    /// Key of the case.
    pub case: String,
    /// Position of the variant.
    pub variant: usize,
    /// From 0.
    pub repeat: u32,
}

/// The result of a case. Never changed: a later attempt after an error has a row of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvalResult {
    #[serde(flatten)]
    pub cell: EvalCell,
    pub outcome: EvalOutcome,
    pub output: Option<String>,
    pub error: Option<String>,
    pub verdicts: Vec<Verdict>,
    /// Of the answer, also if it came from the cache.
    pub usage: Usage,
    /// Of the judge, also if it came from the cache.
    pub judge_usage: Usage,
    /// What was paid for the answer and its judge. As read from a store, it includes the attempts before this one.
    pub paid: Usage,
    /// Of the answer, when it was first given.
    pub duration_ms: u64,
    /// As the provider reported it.
    pub model_id: Option<String>,
    /// Its run, whose traces have what was sent.
    pub run: Option<RunId>,
    pub created_at: Time,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EvalFilter {
    /// Runs of this workspace and of the account.
    pub workspace: String,
    pub skill: Option<SkillId>,
    /// Without those of the account.
    pub without_account: bool,
}

/// Calls block.
pub trait EvalStore: Send + Sync {
    /// Stores a run that begins, with this process as its owner.
    fn open_eval(&self, run: &EvalRun) -> Result<(), StorageError>;
    /// Makes this process the owner of a run that isn't complete. False if it is complete, or running in a living process.
    fn reopen_eval(&self, id: EvalRunId) -> Result<bool, StorageError>;
    fn put_eval_result(&self, run: EvalRunId, result: &EvalResult) -> Result<(), StorageError>;
    fn close_eval(&self, id: EvalRunId, status: EvalStatus, error: Option<&str>) -> Result<(), StorageError>;
    /// Runs of ended processes are interrupted.
    fn eval_run(&self, id: EvalRunId) -> Result<Option<EvalRun>, StorageError>;
    /// Newest first, at most `limit`.
    fn eval_runs(&self, filter: &EvalFilter, limit: usize) -> Result<Vec<EvalRun>, StorageError>;
    /// Deletes runs with their results, except running ones. Returns how many.
    fn delete_evals(&self, ids: &[EvalRunId]) -> Result<usize, StorageError>;
    /// Remembers edits of a skill's instructions that didn't help, as JSON, by their hash.
    fn put_rejected_edit(&self, skill: SkillId, key: Digest, edit: &Value) -> Result<(), StorageError>;
    /// Those of a skill with their hashes, oldest first, at most `limit` of the newest.
    fn rejected_edits(&self, skill: SkillId, limit: usize) -> Result<Vec<(Digest, Value)>, StorageError>;
    /// The latest result of each cell, in the order in which they were stored.
    fn eval_results(&self, id: EvalRunId) -> Result<Vec<EvalResult>, StorageError>;
}

/// A response of a model, to be used again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CachedResponse {
    pub completion: Completion,
    /// Time until the response was complete.
    pub duration: Duration,
}

/// Responses by a hash of model and request. Calls block.
pub trait ResponseCache: Send + Sync {
    fn response(&self, key: Digest) -> Result<Option<CachedResponse>, StorageError>;
    fn put_response(&self, key: Digest, response: &CachedResponse) -> Result<(), StorageError>;
    fn forget_responses(&self, keys: &[Digest]) -> Result<(), StorageError>;
}
