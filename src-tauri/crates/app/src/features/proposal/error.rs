use inklings_core::edit::SaveError;
use inklings_core::proposal::ProposalStatus;
use inklings_core::{ProposalId, SkillPath, StorageError};
use inklings_rpc::{Code, Failure};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ProposalError {
    #[error("there is no proposal {0}")]
    NotFound(ProposalId),
    #[error("the proposal was {} already", .0.as_str())]
    Decided(ProposalStatus),
    #[error("the proposal can't be read: {0}")]
    Unreadable(#[source] serde_json::Error),
    #[error(transparent)]
    Unserializable(serde_json::Error),
    #[error("the proposal names no artifact")]
    NoArtifact,
    #[error("the skill has no artifact {0} any more")]
    ArtifactRemoved(SkillPath),
    #[error("{0} was changed since this was proposed")]
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
            ProposalError::NotFound(_) => Self::new(Code::NotFound, message).hint("`proposal list` shows them"),
            ProposalError::Decided(_) => Self::new(Code::RevisionConflict, message).hint("reload the list"),
            ProposalError::Unreadable(_) => Self::invalid(message).hint("optimise again"),
            ProposalError::Unserializable(_) => Self::new(Code::Internal, message),
            ProposalError::NoArtifact => Self::invalid(message),
            ProposalError::ArtifactRemoved(_) => Self::new(Code::NotFound, message).hint("reject the proposal"),
            ProposalError::Stale(_) => Self::new(Code::RevisionConflict, message).hint("reject it and optimise again"),
            ProposalError::NotRecorded(error) => {
                Self::from(*error).hint("the skill has the new state: accept the proposal once more to record that")
            }
            ProposalError::Save(error) => error.into(),
            ProposalError::Storage(error) => error.into(),
        }
    }
}
