use inklings_core::{SkillPath, Slug, StorageError};
use inklings_rpc::{Code, Failure};

use crate::editing::{EditError, from_save_errors};

/// Why a search has no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TextSearchError {
    #[error("canceled")]
    Cancelled,
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<TextSearchError> for Failure {
    fn from(error: TextSearchError) -> Self {
        match error {
            TextSearchError::Cancelled => Self::new(Code::Cancelled, error.to_string()),
            TextSearchError::Storage(error) => error.into(),
        }
    }
}

/// Why nothing is replaced in a skill.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplaceError {
    #[error("{0} was changed since the search")]
    ChangedSince(Slug),
    #[error("{path} of {slug} has unsaved changes")]
    UnsavedDraft { slug: Slug, path: SkillPath },
    #[error(transparent)]
    Edit(#[from] EditError),
}

from_save_errors!(ReplaceError);

impl From<ReplaceError> for Failure {
    fn from(error: ReplaceError) -> Self {
        match error {
            ReplaceError::ChangedSince(_) => Self::new(Code::RevisionConflict, error.to_string()).hint("search again"),
            ReplaceError::UnsavedDraft { slug, path } => Self::unsaved_draft(slug.as_str(), &path, "search again"),
            ReplaceError::Edit(error) => error.into(),
        }
    }
}
