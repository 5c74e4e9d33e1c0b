use inklings_core::StorageError;
use inklings_rpc::Failure;

use super::api::MAX_NAME_CHARS;

/// Why an input isn't saved.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error("the name of the input is longer than {MAX_NAME_CHARS} characters")]
    NameTooLong,
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        match error {
            InputError::NameTooLong => Self::invalid(error.to_string()).hint("choose a shorter name"),
            InputError::Storage(error) => error.into(),
        }
    }
}
