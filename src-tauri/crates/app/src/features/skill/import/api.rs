use std::path::PathBuf;

use inklings_core::three_way::PathMerge;
use inklings_core::{Diagnostic, Scope, SkillId, SkillPath, Slug};
use inklings_git::FetchedRepository;
use inklings_rpc::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportParams {
    /// Absolute paths of skill folders, folders of skill folders, SKILL.md files or packages.
    #[serde(default)]
    pub paths: Vec<PathBuf>,
    /// Files that aren't on the disk, such as attachments of a chat.
    #[serde(default)]
    pub texts: Vec<ImportedText>,
    /// Repositories fetched by `import/fetch` that contain some of the paths. It is stored where the skills come from.
    #[serde(default)]
    pub repositories: Vec<FetchedRepository>,
    /// The stored skill that the only skill of the import is a newer version of. [default: the one of its name]
    #[serde(default)]
    pub updates: Option<SkillId>,
    /// Target scope. [default: the workspace if one is open, else the account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Report what would happen without storing.
    #[serde(default)]
    pub dry_run: bool,
    /// Rename a skill that has the name of another one in the import.
    #[serde(default)]
    pub rename: bool,
    /// Refuse skills that the Agent Skills specification doesn't allow.
    #[serde(default)]
    pub strict: bool,
    /// Actions for single skills.
    #[serde(default)]
    pub choices: Vec<ImportChoice>,
    /// Import only skills in `choices`. Without it, new skills and updates are imported too.
    #[serde(default)]
    pub only_chosen: bool,
    /// Action for conflicts and locked skills that aren't in `choices`.
    #[serde(default)]
    pub conflicts: ImportAction,
    /// Import new skills as third-party skills: locked, and updated only by importing them again.
    #[serde(default)]
    pub third_party: bool,
}

/// A file in one of the formats that skills are imported from.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportedText {
    /// Name of the file, with its extension.
    pub name: String,
    pub text: String,
}

/// What to do with a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportAction {
    #[default]
    Skip,
    /// Replace the stored skill. Its changes stay in the history.
    Replace,
    /// Merge the changes of both versions. Of files changed in both, ours are kept, except those in `theirs`.
    Merge,
    /// Keep both: import it under another name.
    Both,
    /// Import it into the open workspace, where it overrides the account's.
    Override,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportChoice {
    /// Path of the skill, as in the report.
    pub path: String,
    pub action: ImportAction,
    /// With `merge`: files to take from the imported version.
    #[serde(default)]
    pub theirs: Vec<SkillPath>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportStatus {
    New,
    /// A newer version of a stored skill. Local changes to other files are kept.
    Update,
    /// A file was changed in both versions, or their common base is unknown.
    Conflict,
    /// Nothing new.
    Unchanged,
    /// The stored skill is locked.
    Locked,
    /// Not a valid skill. The diagnostics say why.
    Refused,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ImportItem {
    /// Its folder or file, followed by the path in the package if there is one.
    pub path: String,
    pub slug: Option<Slug>,
    pub name: Option<String>,
    pub status: ImportStatus,
    pub stored: bool,
    /// The stored or the new skill.
    pub skill: Option<SkillId>,
    /// Current revision of the stored skill.
    pub revision: Option<i64>,
    /// The revision that both versions are based on, if known.
    pub base: Option<i64>,
    /// Files that differ from the base, by path. Only of updates and conflicts.
    pub changes: Vec<PathMerge>,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ImportReport {
    /// By path, in byte order.
    pub items: Vec<ImportItem>,
    pub scope: Scope,
    pub dry_run: bool,
    /// Whether it was cancelled. `items` has the skills processed before.
    pub stopped: bool,
    /// Number of skills found.
    pub found: usize,
    /// Problems while searching for skills: folders without permission, links that weren't followed.
    pub diagnostics: Vec<Diagnostic>,
    /// Why it ended early, such as a full disk. `items` has the skills processed before.
    pub failure: Option<Failure>,
}
