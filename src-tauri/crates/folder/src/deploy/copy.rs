//! One copy of a skill in a target folder.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use inklings_core::{Diagnostic, Failpoint, Slug, Tree};

use super::{DeployedFiles, deployed_files};
use crate::disk::write::{NEW_SUFFIX, OLD_SUFFIX, exchange, move_unmanaged, recovered, rename_if_absent, temporary_name, write_tree};
use crate::disk::{self, DiskError};

/// The place of a copy.
#[derive(Debug, Clone, Copy)]
pub struct Deployment<'a> {
    /// Folder of skills.
    pub target: &'a Path,
    pub name: &'a Slug,
}

/// What is at the place of a copy.
#[derive(Debug, PartialEq)]
pub enum Present {
    Nothing,
    /// A folder. Its tree is incomplete if it has files that no skill can have.
    Folder {
        tree: Tree,
        is_complete: bool,
    },
    /// A symbolic link, which isn't followed.
    Link(PathBuf),
    Other,
}

impl Present {
    /// The files of a folder that were read as a whole.
    #[must_use]
    pub fn files(&self) -> Option<DeployedFiles> {
        match self {
            Self::Folder { tree, is_complete: true } => Some(deployed_files(tree)),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// It was removed except for files that nobody deployed, such as caches.
    OthersLeft,
    /// The place isn't as expected. Nothing was changed.
    Changed,
}

impl Deployment<'_> {
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.target.join(self.name.as_str())
    }

    pub fn present(&self) -> Result<Present, DiskError> {
        match disk::open(self.target) {
            Ok(parent) => self.inspect(&parent, self.name.as_str()),
            Err(DiskError::NotFound(_)) => Ok(Present::Nothing),
            Err(error) => Err(error),
        }
    }

