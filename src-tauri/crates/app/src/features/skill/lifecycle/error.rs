use inklings_core::{IllegalTransition, LifecycleAction, Slug, StorageError};
use inklings_rpc::Failure;

use crate::features::skill::ValueError;

/// Why the lifecycle of a skill doesn't change.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LifecycleError {
    #[error("{}", refusal(.slug, *.transition))]
    Illegal { slug: Slug, transition: IllegalTransition },
    #[error(transparent)]
    Reason(#[from] ValueError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

fn refusal(slug: &Slug, transition: IllegalTransition) -> String {
    let (state, action) = (transition.from.as_str(), transition.action.as_str());
    if state == action { format!("{slug} is already {state}") } else { format!("{slug} is {state}, so it can't be {action}") }
}

impl From<LifecycleError> for Failure {
    fn from(error: LifecycleError) -> Self {
        let message = error.to_string();
        match error {
            LifecycleError::Illegal { transition, .. } => {
                let failure = Self::invalid(message);
                match transition.action {
                    LifecycleAction::Promote if transition.from.is_retired() => failure.hint("reinstate it first"),
                    _ => failure,
                }
            }
            LifecycleError::Reason(error) => error.into(),
            LifecycleError::Storage(error) => error.into(),
        }
    }
}
