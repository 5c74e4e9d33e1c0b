use std::path::PathBuf;

use inklings_core::{Slug, StorageError};
use inklings_folder::DiskError;
use inklings_folder::package::PackError;
use inklings_rpc::{Code, Failure};

/// Why nothing is exported, or one of several skills isn't.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExportError {
    #[error("{} is no absolute path", .0.display())]
    RelativePath(PathBuf),
    #[error("no folder to write into was given")]
    NoFolder,
    /// A skill of the workspace may have the name of one of the account.
    #[error("another skill with the name {0} goes there")]
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
            ExportError::RelativePath(_) => Self::invalid(message).hint("give the whole path of a folder"),
            ExportError::NoFolder => Self::invalid(message).hint("give `out`, or look only with `dry_run`"),
            ExportError::SameName(_) => Self::new(Code::Exists, message).hint("export one of them into another folder"),
            ExportError::Pack(error) => error.into(),
            ExportError::Disk(error) => error.into(),
            ExportError::Storage(error) => error.into(),
        }
    }
}
