use std::collections::BTreeSet;
use std::path::PathBuf;

use inklings_core::{Diagnostic, Digest, Scope, SkillId, Slug, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::features::compare::ComparedFile;
use crate::wire::SkillRef;

/// A registry to change, and how its changes are signed.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishTarget {
    /// Absolute path of the registry's folder.
    pub folder: PathBuf,
    /// Absolute path of the folder with its keys: `snapshot.key`, `publisher.key`, and `root.key` if it isn't kept elsewhere. [default: a
    /// folder of the account]
    #[serde(default)]
    pub keys: Option<PathBuf>,
    /// Days until clients refuse the registry's state as outdated, at most 365. [default: 30]
    #[serde(default)]
    pub days: Option<u32>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateRegistryParams {
    /// The folder must be new or empty. The keys in its folder of keys are used if there are any, and created otherwise.
    pub target: PublishTarget,
    /// Lowercase letters, digits, hyphens and dots, as in `skills.example.org`.
    pub id: String,
    pub title: String,
    /// Name that is shown as the publisher of its skills. [default: the title]
    #[serde(default)]
    pub publisher: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CreatedRegistry {
    pub folder: String,
    pub id: String,
    pub title: String,
    /// What people compare when they add the registry.
    pub fingerprint: Digest,
    pub keys: KeyPaths,
    pub expires: Time,
    pub root_expires: Time,
}

/// Files with secret keys, which only their owner can read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KeyPaths {
    pub folder: String,
    /// Signs who may sign. Needed once a year; keep it offline.
    pub root: String,
    /// Signs the state of the registry.
    pub snapshot: String,
    /// Signs skills.
    pub publisher: String,
    /// Whether they were created, and not there before.
    pub created: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishFolder {
    /// Absolute path of the registry's folder.
    pub folder: PathBuf,
}

/// Signatures and hashes of the index are verified, packages are not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PublishStatus {
    pub folder: String,
    pub id: String,
    pub title: String,
    pub fingerprint: Digest,
    /// One more with each change.
    pub serial: u64,
    /// When clients refuse the registry's state as outdated.
    pub expires: Time,
    pub expired: bool,
    /// Whether half of the usual 30 days have passed, so that the registry should be refreshed.
    pub refresh_due: bool,
    /// When clients refuse the registry's keys.
    pub root_expires: Time,
    pub root_expired: bool,
    /// Whether half of the usual 365 days have passed. Refreshing with the root key renews it.
    pub root_refresh_due: bool,
    /// By key.
    pub publishers: Vec<RegistryPublisher>,
    pub skills: usize,
    pub versions: usize,
    pub yanked: usize,
    pub revoked: usize,
    /// Versions of former publishers. Clients don't see them.
    pub distrusted: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RegistryPublisher {
    pub name: String,
    /// `ed25519:` and 64 hex digits.
    pub key: String,
}

/// Everything was verified as clients do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VerifiedRegistry {
    pub id: String,
    pub fingerprint: Digest,
    pub serial: u64,
    pub skills: usize,
    pub versions: usize,
    pub yanked: usize,
    pub revoked: usize,
    /// As in [`PublishStatus`].
    pub distrusted: usize,
    /// Packages that no index names, as relative paths. They may be deleted.
    pub unreferenced: Vec<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanReleaseParams {
    /// Absolute path of the registry's folder.
    pub folder: PathBuf,
    /// Stored skills.
    #[serde(default)]
    pub skills: Vec<SkillRef>,
    /// Absolute paths of skill folders, folders of skill folders, or packages.
    #[serde(default)]
    pub paths: Vec<PathBuf>,
}

/// What a new version changes for those who have the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VersionBump {
    /// Text only.
    Patch,
    /// Something was added, or a file was removed that isn't an artifact.
    Minor,
    /// An artifact or a variable was removed or renamed, or permissions changed.
    Major,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlannedState {
    /// The registry doesn't have the skill yet.
    New,
    Update,
    /// The version is published with this content.
    Unchanged,
    /// It can't be published; `diagnostics` says why.
    Blocked,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PublishedVersion {
    pub version: String,
    pub published_at: Time,
    /// Of the package.
    pub sha256: Digest,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PlannedSkill {
    pub slug: Slug,
    pub title: String,
    /// Null for a skill on disk.
    pub id: Option<SkillId>,
    /// Null for a skill on disk.
    pub scope: Option<Scope>,
    /// Its folder or file. Null for a stored skill.
    pub path: Option<String>,
    pub state: PlannedState,
    /// As it is written in the skill.
    pub version: String,
    /// The version to publish: the written one if the registry doesn't have it yet. Null if it can't be determined.
    pub next_version: Option<String>,
    /// Null for a new skill, and if all versions are revoked.
    pub last: Option<PublishedVersion>,
    /// What follows from the changes since the last version. Null without any.
    pub bump: Option<VersionBump>,
    /// The lowest version that doesn't look more compatible than the changes are. Null without changes.
    pub required_version: Option<String>,
    /// Why `bump` isn't smaller.
    pub reasons: Vec<String>,
    /// Files that differ from the last version, by path.
    pub files: Vec<ComparedFile>,
    pub permissions: Vec<String>,
    pub permissions_gained: Vec<String>,
    pub permissions_lost: Vec<String>,
    /// Proposed text for the changelog, as Markdown. Empty without changes.
    pub changelog: String,
    /// Of the validator, and of what can't be published. Errors block.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReleasePlan {
    /// ID of the registry.
    pub registry: String,
    /// By slug.
    pub skills: Vec<PlannedSkill>,
    /// Problems of the search for skills.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether all skills can be published.
    pub ok: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleasedSkill {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Semantic version, which is written to the skill. [default: the one of the plan]
    #[serde(default)]
    pub version: Option<String>,
    /// Markdown that is added to the skill's CHANGELOG.md. [default: none]
    #[serde(default)]
    pub changelog: Option<String>,
}

/// Locked skills and skills on disk aren't changed, so their version must be new already.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseParams {
    pub target: PublishTarget,
    #[serde(default)]
    pub skills: Vec<ReleasedSkill>,
    /// Absolute paths of skill folders, folders of skill folders, or packages.
    #[serde(default)]
    pub paths: Vec<PathBuf>,
    /// Version of the app that the skills need. [default: any]
    #[serde(default)]
    pub minimum_client: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReleasedVersion {
    pub slug: Slug,
    pub version: String,
    /// Of the stored skill with this version. Null for a skill on disk.
    pub revision: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReleaseReport {
    /// ID of the registry.
    pub registry: String,
    /// By slug.
    pub released: Vec<ReleasedVersion>,
    /// Number of skills whose version was published before.
    pub unchanged: usize,
    /// Of the registry. The same as before if nothing was written.
    pub serial: u64,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct YankParams {
    pub target: PublishTarget,
    pub skill: Slug,
    pub version: String,
    /// Shown to those who have the version. Null offers it again.
    pub reason: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevokeParams {
    pub target: PublishTarget,
    pub skill: Slug,
    pub version: String,
    /// Shown to those who have the version.
    pub reason: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RefreshParams {
    pub target: PublishTarget,
}

/// What a key of a registry signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KeyRole {
    /// Who may sign.
    Root,
    /// The state of the registry.
    Snapshot,
    /// Skills.
    Publisher,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RotateKeysParams {
    pub target: PublishTarget,
    pub keys: BTreeSet<KeyRole>,
}

/// The registry after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PublishedState {
    pub serial: u64,
    pub expires: Time,
    /// Version of the root document, which names the keys.
    pub root_version: u64,
    pub root_expires: Time,
    /// Whether anything was written.
    pub changed: bool,
}
