//! Installs build results atomically, also while the old ones are in use.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process;

use anyhow::{Context, Result};

/// An empty folder. Leftovers of interrupted runs are removed.
pub(crate) fn empty_folder(folder: PathBuf) -> Result<PathBuf> {
    ignore_missing(fs::remove_dir_all(&folder)).with_context(|| format!("cannot remove {}", folder.display()))?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// Replaces `to` by the file `from`: hard-linked if both are on the same file system, else copied.
pub(crate) fn file(from: &Path, to: &Path) -> Result<()> {
    let say = || format!("cannot put {} in place", to.display());
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).with_context(say)?;
    }
    let new = beside(to, "new");
    ignore_missing(fs::remove_file(&new)).with_context(say)?;
    link(from, &new).with_context(say)?;
    fs::rename(&new, to).with_context(say)?;
    // Renaming a hard link onto another one of the same file does nothing.
    ignore_missing(fs::remove_file(&new)).with_context(say)
}

/// Replaces `to` by the folder `from`, hard-linking its files if possible. The old folder exists until the new one is
/// complete, and open files stay valid.
pub(crate) fn folder(from: &Path, to: &Path) -> Result<()> {
    let say = || format!("cannot put {} in place", to.display());
    let (new, old) = (empty_folder(beside(to, "new"))?, beside(to, "old"));
    tree(from, &new).with_context(say)?;
    ignore_missing(fs::remove_dir_all(&old)).with_context(say)?;
    ignore_missing(fs::rename(to, &old)).with_context(say)?;
    fs::rename(&new, to).with_context(say)?;
    ignore_missing(fs::remove_dir_all(&old)).with_context(say)
}

/// The number of files and links in a folder.
pub(crate) fn count(folder: &Path) -> io::Result<usize> {
    let mut found = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        found += if entry.file_type()?.is_dir() { count(&entry.path())? } else { 1 };
    }
    Ok(found)
}

fn beside(path: &Path, what: &str) -> PathBuf {
    path.with_extension(format!("{what}{}", process::id()))
}

fn ignore_missing(outcome: io::Result<()>) -> io::Result<()> {
    match outcome {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn link(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop))
}

fn tree(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            fs::create_dir_all(&target)?;
            tree(&entry.path(), &target)?;
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(entry.path())?, &target)?;
        } else {
            link(&entry.path(), &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_under_who_has_it_open() {
        use std::io::Read;
        let folder = tempfile::tempdir().unwrap();
        let (one, two, to) = (folder.path().join("one"), folder.path().join("two"), folder.path().join("target/python.cwasm"));
        fs::write(&one, "one").unwrap();
        fs::write(&two, "two").unwrap();
        file(&one, &to).unwrap();
        let mut held = fs::File::open(&to).unwrap();
        file(&two, &to).unwrap();
        file(&two, &to).unwrap();
        let mut text = String::new();
        held.read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), fs::read_to_string(&to).unwrap().as_str()), ("one", "two"));
        assert_eq!(fs::read_to_string(&one).unwrap(), "one");
        assert_eq!(fs::read_dir(folder.path().join("target")).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_is_replaced_as_a_whole() {
        let top = tempfile::tempdir().unwrap();
        let (one, two, to) = (top.path().join("one"), top.path().join("two"), top.path().join("to"));
        fs::create_dir_all(one.join("deep")).unwrap();
        fs::write(one.join("deep/a"), "a").unwrap();
        std::os::unix::fs::symlink("deep/a", one.join("link")).unwrap();
        fs::create_dir_all(&two).unwrap();
        fs::write(two.join("b"), "b").unwrap();
        folder(&one, &to).unwrap();
        assert_eq!((fs::read_to_string(to.join("link")).unwrap().as_str(), count(&to).unwrap()), ("a", 2));
        assert!(fs::symlink_metadata(to.join("link")).unwrap().is_symlink());
        folder(&two, &to).unwrap();
        assert_eq!((fs::read_to_string(to.join("b")).unwrap().as_str(), count(&to).unwrap()), ("b", 1));
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 3);
    }
}
