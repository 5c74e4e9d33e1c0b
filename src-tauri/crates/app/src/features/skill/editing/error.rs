use inklings_core::StorageError;
use inklings_core::edit::{Conflict, SaveError};
use inklings_rpc::Failure;

use crate::editing::EditError;

/// Why a skill isn't created or its files aren't changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    #[error("the name is empty")]
    NoName,
    #[error("{} was changed elsewhere since it was opened", .conflict.path)]
    Conflict {
        conflict: Box<Conflict>,
        /// Whether every refused text is in a draft now.
        kept: bool,
    },
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl From<StorageError> for WriteError {
    fn from(error: StorageError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<SaveError> for WriteError {
    fn from(error: SaveError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::NoName => Self::invalid(error.to_string()).hint("give the skill a name"),
            WriteError::Conflict { conflict, kept } => {
                let draft = if kept { "your text is kept as a draft" } else { "copy your text first, it isn't kept" };
                Self::conflict(&conflict).hint(format!("compare both and keep one, or merge them; {draft}"))
            }
            WriteError::Edit(error) => error.into(),
        }
    }
}
