//! What a run can fail with.

use inklings_core::trace::TraceDetail;
use inklings_core::{ArtifactKind, Diagnostic, ModelError, ProgramError, ScriptError, StorageError};

use crate::plan::MissingInput;

/// Why a run, or one of its executions, failed.
#[derive(Debug, thiserror::Error)]
pub enum SkillError {
    /// Nothing can run this kind.
    #[error("nothing can run an artifact of the kind {}", .0.as_str())]
    NoHandler(ArtifactKind),
    /// The skill has no such artifact.
    #[error("the skill has no artifact {0:?}")]
    NoArtifact(String),
    /// Nothing in the skill can be executed.
    #[error("there is nothing to execute: what is asked for only goes along with prompts")]
    NothingToRun,
    /// A value that an artifact needs and that nothing gives.
    #[error("{}", missing(.0))]
    Missing(Vec<MissingInput>),
    /// A parameter that doesn't fit what the artifact says about it.
    #[error("the parameter {name} doesn't fit: {detail}")]
    BadParameter {
        /// Its name.
        name: String,
        /// What is wrong with it.
        detail: String,
    },
    /// Parameters too large for the alternatives of their schema.
    #[error("the parameters can't be checked: {0}")]
    UncheckedParameters(String),
    /// A template that can't be read or rendered.
    #[error("{}: {}", .0.file.as_deref().unwrap_or("template"), .0.message)]
    Template(Box<Diagnostic>),
    /// The artifact's settings can't be used.
    #[error("{}", .0.first().map_or("its assertions can't be used", |finding| finding.message.as_str()))]
    Assertions(Vec<Diagnostic>),
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model declined to answer.
    #[error("{model} declined to answer")]
    Declined {
        /// The model.
        model: String,
    },
    /// A part of the app that this kind needs isn't there.
    #[error("{} is not part of this installation", part(*.kind))]
    NotInstalled {
        /// The kind.
        kind: ArtifactKind,
    },
    /// Something that is asked for can't run here, and nothing stands in for it.
    #[error("{artifact} can't run: {reason}")]
    Unavailable {
        /// The artifact.
        artifact: String,
        /// Its kind.
        kind: ArtifactKind,
        /// Why it can't run.
        reason: String,
    },
    /// An assertion that must hold doesn't.
    #[error("{artifact}: {description}: {explanation}")]
    Assertion {
        /// The artifact.
        artifact: String,
        /// What was checked.
        description: String,
        /// Why it doesn't hold.
        explanation: String,
    },
    /// A script failed.
    #[error("{artifact}: {error}")]
    Script {
        /// The artifact.
        artifact: String,
        /// How.
        error: Box<ScriptError>,
        /// Where in its file.
        detail: TraceDetail,
    },
    /// A DSPy program failed.
    #[error("{artifact}: {error}")]
    Program {
        /// The artifact.
        artifact: String,
        /// How.
        error: ProgramError,
    },
    /// The run used up what it was given.
    #[error("the run stopped at its limit of {what}")]
    Budget {
        /// `1000 tokens`, `$0.50`, `600 s`.
        what: String,
    },
    /// Skills call skills too deep; two of them may call each other.
    #[error("skills call each other more than {limit} deep")]
    TooDeep {
        /// How deep they may.
        limit: u32,
    },
    /// The workspace isn't trusted yet.
    #[error("the workspace is not trusted, so nothing from it runs")]
    NotTrusted,
    /// Someone stopped it.
    #[error("stopped")]
    Cancelled,
    /// A part of ours stopped unexpectedly.
    #[error("{0} stopped unexpectedly")]
    Broken(&'static str),
    /// The trace can't be written.
    #[error("the trace can't be written: {0}")]
    Trace(#[from] StorageError),
}

impl SkillError {
    /// Where a script failed.
    pub(crate) fn detail(&self) -> Option<TraceDetail> {
        match self {
            Self::Script { detail, .. } => Some(detail.clone()),
            _ => None,
        }
    }

    /// Whether only a part of ours is at fault, so that a fallback may run in the artifact's place.
    pub(crate) fn lets_fall_back(&self) -> bool {
        match self {
            Self::NotInstalled { .. } | Self::Unavailable { .. } => true,
            Self::Program { error, .. } => error.is_of_the_process(),
            _ => false,
        }
    }

    /// Whether the run was stopped rather than failing.
    #[must_use]
    pub const fn is_cancelled(&self) -> bool {
        matches!(self, Self::Cancelled | Self::Model(ModelError::Cancelled))
    }
}

/// What runs artifacts of a kind.
const fn part(kind: ArtifactKind) -> &'static str {
    match kind {
        ArtifactKind::CodeTemplate => "the Python sandbox",
        ArtifactKind::DspyModule => "the DSPy process",
        _ => "what runs it",
    }
}

fn missing(all: &[MissingInput]) -> String {
    let texts: Vec<_> = all.iter().map(|one| format!("{} needs {:?}", one.artifact, one.variable)).collect();
    format!("no value for what the skill needs: {}", texts.join(", "))
}
