//! [`Files`]: other files than pages, read from the workspace's folder.

use std::io::{self, Read as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, DirEntry, FileType};
use inklings_core::CancellationToken;
use inklings_core::files::{FileText, FoundFiles, MAX_TEXT_BYTES, WorkspaceFile, WorkspaceFiles};
use inklings_core::fuzzy::Fuzzy;
use inklings_core::pages::PagesError;

use crate::names::is_page;
use crate::walk::{self, Visitor};

/// Maximum number of files per search.
const MAX_SEARCHED: usize = 20_000;
/// Skill databases, with the files that SQLite and the app keep beside them.
const DATABASE: &str = "agents.db";

/// The files of one workspace.
pub struct Files {
    root: PathBuf,
}

impl Files {
    /// The files below `root`.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// `None` if there is no regular file at the path.
    fn at<T>(&self, path: &str, read: impl FnOnce(&Dir) -> io::Result<Option<T>>) -> Result<Option<T>, PagesError> {
        match read(&walk::open(&self.root)?) {
            Ok(found) => Ok(found),
            Err(error) if is_absent(&error) => Ok(None),
            Err(source) => Err(PagesError::Io { action: "reading", path: self.root.join(path), source }),
        }
    }
}

/// Whether an error means that the file doesn't exist. A path that leaves the folder is a permission error.
fn is_absent(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound, PermissionDenied};
    let is_outside = error.kind() == PermissionDenied && error.raw_os_error().is_none();
    is_outside || matches!(error.kind(), NotFound | NotADirectory | InvalidInput | InvalidFilename)
}

fn is_searched(name: &str) -> bool {
    !name.starts_with('.') && !name.starts_with(DATABASE) && !is_page(name)
}

#[derive(Default)]
struct FileListing {
    paths: Vec<String>,
    is_partial: bool,
}

impl Visitor for FileListing {
    fn file(&mut self, path: String, name: &str, kind: FileType, _: &DirEntry) -> ControlFlow<()> {
        if kind.is_file() && is_searched(name) {
            if self.paths.len() == MAX_SEARCHED {
                self.is_partial = true;
                return ControlFlow::Break(());
            }
            self.paths.push(path);
        }
        ControlFlow::Continue(())
    }

    fn unnamed(&mut self, _: String, _: &str, _: FileType) {}

    fn skip(&mut self, _: &str, _: String) {}

    fn folder(&mut self, _: String) {}
}

impl WorkspaceFiles for Files {
    fn find(&self, query: &str, limit: usize) -> Result<FoundFiles, PagesError> {
        let root = walk::open(&self.root)?;
        let mut listed = FileListing::default();
        walk::visit(&root, &CancellationToken::new(), &mut listed)?;
        let mut fuzzy = Fuzzy::new(query);
        let mut ranked: Vec<(f64, String)> = listed.paths.into_iter().filter_map(|path| Some((fuzzy.score(&[&path])?, path))).collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
        let size = |path: &str| root.symlink_metadata(path).map_or(0, |metadata| metadata.len());
        let files = ranked.into_iter().take(limit).map(|(_, path)| WorkspaceFile { size: size(&path), path }).collect();
        Ok(FoundFiles { files, is_partial: listed.is_partial })
    }

    fn file(&self, path: &str) -> Result<Option<WorkspaceFile>, PagesError> {
        self.at(path, |root| {
            let metadata = root.symlink_metadata(path)?;
            Ok(metadata.is_file().then(|| WorkspaceFile { path: path.to_owned(), size: metadata.len() }))
        })
    }

    fn read(&self, path: &str) -> Result<Option<FileText>, PagesError> {
        self.at(path, |root| {
            if !root.symlink_metadata(path)?.is_file() {
                return Ok(None);
            }
            let file = walk::open_file(root, path)?;
            let metadata = file.metadata()?;
            if !metadata.is_file() {
                return Ok(None);
            }
            let mut bytes = Vec::new();
            file.take(MAX_TEXT_BYTES + 1).read_to_end(&mut bytes)?;
            let is_text = bytes.len() as u64 <= MAX_TEXT_BYTES && !bytes.contains(&0);
            let text = if is_text { String::from_utf8(bytes).ok() } else { None };
            Ok(Some(FileText { file: WorkspaceFile { path: path.to_owned(), size: metadata.len() }, text }))
        })
    }
}
