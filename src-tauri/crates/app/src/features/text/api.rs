//! Parameters and results of `text/*`.

use inklings_core::{Scope, SkillId, SkillPath, Slug};
use inklings_rpc::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::find::{Match, Query};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchParams {
    pub query: Query,
    /// Replacement to preview. In a regular expression, `$1` and `${name}` insert groups.
    #[serde(default)]
    pub replacement: Option<String>,
    /// Search only this skill: ID, slug or title.
    #[serde(default)]
    pub skill: Option<String>,
    /// Search only this scope.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Search only files whose path contains this text, such as `.py` or `prompts/`.
    #[serde(default)]
    pub path: Option<String>,
    /// Maximum number of matches, at most 20,000. [default: 2,000]
    #[serde(default)]
    pub limit: Option<usize>,
}

/// A skill with matches.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillMatches {
    pub id: SkillId,
    pub slug: Slug,
    /// Title.
    pub name: String,
    pub scope: Scope,
    /// The revision that was searched.
    pub revision: i64,
    /// Whether the skill can't be changed.
    pub locked: bool,
    /// By path.
    pub files: Vec<FileMatches>,
}

/// A file with matches.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FileMatches {
    pub path: SkillPath,
    pub matches: Vec<Match>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SearchResult {
    /// By slug, the workspace's first.
    pub skills: Vec<SkillMatches>,
    /// Number of matches.
    pub matches: usize,
    /// Number of files with matches.
    pub files: usize,
    /// Whether there are more matches than the limit.
    pub more: bool,
}

/// Matches to replace in a file.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplaceFile {
    /// ID of the skill.
    pub skill: SkillId,
    pub scope: Scope,
    /// The revision that was searched.
    pub revision: i64,
    pub path: SkillPath,
    /// Indices of the matches in the file, from 0. [default: all]
    #[serde(default)]
    pub matches: Option<Vec<usize>>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplaceParams {
    pub query: Query,
    /// In a regular expression, `$1` and `${name}` insert groups.
    pub replacement: String,
    pub files: Vec<ReplaceFile>,
}

/// A skill that was changed, in one revision.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReplacedSkill {
    pub id: SkillId,
    pub slug: Slug,
    pub scope: Scope,
    /// The new revision. Reverting it undoes the change.
    pub revision: i64,
    /// Number of replaced matches.
    pub matches: usize,
    /// Files that were changed.
    pub files: Vec<SkillPath>,
}

/// A skill that wasn't changed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RefusedReplacement {
    pub id: SkillId,
    pub scope: Scope,
    pub failure: Failure,
}

/// Each skill is changed as a whole or not at all.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReplaceReport {
    pub changed: Vec<ReplacedSkill>,
    pub refused: Vec<RefusedReplacement>,
}