    fn inspect(&self, parent: &Dir, name: &str) -> Result<Present, DiskError> {
        let path = self.target.join(name);
        match parent.symlink_metadata(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Present::Nothing),
            Err(error) => return Err(DiskError::of("reading", &path)(error)),
            Ok(metadata) if metadata.is_symlink() => {
                return Ok(Present::Link(parent.read_link_contents(name).map_err(DiskError::of("reading", &path))?));
            }
            Ok(metadata) if !metadata.is_dir() => return Ok(Present::Other),
            Ok(_) => {}
        }
        let dir = parent.open_dir(name).map_err(DiskError::of("opening", &path))?;
        let (tree, findings) = disk::read_open(&dir, &path)?;
        Ok(Present::Folder { tree, is_complete: !findings.iter().any(Diagnostic::is_error) })
    }

    /// Writes a copy as a whole. `expected` is what it replaces; `None` if nothing is there. The target folder must exist.
    pub fn write(&self, tree: &Tree, expected: Option<&DeployedFiles>) -> Result<Outcome, DiskError> {
        let (path, name) = (self.path(), self.name.as_str());
        let failed = |error| DiskError::of("writing", &path)(error);
        let parent = disk::open(self.target)?;
        let _writing = recovered(&parent, name).map_err(failed)?;
        let present = self.inspect(&parent, name)?;
        if !is_expected(&present, expected) {
            return Ok(Outcome::Changed);
        }
        let fresh = temporary_name(name, NEW_SUFFIX);
        let cleared = |error| {
            // Best effort: the first error is reported.
            let _ = parent.remove_dir_all(&fresh);
            failed(error)
        };
        write_tree(&parent, &fresh, tree, true).map_err(cleared)?;
        Failpoint::ExportWritten.reach();
        if expected.is_none() {
            return match rename_if_absent(&parent, &fresh, name) {
                Ok(()) => Ok(Outcome::Done),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    parent.remove_dir_all(&fresh).map_err(failed)?;
                    Ok(Outcome::Changed)
                }
                Err(error) => Err(cleared(error)),
            };
        }
        self.replace(&parent, &fresh, expected)
    }

    /// Puts the folder `fresh` in place of the copy. Unmanaged files move over.
    fn replace(&self, parent: &Dir, fresh: &str, expected: Option<&DeployedFiles>) -> Result<Outcome, DiskError> {
        let (path, name) = (self.path(), self.name.as_str());
        let failed = |error| DiskError::of("replacing", &path)(error);
        let old = exchange(parent, fresh, name).map_err(|error| {
            // Best effort: the first error is reported.
            let _ = parent.remove_dir_all(fresh);
            failed(error)
        })?;
        // Another program may have edited the copy until the exchange.
        if !is_expected(&self.inspect(parent, &old)?, expected) {
            let unused = exchange(parent, &old, name).map_err(failed)?;
            parent.remove_dir_all(unused).map_err(failed)?;
            return Ok(Outcome::Changed);
        }
        Failpoint::ExportExchanged.reach();
        let moved = parent.open_dir(&old).and_then(|from| move_unmanaged(&from, &parent.open_dir(name)?, ""));
        moved.and_then(|()| parent.remove_dir_all(&old)).map_err(failed)?;
        Ok(Outcome::Done)
    }

    /// Puts a symbolic link to a folder where nothing is yet. The target folder must exist.
    pub fn link(&self, folder: &Path) -> Result<Outcome, DiskError> {
        match disk::open(self.target)?.symlink_contents(folder, self.name.as_str()) {
            Ok(()) => Ok(Outcome::Done),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(Outcome::Changed),
            Err(error) => Err(DiskError::of("linking", &self.path())(error)),
        }
    }

    /// Removes a symbolic link to a folder.
    pub fn unlink(&self, folder: &Path) -> Result<Outcome, DiskError> {
        let (path, name) = (self.path(), self.name.as_str());
        let failed = |error| DiskError::of("removing", &path)(error);
        let parent = disk::open(self.target)?;
        let is_expected = |present: Present| matches!(present, Present::Link(to) if to == folder);
        if !is_expected(self.inspect(&parent, name)?) {
            return Ok(Outcome::Changed);
        }
        let old = temporary_name(name, OLD_SUFFIX);
        rename_if_absent(&parent, name, &old).map_err(failed)?;
        if !is_expected(self.inspect(&parent, &old)?) {
            rename_if_absent(&parent, &old, name).map_err(failed)?;
            return Ok(Outcome::Changed);
        }
        parent.remove_file(&old).map_err(failed)?;
        Ok(Outcome::Done)
    }

    /// Removes a copy that has exactly these files, or none. Other files that agents left in it, such as caches, stay. A killed process
    /// leaves the copy as it was, or an empty folder.
    pub fn remove(&self, expected: &DeployedFiles) -> Result<Outcome, DiskError> {
        let (path, name) = (self.path(), self.name.as_str());
        let failed = |error| DiskError::of("removing", &path)(error);
        let parent = disk::open(self.target)?;
        let _writing = recovered(&parent, name).map_err(failed)?;
        let present = self.inspect(&parent, name)?;
        if present == Present::Nothing {
            return Ok(Outcome::Done);
        }
        if !present.files().is_some_and(|files| files.is_empty()) {
            if !is_expected(&present, Some(expected)) {
                return Ok(Outcome::Changed);
            }
            let empty = temporary_name(name, NEW_SUFFIX);
            parent.create_dir(&empty).map_err(failed)?;
            if self.replace(&parent, &empty, Some(expected))? == Outcome::Changed {
                return Ok(Outcome::Changed);
            }
        }
        Failpoint::DeployEmptied.reach();
        match parent.remove_dir(name) {
            Ok(()) => Ok(Outcome::Done),
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(Outcome::OthersLeft),
            Err(error) => Err(failed(error)),
        }
    }
}

