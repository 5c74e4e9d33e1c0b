//! Skill folders in a zip archive. Archives are untrusted: local and central headers must agree, entries must not overlap, and sizes are
//! counted while unpacking: 16 MiB per skill, and per archive 1 MiB plus 100 times its length, at most 128 MiB.
//!
//! A misleading name or header refuses the archive; a problem with one skill's files refuses that skill.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::io::{Cursor, Read};

use inklings_core::check::Diagnostic;
use inklings_core::limits;
use inklings_core::path::{SKILL_MD, SkillPath};
use inklings_core::tree::{Tree, TreeFile};
use zip::read::{ArchiveOffset, Config};
use zip::{CompressionMethod, ZipArchive};

use super::{PackedSkill, UnpackedFile};
use crate::disk::{MARKER_FILES, SEARCH_DEPTH};
use crate::rules;
use crate::skipped::{is_skipped, is_unsearched, skipped};

const MAX_ENTRIES: usize = 20_000;
const MAX_NAME_BYTES: usize = 1_024;
/// Expanded size that is allowed independent of the ratio.
const FREE_BYTES: u64 = 1024 * 1024;
/// Allowed expansion ratio beyond that; text compresses to a tenth, rarely to a fiftieth.
const MAX_EXPANSION_RATIO: u64 = 100;
const MAX_EXPANDED_BYTES: u64 = 128 * 1024 * 1024;
/// Per skill, and for the archive.
const MAX_FINDINGS: usize = 32;

/// Maximum expanded size of an archive of `length` bytes.
pub(super) fn allowance(length: usize) -> u64 {
    (length as u64).saturating_mul(MAX_EXPANSION_RATIO).saturating_add(FREE_BYTES).min(MAX_EXPANDED_BYTES)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File { executable: bool },
    Folder,
    Link,
    Device,
}

struct ZipEntry {
    index: usize,
    /// Without trailing `/`.
    name: String,
    kind: Kind,
}

pub(super) fn read(file: &str, stem: &str, bytes: &[u8]) -> Result<UnpackedFile, Vec<Diagnostic>> {
    let refuse = |finding: Diagnostic| vec![finding.in_file(file)];
    let config = Config { archive_offset: ArchiveOffset::Known(0) };
    let mut archive = ZipArchive::with_config(config, Cursor::new(bytes)).map_err(|error| refuse(damaged(&error)))?;
    if archive.len() > MAX_ENTRIES {
        let message = format!("too many entries: {} (maximum {MAX_ENTRIES})", archive.len());
        return Err(refuse(Diagnostic::error("package/entries", message).hint("split the archive")));
    }
    archive.validate_header_consistency().map_err(|error| refuse(damaged(&error)))?;
    let entries = list(&archive).map_err(refuse)?;
    let roots = roots(&entries);
    if roots.is_empty() {
        return Err(refuse(
            Diagnostic::error("package/no-skill", "the archive doesn't contain a skill").hint(format!("add a folder with a {SKILL_MD}")),
        ));
    }
    let mut unpacked = UnpackedFile::default();
    let mut parts: BTreeMap<&str, Vec<&ZipEntry>> = roots.iter().map(|root| (*root, Vec::new())).collect();
    for entry in entries.iter().filter(|entry| entry.kind != Kind::Folder) {
        match folders(&entry.name).find(|folder| roots.contains(folder)).and_then(|root| parts.get_mut(root)) {
            Some(part) => part.push(entry),
            None if unpacked.findings.len() < MAX_FINDINGS && !is_unsearched_path(&entry.name) => {
                let finding = Diagnostic::info("package/stray", format!("{} doesn't belong to a skill", entry.name));
                unpacked.findings.push(finding.hint("it was skipped").in_file(file));
            }
            None => {}
        }
    }
    let mut remaining = allowance(bytes.len());
    for (root, entries) in parts {
        let mut reading = ZipReader {
            archive: &mut archive,
            remaining: &mut remaining,
            tree: Tree::new(),
            bytes: 0,
            findings: Vec::new(),
            skipped: HashSet::new(),
        };
        let bomb = |message: String| refuse(Diagnostic::error("package/bomb", message).hint("create the archive again"));
        reading.entries(root, &entries).map_err(bomb)?;
        let ZipReader { tree, findings, .. } = reading;
        let refused = findings.iter().any(Diagnostic::is_error);
        let folder = root.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(stem);
        let read = if refused { Err(findings) } else { Ok((tree, findings)) };
        unpacked.skills.push(PackedSkill::new(root.to_owned(), folder.to_owned(), read));
    }
    Ok(unpacked)
}

