use std::collections::{BTreeMap, BTreeSet};

use inklings_core::{Digest, SkillId, SkillPath, Slug, Time};
use inklings_registry::client::MarketplaceId;
use inklings_registry::format::Permission;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::features::registry::WaitReason;
use crate::wire::PartialFailure;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SearchMarketplaceParams {
    /// Words. Empty for all skills, by name.
    pub query: String,
    pub category: Option<String>,
    pub registry: Option<String>,
    /// Number of skills to skip.
    pub offset: usize,
    /// 1 to 200. [default: 50]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MarketplacePage {
    /// Best first.
    pub skills: Vec<MarketplaceSkill>,
    /// Number of skills on all pages.
    pub total: usize,
    /// Number of skills by category, whatever the category searched for.
    pub categories: BTreeMap<String, usize>,
}

/// A skill of a registry, in its newest version that can be installed, or the newest one if none can.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MarketplaceSkill {
    /// `<registry>/<name>`
    pub id: MarketplaceId,
    pub slug: Slug,
    pub title: String,
    pub description: String,
    pub category: String,
    pub tags: BTreeSet<String>,
    pub author: Option<String>,
    /// Who signed it.
    pub publisher: Option<String>,
    pub version: String,
    pub published_at: Time,
    pub permissions: BTreeSet<Permission>,
    /// Tokens of its instructions.
    pub token_cost: u64,
    /// Bytes to download.
    pub length: u64,
    /// Whether a version of it can be installed.
    pub available: bool,
    /// The registry whose skill of the same name is used instead, because it has a higher priority.
    pub hidden_by: Option<String>,
    /// Null if the account has no skill from there.
    pub installed: Option<InstalledVersion>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct InstalledVersion {
    pub skill: SkillId,
    pub version: String,
    pub pinned: bool,
    /// Newer version that can be installed.
    pub update: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MarketplaceRef {
    /// `<registry>/<name>`, or a name, which is that of the registry with the highest priority.
    pub id: String,
    /// [default: the newest one that can be installed]
    #[serde(default)]
    pub version: Option<String>,
}

/// A skill with its versions.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MarketplaceDetail {
    #[serde(flatten)]
    pub skill: MarketplaceSkill,
    pub registry_title: String,
    /// Key of the publisher.
    pub publisher_key: String,
    /// Of the archive.
    pub sha256: Digest,
    /// Number of files.
    pub files: u32,
    /// Newest first.
    pub versions: Vec<MarketplaceVersion>,
    pub dependencies: Vec<MarketplaceDependency>,
    /// Permissions that the installed version doesn't have. All of them if it isn't installed.
    pub new_permissions: BTreeSet<Permission>,
    /// Why it can't be installed: the account has another skill of this name.
    pub conflict: Option<NameConflict>,
}

/// A skill of the account with the name of one of a registry.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct NameConflict {
    pub skill: SkillId,
    pub title: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MarketplaceVersion {
    pub version: String,
    pub published_at: Time,
    /// Who signed it.
    pub publisher: Option<String>,
    pub permissions: BTreeSet<Permission>,
    pub token_cost: u64,
    pub length: u64,
    /// Why it isn't offered any more.
    pub yanked: Option<String>,
    /// Why it must not be used.
    pub revoked: Option<String>,
    /// The version of the app that it needs, if this one is too old.
    pub needs_app: Option<String>,
    pub installed: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MarketplaceDependency {
    pub slug: Slug,
    /// Whether the account has a skill of this name.
    pub installed: bool,
    /// Where it can be installed from.
    pub id: Option<MarketplaceId>,
}

/// The files of a version.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MarketplacePackage {
    pub id: MarketplaceId,
    pub version: String,
    /// Text of the readme, or of the instructions without a readme.
    pub readme: String,
    /// By path.
    pub files: Vec<MarketplaceFile>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MarketplaceFile {
    pub path: SkillPath,
    /// In bytes.
    pub size: u64,
    pub executable: bool,
    /// Null if it isn't UTF-8.
    pub text: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareVersionsParams {
    /// As in [`MarketplaceRef`].
    pub id: String,
    /// [default: the installed version, from the account]
    #[serde(default)]
    pub from: Option<String>,
    pub to: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct VersionComparison {
    pub from: String,
    pub to: String,
    /// Files that differ, by path.
    pub files: Vec<ChangedFile>,
    pub added_permissions: BTreeSet<Permission>,
    pub removed_permissions: BTreeSet<Permission>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChangedFile {
    pub path: SkillPath,
    /// Whether it exists in each version.
    pub in_from: bool,
    pub in_to: bool,
    /// Null if it doesn't exist or isn't UTF-8.
    pub from_text: Option<String>,
    pub to_text: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InstallSkillParams {
    /// As in [`MarketplaceRef`].
    pub id: String,
    /// [default: the newest one that can be installed]
    #[serde(default)]
    pub version: Option<String>,
    /// Permissions that the user was shown and agreed to. Those of the version that is installed needn't be repeated.
    #[serde(default)]
    pub accept: BTreeSet<Permission>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillInstallation {
    pub skill: SkillId,
    pub slug: Slug,
    pub version: String,
    /// The version that it replaces. Null for a new skill.
    pub replaced: Option<String>,
    /// Skills that it depends on and the account doesn't have.
    pub missing: Vec<Slug>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InstalledStatus {
    Current,
    /// There is a newer version.
    Update,
    /// The version isn't offered any more.
    Yanked,
    /// The version must not be used.
    Revoked,
    /// No enabled registry has it.
    Unknown,
}

/// An installed skill beside what its registry says about it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct InstalledMarketplaceSkill {
    pub skill: SkillId,
    pub slug: Slug,
    pub title: String,
    /// `<registry>/<name>`
    pub id: String,
    pub version: String,
    pub pinned: bool,
    pub status: InstalledStatus,
    /// Why it was yanked or revoked.
    pub reason: Option<String>,
    pub update: Option<AvailableUpdate>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AvailableUpdate {
    pub version: String,
    /// Why it isn't installed by itself. Null if the next sync installs it.
    pub waits: Option<WaitReason>,
    /// Permissions that the installed version doesn't have.
    pub new_permissions: BTreeSet<Permission>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct InstalledSkills {
    /// By name.
    pub skills: Vec<InstalledMarketplaceSkill>,
    /// Number of skills with an update.
    pub updates: usize,
    /// Number of revoked skills.
    pub revoked: usize,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UpdateSkillsParams {
    /// IDs, slugs or titles. [default: all with an update that needs no consent]
    pub skills: Option<Vec<String>>,
    /// Permissions that the user was shown and agreed to.
    pub accept: BTreeSet<Permission>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SkillUpdates {
    pub updated: Vec<SkillInstallation>,
    pub failed: Vec<FailedUpdate>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FailedUpdate {
    pub slug: Slug,
    pub failure: PartialFailure,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PinParams {
    /// ID, slug or title of an installed skill.
    pub skill: String,
    pub pinned: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InstalledRef {
    /// ID, slug or title of an installed skill.
    pub skill: String,
}
