//! Skills as one file: every form decodes to a folder in memory and then goes the one way that folders go
//! ([`crate::Folder`]), and every form is made of a package's folder. Pure on bytes.
//!
//! - In ([`unpack`]), told apart by content: a zip archive (`.skill`, `.zip`), a JSON package, a list of JSON packages, the
//!   JSON of the `amble` form, a Markdown file.
//! - Out ([`pack`]): [`Form`].
//!
//! Whatever comes in is untrusted: it is bounded before and while it is read, a name that leaves its folder refuses the
//! archive, and what is wrong with one skill refuses that one only. Deliberately absent: the disk, and what a claim of a
//! package (source, lifecycle, …) is worth: the door decides, the claim is kept in `metadata.claimed` and written back.
//!
//! To add a form in: a module that makes [`PackedSkill`]s and a line in `unpack.rs`. To add one out: a [`Form`] and its line in
//! `pack.rs`.

use inklings_core::check::Diagnostic;
use inklings_core::tree::Tree;

mod amble;
mod bounded;
mod claims;
mod decode;
mod encode;
mod json;
mod outside;
mod pack;
mod paths;
mod unpack;
mod zip_read;
mod zip_write;

pub use json::package_schema;
pub use outside::{Capabilities, ExternalSafeSkill, external_safe};
pub use pack::{Form, Pack, PackError, UnknownForm, allowed, pack};
pub use unpack::unpack;

/// Bytes of a file that is read at all.
pub const FILE_BYTES: usize = 64 * 1024 * 1024;

/// What a file gave.
#[derive(Debug, Clone, Default)]
pub struct Unpacked {
    /// Its skills, the refused ones too, in order of their places.
    pub skills: Vec<PackedSkill>,
    /// What is to say of the file as a whole; no errors.
    pub findings: Vec<Diagnostic>,
}

/// One skill of a file, as the folder that it is.
#[derive(Debug, Clone)]
pub struct PackedSkill {
    /// Where it is: a folder in an archive, a JSON pointer; empty for the whole file.
    pub place: String,
    /// The folder's own name, for [`inklings_core::ports::SkillFormat::read`].
    pub folder: String,
    /// Its files; none when it is refused.
    pub tree: Tree,
    /// What was skipped or odd; an error refuses the skill.
    pub findings: Vec<Diagnostic>,
}

impl PackedSkill {
    /// Whether the skill can't be taken.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.findings.iter().any(Diagnostic::is_error)
    }

    fn new(place: String, folder: String, read: Result<(Tree, Vec<Diagnostic>), Vec<Diagnostic>>) -> Self {
        let (tree, findings) = read.unwrap_or_else(|errors| (Tree::new(), errors));
        Self { place, folder, tree, findings }
    }
}
