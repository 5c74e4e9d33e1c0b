//! The only place that touches a disk: finding, reading and writing skill folders.
//!
//! Reading never follows a link, never leaves the folder and never waits for a pipe; writing is in `disk/write.rs`.
//! Deliberately absent: what a folder means (see [`crate::Folder`]), watching, and what was deployed (see [`crate::deploy`]).

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, DirEntry, FileType};
use inklings_core::check::Diagnostic;
use inklings_core::limits;
use inklings_core::path::{SKILL_JSON, SKILL_MD, SKILL_MD_LOWER, SkillPath};
use inklings_core::skill::skill_md;
use inklings_core::tree::{Tree, TreeFile};

use crate::rules;
use crate::skipped::{is_unsearched, skipped};

pub(crate) mod write;

pub use crate::skipped::{is_part_of_skill, is_skipped};
pub use write::{Existing, Output};

pub(crate) const MARKER_FILES: [&str; 3] = [SKILL_MD, SKILL_MD_LOWER, SKILL_JSON];
/// Maximum depth of the search for skills.
pub(crate) const SEARCH_DEPTH: usize = 16;

#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    #[error("{} not found", .0.display())]
    NotFound(PathBuf),
    #[error("{} isn't a folder", .0.display())]
    NotAFolder(PathBuf),
    #[error("{} isn't a skill: use a folder with a {SKILL_MD}, a Markdown file, or a package (.skill, .zip, .json)", .0.display())]
    NotASkill(PathBuf),
    #[error("{} is too large (maximum {most} bytes)", .path.display())]
    TooLarge { path: PathBuf, most: usize },
    #[error("permission denied: {action} {}", .path.display())]
    NoRights {
        /// A present participle, e.g. `reading`.
        action: &'static str,
        path: PathBuf,
    },
    /// It can be replaced.
    #[error("{} already exists", .0.display())]
    Exists(PathBuf),
    /// An existing folder isn't a skill, so it isn't replaced.
    #[error("{} is a folder that doesn't contain a skill", .0.display())]
    ForeignFolder(PathBuf),
    /// A link, or a file in place of a folder or the reverse, which are never replaced.
    #[error("{} already exists as {found}", .path.display())]
    Occupied {
        path: PathBuf,
        /// With an article, e.g. `a file`.
        found: &'static str,
    },
    /// Anything else that the operating system refused.
    #[error("{action} {} failed: {source}", .path.display())]
    Io {
        /// A present participle, e.g. `reading`.
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

impl DiskError {
    pub fn of(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound(path),
            io::ErrorKind::NotADirectory => Self::NotAFolder(path),
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::NoRights { action, path },
            _ => Self::Io { action, path, source },
        }
    }
}

/// The skills at or below a path, in byte order: folders with a `SKILL.md` or `skill.json`, or the
/// Markdown file that `path` itself is. Doesn't look into a skill's folder.
pub fn discover(path: &Path) -> Result<(Vec<PathBuf>, Vec<Diagnostic>), DiskError> {
    if metadata_of(path)?.is_file() {
        return skill_of_file(path).map(|found| (vec![found], Vec::new()));
    }
    let dir = open(path)?;
    let mut search = Search { found: Vec::new(), findings: Vec::new() };
    search.folder(&dir, path, 0)?;
    search.found.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
    Ok((search.found, search.findings))
}

/// Refuses anything that could block on opening, such as a pipe.
fn metadata_of(path: &Path) -> Result<std::fs::Metadata, DiskError> {
    let metadata = std::fs::metadata(path).map_err(DiskError::of("reading", path))?;
    if metadata.is_file() || metadata.is_dir() { Ok(metadata) } else { Err(DiskError::NotASkill(path.to_owned())) }
}

/// The folder of a `SKILL.md` or `skill.json`; another Markdown file stands for itself.
fn skill_of_file(path: &Path) -> Result<PathBuf, DiskError> {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    if is_marker_file(name) {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        return Ok(parent.unwrap_or(Path::new(".")).to_owned());
    }
    if is_markdown(path) { Ok(path.to_owned()) } else { Err(DiskError::NotASkill(path.to_owned())) }
}

