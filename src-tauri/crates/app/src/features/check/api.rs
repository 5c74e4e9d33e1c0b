//! Parameters and results of `check/*`.

use std::path::PathBuf;

use inklings_core::{Diagnostic, Fix, Scope, Severity, SkillId, SkillListCursor, SkillPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::features::skill::TreeSome;

/// A text to check in its place.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckFileParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The file, which need not exist yet.
    pub path: SkillPath,
    pub text: String,
}

/// A fix for one of some findings.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OfferedFix {
    /// Which finding, by its place in the list.
    pub finding: usize,
    /// What to do about it.
    #[serde(flatten)]
    pub fix: Fix,
}

/// What was found in a text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CheckedFile {
    /// By place.
    pub diagnostics: Vec<Diagnostic>,
    /// What can be done about them, best first for each; nothing in a locked skill.
    pub fixes: Vec<OfferedFix>,
}

/// What was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Findings {
    /// By place.
    pub diagnostics: Vec<Diagnostic>,
}

/// A finding to do something about.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixesParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The file.
    pub path: SkillPath,
    /// Its text; as it is stored without it.
    #[serde(default)]
    pub text: Option<String>,
    /// Only findings of this rule.
    #[serde(default)]
    pub rule: Option<String>,
    /// Only findings that begin on this line.
    #[serde(default)]
    pub line: Option<u32>,
}

/// What can be done.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Fixes {
    /// Best first.
    pub fixes: Vec<Fix>,
    /// The text that they are for.
    pub text: String,
    /// The skill can't be edited: it has to be duplicated first, and there are no fixes.
    pub locked: bool,
}

/// Which skills: a page of all, or just some.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckAllParams {
    /// Where the page begins, as the page before said; at the first skill without it.
    #[serde(default)]
    pub from: Option<SkillListCursor>,
    /// Skills to check; 200 unless said, at most 1,000.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Just these, as after a change; those that are gone are left out.
    #[serde(default)]
    pub only: Option<TreeSome>,
    /// Only findings at least this bad are listed; warnings unless said.
    #[serde(default)]
    pub least: Option<Severity>,
}

/// How many findings a skill has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SeverityCounts {
    pub errors: usize,
    pub warnings: usize,
    /// Informations.
    pub infos: usize,
    pub hints: usize,
}

/// What was found in a skill as it is stored.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillFindings {
    /// The skill.
    pub id: SkillId,
    pub scope: Scope,
    /// The revision that was checked.
    pub revision: i64,
    /// All findings, whether listed or not.
    pub counts: SeverityCounts,
    /// By file and place: those that are bad enough, at most 200.
    pub diagnostics: Vec<Diagnostic>,
}

/// What was found in some skills.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CheckedSkills {
    /// Those with anything to list, the workspace's first, each scope by title.
    pub skills: Vec<SkillFindings>,
    /// How many skills were looked at.
    pub checked: u32,
    /// Where the next page begins; null when this is the last.
    pub next: Option<SkillListCursor>,
    /// How many skills there are in all.
    pub total: u32,
}

/// What to validate.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidateParams {
    /// Skill folders, folders of skill folders, or SKILL.md files; absolute.
    pub paths: Vec<PathBuf>,
    /// By the letter of the Agent Skills standard, and nothing else.
    #[serde(default)]
    pub strict: bool,
}

/// What was found of one skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FolderVerdict {
    /// Its folder, or the file that it is.
    pub path: String,
    /// Whether it is valid: nothing found is an error.
    pub ok: bool,
    /// What was found.
    pub diagnostics: Vec<Diagnostic>,
}

/// What was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Validation {
    /// By path, in byte order.
    pub skills: Vec<FolderVerdict>,
    /// What was odd while looking for skills: folders without rights, links that were not followed.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether it was stopped before all skills were looked at.
    pub stopped: bool,
}
