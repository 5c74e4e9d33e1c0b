use std::path::PathBuf;

use inklings_core::{ArtifactKind, Diagnostic, Scope, SkillId, SkillPath, Slug};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::{Draft, FileEntry, PartialFailure, SkillDetail};

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FileContent {
    pub entry: FileEntry,
    /// The skill's revision that has this content.
    pub revision: i64,
    /// Null for binary content.
    pub text: Option<String>,
    /// Unsaved text.
    pub draft: Option<Draft>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BytesParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    pub path: SkillPath,
    /// Maximum number of bytes from the beginning. [default: all]
    #[serde(default)]
    pub limit: Option<u32>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FileBytes {
    pub entry: FileEntry,
    /// The skill's revision that has this content.
    pub revision: i64,
    /// Detected from the content, not from the name, such as `image/png`.
    pub media_type: String,
    pub base64: String,
}

/// A recently opened file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecentFile {
    pub scope: Scope,
    pub skill: SkillId,
    pub path: SkillPath,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindParams {
    /// Characters of a name or path, in order; words in any order. Empty lists recent files, then all skills.
    pub query: String,
    /// Maximum number of results, at most 500. [default: 50]
    #[serde(default)]
    pub limit: Option<usize>,
    /// Recently opened files, last opened first. Those that match rank higher.
    #[serde(default)]
    pub recent: Vec<RecentFile>,
}

/// A skill or file whose name matches.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct NameMatch {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    pub name: String,
    /// Null for the skill itself.
    pub path: Option<SkillPath>,
    /// Kind of the artifact. Null for other files.
    pub kind: Option<ArtifactKind>,
    /// The text that matches the query.
    pub text: String,
    /// Matching positions in `text`, in UTF-16 code units.
    pub at: Vec<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct NameMatches {
    /// Best match first.
    pub found: Vec<NameMatch>,
    /// Whether there are more matches than the limit.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileMove {
    pub from: SkillPath,
    pub to: SkillPath,
}

/// Renames files and updates the artifacts, states and Markdown links that refer to them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// All are moved, or none.
    pub moves: Vec<FileMove>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteFilesParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// All are deleted, or none.
    pub paths: Vec<SkillPath>,
    /// Refuse if this isn't the current revision. [default: any]
    #[serde(default)]
    pub expected: Option<i64>,
}

/// What to do if a file with that name exists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnExisting {
    /// Change nothing. `fields.paths` of the failure lists the existing files.
    #[default]
    Refuse,
    /// Replace the existing file.
    Replace,
    /// Keep both: the new file gets another name.
    Both,
    /// Keep the existing file.
    Skip,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CopyParams {
    /// The source skill: ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The target skill. [default: the source skill]
    #[serde(default)]
    pub to_skill: Option<String>,
    /// Scope of the target skill.
    #[serde(default)]
    pub to_scope: Option<Scope>,
    /// Files and their new paths. All are copied, or none.
    pub files: Vec<FileMove>,
    /// Delete the originals after copying.
    #[serde(default)]
    pub remove: bool,
    /// What to do if a file with that name exists.
    #[serde(default)]
    pub on_existing: OnExisting,
}

/// The result of copying, moving or adding files.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AddedFiles {
    pub skill: SkillDetail,
    /// Revision before the change.
    pub before: i64,
    /// The new files with their final paths.
    pub files: Vec<FileMove>,
    /// The skill that they were moved from.
    pub source: Option<SkillDetail>,
    /// Revision of that skill before the change.
    pub source_before: Option<i64>,
    /// Why the originals weren't deleted after copying.
    pub failure: Option<PartialFailure>,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Target folder in the skill. [default: its root]
    #[serde(default)]
    pub folder: Option<SkillPath>,
    /// Absolute paths of files and folders. All are added, or none.
    pub paths: Vec<PathBuf>,
    /// What to do if a file with that name exists.
    #[serde(default)]
    pub on_existing: OnExisting,
}
