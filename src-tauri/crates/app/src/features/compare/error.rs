use inklings_core::StorageError;
use inklings_rpc::Failure;

use crate::agent_copies::CopyError;

/// Why two versions can't be compared.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CompareError {
    #[error("a copy in a folder has no revisions")]
    RevisionOfCopy,
    #[error(transparent)]
    Copy(#[from] CopyError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Self {
        match error {
            CompareError::RevisionOfCopy => Self::invalid(error.to_string()).hint("choose either the copy or a revision"),
            CompareError::Copy(error) => error.into(),
            CompareError::Storage(error) => error.into(),
        }
    }
}
