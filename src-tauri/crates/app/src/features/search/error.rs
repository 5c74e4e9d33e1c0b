use inklings_core::StorageError;
use inklings_rpc::{Code, Failure};

#[derive(Debug, thiserror::Error)]
pub(crate) enum SearchError {
    #[error("the message is empty")]
    Empty,
    #[error("canceled")]
    Cancelled,
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Empty => Self::invalid(error.to_string()).hint("enter what you would ask an agent"),
            SearchError::Cancelled => Self::new(Code::Cancelled, error.to_string()),
            SearchError::Storage(error) => error.into(),
        }
    }
}
