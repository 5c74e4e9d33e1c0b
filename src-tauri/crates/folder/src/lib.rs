//! Maps skills to folders and back without loss.
//!
//! `SKILL.md` has frontmatter and body. `skill.json` has the values that frontmatter can't express, and declares which
//! files are artifacts; all other files are plain files of the skill. The texts are kept verbatim,
//! and changing a value only changes its bytes. Pure on [`Tree`]; files are
//! only accessed in [`disk`], and [`package`] converts between single-file formats and folders.
//!
//! Deliberately absent: the meaning of manifests and templates. To
//! read another value from frontmatter, add it to `front.rs`, `values.rs` and `sync.rs`; from
//! `skill.json`, to `json.rs`, `values.rs` and `json_edit.rs`; then to `package/json.rs`, `encode.rs` and `decode.rs`. The round-trip
//! tests detect missing parts.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use inklings_core::check::Diagnostic;
use inklings_core::path::SkillPath;
use inklings_core::ports::{IdSource, ReadOutput, SkillFormat};
use inklings_core::skill::Package;
use inklings_core::tree::Tree;

mod declare;
mod default_paths;
pub mod deploy;
pub mod disk;
pub mod fix;
mod follow;
pub mod front;
mod front_edit;
mod json;
mod json_edit;
pub mod json_text;
mod lines;
mod locate;
pub mod package;
mod prose;
mod read;
mod repair;
mod rule_table;
mod rules;
mod scalar;
mod skipped;
pub mod strict;
mod sync;
mod values;
pub mod yaml;

pub use declare::{Declaration, DeclareError};
pub use default_paths::{default_path, default_state_path, used_paths};
pub use disk::{DiskError, Existing};
pub use locate::JsonText;
pub use rule_table::RULES;

/// The mapping between skills and folders.
#[derive(Clone)]
pub struct Folder {
    ids: Arc<dyn IdSource>,
    reads: Arc<AtomicU64>,
}

impl Folder {
    /// `ids` is used for artifacts without an id.
    #[must_use]
    pub fn new(ids: Arc<dyn IdSource>) -> Self {
        Self { ids, reads: Arc::default() }
    }

    /// Number of folders read so far, for tests of repeated reads.
    #[must_use]
    pub fn reads(&self) -> u64 {
        self.reads.load(Ordering::Relaxed)
    }

    /// Makes a file of the skill an artifact, and syncs the sources.
    pub fn declare(&self, package: &mut Package, declaration: Declaration) -> Result<Vec<Diagnostic>, DeclareError> {
        declare::declare(package, declaration, self.ids.artifact())?;
        Ok(self.sync_sources(package))
    }

    /// Makes an artifact a plain file again, and syncs the sources.
    pub fn undeclare(&self, package: &mut Package, path: &SkillPath) -> Result<Vec<Diagnostic>, DeclareError> {
        declare::undeclare(package, path)?;
        Ok(self.sync_sources(package))
    }

    /// Removes the skill's own id from `skill.json`, for a copy. Sync the sources afterwards.
    pub fn forget_id(&self, package: &mut Package) {
        let without = package.sources.skill_json.as_deref().and_then(json_edit::without_id);
        if let Some(text) = without {
            package.sources.skill_json = Some(text.into());
        }
    }

    /// The package with the frontmatter's name made the slug, for `--normalize`.
    #[must_use]
    pub fn normalized(&self, package: &Package) -> Package {
        sync::normalized(package)
    }
}

impl SkillFormat for Folder {
    fn read(&self, tree: &Tree, folder: &str, known: Option<&Package>) -> Result<ReadOutput, Vec<Diagnostic>> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        read::read(tree, folder, known, &*self.ids)
    }

    fn follow(&self, before: &Package, after: &mut Package) {
        follow::follow(before, after);
    }

    fn sync_sources(&self, package: &mut Package) -> Vec<Diagnostic> {
        sync::sync_sources(package)
    }
}
