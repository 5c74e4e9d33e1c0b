use inklings_core::{ModelError, ModelRef, Slug};
use inklings_evals::cases::{self, PasteError};
use inklings_rpc::{Code, Failure};
use inklings_runtime::SkillError;

use crate::editing::{EditError, from_save_errors};
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
    #[error("a proposal is compared with the current revision only")]
    ProposalAndRevisions,
    #[error("the proposal or its skill changed since this eval run began")]
    ProposalChanged,
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
    #[error("{0} isn't a file of cases")]
    NotACaseFile(String),
    #[error("the case {0} is part of the manifest")]
    ManifestCase(String),
    #[error("the pasted text has no cases")]
    NothingPasted,
    #[error("more than {0} cases")]
    TooManyChanges(usize),
    #[error("the values of this run weren't kept, or were shortened")]
    ValuesNotKept,
    #[error("secrets were removed from this run")]
    SecretsRemoved,
    #[error("this run is one of {0}")]
    RunOfAnotherSkill(Slug),
    #[error("{0} has no training case that fails")]
    NothingFails(String),
    #[error("{skill}: {reason}")]
    NotGraded { skill: String, reason: String },
    #[error("the chat has no such answer")]
    NoAnswer,
    #[error(transparent)]
    Pasted(#[from] PasteError),
    #[error(transparent)]
    File(#[from] cases::EditError),
    #[error(transparent)]
    Edit(#[from] EditError),
}

from_save_errors!(EvalError);

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
            EvalError::ProposalAndRevisions => Self::invalid(message).hint("leave out the revisions"),
            EvalError::ProposalChanged => {
                Self::new(Code::RevisionConflict, message).hint("start a new run; cached responses aren't paid for again")
            }
            EvalError::NotResumable => Self::invalid(message).hint("start a new run; cached responses aren't paid for again"),
            EvalError::Unserializable(_) | EvalError::Panicked(_) => Self::new(Code::Internal, message),
            EvalError::Skill(error) => error.into(),
            EvalError::Run(error) => error.into(),
            EvalError::Model(error) => error.into(),
            EvalError::Search(error) => error.into(),
            EvalError::NotACaseFile(_) => Self::invalid(message).hint("use a JSON or YAML file in evals/, e.g. evals/evals.json"),
            EvalError::ManifestCase(_) => Self::invalid(message).hint("edit \"evals\" of the manifest in skill.json"),
            EvalError::NothingPasted => Self::invalid(message).hint("paste a table with a header, or JSON Lines"),
            EvalError::TooManyChanges(_) => Self::invalid(message).hint("add them in several steps"),
            EvalError::ValuesNotKept | EvalError::SecretsRemoved => Self::invalid(message).hint("add a case and enter the values"),
            EvalError::RunOfAnotherSkill(_) => Self::invalid(message).hint("save it as a case of that skill"),
            EvalError::NotGraded { .. } => Self::new(Code::Model, message).hint("check the model and the cases, then try again"),
            EvalError::NothingFails(_) => Self::invalid(message).hint("add cases that show what should be better"),
            EvalError::NoAnswer => Self::new(Code::NotFound, message).hint("open the chat again"),
            EvalError::Pasted(_) => Self::invalid(message).hint("correct the line and paste again"),
            EvalError::File(_) => Self::invalid(message).hint("edit the file as text"),
            EvalError::Edit(error) => error.into(),
        }
    }
}
