//! Sequential ids, and helpers for trees and packages.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use inklings_core::check::Diagnostic;
use inklings_core::path::SkillPath;
use inklings_core::ports::{IdSource, ReadOutput, SkillFormat};
use inklings_core::skill::Package;
use inklings_core::tree::{Tree, TreeFile};
use inklings_folder::Folder;

/// Unique ids across all tests.
struct Counting;

fn next() -> u64 {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    COUNTER.fetch_add(1, Ordering::Relaxed)
}

impl IdSource for Counting {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::from_u64_pair(1, next())
    }
}

pub(crate) fn folder() -> Folder {
    Folder::new(Arc::new(Counting))
}

pub(crate) fn path(text: &str) -> SkillPath {
    SkillPath::parse(text).unwrap()
}

pub(crate) fn tree(files: &[(&str, &str)]) -> Tree {
    files.iter().map(|(name, text)| (path(name), TreeFile::new(text.as_bytes()))).collect()
}

pub(crate) fn read(tree: &Tree) -> Result<ReadOutput, Vec<Diagnostic>> {
    folder().read(tree, "my-skill", None)
}

pub(crate) fn package(files: &[(&str, &str)]) -> Package {
    read(&tree(files)).unwrap().package
}

/// The sorted rules of the diagnostics of a folder `my-skill`, or of its errors if it is refused.
pub(crate) fn rules(files: &[(&str, &str)]) -> Vec<String> {
    let found = read(&tree(files)).map_or_else(|errors| errors, |reading| reading.diagnostics);
    let mut rules: Vec<String> = found.into_iter().map(|finding| finding.rule).collect();
    rules.sort();
    rules
}

pub(crate) fn text(package: &Package, file: &str) -> String {
    package.tree().get(&path(file)).map(|entry| entry.text().unwrap().to_owned()).unwrap_or_default()
}
