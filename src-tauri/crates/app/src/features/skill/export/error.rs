use std::path::PathBuf;

use inklings_core::{Slug, StorageError};
use inklings_folder::DiskError;
use inklings_folder::package::PackError;
use inklings_rpc::{Code, Failure};

/// Why nothing is exported, or one of several skills isn't.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExportError {
    #[error("{} isn't an absolute path", .0.display())]
    RelativePath(PathBuf),
    #[error("no target folder was given")]
    NoFolder,
    /// A skill of the workspace may have the name of one of the account.
    #[error("another exported skill is named {0}")]
    SameName(Slug),
    #[error(transparent)]
    Pack(#[from] PackError),
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        let message = error.to_string();
        match error {
            ExportError::RelativePath(_) => Self::invalid(message).hint("use an absolute path"),
            ExportError::NoFolder => Self::invalid(message).hint("choose a folder"),
            ExportError::SameName(_) => Self::new(Code::Exists, message).hint("export one of them into another folder"),
            ExportError::Pack(error) => error.into(),
            ExportError::Disk(error) => error.into(),
            ExportError::Storage(error) => error.into(),
        }
    }
}
