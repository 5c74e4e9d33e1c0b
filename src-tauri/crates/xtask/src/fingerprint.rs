//! Hashes sets of files. Stamps store the hash, so that a step is skipped if its inputs are unchanged.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// Folders of generated files, which no check reads. `target` isn't one of them, since a feature has that name.
pub(crate) const GENERATED: [&str; 8] =
    ["node_modules", "dist", "coverage", ".vite", ".svelte-check", "__pycache__", ".pytest_cache", ".ruff_cache"];

/// Hash of all files below `top` (or of `top` itself), by relative path and content. Folders named in `skip` are
/// ignored at any depth. A missing `top` doesn't change the hash.
pub(crate) fn of(tops: &[PathBuf], skip: &[&str]) -> Result<String> {
    let mut hasher = Sha256::new();
    for top in tops {
        let mut files = Vec::new();
        collect(top, skip, &mut files).with_context(|| format!("cannot list {}", top.display()))?;
        files.sort();
        for file in files {
            let body = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let name = file.strip_prefix(top).unwrap_or(&file);
            hasher.update(name.as_os_str().as_encoded_bytes());
            hasher.update([0]);
            hasher.update((body.len() as u64).to_le_bytes());
            hasher.update(&body);
        }
        hasher.update([1]);
    }
    Ok(format!("{:x}", hasher.finalize()))
}

fn collect(at: &Path, skip: &[&str], files: &mut Vec<PathBuf>) -> io::Result<()> {
    let kind = match fs::symlink_metadata(at) {
        Ok(found) => found.file_type(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if kind.is_file() {
        files.push(at.to_owned());
    } else if kind.is_dir() {
        for entry in fs::read_dir(at)? {
            let entry = entry?;
            if !skip.iter().any(|name| entry.file_name() == *name) {
                collect(&entry.path(), skip, files)?;
            }
        }
    }
    Ok(())
}

/// A file with the hash of the inputs of a completed step.
pub(crate) struct Stamp {
    file: PathBuf,
    hash: String,
}

impl Stamp {
    pub(crate) fn new(file: PathBuf, hash: String) -> Self {
        Self { file, hash }
    }

    /// Whether the step was completed with exactly these inputs.
    pub(crate) fn is_current(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|held| held.trim() == self.hash)
    }

    /// To be called before the step starts, so that an interrupted step is repeated.
    pub(crate) fn clear(&self) {
        // A missing stamp counts as removed.
        let _ = fs::remove_file(&self.file);
    }

    pub(crate) fn set(&self) -> Result<()> {
        if let Some(folder) = self.file.parent() {
            // npm creates no folder for a project without packages.
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        fs::write(&self.file, &self.hash).with_context(|| format!("cannot write {}", self.file.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, body) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, body).unwrap();
        }
        folder
    }

    fn hash(folder: &tempfile::TempDir) -> String {
        of(&[folder.path().to_owned()], &["node_modules"]).unwrap()
    }

    #[test]
    fn equal_trees_in_different_places_hash_alike() {
        let files = [("a.ts", "1"), ("src/b.ts", "2")];
        assert_eq!(hash(&tree(&files)), hash(&tree(&files)));
    }

    #[test]
    fn content_and_name_both_count_and_skipped_folders_do_not() {
        let plain = hash(&tree(&[("a.ts", "1")]));
        assert_ne!(plain, hash(&tree(&[("a.ts", "2")])));
        assert_ne!(plain, hash(&tree(&[("b.ts", "1")])));
        assert_ne!(hash(&tree(&[("a", "bc"), ("d", "")])), hash(&tree(&[("a", "b"), ("d", "c")])));
        assert_eq!(plain, hash(&tree(&[("a.ts", "1"), ("node_modules/x.js", "3")])));
    }

    #[test]
    fn a_missing_input_hashes_and_differs_from_an_empty_file() {
        let folder = tree(&[("here", "")]);
        let missing = of(&[folder.path().join("gone")], &[]).unwrap();
        assert_ne!(missing, of(&[folder.path().join("here")], &[]).unwrap());
    }

    #[test]
    fn a_stamp_is_current_only_for_the_hash_it_was_set_with() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("stamp");
        let one = Stamp::new(file.clone(), "one".into());
        assert!(!one.is_current());
        one.set().unwrap();
        assert!(one.is_current());
        assert!(!Stamp::new(file, "two".into()).is_current());
        one.clear();
        assert!(!one.is_current());
    }
}
