use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use inklings_core::{
    CancellationToken, Failpoint, ProgressReporter, Scope, Skill, SkillId, SkillLink, SkillPath, Slug, StorageError, Tree,
};
use inklings_folder::DiskError;
use inklings_folder::deploy::{DeployEntry, DeployLock, DeployedFiles, Deployment, EntryState, LockFile, Outcome, Present, deployed_files};
use inklings_links::Links;
use inklings_targets::Target;

use super::api::{CopyStatus, DeployParams, DeployReport, DeployedCopy, RemoveCopiesParams, TargetState, TargetStatus};
use super::error::TargetError;
use crate::editing::SkillEditor;
use crate::features::kit;
use crate::workspace_manager::WorkspaceManager;

/// Deploys the skills that a caller sees.
pub(crate) struct Deployer<'a> {
    pub(crate) editor: SkillEditor<'a>,
    pub(crate) links: &'a Links,
    pub(crate) workspaces: &'a dyn WorkspaceManager,
    /// The folders of agents, whether they exist or not.
    pub(crate) targets: Vec<Target>,
    /// The record of deployed copies.
    pub(crate) lock_path: &'a Path,
}

/// A copy compared with the record and with the skill.
pub(crate) struct Inspection {
    pub(crate) status: CopyStatus,
    pub(crate) present: Present,
    /// What was written last, and the revision that it is from.
    pub(crate) written: Option<(DeployedFiles, i64)>,
    pub(crate) watch: bool,
}

impl Inspection {
    fn edited(&self) -> Vec<SkillPath> {
        let (Some((written, _)), Some(present)) = (&self.written, self.present.files()) else { return Vec::new() };
        let paths: BTreeSet<&SkillPath> = written.keys().chain(present.keys()).collect();
        paths.into_iter().filter(|path| written.get(*path) != present.get(*path)).cloned().collect()
    }
}

