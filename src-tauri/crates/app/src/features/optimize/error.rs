use std::io;
use std::path::PathBuf;

use inklings_core::{ArtifactKind, Diagnostic, ModelError, ModelRef, ProgramError, StorageError};
use inklings_rpc::{Code, Failure};
use inklings_runtime::SkillError;
use serde_json::json;

use super::examples::MAX_FILE_BYTES;
use crate::features::run::RunError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum OptimizeError {
    #[error("{name} is a {kind}: only DSPy programs can be optimised")]
    NotAProgram { name: String, kind: ArtifactKind },
    #[error("there are no examples to learn from")]
    NoExamples(Vec<Diagnostic>),
    #[error("{} can't be read: {source}", path.display())]
    FileUnreadable { path: PathBuf, source: io::Error },
    #[error("{} has more than {} MiB", .0.display(), MAX_FILE_BYTES / 1024 / 1024)]
    FileTooLarge(PathBuf),
    #[error("{} is no UTF-8 text", .0.display())]
    FileNotUtf8(PathBuf),
    #[error("none of the assertions of {0} can be checked here")]
    NoCheckableAssertion(String),
    #[error("a limit of cost can't be kept: the price of {0} isn't known")]
    UnknownPrice(ModelRef),
    #[error("{0} was never optimised here")]
    NeverOptimized(String),
    #[error("the proposal can't be kept: {0}")]
    Unserializable(#[source] serde_json::Error),
    #[error(transparent)]
    Program(ProgramError),
    #[error("a task stopped unexpectedly: {0}")]
    Panicked(#[from] tokio::task::JoinError),
    #[error(transparent)]
    Skill(#[from] SkillError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<OptimizeError> for Failure {
    fn from(error: OptimizeError) -> Self {
        let message = error.to_string();
        match error {
            OptimizeError::NotAProgram { .. } => Self::invalid(message).hint("choose a dspy_module"),
            OptimizeError::NoExamples(diagnostics) => Self::invalid(message)
                .hint("run the skill a few times, or give a file with a line of JSON for each example")
                .fields(json!({ "diagnostics": diagnostics })),
            OptimizeError::FileUnreadable { .. } => Self::new(Code::Io, message).hint("choose a file with a line of JSON for each example"),
            OptimizeError::FileTooLarge(_) => Self::new(Code::Limit, message).hint("give fewer examples"),
            OptimizeError::FileNotUtf8(_) => Self::invalid(message).hint("save it as UTF-8"),
            OptimizeError::NoCheckableAssertion(_) => {
                Self::invalid(message).hint("add one that can, or judge by an output: exact or contains")
            }
            OptimizeError::UnknownPrice(_) => {
                Self::invalid(message).hint("set its price in the provider's settings, or limit the questions, tokens or time")
            }
            OptimizeError::NeverOptimized(_) => Self::new(Code::NotFound, message).hint("start an optimisation with examples"),
            OptimizeError::Program(_) => Self::new(Code::NotInstalled, message),
            OptimizeError::Unserializable(_) | OptimizeError::Panicked(_) => Self::new(Code::Internal, message),
            OptimizeError::Skill(error) => error.into(),
            OptimizeError::Run(error) => error.into(),
            OptimizeError::Model(error) => error.into(),
            OptimizeError::Storage(error) => error.into(),
        }
    }
}
