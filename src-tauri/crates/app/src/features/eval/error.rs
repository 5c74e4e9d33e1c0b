use inklings_core::{ModelError, ModelRef, StorageError};
use inklings_rpc::{Code, Failure};
use inklings_runtime::SkillError;

use crate::features::run::RunError;
use crate::features::search::SearchError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum EvalError {
    #[error("{0} has no trigger cases")]
    NoTriggers(String),
    #[error("no case of {0} matches")]
    NoCases(String),
    #[error("case {0} not found")]
    NoSuchCase(String),
    #[error("{name} must be between 1 and {max}")]
    OutOfRange { name: &'static str, max: usize },
    #[error("the cost can't be limited: the price of {0} is unknown")]
    UnknownPrice(ModelRef),
    #[error("eval run not found")]
    NotFound,
    #[error("this eval run is complete or still in progress")]
    NotResumable,
    #[error("the eval run can't be stored: {0}")]
    Unserializable(#[from] serde_json::Error),
    #[error("a task stopped unexpectedly: {0}")]
    Panicked(#[from] tokio::task::JoinError),
    #[error(transparent)]
    Skill(#[from] SkillError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Self {
        let message = error.to_string();
        match error {
            EvalError::NoTriggers(_) => {
                Self::invalid(message).hint("add requests with \"should_trigger\" to a file in evals/, or \"triggerCases\" to the manifest")
            }
            EvalError::NoCases(_) => Self::invalid(message).hint("add cases to evals/evals.json, or select others"),
            EvalError::NoSuchCase(_) => Self::new(Code::NotFound, message).hint("list the cases of the skill for their keys"),
            EvalError::OutOfRange { .. } => Self::invalid(message).hint("use a number in this range"),
            EvalError::UnknownPrice(_) => Self::invalid(message).hint("set the price of the model, or limit tokens or time instead"),
            EvalError::NotFound => Self::new(Code::NotFound, message).hint("list the eval runs for their IDs"),
            EvalError::NotResumable => Self::invalid(message).hint("start a new run; cached responses aren't paid for again"),
            EvalError::Unserializable(_) | EvalError::Panicked(_) => Self::new(Code::Internal, message),
            EvalError::Skill(error) => error.into(),
            EvalError::Run(error) => error.into(),
            EvalError::Model(error) => error.into(),
            EvalError::Search(error) => error.into(),
            EvalError::Storage(error) => error.into(),
        }
    }
}
