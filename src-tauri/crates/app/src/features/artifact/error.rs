use inklings_core::edit::SaveError;
use inklings_core::{SkillPath, StorageError};
use inklings_folder::DeclareError;
use inklings_rpc::{Code, Failure};

use crate::editing::EditError;

/// Why a file isn't declared, or stays declared.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArtifactError {
    #[error("the artifact has no name")]
    NoName,
    #[error("there is already a file {0}")]
    PathTaken(SkillPath),
    #[error(transparent)]
    Declare(#[from] DeclareError),
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl From<StorageError> for ArtifactError {
    fn from(error: StorageError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<SaveError> for ArtifactError {
    fn from(error: SaveError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<ArtifactError> for Failure {
    fn from(error: ArtifactError) -> Self {
        let message = error.to_string();
        match error {
            ArtifactError::NoName => Self::invalid(message).hint("give it one"),
            ArtifactError::PathTaken(_) => Self::new(Code::Exists, message).hint("choose another path"),
            ArtifactError::Declare(error) => error.into(),
            ArtifactError::Edit(error) => error.into(),
        }
    }
}
