use std::path::PathBuf;

use inklings_core::edit::SaveError;
use inklings_core::path::PathError;
use inklings_core::{SkillPath, StorageError};
use inklings_folder::{DeclareError, DiskError};
use inklings_rpc::{Code, Failure};
use serde_json::json;

use crate::editing::EditError;
use crate::wire::Left;

/// Why files aren't added, copied, moved or deleted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error("there is no file {0} in this skill")]
    NotFound(SkillPath),
    #[error("there is already a file {0}")]
    NameTaken(SkillPath),
    #[error("{0} keeps its name: it is what makes the folder a skill")]
    FixedName(SkillPath),
    #[error("{0} can't be deleted: it is what makes the folder a skill")]
    DeletesMain(SkillPath),
    #[error("{0} can't be deleted: it declares this skill's artifacts")]
    DeletesManifest(SkillPath),
    /// At least one.
    #[error("{} exists already", list(.0))]
    Exist(Vec<SkillPath>),
    #[error("{0} comes twice")]
    Twice(SkillPath),
    #[error("{0} can't be replaced by a file: it is what makes the folder a skill")]
    ReplacesMain(SkillPath),
    #[error("{0} is an artifact: only text can take its place")]
    ReplacesArtifact(SkillPath),
    #[error("{0} is in the way of a folder of that name, or the other way round")]
    FolderInTheWay(SkillPath),
    #[error("there is no free name for {0}")]
    NoFreeName(SkillPath),
    #[error("{0} belongs to its skill")]
    BelongsToSkill(SkillPath),
    #[error("the files are in this skill already")]
    SameSkill,
    #[error("{} is not absolute", .0.display())]
    RelativePath(PathBuf),
    #[error("there is no file in what was given")]
    NoFiles,
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Declare(#[from] DeclareError),
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// The first path, and how many there are beside it.
fn list(paths: &[SkillPath]) -> String {
    match paths {
        [] => String::new(),
        [only] => only.to_string(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

impl From<StorageError> for FileError {
    fn from(error: StorageError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<SaveError> for FileError {
    fn from(error: SaveError) -> Self {
        Self::Edit(error.into())
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        let message = error.to_string();
        match error {
            FileError::NotFound(_) => Self::new(Code::NotFound, message),
            FileError::NameTaken(_) => Self::new(Code::Exists, message).hint("choose another name"),
            FileError::FixedName(_) | FileError::ReplacesArtifact(_) | FileError::NoFreeName(_) | FileError::Path(_) => {
                Self::invalid(message)
            }
            FileError::DeletesMain(_) => Self::invalid(message).hint("delete the skill instead"),
            FileError::DeletesManifest(_) => {
                Self::invalid(message).hint("undeclare the artifacts instead; the file goes when nothing needs it")
            }
            FileError::Exist(paths) => {
                Self::new(Code::Exists, message).hint("replace, keep both, or leave them out").fields(json!({ "paths": paths }))
            }
            FileError::Twice(_) => Self::new(Code::Exists, message),
            FileError::ReplacesMain(_) => Self::invalid(message).hint("import the folder that it is from, or edit it"),
            FileError::FolderInTheWay(_) => Self::new(Code::Exists, message).hint("keep both, or leave it out"),
            FileError::BelongsToSkill(_) => Self::invalid(message).hint("duplicate or move the skill instead"),
            FileError::SameSkill => Self::invalid(message).hint("rename them instead"),
            FileError::RelativePath(_) => Self::invalid(message).hint("give the whole path"),
            FileError::NoFiles => Self::invalid(message).hint("empty folders are not kept"),
            FileError::Declare(error) => error.into(),
            FileError::Disk(error) => error.into(),
            FileError::Edit(error) => error.into(),
        }
    }
}

impl From<FileError> for Left {
    fn from(error: FileError) -> Self {
        Failure::from(error).into()
    }
}
