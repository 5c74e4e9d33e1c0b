//! The index on real folders.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod equal;
mod files;
mod hostile;
mod plain;
mod sample;
mod search;
mod several;
mod watching;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inklings_core::pages::{PageChanges, PageFilter, Pages};
use inklings_core::{CancellationToken, Clock, Time};
use inklings_workspace::Index;
use tempfile::TempDir;

/// A fixed clock.
struct Still;

impl Clock for Still {
    fn now(&self) -> Time {
        Time::from_millis(1_767_225_600_000)
    }
}

/// A temporary workspace.
struct Workspace {
    folder: TempDir,
}

impl Workspace {
    fn new(pages: &[(&str, &str)]) -> Self {
        let workspace = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in pages {
            workspace.write(path, text);
        }
        workspace
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let file = self.path(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).unwrap();
    }

    fn index(&self) -> Arc<Index> {
        index(self.folder.path())
    }

    fn cache(&self) -> PathBuf {
        self.path(".inklings/cache.db")
    }
}

fn index(root: &Path) -> Arc<Index> {
    Arc::new(Index::new(root, Arc::new(Still)))
}

fn refresh(index: &Index) -> PageChanges {
    index.refresh(&|_| (), &CancellationToken::new()).unwrap()
}

fn slugs(index: &Index) -> Vec<String> {
    let list = index.list(&PageFilter::default(), 0, 100_000).unwrap();
    assert_eq!(list.pages.len(), list.total);
    list.pages.into_iter().map(|page| page.slug).collect()
}

fn found(index: &Index, query: &str) -> Vec<String> {
    index.search(query, 50).unwrap().into_iter().map(|hit| hit.slug).collect()
}
