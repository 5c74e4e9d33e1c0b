use std::path::PathBuf;

use inklings_core::{Diagnostic, Scope, SkillId, SkillPath, Slug};
pub use inklings_folder::package::PackageFormat;
use inklings_rpc::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::SkillRef;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportParams {
    pub skills: Vec<SkillRef>,
    /// Absolute path of the target folder. Each skill becomes a folder or file named after its slug. [default: a dry run]
    #[serde(default)]
    pub out: Option<PathBuf>,
    /// Package format. [default: a folder]
    #[serde(default)]
    pub form: Option<PackageFormat>,
    /// Set `name` in the frontmatter to the slug. Folders only.
    #[serde(default)]
    pub normalize: bool,
    /// Replace existing folders and files. Without it, those that differ are an error.
    #[serde(default)]
    pub replace: bool,
    /// Report what would be written without writing.
    #[serde(default)]
    pub dry_run: bool,
}

/// A skill of an export, written as a whole or not at all.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExportItem {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    pub name: String,
    /// The folder or file. Relative if no target folder was given.
    pub path: String,
    /// Number of exported files.
    pub files: usize,
    /// Files that the format can't contain.
    pub left_out: Vec<SkillPath>,
    /// Problems to know before sharing the skill.
    pub diagnostics: Vec<Diagnostic>,
    /// Why this skill wasn't exported.
    pub failure: Option<Failure>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExportReport {
    /// In the requested order.
    pub items: Vec<ExportItem>,
    pub dry_run: bool,
    /// Whether it was cancelled. `items` has the skills exported before.
    pub stopped: bool,
}