fn is_marker_file(name: &str) -> bool {
    MARKER_FILES.contains(&name)
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md") || extension.eq_ignore_ascii_case("markdown"))
}

pub(crate) fn open(path: &Path) -> Result<Dir, DiskError> {
    Dir::open_ambient_dir(path, ambient_authority()).map_err(DiskError::of("opening", path))
}

/// Sorted by name.
fn entries(dir: &Dir, path: &Path) -> Result<Vec<(DirEntry, FileType)>, DiskError> {
    let mut all = Vec::new();
    for entry in dir.entries().map_err(DiskError::of("listing", path))? {
        let entry = entry.map_err(DiskError::of("listing", path))?;
        let kind = entry.file_type().map_err(DiskError::of("listing", path))?;
        all.push((entry, kind));
    }
    all.sort_by_key(|(entry, _)| entry.file_name());
    Ok(all)
}

struct Search {
    found: Vec<PathBuf>,
    findings: Vec<Diagnostic>,
}

impl Search {
    fn folder(&mut self, dir: &Dir, path: &Path, depth: usize) -> Result<(), DiskError> {
        let entries = entries(dir, path)?;
        let is_skill = entries.iter().any(|(entry, kind)| kind.is_file() && entry.file_name().to_str().is_some_and(is_marker_file));
        if is_skill {
            self.found.push(path.to_owned());
            return Ok(());
        }
        for (entry, kind) in entries {
            let name = entry.file_name();
            let below = path.join(&name);
            if !kind.is_symlink() && name.to_str().is_some_and(is_marker_file) {
                let finding = Diagnostic::warning("folder/device", "not a regular file, so it can't be read as a skill");
                self.findings.push(finding.hint("replace it with a text file").in_file(below.display()));
            } else if kind.is_symlink() {
                let finding = Diagnostic::info("folder/symlink", "symbolic link not followed");
                self.findings.push(finding.hint("use the path of its target instead").in_file(below.display()));
            } else if kind.is_dir() && !is_unsearched(&name) && depth < SEARCH_DEPTH {
                let result =
                    entry.open_dir().map_err(DiskError::of("opening", &below)).and_then(|dir| self.folder(&dir, &below, depth + 1));
                // An unreadable folder must not hide the others.
                if let Err(error) = result {
                    let finding = Diagnostic::warning("folder/unreadable", error.to_string());
                    self.findings.push(finding.hint("check its permissions").in_file(below.display()));
                }
            }
        }
        Ok(())
    }
}

/// The fallback name of a skill: the folder's own, or a Markdown
/// file's without its extension.
#[must_use]
pub fn folder_name(path: &Path) -> String {
    let absolute = if path.file_name().is_some() { None } else { std::fs::canonicalize(path).ok() };
    let path = absolute.as_deref().unwrap_or(path);
    let name = if is_markdown(path) && path.is_file() { path.file_stem() } else { path.file_name() };
    name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Reads a skill's folder, or a Markdown file as the `SKILL.md` of one. Findings say what was
/// skipped; an error refuses the skill.
pub fn read_dir(path: &Path) -> Result<(Tree, Vec<Diagnostic>), DiskError> {
    let mut reading = FolderReader::default();
    if metadata_of(path)?.is_file() {
        let found = skill_of_file(path)?;
        if found != path {
            return read_dir(&found);
        }
        let file = std::fs::File::open(path).map_err(DiskError::of("opening", path))?;
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        let bytes = reading.bytes(file, length, SKILL_MD).map_err(DiskError::of("reading", path))?;
        reading.tree.extend(bytes.map(|bytes| (skill_md(), TreeFile::new(bytes))));
    } else {
        reading.folder(&open(path)?, path, "")?;
    }
    Ok((reading.tree, reading.findings))
}

/// Reads a regular file of at most `most` bytes.
pub fn read_file(path: &Path, most: usize) -> Result<Vec<u8>, DiskError> {
    let metadata = std::fs::metadata(path).map_err(DiskError::of("reading", path))?;
    if !metadata.is_file() {
        return Err(DiskError::NotASkill(path.to_owned()));
    }
    let file = std::fs::File::open(path).map_err(DiskError::of("opening", path))?;
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(DiskError::of("reading", path))?;
    if bytes.len() > most { Err(DiskError::TooLarge { path: path.to_owned(), most }) } else { Ok(bytes) }
}

/// Reads files and folders from any location, each under its own name. Diagnostics report skipped files; an error
/// refuses all of them.
pub fn read_some(paths: &[PathBuf]) -> Result<(Tree, Vec<Diagnostic>), DiskError> {
    let mut reading = FolderReader::default();
    for path in paths {
        let (Some(name), Some(parent)) = (path.file_name().and_then(OsStr::to_str), path.parent()) else {
            reading.refuse("folder/name", "the file name can't be used", &path.to_string_lossy());
            continue;
        };
        let dir = open(parent)?;
        let kind = dir.symlink_metadata(name).map_err(DiskError::of("reading", path))?;
        if kind.is_symlink() {
            reading.refuse("folder/symlink", "symbolic link not followed: use the path of its target", name);
        } else if is_skipped(OsStr::new(name)) {
            reading.refuse("folder/skipped", "this file is never part of a skill", name);
        } else if kind.is_dir() {
            let below = dir.open_dir(name).map_err(DiskError::of("opening", path))?;
            reading.folder(&below, parent, &format!("{name}/"))?;
        } else if kind.is_file() {
            reading.file(dir.open(name).map_err(DiskError::of("opening", path)), path, name)?;
        } else {
            reading.refuse("folder/device", "not a regular file", name);
        }
    }
    Ok((reading.tree, reading.findings))
}

/// Classification of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiskKind {
    /// A skill folder, or its main file.
    Skill,
    /// A folder with skills at most two levels deep.
    Skills,
    Folder,
    File,
}

