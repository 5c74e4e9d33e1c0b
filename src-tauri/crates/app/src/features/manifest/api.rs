//! Parameters and results of `manifest/*`.

use inklings_core::Slug;
use inklings_core::manifest::SkillManifestSummary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RequirementKind {
    Tool,
    ToolGroup,
    Integration,
    Action,
    /// A person decides while it runs.
    HumanGate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RequirementStatus {
    Ok,
    Missing,
    /// It couldn't be checked.
    Unknown,
}

/// A requirement of a manifest, and whether it is met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Requirement {
    pub kind: RequirementKind,
    /// As in the manifest.
    pub name: String,
    pub status: RequirementStatus,
    /// What was found.
    pub detail: String,
    /// What to do about it. Null if it is met.
    pub advice: Option<String>,
}

/// Whether a skill can run here and now. Nothing was executed to find out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Readiness {
    /// Whether nothing is missing.
    pub ready: bool,
    pub ok: usize,
    pub missing: usize,
    pub unknown: usize,
    pub requirements: Vec<Requirement>,
    /// Names of what is missing.
    pub blockers: Vec<String>,
}

/// A manifest in short, and its readiness.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillReadiness {
    pub summary: SkillManifestSummary,
    pub readiness: Readiness,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageSkillsParams {
    /// Slug of the page.
    pub page: String,
}

/// A skill that a page names.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageSkill {
    /// As on the page.
    pub name: String,
    pub found: bool,
    pub slug: Option<Slug>,
    /// Null if it wasn't found.
    pub skill: Option<SkillReadiness>,
}

/// The skills that a page is worked on with: the list `skills` in its frontmatter.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageSkills {
    /// Whether the page has such a list, or is of the type `goal`.
    pub declared: bool,
    pub skills: Vec<PageSkill>,
}
