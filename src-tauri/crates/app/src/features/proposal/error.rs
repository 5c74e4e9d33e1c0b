use inklings_core::edit::SaveError;
use inklings_core::proposal::ProposalStatus;
use inklings_core::{Diagnostic, ProposalId, SkillPath, Slug, StorageError};
use inklings_folder::DeclareError;
use inklings_rpc::{Code, Failure, NextStep};

use crate::editing::EditError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum ProposalError {
    #[error("proposal {0} not found")]
    NotFound(ProposalId),
    #[error("the proposal was already {}", .0.as_str())]
    Decided(ProposalStatus),
    #[error("the proposal was changed by another edit")]
    Changed,
    #[error("the proposal is for {found}, not for {wanted}")]
    OfAnother { wanted: Slug, found: Slug },
    #[error("the proposal can't be read: {0}")]
    Unreadable(#[source] serde_json::Error),
    #[error(transparent)]
    Unserializable(serde_json::Error),
    #[error("the proposal names no artifact")]
    NoArtifact,
    #[error("the skill no longer has the artifact {0}")]
    ArtifactRemoved(SkillPath),
    #[error("{0} was changed after this proposal was made")]
    Stale(String),
    #[error("the skill {0} was changed after this proposal was made")]
    SkillChanged(Slug),
    #[error("the skill {0} already has the proposed changes")]
    AlreadyInSkill(Slug),
    /// Files with conflicts.
    #[error("the skill and the proposal changed the same lines of {}", list(.0))]
    Conflicts(Vec<SkillPath>),
    #[error("no file is selected")]
    NothingSelected,
    #[error("the proposal doesn't change {0}")]
    NotProposed(SkillPath),
    #[error("proposals of this kind can't be {0}")]
    Unsupported(&'static str),
    /// The validator's errors.
    #[error("the proposed files aren't valid")]
    Invalid(Vec<Diagnostic>),
    #[error("the proposal changes nothing")]
    NothingProposed,
    #[error("the proposal has more than {0}")]
    TooLarge(String),
    #[error("{name:?} can't be the name of a skill: {why}")]
    Name { name: String, why: String },
    #[error("{path:?} can't be the path of a file: {why}")]
    Path { path: String, why: String },
    /// The revision is stored, the decision isn't.
    #[error("{0}")]
    NotRecorded(#[source] Box<Self>),
    #[error("{}", .0.as_ref().map_or_else(|| "the skill has no prompt".to_owned(), |name| format!("the skill has no prompt {name:?}")))]
    NoPrompt(Option<String>),
    #[error("{prompt:?} is already the fallback of {module:?}")]
    AlreadyWrapped { prompt: String, module: String },
    #[error("{path}: {why}")]
    Prompt { path: SkillPath, why: String },
    #[error(transparent)]
    Declare(#[from] DeclareError),
    #[error(transparent)]
    Save(#[from] SaveError),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

fn list(paths: &[SkillPath]) -> String {
    paths.iter().map(SkillPath::as_str).collect::<Vec<_>>().join(", ")
}

impl From<ProposalError> for Failure {
    fn from(error: ProposalError) -> Self {
        let message = error.to_string();
        match error {
            ProposalError::NotFound(_) => Self::new(Code::NotFound, message).next_step(NextStep::FindProposal),
            ProposalError::Decided(_) => Self::new(Code::RevisionConflict, message).hint("reload the proposals"),
            ProposalError::Changed => Self::new(Code::RevisionConflict, message).hint("review it again"),
            ProposalError::Unreadable(_) => Self::invalid(message).hint("optimize again"),
            ProposalError::Unserializable(_) => Self::new(Code::Internal, message),
            ProposalError::NoArtifact
            | ProposalError::NotProposed(_)
            | ProposalError::OfAnother { .. }
            | ProposalError::Unsupported(_)
            | ProposalError::NothingProposed
            | ProposalError::Declare(_) => Self::invalid(message),
            ProposalError::ArtifactRemoved(_) => Self::new(Code::NotFound, message).hint("reject the proposal"),
            ProposalError::Stale(_) => Self::new(Code::RevisionConflict, message).hint("reject it, then optimize again"),
            ProposalError::SkillChanged(_) => Self::new(Code::RevisionConflict, message).next_step(NextStep::MergeProposal),
            ProposalError::AlreadyInSkill(_) => Self::invalid(message).hint("reject the proposal"),
            ProposalError::Conflicts(_) => {
                Self::invalid(message).hint("edit the files and keep one version of the lines between the markers")
            }
            ProposalError::NothingSelected => Self::invalid(message).hint("select at least one file"),
            ProposalError::Invalid(errors) => Self::diagnostics(errors).hint("edit the files, or ask for the corrections"),
            ProposalError::TooLarge(_) => Self::new(Code::Limit, message).hint("propose it in parts"),
            ProposalError::Name { .. } => Self::invalid(message).hint("use lowercase letters, digits and hyphens"),
            ProposalError::Path { .. } => Self::invalid(message).hint("use a path in the skill's folder, such as prompts/summary.j2"),
            ProposalError::NoPrompt(_) => Self::new(Code::NotFound, message).hint("use the path or the name of a prompt template"),
            ProposalError::AlreadyWrapped { .. } => Self::new(Code::Exists, message),
            ProposalError::Prompt { .. } => Self::invalid(message).hint("correct the template first"),
            ProposalError::Edit(error) => error.into(),
            ProposalError::NotRecorded(error) => {
                Self::from(*error).hint("the skill has the new state; accept the proposal again to record the decision")
            }
            ProposalError::Save(error) => error.into(),
            ProposalError::Storage(error) => error.into(),
        }
    }
}