fn is_expected(present: &Present, expected: Option<&DeployedFiles>) -> bool {
    match expected {
        None => *present == Present::Nothing,
        Some(expected) => present.files().as_ref() == Some(expected),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use inklings_core::{SkillPath, TreeFile};

    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        files.iter().map(|(path, text)| (SkillPath::parse(path).unwrap(), TreeFile::new(text.as_bytes()))).collect()
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_copy_is_replaced_only_while_it_is_as_expected() {
        let top = tempfile::tempdir().unwrap();
        let name = Slug::parse("checker").unwrap();
        let copy = Deployment { target: top.path(), name: &name };
        let (first, second) = (tree(&[("SKILL.md", "1"), ("a/b.md", "1")]), tree(&[("SKILL.md", "2")]));
        assert_eq!(copy.write(&first, None).unwrap(), Outcome::Done);
        assert_eq!(copy.write(&second, None).unwrap(), Outcome::Changed, "it exists");
        fs::create_dir(copy.path().join(".git")).unwrap();
        fs::write(copy.path().join(".git/config"), "kept").unwrap();
        fs::write(copy.path().join("a/b.md"), "edited").unwrap();
        assert_eq!(copy.write(&second, Some(&deployed_files(&first))).unwrap(), Outcome::Changed);
        assert_eq!(copy.remove(&deployed_files(&first)).unwrap(), Outcome::Changed);
        assert_eq!(fs::read_to_string(copy.path().join("a/b.md")).unwrap(), "edited");
        let edited = copy.present().unwrap().files().unwrap();
        assert_eq!(copy.write(&second, Some(&edited)).unwrap(), Outcome::Done);
        assert_eq!(names(&copy.path()), [".git", "SKILL.md"]);
        assert_eq!(names(top.path()), ["checker"], "nothing is left beside it");
    }

    #[test]
    fn only_deployed_files_are_removed() {
        let top = tempfile::tempdir().unwrap();
        let name = Slug::parse("checker").unwrap();
        let copy = Deployment { target: top.path(), name: &name };
        let files = tree(&[("SKILL.md", "1"), ("a/b/c.md", "1"), ("a/d.md", "1")]);
        copy.write(&files, None).unwrap();
        fs::create_dir(copy.path().join("a/__pycache__")).unwrap();
        assert_eq!(copy.remove(&deployed_files(&files)).unwrap(), Outcome::OthersLeft);
        assert_eq!(names(&copy.path().join("a")), ["__pycache__"]);
        fs::remove_dir_all(copy.path()).unwrap();
        copy.write(&files, None).unwrap();
        assert_eq!(copy.remove(&deployed_files(&files)).unwrap(), Outcome::Done);
        assert_eq!(names(top.path()), [""; 0]);
    }

    #[test]
    fn folders_and_links_of_others_are_never_replaced() {
        let top = tempfile::tempdir().unwrap();
        let name = Slug::parse("checker").unwrap();
        let copy = Deployment { target: top.path(), name: &name };
        fs::create_dir(copy.path()).unwrap();
        let files = tree(&[("SKILL.md", "1")]);
        assert_eq!(copy.write(&files, None).unwrap(), Outcome::Changed, "an empty folder isn't ours");
        assert_eq!(names(&copy.path()), [""; 0]);
        fs::remove_dir(copy.path()).unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("SKILL.md"), "1").unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), copy.path()).unwrap();
        assert_eq!(copy.present().unwrap(), Present::Link(elsewhere.path().to_owned()));
        assert_eq!(copy.write(&files, Some(&deployed_files(&files))).unwrap(), Outcome::Changed);
        assert_eq!(copy.remove(&deployed_files(&files)).unwrap(), Outcome::Changed);
        assert_eq!(copy.link(top.path()).unwrap(), Outcome::Changed);
        assert_eq!(copy.unlink(top.path()).unwrap(), Outcome::Changed, "it leads elsewhere");
        assert_eq!(names(elsewhere.path()), ["SKILL.md"]);
        assert_eq!(copy.unlink(elsewhere.path()).unwrap(), Outcome::Done);
        assert_eq!(copy.link(elsewhere.path()).unwrap(), Outcome::Done);
        assert_eq!(copy.present().unwrap(), Present::Link(elsewhere.path().to_owned()));
        assert_eq!((names(top.path()), names(elsewhere.path())), (vec!["checker".to_owned()], vec!["SKILL.md".to_owned()]));
    }

    #[test]
    fn files_that_are_never_part_of_a_skill_are_not_deployed() {
        let top = tempfile::tempdir().unwrap();
        let name = Slug::parse("checker").unwrap();
        let copy = Deployment { target: top.path(), name: &name };
        let files = tree(&[("SKILL.md", "1"), ("node_modules/a.js", "1"), (".git/config", "1")]);
        copy.write(&files, None).unwrap();
        assert_eq!(names(&copy.path()), ["SKILL.md"]);
        assert_eq!(copy.present().unwrap().files(), Some(deployed_files(&files)), "it isn't edited");
        assert_eq!(copy.remove(&deployed_files(&files)).unwrap(), Outcome::Done);
    }
}
