//! Writing: into a new folder beside the target that is then renamed, so that a reader sees the old folder or the new one.
//!
//! Afterwards files that aren't part of the skill (`.git`) are moved over. The next export finishes what a killed process left beside the
//! target; a lock on the parent folder tells whether another process is still writing.

use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, DirEntry, OpenOptions};
use inklings_core::name::Slug;
use inklings_core::path::SkillPath;
use inklings_core::tree::Tree;
use inklings_core::{Digest, Failpoint};
use rustix::fs::{FlockOperation, Mode, OFlags, flock};

use super::{DiskError, MARKER_FILES, open, read_dir};
use crate::skipped::{TEMPORARY_PREFIX, is_skipped, skill_files};

/// What to do if the target exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existing {
    /// Fail, unless the target is an empty folder or identical.
    #[default]
    Refuse,
    /// Replace the file, or the files of a skill folder. Unmanaged files (`.git`, links) stay.
    Replace,
}

/// Something to write below a folder, under its own name.
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

    #[must_use]
    pub fn path(&self, out: &Path) -> PathBuf {
        out.join(self.name())
    }

    /// Fails if the target below `out` exists and differs. True if it exists and is identical.
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
                if !is_empty && !is_a_skill(parent, self.name()) {
                    return Err(DiskError::ForeignFolder(target));
                }
                (!is_empty && read_dir(&target)?.0.iter().eq(skill_files(tree)), is_empty || existing == Existing::Replace)
            }
            Self::File(name, bytes) if metadata.is_file() => {
                let same = metadata.len() == bytes.len() as u64 && parent.read(name).is_ok_and(|present| present == *bytes);
                (same, existing == Existing::Replace)
            }
            _ => {
                let found = match metadata.file_type() {
                    kind if kind.is_symlink() => "a symbolic link",
                    kind if kind.is_dir() => "a folder",
                    _ => "a file",
                };
                return Err(DiskError::Occupied { path: target, found });
            }
        };
        if same || replaceable { Ok(same) } else { Err(DiskError::Exists(target)) }
    }

    /// Writes below `out`, all or nothing. An identical target isn't touched.
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
        // The new content must be synced before the old one is removed.
        let present = parent.symlink_metadata(self.name()).ok();
        let replaces = present.is_some();
        let written = match self {
            Self::Folder(_, tree) => write_tree(&parent, &fresh, tree, replaces),
            Self::File(_, bytes) => write_file(&parent, &fresh, &write_options(false), bytes, replaces)
                // Who may read and write the file stays the same.
                .and_then(|()| present.map_or(Ok(()), |file| parent.set_permissions(&fresh, file.permissions()))),
        };
        let written = written.and_then(|()| {
            Failpoint::ExportWritten.reach();
            self.put(&parent, &fresh, existing)
        });
        if let Err(error) = written {
            // Best effort: the first error is reported.
            let _ = match self {
                Self::Folder(..) => parent.remove_dir_all(&fresh),
                Self::File(..) => parent.remove_file(&fresh),
            };
            return Err(match self {
                Self::File(..) if error.kind() == io::ErrorKind::AlreadyExists => DiskError::Exists(target),
                _ => DiskError::of("writing", &target)(error),
            });
        }
        Ok(target)
    }

    /// Renames what was written as `fresh` to the name of the target, which another program may have taken meanwhile.
    fn put(&self, parent: &Dir, fresh: &str, existing: Existing) -> io::Result<()> {
        match self {
            Self::Folder(slug, _) => swap(parent, fresh, slug.as_str()),
            Self::File(name, _) if existing == Existing::Refuse => rename_if_absent(parent, fresh, name),
            Self::File(name, _) => parent.rename(fresh, parent, name),
        }
    }
}

fn is_a_skill(parent: &Dir, name: &str) -> bool {
    MARKER_FILES.iter().any(|file| parent.symlink_metadata(Path::new(name).join(file)).is_ok_and(|metadata| metadata.is_file()))
}

/// Suffix of a new folder before it replaces another, or of the old one after an exchange in one step.
pub(crate) const NEW_SUFFIX: &str = "new";
/// Suffix of the old folder.
pub(crate) const OLD_SUFFIX: &str = "old";

/// An unused name, also by leftovers of killed processes. The name is hashed, since it may be too long to be part of another.
pub(crate) fn temporary_name(name: &str, what: &str) -> String {
    format!("{}{what}-{}", temporary_prefix(name), uuid::Uuid::new_v4().simple())
}

fn temporary_prefix(name: &str) -> String {
    let digest = Digest::of(name.as_bytes()).to_string();
    format!("{TEMPORARY_PREFIX}{}-", digest.get(..16).unwrap_or(&digest))
}

