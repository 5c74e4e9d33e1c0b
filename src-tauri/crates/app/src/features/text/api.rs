//! Parameters and results of `text/*`.

use inklings_core::{Scope, SkillId, SkillPath, Slug};
use inklings_rpc::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::find::{Match, Query};

/// What to search.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchParams {
    /// What to look for.
    pub query: Query,
    /// What would stand in its place, to see it beforehand. In an expression `$1` and `${name}` are its groups.
    #[serde(default)]
    pub replacement: Option<String>,
    /// Only in this skill: id, slug or title.
    #[serde(default)]
    pub skill: Option<String>,
    /// Only in this scope.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Only in files whose path contains this, e.g. `.py` or `prompts/`.
    #[serde(default)]
    pub path: Option<String>,
    /// Most matches; 2,000 without it, at most 20,000.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// A skill with matches.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillMatches {
    pub id: SkillId,
    pub slug: Slug,
    /// Its title.
    pub name: String,
    /// Where it lives.
    pub scope: Scope,
    /// The revision that was searched.
    pub revision: i64,
    /// Whether it may not be changed in place.
    pub locked: bool,
    /// Its files with matches, by path.
    pub files: Vec<FileMatches>,
}

/// A file with matches.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FileMatches {
    pub path: SkillPath,
    /// In order.
    pub matches: Vec<Match>,
}

/// What a search found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Matches {
    /// By slug, the workspace's first.
    pub skills: Vec<SkillMatches>,
    /// Number of matches.
    pub matches: usize,
    /// Number of files.
    pub files: usize,
    /// Whether there are more.
    pub more: bool,
}

/// Matches of one file that are to be replaced.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplaceFile {
    /// The skill's id.
    pub skill: SkillId,
    /// Where it lives.
    pub scope: Scope,
    /// The revision that was searched.
    pub revision: i64,
    /// The file.
    pub path: SkillPath,
    /// Its matches by their order, from 0; all without it.
    #[serde(default)]
    pub matches: Option<Vec<usize>>,
}

/// What to replace.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplaceParams {
    /// What was looked for.
    pub query: Query,
    /// What comes in its place.
    pub replacement: String,
    /// Where.
    pub files: Vec<ReplaceFile>,
}

/// A skill that was changed: one revision with all its files.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Replaced {
    /// The skill.
    pub id: SkillId,
    pub slug: Slug,
    /// Where it lives.
    pub scope: Scope,
    /// The revision that was made. Going back to the one before it undoes the change.
    pub revision: i64,
    /// Matches that were replaced.
    pub matches: usize,
    /// Files that were changed.
    pub files: Vec<SkillPath>,
}

/// A skill that was left as it is.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Kept {
    /// The skill.
    pub id: SkillId,
    /// Where it lives.
    pub scope: Scope,
    /// Why.
    pub failure: Failure,
}

/// What a replacement did.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Replacement {
    /// What was changed.
    pub changed: Vec<Replaced>,
    /// What was not; each skill is changed as a whole or not at all.
    pub kept: Vec<Kept>,
}
