use inklings_core::Slug;
use inklings_rpc::{Code, Failure};

use crate::editing::{EditError, from_save_errors};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ForkError {
    #[error("{0} isn't a copy of a skill that is still there")]
    NotAFork(Slug),
    #[error("{0} has all changes of its original")]
    UpToDate(Slug),
    #[error(transparent)]
    Edit(#[from] EditError),
}

from_save_errors!(ForkError);

impl From<ForkError> for Failure {
    fn from(error: ForkError) -> Self {
        let message = error.to_string();
        match error {
            ForkError::NotAFork(_) => Self::invalid(message).hint("choose a skill that was duplicated from another one"),
            ForkError::UpToDate(_) => Self::new(Code::NotFound, message).hint("nothing needs to be done"),
            ForkError::Edit(error) => error.into(),
        }
    }
}
