use inklings_core::Slug;
use inklings_rpc::{Code, Failure};
use inklings_runtime::SkillError;

use super::service::APPEND_CHARS;
use super::text_edit::TextEditError;
use crate::editing::{EditError, from_save_errors};
use crate::features::note::NoteError;
use crate::features::skill::{ValueError, WriteError};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ToolError {
    #[error("the skill {0} is disabled")]
    Disabled(Slug),
    #[error("the skill {0} is archived")]
    Archived(Slug),
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
    Edit(#[from] EditError),
}

from_save_errors!(ToolError);

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        let message = error.to_string();
        match error {
            ToolError::Disabled(_) => Self::invalid(message).hint("ask the user to enable it"),
            ToolError::Archived(_) => Self::invalid(message).hint("use another skill"),
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
            ToolError::Edit(error) => error.into(),
        }
    }
}
