use std::fs;
use std::path::PathBuf;

use inklings_core::{Scope, Skill};
use inklings_folder::DiskError;
use inklings_folder::deploy::{DeployEntry, Deployment, EntryState, LockFile, Outcome, Present};
use inklings_targets::Target;

use super::deployer::{Deployer, Inspection, entry};
use super::error::TargetError;
use crate::editing::ensure_unlocked;

/// Of a workspace's own folder, or the account's.
const SKILLS: &str = "skills";
const WORKSPACE_DATA: &str = ".inklings";

impl Deployer<'_> {
    /// Puts a link in place of what was found: nothing, or a copy that nobody edited.
    pub(super) fn write_link(&self, lock: &mut LockFile, target: &Target, skill: &Skill, found: &Inspection) -> Result<(), TargetError> {
        let folder = self.folder_of(skill)?;
        let deployment = Deployment { target: &target.path, name: &skill.package.slug };
        let changed = || TargetError::Changed(deployment.path().display().to_string());
        match (&found.present, &found.written) {
            (Present::Nothing, _) => {}
            (_, Some((written, _))) => match deployment.remove(written)? {
                Outcome::Done => {}
                Outcome::OthersLeft => return Err(TargetError::OthersLeft(deployment.path().display().to_string())),
                Outcome::Changed => return Err(changed()),
            },
            _ => return Err(changed()),
        }
        let linked = |state| DeployEntry { link: Some(folder.clone()), ..entry(target, skill, &inklings_core::Tree::new(), state) };
        lock.put(linked(EntryState::Pending))?;
        if deployment.link(&folder)? != Outcome::Done {
            lock.forget(&target.path, &skill.package.slug)?;
            return Err(changed());
        }
        Ok(lock.put(linked(EntryState::Written))?)
    }

    /// The folder that a skill is linked to. A skill without one gets it.
    fn folder_of(&self, skill: &Skill) -> Result<PathBuf, TargetError> {
        if let Some(link) = self.link_of(skill)? {
            return Ok(link.folder);
        }
        ensure_unlocked(skill)?;
        let workspace = self.editor.caller.workspace.filter(|_| skill.head.scope == Scope::Workspace);
        let skills = match workspace {
            Some(workspace) => workspace.join(WORKSPACE_DATA).join(SKILLS),
            None => self.lock_path.with_file_name(SKILLS),
        };
        fs::create_dir_all(&skills).map_err(DiskError::of("creating", &skills))?;
        let copy = Deployment { target: &skills, name: &skill.package.slug };
        let tree = skill.package.tree();
        let present = copy.present()?;
        let is_written = match &present {
            Present::Nothing => copy.write(&tree, None)? == Outcome::Done,
            // Left by a former link.
            Present::Folder { tree: present, is_complete: true } => *present == tree,
            _ => false,
        };
        if !is_written {
            return Err(TargetError::Changed(copy.path().display().to_string()));
        }
        Ok(self.links.add(&self.workspaces.linked_scope(workspace)?, &copy.path())?.folder)
    }
}
