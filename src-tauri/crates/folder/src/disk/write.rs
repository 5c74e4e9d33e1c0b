//! Writing: into a new folder beside the target that is then renamed, so a reader sees the old folder or the new one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, DirEntry, OpenOptions};
use inklings_core::name::Slug;
use inklings_core::path::SkillPath;
use inklings_core::tree::Tree;

use super::{DiskError, MARKS, TEMPORARY, is_skipped, open, read_dir};

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
        if self.stands_in(&parent, out, existing)? {
            return Ok(target);
        }
        let fresh = temporary_name();
        // What takes the place of something must be on the disk before that goes.
        let replaces = parent.symlink_metadata(self.name()).is_ok();
        let written = match self {
            Self::Folder(slug, tree) => write_tree(&parent, &fresh, tree, replaces).and_then(|()| swap(&parent, &fresh, slug.as_str())),
            Self::File(name, bytes) => {
                write_file(&parent, &fresh, &write_options(false), bytes, replaces).and_then(|()| parent.rename(&fresh, &parent, name))
            }
        };
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
    MARKS.iter().any(|mark| parent.symlink_metadata(Path::new(name).join(mark)).is_ok_and(|metadata| metadata.is_file()))
}

/// A name that nothing has, not even what a killed process with the same number left.
fn temporary_name() -> String {
    format!("{TEMPORARY}{}", uuid::Uuid::new_v4().simple())
}

fn write_tree(parent: &Dir, name: &str, tree: &Tree, sync: bool) -> io::Result<()> {
    parent.create_dir(name)?;
    let dir = parent.open_dir(name)?;
    for (path, entry) in tree {
        if let Some((folder, _)) = path.as_str().rsplit_once('/') {
            dir.create_dir_all(folder)?;
        }
        write_file(&dir, path.as_str(), &write_options(entry.executable), &entry.bytes, sync)?;
    }
    if sync { sync_folder(&dir) } else { Ok(()) }
}

fn sync_folder(dir: &Dir) -> io::Result<()> {
    use rustix::fs::{Mode, OFlags};
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
    let kept = parent.open_dir(&old).and_then(|from| carry(&from, &parent.open_dir(name)?, ""));
    match kept {
        Ok(()) => parent.remove_dir_all(&old),
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
    let old = temporary_name();
    parent.rename(name, parent, &old)?;
    if let Err(error) = parent.rename(fresh, parent, name) {
        parent.rename(&old, parent, name)?;
        return Err(error);
    }
    Ok(old)
}

fn carry(from: &Dir, to: &Dir, prefix: &str) -> io::Result<()> {
    // All entries first: moving some while listing could hide others.
    let entries: Vec<DirEntry> = from.read_dir(if prefix.is_empty() { "." } else { prefix })?.collect::<io::Result<_>>()?;
    for entry in entries {
        let name = entry.file_name();
        let kind = entry.file_type()?;
        let relative = name.to_str().map(|name| format!("{prefix}{name}"));
        let part_of_skill = !is_skipped(&name) && kind.is_file();
        let readable = relative.as_deref().is_some_and(|relative| SkillPath::parse(relative).is_ok());
        match relative {
            Some(relative) if kind.is_dir() && !is_skipped(&name) => carry(from, to, &format!("{relative}/"))?,
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
