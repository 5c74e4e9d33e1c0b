use std::io;
use std::path::PathBuf;

use inklings_core::StorageError;
use inklings_rpc::{Code, Failure};

#[derive(Debug, thiserror::Error)]
pub(crate) enum TraceError {
    #[error("there is no such trace")]
    NotFound,
    #[error("there is already a file {}", .0.display())]
    FileExists(PathBuf),
    #[error("{} can't be written: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        let message = error.to_string();
        match error {
            TraceError::NotFound => {
                Self::new(Code::NotFound, message).hint("old traces are removed; `trace list` shows those that are kept")
            }
            TraceError::FileExists(_) => Self::new(Code::Exists, message).hint("choose another file, or replace it"),
            TraceError::Write { .. } => Self::new(Code::Io, message).hint("choose another file"),
            TraceError::Storage(error) => error.into(),
        }
    }
}
