use inklings_core::edit::Conflict;
use inklings_rpc::Failure;

use crate::editing::{EditError, from_save_errors};

/// Why a skill isn't created or its files aren't changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    #[error("the name is empty")]
    NoName,
    #[error("{} was changed elsewhere since it was opened", .conflict.path)]
    Conflict {
        conflict: Box<Conflict>,
        /// Whether all refused texts are drafts now.
        is_in_drafts: bool,
    },
    #[error(transparent)]
    Edit(#[from] EditError),
}

from_save_errors!(WriteError);

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::NoName => Self::invalid(error.to_string()).hint("enter a name"),
            WriteError::Conflict { conflict, is_in_drafts } => {
                let draft = if is_in_drafts { "your text is saved as a draft" } else { "copy your text first, since it isn't saved" };
                Self::conflict(&conflict).hint(format!("compare both versions and keep one, or merge them; {draft}"))
            }
            WriteError::Edit(error) => error.into(),
        }
    }
}
