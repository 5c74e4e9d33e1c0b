use inklings_core::StorageError;
use inklings_folder::DiskError;
use inklings_rpc::{Code, Failure};

#[derive(Debug, thiserror::Error)]
pub(crate) enum PreviewError {
    #[error("no skill found at {0}")]
    NoSkill(String),
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<PreviewError> for Failure {
    fn from(error: PreviewError) -> Self {
        match error {
            PreviewError::NoSkill(_) => Self::new(Code::NotFound, error.to_string()).hint("check whether it was moved or deleted"),
            PreviewError::Disk(error) => error.into(),
            PreviewError::Storage(error) => error.into(),
        }
    }
}
