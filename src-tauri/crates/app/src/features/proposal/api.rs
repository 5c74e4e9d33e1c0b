//! Parameters and results of `proposal/*`.

use inklings_core::program::{Metric, PredictorState, ProgramExample, Scores, StoppedBy};
use inklings_core::proposal::ProposalStatus;
use inklings_core::trace::Usage;
use inklings_core::{Proposal, ProposalId, RunId};
use inklings_runtime::Limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The `body` of an optimization's proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OptimizationBody {
    /// The run that made it. Its trace has every model call.
    pub run: RunId,
    /// Name of the artifact.
    pub artifact: String,
    /// Hash of the artifact's text. The proposal is stale if the text has another one.
    pub content_sha256: String,
    /// Hash of the state before the optimization. Null if there was none.
    pub state_sha256: Option<String>,
    pub optimizer: String,
    /// Settings of the optimizer.
    pub options: Map<String, Value>,
    pub metric: Metric,
    /// Random seed.
    pub seed: u64,
    pub dspy: Option<String>,
    pub model: Option<String>,
    /// Average scores over the trainset.
    pub train: Scores,
    /// Average scores over the valset.
    pub held_out: Option<Scores>,
    /// Set if it ended early.
    pub stopped: Option<StoppedBy>,
    /// Instructions and demos before.
    pub before: Vec<PredictorState>,
    /// Proposed instructions and demos.
    pub after: Vec<PredictorState>,
    /// The proposed compiled state.
    pub state_blob: Value,
    /// The trainset, so that it can be optimized again.
    pub training_data: Vec<ProgramExample>,
    /// The valset.
    pub held_out_data: Vec<ProgramExample>,
    /// Limit of model calls.
    #[serde(default)]
    pub calls: Option<u64>,
    #[serde(default)]
    pub limits: Limits,
    #[serde(flatten)]
    pub usage: Usage,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalListParams {
    /// List only proposals for this skill: ID, slug or title.
    #[serde(default)]
    pub skill: Option<String>,
    /// List only proposals with this status.
    #[serde(default)]
    pub status: Option<ProposalStatus>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ProposalList {
    /// Of the open workspace and the account, newest first.
    pub proposals: Vec<Proposal>,
    /// Number of open proposals, regardless of the filter.
    pub open: usize,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalRef {
    pub id: ProposalId,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideParams {
    pub id: ProposalId,
    #[serde(default)]
    pub reason: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AcceptedProposal {
    /// The changed skill: a fork if the original is locked.
    pub skill: String,
    pub revision: i64,
    pub forked: bool,
}
