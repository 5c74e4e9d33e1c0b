//! Limits of what a registry may contain and a server may send.

/// Format of all documents. Clients refuse documents of later formats, and skip package entries of later formats.
pub const FORMAT: u32 = 1;

pub const ROOT_BYTES: u64 = 512 * 1024;
pub const SNAPSHOT_BYTES: u64 = 256 * 1024;
pub const CONFIG_BYTES: u64 = 16 * 1024;
pub const REVOCATIONS_BYTES: u64 = 4 * 1024 * 1024;
pub const SHARD_BYTES: u64 = 8 * 1024 * 1024;
pub const LINE_BYTES: usize = 64 * 1024;
/// Bytes of a `.skill` archive: those of a skill's files and room for its headers.
pub const PACKAGE_BYTES: u64 = 17 * 1024 * 1024;

/// Shards of the index, one for each first byte of a slug's hash.
pub const SHARDS: usize = 256;
/// Versions of a skill, yanked ones included.
pub const VERSIONS: usize = 1_000;
/// Entries of one shard.
pub const SHARD_ENTRIES: usize = 20_000;
pub const REVOCATIONS: usize = 10_000;
/// Keys of a role.
pub const ROLE_KEYS: usize = 16;
pub const PUBLISHERS: usize = 1_000;
pub const SIGNATURES: usize = 64;
/// New root documents in one sync.
pub const ROOT_ROTATIONS: usize = 64;

pub const REGISTRY_ID_CHARS: usize = 64;
pub const TAGS: usize = 32;
pub const PERMISSIONS: usize = 128;
pub const REQUIRED_SKILLS: usize = 64;
/// Characters of a category, a tag, an author, a publisher's name, or the name in a permission.
pub const LABEL_CHARS: usize = 120;
/// Characters of the reason of a yank or a revocation.
pub const REASON_CHARS: usize = 500;
