use inklings_core::{Digest, Time};
use inklings_registry::format::RegistryId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::PartialFailure;

/// A registry that the user added.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RegistryInfo {
    pub id: String,
    pub title: String,
    /// `https`, `http` or `file`.
    pub address: String,
    /// Asked in this order if the address doesn't answer.
    pub mirrors: Vec<String>,
    /// SHA-256 of its first root document.
    pub fingerprint: Digest,
    /// Of two registries with a skill of the same name, the one with the higher number is used.
    pub priority: i32,
    pub enabled: bool,
    /// Whether it may update the skills that were shipped with the app.
    pub updates_built_in: bool,
    pub added_at: Time,
    /// When its contents were confirmed last. Null before the first sync.
    pub synced_at: Option<Time>,
    /// When the last sync was tried.
    pub tried_at: Option<Time>,
    /// Why the last sync failed. What was known before is still used.
    pub failure: Option<PartialFailure>,
    /// Whether the server couldn't be reached.
    pub is_offline: bool,
    /// Number of its contents. Null before the first sync.
    pub serial: Option<u64>,
    /// From then on, nothing can be installed until it is synced again.
    pub expires_at: Option<Time>,
    /// Number of its skills.
    pub skills: usize,
    /// Names of its publishers.
    pub publishers: Vec<String>,
}

/// What a server says about itself. Nothing of it is verified: compare the fingerprint with one from another source.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RegistryIdentity {
    pub id: RegistryId,
    pub title: String,
    pub address: String,
    pub fingerprint: Digest,
    /// Whether a registry of this ID was added already.
    pub is_known: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InspectRegistryParams {
    /// URL, or the absolute path of a folder.
    pub address: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddRegistryParams {
    /// URL, or the absolute path of a folder.
    pub address: String,
    /// SHA-256 of its first root document, as its owner states it.
    pub fingerprint: Digest,
    /// URLs that are asked if the address doesn't answer.
    #[serde(default)]
    pub mirrors: Vec<String>,
    /// See [`RegistryInfo`].
    #[serde(default)]
    pub priority: i32,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegistryRef {
    pub registry: String,
}

/// What isn't given stays.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeRegistryParams {
    pub registry: String,
    /// URL, or the absolute path of a folder. The fingerprint must be the same.
    #[serde(default)]
    pub address: Option<String>,
    #[serde(default)]
    pub mirrors: Option<Vec<String>>,
    #[serde(default)]
    pub priority: Option<i32>,
    #[serde(default)]
    pub enabled: Option<bool>,
    #[serde(default)]
    pub updates_built_in: Option<bool>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SyncRegistriesParams {
    /// [default: all that are enabled]
    pub registry: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SyncOutcome {
    pub registries: Vec<RegistryOutcome>,
    /// Skills that were updated by the sync.
    pub updated: Vec<UpdatedSkill>,
    /// Skills with an update that wasn't installed.
    pub waiting: Vec<WaitingUpdate>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RegistryOutcome {
    pub id: String,
    /// Whether its contents are others than before.
    pub changed: bool,
    /// Parts of the index that were fetched.
    pub fetched: usize,
    /// Null if it was synced.
    pub failure: Option<PartialFailure>,
    pub is_offline: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct UpdatedSkill {
    pub slug: String,
    pub from: String,
    pub to: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct WaitingUpdate {
    pub slug: String,
    pub from: String,
    pub to: String,
    pub why: WaitReason,
    /// Why it failed.
    pub failure: Option<PartialFailure>,
}

/// Why an update isn't installed by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    Pinned,
    /// It needs permissions that the installed version doesn't have.
    Permissions,
    /// Another publisher signed it, or the installed version isn't known to the registry any more.
    Publisher,
    /// Automatic updates are switched off.
    Manual,
    /// It couldn't be installed.
    Failed,
}