impl Deployer<'_> {
    pub(crate) fn status(&self) -> Result<TargetStatus, TargetError> {
        let lock = DeployLock::read(self.lock_path)?;
        let mut targets = Vec::with_capacity(self.targets.len());
        for target in &self.targets {
            let mut copies = Vec::new();
            for entry in lock.entries().iter().filter(|entry| entry.target == target.path) {
                let skill =
                    self.editor.catalog.repository(scope_of(target)).map(|store| store.get_skill(entry.skill)).transpose()?.flatten();
                let mut copy = new_copy(target, entry.skill, &entry.name);
                match self.inspect(&lock, target, &entry.name, entry.skill, skill.as_ref()) {
                    // Recorded, but never written.
                    Ok(Inspection { written: None, .. }) if entry.link.is_none() => continue,
                    Ok(found) => copy.set(&found),
                    Err(error) => copy.failure = Some(error.into()),
                }
                if copy.status == CopyStatus::New {
                    copy.status = CopyStatus::Missing;
                }
                copies.push(copy);
            }
            targets.push(TargetState {
                agent: target.agent.id.to_owned(),
                name: target.agent.name.to_owned(),
                of_workspace: target.of_workspace,
                path: target.path.display().to_string(),
                exists: target.path.is_dir(),
                copies,
            });
        }
        Ok(TargetStatus { targets })
    }

    pub(crate) fn deploy(
        &self,
        params: &DeployParams,
        cancel: &CancellationToken,
        progress: &ProgressReporter,
    ) -> Result<DeployReport, TargetError> {
        let mut lock = LockFile::open(self.lock_path)?;
        let skills = self.wanted_skills(params)?;
        let watched = if params.watched { self.watched(lock.lock())? } else { Vec::new() };
        let mut work: Vec<_> = watched.iter().map(|(skill, target, former)| (skill, *target, former.as_ref())).collect();
        for skill in &skills {
            let targets = self.targets_for(skill.head.scope, &params.to)?;
            if targets.is_empty() {
                return Err(TargetError::NoFolder(skill.head.scope));
            }
            work.extend(targets.into_iter().map(|target| (skill, target, None)));
        }
        let mut copies = Vec::with_capacity(work.len());
        for (skill, target, former) in &work {
            if cancel.is_cancelled() {
                break;
            }
            let mut copy = new_copy(target, skill.head.id, &skill.package.slug);
            copy.creates_folder = !target.path.exists();
            let result = match former {
                Some(former) => self.deploy_renamed(params, &mut lock, skill, target, former, &mut copy),
                None => self.deploy_one(params, &mut lock, skill, target, &mut copy),
            };
            if let Err(error) = result {
                copy.failure = Some(error.into());
            }
            copies.push(copy);
            progress.report(copies.len(), Some(work.len()));
        }
        Ok(DeployReport { stopped: copies.len() < work.len(), copies, dry_run: params.dry_run })
    }

    pub(super) fn deploy_one(
        &self,
        params: &DeployParams,
        lock: &mut LockFile,
        skill: &Skill,
        target: &Target,
        copy: &mut DeployedCopy,
    ) -> Result<(), TargetError> {
        self.ensure_inside_workspace(target)?;
        let found = self.inspect(lock.lock(), target, &skill.package.slug, skill.head.id, Some(skill))?;
        copy.set(&found);
        let writes = match found.status {
            CopyStatus::New | CopyStatus::Update => true,
            CopyStatus::Unchanged => params.link,
            CopyStatus::Drift => params.replace_edited && !params.link,
            _ => false,
        };
        copy.watch = params.watch.unwrap_or(copy.watch);
        if params.dry_run {
            return Ok(());
        }
        let tree = skill.package.tree();
        if writes {
            if copy.creates_folder {
                if !params.create_folders {
                    return Err(TargetError::MissingFolder(target.path.display().to_string()));
                }
                fs::create_dir_all(&target.path).map_err(DiskError::of("creating", &target.path))?;
            }
            if params.link {
                self.write_link(lock, target, skill, &found)?;
                (copy.changed, copy.watch) = (true, false);
                return Ok(());
            }
            write_copy(lock, target, skill, &tree, &found)?;
            (copy.changed, copy.revision, copy.edited) = (true, Some(skill.head.revision), Vec::new());
        } else if found.status == CopyStatus::Unchanged && found.written != Some((deployed_files(&tree), skill.head.revision)) {
            lock.put(DeployEntry { watch: found.watch, ..entry(target, skill, &tree, EntryState::Written) })?;
        }
        if found.watch != copy.watch
            && let Some(written) = lock.lock().find(&target.path, &skill.package.slug).filter(|entry| entry.skill == skill.head.id).cloned()
        {
            lock.put(DeployEntry { watch: copy.watch, ..written })?;
        }
        Ok(())
    }

    /// Removes copies that nobody edited.
    pub(crate) fn remove(&self, params: &RemoveCopiesParams) -> Result<DeployReport, TargetError> {
        let mut lock = LockFile::open(self.lock_path)?;
        let from = self.named_targets(&params.from)?;
        let mut copies = Vec::new();
        for name in &params.skills {
            // A copy may have a former name of its skill.
            let skill = self.editor.catalog.find(name, None)?.filter(|skill| skill.package.slug.as_str() == name);
            let id = skill.map_or_else(|| name.clone(), |skill| skill.head.id.to_string());
            let is_named = |entry: &&DeployEntry| entry.name.as_str() == name || entry.skill.to_string() == id;
            let entries: Vec<_> = lock.lock().entries().iter().filter(is_named).cloned().collect();
            let count = copies.len();
            for target in &from {
                for entry in entries.iter().filter(|entry| entry.target == target.path) {
                    let mut copy = new_copy(target, entry.skill, &entry.name);
                    if let Err(error) = self.remove_one(params, &mut lock, target, entry, &mut copy) {
                        copy.failure = Some(error.into());
                    }
                    copies.push(copy);
                }
            }
            if copies.len() == count {
                return Err(TargetError::NotDeployed(name.clone()));
            }
        }
        Ok(DeployReport { copies, dry_run: params.dry_run, stopped: false })
    }

    pub(super) fn remove_one(
        &self,
        params: &RemoveCopiesParams,
        lock: &mut LockFile,
        target: &Target,
        entry: &DeployEntry,
        copy: &mut DeployedCopy,
    ) -> Result<(), TargetError> {
        self.ensure_inside_workspace(target)?;
        let skill = self.editor.catalog.repository(scope_of(target)).map(|store| store.get_skill(entry.skill)).transpose()?.flatten();
        let found = self.inspect(lock.lock(), target, &entry.name, entry.skill, skill.as_ref())?;
        copy.set(&found);
        let deployment = Deployment { target: &target.path, name: &entry.name };
        let path = deployment.path().display().to_string();
        match (&found.present, &found.written) {
            _ if params.dry_run => {}
            (Present::Link(to), _) if entry.link.as_ref() == Some(to) => {
                if deployment.unlink(to)? != Outcome::Done {
                    return Err(TargetError::Changed(path));
                }
                Failpoint::DeployRemoved.reach();
                lock.forget(&target.path, &entry.name)?;
                copy.changed = true;
            }
            // Only the record is left.
            (_, None) => lock.forget(&target.path, &entry.name)?,
            (present, Some((written, _)))
                if *present == Present::Nothing || present.files().is_some_and(|files| files.is_empty() || files == *written) =>
            {
                let outcome = deployment.remove(written)?;
                if outcome == Outcome::Changed {
                    return Err(TargetError::Changed(path));
                }
                Failpoint::DeployRemoved.reach();
                lock.forget(&target.path, &entry.name)?;
                copy.changed = *present != Present::Nothing;
                if outcome == Outcome::OthersLeft {
                    return Err(TargetError::OthersLeft(path));
                }
            }
            _ => return Err(TargetError::Changed(path)),
        }
        Ok(())
    }

    /// `skill` is `None` if it was deleted.
    pub(crate) fn inspect(
        &self,
        lock: &DeployLock,
        target: &Target,
        name: &Slug,
        id: SkillId,
        skill: Option<&Skill>,
    ) -> Result<Inspection, TargetError> {
        let deployment = Deployment { target: &target.path, name };
        let present = deployment.present()?;
        let entry = lock.find(&target.path, name);
        let written = entry.and_then(|entry| entry.baseline(present.files().as_ref())).map(|(files, revision)| (files.clone(), revision));
        let on_disk = present.files();
        let wanted = skill.map(|skill| deployed_files(&skill.package.tree()));
        let link = entry.and_then(|entry| entry.link.as_ref());
        let is_of_other = entry.is_some_and(|entry| entry.skill != id);
        let status = match (&present, &written) {
            (Present::Link(to), _) if link == Some(to) => {
                if is_of_other {
                    CopyStatus::Conflict
                } else if to.is_dir() {
                    CopyStatus::Linked
                } else {
                    CopyStatus::Dangling
                }
            }
            _ if self.is_linked_to(skill, &deployment)? => CopyStatus::Linked,
            (Present::Nothing, _) => CopyStatus::New,
            (_, None) => CopyStatus::Foreign,
            _ if is_of_other => CopyStatus::Conflict,
            _ if skill.is_none() => CopyStatus::Deleted,
            (Present::Other | Present::Link(_), _) => CopyStatus::Foreign,
            _ if on_disk.is_some() && on_disk == wanted => CopyStatus::Unchanged,
            (_, Some((written, _))) if on_disk.as_ref() == Some(written) => CopyStatus::Update,
            _ => CopyStatus::Drift,
        };
        Ok(Inspection { status, present, written, watch: entry.is_some_and(|entry| entry.watch) })
    }

    pub(super) fn link_of(&self, skill: &Skill) -> Result<Option<SkillLink>, StorageError> {
        let key = self.editor.caller.draft_key(skill.head.scope);
        self.links.store().active_link(&key, skill.head.id)
    }

    fn is_linked_to(&self, skill: Option<&Skill>, deployment: &Deployment<'_>) -> Result<bool, StorageError> {
        let Some(skill) = skill else { return Ok(false) };
        let link = self.link_of(skill)?;
        Ok(link.is_some_and(|link| deployment.path().canonicalize().is_ok_and(|path| path == link.folder)))
    }

    fn wanted_skills(&self, params: &DeployParams) -> Result<Vec<Skill>, TargetError> {
        let catalog = &self.editor.catalog;
        let mut skills = params.skills.iter().map(|named| catalog.require(&named.skill, named.scope)).collect::<Result<Vec<_>, _>>()?;
        if let Some(tag) = &params.tag {
            for summary in catalog.list_all()?.into_iter().filter(|summary| summary.tags.contains(tag)) {
                skills.extend(catalog.holder(summary.id, summary.scope)?.get_skill(summary.id)?);
            }
        }
        if let Some(name) = &params.kit {
            for slug in kit::find(self.editor.user, name)?.skills {
                skills.extend(catalog.find(slug.as_str(), None)?);
            }
        }
        let mut seen = BTreeSet::new();
        skills.retain(|skill| seen.insert((skill.head.scope, skill.head.id)));
        Ok(skills)
    }

    /// The folders for skills of a scope. Of an agent with several, the one that exists.
    fn targets_for(&self, scope: Scope, to: &[String]) -> Result<Vec<&Target>, TargetError> {
        let mut chosen: Vec<&Target> = Vec::new();
        for target in self.named_targets(to)?.into_iter().filter(|target| scope_of(target) == scope) {
            let exists = target.path.is_dir();
            if to.is_empty() && !exists {
                continue;
            }
            let is_named = to.iter().any(|name| Path::new(name) == target.path);
            match chosen.iter_mut().find(|other| other.agent == target.agent) {
                Some(other) if !is_named => {
                    if exists && !other.path.is_dir() {
                        *other = target;
                    }
                }
                _ => chosen.push(target),
            }
        }
        Ok(chosen)
    }

    /// All if there are no names.
    pub(crate) fn named_targets(&self, names: &[String]) -> Result<Vec<&Target>, TargetError> {
        let is_named = |target: &Target, name: &String| target.agent.id == *name || target.path == Path::new(name);
        if let Some(unknown) = names.iter().find(|name| !self.targets.iter().any(|target| is_named(target, name))) {
            return Err(TargetError::NoSuchTarget(unknown.clone()));
        }
        Ok(self.targets.iter().filter(|target| names.is_empty() || names.iter().any(|name| is_named(target, name))).collect())
    }

    pub(crate) fn ensure_inside_workspace(&self, target: &Target) -> Result<(), TargetError> {
        self.editor.caller.workspace.filter(|_| target.of_workspace).map_or(Ok(()), |workspace| ensure_inside(workspace, &target.path))
    }
}

