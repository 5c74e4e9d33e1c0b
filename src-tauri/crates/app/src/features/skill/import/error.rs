use std::path::PathBuf;

use inklings_core::{Slug, StorageError};
use inklings_folder::DiskError;
use inklings_rpc::{Code, Failure};

use crate::editing::EditError;

/// Why an import ends before anything is stored, or before all of it is.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ImportError {
    #[error("skills can only be overridden in a workspace")]
    NoWorkspaceToOverride,
    #[error("the source has {0} skills")]
    SeveralUpdates(usize),
    #[error("{} doesn't contain the skill {slug} any more", .list.display())]
    NotInList { slug: Slug, list: PathBuf },
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error(transparent)]
    Storage(#[from] StorageError),
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::NoWorkspaceToOverride => Self::invalid(error.to_string()).hint("open a workspace, or keep both"),
            ImportError::SeveralUpdates(_) => Self::invalid(error.to_string()).hint("import them, and choose what to do with each"),
            ImportError::NotInList { .. } => {
                Self::new(Code::NotFound, error.to_string()).hint("if it has another name there now, import it under that name")
            }
            ImportError::Disk(error) => error.into(),
            ImportError::Storage(error) => error.into(),
            ImportError::Edit(error) => error.into(),
        }
    }
}
