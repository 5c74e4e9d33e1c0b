use std::fmt;

use inklings_core::{Scope, SkillId, Slug};
use schemars::JsonSchema;
use serde::Serialize;

/// How another version of a skill compares with this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VersionRelation {
    /// The same files.
    Same,
    /// An earlier revision of this one, or a lower version number.
    Older,
    /// A higher version number.
    Newer,
    Different,
    /// Its folder can't be read.
    Unreadable,
}

impl fmt::Display for VersionRelation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Same => "the same",
            Self::Older => "older",
            Self::Newer => "newer",
            Self::Different => "different",
            Self::Unreadable => "can\u{2019}t be read",
        })
    }
}

/// A skill of the same name in a scope, or the one that this was duplicated from.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OtherSkill {
    pub id: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    pub name: String,
    /// Current revision.
    pub revision: i64,
    pub version: String,
    pub enabled: bool,
    pub relation: VersionRelation,
}

/// A copy in the folder of another agent.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillCopy {
    /// Name of the agent.
    pub agent: String,
    /// Whether the folder is in the workspace.
    pub of_workspace: bool,
    /// Folder of the agent's skills, such as `~/.claude/skills`.
    pub folder: String,
    /// Folder of the copy.
    pub path: String,
    pub relation: VersionRelation,
    /// The revision with the same files. Null if there is none.
    pub revision: Option<i64>,
    /// Version in its files.
    pub version: Option<String>,
    /// Why it can't be read.
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillLocations {
    /// One-line summary.
    pub line: String,
    /// The scope whose skill is used.
    pub wins: Scope,
    /// The skill of the same name in the other scope.
    pub other: Option<OtherSkill>,
    /// The skill that it was duplicated from, if that still exists and isn't `other`.
    pub parent: Option<OtherSkill>,
    /// The workspace's first.
    pub copies: Vec<SkillCopy>,
}
