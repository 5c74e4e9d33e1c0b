//! Skills that lie on the disk, in whatever form: found first, read one by one.

use std::path::{Path, PathBuf};

use inklings_core::{Diagnostic, Tree};
use inklings_folder::disk;

use crate::error::{Code, Failure};

/// A skill on the disk.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Incoming {
    /// Its folder, or the file that it is.
    pub path: PathBuf,
}

/// What is in it.
#[derive(Debug)]
pub struct Contents {
    /// Its files.
    pub tree: Tree,
    /// What was odd about the files; an error refuses the skill.
    pub diagnostics: Vec<Diagnostic>,
}

impl Incoming {
    /// The skill that a report names so.
    pub fn labelled(label: &str) -> Result<Self, Failure> {
        let (found, _) = find(&[PathBuf::from(label)])?;
        let none = || Failure::new(Code::NotFound, format!("there is no skill at {label}")).hint("look again: it may have been moved");
        found.into_iter().find(|skill| skill.label() == label).ok_or_else(none)
    }

    /// How it is named in reports.
    #[must_use]
    pub fn label(&self) -> String {
        self.path.display().to_string()
    }

    /// Reads those of its files alone that say what it is.
    pub fn read_marks(&self) -> Result<Tree, Failure> {
        Ok(disk::read_marks(&self.path)?)
    }

    /// The name that stands for it when it says none.
    #[must_use]
    pub fn folder(&self) -> String {
        disk::folder_name(&self.path)
    }

    /// Reads it.
    pub fn read(&self) -> Result<Contents, Failure> {
        let (tree, diagnostics) = disk::read_dir(&self.path)?;
        Ok(Contents { tree, diagnostics })
    }
}

/// The skills at or below some paths, each once and in byte order, and what was odd while looking.
pub fn find(paths: &[PathBuf]) -> Result<(Vec<Incoming>, Vec<Diagnostic>), Failure> {
    let (mut all, mut odd) = (Vec::new(), Vec::new());
    for path in paths {
        let (found, mut findings) = discover(path)?;
        all.extend(found);
        odd.append(&mut findings);
    }
    all.sort();
    all.dedup();
    Ok((all, odd))
}

fn discover(path: &Path) -> Result<(Vec<Incoming>, Vec<Diagnostic>), Failure> {
    let (folders, findings) = disk::discover(path)?;
    Ok((folders.into_iter().map(|path| Incoming { path }).collect(), findings))
}
