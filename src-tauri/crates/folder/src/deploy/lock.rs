//! The record of deployed copies.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use inklings_core::{SkillId, Slug};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::DeployedFiles;
use crate::disk::DiskError;
use crate::skipped::is_part_of_skill;

const VERSION: u32 = 1;

/// What was deployed where. It belongs to the account: a workspace must not claim folders as ours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeployLock {
    version: u32,
    #[serde(default)]
    entries: Vec<DeployEntry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntryState {
    /// Recorded before the copy is written.
    Pending,
    Written,
}

/// A copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeployEntry {
    /// Absolute path of the folder of skills.
    pub target: PathBuf,
    /// Name of the copy's folder.
    pub name: Slug,
    pub skill: SkillId,
    /// Revision of the skill that the files are from.
    pub revision: i64,
    pub state: EntryState,
    /// Empty for a link.
    pub files: DeployedFiles,
    /// Folder that a symbolic link leads to, if that was deployed instead of a copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<PathBuf>,
    /// Whether the copy is written again whenever the skill changes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub watch: bool,
    /// While it is pending: the files that it replaces. Absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<DeployedFiles>,
    /// Revision of the files that it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_revision: Option<i64>,
}

impl DeployEntry {
    /// The copy as it was written last, by what is on disk: a killed process may have recorded a write that it didn't do. `None` if
    /// nothing was written yet, so that what is on disk belongs to somebody else.
    #[must_use]
    pub fn baseline(&self, on_disk: Option<&DeployedFiles>) -> Option<(&DeployedFiles, i64)> {
        if self.link.is_some() {
            return None;
        }
        match self.state {
            EntryState::Pending if on_disk != Some(&self.files) => Some((self.previous.as_ref()?, self.previous_revision?)),
            EntryState::Pending | EntryState::Written => Some((&self.files, self.revision)),
        }
    }
}

impl Default for DeployLock {
    fn default() -> Self {
        Self { version: VERSION, entries: Vec::new() }
    }
}

impl DeployLock {
    /// Reads the file; empty if it doesn't exist.
    pub fn read(path: &Path) -> Result<Self, DiskError> {
        let text = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            text => text.map_err(DiskError::of("reading", path))?,
        };
        let invalid = |why: String| DiskError::of("reading", path)(io::Error::new(io::ErrorKind::InvalidData, why));
        let mut lock: Self = serde_json::from_slice(&text).map_err(|error| invalid(error.to_string()))?;
        // Older versions deployed files that are skipped when the copy is read, so that it would seem edited.
        for files in lock.entries.iter_mut().flat_map(|entry| [Some(&mut entry.files), entry.previous.as_mut()]).flatten() {
            files.retain(|path, _| is_part_of_skill(path));
        }
        if lock.version == VERSION { Ok(lock) } else { Err(invalid(format!("its version {} is unknown", lock.version))) }
    }

    #[must_use]
    pub fn entries(&self) -> &[DeployEntry] {
        &self.entries
    }

    #[must_use]
    pub fn find(&self, target: &Path, name: &Slug) -> Option<&DeployEntry> {
        self.entries.iter().find(|entry| entry.target == target && entry.name == *name)
    }

    /// Whether a folder is a copy that was deployed.
    #[must_use]
    pub fn has_folder(&self, folder: &Path) -> bool {
        self.entries.iter().any(|entry| folder.file_name().is_some_and(|name| name == entry.name.as_str()) && is_in(folder, &entry.target))
    }

    /// Replaces the entry of the same copy.
    fn put(&mut self, entry: DeployEntry) {
        self.forget(&entry.target, &entry.name);
        self.entries.push(entry);
        self.entries.sort_by(|a, b| (&a.target, a.name.as_str()).cmp(&(&b.target, b.name.as_str())));
    }

    fn forget(&mut self, target: &Path, name: &Slug) {
        self.entries.retain(|entry| entry.target != target || entry.name != *name);
    }
}

/// The target may be reached through a link.
fn is_in(folder: &Path, target: &Path) -> bool {
    let Some(parent) = folder.parent() else { return false };
    parent == target || target.canonicalize().is_ok_and(|target| target == parent)
}

/// The record while it is changed; no other process changes it meanwhile.
#[derive(Debug)]
pub struct LockFile {
    path: PathBuf,
    lock: DeployLock,
    /// A file of its own: the record is replaced by renaming.
    _held: File,
}

