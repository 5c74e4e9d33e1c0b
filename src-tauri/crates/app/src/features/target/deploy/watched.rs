use inklings_core::Skill;
use inklings_folder::deploy::{DeployEntry, DeployLock, EntryState, LockFile, deployed_files};
use inklings_targets::Target;

use super::api::{CopyStatus, DeployParams, DeployedCopy, RemoveCopiesParams};
use super::deployer::{Deployer, entry, new_copy, scope_of};
use super::error::TargetError;

/// A copy that is written again whenever its skill changes: with the entry of its former name if the skill was renamed.
pub(super) type Watched<'a> = (Skill, &'a Target, Option<DeployEntry>);

impl Deployer<'_> {
    pub(super) fn watched(&self, lock: &DeployLock) -> Result<Vec<Watched<'_>>, TargetError> {
        let mut watched = Vec::new();
        for entry in lock.entries().iter().filter(|entry| entry.watch) {
            for target in self.targets.iter().filter(|target| target.path == entry.target) {
                let stored = self.editor.catalog.repository(scope_of(target)).map(|store| store.get_skill(entry.skill)).transpose()?;
                let Some(skill) = stored.flatten() else { continue };
                let former = (skill.package.slug != entry.name).then(|| entry.clone());
                watched.push((skill, target, former));
            }
        }
        Ok(watched)
    }

    /// Moves a copy that nobody edited to the new name of its skill. The new one is written first: a kill leaves both, and the next call
    /// goes on.
    pub(super) fn deploy_renamed(
        &self,
        params: &DeployParams,
        lock: &mut LockFile,
        skill: &Skill,
        target: &Target,
        former: &DeployEntry,
        copy: &mut DeployedCopy,
    ) -> Result<(), TargetError> {
        let mut left = new_copy(target, skill.head.id, &former.name);
        let found = self.inspect(lock.lock(), target, &former.name, skill.head.id, Some(skill))?;
        left.set(&found);
        if !is_ours(left.status) {
            *copy = left;
            return Ok(());
        }
        let params = DeployParams { watch: params.watch.or(Some(true)), ..params.clone() };
        self.deploy_one(&params, lock, skill, target, copy)?;
        if params.dry_run || !is_ours(copy.status) {
            return Ok(());
        }
        let (tree, recorded) = (skill.package.tree(), found.written.as_ref().map(|(files, _)| files));
        // What was edited has come to the skill since, so it is nobody's any more.
        if former.link.is_none() && left.status == CopyStatus::Unchanged && recorded != Some(&deployed_files(&tree)) {
            let name = former.name.clone();
            lock.put(DeployEntry { name, watch: true, ..entry(target, skill, &tree, EntryState::Written) })?;
        }
        self.remove_one(&RemoveCopiesParams::default(), lock, target, former, &mut left)
    }
}

/// Whether nothing of others is lost if it is written or removed.
fn is_ours(status: CopyStatus) -> bool {
    matches!(status, CopyStatus::New | CopyStatus::Update | CopyStatus::Unchanged)
}
