//! Parameters and results of `optimize/*`.

use std::path::PathBuf;

use inklings_core::program::{Metric, ProgramExample};
use inklings_core::{Diagnostic, ModelRef, Proposal, RunId, Scope, SkillPath, Slug};
use inklings_runtime::Limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::features::run::RunOutcome;

/// Where examples come from.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "from", rename_all = "snake_case", deny_unknown_fields)]
pub enum ExampleSource {
    /// What earlier runs of the artifact, or of its fallback, gave. What an assertion failed on is no example of a good output, but its
    /// inputs are used where assertions judge.
    Traces,
    /// A file with a line of JSON for each.
    File {
        /// The file.
        path: PathBuf,
    },
    /// The lines themselves.
    Lines { text: String },
}

/// What to look at for examples.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExamplesParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The `dspy_module`, by path or name.
    pub artifact: String,
    /// Where they come from.
    pub source: ExampleSource,
}

/// Examples that there are.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExamplesFound {
    /// All of them.
    pub count: usize,
    /// Those with known outputs.
    pub with_outputs: usize,
    /// The first ones.
    pub first: Vec<ProgramExample>,
    /// What of the source is no example.
    pub diagnostics: Vec<Diagnostic>,
}

/// What to optimise, and how.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptimizeParams {
    /// An id for the run, by which its events are told and by which it is stopped; a fresh one without it.
    #[serde(default)]
    pub run: Option<RunId>,
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The `dspy_module`, by path or name.
    pub artifact: String,
    /// Id of an optimiser of `program/manifest`.
    pub optimizer: String,
    /// The optimiser's settings.
    #[serde(default)]
    pub options: Map<String, Value>,
    /// How predictions are judged; by the artifact's assertions without it, or by the first output if it has none.
    #[serde(default)]
    pub metric: Option<Metric>,
    /// Examples.
    pub source: ExampleSource,
    /// Share of the examples that is only judged by, 0 to 0.9; 0.3 without it.
    #[serde(default)]
    pub held_out: Option<f64>,
    /// Seed of everything random; 1 without it.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Most questions to models.
    #[serde(default)]
    pub calls: Option<u64>,
    /// The model; the default without it.
    #[serde(default)]
    pub model: Option<ModelRef>,
    /// What it may use.
    #[serde(default)]
    pub limits: Limits,
}

/// What became of an optimisation.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OptimizeOutcome {
    /// The run that it was; its one trace has every question and answer.
    pub run: RunOutcome,
    /// What it proposes; none if it failed, was stopped, or found nothing but what is there.
    pub proposal: Option<Proposal>,
    /// What of the examples was left out.
    pub diagnostics: Vec<Diagnostic>,
}

/// An artifact whose state another version of DSPy made.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Outdated {
    pub skill: Slug,
    pub title: String,
    /// Where it lives.
    pub scope: Scope,
    /// The artifact's name.
    pub artifact: String,
    pub path: SkillPath,
    /// The version that made its state; none if the state doesn't say.
    pub dspy: Option<String>,
    /// Whether an accepted proposal says how to do it again.
    pub again: bool,
}

/// States of other versions of DSPy. They go on working.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OutdatedList {
    /// DSPy's version here.
    pub dspy: String,
    /// What could be optimised again.
    pub artifacts: Vec<Outdated>,
}

/// Names an artifact to optimise again.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgainParams {
    /// An id for the run; a fresh one without it.
    #[serde(default)]
    pub run: Option<RunId>,
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The artifact, by path or name.
    pub artifact: String,
    /// The model; the default without it.
    #[serde(default)]
    pub model: Option<ModelRef>,
    /// What it may use.
    #[serde(default)]
    pub limits: Limits,
}