/// A workspace must not lead to the user's other files.
pub(super) fn ensure_inside(workspace: &Path, path: &Path) -> Result<(), TargetError> {
    let failed = || TargetError::OutsideWorkspace(path.display().to_string());
    let workspace = workspace.canonicalize().map_err(DiskError::of("opening", workspace))?;
    // A folder that doesn't exist is created in the nearest one that does.
    let existing = path.ancestors().find(|path| path.symlink_metadata().is_ok()).ok_or_else(failed)?;
    if existing.canonicalize().is_ok_and(|path| path.starts_with(&workspace)) { Ok(()) } else { Err(failed()) }
}

/// Writes a copy in place of what was found. First the record: a copy that isn't in it would be taken for somebody else's.
pub(crate) fn write_copy(lock: &mut LockFile, target: &Target, skill: &Skill, tree: &Tree, found: &Inspection) -> Result<(), TargetError> {
    let before = lock.lock().find(&target.path, &skill.package.slug).cloned();
    let expected = found.present.files();
    if expected.is_none() && found.present != Present::Nothing {
        return Err(TargetError::Unreadable);
    }
    let (previous, previous_revision) = found.written.clone().filter(|_| expected.is_some()).unzip();
    let watch = found.watch;
    lock.put(DeployEntry { previous, previous_revision, watch, ..entry(target, skill, tree, EntryState::Pending) })?;
    Failpoint::DeployRecorded.reach();
    let deployment = Deployment { target: &target.path, name: &skill.package.slug };
    let result = deployment.write(tree, expected.as_ref());
    if let Ok(Outcome::Done) = result {
        Failpoint::DeployWritten.reach();
        lock.put(DeployEntry { watch, ..entry(target, skill, tree, EntryState::Written) })?;
        return Ok(());
    }
    match before {
        Some(before) => lock.put(before)?,
        None => lock.forget(&target.path, &skill.package.slug)?,
    }
    result?;
    Err(TargetError::Changed(deployment.path().display().to_string()))
}

