use inklings_core::binding::TargetError;
use inklings_core::pages::PagesError;
use inklings_core::{Slug, StorageError};
use inklings_rpc::{Code, Failure};

use crate::workspace_manager::WorkspaceAccessError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum ReferenceError {
    #[error("{0} isn't a file of this workspace")]
    NoSuchFile(String),
    #[error("{target} is already attached to {skill}")]
    AlreadyAttached { target: String, skill: Slug },
    #[error("{0} is a page, not a file")]
    IsPage(String),
    #[error("{0} is a web page, not a file")]
    IsAddress(String),
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error(transparent)]
    Pages(#[from] PagesError),
    #[error(transparent)]
    Access(#[from] WorkspaceAccessError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl ReferenceError {
    /// Whether the page or file is missing.
    pub(super) const fn is_missing_target(&self) -> bool {
        matches!(self, Self::NoSuchFile(_) | Self::Pages(PagesError::NotFound { .. }))
    }
}

impl From<ReferenceError> for Failure {
    fn from(error: ReferenceError) -> Self {
        let message = error.to_string();
        match error {
            ReferenceError::NoSuchFile(_) => Self::new(Code::NotFound, message).hint("check the path, which is relative to the workspace"),
            ReferenceError::AlreadyAttached { .. } => Self::new(Code::Exists, message),
            ReferenceError::IsPage(_) => Self::invalid(message).hint("open it as a page"),
            ReferenceError::IsAddress(_) => Self::invalid(message).hint("open it in a browser"),
            ReferenceError::Target(error) => error.into(),
            ReferenceError::Pages(error) => error.into(),
            ReferenceError::Access(error) => error.into(),
            ReferenceError::Storage(error) => error.into(),
        }
    }
}
