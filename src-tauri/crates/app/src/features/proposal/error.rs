use inklings_core::edit::SaveError;
use inklings_core::proposal::ProposalStatus;
use inklings_core::{ProposalId, SkillPath, StorageError};
use inklings_rpc::{Code, Failure, NextStep};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ProposalError {
    #[error("proposal {0} not found")]
    NotFound(ProposalId),
    #[error("the proposal was already {}", .0.as_str())]
    Decided(ProposalStatus),
    #[error("the proposal can't be read: {0}")]
    Unreadable(#[source] serde_json::Error),
    #[error(transparent)]
    Unserializable(serde_json::Error),
    #[error("the proposal names no artifact")]
    NoArtifact,
    #[error("the skill no longer has the artifact {0}")]
    ArtifactRemoved(SkillPath),
    #[error("{0} was changed after this proposal was made")]
    Stale(String),
    /// The revision is stored, the decision isn't.
    #[error("{0}")]
    NotRecorded(#[source] Box<Self>),
    #[error(transparent)]
    Save(#[from] SaveError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<ProposalError> for Failure {
    fn from(error: ProposalError) -> Self {
        let message = error.to_string();
        match error {
            ProposalError::NotFound(_) => Self::new(Code::NotFound, message).next_step(NextStep::FindProposal),
            ProposalError::Decided(_) => Self::new(Code::RevisionConflict, message).hint("reload the proposals"),
            ProposalError::Unreadable(_) => Self::invalid(message).hint("optimize again"),
            ProposalError::Unserializable(_) => Self::new(Code::Internal, message),
            ProposalError::NoArtifact => Self::invalid(message),
            ProposalError::ArtifactRemoved(_) => Self::new(Code::NotFound, message).hint("reject the proposal"),
            ProposalError::Stale(_) => Self::new(Code::RevisionConflict, message).hint("reject it, then optimize again"),
            ProposalError::NotRecorded(error) => {
                Self::from(*error).hint("the skill has the new state; accept the proposal again to record the decision")
            }
            ProposalError::Save(error) => error.into(),
            ProposalError::Storage(error) => error.into(),
        }
    }
}
