use std::path::PathBuf;

use inklings_core::SkillPath;
use inklings_core::path::PathError;
use inklings_folder::{DeclareError, DiskError};
use inklings_rpc::{Code, Failure, NextStep};
use serde_json::json;

use crate::editing::{EditError, from_save_errors};
use crate::wire::PartialFailure;

/// Why files aren't added, copied, moved or deleted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error("the skill has no file {0}")]
    NotFound(SkillPath),
    #[error("the file {0} already exists")]
    NameTaken(SkillPath),
    #[error("{0} can't be renamed: every skill needs it")]
    FixedName(SkillPath),
    #[error("{0} can't be deleted: every skill needs it")]
    DeletesMain(SkillPath),
    #[error("{0} can't be deleted: it declares the skill's artifacts")]
    DeletesManifest(SkillPath),
    /// At least one.
    #[error("{} already exist{}", list(.0), if .0.len() == 1 { "s" } else { "" })]
    Exist(Vec<SkillPath>),
    #[error("two files would have the path {0}")]
    Twice(SkillPath),
    #[error("{0} can't be replaced: every skill needs it")]
    ReplacesMain(SkillPath),
    #[error("{0} is an artifact and can only be replaced by a text file")]
    ReplacesArtifact(SkillPath),
    #[error("{0} can't be both a file and a folder")]
    PathOverlap(SkillPath),
    #[error("no unused name found for {0}")]
    NoFreeName(SkillPath),
    #[error("{0} can't be copied on its own: it defines its skill")]
    DefinesSkill(SkillPath),
    #[error("the files are already in this skill")]
    SameSkill,
    #[error("{} isn't an absolute path", .0.display())]
    RelativePath(PathBuf),
    #[error("the selection has no files")]
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

/// The first path, and the number of others.
fn list(paths: &[SkillPath]) -> String {
    match paths {
        [] => String::new(),
        [only] => only.to_string(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

from_save_errors!(FileError);

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        let message = error.to_string();
        match error {
            FileError::NotFound(_) => Self::new(Code::NotFound, message).next_step(NextStep::FindFile),
            FileError::NameTaken(_) => Self::new(Code::Exists, message).hint("choose another name"),
            FileError::FixedName(_) | FileError::ReplacesArtifact(_) | FileError::NoFreeName(_) | FileError::Path(_) => {
                Self::invalid(message)
            }
            FileError::DeletesMain(_) => Self::invalid(message).hint("delete the skill instead"),
            FileError::DeletesManifest(_) => Self::invalid(message).hint("undeclare the artifacts; the file is deleted with the last one"),
            FileError::Exist(paths) => {
                Self::new(Code::Exists, message).hint("replace, keep both, or skip").fields(json!({ "paths": paths }))
            }
            FileError::Twice(_) => Self::new(Code::Exists, message),
            FileError::ReplacesMain(_) => Self::invalid(message).hint("edit the file, or import the skill's folder"),
            FileError::PathOverlap(_) => Self::new(Code::Exists, message).hint("keep both, or skip it"),
            FileError::DefinesSkill(_) => Self::invalid(message).hint("duplicate or move the skill instead"),
            FileError::SameSkill => Self::invalid(message).hint("rename them instead"),
            FileError::RelativePath(_) => Self::invalid(message).hint("use an absolute path"),
            FileError::NoFiles => Self::invalid(message).hint("choose files, or a folder with files"),
            FileError::Declare(error) => error.into(),
            FileError::Disk(error) => error.into(),
            FileError::Edit(error) => error.into(),
        }
    }
}

impl From<FileError> for PartialFailure {
    fn from(error: FileError) -> Self {
        Failure::from(error).into()
    }
}
