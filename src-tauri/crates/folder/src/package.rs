//! Skills as one file: every format decodes to a folder in memory, which is then read like any folder ([`crate::Folder`]), and every format is
//! encoded from a package's folder. Pure on bytes.
//!
//! - In ([`unpack`]), detected by content: a zip archive (`.skill`, `.zip`), a JSON package, a list of JSON packages, the
//!   JSON of the `amble` format, a Markdown file.
//! - Out ([`pack`]): [`PackageFormat`]. The manifest's `interop.exportFormats` restricts the five formats for other systems, not folder,
//!   `.skill` and JSON; an invalid list allows none. Files that a format can't include are reported.
//!
//! Input is untrusted: it is bounded before and while it is read, a name that points outside its folder refuses the
//! archive, and a problem of one skill refuses only that skill. Deliberately absent: the disk, and what a claim of a
//! package (source, lifecycle, usage) is worth: the caller decides, and the claim is saved in `metadata.claimed`.
//!
//! To add an input format: a module that makes [`PackedSkill`]s and a line in `unpack.rs`. To add an output format: a [`PackageFormat`] and its
//! line in `pack.rs`.

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
pub use pack::{Pack, PackError, PackageFormat, UnknownFormat, allowed, pack};
pub use unpack::unpack;

/// Maximum size of an input file in bytes.
pub const MAX_FILE_BYTES: usize = 64 * 1024 * 1024;

/// The content of an input file.
#[derive(Debug, Clone, Default)]
pub struct UnpackedFile {
    /// Including refused ones, in the order of the file.
    pub skills: Vec<PackedSkill>,
    /// About the file as a whole; never errors.
    pub findings: Vec<Diagnostic>,
}

/// A skill of a file, as a folder.
#[derive(Debug, Clone)]
pub struct PackedSkill {
    /// Location in the file: a folder of an archive or a JSON pointer; empty for the whole file.
    pub location: String,
    /// The folder's name, for [`inklings_core::ports::SkillFormat::read`].
    pub folder: String,
    /// Empty if the skill is refused.
    pub tree: Tree,
    /// Skipped files and problems; an error refuses the skill.
    pub findings: Vec<Diagnostic>,
}

impl PackedSkill {
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.findings.iter().any(Diagnostic::is_error)
    }

    fn new(location: String, folder: String, read: Result<(Tree, Vec<Diagnostic>), Vec<Diagnostic>>) -> Self {
        let (tree, findings) = read.unwrap_or_else(|errors| (Tree::new(), errors));
        Self { location, folder, tree, findings }
    }
}