impl LockFile {
    pub fn open(path: &Path) -> Result<Self, DiskError> {
        let held_path = path.with_extension("lock");
        let held = File::options().create(true).append(true).open(&held_path).map_err(DiskError::of("opening", &held_path))?;
        held.lock().map_err(DiskError::of("locking", &held_path))?;
        Ok(Self { path: path.to_owned(), lock: DeployLock::read(path)?, _held: held })
    }

    #[must_use]
    pub const fn lock(&self) -> &DeployLock {
        &self.lock
    }

    pub fn put(&mut self, entry: DeployEntry) -> Result<(), DiskError> {
        self.change(|lock| lock.put(entry))
    }

    pub fn forget(&mut self, target: &Path, name: &Slug) -> Result<(), DiskError> {
        self.change(|lock| lock.forget(target, name))
    }

    fn change(&mut self, change: impl FnOnce(&mut DeployLock)) -> Result<(), DiskError> {
        let mut lock = self.lock.clone();
        change(&mut lock);
        let failed = |error| DiskError::of("writing", &self.path)(error);
        let text = serde_json::to_vec_pretty(&lock).map_err(|error| failed(error.into()))?;
        let fresh = self.path.with_extension("new");
        let written = File::create(&fresh).and_then(|mut file| {
            file.write_all(&text)?;
            file.sync_all()
        });
        written.and_then(|()| fs::rename(&fresh, &self.path)).map_err(failed)?;
        self.lock = lock;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use inklings_core::{SkillPath, TreeFile};

    use super::super::deployed_files;
    use super::*;

    fn files(text: &str) -> DeployedFiles {
        deployed_files(&[(SkillPath::parse("SKILL.md").unwrap(), TreeFile::new(text.as_bytes()))].into())
    }

    fn entry(state: EntryState, previous: Option<DeployedFiles>) -> DeployEntry {
        let previous_revision = previous.as_ref().map(|_| 1);
        let (target, name) = ("/target".into(), Slug::parse("checker").unwrap());
        DeployEntry {
            target,
            name,
            skill: SkillId::new(uuid::Uuid::nil()),
            revision: 2,
            state,
            files: files("2"),
            link: None,
            watch: false,
            previous,
            previous_revision,
        }
    }

    #[test]
    fn a_killed_write_claims_only_what_was_written() {
        let (one, two, other) = (files("1"), files("2"), files("other"));
        let first = entry(EntryState::Pending, None);
        assert_eq!(first.baseline(Some(&two)), Some((&two, 2)), "written, but not recorded as such");
        assert_eq!(first.baseline(Some(&other)), None);
        assert_eq!(first.baseline(None), None);
        let second = entry(EntryState::Pending, Some(one.clone()));
        assert_eq!(second.baseline(Some(&two)), Some((&two, 2)));
        assert_eq!(second.baseline(Some(&one)), Some((&one, 1)));
        assert_eq!(second.baseline(Some(&other)), Some((&one, 1)), "edited before the kill");
        assert_eq!(entry(EntryState::Written, None).baseline(Some(&other)), Some((&two, 2)));
    }

    #[test]
    fn the_record_survives_and_unknown_versions_are_refused() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("deployed.json");
        assert_eq!(DeployLock::read(&path).unwrap(), DeployLock::default());
        let written = entry(EntryState::Written, None);
        let mut file = LockFile::open(&path).unwrap();
        file.put(entry(EntryState::Pending, None)).unwrap();
        file.put(written.clone()).unwrap();
        drop(file);
        let read = DeployLock::read(&path).unwrap();
        assert_eq!(read.entries(), [written]);
        assert!(read.has_folder(Path::new("/target/checker")) && !read.has_folder(Path::new("/target/other")));
        let mut file = LockFile::open(&path).unwrap();
        file.forget(Path::new("/target"), &Slug::parse("checker").unwrap()).unwrap();
        assert_eq!(DeployLock::read(&path).unwrap(), DeployLock::default());
        drop(file);
        fs::write(&path, r#"{"version": 2}"#).unwrap();
        assert!(LockFile::open(&path).is_err());
    }

    #[test]
    fn files_that_are_never_read_from_a_copy_are_left_out_of_an_older_record() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("deployed.json");
        let mut older = entry(EntryState::Written, None);
        let file = *older.files.values().next().unwrap();
        older.files.insert(SkillPath::parse("node_modules/a.js").unwrap(), file);
        LockFile::open(&path).unwrap().put(older).unwrap();
        assert_eq!(DeployLock::read(&path).unwrap().entries(), [entry(EntryState::Written, None)]);
    }
}