/// Doesn't read file contents.
pub fn kind_of(path: &Path) -> Result<DiskKind, DiskError> {
    let metadata = std::fs::metadata(path).map_err(DiskError::of("reading", path))?;
    if !metadata.is_dir() {
        let is_marker = path.file_name().and_then(OsStr::to_str).is_some_and(is_marker_file);
        return Ok(if is_marker { DiskKind::Skill } else { DiskKind::File });
    }
    let has_marker = |dir: &Dir| [SKILL_MD, SKILL_MD_LOWER, SKILL_JSON].iter().any(|name| dir.is_file(name));
    let dir = open(path)?;
    if has_marker(&dir) {
        return Ok(DiskKind::Skill);
    }
    // An unreadable folder counts as one without skills.
    let below = |dir: &Dir, path: &Path| -> Vec<(Dir, PathBuf)> {
        let all =
            entries(dir, path).unwrap_or_default().into_iter().filter(|(entry, kind)| kind.is_dir() && !is_unsearched(&entry.file_name()));
        all.filter_map(|(entry, _)| Some((entry.open_dir().ok()?, path.join(entry.file_name())))).collect()
    };
    for (child, name) in below(&dir, path) {
        if has_marker(&child) || below(&child, &name).iter().any(|(grandchild, _)| has_marker(grandchild)) {
            return Ok(DiskKind::Skills);
        }
    }
    Ok(DiskKind::Folder)
}

/// Size and modification time of the files that identify a skill, to detect changes.
pub type FolderStamp = Vec<(u64, Option<std::time::SystemTime>)>;

#[must_use]
pub fn stamp(path: &Path) -> FolderStamp {
    let of = |path: &Path| std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file);
    let files = std::iter::once(path.to_owned()).chain(MARKER_FILES.map(|name| path.join(name)));
    files.map(|file| of(&file).map_or((0, None), |metadata| (metadata.len(), metadata.modified().ok()))).collect()
}

/// Reads only these files: enough for the name of a skill.
pub fn read_marker_files(path: &Path) -> Result<Tree, DiskError> {
    if std::fs::metadata(path).map_err(DiskError::of("reading", path))?.is_file() {
        return read_dir(path).map(|(tree, _)| tree);
    }
    let (dir, mut reading) = (open(path)?, FolderReader::default());
    for (entry, kind) in entries(&dir, path)? {
        if let Some(name) = entry.file_name().to_str().filter(|name| kind.is_file() && is_marker_file(name)) {
            let full_path = path.join(name);
            reading.file(entry.open().map_err(DiskError::of("opening", &full_path)), &full_path, name)?;
        }
    }
    Ok(reading.tree)
}

