use inklings_core::{SkillPath, Slug};
use inklings_rpc::{Code, Failure};

use crate::editing::{EditError, from_save_errors};
use crate::find::QueryError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum SymbolError {
    #[error("only variables and artifacts can be renamed in all files")]
    NotRenamable,
    #[error("{path} of {skill} has unsaved changes")]
    UnsavedDraft { skill: Slug, path: SkillPath },
    #[error("{0:?} isn't a valid variable name")]
    VariableName(String),
    #[error("no template uses a variable {0}")]
    UnknownVariable(String),
    #[error("a template already uses a variable {0}")]
    VariableExists(String),
    #[error("{path} already uses the name {name} for something else")]
    NameInUse { name: String, path: SkillPath },
    #[error("the new name is the same as the old one: {0}")]
    SameName(String),
    #[error("the name of an artifact must be a single line")]
    ArtifactName,
    #[error("no artifact is named {0:?}")]
    UnknownArtifact(String),
    #[error("the artifact {artifact:?} is already available as outputs.{key}")]
    OutputKeyExists { artifact: String, key: String },
    #[error("the artifact {0:?} isn't named in skill.json")]
    NotDeclared(String),
    #[error("a template uses outputs.{old}, and outputs.{new} isn't valid in a template")]
    OutputKey { old: String, new: String },
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Edit(#[from] EditError),
}

from_save_errors!(SymbolError);

impl From<SymbolError> for Failure {
    fn from(error: SymbolError) -> Self {
        const OTHER_NAME: &str = "choose another name";
        let message = error.to_string();
        match error {
            SymbolError::NotRenamable => Self::invalid(message).hint("rename the file or page itself"),
            SymbolError::UnsavedDraft { skill, path } => Self::unsaved_draft(skill.as_str(), &path, "rename again"),
            SymbolError::VariableName(_) => {
                Self::invalid(message).hint("use letters, digits and _, not a digit first and not a keyword of the template language")
            }
            SymbolError::UnknownVariable(_) | SymbolError::UnknownArtifact(_) => {
                Self::new(Code::NotFound, message).hint("check the spelling")
            }
            SymbolError::VariableExists(_)
            | SymbolError::NameInUse { .. }
            | SymbolError::SameName(_)
            | SymbolError::OutputKeyExists { .. } => Self::new(Code::Exists, message).hint(OTHER_NAME),
            SymbolError::ArtifactName => Self::invalid(message).hint("enter a name without line breaks"),
            SymbolError::NotDeclared(_) => Self::invalid(message).hint("declare the artifact in skill.json first"),
            SymbolError::OutputKey { .. } => Self::invalid(message).hint("begin the name with a letter"),
            SymbolError::Query(error) => error.into(),
            SymbolError::Edit(error) => error.into(),
        }
    }
}
