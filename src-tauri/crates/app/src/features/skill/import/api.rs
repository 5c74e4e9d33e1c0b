use std::path::PathBuf;

use inklings_core::three_way::PathMerge;
use inklings_core::{Diagnostic, Scope, SkillId, SkillPath, Slug};
use inklings_rpc::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportParams {
    /// Skill folders, folders of skill folders, SKILL.md files, or packages; absolute.
    pub paths: Vec<PathBuf>,
    /// Where to put them; the workspace when one is open, else the account.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Only say what would happen.
    #[serde(default)]
    pub dry_run: bool,
    /// Give a skill whose name is taken in the batch another name.
    #[serde(default)]
    pub rename: bool,
    /// Refuse what the Agent Skills standard refuses.
    #[serde(default)]
    pub strict: bool,
    /// What to do with single skills.
    #[serde(default)]
    pub choices: Vec<ImportChoice>,
    /// Store nothing but what has a choice of its own; without it new skills and updates are stored.
    #[serde(default)]
    pub only_chosen: bool,
    /// What to do with conflicts and locked skills that have no choice of their own.
    #[serde(default)]
    pub conflicts: ImportAction,
    /// Keep new skills as third-party ones: locked, changed only by importing them again.
    #[serde(default)]
    pub third_party: bool,
}

/// What to do with one skill that arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportAction {
    /// Nothing.
    #[default]
    Skip,
    /// Store it as it arrives; what was changed here since goes into the history.
    Replace,
    /// Store what both sides changed; of files that both changed, ours, or theirs where `theirs` names them.
    Merge,
    /// Store it beside the one that is here, under another name.
    Both,
    /// Store it in the open workspace, where it hides the account's.
    Override,
}

/// What to do with one of the skills.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportChoice {
    /// Its path, as the report has it.
    pub path: String,
    #[serde(rename = "take")]
    pub action: ImportAction,
    /// With `merge`: the files that are taken as they arrive.
    #[serde(default)]
    pub theirs: Vec<SkillPath>,
}

/// What happened, or would happen, to one skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportStatus {
    /// A new skill.
    New,
    /// A new revision of a skill that is there; what was changed here since it was imported stays.
    Update,
    /// Files were changed here and there, or it isn't known what the skill here came from.
    Conflict,
    /// Nothing in it that isn't here.
    Unchanged,
    /// The skill that is there is locked.
    Locked,
    /// It can't be read as a skill; the diagnostics say why.
    Refused,
}

/// One skill of an import.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ImportItem {
    /// Its folder or file; inside a package the place in it follows.
    pub path: String,
    pub slug: Option<Slug>,
    pub name: Option<String>,
    /// What it is to the skills here.
    pub status: ImportStatus,
    /// Whether it was stored.
    pub stored: bool,
    /// The skill that is here, or the one that was made.
    pub skill: Option<SkillId>,
    /// The revision here.
    pub revision: Option<i64>,
    /// The revision that both sides come from, if that is known.
    pub base: Option<i64>,
    /// The files that differ from it, by path: of updates and conflicts.
    pub changes: Vec<PathMerge>,
    /// What was odd.
    pub diagnostics: Vec<Diagnostic>,
}

/// What an import did.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ImportReport {
    /// By path, in byte order.
    pub items: Vec<ImportItem>,
    /// Where the skills are.
    pub scope: Scope,
    /// Whether nothing was stored because only a look was asked for.
    pub dry_run: bool,
    /// Whether it ended before all were done; the items are those that were.
    pub stopped: bool,
    /// How many skills were found.
    pub found: usize,
    /// What was odd while looking for skills: folders without rights, links that were not followed.
    pub diagnostics: Vec<Diagnostic>,
    /// What ended it early, such as a full disk; the items are those that were done before. An import that fails before anything is
    /// stored is refused instead.
    pub failure: Option<Failure>,
}
