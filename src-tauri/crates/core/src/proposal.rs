//! Proposals: changes of skills that wait for approval.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::change::{ChangeSet, Expected};
use crate::id::{ProposalId, SkillId};
use crate::path::SkillPath;
use crate::skill::text_enum;
use crate::storage_error::StorageError;
use crate::time::Time;
use crate::trace::TracedSkill;

text_enum! {
    /// The origin of a proposal.
    ProposalKind {
        /// Files of a skill, composed in a chat.
        Composer = "composer",
        /// An optimization.
        Optimisation = "optimisation",
        /// Learned from past runs.
        Learned = "learned",
        /// A merge of two skills.
        Merge = "merge",
    }
}

text_enum! {
    ProposalStatus {
        Open = "open",
        /// Applied as a revision.
        Accepted = "accepted",
        Rejected = "rejected",
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Proposal {
    pub id: ProposalId,
    #[serde(rename = "proposal_kind")]
    pub kind: ProposalKind,
    /// Folder of the workspace it was made in; empty for the account.
    pub workspace: String,
    /// The skill at the revision that the proposal is based on.
    #[serde(flatten)]
    pub skill: TracedSkill,
    pub artifact_path: Option<SkillPath>,
    pub title: String,
    pub status: ProposalStatus,
    /// Depends on the kind.
    pub body: Value,
    /// The revision that was made by accepting it.
    pub revision: Option<i64>,
    pub created_at: Time,
    pub decided_at: Option<Time>,
}

/// A decision about a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision<'a> {
    /// [`ProposalStatus::Accepted`] or [`ProposalStatus::Rejected`].
    pub status: ProposalStatus,
    /// The revision that was made, if accepted.
    pub revision: Option<i64>,
    pub actor: &'a str,
    pub reason: Option<&'a str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Approval<'a> {
    pub actor: &'a str,
    pub reason: Option<&'a str>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProposalFilter {
    /// Proposals of this workspace and the account, or of the account alone if empty. All if `None`.
    pub workspace: Option<String>,
    pub skill: Option<SkillId>,
    pub status: Option<ProposalStatus>,
    /// Without those of the account.
    pub without_account: bool,
}

/// What a person decided on something other than a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecordedDecision {
    #[serde(skip)]
    pub subject: String,
    pub approved: bool,
    pub actor: String,
    pub reason: Option<String>,
    pub decided_at: Time,
}

/// A record of what people decided, in the account's database. Calls block.
pub trait Approvals: Send + Sync {
    /// `subject` is what was decided on, such as a gate of a run.
    fn put_decision(&self, subject: &str, approved: bool, approval: Approval<'_>) -> Result<(), StorageError>;
    /// Decisions on subjects that start with `prefix`, in order.
    fn decisions(&self, prefix: &str) -> Result<Vec<RecordedDecision>, StorageError>;
}

/// Storage of proposals, in the account's database. A change compares what is stored with what the caller has read. Calls block.
pub trait Proposals: Send + Sync {
    fn put_proposal(&self, proposal: &Proposal) -> Result<(), StorageError>;
    /// Replaces the skill, the title and the body of an open proposal. Returns false if it is no longer as in `before`.
    fn update_proposal(&self, before: &Proposal, after: &Proposal) -> Result<bool, StorageError>;
    fn proposal(&self, id: ProposalId) -> Result<Option<Proposal>, StorageError>;
    fn count_proposals(&self, filter: &ProposalFilter) -> Result<usize, StorageError>;
    /// Newest first.
    fn proposals(&self, filter: &ProposalFilter) -> Result<Vec<Proposal>, StorageError>;
    /// Records the decision on an open proposal. Returns false if it was changed or decided since it was read.
    fn decide(&self, proposal: &Proposal, decision: &Decision<'_>) -> Result<bool, StorageError>;
    /// Stores writes to skills of the account and accepts an open proposal, in one transaction. Returns the numbers of the
    /// new revisions, in order; the last one is recorded with the proposal. Fails with `NotFound` if it was changed or decided since it was
    /// read.
    fn accept(&self, proposal: &Proposal, approval: Approval<'_>, writes: &[(ChangeSet, Expected)]) -> Result<Vec<i64>, StorageError>;
}
