use inklings_core::edit::SaveError;
use inklings_core::{Slug, StorageError};
use inklings_rpc::{Code, Failure, NextStep};

#[derive(Debug, thiserror::Error)]
pub(crate) enum EditError {
    #[error("the skill {0} is locked")]
    Locked(Slug),
    #[error("no workspace is open")]
    NoWorkspace,
    #[error("the workspace isn't trusted, so its files can't be copied to the account")]
    NotTrusted,
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
            EditError::NoWorkspace => Self::invalid(error.to_string()).hint("open a workspace, or use the account scope"),
            EditError::NotTrusted => Self::new(Code::NotTrusted, error.to_string()).next_step(NextStep::TrustWorkspace),
            EditError::Save(error) => error.into(),
        }
    }
}

/// Converts the errors of a save into `$error`, which has a variant `Edit(EditError)`.
macro_rules! from_save_errors {
    ($error:ty) => {
        impl From<inklings_core::StorageError> for $error {
            fn from(error: inklings_core::StorageError) -> Self {
                Self::Edit(error.into())
            }
        }

        impl From<inklings_core::edit::SaveError> for $error {
            fn from(error: inklings_core::edit::SaveError) -> Self {
                Self::Edit(error.into())
            }
        }
    };
}
pub(crate) use from_save_errors;
