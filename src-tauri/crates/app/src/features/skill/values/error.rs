use inklings_rpc::{Code, Failure};
use serde_json::json;

use super::api::MAX_ENTRIES;
use crate::editing::{EditError, from_save_errors};

/// Why the values of a skill aren't changed. `what` is the label of a value.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ValueError {
    #[error("no values were given")]
    NothingToChange,
    #[error("the {what} is empty")]
    Empty { what: &'static str },
    #[error("the {what} has more than one line")]
    SeveralLines { what: &'static str },
    #[error("the {what} has {chars} characters, more than the limit of {limit}")]
    TooLong { what: &'static str, chars: usize, limit: usize },
    #[error("the {what} has an invalid character")]
    NulCharacter { what: &'static str },
    #[error("{count} {what}s, more than the limit of {MAX_ENTRIES}")]
    TooMany { what: &'static str, count: usize },
    #[error("{} was changed elsewhere since you opened it", .values.join(", "))]
    Conflict { values: Vec<&'static str> },
    #[error(transparent)]
    Edit(#[from] EditError),
}

from_save_errors!(ValueError);

impl From<ValueError> for Failure {
    fn from(error: ValueError) -> Self {
        let message = error.to_string();
        match error {
            ValueError::NothingToChange => Self::invalid(message).hint("set at least one value"),
            ValueError::Empty { what } => Self::invalid(message).hint(format!("enter a {what}, or keep the current one")),
            ValueError::SeveralLines { .. } => Self::invalid(message).hint("remove the line breaks"),
            ValueError::TooLong { .. } => Self::new(Code::Limit, message).hint("shorten it"),
            ValueError::NulCharacter { .. } => Self::invalid(message).hint("remove the NUL character"),
            ValueError::TooMany { .. } => Self::new(Code::Limit, message).hint("remove some"),
            ValueError::Conflict { values } => Self::new(Code::RevisionConflict, message)
                .hint("check the current values, then enter yours again")
                .fields(json!({ "values": values })),
            ValueError::Edit(error) => error.into(),
        }
    }
}
