use inklings_rpc::{Code, Failure};

use super::api::MAX_SKILLS;
use crate::editing::{EditError, from_save_errors};
use crate::features::skill::{DeletionError, HistoryError, ValueError};

/// Why a change isn't made to many skills, or to one of them.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BulkError {
    #[error("{0} skills at once, more than the limit of {MAX_SKILLS}")]
    TooMany(usize),
    #[error(transparent)]
    Value(#[from] ValueError),
    #[error(transparent)]
    Deletion(#[from] DeletionError),
    #[error(transparent)]
    History(#[from] HistoryError),
    #[error(transparent)]
    Edit(#[from] EditError),
}

from_save_errors!(BulkError);

impl From<BulkError> for Failure {
    fn from(error: BulkError) -> Self {
        match error {
            BulkError::TooMany(_) => Self::new(Code::Limit, error.to_string()).hint("select fewer skills"),
            BulkError::Value(error) => error.into(),
            BulkError::Deletion(error) => error.into(),
            BulkError::History(error) => error.into(),
            BulkError::Edit(error) => error.into(),
        }
    }
}
