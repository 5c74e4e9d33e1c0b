//! Registries that the user added, and the skills that were installed from them. All of it is stored in the account's database.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::id::SkillId;
use crate::name::Slug;
use crate::storage_error::StorageError;
use crate::time::Time;

/// The package that a skill was installed from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstalledPackage {
    /// `<registry>/<name>`
    pub marketplace_id: String,
    /// Of the archive.
    pub sha256: Digest,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryRecord {
    /// As its documents state it.
    pub id: String,
    pub title: String,
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
    /// The last sync that was tried.
    pub last_sync: Option<SyncAttempt>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncAttempt {
    pub at: Time,
    /// Why it failed.
    pub failure: Option<SyncFailure>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncFailure {
    pub message: String,
    pub hint: String,
    /// Whether the server couldn't be reached.
    pub is_offline: bool,
}

/// A skill of the account that was installed from a registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledSkill {
    pub skill: SkillId,
    pub slug: Slug,
    pub name: String,
    pub version: String,
    pub package: InstalledPackage,
    /// Whether it keeps its version until the user updates it.
    pub is_pinned: bool,
}

/// Calls block.
pub trait MarketplaceStore: Send + Sync {
    /// By descending priority, then ID.
    fn registries(&self) -> Result<Vec<RegistryRecord>, StorageError>;
    /// False, and nothing is changed, if one of this ID exists.
    fn add_registry(&self, registry: &RegistryRecord) -> Result<bool, StorageError>;
    /// Changes a registry atomically: `change` receives the stored one, whose ID, fingerprint and time of adding stay. Returns the changed
    /// one, `None` if it doesn't exist.
    fn change_registry(&self, id: &str, change: &mut dyn FnMut(&mut RegistryRecord)) -> Result<Option<RegistryRecord>, StorageError>;
    /// Returns whether it existed. Skills that were installed from it stay.
    fn remove_registry(&self, id: &str) -> Result<bool, StorageError>;
    /// A registry that was removed meanwhile isn't an error.
    fn note_sync(&self, id: &str, attempt: &SyncAttempt) -> Result<(), StorageError>;
    /// By slug.
    fn installed_skills(&self) -> Result<Vec<InstalledSkill>, StorageError>;
    /// Returns whether that is a change.
    fn set_pinned(&self, skill: SkillId, pinned: bool) -> Result<bool, StorageError>;
}
