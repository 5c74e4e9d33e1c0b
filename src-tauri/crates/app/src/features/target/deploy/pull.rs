use inklings_core::edit::edits_between;
use inklings_core::three_way::{ChangedBy, compare_trees, merge_trees};
use inklings_core::{Skill, SkillPath, Tree};
use inklings_folder::deploy::{DeployLock, DeployedFiles, LockFile, Present, deployed_files};
use inklings_targets::Target;

use super::api::{CopyFileParams, CopyStatus, PullParams, PullReport};
use super::deployer::{Deployer, Inspection, scope_of, write_copy};
use super::error::TargetError;
use crate::editing::ensure_unlocked;
use crate::wire::{MergeVersions, RevisionFile};

impl Deployer<'_> {
    /// A file of an edited copy, in the version that was deployed, the skill's and the copy's.
    pub(crate) fn file(&self, params: &CopyFileParams) -> Result<MergeVersions, TargetError> {
        let skill = self.editor.catalog.require(&params.skill.skill, params.skill.scope)?;
        let (_, found) = self.edited_copy(&DeployLock::read(self.lock_path)?, &skill, params.from.as_deref())?;
        let Present::Folder { tree, .. } = &found.present else { return Err(TargetError::Unreadable) };
        let base = found.written.as_ref().and_then(|written| self.deployed_tree(&skill, written));
        let version = |tree: Option<&Tree>| RevisionFile::of(tree.and_then(|tree| tree.get(&params.file)));
        Ok(MergeVersions { base: version(base.as_ref()), ours: version(Some(&skill.package.tree())), theirs: version(Some(tree)) })
    }

    /// The files of the revision that was deployed. It may have been pruned, or another database may have replaced the skill's, with other
    /// files under the same number.
    fn deployed_tree(&self, skill: &Skill, (files, revision): &(DeployedFiles, i64)) -> Option<Tree> {
        let tree = self.editor.repository_of(skill).ok()?.revision_tree(skill.head.id, *revision).ok()?;
        (deployed_files(&tree) == *files).then_some(tree)
    }

    fn edited_copy(&self, lock: &DeployLock, skill: &Skill, from: Option<&str>) -> Result<(&Target, Inspection), TargetError> {
        let slug = &skill.package.slug;
        let mut edited: Vec<(&Target, Inspection)> = Vec::new();
        let from: Vec<String> = from.into_iter().map(str::to_owned).collect();
        for target in self.named_targets(&from)?.into_iter().filter(|target| scope_of(target) == skill.head.scope) {
            let found = self.inspect(lock, target, slug, skill.head.id, Some(skill))?;
            if found.status == CopyStatus::Drift {
                edited.push((target, found));
            }
        }
        if edited.len() > 1 {
            return Err(TargetError::SeveralEdited(slug.to_string()));
        }
        let Some((target, found)) = edited.pop() else { return Err(TargetError::NotEdited(slug.to_string())) };
        self.ensure_inside_workspace(target)?;
        Ok((target, found))
    }

    /// Merges an edited copy into its skill. Afterwards the copy has the merged files, too, unless it was edited meanwhile.
    pub(crate) fn pull(&self, params: &PullParams) -> Result<PullReport, TargetError> {
        let catalog = &self.editor.catalog;
        let skill = catalog.require(&params.skill.skill, params.skill.scope)?;
        if !params.dry_run {
            ensure_unlocked(&skill)?;
        }
        let (id, slug) = (skill.head.id, &skill.package.slug);
        let mut lock = LockFile::open(self.lock_path)?;
        let (target, found) = self.edited_copy(lock.lock(), &skill, params.from.as_deref())?;
        let Present::Folder { tree: theirs, is_complete: true } = &found.present else { return Err(TargetError::Unreadable) };
        let base: Option<(i64, Tree)> = found.written.as_ref().and_then(|written| Some((written.1, self.deployed_tree(&skill, written)?)));
        let ours = skill.package.tree();
        let changes = compare_trees(base.as_ref().map(|(_, tree)| tree), &ours, theirs);
        let in_conflict: Vec<SkillPath> =
            changes.iter().filter(|change| change.by == ChangedBy::Conflict).map(|change| change.path.clone()).collect();
        if let Some(other) = params.theirs.iter().chain(&params.ours).find(|path| !in_conflict.contains(path)) {
            return Err(TargetError::NotInConflict(other.clone()));
        }
        let conflicts: Vec<SkillPath> =
            in_conflict.into_iter().filter(|path| !params.theirs.contains(path) && !params.ours.contains(path)).collect();
        let mut report = PullReport {
            skill: id,
            scope: skill.head.scope,
            slug: slug.clone(),
            path: target.path.join(slug.as_str()).display().to_string(),
            base: base.map(|(revision, _)| revision),
            changes,
            conflicts,
            revision: skill.head.revision,
            stored: false,
            failure: None,
            dry_run: params.dry_run,
        };
        if params.dry_run || !report.conflicts.is_empty() {
            return Ok(report);
        }
        let merged = merge_trees(&report.changes, &ours, theirs, |path| params.theirs.contains(path));
        let why = format!("updated from {}", report.path);
        let saved = self.editor.save(&skill, &edits_between(&ours, &merged), skill.head.revision, &why)?;
        report.revision = saved.skill.head.revision;
        report.stored = true;
        // A copy under a former name stays as it is.
        if saved.skill.package.slug == *slug {
            let written = write_copy(&mut lock, target, &saved.skill, &saved.skill.package.tree(), &found);
            report.failure = written.err().map(Into::into);
        }
        Ok(report)
    }
}
