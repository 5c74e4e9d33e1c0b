//! The keys of a registry.

use inklings_core::Time;
use schemars::JsonSchema;
use semver::Version;
use serde::{Deserialize, Serialize};

use super::document::is_strictly_sorted;
use super::{Document, FormatError, RegistryId, check_text};
use crate::keys::PublicKey;
use crate::limits;

/// Which keys sign what. Version `n + 1` is signed by the root keys of version `n` and by its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RootDocument {
    pub format: u32,
    pub registry: RegistryId,
    pub title: String,
    /// From 1.
    pub version: u64,
    /// The registry can't be synced from then on, unless there is a newer version.
    pub expires: Time,
    /// Older clients can't sync.
    #[schemars(with = "String")]
    pub minimum_client: Version,
    /// Signs root documents. Its keys should be kept offline.
    pub root: Role,
    pub snapshot: Role,
    /// Who may sign packages, by key.
    pub publishers: Vec<Publisher>,
}

/// Keys and how many of them must sign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Role {
    pub threshold: u32,
    /// Sorted.
    pub keys: Vec<PublicKey>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Publisher {
    pub key: PublicKey,
    pub name: String,
}

impl Role {
    #[must_use]
    pub fn new(threshold: u32, keys: impl IntoIterator<Item = PublicKey>) -> Self {
        let mut keys: Vec<_> = keys.into_iter().collect();
        keys.sort_unstable();
        keys.dedup();
        Self { threshold, keys }
    }

    #[must_use]
    pub fn is_met(&self, valid: usize) -> bool {
        u32::try_from(valid).is_ok_and(|valid| valid >= self.threshold)
    }

    fn validate(&self, what: &'static str) -> Result<(), FormatError> {
        FormatError::at_most("keys", self.keys.len(), limits::ROLE_KEYS)?;
        if !is_strictly_sorted(&self.keys, |key| *key) {
            return Err(FormatError::NotCanonical);
        }
        if self.threshold == 0 || !self.is_met(self.keys.len()) {
            return Err(FormatError::invalid(what, format_args!("{} of {} keys can't sign", self.threshold, self.keys.len())));
        }
        check_keys(self.keys.iter())
    }
}

fn check_keys<'a>(mut keys: impl Iterator<Item = &'a PublicKey>) -> Result<(), FormatError> {
    match keys.find(|key| !key.is_usable()) {
        Some(key) => Err(FormatError::invalid("public key", key)),
        None => Ok(()),
    }
}

impl RootDocument {
    #[must_use]
    pub fn is_publisher(&self, key: &PublicKey) -> bool {
        self.publishers.binary_search_by_key(key, |publisher| publisher.key).is_ok()
    }
}

impl Document for RootDocument {
    const MAX_BYTES: u64 = limits::ROOT_BYTES;

    fn validate(&self) -> Result<(), FormatError> {
        if self.version == 0 {
            return Err(FormatError::invalid("version", "it is 0"));
        }
        check_text("title", &self.title, limits::LABEL_CHARS)?;
        self.root.validate("root role")?;
        self.snapshot.validate("snapshot role")?;
        FormatError::at_most("publishers", self.publishers.len(), limits::PUBLISHERS)?;
        if !is_strictly_sorted(&self.publishers, |publisher| publisher.key) {
            return Err(FormatError::NotCanonical);
        }
        self.publishers.iter().try_for_each(|publisher| check_text("publisher", &publisher.name, limits::LABEL_CHARS))?;
        check_keys(self.publishers.iter().map(|publisher| &publisher.key))
    }
}
