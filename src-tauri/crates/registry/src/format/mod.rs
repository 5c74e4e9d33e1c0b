//! The documents of a registry.
//!
//! ```text
//! config.json                      unsigned: id and fingerprint, for people who add the registry
//! roots/<version>.json             keys of all roles, signed by those of the version before
//! snapshot.json                    hashes of everything below
//! index/<shard>/<sha256>.jsonl     one line for each version of a skill, signed by its publisher
//! revoked/<sha256>.json            withdrawn packages
//! packages/<shard>/<sha256>.skill  archives
//! ```
//!
//! All files but `snapshot.json` are immutable, so that a reader never sees a half-written registry.

mod document;
mod entry;
mod labels;
mod paths;
mod permission;
mod revocation;
mod root;
mod shard;
mod signed;
mod snapshot;

pub use document::{Document, FormatError};
pub use entry::{PackageEntry, Requirements};
pub use labels::{ParseIdError, RegistryId};
pub use paths::{CONFIG, Config, ROOTS, SNAPSHOT, package_path, revocations_path, root_path, shard_path};
pub use permission::{ParsePermissionError, Permission, PermissionError, permissions};
pub use revocation::{Revocation, Revocations};
pub use root::{Publisher, Role, RootDocument};
pub use shard::{IndexLine, Shard, ShardId};
pub use signed::{DocumentSignature, Signed};
pub use snapshot::{FileReference, Snapshot};

pub(crate) use labels::check_text;
