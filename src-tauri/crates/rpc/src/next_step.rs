use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A next step after a failure that each front end describes in its own words: the command line names a command, the window one of its
/// parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum NextStep {
    FindSkill,
    FindRevision,
    FindFile,
    FindCopy,
    FindRun,
    FindProposal,
    MergeProposal,
    FindProvider,
    AddModel,
    SetKey,
    CheckKeyStore,
    SetValues,
    RaiseLimit,
    CheckDspy,
    OpenWorkspace,
    TrustWorkspace,
    ApproveGates,
    DecideGates,
}

impl NextStep {
    /// All of them, for a front end's test that it describes each.
    pub const ALL: [Self; 18] = [
        Self::FindSkill,
        Self::FindRevision,
        Self::FindFile,
        Self::FindCopy,
        Self::FindRun,
        Self::FindProposal,
        Self::MergeProposal,
        Self::FindProvider,
        Self::AddModel,
        Self::SetKey,
        Self::CheckKeyStore,
        Self::SetValues,
        Self::RaiseLimit,
        Self::CheckDspy,
        Self::OpenWorkspace,
        Self::TrustWorkspace,
        Self::ApproveGates,
        Self::DecideGates,
    ];

    /// The step in words that fit any front end.
    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            Self::FindSkill => "check the ID, slug or title of the skill",
            Self::FindRevision => "choose another revision from the history",
            Self::FindFile => "check the files of the skill",
            Self::FindCopy => "choose another copy of the skill",
            Self::FindRun => "choose another run; old runs are deleted automatically",
            Self::FindProposal => "choose another proposal",
            Self::MergeProposal => "merge the proposal with the present skill",
            Self::FindProvider => "check the name of the provider",
            Self::AddModel => "add a model provider",
            Self::SetKey => "check the API key of the provider",
            Self::CheckKeyStore => "check where API keys are stored",
            Self::SetValues => "set the missing values",
            Self::RaiseLimit => "raise the limit of the run",
            Self::CheckDspy => "check the DSPy process",
            Self::OpenWorkspace => "open a workspace",
            Self::TrustWorkspace => "review its skills, then trust the workspace",
            Self::ApproveGates => "approve it and run it again",
            Self::DecideGates => "read the output, then approve or reject it",
        }
    }
}
