//! Errors of a run.

use inklings_core::manifest::HumanGate;
use inklings_core::trace::TraceDetail;
use inklings_core::{ArtifactKind, Diagnostic, ModelError, ProgramError, ScriptError, Slug, StorageError};
use schemars::JsonSchema;
use serde::Serialize;

/// A value that a plan needs and nothing provides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MissingInput {
    /// The artifact that needs it.
    pub artifact: String,
    pub variable: String,
}

/// Why a run, or one of its steps, failed.
#[derive(Debug, thiserror::Error)]
pub enum SkillError {
    #[error("no handler for artifacts of kind {}", .0.as_str())]
    NoHandler(ArtifactKind),
    #[error("artifact {0:?} not found in the skill")]
    NoArtifact(String),
    #[error("file {0:?} not found in the skill")]
    NoFile(String),
    /// The file isn't a script that the sandbox can run.
    #[error("{path} can't run: {reason}")]
    NotRunnable { path: String, reason: String },
    #[error("nothing to run: descriptions, approaches and examples only accompany prompts")]
    NothingToRun,
    #[error("{}", missing(.0))]
    Missing(Vec<MissingInput>),
    #[error("invalid value for parameter {name}: {detail}")]
    BadParameter { name: String, detail: String },
    /// The schema has too many alternatives for parameters of this size.
    #[error("can't validate the parameters: {0}")]
    UncheckedParameters(String),
    #[error("{}: {}", .0.file.as_deref().unwrap_or("template"), .0.message)]
    Template(Box<Diagnostic>),
    #[error("{}", .0.first().map_or("invalid assertions", |finding| finding.message.as_str()))]
    Assertions(Vec<Diagnostic>),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("{model} declined to answer")]
    Declined { model: String },
    #[error("{} isn't installed", part(*.kind))]
    NotInstalled { kind: ArtifactKind },
    /// The step can't run here and has no fallback.
    #[error("{artifact} can't run: {reason}")]
    Unavailable { artifact: String, kind: ArtifactKind, reason: String },
    /// A hard assertion failed.
    #[error("{artifact}: {description}: {explanation}")]
    Assertion { artifact: String, description: String, explanation: String },
    #[error("{artifact}: {error}")]
    Script {
        artifact: String,
        error: Box<ScriptError>,
        /// In lines of the artifact's file.
        detail: TraceDetail,
    },
    #[error("{artifact}: {error}")]
    Program { artifact: String, error: ProgramError },
    #[error("the run reached its limit of {what}")]
    Budget {
        /// `1000 tokens`, `$0.50`, `600 s`.
        what: String,
    },
    #[error("skills call each other more than {limit} levels deep")]
    TooDeep { limit: u32 },
    #[error("the skill {0} is archived")]
    Archived(Slug),
    #[error("the workspace isn't trusted, so its skills can't run")]
    NotTrusted,
    #[error("{skill} needs approval before it runs: {}", labels(.gates))]
    NeedsApproval {
        /// Slug of the skill.
        skill: String,
        gates: Vec<HumanGate>,
    },
    #[error("canceled")]
    Cancelled,
    /// A thread panicked.
    #[error("internal error while {0}")]
    Internal(&'static str),
    #[error("can't write the trace: {0}")]
    Trace(#[from] StorageError),
}

fn labels(gates: &[HumanGate]) -> String {
    gates.iter().map(|gate| gate.label.as_str()).collect::<Vec<_>>().join("; ")
}

impl SkillError {
    pub(crate) fn detail(&self) -> Option<TraceDetail> {
        match self {
            Self::Script { detail, .. } => Some(detail.clone()),
            _ => None,
        }
    }

    /// Whether a component of the app is missing or broken, so that the fallback may run. Never when the artifact, a value or the
    /// model is at fault.
    pub(crate) fn allows_fallback(&self) -> bool {
        match self {
            Self::NotInstalled { .. } | Self::Unavailable { .. } => true,
            Self::Program { error, .. } => error.is_of_the_process(),
            _ => false,
        }
    }

    #[must_use]
    pub const fn is_cancelled(&self) -> bool {
        matches!(self, Self::Cancelled | Self::Model(ModelError::Cancelled))
    }
}

/// The component that runs artifacts of a kind.
const fn part(kind: ArtifactKind) -> &'static str {
    match kind {
        ArtifactKind::CodeTemplate => "the Python sandbox",
        ArtifactKind::DspyModule => "the DSPy process",
        _ => "the handler",
    }
}

fn missing(all: &[MissingInput]) -> String {
    let texts: Vec<_> = all.iter().map(|one| format!("{} needs {:?}", one.artifact, one.variable)).collect();
    format!("missing values: {}", texts.join(", "))
}
