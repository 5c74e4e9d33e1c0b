use std::path::PathBuf;

use inklings_clients::{CLIENTS, ConfigError, FileError};
use inklings_rpc::{Code, Failure, NextStep};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ClientError {
    #[error("AI client {0:?} not found")]
    NoSuchClient(String),
    #[error("the home folder is unknown")]
    NoHome,
    #[error("no workspace is open")]
    NoWorkspace,
    #[error("the program inklings isn't installed")]
    NoProgram,
    #[error("unknown role {0:?}")]
    Role(String),
    #[error("{} has another server named inklings", .0.display())]
    Foreign(PathBuf),
    #[error(transparent)]
    File(#[from] FileError),
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        let message = error.to_string();
        match error {
            ClientError::NoSuchClient(_) => {
                let ids: Vec<_> = CLIENTS.iter().map(|client| client.id).collect();
                Self::new(Code::NotFound, message).hint(format!("use one of {}", ids.join(", ")))
            }
            ClientError::NoHome => Self::new(Code::NotFound, message).hint("set the environment variable HOME"),
            ClientError::NoWorkspace => Self::invalid(message).next_step(NextStep::OpenWorkspace),
            ClientError::NoProgram => Self::new(Code::NotInstalled, message).hint("install it in a folder of PATH"),
            ClientError::Role(_) => Self::invalid(message).hint("use the name of a role, such as viewer"),
            ClientError::Foreign(_) => Self::new(Code::Exists, message).hint("replace it, or rename it in the file"),
            ClientError::File(error) => of_file(&error, message),
        }
    }
}

fn of_file(error: &FileError, message: String) -> Failure {
    match error {
        FileError::Config { error: ConfigError::Unsupported(_), .. } => {
            Failure::invalid(message).hint("edit the file yourself; it wasn't changed")
        }
        FileError::Config { .. } => Failure::invalid(message).hint("correct the file in an editor; it wasn't changed"),
        FileError::TooLarge { .. } => Failure::new(Code::Limit, message).hint("make it smaller, or edit it yourself"),
        FileError::NotText { .. } => Failure::invalid(message).hint("save it as UTF-8"),
        FileError::NotAFile { .. } => Failure::invalid(message).hint("move it away"),
        FileError::BrokenLink { .. } => Failure::invalid(message).hint("remove the link, or restore its target"),
        FileError::Outside { .. } => Failure::invalid(message).hint("replace the link by a file or folder"),
        FileError::ReadOnly { .. } => Failure::new(Code::ReadOnly, message).hint("check the permissions of the file and its folder"),
        FileError::Changed { .. } => Failure::new(Code::Busy, message).hint("try again; nothing was changed"),
        FileError::Io { .. } => Failure::new(Code::Io, message).hint("check the disk and the permissions"),
    }
}
