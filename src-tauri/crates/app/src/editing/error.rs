use inklings_core::edit::SaveError;
use inklings_core::{Slug, StorageError};
use inklings_rpc::Failure;

/// Why a skill isn't created or changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EditError {
    #[error("the skill {0} is locked")]
    Locked(Slug),
    #[error("no workspace is open")]
    NoWorkspace,
    #[error(transparent)]
    Save(#[from] SaveError),
}

impl From<StorageError> for EditError {
    fn from(error: StorageError) -> Self {
        Self::Save(SaveError::Storage(error))
    }
}

impl From<EditError> for Failure {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Locked(slug) => Self::locked(slug.as_str()),
            EditError::NoWorkspace => Self::invalid(error.to_string()).hint("open a folder, or use the account scope"),
            EditError::Save(error) => error.into(),
        }
    }
}
