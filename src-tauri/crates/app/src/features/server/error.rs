use std::io;
use std::path::PathBuf;

use inklings_core::StorageError;
use inklings_rpc::{Code, Failure};

use crate::workspace_manager::WorkspaceAccessError;

#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error("this program can't start a server")]
    Unavailable,
    #[error("port {0} is in use by another program")]
    PortInUse(u16),
    #[error("no permission to use port {0}")]
    PortDenied(u16),
    #[error("the server already runs for {}", describe(.0.as_ref()))]
    OtherWorkspace(Option<PathBuf>),
    #[error("can't listen on port {port}: {error}")]
    Listen { port: u16, error: io::Error },
    #[error("can't create the server's token file: {0}")]
    TokenFile(String),
    #[error(transparent)]
    Workspace(#[from] WorkspaceAccessError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

fn describe(workspace: Option<&PathBuf>) -> String {
    workspace.map_or_else(|| "your account".to_owned(), |path| path.display().to_string())
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Self {
        let message = error.to_string();
        match error {
            ServerError::Unavailable => Self::new(Code::NotInstalled, message).hint("use the desktop app"),
            ServerError::PortInUse(_) => Self::new(Code::Busy, message).hint("choose another port, or 0 for any free one"),
            ServerError::PortDenied(_) => Self::invalid(message).hint("choose a port above 1023, or 0 for any free one"),
            ServerError::OtherWorkspace(_) => Self::new(Code::Busy, message).hint("stop it first"),
            ServerError::Listen { .. } => Self::new(Code::Io, message).hint("choose another port"),
            ServerError::TokenFile(_) => Self::new(Code::Io, message).hint("check the permissions of the account's folder"),
            ServerError::Workspace(error) => error.into(),
            ServerError::Storage(error) => error.into(),
        }
    }
}
