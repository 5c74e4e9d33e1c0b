//! Parameters and results of `compare/*`.

use std::path::PathBuf;

use inklings_core::change::PathChange;
use inklings_core::{Scope, SkillId, SkillPath, Slug};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::RevisionFile;

/// One side of a comparison: a skill as it is now, at a revision, or as an agent's folder has it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The revision; 0 is the empty folder before the first.
    #[serde(default)]
    pub revision: Option<i64>,
    /// The skill's copy in this folder, which `skill/places` names.
    #[serde(default)]
    pub copy: Option<PathBuf>,
}

/// What is compared.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareParams {
    /// Before.
    pub left: Version,
    /// After.
    pub right: Version,
}

/// One side, as it was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Side {
    /// The skill.
    pub id: SkillId,
    pub slug: Slug,
    /// Its title.
    pub name: String,
    /// Where it lives.
    pub scope: Scope,
    /// The revision; null for a copy.
    pub revision: Option<i64>,
    /// Whether that is how the skill is now.
    pub now: bool,
    /// Folder of the copy.
    pub copy: Option<String>,
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ComparedFile {
    pub path: SkillPath,
    /// How.
    pub change: PathChange,
    /// Whether both sides of it are text.
    pub text: bool,
    /// Whether it is executable on one side only.
    pub mode: bool,
    /// Lines that only the right side has; null without text.
    pub added: Option<usize>,
    /// Lines that only the left side has; null without text.
    pub removed: Option<usize>,
}

/// What differs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Compared {
    /// Before.
    pub left: Side,
    /// After.
    pub right: Side,
    /// By path.
    pub files: Vec<ComparedFile>,
}

/// A file of one side.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileVersion {
    /// Whose file it is.
    pub of: Version,
    pub path: SkillPath,
}

/// Two files to be compared.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareFileParams {
    /// Before.
    pub left: FileVersion,
    /// After.
    pub right: FileVersion,
}

/// The content of two files.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TwoFiles {
    /// Before.
    pub left: RevisionFile,
    /// After.
    pub right: RevisionFile,
}
