use std::path::PathBuf;

use inklings_core::{Diagnostic, Scope, SkillId, SkillPath, Slug};
pub use inklings_folder::package::Form;
use inklings_rpc::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::SkillRef;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportParams {
    pub skills: Vec<SkillRef>,
    /// Folder to write into; absolute. Each skill gets a folder or a file named by its slug. Without one it is only a look.
    #[serde(default)]
    pub out: Option<PathBuf>,
    /// The form of a package; a folder without one.
    #[serde(default)]
    pub form: Option<Form>,
    /// Make the frontmatter name the slug; of folders.
    #[serde(default)]
    pub normalise: bool,
    /// Replace what is there already under that name; without it that is an error, unless it is the same.
    #[serde(default)]
    pub replace: bool,
    /// Only say what would be written and what would be left out.
    #[serde(default)]
    pub dry_run: bool,
}

/// One skill: exported as a whole or not at all.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExportItem {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    pub name: String,
    /// The folder or file; below the folder written into where none was given.
    pub path: String,
    /// Number of files of the skill that are in it.
    pub files: usize,
    /// Files that the form has no place for.
    pub left_out: Vec<SkillPath>,
    /// What to know before it is handed out.
    pub diagnostics: Vec<Diagnostic>,
    /// Why it is not written; the others are.
    pub failure: Option<Failure>,
}

/// What an export did.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExportReport {
    /// In the order asked for.
    pub items: Vec<ExportItem>,
    /// Whether nothing was written because only a look was asked for.
    pub dry_run: bool,
    /// Whether it was stopped; the items are those that were done.
    pub stopped: bool,
}
