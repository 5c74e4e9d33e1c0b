//! Proposals: what was found for a skill and waits for a person's decision. Nothing changes before it is accepted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::change::{ChangeSet, Expected};
use crate::id::{ProposalId, SkillId};
use crate::path::SkillPath;
use crate::ports::StorageError;
use crate::skill::text_enum;
use crate::time::Time;
use crate::trace::TracedSkill;

text_enum! {
    /// Where a proposal comes from.
    ProposalKind {
        /// The Composer wrote it.
        Composer = "composer",
        /// An optimisation found it.
        Optimisation = "optimisation",
        /// It was learned from what ran.
        Learned = "learned",
        /// Two skills in one.
        Merge = "merge",
    }
}

text_enum! {
    /// What became of a proposal.
    ProposalStatus {
        /// It waits.
        Open = "open",
        /// It was taken: there is a revision of it.
        Accepted = "accepted",
        /// It was turned down.
        Rejected = "rejected",
    }
}

/// A proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Proposal {
    /// Id.
    pub id: ProposalId,
    /// Where it comes from.
    #[serde(rename = "proposal_kind")]
    pub kind: ProposalKind,
    /// Folder of the workspace that the skill was seen from; empty without one.
    pub workspace: String,
    /// The skill, with the revision that it was made from.
    #[serde(flatten)]
    pub skill: TracedSkill,
    /// The artifact that it is about.
    pub artifact_path: Option<SkillPath>,
    /// What it proposes, for people.
    pub title: String,
    /// What became of it.
    pub status: ProposalStatus,
    /// What its kind says about it.
    pub body: Value,
    /// The revision that accepting it made.
    pub revision: Option<i64>,
    /// When it was made.
    pub created_at: Time,
    /// When someone decided.
    pub decided_at: Option<Time>,
}

/// A decision about a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision<'a> {
    /// [`ProposalStatus::Accepted`] or [`ProposalStatus::Rejected`].
    pub status: ProposalStatus,
    /// The revision that it made, when accepted.
    pub revision: Option<i64>,
    /// Who decided.
    pub actor: &'a str,
    pub reason: Option<&'a str>,
}

/// Who accepted a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Approval<'a> {
    pub actor: &'a str,
    pub reason: Option<&'a str>,
}

/// Which proposals are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProposalFilter {
    /// Of this workspace and of the account; of the account alone with an empty text; all without it.
    pub workspace: Option<String>,
    /// Only of this skill.
    pub skill: Option<SkillId>,
    /// Only those that stand so.
    pub status: Option<ProposalStatus>,
}

/// Storage of proposals, in the account's database. Calls block.
pub trait Proposals: Send + Sync {
    /// Keeps a new one.
    fn put_proposal(&self, proposal: &Proposal) -> Result<(), StorageError>;
    fn proposal(&self, id: ProposalId) -> Result<Option<Proposal>, StorageError>;
    /// How many there are.
    fn count_proposals(&self, filter: &ProposalFilter) -> Result<usize, StorageError>;
    /// Newest first.
    fn proposals(&self, filter: &ProposalFilter) -> Result<Vec<Proposal>, StorageError>;
    /// Records a decision about an open one, and its approval. False when it isn't open any more: someone was faster.
    fn decide(&self, id: ProposalId, decision: &Decision<'_>) -> Result<bool, StorageError>;
    /// Stores writes of the account's skills and the acceptance of an open proposal with its approval, in one transaction. Returns the
    /// new revisions' numbers, in order; the last one is recorded with the proposal. `NotFound` when it isn't open any more.
    fn accept(&self, id: ProposalId, approval: Approval<'_>, writes: &[(ChangeSet, Expected)]) -> Result<Vec<i64>, StorageError>;
}
