use std::fs;
use std::path::PathBuf;

use inklings_core::path::WORKSPACE_DATA_FOLDER;
use inklings_core::{Failpoint, Scope, Skill};
use inklings_folder::DiskError;
use inklings_folder::deploy::{DeployEntry, Deployment, EntryState, LockFile, Outcome, Present};
use inklings_targets::Target;

use super::deployer::{Deployer, Inspection, ensure_inside, entry};
use super::error::TargetError;
use crate::editing::ensure_unlocked;

/// In the data folder of a workspace, or of the account.
const SKILLS: &str = "skills";

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
        Failpoint::DeployRecorded.reach();
        let result = deployment.link(&folder);
        if let Ok(Outcome::Done) = result {
            Failpoint::DeployWritten.reach();
            return Ok(lock.put(linked(EntryState::Written))?);
        }
        lock.forget(&target.path, &skill.package.slug)?;
        result?;
        Err(changed())
    }

    /// The folder that a skill is linked to. A skill without one gets it.
    fn folder_of(&self, skill: &Skill) -> Result<PathBuf, TargetError> {
        if let Some(link) = self.link_of(skill)? {
            return Ok(link.folder);
        }
        ensure_unlocked(skill)?;
        let workspace = self.editor.caller.workspace.filter(|_| skill.head.scope == Scope::Workspace);
        let skills = match workspace {
            Some(workspace) => {
                let skills = workspace.join(WORKSPACE_DATA_FOLDER).join(SKILLS);
                ensure_inside(workspace, &skills)?;
                skills
            }
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
