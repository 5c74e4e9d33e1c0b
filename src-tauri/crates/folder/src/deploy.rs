//! Copies of skills in the folders of other programs: writing them, and telling later whether somebody changed them.
//!
//! [`DeployLock`] records what was written. A copy is replaced or removed only while its files are those that the lock, or the caller,
//! expects; they are compared again at the moment of the exchange. What the lock doesn't name belongs to somebody else.

mod copy;
mod lock;

use std::collections::BTreeMap;

use inklings_core::{Digest, SkillPath, Tree};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use copy::{Deployment, Outcome, Present};
pub use lock::{DeployEntry, DeployLock, EntryState, LockFile};

use crate::skipped::skill_files;

/// What is recorded of a deployed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeployedFile {
    pub sha256: Digest,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
}

pub type DeployedFiles = BTreeMap<SkillPath, DeployedFile>;

#[must_use]
pub fn deployed_files(tree: &Tree) -> DeployedFiles {
    skill_files(tree).map(|(path, file)| (path.clone(), DeployedFile { sha256: file.digest(), executable: file.executable })).collect()
}
