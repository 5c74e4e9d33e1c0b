//! Packages that must not be used any more.

use inklings_core::{Digest, Slug, Time};
use schemars::JsonSchema;
use semver::Version;
use serde::{Deserialize, Serialize};

use super::document::is_strictly_sorted;
use super::{Document, FormatError, RegistryId, check_text};
use crate::limits;

/// Part of a snapshot by its hash. Revocations are permanent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Revocations {
    pub format: u32,
    pub registry: RegistryId,
    /// By hash.
    pub packages: Vec<Revocation>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Revocation {
    /// Of the package.
    pub sha256: Digest,
    pub slug: Slug,
    #[schemars(with = "String")]
    pub version: Version,
    pub reason: String,
    pub revoked_at: Time,
}

impl Revocations {
    #[must_use]
    pub fn empty(registry: RegistryId) -> Self {
        Self { format: limits::FORMAT, registry, packages: Vec::new() }
    }

    #[must_use]
    pub fn find(&self, package: &Digest) -> Option<&Revocation> {
        self.packages.binary_search_by_key(package, |one| one.sha256).ok().and_then(|at| self.packages.get(at))
    }
}

impl Document for Revocations {
    const MAX_BYTES: u64 = limits::REVOCATIONS_BYTES;

    fn validate(&self) -> Result<(), FormatError> {
        FormatError::at_most("revocations", self.packages.len(), limits::REVOCATIONS)?;
        if !is_strictly_sorted(&self.packages, |one| one.sha256) {
            return Err(FormatError::NotCanonical);
        }
        self.packages.iter().try_for_each(|one| check_text("reason", &one.reason, limits::REASON_CHARS))
    }
}
