use inklings_core::SkillPath;
use inklings_rpc::{Code, Failure, NextStep};
use serde_json::json;

use crate::editing::{EditError, from_save_errors};

/// Why a skill doesn't go back to what it was.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HistoryError {
    #[error("{path} exists neither at revision {revision} nor now")]
    NoFile { path: SkillPath, revision: i64 },
    #[error("{path} was changed by a later revision")]
    ChangedSince { path: SkillPath, revision: i64 },
    #[error("the revision was deleted from the history")]
    Pruned,
    #[error(transparent)]
    Edit(#[from] EditError),
}

from_save_errors!(HistoryError);

impl From<HistoryError> for Failure {
    fn from(error: HistoryError) -> Self {
        let message = error.to_string();
        match error {
            HistoryError::NoFile { .. } => Self::invalid(message).next_step(NextStep::FindRevision),
            HistoryError::ChangedSince { path, revision } => Self::new(Code::RevisionConflict, message)
                .hint("compare the revisions in the skill's history")
                .fields(json!({ "path": path, "revision": revision })),
            HistoryError::Pruned => Self::new(Code::NotFound, message).next_step(NextStep::FindRevision),
            HistoryError::Edit(error) => error.into(),
        }
    }
}
