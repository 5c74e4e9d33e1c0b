use inklings_core::StorageError;
use inklings_rpc::{Code, Failure};
use inklings_runtime::SkillError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    #[error("a run with this id is going on")]
    IdInUse,
    #[error("that run is not going on here")]
    NotActive,
    #[error("there is no such run")]
    NotFound,
    #[error("this run's values are stored in the workspace, which is not trusted")]
    UntrustedValues,
    #[error("the values of that run are not kept")]
    ValuesNotKept,
    #[error("a secret was taken out of that run's values, so it can't be run again as it was")]
    SecretsRemoved,
    #[error(transparent)]
    Skill(#[from] SkillError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let message = error.to_string();
        match error {
            RunError::IdInUse => Self::new(Code::Exists, message).hint("leave the id out, or choose a fresh one"),
            RunError::NotActive => Self::new(Code::NotFound, message).hint("it has ended already, or another program runs it"),
            RunError::NotFound => Self::new(Code::NotFound, message).hint("old runs are removed; `trace list` shows those that are kept"),
            RunError::UntrustedValues => Self::new(Code::NotTrusted, message).hint("trust the workspace, then replay the run"),
            RunError::ValuesNotKept | RunError::SecretsRemoved => Self::new(Code::NotFound, message).hint("run the skill with new values"),
            RunError::Skill(error) => error.into(),
            RunError::Storage(error) => error.into(),
        }
    }
}
