use inklings_core::edit::SaveError;
use inklings_core::{SkillPath, StorageError};
use inklings_rpc::{Code, Failure};
use serde_json::json;

use crate::editing::EditError;

/// Why a skill doesn't go back to what it was.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HistoryError {
    #[error("there is no {path} at revision {revision}, and none now")]
    NoFile { path: SkillPath, revision: i64 },
    /// A file of the stretch that is taken back changed after it.
    #[error("{path} was changed since")]
    ChangedSince { path: SkillPath, revision: i64 },
    #[error("history doesn't reach back to that revision any more")]
    Pruned,
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl From<StorageError> for HistoryError {
    fn from(error: StorageError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<SaveError> for HistoryError {
    fn from(error: SaveError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<HistoryError> for Failure {
    fn from(error: HistoryError) -> Self {
        let message = error.to_string();
        match error {
            HistoryError::NoFile { .. } => Self::invalid(message).hint("`skill history` shows which files each revision changed"),
            HistoryError::ChangedSince { path, revision } => Self::new(Code::RevisionConflict, message)
                .hint("compare the revisions in the skill's history")
                .fields(json!({ "path": path, "revision": revision })),
            HistoryError::Pruned => Self::new(Code::NotFound, message),
            HistoryError::Edit(error) => error.into(),
        }
    }
}
