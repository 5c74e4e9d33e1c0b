use std::path::PathBuf;

use inklings_core::{Diagnostic, Fix, Scope, Severity, SkillId, SkillListCursor, SkillPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::features::skill::TreeRows;

/// Checks a text as the content of a file.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckFileParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Path of the file, which may be new.
    pub path: SkillPath,
    pub text: String,
}

/// A fix for one of several diagnostics.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OfferedFix {
    /// Index of the diagnostic.
    pub finding: usize,
    #[serde(flatten)]
    pub fix: Fix,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CheckedFile {
    /// By position.
    pub diagnostics: Vec<Diagnostic>,
    /// Best first for each diagnostic. Empty for a locked skill.
    pub fixes: Vec<OfferedFix>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Findings {
    /// By file and position.
    pub diagnostics: Vec<Diagnostic>,
}

/// Selects the diagnostics of a file whose fixes are listed.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixesParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    pub path: SkillPath,
    /// Unsaved text of the file. [default: the saved text]
    #[serde(default)]
    pub text: Option<String>,
    /// Only diagnostics of this rule.
    #[serde(default)]
    pub rule: Option<String>,
    /// Only diagnostics that begin on this line.
    #[serde(default)]
    pub line: Option<u32>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Fixes {
    /// Best first.
    pub fixes: Vec<Fix>,
    /// The text that they apply to.
    pub text: String,
    /// Whether the skill is locked, so that there are no fixes.
    pub locked: bool,
}

/// Selects the skills to check: a page of all, or some.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckAllParams {
    /// `next` of the previous page. [default: the first page]
    #[serde(default)]
    pub from: Option<SkillListCursor>,
    /// Maximum number of skills, at most 1,000. [default: 200]
    #[serde(default)]
    pub limit: Option<u32>,
    /// Check only these skills, such as those that changed. Deleted ones are skipped.
    #[serde(default)]
    pub only: Option<TreeRows>,
    /// Lowest severity to list. [default: warning]
    #[serde(default)]
    pub least: Option<Severity>,
}

/// Number of diagnostics by severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SeverityCounts {
    pub errors: usize,
    pub warnings: usize,
    pub infos: usize,
    pub hints: usize,
}

/// Diagnostics of a stored skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillFindings {
    pub id: SkillId,
    pub scope: Scope,
    /// The revision that was checked.
    pub revision: i64,
    /// Of all diagnostics, listed or not.
    pub counts: SeverityCounts,
    /// The listed ones, by file and position, at most 200.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CheckedSkills {
    /// Those with listed diagnostics, the workspace's first, each scope by title.
    pub skills: Vec<SkillFindings>,
    /// Number of skills that were checked.
    pub checked: u32,
    /// Null on the last page.
    pub next: Option<SkillListCursor>,
    /// Number of all skills.
    pub total: u32,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidateParams {
    /// Absolute paths of skill folders, folders of skill folders, SKILL.md files or packages.
    pub paths: Vec<PathBuf>,
    /// Check only against the Agent Skills specification.
    #[serde(default)]
    pub strict: bool,
}

/// The result of validating one skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FolderValidation {
    /// Its folder or file.
    pub path: String,
    /// Whether there are no errors.
    pub ok: bool,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Validation {
    /// By path, in byte order.
    pub skills: Vec<FolderValidation>,
    /// Problems of the search for skills: folders without permission, links that weren't followed.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether it was cancelled before all skills were checked.
    pub stopped: bool,
}
