use inklings_core::StorageError;
use inklings_rpc::{Code, Failure};

use super::service::{MAX_DAYS, MAX_NAME_CHARS};

/// The system gives no random numbers.
#[derive(Debug, thiserror::Error)]
#[error("no random numbers: {0}")]
pub struct RandomError(pub(super) getrandom::Error);

#[derive(Debug, thiserror::Error)]
pub(crate) enum TokenError {
    #[error("{0:?} can't be the name of a token")]
    Name(String),
    #[error("a token can't expire after {0} days")]
    Days(u32),
    #[error("token {0:?} not found")]
    NotFound(String),
    #[error(transparent)]
    Random(#[from] RandomError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<TokenError> for Failure {
    fn from(error: TokenError) -> Self {
        let message = error.to_string();
        match error {
            TokenError::Name(_) => {
                Self::invalid(message).hint(format!("use up to {MAX_NAME_CHARS} letters, digits, spaces, dots, hyphens and underscores"))
            }
            TokenError::Days(_) => Self::invalid(message).hint(format!("use 1 to {MAX_DAYS} days, or leave it out")),
            TokenError::NotFound(_) => Self::new(Code::NotFound, message).hint("list the tokens"),
            TokenError::Random(_) => Self::new(Code::Io, message).hint("check the system"),
            TokenError::Storage(error) => error.into(),
        }
    }
}
