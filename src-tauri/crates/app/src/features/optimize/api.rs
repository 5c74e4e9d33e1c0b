//! Parameters and results of `optimize/*`.

use std::path::PathBuf;

use inklings_core::program::{Metric, ProgramExample};
use inklings_core::{Diagnostic, ModelRef, Proposal, RunId, Scope, SkillPath, Slug};
use inklings_runtime::Limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::features::run::RunOutcome;

/// Of a file of examples.
pub(super) const MAX_FILE_BYTES: usize = 32 * 1024 * 1024;

/// Where examples come from.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "from", rename_all = "snake_case", deny_unknown_fields)]
pub enum ExampleSource {
    /// Earlier runs of the artifact or its fallback. Of a run with a failed assertion only the inputs are used, with a metric of assertions.
    Traces,
    /// A JSON Lines file.
    File { path: PathBuf },
    /// JSON Lines.
    Lines { text: String },
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExamplesParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Path or name of the `dspy_module`.
    pub artifact: String,
    pub source: ExampleSource,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExampleSummary {
    /// Number of examples.
    pub count: usize,
    /// Number of examples with outputs.
    pub with_outputs: usize,
    /// The first examples.
    pub first: Vec<ProgramExample>,
    /// Lines or runs that aren't examples.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptimizeParams {
    /// ID for the run, for its events and to cancel it. [default: a new ID]
    #[serde(default)]
    pub run: Option<RunId>,
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Path or name of the `dspy_module`.
    pub artifact: String,
    /// ID of an optimizer that the manifest lists.
    pub optimizer: String,
    /// Settings of the optimizer.
    #[serde(default)]
    pub options: Map<String, Value>,
    /// [default: the artifact's assertions, or the first output if it has none]
    #[serde(default)]
    pub metric: Option<Metric>,
    pub source: ExampleSource,
    /// Share of the examples in the valset, 0 to 0.9. [default: 0.3]
    #[serde(default)]
    pub valset_fraction: Option<f64>,
    /// Random seed. [default: 1]
    #[serde(default)]
    pub seed: Option<u64>,
    /// Maximum number of model calls.
    #[serde(default)]
    pub calls: Option<u64>,
    /// [default: the default model]
    #[serde(default)]
    pub model: Option<ModelRef>,
    #[serde(default)]
    pub limits: Limits,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OptimizeOutcome {
    /// The run. Its trace has every model call.
    pub run: RunOutcome,
    /// Null if it failed, was cancelled or found no better state.
    pub proposal: Option<Proposal>,
    /// Examples that were skipped.
    pub diagnostics: Vec<Diagnostic>,
}

/// An artifact whose state was compiled by another version of DSPy.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OutdatedArtifact {
    pub skill: Slug,
    pub title: String,
    pub scope: Scope,
    /// Name of the artifact.
    pub artifact: String,
    pub path: SkillPath,
    /// The version that compiled the state. Null if unknown.
    pub dspy: Option<String>,
    /// Whether it can be optimized again as before.
    pub again: bool,
}

/// States compiled by other versions of DSPy. They still work.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OutdatedList {
    /// The installed version.
    pub dspy: String,
    pub artifacts: Vec<OutdatedArtifact>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReoptimizeParams {
    /// ID for the run. [default: a new ID]
    #[serde(default)]
    pub run: Option<RunId>,
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Path or name of the artifact.
    pub artifact: String,
    /// [default: the default model]
    #[serde(default)]
    pub model: Option<ModelRef>,
    #[serde(default)]
    pub limits: Limits,
}
