//! A linked folder: what is in it, and writing to it beside other programs.
//!
//! A file is replaced by exchanging it with a complete new one, so that a reader sees one of them, and the old one is still there to be
//! compared with what was expected. An editor that had it open may write to it after that, so it is kept for [`GRACE`] before it is
//! checked again and removed. Its name says which file it was, and what it and its replacement contained: whoever finds it later, after a
//! kill, knows whether its text is known already.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, MetadataExt as _, OpenOptions, OpenOptionsExt as _, PermissionsExt as _};
use inklings_core::link::FileStat;
use inklings_core::{Diagnostic, Digest, LinkBase, SkillPath, Tree, TreeFile, limits};
use inklings_folder::{DiskError, disk};
use rustix::fs::RenameFlags;
use rustix::io::Errno;

/// Time in which a program that had a replaced file open may still write to it.
pub(crate) const GRACE: Duration = Duration::from_millis(200);
/// A file that changed within this time before it was listed may change again without another modification time.
const RACY: Duration = Duration::from_millis(20);
const MAX_DEPTH: usize = 32;
/// An incomplete file.
const NEW_PREFIX: &str = ".inklings-new-";
/// A replaced or removed file: the prefix, [`TAG_CHARS`] digits each of the hashes of its replacement and of itself, and its name.
const OLD_PREFIX: &str = ".inklings-old-";
const TAG_CHARS: usize = 16;
/// Instead of the hash of the replacement of a file that was removed.
const REMOVED: &str = "0000000000000000";

pub(crate) struct LinkedFolder {
    dir: Dir,
    path: PathBuf,
}

#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) files: BTreeMap<SkillPath, FileStat>,
    /// Files that a write left, relative to the folder.
    leftovers: Vec<PathBuf>,
    /// The folder and those in it, by path relative to it, as they were before their entries were read.
    pub(crate) folders: Vec<(String, FileStat)>,
}

impl Listing {
    /// Whether the files are those of `base`, as far as their states tell.
    pub(crate) fn is_as_agreed(&self, base: &LinkBase) -> bool {
        let is_same =
            |(path, stat): (&SkillPath, &FileStat)| stat.modified != 0 && base.files.get(path).is_some_and(|file| file.stat == *stat);
        self.leftovers.is_empty() && self.files.len() == base.files.len() && self.files.iter().all(is_same)
    }
}

/// The former content of a file that was replaced or removed although it wasn't what was expected.
#[derive(Debug)]
pub(crate) struct Displaced {
    pub(crate) path: SkillPath,
    pub(crate) file: TreeFile,
    /// The first digits of the hash of the content that was expected instead, which the file was edited from.
    pub(crate) expected: String,
    /// Whether the folder still has what it was replaced with.
    pub(crate) replacement: Option<FileStat>,
    /// Where it is until it was merged.
    kept: PathBuf,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Done(FileStat),
    /// Another program changed the file meanwhile.
    Changed,
}

impl Displaced {
    /// Whether it was edited from this content.
    pub(crate) fn is_from(&self, file: &TreeFile) -> bool {
        tag(file.digest()) == self.expected
    }
}

