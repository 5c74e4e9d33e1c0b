use inklings_core::name::SlugError;
use inklings_core::{Slug, StorageError};
use inklings_rpc::{Code, Failure, NextStep};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ActionError {
    #[error("action {0:?} not found")]
    NotFound(String),
    #[error("{0:?} can't be the name of an action: {1}")]
    Name(String, #[source] SlugError),
    #[error("{0:?} can't be the name of a skill")]
    Skill(String),
    #[error("the action {0} needs a skill to run")]
    NoSkill(Slug),
    #[error("artifact {artifact:?} not found in the skill {skill}")]
    NoArtifact { skill: Slug, artifact: String },
    #[error("the action {0} is disabled")]
    Disabled(Slug),
    #[error("the action {0} is built in and can't be deleted")]
    BuiltIn(Slug),
    #[error("the action {0} is built in: its skill is the value \"skill\"")]
    BuiltInTarget(Slug),
    #[error("the values of the action {0} are invalid: {1}")]
    Values(Slug, #[source] serde_json::Error),
    #[error("the action {0} needs the value \"skill\"")]
    NoTarget(Slug),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<ActionError> for Failure {
    fn from(error: ActionError) -> Self {
        let message = error.to_string();
        match error {
            ActionError::NotFound(_) => Self::new(Code::NotFound, message).hint("list the actions for their names"),
            ActionError::Name(..) => Self::invalid(message).hint("use a name such as weekly-report"),
            ActionError::Skill(_) | ActionError::NoSkill(_) => Self::invalid(message).next_step(NextStep::FindSkill),
            ActionError::NoArtifact { .. } => Self::new(Code::NotFound, message).next_step(NextStep::FindFile),
            ActionError::Disabled(_) => Self::invalid(message).hint("enable it first"),
            ActionError::BuiltIn(_) => Self::invalid(message).hint("disable it instead"),
            ActionError::BuiltInTarget(_) => Self::invalid(message).hint("leave out the skill and the artifact"),
            ActionError::Values(..) => Self::invalid(message).hint("the values are skill, scope, judge and iterations"),
            ActionError::NoTarget(_) => Self::invalid(message).next_step(NextStep::SetValues),
            ActionError::Storage(error) => error.into(),
        }
    }
}
