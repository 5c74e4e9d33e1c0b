//! Where files are, below the registry's address.

use inklings_core::Digest;
use schemars::JsonSchema;
use semver::Version;
use serde::{Deserialize, Serialize};

use super::{Document, FormatError, RegistryId, ShardId, check_text};
use crate::limits;

pub const CONFIG: &str = "config.json";
pub const SNAPSHOT: &str = "snapshot.json";
pub const ROOTS: &str = "roots";

#[must_use]
pub fn root_path(version: u64) -> String {
    format!("{ROOTS}/{version}.json")
}

#[must_use]
pub fn shard_path(shard: ShardId, digest: &Digest) -> String {
    format!("index/{shard}/{digest}.jsonl")
}

#[must_use]
pub fn revocations_path(digest: &Digest) -> String {
    format!("revoked/{digest}.json")
}

/// In folders by the first byte, as object stores and file systems slow down with many files in one folder.
#[must_use]
pub fn package_path(digest: &Digest) -> String {
    format!("packages/{:02x}/{digest}.skill", digest.bytes()[0])
}

/// What a person sees when adding a registry. It isn't signed: the fingerprint is compared with one from another source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub format: u32,
    pub registry: RegistryId,
    pub title: String,
    /// SHA-256 of `roots/1.json`.
    pub fingerprint: Digest,
    #[schemars(with = "String")]
    pub minimum_client: Version,
}

impl Document for Config {
    const MAX_BYTES: u64 = limits::CONFIG_BYTES;

    fn validate(&self) -> Result<(), FormatError> {
        check_text("title", &self.title, limits::LABEL_CHARS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_format() {
        let digest = Digest::of(b"abc");
        assert_eq!(root_path(3), "roots/3.json");
        assert_eq!(shard_path(ShardId::of(&"a".parse().unwrap()), &digest), format!("index/ca/{digest}.jsonl"));
        assert_eq!(package_path(&digest), format!("packages/ba/{digest}.skill"));
    }
}
