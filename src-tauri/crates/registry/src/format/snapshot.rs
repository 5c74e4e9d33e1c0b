//! What a registry contains at one time.

use std::collections::BTreeMap;

use inklings_core::{Digest, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Document, FormatError, RegistryId, ShardId};
use crate::limits;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    pub format: u32,
    pub registry: RegistryId,
    /// From 1, and one more with each change.
    pub serial: u64,
    /// A server that has nothing newer from then on is withholding updates, or isn't maintained.
    pub expires: Time,
    pub revoked: FileReference,
    /// Without empty shards.
    pub shards: BTreeMap<ShardId, FileReference>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileReference {
    pub sha256: Digest,
    pub length: u64,
}

impl FileReference {
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self { sha256: Digest::of(bytes), length: bytes.len() as u64 }
    }

    #[must_use]
    pub fn matches(&self, bytes: &[u8]) -> bool {
        *self == Self::of(bytes)
    }
}

impl Document for Snapshot {
    const MAX_BYTES: u64 = limits::SNAPSHOT_BYTES;

    fn validate(&self) -> Result<(), FormatError> {
        if self.serial == 0 {
            return Err(FormatError::invalid("serial", "it is 0"));
        }
        let too_long = |file: &FileReference, max: u64| {
            if file.length > max { Err(FormatError::TooLong { length: file.length, max }) } else { Ok(()) }
        };
        too_long(&self.revoked, limits::REVOCATIONS_BYTES)?;
        self.shards.values().try_for_each(|file| too_long(file, limits::SHARD_BYTES))
    }
}
