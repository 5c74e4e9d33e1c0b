use std::io;

use inklings_rpc::{Code, Failure};

#[derive(Debug, thiserror::Error)]
pub(crate) enum PathError {
    #[error("the path is empty or has a NUL character")]
    Malformed,
    #[error("the home folder is unknown")]
    NoHome,
    #[error("{path}: {source}")]
    NotAbsolute { path: String, source: io::Error },
}

impl From<PathError> for Failure {
    fn from(error: PathError) -> Self {
        let message = error.to_string();
        match error {
            PathError::Malformed => Self::invalid(message).hint("enter the path of a folder"),
            PathError::NoHome => Self::new(Code::Io, message).hint("set HOME, or enter an absolute path"),
            PathError::NotAbsolute { .. } => Self::new(Code::Io, message).hint("enter an absolute path"),
        }
    }
}
