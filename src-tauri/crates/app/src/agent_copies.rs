//! Copies of a skill in the folders of other agents. Reads only.
//!
//! Which skill a folder holds is stated in its `SKILL.md`, so each has to be read once. The slugs are cached until those files change;
//! the lists of folders expire after a few seconds.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use inklings_core::{SkillFormat as _, Slug, Tree};
use inklings_folder::{DiskError, Folder, disk};
use inklings_rpc::{Code, Failure, NextStep};
use inklings_targets::{Agent, AgentDirs, skills, targets};

const LIST_TTL: Duration = Duration::from_secs(5);

/// Where agents keep skills, as far as a caller sees them.
#[derive(Clone, Copy)]
pub(crate) struct AgentFolders<'a> {
    pub(crate) format: &'a Folder,
    /// None hides the folders outside of the workspace.
    pub(crate) dirs: Option<&'a AgentDirs>,
    pub(crate) workspace: Option<&'a Path>,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum CopyError {
    #[error("{0} isn't a copy of this skill")]
    NotACopy(String),
    #[error(transparent)]
    Disk(#[from] DiskError),
}

pub(crate) struct AgentCopy {
    pub(crate) agent: &'static Agent,
    /// Whether it is in the workspace.
    pub(crate) of_workspace: bool,
    /// The agent's folder.
    pub(crate) target: PathBuf,
    /// The copy's own folder.
    pub(crate) path: PathBuf,
}

#[derive(Default)]
pub struct AgentCopyCache {
    folders: Mutex<CachedFolders>,
}

#[derive(Default)]
struct CachedFolders {
    /// By agent's folder: when it was listed, and its skills' folders.
    lists: HashMap<PathBuf, (Instant, Vec<PathBuf>)>,
    /// By skill's folder: the state of its files, and the slug that they state.
    slugs: HashMap<PathBuf, (disk::FolderStamp, Option<Slug>)>,
}

impl AgentCopyCache {
    /// The copies of a skill, the workspace's first.
    pub(crate) fn copies_of(&self, folders: AgentFolders<'_>, slug: &Slug) -> Vec<AgentCopy> {
        let mut cache = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let mut copies = Vec::new();
        for target in targets(folders.dirs, folders.workspace) {
            for path in cache.list(&target.path) {
                if cache.slug(folders.format, &path).as_ref() == Some(slug) {
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
            CopyError::NotACopy(_) => Self::new(Code::NotFound, error.to_string()).next_step(NextStep::FindCopy),
            CopyError::Disk(error) => error.into(),
        }
    }
}

impl CachedFolders {
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
        if let Some((known, slug)) = self.slugs.get(path)
            && *known == stamp
        {
            return slug.clone();
        }
        let slug = slug_of(folder, path);
        self.slugs.insert(path.to_owned(), (stamp, slug.clone()));
        slug
    }
}

/// The slug that an import of the folder would give.
fn slug_of(folder: &Folder, path: &Path) -> Option<Slug> {
    let mut files = disk::read_marker_files(path).ok()?;
    let name = disk::folder_name(path);
    if let Ok(reading) = folder.read(&files, &name, None) {
        return Some(reading.package.slug);
    }
    // Without the other files, a skill.json that declares them can't be read.
    files.retain(|path, _| path.as_str() != inklings_core::path::SKILL_JSON);
    folder.read(&files, &name, None).ok().map(|reading| reading.package.slug)
}
