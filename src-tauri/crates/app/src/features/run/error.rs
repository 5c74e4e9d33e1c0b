use inklings_core::{Slug, StorageError};
use inklings_rpc::{Code, Failure, NextStep};
use inklings_runtime::SkillError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    #[error("a run with this ID already exists")]
    IdInUse,
    #[error("the skill {0} is disabled")]
    Disabled(Slug),
    #[error("this run isn't in progress")]
    NotActive,
    #[error("run not found")]
    NotFound,
    #[error("the values of this run are stored in a workspace that isn't trusted")]
    UntrustedValues,
    #[error("the values of this run weren't stored")]
    ValuesNotKept,
    #[error("a secret was removed from the values of this run, so it can't be replayed")]
    SecretsRemoved,
    #[error("the run doesn't wait at a gate {key:?}")]
    NoSuchGate { key: String },
    #[error("this gate was already decided")]
    AlreadyDecided,
    #[error(transparent)]
    Skill(#[from] SkillError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let message = error.to_string();
        match error {
            RunError::IdInUse => Self::new(Code::Exists, message).hint("use another ID, or none"),
            RunError::Disabled(_) => Self::invalid(message).hint("ask the user to enable it"),
            RunError::NotActive => Self::new(Code::NotFound, message).hint("it has already ended, or was started by another process"),
            RunError::NoSuchGate { .. } => Self::new(Code::NotFound, message).hint("its gates are in the run's details"),
            RunError::AlreadyDecided => Self::new(Code::Exists, message).hint("run the skill again for another decision"),
            RunError::NotFound => Self::new(Code::NotFound, message).next_step(NextStep::FindRun),
            RunError::UntrustedValues => Self::new(Code::NotTrusted, message).next_step(NextStep::TrustWorkspace),
            RunError::ValuesNotKept | RunError::SecretsRemoved => Self::new(Code::NotFound, message).hint("run the skill with new values"),
            RunError::Skill(error) => error.into(),
            RunError::Storage(error) => error.into(),
        }
    }
}
