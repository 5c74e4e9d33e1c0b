use inklings_core::StorageError;
use inklings_rpc::{Code, Failure};

use super::service::MAX_NAME_CHARS;

#[derive(Debug, thiserror::Error)]
pub(crate) enum KitError {
    #[error("kit {0:?} not found")]
    NotFound(String),
    #[error("kit {0:?} already exists")]
    Exists(String),
    #[error("{0:?} can't be the name of a kit")]
    Name(String),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<KitError> for Failure {
    fn from(error: KitError) -> Self {
        let message = error.to_string();
        match error {
            KitError::NotFound(_) => Self::new(Code::NotFound, message).hint("check the name of the kit"),
            KitError::Exists(_) => Self::new(Code::Exists, message).hint("choose another name"),
            KitError::Name(_) => Self::invalid(message).hint(format!("use 1 to {MAX_NAME_CHARS} characters in one line")),
            KitError::Storage(error) => error.into(),
        }
    }
}