/// Finishes interrupted writes of the folder `name`: unmanaged files move to the current folder, and
/// the rest is removed. While the result is held, other processes don't clean up here.
pub(crate) fn recovered(parent: &Dir, name: &str) -> io::Result<Option<OwnedFd>> {
    let folder = rustix::fs::openat(parent, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    // The exclusive lock means that nobody is writing. On file systems without locks, leftovers stay.
    if flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok() {
        let prefix = temporary_prefix(name);
        let names = parent.entries()?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let mut leftover = names.collect::<io::Result<Vec<_>>>()?;
        leftover.retain(|leftover| leftover.starts_with(&prefix));
        // The old folder first: without it there may be no folder to move files into.
        leftover.sort_by_key(|leftover| !leftover.starts_with(&format!("{prefix}{OLD_SUFFIX}")));
        for leftover in leftover {
            let is_link = parent.symlink_metadata(&leftover).is_ok_and(|leftover| leftover.is_symlink());
            let finished = match parent.symlink_metadata(name) {
                _ if is_link => parent.remove_file(&leftover),
                Ok(present) if !present.is_dir() => Ok(()),
                Ok(_) => parent
                    .open_dir(&leftover)
                    .and_then(|from| move_unmanaged(&from, &parent.open_dir(name)?, ""))
                    .and_then(|()| parent.remove_dir_all(&leftover)),
                Err(_) if leftover.starts_with(&format!("{prefix}{OLD_SUFFIX}")) => parent.rename(&leftover, parent, name),
                Err(_) => parent.remove_dir_all(&leftover),
            };
            // Retried with the next export.
            drop(finished);
        }
    }
    Ok(flock(&folder, FlockOperation::NonBlockingLockShared).is_ok().then_some(folder))
}

pub(crate) fn write_tree(parent: &Dir, name: &str, tree: &Tree, sync: bool) -> io::Result<()> {
    parent.create_dir(name)?;
    let dir = parent.open_dir(name)?;
    for (path, entry) in skill_files(tree) {
        if let Some((folder, _)) = path.as_str().rsplit_once('/') {
            dir.create_dir_all(folder)?;
        }
        write_file(&dir, path.as_str(), &write_options(entry.executable), &entry.bytes, sync)?;
        Failpoint::ExportFile.reach();
    }
    if sync { sync_folder(&dir) } else { Ok(()) }
}

fn sync_folder(dir: &Dir) -> io::Result<()> {
    // A `Dir` is an O_PATH handle, which can't be synced.
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

/// Replaces the folder `name` by `fresh`. Unmanaged files move over from the old one.
fn swap(parent: &Dir, fresh: &str, name: &str) -> io::Result<()> {
    if parent.symlink_metadata(name).is_err() {
        return parent.rename(fresh, parent, name);
    }
    let old = exchange(parent, fresh, name)?;
    Failpoint::ExportExchanged.reach();
    let moved = parent.open_dir(&old).and_then(|from| move_unmanaged(&from, &parent.open_dir(name)?, ""));
    match moved {
        Ok(()) => {
            Failpoint::ExportMoved.reach();
            parent.remove_dir_all(&old)
        }
        // The old folder stays with the files that couldn't be moved.
        Err(error) => Err(io::Error::new(error.kind(), format!("{error}; the previous folder was moved to {old}"))),
    }
}

/// Replaces `name` by `fresh` and returns the name of the old folder. Atomic, so that there is a complete folder at every moment;
/// in two steps if the file system doesn't support that.
pub(crate) fn exchange(parent: &Dir, fresh: &str, name: &str) -> io::Result<String> {
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

/// Unlike a plain rename, doesn't replace a file or an empty folder.
pub(crate) fn rename_if_absent(parent: &Dir, from: &str, to: &str) -> io::Result<()> {
    use rustix::io::Errno;
    match rustix::fs::renameat_with(parent, from, parent, to, rustix::fs::RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            if parent.symlink_metadata(to).is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            parent.rename(from, parent, to)
        }
        result => Ok(result?),
    }
}

pub(crate) fn move_unmanaged(from: &Dir, to: &Dir, prefix: &str) -> io::Result<()> {
    // Lists all entries first: moving while listing could skip some.
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
            let leftover = temporary_name("checker", former);
            put(&leftover, "SKILL.md", "old");
            put(&leftover, "gone.md", "old");
            put(&leftover, ".git/config", "kept");
            let new = if has_new { "checker".to_owned() } else { temporary_name("checker", NEW_SUFFIX) };
            put(&new, "SKILL.md", "new");
            // Belongs to another skill, which may be in progress.
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
    fn a_file_that_appears_meanwhile_is_replaced_only_on_request() {
        let out = tempfile::tempdir().unwrap();
        let parent = open(out.path()).unwrap();
        let output = Output::File("notes.md", b"ours");
        fs::write(out.path().join("fresh"), "ours").unwrap();
        fs::write(out.path().join("notes.md"), "theirs").unwrap();
        let refused = output.put(&parent, "fresh", Existing::Refuse).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(out.path().join("notes.md")).unwrap(), "theirs");
        output.put(&parent, "fresh", Existing::Replace).unwrap();
        assert_eq!(fs::read_to_string(out.path().join("notes.md")).unwrap(), "ours");
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
