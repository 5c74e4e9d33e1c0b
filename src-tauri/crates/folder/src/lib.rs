//! A skill as a folder: the one mapping between a package and its files, lossless both ways.
//!
//! `SKILL.md` is frontmatter and body, `skill.json` says what frontmatter can't and declares which
//! files are artifacts; every other file is a plain file of the skill. What was read is kept as
//! text, and a change of a value changes only the bytes that say it. Pure on [`Tree`]; files are
//! touched in [`disk`] only, and [`package`] turns files that hold whole skills into folders and back.
//!
//! Deliberately absent: what a manifest or a template means. To
//! read another value from frontmatter, add it to `front.rs`, `values.rs` and `settle.rs`; from
//! `skill.json`, to `json.rs`, `values.rs` and `json_edit.rs`; then to `package/json.rs`, `encode.rs` and `decode.rs`. The round-trip tests tell what is
//! missing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use inklings_core::check::Diagnostic;
use inklings_core::path::SkillPath;
use inklings_core::ports::{IdSource, Reading, SkillFormat};
use inklings_core::skill::Package;
use inklings_core::tree::Tree;

mod declare;
pub mod disk;
pub mod fix;
mod follow;
pub mod front;
mod front_edit;
mod json;
mod json_edit;
mod locate;
pub mod package;
mod place;
mod prose;
mod read;
mod repair;
mod rule_table;
mod rules;
mod scalar;
pub mod split;
pub mod strict;
mod sync;
mod values;
pub mod yaml;

pub use declare::{Declaration, DeclareError};
pub use disk::{DiskError, Existing};
pub use locate::JsonText;
pub use place::{default_path, default_state_path, taken_paths};
pub use rule_table::RULES;

/// The mapping between skills and folders.
#[derive(Clone)]
pub struct Folder {
    ids: Arc<dyn IdSource>,
    reads: Arc<AtomicU64>,
}

impl Folder {
    /// With a source of ids for artifacts that have none.
    #[must_use]
    pub fn new(ids: Arc<dyn IdSource>) -> Self {
        Self { ids, reads: Arc::default() }
    }

    /// How many folders were read so far: tests hold what an operation takes against it.
    #[must_use]
    pub fn reads(&self) -> u64 {
        self.reads.load(Ordering::Relaxed)
    }

    /// Makes a skill file an artifact ("Make this an artifact") and settles the package.
    pub fn declare(&self, package: &mut Package, declaration: Declaration) -> Result<Vec<Diagnostic>, DeclareError> {
        declare::declare(package, declaration, self.ids.artifact())?;
        Ok(self.sync_sources(package))
    }

    /// Makes an artifact a plain skill file again and settles the package.
    pub fn undeclare(&self, package: &mut Package, path: &SkillPath) -> Result<Vec<Diagnostic>, DeclareError> {
        declare::undeclare(package, path)?;
        Ok(self.sync_sources(package))
    }

    /// Takes the skill's own id out of `skill.json`, for a copy that is another skill. Settle afterwards.
    pub fn forget_id(&self, package: &mut Package) {
        let without = package.sources.skill_json.as_deref().and_then(json_edit::without_id);
        if let Some(text) = without {
            package.sources.skill_json = Some(text.into());
        }
    }

    /// The package with the frontmatter's name made the slug, for `--normalise`.
    #[must_use]
    pub fn normalised(&self, package: &Package) -> Package {
        sync::normalised(package)
    }
}

impl SkillFormat for Folder {
    fn read(&self, tree: &Tree, folder: &str, known: Option<&Package>) -> Result<Reading, Vec<Diagnostic>> {
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
