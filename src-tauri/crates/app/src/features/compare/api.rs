//! Parameters and results of `compare/*`.

use std::path::PathBuf;

use inklings_core::change::PathChange;
use inklings_core::{Scope, SkillId, SkillPath, Slug};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::RevisionFile;

/// A skill as it is now, at a revision, or as a copy in another agent's folder.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Revision number. 0 is the empty folder before the first. [default: the current one]
    #[serde(default)]
    pub revision: Option<i64>,
    /// Folder of a copy of the skill. Not allowed together with `revision`.
    #[serde(default)]
    pub copy: Option<PathBuf>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareParams {
    /// The old version.
    pub left: Version,
    /// The new version.
    pub right: Version,
}

/// One side of a comparison.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Side {
    pub id: SkillId,
    pub slug: Slug,
    /// Title.
    pub name: String,
    pub scope: Scope,
    /// Null for a copy.
    pub revision: Option<i64>,
    /// Whether this is the current revision.
    pub now: bool,
    /// Folder of the copy.
    pub copy: Option<String>,
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ComparedFile {
    pub path: SkillPath,
    pub change: PathChange,
    /// Whether the file is text on both sides.
    pub text: bool,
    /// Whether the execute bit differs.
    pub mode: bool,
    /// Whether the file has the execute bit on the right side.
    pub executable: bool,
    /// Lines only on the right side. Null for binary files.
    pub added: Option<usize>,
    /// Lines only on the left side. Null for binary files.
    pub removed: Option<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Comparison {
    pub left: Side,
    pub right: Side,
    /// Files that differ, by path.
    pub files: Vec<ComparedFile>,
}

/// A file of a version.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileVersion {
    pub of: Version,
    pub path: SkillPath,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareFileParams {
    /// The old file.
    pub left: FileVersion,
    /// The new file.
    pub right: FileVersion,
}

/// Both texts of a compared file.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FileTexts {
    pub left: RevisionFile,
    pub right: RevisionFile,
}
