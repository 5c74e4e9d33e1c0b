use inklings_core::{Lifecycle, Origin, Scope, SkillStep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Loads a skill to follow it: its instructions and steps, and how far it can be trusted.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadSkillCall {
    /// Slug of the skill.
    pub name: String,
    /// [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// Loads the instructions of a skill, to follow them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadInstructionsCall {
    /// Slug of the skill.
    pub slug: String,
    /// [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// Lists skills with their lifecycle and quality, or inspects one of them.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SkillReadCall {
    /// Slug of a skill to inspect, with its instructions. [default: list skills]
    pub name: Option<String>,
    /// List those of people or of models only.
    pub origin: Option<Origin>,
    /// List those in this state only.
    pub lifecycle: Option<Lifecycle>,
    /// Maximum number of skills, at most 500. [default: 50]
    pub limit: Option<usize>,
    /// [default: workspace, then account]
    pub scope: Option<Scope>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LoadedSkill {
    pub name: String,
    pub title: String,
    pub description: String,
    pub content: String,
    pub steps: Vec<SkillStep>,
    pub lifecycle: Lifecycle,
    /// 1 to 4.
    pub trust_tier: u8,
    /// From 0 to 1: by lifecycle, success and utility.
    pub quality: f32,
    /// Number of the revision.
    pub version: i64,
    /// Why it shouldn't be used.
    pub warning: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LoadedInstructions {
    /// Title.
    pub name: String,
    pub instructions: String,
    /// Why it shouldn't be used.
    pub warning: Option<String>,
}

/// A skill in a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CatalogEntry {
    pub name: String,
    pub title: String,
    pub description: String,
    pub scope: Scope,
    pub origin: Origin,
    pub lifecycle: Lifecycle,
    /// 1 to 4.
    pub trust_tier: u8,
    /// From 0 to 1: by lifecycle, success and utility.
    pub quality: f32,
    /// Number of the revision.
    pub version: i64,
    pub enabled: bool,
    /// Why it shouldn't be used.
    pub warning: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct InspectedSkill {
    #[serde(flatten)]
    pub entry: CatalogEntry,
    /// Only of a skill that was asked for by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Only of a skill that was asked for by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<SkillStep>>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillReadResult {
    pub skills: Vec<InspectedSkill>,
    /// Number of matching skills.
    pub total: usize,
}
