//! Parameters and results of `run/*`.

use inklings_core::trace::{RunSummary, Trace, TraceFilter, Usage};
use inklings_core::{ModelRef, RunId, Scope, SessionId, TraceId, TraceStatus};
use inklings_rpc::Failure;
use inklings_runtime::Limits;
use inklings_runtime::plan::{MissingInput, SkippedArtifact, Step};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What to run.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunParams {
    /// An id for the run, by which its events are told and by which it is stopped; a fresh one without it.
    #[serde(default)]
    pub run: Option<RunId>,
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Run this artifact alone, given by path or name; the skill's plan without it.
    #[serde(default)]
    pub artifact: Option<String>,
    /// Values by name.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// The model; the default without it.
    #[serde(default)]
    pub model: Option<ModelRef>,
    /// What it may use.
    #[serde(default)]
    pub limits: Limits,
}

/// What became of a run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunOutcome {
    pub run: RunId,
    pub session: SessionId,
    /// How it ended.
    pub status: TraceStatus,
    /// The last executed artifact's output.
    pub text: Option<String>,
    /// The same as a value, where it is structured.
    pub value: Option<Value>,
    /// Why it failed.
    pub error: Option<Failure>,
    /// Its executions, in order.
    pub traces: Vec<Trace>,
    /// Tokens and cost.
    #[serde(flatten)]
    pub usage: Usage,
}

/// Names a run.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRef {
    pub run: RunId,
}

/// What a run would do.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunPlan {
    /// Steps, in order; what accompanies prompts comes first.
    pub steps: Vec<Step>,
    /// What it does without.
    pub left_out: Vec<SkippedArtifact>,
    /// Values that nothing gives yet; a run is refused until there are none.
    pub missing: Vec<MissingInput>,
    /// The model that would be used; null when none is set up.
    pub model: Option<ModelRef>,
    /// What the model reads at least, in tokens: an estimate for the prompts that can be rendered already.
    pub input_tokens: Option<u64>,
    /// What that costs in USD; null when the price is unknown.
    pub input_cost: Option<f64>,
    /// Whether the workspace must be trusted first.
    pub needs_trust: bool,
}

/// What to run again.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayParams {
    /// A trace of the run.
    pub trace: TraceId,
    /// An id for the new run.
    #[serde(default)]
    pub run: Option<RunId>,
    /// Another model; the one that was asked for without it.
    #[serde(default)]
    pub model: Option<ModelRef>,
    /// What it may use.
    #[serde(default)]
    pub limits: Limits,
}

/// Which runs to list.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunListParams {
    /// Conditions.
    #[serde(default)]
    pub filter: TraceFilter,
    /// The runs of the account's database, even while a workspace is open.
    #[serde(default)]
    pub account: bool,
    /// The page that begins here, a `next` of the same conditions; the first one without.
    #[serde(default)]
    pub before: Option<i64>,
    /// Most runs; 100 without it, at most 1,000.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// A page of runs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunList {
    /// Newest first.
    pub runs: Vec<RunSummary>,
    /// Where the next page begins; null at the end.
    pub next: Option<i64>,
}

/// A run with its traces.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunDetail {
    /// The run.
    #[serde(flatten)]
    pub summary: RunSummary,
    /// Its executions, in order, with all that is kept of them.
    pub executions: Vec<Trace>,
    /// The runs of other skills that its scripts and programs called, in order. Their use is not in this run's.
    pub called: Vec<RunSummary>,
}

/// Which runs to remove.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunDeleteParams {
    pub runs: Vec<RunId>,
}

/// What was removed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Removed {
    /// Number of traces.
    pub traces: usize,
}
