use inklings_core::manifest::SkillManifestSummary;
use inklings_core::{ArtifactKind, Digest, Lifecycle, LifecycleAction, Origin, Scope, SkillId, SkillPath, SkillStep, Slug, Source, Time};
use inklings_folder::package::PackageFormat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::features::skill::RelatedSkill;
use crate::wire::PartialFailure;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ListRecordsParams {
    /// List those of people or of models only.
    pub origin: Option<Origin>,
    /// List those in this state only.
    pub lifecycle: Option<Lifecycle>,
    pub source: Option<Source>,
    /// List those with this tag only.
    pub tag: Option<String>,
    pub enabled: Option<bool>,
    /// [default: the visible skills of both]
    pub scope: Option<Scope>,
    /// `next` of the previous page. [default: the first page]
    pub cursor: Option<String>,
    /// Maximum number of skills, at most 500. [default: 100]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillRecords {
    /// By slug.
    pub skills: Vec<SkillRecord>,
    /// Null on the last page.
    pub next: Option<String>,
}

/// A skill without its instructions.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillRecord {
    pub id: SkillId,
    pub slug: Slug,
    /// The slug: what tools call the skill by.
    pub name: Slug,
    pub title: String,
    pub description: String,
    pub category: String,
    pub tags: Vec<String>,
    pub scope: Scope,
    pub source: Source,
    pub origin: Origin,
    pub lifecycle: Lifecycle,
    /// 1 to 4.
    pub trust_tier: u8,
    /// From 0 to 1: by lifecycle, success and utility.
    pub quality: f32,
    /// From 0 to 1: rises with each success, falls with each failure.
    pub utility: f32,
    /// An estimate that is low without uses.
    pub success_rate: f32,
    pub enabled: bool,
    /// Number of the revision.
    pub version: i64,
    /// Semantic version, set by the author.
    pub package_version: String,
    pub author: Option<String>,
    pub created_at: Time,
    pub updated_at: Time,
    /// As declared. Null without one.
    pub manifest: Option<Value>,
    #[serde(rename = "manifestSummary")]
    pub manifest_summary: SkillManifestSummary,
    /// Why it shouldn't be used.
    pub warning: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillRecordDetail {
    #[serde(flatten)]
    pub record: SkillRecord,
    /// Instructions in Markdown, without frontmatter.
    pub content: String,
    /// The same as `content`.
    pub instructions: String,
    pub steps: Vec<SkillStep>,
    /// Paths of its files.
    pub files: Vec<SkillPath>,
}

/// Takes the names of fields of other systems: `name` and `title`, or `slug` and `name`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateRecordParams {
    /// The slug if there is a title, else the title.
    pub name: String,
    #[serde(default)]
    pub title: Option<String>,
    /// [default: derived from the title]
    #[serde(default)]
    pub slug: Option<String>,
    /// What the skill does and when to use it.
    pub description: String,
    /// Instructions in Markdown, without frontmatter.
    #[serde(default)]
    pub content: Option<String>,
    /// The same as `content`.
    #[serde(default)]
    pub instructions: Option<String>,
    #[serde(default)]
    pub category: Option<String>,
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    #[serde(default)]
    pub manifest: Option<Map<String, Value>>,
    /// [default: the workspace if one is open, else the account]
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// Values to change. Omitted values are kept.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateRecordParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Refuse if this isn't the current revision. [default: any]
    #[serde(default)]
    pub expected: Option<i64>,
    /// The slug is kept.
    #[serde(default)]
    pub title: Option<String>,
    /// The same as `title`, unless it is the slug.
    #[serde(default)]
    pub name: Option<String>,
    /// What the skill does and when to use it.
    #[serde(default)]
    pub description: Option<String>,
    /// New instructions in Markdown, without frontmatter, replacing all.
    #[serde(default)]
    pub content: Option<String>,
    /// The same as `content`.
    #[serde(default)]
    pub instructions: Option<String>,
    #[serde(default)]
    pub category: Option<String>,
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// Replaces the manifest.
    #[serde(default)]
    pub manifest: Option<Map<String, Value>>,
    /// Whether agents can find and run it.
    #[serde(default)]
    pub enabled: Option<bool>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillTree {
    /// Number of the revision.
    pub revision: i64,
    /// Folders first, then files, each by name.
    pub children: Vec<TreeNode>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum TreeNode {
    Folder {
        name: String,
        path: String,
        children: Vec<Self>,
    },
    File {
        name: String,
        path: SkillPath,
        /// In bytes.
        size: u64,
        /// Of its bytes. The entity tag of the file.
        sha256: Digest,
        executable: bool,
        /// Null for a file that is no artifact.
        kind: Option<ArtifactKind>,
    },
}

/// The skills that a skill needs, and those that need it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DependencyGraph {
    pub name: Slug,
    /// Nearest first, each once.
    pub dependencies: Vec<RelatedSkill>,
    /// Nearest first, each once.
    pub dependents: Vec<RelatedSkill>,
    /// Slugs of skills that need each other in a circle; the first is also the last. Null if there is no circle.
    pub cycle: Option<Vec<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HealthAdvice {
    Keep,
    Degrade,
    Deprecate,
    /// Of a degraded skill.
    Reinstate,
}

/// How well a skill does. Each number is from 0 to 1.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillHealth {
    pub name: Slug,
    pub lifecycle: Lifecycle,
    pub origin: Origin,
    /// 0.35 utility + 0.25 (1 - redundancy) + 0.2 freshness + 0.2 (1 - failure risk).
    pub overall: f32,
    /// Rises with each success, falls with each failure.
    pub utility: f32,
    /// Similarity to the most similar visible skill, by the words of their titles and descriptions.
    pub redundancy: f32,
    /// Slug of that skill. Null if none has a word in common.
    pub similar_to: Option<Slug>,
    /// Falls from 1 to 0.05 in the 30 days after its last use, or after its creation.
    pub freshness: f32,
    /// 1 - the estimated success rate.
    pub failure_risk: f32,
    pub uses: u32,
    /// What maintenance would do.
    pub advice: HealthAdvice,
    /// Errors in its files.
    pub errors: usize,
    /// Warnings about its files.
    pub warnings: usize,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MaintainParams {
    /// Report what would be changed without changing it.
    pub dry_run: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MaintenanceChange {
    pub name: Slug,
    pub scope: Scope,
    pub action: LifecycleAction,
    pub from: Lifecycle,
    /// Null if it wasn't changed.
    pub to: Option<Lifecycle>,
    pub overall: f32,
    /// The numbers behind it, as recorded in the ledger.
    pub reason: String,
    /// Why it couldn't be changed.
    pub failure: Option<PartialFailure>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Maintenance {
    /// Skills that a model wrote.
    pub changed: Vec<MaintenanceChange>,
    /// Skills that people wrote. They decide.
    pub proposed: Vec<MaintenanceChange>,
    pub dry_run: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    pub format: PackageFormat,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PackedSkill {
    pub file_name: String,
    pub media_type: String,
    pub base64: String,
    /// Files that the format can't contain.
    pub omitted: Vec<SkillPath>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LoadSharedParams {
    /// Report what would happen without storing.
    pub dry_run: bool,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ExportSharedParams {
    /// ID, slug or title of each. [default: all visible skills]
    pub skills: Option<Vec<String>>,
    /// Replace folders that differ. Without it, they are an error.
    pub replace: bool,
    /// Report what would be written without writing.
    pub dry_run: bool,
}
