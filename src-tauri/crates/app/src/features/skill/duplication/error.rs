use inklings_core::{Scope, Slug, StorageError};
use inklings_rpc::{Code, Failure};

use crate::editing::EditError;
use crate::features::link::LinkFailure;
use crate::wire::PartialFailure;

/// Why a skill doesn't move to the other scope.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MoveError {
    #[error("{slug} is already in the {scope}")]
    SameScope { slug: Slug, scope: Scope },
    #[error("the {scope} already has a skill {slug}")]
    NameTaken { slug: Slug, scope: Scope },
    #[error(transparent)]
    Link(#[from] LinkFailure),
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl From<StorageError> for MoveError {
    fn from(error: StorageError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<MoveError> for Failure {
    fn from(error: MoveError) -> Self {
        let message = error.to_string();
        match error {
            MoveError::SameScope { .. } => Self::invalid(message),
            MoveError::NameTaken { .. } => Self::new(Code::Exists, message).hint("rename or delete one of them first"),
            MoveError::Link(error) => error.into(),
            MoveError::Edit(error) => error.into(),
        }
    }
}

impl From<MoveError> for PartialFailure {
    fn from(error: MoveError) -> Self {
        Failure::from(error).into()
    }
}
