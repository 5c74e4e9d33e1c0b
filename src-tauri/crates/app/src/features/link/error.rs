use inklings_core::StorageError;
use inklings_links::LinkError;
use inklings_rpc::{Code, Failure};

use crate::editing::EditError;
use crate::workspace_manager::WorkspaceAccessError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum LinkFailure {
    #[error("{0} isn't linked to a folder")]
    NotLinked(String),
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    Access(#[from] WorkspaceAccessError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<LinkFailure> for Failure {
    fn from(error: LinkFailure) -> Self {
        let message = error.to_string();
        match error {
            LinkFailure::NotLinked(_) => Self::new(Code::NotFound, message).hint("link it to a folder first"),
            LinkFailure::Link(error) => match error {
                LinkError::Storage(error) => error.into(),
                LinkError::Io { .. } => Self::new(Code::Io, message).hint("check the disk and the permissions of the folder"),
                LinkError::Busy(_) => Self::new(Code::Busy, message).hint("wait until other programs are done, then try again"),
                LinkError::NotASkill { .. } => Self::invalid(message).hint("choose a folder with a SKILL.md"),
                LinkError::NotAFolder(_) => Self::invalid(message).hint("choose the folder that contains SKILL.md"),
                LinkError::NotUtf8(_) => Self::invalid(message).hint("rename the folder"),
                LinkError::LinkedElsewhere { .. } => Self::new(Code::Exists, message).hint("remove that link first"),
                LinkError::Locked(_) => Self::new(Code::Locked, message).hint("rename the skill in the folder, or delete the other one"),
            },
            LinkFailure::Edit(error) => error.into(),
            LinkFailure::Access(error) => error.into(),
            LinkFailure::Storage(error) => error.into(),
        }
    }
}
