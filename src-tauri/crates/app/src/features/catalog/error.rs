use std::path::PathBuf;

use inklings_core::Slug;
use inklings_folder::package::PackError;
use inklings_rpc::{Code, Failure};

use crate::editing::{EditError, from_save_errors};
use crate::features::skill::{LifecycleError, ValueError, WriteError};
use crate::wire::PartialFailure;

#[derive(Debug, thiserror::Error)]
pub(crate) enum CatalogError {
    #[error("content and instructions are the same field, and have different texts")]
    TwoTexts,
    #[error("{name:?} can't be the name of a skill: {why}")]
    Name { name: String, why: String },
    #[error("skill {0} already exists")]
    Exists(Slug),
    #[error("{0} can't be the name of a skill: it is an address of the server")]
    Reserved(Slug),
    #[error("nothing to change was given")]
    NothingToChange,
    #[error("{} is a link, which may lead out of the workspace", .0.display())]
    Link(PathBuf),
    #[error("the workspace has no folder .cortex/skills")]
    NoSharedFolder,
    #[error(transparent)]
    Values(#[from] ValueError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Lifecycle(#[from] LifecycleError),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    Pack(#[from] PackError),
}

from_save_errors!(CatalogError);

impl From<CatalogError> for Failure {
    fn from(error: CatalogError) -> Self {
        let message = error.to_string();
        match error {
            CatalogError::TwoTexts => Self::invalid(message).hint("send one of them"),
            CatalogError::Name { .. } => Self::invalid(message).hint("use lowercase letters, digits and hyphens"),
            CatalogError::Reserved(_) => Self::invalid(message).hint("choose another name"),
            CatalogError::Exists(_) => Self::new(Code::Exists, message).hint("choose another name, or change that skill"),
            CatalogError::NothingToChange => Self::invalid(message).hint("set at least one value"),
            CatalogError::Link(_) => Self::new(Code::Forbidden, message).hint("replace the link with a folder"),
            CatalogError::NoSharedFolder => Self::new(Code::NotFound, message).hint("put skill folders there first"),
            CatalogError::Values(error) => error.into(),
            CatalogError::Write(error) => error.into(),
            CatalogError::Lifecycle(error) => error.into(),
            CatalogError::Edit(error) => error.into(),
            CatalogError::Pack(error) => error.into(),
        }
    }
}

impl From<CatalogError> for PartialFailure {
    fn from(error: CatalogError) -> Self {
        Failure::from(error).into()
    }
}
