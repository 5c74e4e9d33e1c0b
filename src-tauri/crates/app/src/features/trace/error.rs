use std::io;
use std::path::PathBuf;

use inklings_core::StorageError;
use inklings_rpc::{Code, Failure, NextStep};

#[derive(Debug, thiserror::Error)]
pub(crate) enum TraceError {
    #[error("trace not found")]
    NotFound,
    #[error("the file {} already exists", .0.display())]
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
            TraceError::NotFound => Self::new(Code::NotFound, message).next_step(NextStep::FindRun),
            TraceError::FileExists(_) => Self::new(Code::Exists, message).hint("choose another file, or replace it"),
            TraceError::Write { .. } => Self::new(Code::Io, message).hint("choose another file"),
            TraceError::Storage(error) => error.into(),
        }
    }
}
