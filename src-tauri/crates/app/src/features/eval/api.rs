//! Parameters and results of `eval/*`.

use inklings_core::eval::EvalRun;
use inklings_core::{Diagnostic, EvalRunId, ModelRef, Scope};
use inklings_evals::cases::{Case, Split};
use inklings_evals::report::VariantReport;
use inklings_runtime::Limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The cases of a skill: of its manifest, then of its files.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EvalCases {
    pub cases: Vec<Case>,
    /// Entries that aren't cases.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvalParams {
    /// ID for the run. [default: a new ID]
    #[serde(default)]
    pub run: Option<EvalRunId>,
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Keys of the cases. [default: all]
    #[serde(default)]
    pub cases: Vec<String>,
    /// Only cases with one of these tags. [default: all]
    #[serde(default)]
    pub tags: Vec<String>,
    /// Only cases of this split. [default: both]
    #[serde(default)]
    pub split: Option<Split>,
    /// [default: the default model]
    #[serde(default)]
    pub models: Vec<ModelRef>,
    /// Revisions to compare. [default: the current revision]
    #[serde(default)]
    pub revisions: Vec<i64>,
    /// Run only with the skill. [default: false]
    #[serde(default)]
    pub without_baseline: bool,
    /// Runs of each case, 1 to 100. [default: 1]
    #[serde(default)]
    pub repeat: Option<u32>,
    /// Runs at the same time, 1 to 32. [default: 4]
    #[serde(default)]
    pub concurrency: Option<usize>,
    /// Model that judges outputs. [default: the default model]
    #[serde(default)]
    pub judge: Option<ModelRef>,
    /// Ask models anew instead of using cached responses. [default: false]
    #[serde(default)]
    pub fresh: bool,
    /// Of all runs together.
    #[serde(default)]
    pub limits: Limits,
}

/// What a run would do.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EvalEstimate {
    /// Number of results.
    pub cells: usize,
    /// Results whose first response is cached.
    pub cached: usize,
    /// Results whose first request isn't known before they run.
    pub unknown: usize,
    /// Estimated minimum of the other results' input tokens.
    pub input_tokens: u64,
    /// Cost of these tokens in USD. Null if a price is unknown.
    pub input_cost: Option<f64>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvalRunRef {
    pub run: EvalRunId,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResumeEvalParams {
    pub run: EvalRunId,
    /// Of all runs together, including those before. [default: the limits that it began with]
    #[serde(default)]
    pub limits: Option<Limits>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvalListParams {
    /// ID, slug or title. [default: all skills]
    #[serde(default)]
    pub skill: Option<String>,
    /// Maximum number of runs, at most 100. [default: 20]
    #[serde(default)]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EvalRuns {
    /// Newest first.
    pub runs: Vec<EvalSummary>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EvalSummary {
    pub run: EvalRun,
    pub variants: Vec<VariantReport>,
    /// Number of results, and of those that exist.
    pub cells: usize,
    pub done: usize,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareEvalsParams {
    pub baseline: EvalRunId,
    pub candidate: EvalRunId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportFormat {
    Json,
    Csv,
    Junit,
    /// A page without scripts and without anything from elsewhere.
    Html,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportEvalParams {
    pub run: EvalRunId,
    pub format: ReportFormat,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExportedReport {
    pub text: String,
}
