//! Finds and reads page files: the only module that accesses the workspace's folder.
//!
//! The content is untrusted: files are opened through a handle that can't leave the folder, links are never followed,
//! and only regular files are opened. Deliberately absent: hidden folders, and those of dependencies and build output.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, DirEntry, File, FileType, Metadata, MetadataExt, OpenOptions, OpenOptionsExt};
use inklings_core::pages::{PagesError, Skipped};
use inklings_core::{CancellationToken, Digest};

use crate::names::is_page;

/// Maximum bytes of a page.
pub(crate) const PAGE_BYTES: u64 = 4 * 1024 * 1024;
/// Always third-party files.
const DEPENDENCIES: &str = "node_modules";
/// Build output only if the second name exists beside it; otherwise an ordinary folder name.
const OUTPUT: (&str, &str) = ("target", "Cargo.toml");
const MAX_DEPTH: usize = 64;
/// Maximum number of reported skipped files.
const MAX_REMARKS: usize = 1_000;

/// Metadata of a file; equal metadata means unchanged content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileStamp {
    pub(crate) size: i64,
    /// Modification time in nanoseconds, which any program can set.
    pub(crate) modified: i64,
    /// Change time in nanoseconds, which no program can set.
    pub(crate) changed: i64,
}

impl FileStamp {
    fn of(metadata: &Metadata) -> Self {
        let nanos = |seconds: i64, nanos: i64| seconds.saturating_mul(1_000_000_000).saturating_add(nanos);
        Self {
            size: i64::try_from(metadata.len()).unwrap_or(i64::MAX),
            modified: nanos(metadata.mtime(), metadata.mtime_nsec()),
            changed: nanos(metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct WalkResult {
    /// Pages by path.
    pub(crate) files: Vec<(String, FileStamp)>,
    /// Visited folders; the root is the empty path.
    pub(crate) folders: Vec<String>,
    /// Markdown files that can't be indexed.
    pub(crate) skipped: Vec<Skipped>,
}

/// Opens the workspace's folder.
pub(crate) fn open(root: &Path) -> Result<Dir, PagesError> {
    Dir::open_ambient_dir(root, ambient_authority()).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => PagesError::Removed { path: root.to_owned() },
        _ => PagesError::Io { action: "opening", path: root.to_owned(), source },
    })
}

/// Whether a folder is skipped by its name.
pub(crate) fn is_skipped_folder(name: &str) -> bool {
    name.starts_with('.') || name == DEPENDENCIES
}

/// Whether `name` in `folder` is build output.
fn is_output(root: &Dir, folder: &str, name: &str) -> bool {
    name == OUTPUT.0 && root.symlink_metadata(inside(folder, OUTPUT.1)).is_ok_and(|metadata| metadata.is_file())
}

fn inside(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Visitor of a walk.
pub(crate) trait Visitor {
    /// A file, link or anything else that isn't a folder. `Break` ends the walk.
    fn file(&mut self, path: String, name: &str, kind: FileType, entry: &DirEntry) -> ControlFlow<()>;
    /// An entry without a UTF-8 name.
    fn unnamed(&mut self, path: String, name: &str, kind: FileType);
    /// A folder that is skipped for another reason than its name.
    fn skip(&mut self, path: &str, reason: String);
    fn folder(&mut self, path: String);
}

/// Finds all pages.
pub(crate) fn walk(root: &Dir, cancel: &CancellationToken) -> Result<WalkResult, PagesError> {
    let mut walked = WalkResult::default();
    visit(root, cancel, &mut walked)?;
    walked.files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    walked.skipped.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(walked)
}

/// Visits all folders that aren't hidden or third-party.
pub(crate) fn visit(root: &Dir, cancel: &CancellationToken, visitor: &mut impl Visitor) -> Result<(), PagesError> {
    let mut waiting = vec![(String::new(), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        if cancel.is_cancelled() {
            return Err(PagesError::Cancelled);
        }
        let opened = if folder.is_empty() { root.try_clone() } else { root.open_dir(&folder) };
        let entries = match opened.and_then(|dir| dir.entries()) {
            Ok(entries) => entries,
            Err(source) if folder.is_empty() => return Err(PagesError::Io { action: "reading", path: ".".into(), source }),
            // Removed in the meantime.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => {
                visitor.skip(&folder, format!("the folder can't be read: {error}"));
                continue;
            }
        };
        for entry in entries.filter_map(Result::ok) {
            let (Ok(kind), name) = (entry.file_type(), entry.file_name()) else { continue };
            let path = |name: &str| inside(&folder, name);
            let Some(name) = name.to_str() else {
                let name = name.to_string_lossy();
                visitor.unnamed(path(&name), &name, kind);
                continue;
            };
            if kind.is_dir() {
                if is_skipped_folder(name) || is_output(root, &folder, name) {
                } else if depth < MAX_DEPTH {
                    waiting.push((path(name), depth + 1));
                } else {
                    visitor.skip(&path(name), "nested too deeply".to_owned());
                }
            } else if visitor.file(path(name), name, kind, &entry).is_break() {
                return Ok(());
            }
        }
        visitor.folder(folder);
    }
    Ok(())
}

/// The number of pages in a folder, without an index; 0 if it can't be read.
#[must_use]
pub fn count(root: &Path) -> usize {
    open(root).and_then(|dir| walk(&dir, &CancellationToken::new())).map_or(0, |walked| walked.files.len())
}

impl WalkResult {
    pub(crate) fn skip(&mut self, path: &str, reason: String) {
        if self.skipped.len() < MAX_REMARKS {
            self.skipped.push(Skipped { path: path.to_owned(), reason });
        }
    }
}

impl Visitor for WalkResult {
    fn file(&mut self, path: String, name: &str, kind: FileType, entry: &DirEntry) -> ControlFlow<()> {
        if !is_page(name) {
        } else if kind.is_symlink() {
            self.skip(&path, "symbolic link".to_owned());
        } else if kind.is_file() {
            match entry.metadata() {
                Ok(metadata) if metadata.len() > PAGE_BYTES => self.skip(&path, too_large(metadata.len())),
                Ok(metadata) => self.files.push((path, FileStamp::of(&metadata))),
                // Removed in the meantime.
                Err(_) => {}
            }
        } else {
            self.skip(&path, "not a regular file".to_owned());
        }
        ControlFlow::Continue(())
    }

    fn unnamed(&mut self, path: String, name: &str, kind: FileType) {
        if kind.is_dir() || is_page(name) {
            self.skip(&path, "the file name isn't UTF-8".to_owned());
        }
    }

    fn skip(&mut self, path: &str, reason: String) {
        Self::skip(self, path, reason);
    }

    fn folder(&mut self, path: String) {
        self.folders.push(path);
    }
}

fn too_large(bytes: u64) -> String {
    format!("too large: {bytes} bytes (maximum {PAGE_BYTES})")
}

#[derive(Debug)]
pub(crate) enum Content {
    /// `lossy` if some bytes weren't UTF-8.
    Text { text: String, lossy: bool, stamp: FileStamp, hash: Digest },
    /// Not a page after all.
    Skipped(String),
    /// Removed in the meantime.
    Removed,
}

/// Opens a file without blocking on a pipe.
pub(crate) fn open_file(root: &Dir, path: &str) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default());
    root.open_with(path, &options)
}

/// Reads a page.
pub(crate) fn read(root: &Dir, path: &str) -> Content {
    let run = || -> io::Result<Content> {
        let file = open_file(root, path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Ok(Content::Skipped("not a regular file".to_owned()));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(PAGE_BYTES)).unwrap_or_default());
        file.take(PAGE_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > PAGE_BYTES {
            return Ok(Content::Skipped(too_large(metadata.len())));
        }
        if bytes.contains(&0) {
            return Ok(Content::Skipped("not a text file".to_owned()));
        }
        let (hash, stamp) = (Digest::of(&bytes), FileStamp::of(&metadata));
        Ok(match String::from_utf8(bytes) {
            Ok(text) => Content::Text { text, lossy: false, stamp, hash },
            Err(error) => Content::Text { text: String::from_utf8_lossy(error.as_bytes()).into_owned(), lossy: true, stamp, hash },
        })
    };
    match run() {
        Ok(content) => content,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Content::Removed,
        Err(error) => Content::Skipped(format!("can't be read: {error}")),
    }
}
