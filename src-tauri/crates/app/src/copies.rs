//! Where else on this machine a skill lives: its copies in the folders of other agents. Reads only.
//!
//! Which skill a folder is says its `SKILL.md`, so each has to be looked into once; what was found is kept, and read again only
//! where those files changed. The folders themselves are listed again after a few seconds.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use inklings_core::{SkillFormat as _, Slug, StorageError, Tree};
use inklings_folder::{Folder, disk};
use inklings_targets::{Agent, skills, targets};

use crate::app::App;
use inklings_rpc::{CallContext, Failure};

/// How long a folder's list is good.
const FRESH: Duration = Duration::from_secs(5);

/// A copy of a skill.
pub(crate) struct Copy {
    /// Whose it is.
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
pub struct Copies {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// By agent's folder.
    lists: HashMap<PathBuf, (Instant, Vec<PathBuf>)>,
    /// Which skill a folder is, and of which state of its files that was said.
    names: HashMap<PathBuf, (disk::Stamp, Option<Slug>)>,
}

impl Copies {
    /// The copies of a skill, the workspace's first.
    pub(crate) fn of(&self, app: &App, cx: &CallContext, slug: &Slug) -> Vec<Copy> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::new();
        for target in targets(app.places.as_ref(), cx.workspace.as_deref()) {
            for path in known.list(&target.path) {
                if known.name(&app.folder, &path).as_ref() == Some(slug) {
                    found.push(Copy { agent: target.agent, of_workspace: target.of_workspace, target: target.path.clone(), path });
                }
            }
        }
        found
    }

    /// A copy's files. Other folders than the skill's copies are refused.
    pub(crate) fn read(&self, app: &App, cx: &CallContext, slug: &Slug, folder: &Path) -> Result<Tree, Failure> {
        if !self.of(app, cx, slug).iter().any(|copy| copy.path == folder) {
            let missing = StorageError::NotFound { what: "copy", name: folder.display().to_string() };
            return Err(Failure::from(missing).hint("`skill show` names the copies of a skill"));
        }
        Ok(disk::read_dir(folder)?.0)
    }
}

impl Known {
    fn list(&mut self, target: &Path) -> Vec<PathBuf> {
        if let Some((at, paths)) = self.lists.get(target)
            && at.elapsed() < FRESH
        {
            return paths.clone();
        }
        let paths = skills(target).map(|found| found.paths).unwrap_or_default();
        self.lists.insert(target.to_owned(), (Instant::now(), paths.clone()));
        paths
    }

    fn name(&mut self, folder: &Folder, path: &Path) -> Option<Slug> {
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
