use inklings_core::StorageError;
use inklings_core::agent::NOTES_BYTES;
use inklings_rpc::{Code, Failure};

#[derive(Debug, thiserror::Error)]
pub(crate) enum NoteError {
    #[error("the notes have {0} bytes, more than the limit of {NOTES_BYTES}")]
    TooLong(usize),
    #[error("no workspace is open")]
    NoWorkspace,
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<NoteError> for Failure {
    fn from(error: NoteError) -> Self {
        let message = error.to_string();
        match error {
            NoteError::TooLong(_) => Self::new(Code::Limit, message).hint("shorten them, or make a skill of them"),
            NoteError::NoWorkspace => Self::invalid(message).hint("open a workspace, or use the account scope"),
            NoteError::Storage(error) => error.into(),
        }
    }
}
