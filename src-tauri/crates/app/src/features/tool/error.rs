use inklings_core::Slug;
use inklings_rpc::{Code, Failure};
use inklings_runtime::SkillError;

use super::service::APPEND_CHARS;
use super::text_edit::TextEditError;
use crate::editing::{EditError, from_save_errors};
use crate::features::note::NoteError;
use crate::features::skill::{DeletionError, LifecycleError, MergeError, ValueError, WriteError};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ToolError {
    #[error("the skill {0} is disabled")]
    Disabled(Slug),
    #[error("the skill {0} is archived")]
    Archived(Slug),
    #[error("nobody has reviewed the skill {0} yet")]
    Unproven(Slug),
    #[error("{operation} requires {field:?}")]
    MissingField { operation: &'static str, field: &'static str },
    #[error("nothing to change was given")]
    NoFields,
    #[error("{name:?} can't be the name of a skill: {why}")]
    Name { name: String, why: String },
    #[error("there is a skill {0} already")]
    Exists(Slug),
    #[error("nothing to change was given")]
    NothingToChange,
    #[error("the notes would be {0} characters longer")]
    LongAppend(usize),
    #[error("the skill has no file {path}")]
    NoFile { path: String, files: Vec<String> },
    #[error(transparent)]
    Text(#[from] TextEditError),
    #[error(transparent)]
    Values(#[from] ValueError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Note(#[from] NoteError),
    #[error(transparent)]
    Run(#[from] SkillError),
    #[error(transparent)]
    Deletion(#[from] DeletionError),
    #[error(transparent)]
    Lifecycle(#[from] LifecycleError),
    #[error(transparent)]
    Merge(#[from] MergeError),
    #[error(transparent)]
    Edit(#[from] EditError),
}

from_save_errors!(ToolError);

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        let message = error.to_string();
        match error {
            ToolError::Disabled(_) => Self::invalid(message).hint("ask the user to enable it"),
            ToolError::Archived(_) => Self::invalid(message).hint("use another skill"),
            ToolError::Unproven(_) => Self::invalid(message).hint("ask the user to promote it, or to write that you should use this skill"),
            ToolError::MissingField { field, .. } => Self::invalid(message).hint(format!("set {field}")),
            ToolError::NoFields => Self::invalid(message).hint("set a description, content, steps, tags, depends_on or conflicts_with"),
            ToolError::Name { .. } => Self::invalid(message).hint("use lowercase letters, digits and hyphens"),
            ToolError::Exists(_) => Self::new(Code::Exists, message).hint("choose another name, or change it with update_skill"),
            ToolError::NothingToChange => Self::invalid(message).hint("set an operation, a title, a description or tags"),
            ToolError::LongAppend(_) => Self::new(Code::Limit, message)
                .hint(format!("notes are for facts of up to {APPEND_CHARS} characters: make it a skill with create_skill")),
            ToolError::NoFile { files, .. } => Self::new(Code::NotFound, message).hint(format!("its files are {}", files.join(", "))),
            ToolError::Text(error) => {
                let failure = Self::invalid(message);
                match error {
                    TextEditError::Missing { field, .. } => failure.hint(format!("set {field}")),
                    TextEditError::EmptyFind => failure.hint("give the exact text"),
                    TextEditError::NotFound => failure.hint("read it again, and copy the text exactly"),
                    TextEditError::Ambiguous { .. } => failure.hint("add text around it, or set replace_all"),
                }
            }
            ToolError::Values(error) => error.into(),
            ToolError::Write(error) => error.into(),
            ToolError::Note(error) => error.into(),
            ToolError::Run(error) => error.into(),
            ToolError::Deletion(error) => error.into(),
            ToolError::Lifecycle(error) => error.into(),
            ToolError::Merge(error) => error.into(),
            ToolError::Edit(error) => error.into(),
        }
    }
}