fn damaged(error: &zip::result::ZipError) -> Diagnostic {
    Diagnostic::error("package/zip", format!("invalid archive: {error}")).hint("create the archive again")
}

fn list(archive: &ZipArchive<Cursor<&[u8]>>) -> Result<Vec<ZipEntry>, Diagnostic> {
    let mut entries = Vec::with_capacity(archive.len());
    for index in 0..archive.len() {
        let entry = archive.by_index_data(index).map_err(|error| damaged(&error))?;
        let mode = entry.external_attributes() >> 16;
        let name = name(entry.name_raw())?;
        let kind = match mode & 0o170_000 {
            _ if name.ends_with('/') => Kind::Folder,
            0o040_000 => Kind::Folder,
            0 | 0o100_000 => Kind::File { executable: mode & 0o100 != 0 },
            0o120_000 => Kind::Link,
            _ => Kind::Device,
        };
        entries.push(ZipEntry { index, name: name.trim_end_matches('/').to_owned(), kind });
    }
    Ok(entries)
}

/// Refuses a name that points outside the folder into which the archive is unpacked.
fn name(raw: &[u8]) -> Result<&str, Diagnostic> {
    let shown = String::from_utf8_lossy(&raw[..raw.len().min(80)]).into_owned();
    let refuse = |why: &str| Err(Diagnostic::error("package/name", format!("the name {shown:?} {why}")).hint("create the archive again"));
    let Ok(name) = std::str::from_utf8(raw) else { return refuse("isn't UTF-8") };
    let parts = name.strip_suffix('/').unwrap_or(name);
    if name.len() > MAX_NAME_BYTES {
        return refuse("is too long");
    }
    if parts.starts_with('/') || parts.as_bytes().get(1) == Some(&b':') {
        return refuse("is absolute");
    }
    if parts.contains(['\\', '\0']) {
        return refuse("contains a character that isn't allowed in an archive");
    }
    if parts.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return refuse("points outside its folder");
    }
    Ok(name)
}

/// The ancestors of a path, starting with the archive itself.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once("").chain(path.match_indices('/').map(|(at, _)| &path[..at]))
}

fn is_unsearched_path(path: &str) -> bool {
    path.split('/').any(|part| is_unsearched(OsStr::new(part)))
}

/// The folders that are skills. None is inside another.
fn roots<'a>(entries: &'a [ZipEntry]) -> HashSet<&'a str> {
    let marked = entries.iter().filter(|entry| entry.kind != Kind::Folder).filter_map(|entry| {
        let (folder, name) = entry.name.rsplit_once('/').unwrap_or(("", &entry.name));
        let found = MARKER_FILES.contains(&name) && !is_unsearched_path(folder) && folders(folder).count() <= SEARCH_DEPTH;
        found.then_some(folder)
    });
    let marked: HashSet<&'a str> = marked.collect();
    let inside = |root: &str| !root.is_empty() && folders(root).any(|folder| marked.contains(folder));
    marked.iter().copied().filter(|root| !inside(root)).collect()
}

/// One skill of an archive.
struct ZipReader<'a, 'b> {
    archive: &'a mut ZipArchive<Cursor<&'b [u8]>>,
    /// Bytes that may still be extracted from the archive.
    remaining: &'a mut u64,
    tree: Tree,
    bytes: usize,
    findings: Vec<Diagnostic>,
    skipped: HashSet<String>,
}

