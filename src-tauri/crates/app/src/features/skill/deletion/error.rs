use std::collections::BTreeSet;

use inklings_core::{Slug, StorageError};
use inklings_rpc::{Code, Failure};
use serde_json::json;

/// Why a skill isn't deleted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DeletionError {
    #[error("{slug} is needed by {}", .dependents.iter().map(String::as_str).collect::<Vec<_>>().join(", "))]
    HasDependents { slug: Slug, dependents: BTreeSet<String> },
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<DeletionError> for Failure {
    fn from(error: DeletionError) -> Self {
        let message = error.to_string();
        match error {
            DeletionError::HasDependents { dependents, .. } => Self::new(Code::HasDependents, message)
                .hint("remove it from their depends_on first")
                .fields(json!({ "dependents": dependents })),
            DeletionError::Storage(error) => error.into(),
        }
    }
}
