//! Skill folders in a zip archive, which is never trusted: its headers must agree with each other, nothing in it may lie
//! outside of it, and what it says of sizes is only compared with what really comes out, which is bounded while it does.
//!
//! A name or a header that misleads refuses the archive; what is wrong with one skill's files refuses that skill.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::io::{Cursor, Read};

use inklings_core::check::Diagnostic;
use inklings_core::limits;
use inklings_core::path::{SKILL_MD, SkillPath};
use inklings_core::tree::{Tree, TreeFile};
use zip::read::{ArchiveOffset, Config};
use zip::{CompressionMethod, ZipArchive};

use super::{PackedSkill, Unpacked};
use crate::disk::{MARKER_FILES, SEARCH_DEPTH, is_skipped};

/// Entries of an archive.
const ENTRIES: usize = 20_000;
/// Bytes of an entry's name.
const NAME_BYTES: usize = 1_024;
/// Bytes that may come out of any archive, however it shrank.
const FREE_BYTES: u64 = 1024 * 1024;
/// Bytes that may come out for each byte of an archive beyond that; text shrinks to a tenth, rarely to a fiftieth.
const RATIO: u64 = 100;
/// Bytes that may come out at most.
const BYTES: u64 = 128 * 1024 * 1024;
/// Findings of one skill, and of the archive.
const FINDINGS: usize = 32;

/// Bytes that may come out of an archive of `length` bytes.
pub(super) fn allowance(length: usize) -> u64 {
    (length as u64).saturating_mul(RATIO).saturating_add(FREE_BYTES).min(BYTES)
}

/// What an entry is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File { executable: bool },
    Folder,
    Link,
    Device,
}

/// An entry as the archive lists it.
struct Listed {
    index: usize,
    /// Without a final `/`.
    name: String,
    kind: Kind,
}

/// The skills of an archive.
pub(super) fn read(file: &str, stem: &str, bytes: &[u8]) -> Result<Unpacked, Vec<Diagnostic>> {
    let refuse = |finding: Diagnostic| vec![finding.in_file(file)];
    let config = Config { archive_offset: ArchiveOffset::Known(0) };
    let mut archive = ZipArchive::with_config(config, Cursor::new(bytes)).map_err(|error| refuse(damaged(&error)))?;
    if archive.len() > ENTRIES {
        let message = format!("{} entries, an archive of skills has at most {ENTRIES}", archive.len());
        return Err(refuse(Diagnostic::error("package/entries", message).hint("split it")));
    }
    archive.validate_header_consistency().map_err(|error| refuse(damaged(&error)))?;
    let entries = list(&archive).map_err(refuse)?;
    let roots = roots(&entries);
    if roots.is_empty() {
        return Err(refuse(
            Diagnostic::error("package/no-skill", "there is no skill in it").hint(format!("a skill is a folder with a {SKILL_MD}")),
        ));
    }
    let mut unpacked = Unpacked::default();
    let mut parts: BTreeMap<&str, Vec<&Listed>> = roots.iter().map(|root| (*root, Vec::new())).collect();
    for entry in entries.iter().filter(|entry| entry.kind != Kind::Folder) {
        match folders(&entry.name).find(|folder| roots.contains(folder)).and_then(|root| parts.get_mut(root)) {
            Some(part) => part.push(entry),
            None if unpacked.findings.len() < FINDINGS && !is_skipped_path(&entry.name) => {
                let finding = Diagnostic::info("package/stray", format!("{} belongs to no skill", entry.name));
                unpacked.findings.push(finding.hint("it is not taken").in_file(file));
            }
            None => {}
        }
    }
    let mut left = allowance(bytes.len());
    for (root, entries) in parts {
        let mut reading =
            Reading { archive: &mut archive, left: &mut left, tree: Tree::new(), bytes: 0, findings: Vec::new(), skipped: HashSet::new() };
        let bomb = |message: String| refuse(Diagnostic::error("package/bomb", message).hint("pack the skill's folder again"));
        reading.entries(root, &entries).map_err(bomb)?;
        let Reading { tree, findings, .. } = reading;
        let refused = findings.iter().any(Diagnostic::is_error);
        let folder = root.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(stem);
        let read = if refused { Err(findings) } else { Ok((tree, findings)) };
        unpacked.skills.push(PackedSkill::new(root.to_owned(), folder.to_owned(), read));
    }
    Ok(unpacked)
}

fn damaged(error: &zip::result::ZipError) -> Diagnostic {
    Diagnostic::error("package/zip", format!("the archive is damaged, or made to mislead: {error}")).hint("pack the skill's folder again")
}

fn list(archive: &ZipArchive<Cursor<&[u8]>>) -> Result<Vec<Listed>, Diagnostic> {
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
        entries.push(Listed { index, name: name.trim_end_matches('/').to_owned(), kind });
    }
    Ok(entries)
}

/// A name that stays inside whatever folder the archive is unpacked to.
fn name(raw: &[u8]) -> Result<&str, Diagnostic> {
    let shown = String::from_utf8_lossy(&raw[..raw.len().min(80)]).into_owned();
    let refuse =
        |why: &str| Err(Diagnostic::error("package/name", format!("the name {shown:?} {why}")).hint("pack the skill's folder again"));
    let Ok(name) = std::str::from_utf8(raw) else { return refuse("is no UTF-8") };
    let parts = name.strip_suffix('/').unwrap_or(name);
    if name.len() > NAME_BYTES {
        return refuse("is too long");
    }
    if parts.starts_with('/') || parts.as_bytes().get(1) == Some(&b':') {
        return refuse("is absolute");
    }
    if parts.contains(['\\', '\0']) {
        return refuse("has a character that no path in an archive has");
    }
    if parts.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return refuse("leaves its folder");
    }
    Ok(name)
}