impl ZipReader<'_, '_> {
    /// Reads the files of the skill in folder `root`. The error is that of the whole archive.
    fn entries(&mut self, root: &str, entries: &[&ZipEntry]) -> Result<(), String> {
        for entry in entries {
            let relative = entry.name[root.len()..].trim_start_matches('/');
            if self.is_skipped(relative) {
                continue;
            }
            let executable = match entry.kind {
                Kind::File { executable } => executable,
                Kind::Link => {
                    self.refuse("folder/symlink", "symbolic link in the archive".to_owned(), relative);
                    continue;
                }
                Kind::Folder | Kind::Device => {
                    self.refuse("folder/device", "not a regular file".to_owned(), relative);
                    continue;
                }
            };
            let path = match SkillPath::parse(relative) {
                Ok(path) => path,
                Err(error) => {
                    self.refuse("folder/path", error.to_string(), relative);
                    continue;
                }
            };
            if self.tree.len() >= limits::FILES {
                self.refuse("limit/files", format!("too many files (maximum {})", limits::FILES), relative);
                return Ok(());
            }
            match self.content(entry.index)? {
                Ok(bytes) => {
                    if self.tree.insert(path, TreeFile { bytes: bytes.into(), executable }).is_some() {
                        self.refuse("folder/path-clash", "two names differ only in Unicode normalization".to_owned(), relative);
                    }
                }
                Err((rule, message)) => {
                    self.refuse(rule, message, relative);
                    // Reading the rest would only cost time.
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Reads an entry within the limits of the skill and the archive. The outer error is that of the archive.
    fn content(&mut self, index: usize) -> Result<Result<Vec<u8>, (&'static str, String)>, String> {
        const ZIP_RULE: &str = "package/zip";
        let entry = match self.archive.by_index_data(index) {
            Ok(entry) => entry,
            Err(error) => return Ok(Err((ZIP_RULE, error.to_string()))),
        };
        if entry.encrypted() {
            return Ok(Err(("package/encrypted", "the file is encrypted".to_owned())));
        }
        if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Ok(Err((ZIP_RULE, format!("unsupported compression method {}", entry.compression()))));
        }
        let stated = entry.size();
        let room = (limits::SKILL_BYTES - self.bytes) as u64;
        let most = room.min(*self.remaining);
        let mut bytes = Vec::new();
        let read = self.archive.by_index(index).map_err(Into::into).and_then(|entry| entry.take(most + 1).read_to_end(&mut bytes));
        let length = bytes.len() as u64;
        if length > *self.remaining {
            return Err(format!("the archive expands to more than {MAX_EXPANSION_RATIO} times its size"));
        }
        *self.remaining -= length;
        if let Err(error) = read {
            return Ok(Err((ZIP_RULE, format!("the file is damaged: {error}"))));
        }
        if length > room {
            return Ok(Err(("limit/bytes", format!("the skill is too large (maximum {} bytes)", limits::SKILL_BYTES))));
        }
        if length != stated {
            return Ok(Err((ZIP_RULE, format!("the file has {length} bytes, but the archive declares {stated}"))));
        }
        self.bytes += bytes.len();
        Ok(Ok(bytes))
    }

    /// Whether a component of the path is never part of a skill. Reported once per file or folder.
    fn is_skipped(&mut self, relative: &str) -> bool {
        let ends = relative.match_indices('/').map(|(at, _)| at).chain([relative.len()]);
        let found = ends.map(|end| &relative[..end]).find(|path| path.rsplit('/').next().is_some_and(|name| is_skipped(OsStr::new(name))));
        let Some(path) = found else { return false };
        if self.findings.len() < MAX_FINDINGS && self.skipped.insert(path.to_owned()) {
            let name = path.rsplit('/').next().unwrap_or(path);
            self.findings.push(skipped(name).in_file(path));
        }
        true
    }

    fn refuse(&mut self, rule: &str, message: String, relative: &str) {
        if self.findings.len() < MAX_FINDINGS || !self.findings.iter().any(Diagnostic::is_error) {
            let hint = if rules::is_limit(rule) { rules::LIMIT_HINT } else { "rename or remove it, then create the archive again" };
            self.findings.push(Diagnostic::error(rule, message).hint(hint).in_file(relative));
        }
    }
}