impl LinkedFolder {
    /// `None` if it doesn't exist, or if a symbolic link has replaced it, which may lead anywhere.
    pub(crate) fn open(path: &Path) -> io::Result<Option<Self>> {
        if path.canonicalize().is_ok_and(|now| now != path) {
            return Ok(None);
        }
        match Dir::open_ambient_dir(path, ambient_authority()) {
            Ok(dir) => Ok(Some(Self { dir, path: path.to_owned() })),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Refused if a symbolic link has replaced it or a folder above it, as in [`Self::open`].
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let existing = path.ancestors().find(|path| path.symlink_metadata().is_ok());
        if existing.is_some_and(|path| path.canonicalize().is_ok_and(|now| now == path)) {
            std::fs::create_dir_all(path)?;
            if let Some(folder) = Self::open(path)? {
                return Ok(folder);
            }
        }
        Err(io::Error::new(ErrorKind::NotADirectory, "a symbolic link or a file has replaced it"))
    }

    /// All files of the skill, with findings about those that were skipped or refuse it.
    pub(crate) fn read_all(&self) -> Result<(Tree, Vec<Diagnostic>), DiskError> {
        disk::read_open(&self.dir, &self.path)
    }

    /// The files of the skill. Others are skipped as when it is read.
    pub(crate) fn list(&self) -> io::Result<Listing> {
        let mut listing = Listing::default();
        list(&self.dir, "", 0, SystemTime::now(), &mut listing)?;
        Ok(listing)
    }

    /// Creates a file, or replaces one with the content `expected`.
    pub(crate) fn write(&self, path: &SkillPath, file: &TreeFile, expected: Option<Digest>) -> io::Result<Written> {
        let (parent, name) = self.parent_of(path, true)?;
        let fresh = format!("{NEW_PREFIX}{}", uuid::Uuid::new_v4().simple());
        let mode = match parent.symlink_metadata(&name) {
            Ok(metadata) if metadata.is_file() => mode_with(metadata.permissions().mode(), file.executable),
            Ok(_) => return Err(io::Error::new(ErrorKind::AlreadyExists, "something that isn't a file has its name")),
            Err(_) => mode_with(0o666, file.executable),
        };
        let written = create(&parent, &fresh, &file.bytes, mode, expected.is_some());
        let stat = match written {
            Ok(stat) => stat,
            Err(error) => {
                // The part that was written; nothing refers to it.
                let _ = parent.remove_file(&fresh);
                return Err(error);
            }
        };
        let Some(expected) = expected else {
            return match rename(&parent, &fresh, &name, RenameFlags::NOREPLACE) {
                Ok(()) => Ok(Written::Done(stat)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => parent.remove_file(&fresh).map(|()| Written::Changed),
                Err(error) => Err(error),
            };
        };
        let kept = kept_name(&tag(file.digest()), expected, &name);
        parent.rename(&fresh, &parent, &kept)?;
        match rename(&parent, &kept, &name, RenameFlags::EXCHANGE) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return parent.remove_file(&kept).map(|()| Written::Changed),
            Err(error) => {
                let _ = parent.remove_file(&kept);
                return Err(error);
            }
        }
        let former = read(&parent, &kept)?;
        Ok(if former.digest() == expected { Written::Done(stat) } else { Written::Changed })
    }

    /// Removes a file with the content `expected`. Returns whether it had that.
    pub(crate) fn remove(&self, path: &SkillPath, expected: Digest) -> io::Result<bool> {
        let (parent, name) = self.parent_of(path, false)?;
        let kept = kept_name(REMOVED, expected, &name);
        match rename(&parent, &name, &kept, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(read(&parent, &kept)?.digest() == expected),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// Removes what former writes left if its text is known and nobody can write to it any more. Returns the texts that are unknown, and
    /// whether there is more to remove later.
    pub(crate) fn clear_leftovers(&self, listing: &Listing) -> io::Result<(Vec<Displaced>, bool)> {
        let (mut displaced, mut is_pending) = (Vec::new(), false);
        for kept in &listing.leftovers {
            let Some(name) = kept.file_name().and_then(|name| name.to_str()) else { continue };
            let metadata = match self.dir.symlink_metadata(kept) {
                Ok(metadata) => metadata,
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            let is_recent = age(metadata.ctime(), metadata.ctime_nsec()).is_some_and(|age| age < GRACE);
            let Some((replacement, own, path)) = parse_kept(kept, name) else {
                if !is_recent {
                    self.dir.remove_file(kept)?;
                }
                is_pending |= is_recent;
                continue;
            };
            let file = read(&self.dir, kept)?;
            let own_tag = tag(file.digest());
            if own_tag == replacement || own_tag == own {
                if is_recent {
                    is_pending = true;
                } else {
                    self.dir.remove_file(kept)?;
                    self.remove_empty_folders(kept);
                }
                continue;
            }
            let current = read(&self.dir, path.as_str()).ok();
            let is_replaced = current.is_some_and(|current| tag(current.digest()) == replacement);
            let stat = listing.files.get(&path).copied().filter(|_| is_replaced);
            displaced.push(Displaced { path, file, expected: own, replacement: stat, kept: kept.clone() });
        }
        Ok((displaced, is_pending))
    }

    /// Forgets a text that was merged.
    pub(crate) fn discard(&self, displaced: &Displaced) -> io::Result<()> {
        self.dir.remove_file(&displaced.kept)
    }

    fn remove_empty_folders(&self, file: &Path) {
        for folder in file.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
            // Not empty.
            if self.dir.remove_dir(folder).is_err() {
                return;
            }
        }
    }

    fn parent_of(&self, path: &SkillPath, create: bool) -> io::Result<(Dir, String)> {
        let (folder, name) = path.as_str().rsplit_once('/').unwrap_or((".", path.as_str()));
        if create {
            self.dir.create_dir_all(folder)?;
        }
        Ok((self.dir.open_dir(folder)?, name.to_owned()))
    }
}

fn list(dir: &Dir, prefix: &str, depth: usize, now: SystemTime, listing: &mut Listing) -> io::Result<()> {
    listing.folders.push((prefix.trim_end_matches('/').to_owned(), stat(&dir.dir_metadata()?, now)));
    for entry in dir.entries()? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let file_name = entry.file_name();
        let Some(name) = file_name.to_str() else { continue };
        let relative = format!("{prefix}{name}");
        if kind.is_file() && (name.starts_with(NEW_PREFIX) || name.starts_with(OLD_PREFIX)) {
            listing.leftovers.push(relative.into());
        } else if disk::is_skipped(&file_name) || kind.is_symlink() {
        } else if kind.is_dir() && depth < MAX_DEPTH && relative.len() <= limits::PATH_BYTES {
            list(&entry.open_dir()?, &format!("{relative}/"), depth + 1, now, listing)?;
        } else if kind.is_file()
            && listing.files.len() < limits::FILES
            && let Ok(path) = SkillPath::parse(&relative)
        {
            // Removed meanwhile otherwise.
            if let Ok(metadata) = entry.metadata() {
                listing.files.insert(path, stat(&metadata, now));
            }
        }
    }
    Ok(())
}

/// Whether a file or folder is as it was when it was listed.
pub(crate) fn is_unchanged(metadata: &Metadata, listed: &FileStat) -> bool {
    listed.modified != 0 && stat_of(metadata) == *listed
}

fn stat(metadata: &Metadata, now: SystemTime) -> FileStat {
    let stat = stat_of(metadata);
    let now = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX));
    let is_racy = stat.modified > now - i64::try_from(RACY.as_nanos()).unwrap_or_default();
    FileStat { modified: if is_racy { 0 } else { stat.modified }, ..stat }
}

