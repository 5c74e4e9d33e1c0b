//! Writing: into a new folder beside the target that is then renamed, so a reader sees the old folder or the new one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use cap_std::fs::{Dir, DirEntry, OpenOptions};
use inklings_core::name::Slug;
use inklings_core::path::SkillPath;
use inklings_core::skill::{Package, skill_md};
use inklings_core::tree::{Entry, Tree};

use super::{DiskError, TEMPORARY, is_skipped, open, read_dir};
use crate::package::Pack;

/// What to do with a folder that is already there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existing {
    /// Leave it: an error, unless it is empty or holds exactly the same.
    #[default]
    Refuse,
    /// Replace its files. What is no part of a skill (`.git`, links, …) stays.
    Replace,
}

/// Writes a package's folder below `out`, named by its slug. `normalise` makes the frontmatter's
/// name the slug; otherwise every text is as it was read.
pub fn export(out: &Path, package: &Package, normalise: bool, existing: Existing) -> Result<PathBuf, DiskError> {
    let tree = if normalise { crate::settle::normalised(package).tree() } else { package.tree() };
    write_dir(out, &package.slug, &tree, existing)
}

/// Writes a folder `out/<slug>`: all of it or nothing.
pub fn write_dir(out: &Path, slug: &Slug, tree: &Tree, existing: Existing) -> Result<PathBuf, DiskError> {
    let target = out.join(slug.as_str());
    std::fs::create_dir_all(out).map_err(DiskError::of("creating", out))?;
    let parent = open(out)?;
    match parent.symlink_metadata(slug.as_str()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(DiskError::of("reading", &target)(error)),
        Ok(metadata) if !metadata.is_dir() => return Err(DiskError::Exists(target)),
        Ok(_) if parent.remove_dir(slug.as_str()).is_ok() => {}
        Ok(_) => {
            let (present, _) = read_dir(&target)?;
            if present == *tree {
                return Ok(target);
            }
            if existing == Existing::Refuse {
                return Err(DiskError::Exists(target));
            }
        }
    }
    let fresh = temporary_name();
    let written = write_tree(&parent, &fresh, tree).and_then(|()| swap(&parent, &fresh, slug.as_str()));
    if let Err(error) = written {
        // Best effort: the first error is the one to tell.
        let _ = parent.remove_dir_all(&fresh);
        return Err(DiskError::of("writing", &target)(error));
    }
    Ok(target)
}

/// Writes a package below `out`, under its own name: all of it or nothing. One whose name has a folder gets that folder for itself.
pub fn write_pack(out: &Path, slug: &Slug, pack: &Pack, existing: Existing) -> Result<PathBuf, DiskError> {
    if pack.name.contains('/') {
        let tree = Tree::from([(skill_md(), Entry::new(pack.bytes.as_slice()))]);
        return write_dir(out, slug, &tree, existing);
    }
    let target = out.join(&pack.name);
    std::fs::create_dir_all(out).map_err(DiskError::of("creating", out))?;
    let parent = open(out)?;
    match parent.symlink_metadata(&pack.name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(DiskError::of("reading", &target)(error)),
        Ok(metadata) if !metadata.is_file() => return Err(DiskError::Exists(target)),
        Ok(metadata) if metadata.len() == pack.bytes.len() as u64 && parent.read(&pack.name).is_ok_and(|bytes| bytes == pack.bytes) => {
            return Ok(target);
        }
        Ok(_) if existing == Existing::Refuse => return Err(DiskError::Exists(target)),
        Ok(_) => {}
    }
    let fresh = temporary_name();
    let written = parent.open_with(&fresh, &write_options(false)).and_then(|mut file| file.write_all(&pack.bytes));
    if let Err(error) = written.and_then(|()| parent.rename(&fresh, &parent, &pack.name)) {
        // Best effort: the first error is the one to tell.
        let _ = parent.remove_file(&fresh);
        return Err(DiskError::of("writing", &target)(error));
    }
    Ok(target)
}

fn temporary_name() -> String {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    format!("{TEMPORARY}{}-{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed))
}

fn write_tree(parent: &Dir, name: &str, tree: &Tree) -> io::Result<()> {
    parent.create_dir(name)?;
    let dir = parent.open_dir(name)?;
    for (path, entry) in tree {
        if let Some((folder, _)) = path.as_str().rsplit_once('/') {
            dir.create_dir_all(folder)?;
        }
        dir.open_with(path.as_str(), &write_options(entry.executable))?.write_all(&entry.bytes)?;
    }
    Ok(())
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
    let old = temporary_name();
    parent.rename(name, parent, &old)?;
    if let Err(error) = parent.rename(fresh, parent, name) {
        parent.rename(&old, parent, name)?;
        return Err(error);
    }
    let kept = parent.open_dir(&old).and_then(|from| carry(&from, &parent.open_dir(name)?, ""));
    match kept {
        Ok(()) => parent.remove_dir_all(&old),
        // The old folder stays: it holds what could not be moved.
        Err(error) => Err(io::Error::new(error.kind(), format!("{error}; the former folder is kept as {old}"))),
    }
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
