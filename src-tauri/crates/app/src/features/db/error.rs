use inklings_rpc::{Code, Failure};

use crate::workspace_manager::WorkspaceAccessError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum DatabaseError {
    #[error("a run is in progress")]
    RunActive,
    #[error("{0} runs are in progress")]
    RunsActive(usize),
    #[error(transparent)]
    Access(#[from] WorkspaceAccessError),
}

impl From<DatabaseError> for Failure {
    fn from(error: DatabaseError) -> Self {
        let message = error.to_string();
        match error {
            DatabaseError::RunActive => Self::new(Code::Busy, message).hint("cancel it or wait until it has finished"),
            DatabaseError::RunsActive(_) => Self::new(Code::Busy, message).hint("cancel them or wait until they have finished"),
            DatabaseError::Access(error) => error.into(),
        }
    }
}