fn stat_of(metadata: &Metadata) -> FileStat {
    FileStat {
        bytes: metadata.len(),
        modified: metadata.mtime().saturating_mul(1_000_000_000).saturating_add(metadata.mtime_nsec()),
        inode: metadata.ino(),
        executable: is_executable(metadata),
    }
}

fn is_executable(metadata: &Metadata) -> bool {
    metadata.permissions().mode() & 0o100 != 0
}

fn age(seconds: i64, nanoseconds: i64) -> Option<Duration> {
    let at = SystemTime::UNIX_EPOCH + Duration::new(u64::try_from(seconds).ok()?, u32::try_from(nanoseconds).ok()?);
    SystemTime::now().duration_since(at).ok()
}

fn mode_with(mode: u32, executable: bool) -> u32 {
    // Whoever may read a file may execute an executable one.
    if executable { mode | ((mode & 0o444) >> 2) } else { mode & !0o111 }
}

/// Writes a new file, and returns its stat. The umask applies unless its mode is that of another file.
fn create(parent: &Dir, name: &str, bytes: &[u8], mode: u32, is_exact: bool) -> io::Result<FileStat> {
    let mut file = parent.open_with(name, OpenOptions::new().write(true).create_new(true).mode(mode & 0o7777))?;
    file.write_all(bytes)?;
    if is_exact {
        file.set_permissions(cap_std::fs::Permissions::from_std(std::os::unix::fs::PermissionsExt::from_mode(mode & 0o7777)))?;
    }
    file.sync_data()?;
    Ok(stat(&file.metadata()?, SystemTime::now()))
}

fn read(dir: &Dir, path: impl AsRef<Path>) -> io::Result<TreeFile> {
    let file = dir.open(path)?;
    let metadata = file.metadata()?;
    let mut bytes = Vec::new();
    file.take(limits::SKILL_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(TreeFile { bytes: bytes.into(), executable: is_executable(&metadata) })
}

fn rename(dir: &Dir, from: &str, to: &str, flags: RenameFlags) -> io::Result<()> {
    match rustix::fs::renameat_with(dir, from, dir, to, flags) {
        // A file system that can't do both in one step.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) if flags == RenameFlags::EXCHANGE => {
            let spare = format!("{NEW_PREFIX}{}", uuid::Uuid::new_v4().simple());
            dir.rename(from, dir, &spare)?;
            dir.rename(to, dir, from)?;
            dir.rename(&spare, dir, to)
        }
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) if dir.symlink_metadata(to).is_err() => dir.rename(from, dir, to),
        result => Ok(result?),
    }
}

fn tag(digest: Digest) -> String {
    digest.to_string().chars().take(TAG_CHARS).collect()
}

fn kept_name(replacement: &str, own: Digest, name: &str) -> String {
    format!("{OLD_PREFIX}{replacement}-{}-{name}", tag(own))
}

/// Tags of the replacement and of the file itself, and the path that it had.
fn parse_kept(kept: &Path, name: &str) -> Option<(String, String, SkillPath)> {
    let rest = name.strip_prefix(OLD_PREFIX)?;
    let (replacement, rest) = rest.split_once('-')?;
    let (own, name) = rest.split_once('-')?;
    let path = kept.with_file_name(name);
    Some((replacement.to_owned(), own.to_owned(), SkillPath::parse(path.to_str()?).ok()?))
}
