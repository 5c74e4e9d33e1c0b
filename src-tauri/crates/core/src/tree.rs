//! A skill as a folder in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::digest::Digest;
use crate::path::SkillPath;

/// One file: bytes and whether it is executable. Cloning is cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    pub bytes: Arc<[u8]>,
    /// The owner's execute bit; other mode bits are not kept.
    pub executable: bool,
}

impl TreeFile {
    /// A plain file.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self { bytes: bytes.into(), executable: false }
    }

    /// The content as text, if it is UTF-8.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// The content's hash.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.bytes)
    }
}

/// A folder: path to file, in byte order of the paths. Empty folders don't exist here.
pub type Tree = BTreeMap<SkillPath, TreeFile>;
