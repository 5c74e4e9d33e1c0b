//! Artifact kinds. The kind alone selects the handler of an artifact.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArtifactKind {
    /// What the skill is for and how it works; context for the model.
    Description,
    /// A `MiniJinja` template that is rendered and sent to a model.
    PromptTemplate,
    /// A Python template that is rendered and run in the WASM sandbox.
    CodeTemplate,
    /// A shipped DSPy template's configuration, run in the sidecar.
    DspyModule,
    /// Strategy text for the system prompt.
    Approach,
    /// Input and output pairs, rendered as few-shot messages.
    Example,
}

impl ArtifactKind {
    /// Every kind, in display order.
    pub const ALL: [Self; 6] =
        [Self::Description, Self::PromptTemplate, Self::CodeTemplate, Self::DspyModule, Self::Approach, Self::Example];

    /// Whether artifacts of this kind are context of prompts and aren't executed.
    #[must_use]
    pub const fn is_context(self) -> bool {
        matches!(self, Self::Description | Self::Approach | Self::Example)
    }

    /// The stored and sent name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Description => "description",
            Self::PromptTemplate => "prompt_template",
            Self::CodeTemplate => "code_template",
            Self::DspyModule => "dspy_module",
            Self::Approach => "approach",
            Self::Example => "example",
        }
    }

    /// Folder and extension of a newly created artifact's path.
    #[must_use]
    pub const fn default_location(self) -> (&'static str, &'static str) {
        match self {
            Self::Description => ("descriptions", "md"),
            Self::PromptTemplate => ("prompts", "j2"),
            Self::CodeTemplate => ("scripts", "py"),
            Self::DspyModule => ("dspy", "json"),
            Self::Approach => ("approach", "md"),
            Self::Example => ("examples", "json"),
        }
    }
}

impl fmt::Display for ArtifactKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text named no kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown artifact kind {0:?}: expected one of description, prompt_template, code_template, dspy_module, approach, example")]
pub struct UnknownKind(pub String);

impl FromStr for ArtifactKind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or_else(|| UnknownKind(text.to_owned()))
    }
}
