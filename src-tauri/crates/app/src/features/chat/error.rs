use inklings_core::StorageError;
use inklings_rpc::{Code, Failure};

use super::service::{MAX_ATTACHMENTS, MAX_TEXT_BYTES};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ChatError {
    #[error("the chat doesn't exist")]
    NoSession,
    #[error("the message doesn't exist")]
    NoMessage,
    #[error("the message is empty")]
    Empty,
    #[error("{what} has {bytes} bytes, more than the limit of {MAX_TEXT_BYTES}")]
    TooLong { what: String, bytes: usize },
    #[error("{0} attachments, more than the limit of {MAX_ATTACHMENTS}")]
    TooMany(usize),
    #[error("an answer is being written")]
    Busy,
    #[error("only an answer can be {0}")]
    NotAnAnswer(&'static str),
    #[error("only the user's messages can be edited")]
    NotEditable,
    #[error("the answer is complete")]
    NothingToResume,
    #[error("no tool call waits for this permission")]
    NotAsked,
    #[error("this can't be permitted for always")]
    NotForAlways,
    #[error("the skill {0} isn't meant to be invoked by name")]
    NotInvocable(String),
    #[error("the skill {0} is archived")]
    Archived(String),
    #[error("the skill {0} is disabled")]
    Disabled(String),
    #[error("the title is empty")]
    NoTitle,
    #[error("the agent {0:?} of this chat was deleted")]
    NoAgent(String),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<ChatError> for Failure {
    fn from(error: ChatError) -> Self {
        let message = error.to_string();
        match error {
            ChatError::NoSession | ChatError::NoMessage => Self::new(Code::NotFound, message).hint("it may have been deleted"),
            ChatError::Empty => Self::invalid(message).hint("enter a message"),
            ChatError::TooLong { .. } => Self::new(Code::Limit, message).hint("attach a part of it"),
            ChatError::TooMany(_) => Self::new(Code::Limit, message).hint("send them in several messages"),
            ChatError::Busy => Self::new(Code::Busy, message).hint("wait until it ends, or stop it"),
            ChatError::NotAnAnswer(_) => Self::invalid(message).hint("choose an answer"),
            ChatError::NotEditable => Self::invalid(message).hint("choose one of your messages"),
            ChatError::NothingToResume => Self::invalid(message).hint("send a message"),
            ChatError::NotAsked => Self::invalid(message).hint("it may have been answered already"),
            ChatError::NotForAlways => Self::invalid(message).hint("permit it once, or for this chat"),
            ChatError::NotInvocable(_) => Self::invalid(message).hint("describe the task, and it is used if it fits"),
            ChatError::Archived(_) => Self::invalid(message).hint("reinstate it first"),
            ChatError::Disabled(_) => Self::invalid(message).hint("enable it first"),
            ChatError::NoAgent(_) => Self::new(Code::NotFound, message).hint("choose another agent, or none"),
            ChatError::NoTitle => Self::invalid(message).hint("enter a title"),
            ChatError::Storage(error) => error.into(),
        }
    }
}
