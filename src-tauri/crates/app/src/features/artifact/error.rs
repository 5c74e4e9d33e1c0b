use inklings_core::SkillPath;
use inklings_folder::DeclareError;
use inklings_rpc::{Code, Failure};

use crate::editing::{EditError, from_save_errors};

/// Why a file isn't declared, or stays declared.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArtifactError {
    #[error("the artifact has no name")]
    NoName,
    #[error("the file {0} already exists")]
    PathExists(SkillPath),
    #[error(transparent)]
    Declare(#[from] DeclareError),
    #[error(transparent)]
    Edit(#[from] EditError),
}

from_save_errors!(ArtifactError);

impl From<ArtifactError> for Failure {
    fn from(error: ArtifactError) -> Self {
        let message = error.to_string();
        match error {
            ArtifactError::NoName => Self::invalid(message).hint("enter a name"),
            ArtifactError::PathExists(_) => Self::new(Code::Exists, message).hint("choose another path"),
            ArtifactError::Declare(error) => error.into(),
            ArtifactError::Edit(error) => error.into(),
        }
    }
}
