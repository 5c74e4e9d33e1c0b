use std::io;

use inklings_rpc::{Code, Failure};

#[derive(Debug, thiserror::Error)]
pub(crate) enum PathError {
    #[error("the path is empty or has a NUL character")]
    Malformed,
    #[error("there is no home folder")]
    NoHome,
    #[error("{path}: {source}")]
    NotAbsolute { path: String, source: io::Error },
}

impl From<PathError> for Failure {
    fn from(error: PathError) -> Self {
        let message = error.to_string();
        match error {
            PathError::Malformed => Self::invalid(message).hint("type the path of a folder"),
            PathError::NoHome | PathError::NotAbsolute { .. } => Self::new(Code::Io, message),
        }
    }
}
