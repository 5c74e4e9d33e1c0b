use std::path::PathBuf;

use inklings_core::{ArtifactKind, Diagnostic, ModelError, ModelRef, ProgramError, StorageError};
use inklings_folder::DiskError;
use inklings_rpc::{Code, Failure, NextStep};
use inklings_runtime::SkillError;
use serde_json::json;

use super::api::MAX_FILE_BYTES;
use crate::features::run::RunError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum OptimizeError {
    #[error("{name} is a {kind}, but only DSPy modules can be optimized")]
    NotAProgram { name: String, kind: ArtifactKind },
    #[error("no examples found")]
    NoExamples(Vec<Diagnostic>),
    #[error(transparent)]
    FileUnreadable(DiskError),
    #[error("{} isn't a regular file", .0.display())]
    NotAFile(PathBuf),
    #[error("{} is larger than {} MiB", .0.display(), MAX_FILE_BYTES / 1024 / 1024)]
    FileTooLarge(PathBuf),
    #[error("{} isn't UTF-8 text", .0.display())]
    FileNotUtf8(PathBuf),
    #[error("no assertion of {0} can be checked here")]
    NoCheckableAssertion(String),
    #[error("the cost can't be limited: the price of {0} is unknown")]
    UnknownPrice(ModelRef),
    #[error("{0} has not been optimized yet")]
    NeverOptimized(String),
    #[error("the proposal can't be stored: {0}")]
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
            OptimizeError::NotAProgram { .. } => Self::invalid(message).hint("choose a DSPy module"),
            OptimizeError::NoExamples(diagnostics) => Self::invalid(message)
                .hint("run the skill a few times, or choose a JSON Lines file with examples")
                .fields(json!({ "diagnostics": diagnostics })),
            OptimizeError::FileUnreadable(_) => Self::new(Code::Io, message).hint("choose another JSON Lines file"),
            OptimizeError::NotAFile(_) => Self::invalid(message).hint("choose a JSON Lines file"),
            OptimizeError::FileTooLarge(_) => Self::new(Code::Limit, message).hint("use fewer examples"),
            OptimizeError::FileNotUtf8(_) => Self::invalid(message).hint("save it as UTF-8"),
            OptimizeError::NoCheckableAssertion(_) => {
                Self::invalid(message).hint("add an assertion that can be checked, or choose the metric exact or contains")
            }
            OptimizeError::UnknownPrice(_) => {
                Self::invalid(message).hint("set the price of the model, or limit calls, tokens or time instead")
            }
            OptimizeError::NeverOptimized(_) => Self::new(Code::NotFound, message).hint("optimize it with examples first"),
            OptimizeError::Program(_) => Self::new(Code::NotInstalled, message).next_step(NextStep::CheckDspy),
            OptimizeError::Unserializable(_) | OptimizeError::Panicked(_) => Self::new(Code::Internal, message),
            OptimizeError::Skill(error) => error.into(),
            OptimizeError::Run(error) => error.into(),
            OptimizeError::Model(error) => error.into(),
            OptimizeError::Storage(error) => error.into(),
        }
    }
}
