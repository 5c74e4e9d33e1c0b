use inklings_core::StorageError;
use inklings_folder::DiskError;
use inklings_rpc::{Code, Failure};

#[derive(Debug, thiserror::Error)]
pub(crate) enum PreviewError {
    #[error("there is no skill at {0}")]
    NoSkill(String),
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<PreviewError> for Failure {
    fn from(error: PreviewError) -> Self {
        match error {
            PreviewError::NoSkill(_) => Self::new(Code::NotFound, error.to_string()).hint("look again: it may have been moved"),
            PreviewError::Disk(error) => error.into(),
            PreviewError::Storage(error) => error.into(),
        }
    }
}
