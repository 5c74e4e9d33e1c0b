use std::path::PathBuf;

use inklings_core::{ArtifactKind, Diagnostic, Scope, SkillId, SkillPath, Slug};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::{Draft, FileEntry, Left, SkillDetail};

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FileContent {
    pub entry: FileEntry,
    /// The skill's revision that the content is of.
    pub revision: i64,
    /// The text; null for binary content.
    pub text: Option<String>,
    /// Unsaved typing.
    pub draft: Option<Draft>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BytesParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Path in the skill.
    pub path: SkillPath,
    /// At most this many from the beginning; all without it.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// The beginning of a file, or all of it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FileBytes {
    /// What the file is.
    pub entry: FileEntry,
    /// The skill's revision that it is of.
    pub revision: i64,
    /// What the content is, judged by itself and not by its name, e.g. `image/png`.
    pub media_type: String,
    /// The bytes.
    pub base64: String,
}

/// A file that was opened lately.
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
    /// Characters of a name or path, in order; words in any order. Empty: what was opened lately, then all skills.
    pub query: String,
    /// Maximum number of results, at most 500. [default: 50]
    #[serde(default)]
    pub limit: Option<usize>,
    /// What was opened lately, the last one first. It comes first where it fits.
    #[serde(default)]
    pub recent: Vec<RecentFile>,
}

/// A skill or a file that fits.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FoundName {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    pub name: String,
    /// The file; null for the skill itself.
    pub path: Option<SkillPath>,
    /// Of the artifact that the file is.
    pub kind: Option<ArtifactKind>,
    /// What it was found by.
    pub text: String,
    /// Where in that text, in UTF-16 units.
    pub at: Vec<usize>,
}

/// What fits.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FoundNames {
    /// The best first.
    pub found: Vec<FoundName>,
    /// Whether there are more.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileMove {
    pub from: SkillPath,
    /// Its new path.
    pub to: SkillPath,
}

/// Renames files together with what names them: an artifact's entry and the path of its state.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The files, all or none.
    pub moves: Vec<FileMove>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteFilesParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The files, all or none.
    pub paths: Vec<SkillPath>,
}

/// What to do where a file of that name is there already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnExisting {
    /// Nothing is stored; the failure's `paths` say which they are.
    #[default]
    Refuse,
    /// The new one takes its place.
    Replace,
    /// The new one gets another name.
    Both,
    /// The new one is left out.
    Skip,
}

/// Files that are copied or moved into a skill.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CopyParams {
    /// The skill that has them: id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The skill that gets them; the same one without it.
    #[serde(default)]
    pub to_skill: Option<String>,
    /// Scope to look in for that one.
    #[serde(default)]
    pub to_scope: Option<Scope>,
    /// The files and their new paths, all or none.
    pub files: Vec<FileMove>,
    /// Take them from the skill that had them, once they have arrived.
    #[serde(default)]
    pub remove: bool,
    /// What to do where a file of that name is there already.
    #[serde(default, rename = "clash")]
    pub on_existing: OnExisting,
}

/// A skill that got files.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AddedFiles {
    pub skill: SkillDetail,
    /// Its revision before.
    pub before: i64,
    /// The files that came, and where each is.
    pub files: Vec<FileMove>,
    /// The skill that they were taken from.
    pub source: Option<SkillDetail>,
    /// Its revision before.
    pub source_before: Option<i64>,
    /// Why they are still there although they should go.
    pub left: Option<Left>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Files and folders of the disk that become files of a skill.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Folder of the skill that they come into; its top without one.
    #[serde(default)]
    pub folder: Option<SkillPath>,
    /// Files and folders, absolute; all or none.
    pub paths: Vec<PathBuf>,
    /// What to do where a file of that name is there already.
    #[serde(default, rename = "clash")]
    pub on_existing: OnExisting,
}
