use std::fmt;

use inklings_core::{Scope, SkillId, Slug};
use schemars::JsonSchema;
use serde::Serialize;

/// How another version of a skill stands to this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VersionRelation {
    /// The same files.
    Same,
    /// What this one was at an earlier revision, or a lower version number.
    Older,
    /// A higher version number.
    Newer,
    /// Something else.
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
    /// Its revision now.
    pub revision: i64,
    pub version: String,
    pub enabled: bool,
    /// How it stands to the skill that was asked for.
    pub standing: VersionRelation,
}

/// A copy in the folder of another agent.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillCopy {
    /// The agent's own name.
    pub agent: String,
    /// Whether the folder is the workspace's, and not the person's.
    pub of_workspace: bool,
    /// The agent's folder, as a person writes it: `~/.claude/skills`.
    pub folder: String,
    /// The copy's folder.
    pub path: String,
    /// How it stands to the skill here.
    pub standing: VersionRelation,
    /// The revision that it is; null if it never was one.
    pub revision: Option<i64>,
    /// Its version, if it says one.
    pub version: Option<String>,
    /// Why it can't be read.
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Places {
    /// All of it in one line.
    pub line: String,
    /// Which scope's skill is used.
    pub wins: Scope,
    /// The skill of the same name in the other scope.
    pub other: Option<OtherSkill>,
    /// The skill that it was duplicated from, if that is another than these and still there.
    pub parent: Option<OtherSkill>,
    /// The workspace's first.
    pub copies: Vec<SkillCopy>,
}