/// [`read_dir`] of a folder that is open. `path` is for messages.
pub fn read_open(dir: &Dir, path: &Path) -> Result<(Tree, Vec<Diagnostic>), DiskError> {
    let mut reading = FolderReader::default();
    reading.folder(dir, path, "")?;
    Ok((reading.tree, reading.findings))
}

#[derive(Default)]
struct FolderReader {
    tree: Tree,
    bytes: usize,
    findings: Vec<Diagnostic>,
    full: bool,
}

impl FolderReader {
    fn folder(&mut self, dir: &Dir, root: &Path, prefix: &str) -> Result<(), DiskError> {
        for (entry, kind) in entries(dir, &root.join(prefix))? {
            let name = entry.file_name();
            let Some(text) = name.to_str() else {
                self.refuse("folder/name", "the file name isn't UTF-8", &format!("{prefix}{}", name.to_string_lossy()));
                continue;
            };
            let relative = format!("{prefix}{text}");
            if self.full {
                return Ok(());
            }
            if is_skipped(&name) {
                self.findings.push(skipped(text).in_file(&relative));
            } else if kind.is_symlink() {
                let finding = Diagnostic::warning("folder/symlink", "symbolic link skipped");
                self.findings.push(finding.hint("replace it with a copy of its target").in_file(&relative));
            } else if kind.is_dir() && relative.len() <= limits::PATH_BYTES {
                let below = entry.open_dir().map_err(DiskError::of("opening", &root.join(&relative)))?;
                self.folder(&below, root, &format!("{relative}/"))?;
            } else if kind.is_file() || kind.is_dir() {
                let full = root.join(&relative);
                self.file(entry.open().map_err(DiskError::of("opening", &full)), &full, &relative)?;
            } else {
                self.refuse("folder/device", "not a regular file", &relative);
            }
        }
        Ok(())
    }

    fn file(&mut self, file: Result<cap_std::fs::File, DiskError>, full_path: &Path, relative: &str) -> Result<(), DiskError> {
        let path = match SkillPath::parse(relative) {
            Ok(path) => path,
            Err(error) => {
                self.refuse("folder/path", &error.to_string(), relative);
                return Ok(());
            }
        };
        let file = file?;
        let metadata = file.metadata().map_err(DiskError::of("reading", full_path))?;
        let Some(bytes) = self.bytes(file, metadata.len(), relative).map_err(DiskError::of("reading", full_path))? else { return Ok(()) };
        if self.tree.len() >= limits::FILES {
            self.refuse("limit/files", &format!("too many files (maximum {})", limits::FILES), relative);
            self.full = true;
        } else if self.tree.insert(path, TreeFile { bytes: bytes.into(), executable: is_executable(&metadata) }).is_some() {
            self.refuse("folder/path-clash", "two names differ only in Unicode normalization", relative);
        }
        Ok(())
    }

    /// Refused if the skill would exceed its size limit.
    fn bytes(&mut self, file: impl Read, length: u64, relative: &str) -> io::Result<Option<Vec<u8>>> {
        let remaining = limits::SKILL_BYTES.saturating_sub(self.bytes);
        // One extra byte to detect the end: most files are then read with two calls.
        let mut bytes = Vec::with_capacity(usize::try_from(length).map_or(remaining, |length| length.min(remaining)) + 1);
        file.take(remaining as u64 + 1).read_to_end(&mut bytes)?;
        if bytes.len() > remaining {
            self.refuse("limit/bytes", &format!("the skill is too large (maximum {} bytes)", limits::SKILL_BYTES), relative);
            self.full = true;
            return Ok(None);
        }
        self.bytes += bytes.len();
        Ok(Some(bytes))
    }

    fn refuse(&mut self, rule: &str, message: &str, relative: &str) {
        let hint = if rules::is_limit(rule) { rules::LIMIT_HINT } else { "rename or remove it" };
        self.findings.push(Diagnostic::error(rule, message).hint(hint).in_file(relative));
    }
}

#[cfg(unix)]
fn is_executable(metadata: &cap_std::fs::Metadata) -> bool {
    use cap_std::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &cap_std::fs::Metadata) -> bool {
    false
}
