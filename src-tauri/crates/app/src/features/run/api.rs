//! Parameters and results of `run/*`.

use inklings_core::manifest::GateMoment;
use inklings_core::proposal::RecordedDecision;
use inklings_core::trace::{RunSummary, Trace, TraceFilter, Usage};
use inklings_core::{ModelRef, RunId, Scope, SessionId, TraceId, TraceStatus};
use inklings_rpc::Failure;
use inklings_runtime::Limits;
use inklings_runtime::MissingInput;
use inklings_runtime::plan::{SkippedArtifact, Step};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunParams {
    /// ID for the run, for its events and to cancel it. [default: a new ID]
    #[serde(default)]
    pub run: Option<RunId>,
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Run only this artifact: path or name. [default: the skill's plan]
    #[serde(default)]
    pub artifact: Option<String>,
    /// Number of the revision to run. [default: the current revision]
    #[serde(default)]
    pub revision: Option<i64>,
    #[serde(default)]
    pub params: Map<String, Value>,
    /// [default: the default model]
    #[serde(default)]
    pub model: Option<ModelRef>,
    #[serde(default)]
    pub limits: Limits,
    /// Keys of the skill's gates that the user approves for this run.
    #[serde(default)]
    pub approve: Vec<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunOutcome {
    pub run: RunId,
    pub session: SessionId,
    pub status: TraceStatus,
    /// Output of the last step.
    pub text: Option<String>,
    /// The output as a value, if it is structured.
    pub value: Option<Value>,
    /// Why it failed.
    pub error: Option<Failure>,
    /// Its steps, in order.
    pub traces: Vec<Trace>,
    /// Gates that it reached with its output. It waits for those without a decision.
    pub gates: Vec<RunGate>,
    #[serde(flatten)]
    pub usage: Usage,
}

/// A point of a run where a person decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunGate {
    /// As in the skill's manifest.
    pub key: String,
    /// Shown to the person who decides.
    pub label: String,
    pub when: GateMoment,
    /// Null while the run waits for it.
    pub decision: Option<RecordedDecision>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideGateParams {
    pub run: RunId,
    /// Key of the gate.
    pub gate: String,
    pub approved: bool,
    #[serde(default)]
    pub reason: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptParams {
    /// ID for the run, for its events and to cancel it. [default: a new ID]
    #[serde(default)]
    pub run: Option<RunId>,
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Path of a Python file of the skill.
    pub path: String,
    /// Its `sys.argv`, without the path.
    #[serde(default)]
    pub args: Vec<String>,
    #[serde(default)]
    pub stdin: String,
    #[serde(default)]
    pub limits: Limits,
    /// Keys of the skill's gates that the user approves for this run.
    #[serde(default)]
    pub approve: Vec<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ScriptRunOutcome {
    pub run: RunId,
    pub session: SessionId,
    pub status: TraceStatus,
    /// From 0 to 255. Null if it was stopped or aborted.
    pub exit_code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// Whether `stdout` or `stderr` reached its limit.
    pub truncated: bool,
    /// Why it failed. Set for every exit code but 0.
    pub error: Option<Failure>,
    /// Its step.
    pub traces: Vec<Trace>,
    /// Gates that it reached with its output. It waits for those without a decision.
    pub gates: Vec<RunGate>,
    #[serde(flatten)]
    pub usage: Usage,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRef {
    pub run: RunId,
}

/// What a run would do.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunPlan {
    /// In order. Context for the prompts comes first.
    pub steps: Vec<Step>,
    /// Artifacts that are skipped.
    pub left_out: Vec<SkippedArtifact>,
    /// Missing values. A run is refused until there are none.
    pub missing: Vec<MissingInput>,
    /// Null if no model is set up.
    pub model: Option<ModelRef>,
    /// Estimated minimum of input tokens, counting the prompts that can be rendered already.
    pub input_tokens: Option<u64>,
    /// Cost of these tokens in USD. Null if the price is unknown.
    pub input_cost: Option<f64>,
    /// Whether the workspace must be trusted first.
    pub needs_trust: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayParams {
    /// A trace of the run.
    pub trace: TraceId,
    /// ID for the new run. [default: a new ID]
    #[serde(default)]
    pub run: Option<RunId>,
    /// [default: the model of the replayed run]
    #[serde(default)]
    pub model: Option<ModelRef>,
    #[serde(default)]
    pub limits: Limits,
    /// Keys of the skill's gates that the user approves for this run.
    #[serde(default)]
    pub approve: Vec<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunListParams {
    #[serde(default)]
    pub filter: TraceFilter,
    /// List the account's runs instead of the open workspace's.
    #[serde(default)]
    pub account: bool,
    /// `next` of the previous page. [default: the first page]
    #[serde(default)]
    pub before: Option<i64>,
    /// Maximum number of runs, at most 1,000. [default: 100]
    #[serde(default)]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunList {
    /// Newest first.
    pub runs: Vec<RunSummary>,
    /// Null on the last page.
    pub next: Option<i64>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunDetail {
    #[serde(flatten)]
    pub summary: RunSummary,
    /// The traces of its steps, in order.
    pub executions: Vec<Trace>,
    /// Nested runs, started by its scripts and programs, in order. Their usage isn't part of this run's.
    pub called: Vec<RunSummary>,
    /// Gates that it reached with its output. It waits for those without a decision.
    pub gates: Vec<RunGate>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunDeleteParams {
    pub runs: Vec<RunId>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeletedRuns {
    /// Number of deleted traces.
    pub traces: usize,
}
