use inklings_core::StorageError;
use inklings_rpc::{Code, Failure};

use crate::workspace_manager::WorkspaceAccessError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum WorkspaceError {
    /// Nobody has seen what is in it, so there is no decision about it either.
    #[error("{0} isn't in the list of recent workspaces")]
    NeverOpened(String),
    #[error(transparent)]
    Access(#[from] WorkspaceAccessError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<WorkspaceError> for Failure {
    fn from(error: WorkspaceError) -> Self {
        match error {
            WorkspaceError::NeverOpened(_) => Self::new(Code::NotFound, error.to_string()).hint("open the folder first"),
            WorkspaceError::Access(error) => error.into(),
            WorkspaceError::Storage(error) => error.into(),
        }
    }
}