pub(crate) const fn scope_of(target: &Target) -> Scope {
    if target.of_workspace { Scope::Workspace } else { Scope::Account }
}

pub(super) fn entry(target: &Target, skill: &Skill, tree: &Tree, state: EntryState) -> DeployEntry {
    DeployEntry {
        target: target.path.clone(),
        name: skill.package.slug.clone(),
        skill: skill.head.id,
        revision: skill.head.revision,
        state,
        files: deployed_files(tree),
        link: None,
        watch: false,
        previous: None,
        previous_revision: None,
    }
}

pub(super) fn new_copy(target: &Target, skill: SkillId, slug: &Slug) -> DeployedCopy {
    DeployedCopy {
        agent: target.agent.id.to_owned(),
        agent_name: target.agent.name.to_owned(),
        path: target.path.join(slug.as_str()).display().to_string(),
        skill,
        scope: scope_of(target),
        slug: slug.clone(),
        status: CopyStatus::New,
        watch: false,
        revision: None,
        edited: Vec::new(),
        changed: false,
        creates_folder: false,
        failure: None,
    }
}

impl DeployedCopy {
    pub(super) fn set(&mut self, found: &Inspection) {
        self.status = found.status;
        self.watch = found.watch;
        self.revision = found.written.as_ref().map(|(_, revision)| *revision);
        self.edited = found.edited();
    }
}
