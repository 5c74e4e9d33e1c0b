use inklings_core::StorageError;
use inklings_core::edit::SaveError;
use inklings_rpc::{Code, Failure};
use serde_json::json;

use super::service::MAX_ENTRIES;
use crate::editing::EditError;

/// Why the values of a skill aren't changed. `what` names a value as a person does.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ValueError {
    #[error("there is nothing to change")]
    NothingToChange,
    #[error("the {what} is empty")]
    Empty { what: &'static str },
    #[error("the {what} has more than one line")]
    SeveralLines { what: &'static str },
    #[error("the {what} has {chars} characters, at most {limit} are allowed")]
    TooLong { what: &'static str, chars: usize, limit: usize },
    #[error("the {what} has a character that no text has")]
    NulCharacter { what: &'static str },
    #[error("there are {count} {what}s, at most {MAX_ENTRIES} are allowed")]
    TooMany { what: &'static str, count: usize },
    /// Someone else changed these since they were read, to something else.
    #[error("{} was changed elsewhere since you opened it", .values.join(", "))]
    Conflict { values: Vec<&'static str> },
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl From<StorageError> for ValueError {
    fn from(error: StorageError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<SaveError> for ValueError {
    fn from(error: SaveError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<ValueError> for Failure {
    fn from(error: ValueError) -> Self {
        let message = error.to_string();
        match error {
            ValueError::NothingToChange => Self::invalid(message).hint("give at least one value"),
            ValueError::Empty { what } => Self::invalid(message).hint(format!("give it a {what}, or leave it as it was")),
            ValueError::SeveralLines { .. } => Self::invalid(message).hint("put it on one line"),
            ValueError::TooLong { .. } => Self::new(Code::Limit, message).hint("shorten it"),
            ValueError::NulCharacter { .. } => Self::invalid(message),
            ValueError::TooMany { .. } => Self::new(Code::Limit, message).hint("remove some"),
            ValueError::Conflict { values } => Self::new(Code::RevisionConflict, message)
                .hint("look at what is there now, then type yours again or keep it")
                .fields(json!({ "values": values })),
            ValueError::Edit(error) => error.into(),
        }
    }
}
