//! Parameters and results of `proposal/*`.

use inklings_core::program::{Metric, PredictorState, ProgramExample, Scores, StoppedBy};
use inklings_core::proposal::ProposalStatus;
use inklings_core::trace::Usage;
use inklings_core::{Proposal, ProposalId, RunId};
use inklings_runtime::Limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What an optimisation proposes: the `body` of its proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OptimisationBody {
    /// The run that found it; its trace has every question and answer.
    pub run: RunId,
    /// The artifact's name.
    pub artifact: String,
    /// Hash of the artifact's text: another text is another program.
    pub content_sha256: String,
    /// Hash of the state that it started from; none without one.
    pub state_sha256: Option<String>,
    /// The optimiser.
    pub optimizer: String,
    /// Its settings.
    pub options: Map<String, Value>,
    /// How predictions were judged.
    pub metric: Metric,
    /// Seed of everything random.
    pub seed: u64,
    /// Version of DSPy.
    pub dspy: Option<String>,
    /// The model that was asked.
    pub model: Option<String>,
    /// Average scores over the training examples.
    pub train: Scores,
    /// Average scores over the held-out examples.
    pub held_out: Option<Scores>,
    /// Set when it ended early.
    pub stopped: Option<StoppedBy>,
    /// Instructions and demonstrations before.
    pub before: Vec<PredictorState>,
    /// Instructions and demonstrations that it proposes.
    pub after: Vec<PredictorState>,
    /// The state that it proposes.
    pub state_blob: Value,
    /// The examples that it learned from, to do it again.
    pub training_data: Vec<ProgramExample>,
    /// The examples that it was judged by.
    pub held_out_data: Vec<ProgramExample>,
    /// Most questions to models that it was given.
    #[serde(default)]
    pub calls: Option<u64>,
    /// What else it was given.
    #[serde(default)]
    pub limits: Limits,
    /// Tokens and cost.
    #[serde(flatten)]
    pub usage: Usage,
}

/// Which proposals to list.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalListParams {
    /// Only of this skill: id, slug or title.
    #[serde(default)]
    pub skill: Option<String>,
    /// Only those that stand so.
    #[serde(default)]
    pub status: Option<ProposalStatus>,
}

/// Proposals, newest first.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ProposalList {
    /// Those of the open workspace and of the account.
    pub proposals: Vec<Proposal>,
    /// How many wait for a decision, whatever was asked for.
    pub open: usize,
}

/// Names a proposal.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalRef {
    pub id: ProposalId,
}

/// A decision.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideParams {
    /// The proposal.
    pub id: ProposalId,
    /// Why.
    #[serde(default)]
    pub reason: Option<String>,
}

/// What accepting a proposal made.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Accepted {
    /// The skill that has it now: a fork where the original is locked.
    pub skill: String,
    pub revision: i64,
    /// Whether a fork was made for it.
    pub forked: bool,
}
