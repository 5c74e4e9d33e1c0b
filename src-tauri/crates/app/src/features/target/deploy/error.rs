use inklings_core::SkillPath;
use inklings_folder::DiskError;
use inklings_links::LinkError;
use inklings_rpc::{Code, Failure};

use crate::editing::{EditError, from_save_errors};
use crate::features::kit::KitError;
use crate::wire::PartialFailure;
use crate::workspace_manager::WorkspaceAccessError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum TargetError {
    #[error("target {0:?} not found")]
    NoSuchTarget(String),
    #[error("no folder of an agent exists for skills of the {0}")]
    NoFolder(inklings_core::Scope),
    #[error("{0} doesn't exist")]
    MissingFolder(String),
    #[error("{0} leads out of the workspace")]
    OutsideWorkspace(String),
    #[error("the copy {0} changed meanwhile")]
    Changed(String),
    #[error("{0} has other files, which were kept")]
    OthersLeft(String),
    #[error("no edited copy of {0} found")]
    NotEdited(String),
    #[error("several copies of {0} were edited")]
    SeveralEdited(String),
    #[error("no copy of {0} was deployed")]
    NotDeployed(String),
    #[error("the copy has files that a skill can't have")]
    Unreadable,
    #[error("{0} isn't a conflicting file")]
    NotInConflict(SkillPath),
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error(transparent)]
    Kit(#[from] KitError),
    #[error(transparent)]
    Access(#[from] WorkspaceAccessError),
    #[error(transparent)]
    Edit(EditError),
}

from_save_errors!(TargetError);

impl From<EditError> for TargetError {
    fn from(error: EditError) -> Self {
        Self::Edit(error)
    }
}

impl From<TargetError> for Failure {
    fn from(error: TargetError) -> Self {
        let message = error.to_string();
        match error {
            TargetError::NoSuchTarget(_) => Self::new(Code::NotFound, message).hint("use the ID of an agent or the path of its folder"),
            TargetError::NoFolder(_) => Self::new(Code::NotFound, message).hint("choose an agent, and create its folder"),
            TargetError::MissingFolder(_) => Self::new(Code::NotFound, message).hint("create the folder"),
            TargetError::OutsideWorkspace(_) => Self::invalid(message).hint("replace the link by a folder"),
            TargetError::Changed(_) => Self::new(Code::Exists, message).hint("check the copy, then try again"),
            TargetError::OthersLeft(_) => Self::new(Code::Exists, message).hint("delete the folder yourself if you don't need them"),
            TargetError::NotEdited(_) | TargetError::NotDeployed(_) => {
                Self::new(Code::NotFound, message).hint("check the skill and the target")
            }
            TargetError::SeveralEdited(_) => Self::invalid(message).hint("choose the target to update from"),
            TargetError::Unreadable => Self::invalid(message).hint("remove links and large files from the copy"),
            TargetError::NotInConflict(_) => Self::invalid(message).hint("choose a version of conflicting files only"),
            TargetError::Disk(error) => error.into(),
            TargetError::Link(error) => crate::features::link::LinkFailure::from(error).into(),
            TargetError::Kit(error) => error.into(),
            TargetError::Access(error) => error.into(),
            TargetError::Edit(error) => error.into(),
        }
    }
}

impl From<TargetError> for PartialFailure {
    fn from(error: TargetError) -> Self {
        Failure::from(error).into()
    }
}
