//! Where else on this machine a skill lives: its copies in the folders of other agents. Reads only.
//!
//! Which skill a folder is says its `SKILL.md`, so each has to be looked into once; what was found is kept, and read again only
//! where those files changed. The folders themselves are listed again after a few seconds.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use inklings_core::{SkillFormat as _, Slug, Tree};
use inklings_folder::{DiskError, Folder, disk};
use inklings_rpc::{Code, Failure};
use inklings_targets::{Agent, AgentDirs, skills, targets};

/// How long the list of a folder is good.
const LIST_TTL: Duration = Duration::from_secs(5);

/// Where agents keep skills, as far as a caller sees them.
#[derive(Clone, Copy)]
pub(crate) struct AgentFolders<'a> {
    pub(crate) format: &'a Folder,
    /// Without it only the workspace's folders are known.
    pub(crate) places: Option<&'a AgentDirs>,
    pub(crate) workspace: Option<&'a Path>,
}

/// Why the files of a copy can't be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CopyError {
    /// The folder isn't a copy of the skill.
    #[error("no copy {0:?} here")]
    NotACopy(String),
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// A copy of a skill.
pub(crate) struct AgentCopy {
    pub(crate) agent: &'static Agent,
    /// Whether it is in the workspace.
    pub(crate) of_workspace: bool,
    /// The agent's folder.
    pub(crate) target: PathBuf,
    /// The copy's own folder.
    pub(crate) path: PathBuf,
}

/// What is known of the agents' folders.
#[derive(Default)]
pub struct AgentCopyCache {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// By agent's folder.
    lists: HashMap<PathBuf, (Instant, Vec<PathBuf>)>,
    /// Which skill a folder is, and of which state of its files that was said.
    names: HashMap<PathBuf, (disk::Stamp, Option<Slug>)>,
}

impl AgentCopyCache {
    /// The copies of a skill, the workspace's first.
    pub(crate) fn copies_of(&self, folders: AgentFolders<'_>, slug: &Slug) -> Vec<AgentCopy> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut copies = Vec::new();
        for target in targets(folders.places, folders.workspace) {
            for path in known.list(&target.path) {
                if known.slug(folders.format, &path).as_ref() == Some(slug) {
                    copies.push(AgentCopy { agent: target.agent, of_workspace: target.of_workspace, target: target.path.clone(), path });
                }
            }
        }
        copies
    }

    /// The files of a copy. Other folders than the skill's copies are refused.
    pub(crate) fn read(&self, folders: AgentFolders<'_>, slug: &Slug, folder: &Path) -> Result<Tree, CopyError> {
        if !self.copies_of(folders, slug).iter().any(|copy| copy.path == folder) {
            return Err(CopyError::NotACopy(folder.display().to_string()));
        }
        Ok(disk::read_dir(folder)?.0)
    }
}

impl From<CopyError> for Failure {
    fn from(error: CopyError) -> Self {
        match error {
            CopyError::NotACopy(_) => Self::new(Code::NotFound, error.to_string()).hint("`skill show` names the copies of a skill"),
            CopyError::Disk(error) => error.into(),
        }
    }
}

impl Known {
    fn list(&mut self, target: &Path) -> Vec<PathBuf> {
        if let Some((at, paths)) = self.lists.get(target)
            && at.elapsed() < LIST_TTL
        {
            return paths.clone();
        }
        let paths = skills(target).map(|found| found.paths).unwrap_or_default();
        self.lists.insert(target.to_owned(), (Instant::now(), paths.clone()));
        paths
    }

    fn slug(&mut self, folder: &Folder, path: &Path) -> Option<Slug> {
        let stamp = disk::stamp(path);
        if let Some((known, name)) = self.names.get(path)
            && *known == stamp
        {
            return name.clone();
        }
        let name = slug_of(folder, path);
        self.names.insert(path.to_owned(), (stamp, name.clone()));
        name
    }
}

/// Which skill a folder is, by the files that say so: an import of it would give the same name.
fn slug_of(folder: &Folder, path: &Path) -> Option<Slug> {
    let mut marks = disk::read_marks(path).ok()?;
    let name = disk::folder_name(path);
    if let Ok(reading) = folder.read(&marks, &name, None) {
        return Some(reading.package.slug);
    }
    // What its skill.json says of the other files can't be checked here.
    marks.retain(|path, _| path.as_str() != inklings_core::path::SKILL_JSON);
    folder.read(&marks, &name, None).ok().map(|reading| reading.package.slug)
}
