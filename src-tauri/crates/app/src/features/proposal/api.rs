//! Parameters and results of `proposal/*`.

use inklings_core::chat::FileChange;
use inklings_core::program::{Metric, PredictorState, ProgramExample, Scores, StoppedBy};
use inklings_core::proposal::ProposalStatus;
use inklings_core::trace::Usage;
use inklings_core::{Diagnostic, Digest, MessageId, Proposal, ProposalId, RunId, Scope, SessionId, SkillPath};
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
    pub validation: Option<Scores>,
    /// Set if it ended early.
    pub stopped: Option<StoppedBy>,
    /// Instructions and demos before.
    pub before: Vec<PredictorState>,
    /// Proposed instructions and demos.
    pub after: Vec<PredictorState>,
    /// The proposed compiled state.
    pub state_blob: Value,
    /// The trainset, so that it can be optimized again.
    pub trainset: Vec<ProgramExample>,
    /// The valset.
    pub valset: Vec<ProgramExample>,
    /// Limit of model calls.
    #[serde(default)]
    pub calls: Option<u64>,
    #[serde(default)]
    pub limits: Limits,
    #[serde(flatten)]
    pub usage: Usage,
}

/// The `body` of a proposal of the Composer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CompositionBody {
    /// The chat it was made in.
    pub session: Option<SessionId>,
    /// The answers of that chat that made and revised it.
    #[serde(default)]
    pub answers: Vec<MessageId>,
    pub files: Vec<ProposedFile>,
    /// Hash of the files that it is based on. Null for a new skill.
    pub base_sha256: Option<Digest>,
    /// Set while its last version is invalid.
    #[serde(default)]
    pub invalid: Option<InvalidVersions>,
    /// Set if it merges an update of the original into a copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<OriginalRevision>,
}

/// A revision of the skill that another one was duplicated from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OriginalRevision {
    pub revision: i64,
    pub version: String,
    /// Hash of its files. Null if an older version stored it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Digest>,
}

/// How often a model got a proposal wrong in one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InvalidVersions {
    pub answer: MessageId,
    /// In a row.
    pub count: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedFile {
    pub path: SkillPath,
    /// The whole text. Null deletes the file.
    pub content: Option<String>,
    /// Whether the user edited it.
    #[serde(default)]
    pub edited: bool,
    /// Whether it has both versions of lines that the skill and the proposal changed differently, between markers.
    #[serde(default)]
    pub conflict: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReviewedFile {
    #[serde(flatten)]
    pub change: FileChange,
    /// Whether the user edited it.
    pub edited: bool,
    /// Whether it has conflicts, which prevent accepting it.
    pub conflict: bool,
}

/// A proposal of the Composer, compared with the files that it is based on.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ProposalReview {
    pub proposal: Proposal,
    /// The chat it was made in, if that still exists.
    pub session: Option<SessionId>,
    pub new_skill: bool,
    pub files: Vec<ReviewedFile>,
    /// What the validator says about the proposed files and not about the present ones. Errors prevent accepting it.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the skill was changed or deleted after the proposal was made. It can't be accepted until it is merged with the skill.
    pub stale: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WrapPromptParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Path or name of a prompt template. [default: the first one]
    #[serde(default)]
    pub prompt: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditProposalParams {
    pub id: ProposalId,
    pub path: SkillPath,
    /// The whole text.
    pub content: String,
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

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptParams {
    pub id: ProposalId,
    #[serde(default)]
    pub reason: Option<String>,
    /// Accept the changes of these files only. [default: all]
    #[serde(default)]
    pub paths: Option<Vec<SkillPath>>,
    /// Scope of a new skill. [default: as proposed]
    #[serde(default)]
    pub scope: Option<Scope>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AcceptedProposal {
    /// The changed skill: a fork if the original is locked.
    pub skill: String,
    pub revision: i64,
    pub forked: bool,
}
