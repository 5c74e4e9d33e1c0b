use inklings_core::Slug;
use inklings_rpc::Failure;

use crate::editing::{EditError, from_save_errors};
use crate::features::skill::LifecycleError;
use crate::wire::PartialFailure;

/// Why skills aren't merged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MergeError {
    #[error("{0} can't be merged into itself")]
    SameSkill(Slug),
    #[error("{0} is archived")]
    ArchivedTarget(Slug),
    #[error(transparent)]
    Lifecycle(#[from] LifecycleError),
    #[error(transparent)]
    Edit(#[from] EditError),
}

from_save_errors!(MergeError);

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        let message = error.to_string();
        match error {
            MergeError::SameSkill(_) => Self::invalid(message).hint("choose two skills"),
            MergeError::ArchivedTarget(_) => Self::invalid(message).hint("reinstate it first, or merge in the other direction"),
            MergeError::Lifecycle(error) => error.into(),
            MergeError::Edit(error) => error.into(),
        }
    }
}

impl From<LifecycleError> for PartialFailure {
    fn from(error: LifecycleError) -> Self {
        Failure::from(error).into()
    }
}
