//! Writing: into a new folder beside the target that is then renamed, so a reader sees the old folder or the new one.

use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, DirEntry, OpenOptions};
use inklings_core::name::Slug;
use inklings_core::path::SkillPath;
use inklings_core::tree::Tree;
use inklings_core::{Digest, Failpoint};
use rustix::fs::{FlockOperation, Mode, OFlags, flock};

use super::{DiskError, MARKER_FILES, TEMPORARY_PREFIX, is_skipped, open, read_dir};

/// What to do with something that is already there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existing {
    /// Leave it: an error, unless it is an empty folder or exactly the same.
    #[default]
    Refuse,
    /// Replace the file, or the files of a folder that is a skill. What is no part of a skill (`.git`, links, …) stays.
    Replace,
}

/// Something that is to be written below a folder, under its own name.
#[derive(Debug, Clone, Copy)]
pub enum Output<'a> {
    /// A folder named by a slug.
    Folder(&'a Slug, &'a Tree),
    /// A file with its name.
    File(&'a str, &'a [u8]),
}

impl Output<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Folder(slug, _) => slug.as_str(),
            Self::File(name, _) => name,
        }
    }

    /// Where it goes.
    #[must_use]
    pub fn path(&self, out: &Path) -> PathBuf {
        out.join(self.name())
    }

    /// Whether its place below `out` has something else, which is then the error. True when it is there already, as it would be written.
    pub fn is_there(&self, out: &Path, existing: Existing) -> Result<bool, DiskError> {
        match open(out) {
            Ok(parent) => self.stands_in(&parent, out, existing),
            Err(DiskError::NotFound(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn stands_in(&self, parent: &Dir, out: &Path, existing: Existing) -> Result<bool, DiskError> {
        let target = self.path(out);
        let metadata = match parent.symlink_metadata(self.name()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            metadata => metadata.map_err(DiskError::of("reading", &target))?,
        };
        let (same, replaceable) = match self {
            Self::Folder(_, tree) if metadata.is_dir() => {
                let is_empty = parent.read_dir(self.name()).is_ok_and(|mut entries| entries.next().is_none());
                if existing == Existing::Replace && !is_empty && !is_a_skill(parent, self.name()) {
                    return Err(DiskError::ForeignFolder(target));
                }
                (!is_empty && read_dir(&target)?.0 == **tree, is_empty || existing == Existing::Replace)
            }
            Self::File(name, bytes) if metadata.is_file() => {
                let same = metadata.len() == bytes.len() as u64 && parent.read(name).is_ok_and(|present| present == *bytes);
                (same, existing == Existing::Replace)
            }
            // A link, or a file where a folder should be: nobody meant that to be replaced.
            _ => (false, false),
        };
        if same || replaceable { Ok(same) } else { Err(DiskError::Exists(target)) }
    }

    /// Writes it below `out`: all of it or nothing. What is there already as it would be written stays untouched.
    pub fn write(&self, out: &Path, existing: Existing) -> Result<PathBuf, DiskError> {
        let target = self.path(out);
        std::fs::create_dir_all(out).map_err(DiskError::of("creating", out))?;
        let parent = open(out)?;
        let _writing = match self {
            Self::Folder(slug, _) => recovered(&parent, slug.as_str()).map_err(DiskError::of("writing", &target))?,
            Self::File(..) => None,
        };
        if self.stands_in(&parent, out, existing)? {
            return Ok(target);
        }
        let fresh = temporary_name(self.name(), NEW_SUFFIX);
        // What takes the place of something must be on the disk before that goes.
        let replaces = parent.symlink_metadata(self.name()).is_ok();
        let written = match self {
            Self::Folder(_, tree) => write_tree(&parent, &fresh, tree, replaces),
            Self::File(_, bytes) => write_file(&parent, &fresh, &write_options(false), bytes, replaces),
        };
        let written = written.and_then(|()| {
            Failpoint::ExportWritten.reach();
            match self {
                Self::Folder(slug, _) => swap(&parent, &fresh, slug.as_str()),
                Self::File(name, _) => parent.rename(&fresh, &parent, name),
            }
        });
        if let Err(error) = written {
            // Best effort: the first error is the one to tell.
            let _ = match self {
                Self::Folder(..) => parent.remove_dir_all(&fresh),
                Self::File(..) => parent.remove_file(&fresh),
            };
            return Err(DiskError::of("writing", &target)(error));
        }
        Ok(target)
    }
}

/// Whether the folder `name` has one of the files that make a folder a skill.
fn is_a_skill(parent: &Dir, name: &str) -> bool {
    MARKER_FILES.iter().any(|mark| parent.symlink_metadata(Path::new(name).join(mark)).is_ok_and(|metadata| metadata.is_file()))
}

/// What the name of a folder says that is to take the place of another, or that did so in one step.
const NEW_SUFFIX: &str = "new";
/// What it says of one that made room for another.
const OLD_SUFFIX: &str = "old";

/// A name that nothing has, not even what a killed process left. It says what it is for: names may be too long to have another in them.
fn temporary_name(name: &str, what: &str) -> String {
    format!("{}{what}-{}", temporary_prefix(name), uuid::Uuid::new_v4().simple())
}

fn temporary_prefix(name: &str) -> String {
    let digest = Digest::of(name.as_bytes()).to_string();
    format!("{TEMPORARY_PREFIX}{}-", digest.get(..16).unwrap_or(&digest))
}

/// Finishes what killed processes left of writing the folder `name`: what is no part of the skill goes to where the folder is now, and
/// the rest away. As long as the result lives, others leave alone what is written here.
fn recovered(parent: &Dir, name: &str) -> io::Result<Option<OwnedFd>> {
    let folder = rustix::fs::openat(parent, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    // Who has it alone knows that nobody is writing. Where a file system has no such locks, what was left stays.
    if flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok() {
        let prefix = temporary_prefix(name);
        let names = parent.entries()?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let mut left = names.collect::<io::Result<Vec<_>>>()?;
        left.retain(|left| left.starts_with(&prefix));
        // The former folder comes first: without it there may be none to put anything in.
        left.sort_by_key(|left| !left.starts_with(&format!("{prefix}{OLD_SUFFIX}")));
        for left in left {
            let finished = match parent.symlink_metadata(name) {
                Ok(present) if !present.is_dir() => Ok(()),
                Ok(_) => parent
                    .open_dir(&left)
                    .and_then(|from| move_unmanaged(&from, &parent.open_dir(name)?, ""))
                    .and_then(|()| parent.remove_dir_all(&left)),
                Err(_) if left.starts_with(&format!("{prefix}{OLD_SUFFIX}")) => parent.rename(&left, parent, name),
                Err(_) => parent.remove_dir_all(&left),
            };
            // What can't be moved stays where it is, and is tried again with the next export.
            drop(finished);
        }
    }
    Ok(flock(&folder, FlockOperation::NonBlockingLockShared).is_ok().then_some(folder))
}

fn write_tree(parent: &Dir, name: &str, tree: &Tree, sync: bool) -> io::Result<()> {
    parent.create_dir(name)?;
    let dir = parent.open_dir(name)?;
    for (path, entry) in tree {
        if let Some((folder, _)) = path.as_str().rsplit_once('/') {
            dir.create_dir_all(folder)?;
        }
        write_file(&dir, path.as_str(), &write_options(entry.executable), &entry.bytes, sync)?;
        Failpoint::ExportFile.reach();
    }
    if sync { sync_folder(&dir) } else { Ok(()) }
}

fn sync_folder(dir: &Dir) -> io::Result<()> {
    // A `Dir` is only a place, which can't be synced.
    let folder = rustix::fs::openat(dir, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    Ok(rustix::fs::fsync(folder)?)
}

fn write_file(dir: &Dir, path: &str, options: &OpenOptions, bytes: &[u8], sync: bool) -> io::Result<()> {
    let mut file = dir.open_with(path, options)?;
    file.write_all(bytes)?;
    if sync { file.sync_all() } else { Ok(()) }
}

#[cfg_attr(not(unix), expect(unused_variables, reason = "only Unix has an execute bit"))]
fn write_options(executable: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        options.mode(if executable { 0o777 } else { 0o666 });
    }
    options
}

/// Puts the folder `fresh` where `name` is. What is no part of a skill moves over from the old one.
fn swap(parent: &Dir, fresh: &str, name: &str) -> io::Result<()> {
    if parent.symlink_metadata(name).is_err() {
        return parent.rename(fresh, parent, name);
    }
    let old = exchange(parent, fresh, name)?;
    Failpoint::ExportExchanged.reach();
    let kept = parent.open_dir(&old).and_then(|from| move_unmanaged(&from, &parent.open_dir(name)?, ""));
    match kept {
        Ok(()) => {
            Failpoint::ExportMoved.reach();
            parent.remove_dir_all(&old)
        }
        // The old folder stays: it holds what could not be moved.
        Err(error) => Err(io::Error::new(error.kind(), format!("{error}; the former folder is kept as {old}"))),
    }
}

/// Lets `name` be the folder `fresh`; returns the name of the former one. In one step, so that there is a whole folder at every moment;
/// in two where the file system can't.
fn exchange(parent: &Dir, fresh: &str, name: &str) -> io::Result<String> {
    use rustix::io::Errno;
    match rustix::fs::renameat_with(parent, fresh, parent, name, rustix::fs::RenameFlags::EXCHANGE) {
        Ok(()) => return Ok(fresh.to_owned()),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
        Err(error) => return Err(error.into()),
    }
    let old = temporary_name(name, OLD_SUFFIX);
    parent.rename(name, parent, &old)?;
    if let Err(error) = parent.rename(fresh, parent, name) {
        parent.rename(&old, parent, name)?;
        return Err(error);
    }
    Ok(old)
}

fn move_unmanaged(from: &Dir, to: &Dir, prefix: &str) -> io::Result<()> {
    // All entries first: moving some while listing could hide others.
    let entries: Vec<DirEntry> = from.read_dir(if prefix.is_empty() { "." } else { prefix })?.collect::<io::Result<_>>()?;
    for entry in entries {
        let name = entry.file_name();
        let kind = entry.file_type()?;
        let relative = name.to_str().map(|name| format!("{prefix}{name}"));
        let part_of_skill = !is_skipped(&name) && kind.is_file();
        let readable = relative.as_deref().is_some_and(|relative| SkillPath::parse(relative).is_ok());
        match relative {
            Some(relative) if kind.is_dir() && !is_skipped(&name) => move_unmanaged(from, to, &format!("{relative}/"))?,
            _ if part_of_skill && readable => {}
            _ => {
                let path = Path::new(prefix).join(&name);
                if to.symlink_metadata(&path).is_err() {
                    to.create_dir_all(if prefix.is_empty() { "." } else { prefix })?;
                    from.rename(&path, to, &path)?;
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use inklings_core::tree::TreeFile;

    use super::*;

    /// What a process leaves that is killed between the two steps of [`exchange`], or after its only one.
    #[test]
    fn the_next_export_finishes_what_a_killed_one_left() {
        let slug = Slug::parse("checker").unwrap();
        let tree: Tree = [(SkillPath::parse("SKILL.md").unwrap(), TreeFile::new(*b"new"))].into();
        for (former, has_new) in [(OLD_SUFFIX, false), (OLD_SUFFIX, true), (NEW_SUFFIX, true)] {
            let out = tempfile::tempdir().unwrap();
            let put = |folder: &str, path: &str, text: &str| {
                let path = out.path().join(folder).join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            };
            let left = temporary_name("checker", former);
            put(&left, "SKILL.md", "old");
            put(&left, "gone.md", "old");
            put(&left, ".git/config", "kept");
            let new = if has_new { "checker".to_owned() } else { temporary_name("checker", NEW_SUFFIX) };
            put(&new, "SKILL.md", "new");
            // Another skill's, which may be underway.
            let other = temporary_name("other", NEW_SUFFIX);
            put(&other, "SKILL.md", "other");
            Output::Folder(&slug, &tree).write(out.path(), Existing::Replace).unwrap();
            let mut names: Vec<_> =
                fs::read_dir(out.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            assert_eq!(names, [other, "checker".to_owned()], "{former} {has_new}");
            let read = |path: &str| fs::read_to_string(out.path().join("checker").join(path)).ok();
            assert_eq!((read("SKILL.md").as_deref(), read(".git/config").as_deref()), (Some("new"), Some("kept")));
            assert_eq!(read("gone.md"), None);
        }
    }

    #[test]
    fn what_another_process_is_writing_is_left_alone() {
        let out = tempfile::tempdir().unwrap();
        let parent = open(out.path()).unwrap();
        let writing = recovered(&parent, "checker").unwrap();
        let underway = out.path().join(temporary_name("checker", NEW_SUFFIX));
        fs::create_dir(&underway).unwrap();
        drop(recovered(&open(out.path()).unwrap(), "checker").unwrap());
        assert!(underway.exists());
        drop(writing);
        drop(recovered(&parent, "checker").unwrap());
        assert!(!underway.exists());
    }
}