/// The folders that a path is in, outermost (the archive itself) first.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once("").chain(path.match_indices('/').map(|(at, _)| &path[..at]))
}

fn is_skipped_path(path: &str) -> bool {
    path.split('/').any(|part| is_skipped(OsStr::new(part)))
}

/// The folders that are skills, none inside another.
fn roots<'a>(entries: &'a [Listed]) -> HashSet<&'a str> {
    let marked = entries.iter().filter(|entry| entry.kind != Kind::Folder).filter_map(|entry| {
        let (folder, name) = entry.name.rsplit_once('/').unwrap_or(("", &entry.name));
        let found = MARKER_FILES.contains(&name) && !is_skipped_path(folder) && folders(folder).count() <= SEARCH_DEPTH;
        found.then_some(folder)
    });
    let marked: HashSet<&'a str> = marked.collect();
    let inside = |root: &str| !root.is_empty() && folders(root).any(|folder| marked.contains(folder));
    marked.iter().copied().filter(|root| !inside(root)).collect()
}

/// One skill of an archive.
struct Reading<'a, 'b> {
    archive: &'a mut ZipArchive<Cursor<&'b [u8]>>,
    /// Bytes that may still come out of the archive.
    left: &'a mut u64,
    tree: Tree,
    bytes: usize,
    findings: Vec<Diagnostic>,
    skipped: HashSet<String>,
}

impl Reading<'_, '_> {
    /// Reads the files of the skill in folder `root`. The error is that of the whole archive.
    fn entries(&mut self, root: &str, entries: &[&Listed]) -> Result<(), String> {
        for entry in entries {
            let relative = entry.name[root.len()..].trim_start_matches('/');
            if self.is_skipped(relative) {
                continue;
            }
            let executable = match entry.kind {
                Kind::File { executable } => executable,
                Kind::Link => {
                    self.refuse("folder/symlink", "a link can't be taken".to_owned(), relative);
                    continue;
                }
                Kind::Folder | Kind::Device => {
                    self.refuse("folder/device", "this is no regular file".to_owned(), relative);
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
                self.refuse("limit/files", format!("a skill has at most {} files", limits::FILES), relative);
                return Ok(());
            }
            match self.content(entry.index)? {
                Ok(bytes) => {
                    if self.tree.insert(path, TreeFile { bytes: bytes.into(), executable }).is_some() {
                        self.refuse("folder/path-clash", "two names differ only in how their accents are written".to_owned(), relative);
                    }
                }
                Err((rule, message)) => {
                    self.refuse(rule, message, relative);
                    // What is left of it could only cost more.
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The content of an entry, as far as the skill and the archive may grow. The outer error is that of the archive.
    fn content(&mut self, index: usize) -> Result<Result<Vec<u8>, (&'static str, String)>, String> {
        const BROKEN: &str = "package/zip";
        let entry = match self.archive.by_index_data(index) {
            Ok(entry) => entry,
            Err(error) => return Ok(Err((BROKEN, error.to_string()))),
        };
        if entry.encrypted() {
            return Ok(Err(("package/encrypted", "the file is encrypted".to_owned())));
        }
        if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Ok(Err((BROKEN, format!("the file is packed with {}, which is not read", entry.compression()))));
        }
        let stated = entry.size();
        let room = (limits::SKILL_BYTES - self.bytes) as u64;
        let most = room.min(*self.left);
        let mut bytes = Vec::new();
        let read = self.archive.by_index(index).map_err(Into::into).and_then(|entry| entry.take(most + 1).read_to_end(&mut bytes));
        let length = bytes.len() as u64;
        if length > *self.left {
            return Err(format!("more comes out of the archive than {RATIO} times its size"));
        }
        *self.left -= length;
        if let Err(error) = read {
            return Ok(Err((BROKEN, format!("the file is damaged: {error}"))));
        }
        if length > room {
            return Ok(Err(("limit/bytes", format!("a skill has at most {} bytes", limits::SKILL_BYTES))));
        }
        if length != stated {
            return Ok(Err((BROKEN, format!("the file has {length} bytes, the archive says {stated}"))));
        }
        self.bytes += bytes.len();
        Ok(Ok(bytes))
    }

    /// Whether some part of the path is never part of a skill; remarked once for each such folder or file.
    fn is_skipped(&mut self, relative: &str) -> bool {
        let ends = relative.match_indices('/').map(|(at, _)| at).chain([relative.len()]);
        let found = ends.map(|end| &relative[..end]).find(|path| path.rsplit('/').next().is_some_and(|name| is_skipped(OsStr::new(name))));
        let Some(path) = found else { return false };
        if self.findings.len() < FINDINGS && self.skipped.insert(path.to_owned()) {
            let name = path.rsplit('/').next().unwrap_or(path);
            let finding = Diagnostic::info("folder/skipped", format!("{name} is not part of a skill"));
            self.findings.push(finding.hint("it stays where it is").in_file(path));
        }
        true
    }

    fn refuse(&mut self, rule: &str, message: String, relative: &str) {
        if self.findings.len() < FINDINGS || !self.findings.iter().any(Diagnostic::is_error) {
            self.findings.push(Diagnostic::error(rule, message).hint("rename or remove it, then pack again").in_file(relative));
        }
    }
}
