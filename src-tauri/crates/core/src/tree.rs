//! A skill as a folder in memory.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::digest::Digest;
use crate::path::SkillPath;

/// A file: bytes and execute bit. Cloning is cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    pub bytes: Arc<[u8]>,
    /// The owner's execute bit; other mode bits are not kept.
    pub executable: bool,
}

impl TreeFile {
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self { bytes: bytes.into(), executable: false }
    }

    /// The content as text, if it is UTF-8.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// The content if it can be edited as text: UTF-8 without NUL.
    #[must_use]
    pub fn editable_text(&self) -> Option<&str> {
        self.text().filter(|text| !text.contains('\0'))
    }

    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.bytes)
    }
}

/// A folder: files by path, in byte order. Has no empty folders.
pub type Tree = BTreeMap<SkillPath, TreeFile>;

/// The hash of a folder: of the paths, contents and execute bits of its files.
#[must_use]
pub fn tree_digest(tree: &Tree) -> Digest {
    let mut lines = String::new();
    for (path, file) in tree {
        // A path contains no line break.
        let _ = writeln!(lines, "{} {} {path}", file.digest(), u8::from(file.executable));
    }
    Digest::of(lines.as_bytes())
}
