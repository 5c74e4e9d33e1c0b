//! Synchronizing one skill with its folder.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use inklings_core::change::{FileStamp, RevisionFilter};
use inklings_core::edit::{SaveError, edits_between};
use inklings_core::link::FileStat;
use inklings_core::user::{Draft, DraftKey, DraftStamp, workspace_key};
use inklings_core::{
    Clock, Diagnostic, IdSource, LinkBase, LinkedFile, Skill, SkillId, SkillLink, SkillLinks, SkillPath, SkillStorageRepository, Slug,
    StorageError, Tree, TreeFile, UserData,
};
use inklings_folder::disk;
use inklings_targets::AgentDirs;

use crate::folder::{Displaced, GRACE, LinkedFolder, Listing, Written};
use crate::merge::{MergedFile, merge};
use crate::presence::was_deleted;
use crate::renames::RenameFollower;
use crate::seen::SeenFolders;

/// Attempts while other programs write to the folder or the store.
const MAX_ATTEMPTS: usize = 20;
/// Revisions in which the text is looked for that a file was edited from.
const MAX_REVISIONS: usize = 20;
/// Author of the revisions of changes on disk.
pub(crate) const ACTOR: &str = "disk";

#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    #[error(transparent)]
    Storage(#[from] StorageError),
    #[error("{action} {} failed: {source}", .path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error("{} can't be linked: {problem}", .path.display())]
    NotASkill { path: PathBuf, problem: String },
    #[error("{} isn't a folder", .0.display())]
    NotAFolder(PathBuf),
    #[error("the path {} isn't valid UTF-8", .0.display())]
    NotUtf8(PathBuf),
    #[error("the skill {0} already exists and is locked")]
    Locked(Slug),
    #[error("the skill {slug} is already linked to {}", .folder.display())]
    LinkedElsewhere { slug: Slug, folder: PathBuf },
    /// Other programs changed folder or store at each attempt.
    #[error("{} changes too often to be synchronized", .0.display())]
    Busy(PathBuf),
}

impl LinkError {
    pub(crate) fn of(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}

/// The account or a workspace.
#[derive(Clone)]
pub struct LinkedScope {
    /// Folder of the workspace; `None` for the account.
    pub workspace: Option<PathBuf>,
    /// The store itself, so that a write isn't synchronized again.
    pub repository: Arc<dyn SkillStorageRepository>,
}

impl LinkedScope {
    /// What links and drafts of the scope are filed under.
    #[must_use]
    pub fn key(&self) -> String {
        workspace_key(self.workspace.as_deref())
    }
}

/// Synchronizes linked skills. One skill at a time, in this process and in others.
pub struct Links {
    pub(crate) store: Arc<dyn SkillLinks>,
    user: Arc<dyn UserData>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdSource>,
    /// The folders of agents; `None` if the home folder is unknown.
    pub(crate) agents: Option<AgentDirs>,
    /// Locked by the process that synchronizes.
    lock_file: PathBuf,
    /// The record of deployed copies, which aren't linked.
    pub(crate) deploy_lock: PathBuf,
    pub(crate) seen: SeenFolders,
    pub(crate) renames: Option<Arc<dyn RenameFollower>>,
    process_lock: Mutex<()>,
    /// Skills whose folder has replaced files that are to be removed.
    pending: Mutex<HashMap<(String, SkillId), Instant>>,
}

/// Held while a skill is synchronized.
pub(crate) struct SyncLock<'a> {
    _thread: MutexGuard<'a, ()>,
    _process: File,
}

pub(crate) enum Step {
    Done,
    /// Something changed meanwhile.
    Again,
}

impl Links {
    pub fn new(
        store: Arc<dyn SkillLinks>,
        user: Arc<dyn UserData>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
        agents: Option<AgentDirs>,
        lock_file: PathBuf,
        deploy_lock: PathBuf,
    ) -> Self {
        Self {
            store,
            user,
            clock,
            ids,
            agents,
            lock_file,
            deploy_lock,
            seen: SeenFolders::default(),
            renames: None,
            process_lock: Mutex::default(),
            pending: Mutex::default(),
        }
    }

    pub fn store(&self) -> &dyn SkillLinks {
        self.store.as_ref()
    }

    /// Makes store and folder of a skill equal. Does nothing if it isn't linked.
    pub fn sync(&self, scope: &LinkedScope, skill: SkillId) -> Result<(), LinkError> {
        // Skills that aren't linked wait for nobody.
        if self.store.active_link(&scope.key(), skill)?.is_none() {
            return Ok(());
        }
        self.sync_locked(&self.lock()?, scope, skill)
    }

    /// The link is read under the lock: with what both sides agreed on before others synchronized, the older text on disk would be taken
    /// for a change, and replace a newer one in the store.
    pub(crate) fn sync_locked(&self, _lock: &SyncLock<'_>, scope: &LinkedScope, skill: SkillId) -> Result<(), LinkError> {
        let mut attempts = 0;
        loop {
            let Some(link) = self.store.active_link(&scope.key(), skill)? else { return Ok(()) };
            if attempts == MAX_ATTEMPTS {
                return Err(LinkError::Busy(link.folder));
            }
            match self.attempt(scope, &link) {
                Ok(Step::Done) => return Ok(()),
                Ok(Step::Again) => attempts += 1,
                Err(error) => {
                    if let Err(error) = self.note_error(scope, skill, &error) {
                        tracing::warn!(%error, "can't note why a linked skill isn't synchronized");
                    }
                    return Err(error);
                }
            }
        }
    }

    /// Notes an error with the link, until a synchronization succeeds. The link is read again, since it may have a newer base.
    fn note_error(&self, scope: &LinkedScope, skill: SkillId, error: &LinkError) -> Result<(), LinkError> {
        let Some(link) = self.store.active_link(&scope.key(), skill)? else { return Ok(()) };
        self.note(&link, link.base.clone(), Some(error.to_string()))
    }

    /// [`Self::sync`] for callers that go on without it: what failed is tried again with the next change.
    pub(crate) fn sync_or_log(&self, scope: &LinkedScope, skill: SkillId) {
        if let Err(error) = self.sync(scope, skill) {
            tracing::warn!(%error, "can't synchronize a linked skill");
        }
    }

    /// Synchronizes the skills again whose folders have files to be removed by now. Returns whether there are more.
    pub fn clear(&self, scope: &LinkedScope) -> bool {
        let key = scope.key();
        let due: Vec<SkillId> = {
            let pending = self.pending();
            let is_due = |at: &Instant| at.elapsed() > GRACE;
            pending.iter().filter(|((workspace, _), at)| *workspace == key && is_due(at)).map(|((_, skill), _)| *skill).collect()
        };
        for skill in due {
            self.pending().remove(&(key.clone(), skill));
            self.sync_or_log(scope, skill);
        }
        self.pending().keys().any(|(workspace, _)| *workspace == key)
    }

    fn pending(&self) -> MutexGuard<'_, HashMap<(String, SkillId), Instant>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn lock(&self) -> Result<SyncLock<'_>, LinkError> {
        let thread = self.process_lock.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = |error| LinkError::of("locking", &self.lock_file)(error);
        let process = File::options().create(true).append(true).open(&self.lock_file).map_err(failed)?;
        process.lock().map_err(failed)?;
        Ok(SyncLock { _thread: thread, _process: process })
    }

    fn attempt(&self, scope: &LinkedScope, link: &SkillLink) -> Result<Step, LinkError> {
        let folder = LinkedFolder::open(&link.folder).map_err(LinkError::of("opening", &link.folder))?;
        let stored = scope.repository.get_skill(link.skill)?;
        match (folder, stored) {
            (Some(folder), Some(skill)) => self.reconcile(scope, link, &folder, skill),
            (Some(folder), None) if was_deleted(scope, link)? => self.remove_folder(scope, link, &folder),
            (Some(folder), None) => self.store_folder(scope, link, &folder),
            // A skill that was restored.
            (None, Some(skill)) if link.base.revision == 0 => {
                let folder = LinkedFolder::create(&link.folder).map_err(LinkError::of("creating", &link.folder))?;
                self.reconcile(scope, link, &folder, skill)
            }
            (None, Some(skill)) => self.remove_skill(scope, link, &skill),
            // A skill that can't be restored: it was never stored.
            (None, None) if scope.repository.deleted(link.skill)?.is_none() => {
                self.store.remove_link(&link.workspace, link.skill)?;
                Ok(Step::Done)
            }
            (None, None) => self.note(link, LinkBase::default(), None).map(|()| Step::Done),
        }
    }

    fn reconcile(&self, scope: &LinkedScope, link: &SkillLink, folder: &LinkedFolder, skill: Skill) -> Result<Step, LinkError> {
        let failed = |action| LinkError::of(action, &link.folder);
        let listing = folder.list().map_err(failed("listing"))?;
        let (displaced, is_pending) = folder.clear_leftovers(&listing).map_err(failed("reading"))?;
        if is_pending {
            self.pending().insert((scope.key(), link.skill), Instant::now());
        }
        if !displaced.is_empty() {
            return self.merge_displaced(scope, link, folder, &skill, &displaced);
        }
        if listing.is_as_agreed(&link.base) && link.problem.is_none() && skill.head.revision == link.base.revision {
            return Ok(Step::Done);
        }
        let theirs = match read(folder) {
            Ok(tree) => tree,
            Err(problem) => return self.note(link, link.base.clone(), Some(problem)).map(|()| Step::Done),
        };
        let base = known_base(scope, link)?;
        self.note(link, base.clone(), link.problem.clone())?;
        let link = &SkillLink { base, ..link.clone() };
        let Some((skill, refused)) = self.merge_from_disk(scope, link, skill, &theirs)? else { return Ok(Step::Again) };
        self.write_to_disk(link, folder, &listing, &skill, &theirs, refused)
    }

    /// Stores what changed on disk. `None` if the skill was changed meanwhile. The second value says why the files on disk can't be stored.
    fn merge_from_disk(
        &self,
        scope: &LinkedScope,
        link: &SkillLink,
        skill: Skill,
        theirs: &Tree,
    ) -> Result<Option<(Skill, Option<String>)>, LinkError> {
        let ours = skill.package.tree();
        let mut merged = ours.clone();
        let mut conflicts: Vec<(SkillPath, TreeFile)> = Vec::new();
        for path in theirs.keys().chain(link.base.files.keys()).collect::<BTreeSet<_>>() {
            let (base, own, disk) = (link.base.files.get(path), ours.get(path), theirs.get(path));
            let agreed = base.map(|file| file.content);
            if disk.map(stamp) == agreed || own == disk {
                continue;
            }
            let file = if own.map(stamp) == agreed {
                disk.cloned()
            } else {
                let base = match base {
                    Some(file) => scope.repository.revision_file(link.skill, link.base.revision_of(file), path)?,
                    None => None,
                };
                let MergedFile { file, is_conflict, .. } = merge(base.as_ref(), own, disk);
                conflicts.extend(own.filter(|_| is_conflict).map(|own| (path.clone(), own.clone())));
                file
            };
            match file {
                Some(file) => merged.insert(path.clone(), file),
                None => merged.remove(path),
            };
        }
        if merged == ours {
            return Ok(Some((skill, None)));
        }
        let why = if conflicts.is_empty() { "changed on disk" } else { "changed on disk and here; the text on disk was used" };
        // First the drafts: once the text on disk is stored, the next attempt sees no conflict.
        let mut drafts = Vec::new();
        for (path, text) in conflicts {
            drafts.extend(self.keep_as_draft(scope, link, path, &text)?);
        }
        let saved = self.save(scope, &skill, &edits_between(&ours, &merged), why);
        if saved.is_err() {
            self.user.discard_unchanged_drafts(&drafts)?;
        }
        match saved {
            Ok(saved) => Ok(Some((saved.skill, None))),
            Err(SaveError::Conflict(_) | SaveError::Storage(StorageError::RevisionConflict { .. })) => Ok(None),
            Err(SaveError::Storage(StorageError::Invalid(diagnostics))) => Ok(Some((skill, Some(problem_of(&diagnostics))))),
            Err(SaveError::Storage(error @ (StorageError::Exists { .. } | StorageError::Limit { .. }))) => {
                Ok(Some((skill, Some(error.to_string()))))
            }
            Err(SaveError::Storage(error)) => Err(error.into()),
            Err(error @ (SaveError::NoSuchFile(_) | SaveError::PathExists(_))) => Ok(Some((skill, Some(error.to_string())))),
        }
    }

    /// Writes the files that differ, and records what both sides agree on now.
    fn write_to_disk(
        &self,
        link: &SkillLink,
        folder: &LinkedFolder,
        listing: &Listing,
        skill: &Skill,
        theirs: &Tree,
        refused: Option<String>,
    ) -> Result<Step, LinkError> {
        let ours = skill.package.tree();
        let (mut files, mut changed, mut written) = (BTreeMap::new(), false, false);
        let mut problem = refused;
        for path in ours.keys().chain(theirs.keys()).collect::<BTreeSet<_>>() {
            // It is never read from a folder: written and recorded as agreed, it would look removed.
            if !disk::is_part_of_skill(path) {
                continue;
            }
            let (own, disk) = (ours.get(path), theirs.get(path));
            let agreed = |own: &TreeFile, stat| (path.clone(), LinkedFile { content: stamp(own), stat, revision: None });
            // Of a file that goes on to differ. It names its revision, since that of the new base has another text.
            let base = link.base.files.get(path).map(|file| LinkedFile { revision: Some(link.base.revision_of(file)), ..*file });
            if own == disk {
                files.extend(own.zip(listing.files.get(path)).map(|(own, stat)| agreed(own, *stat)));
                continue;
            }
            // What can't be stored stays as it is on disk.
            if problem.is_some() && disk.map(stamp) != base.map(|base| base.content) {
                files.extend(base.map(|base| (path.clone(), base)));
                continue;
            }
            let expected = disk.map(TreeFile::digest);
            let result = match (own, expected) {
                (Some(own), expected) => folder.write(path, own, expected),
                (None, Some(expected)) => {
                    folder.remove(path, expected).map(|is_same| if is_same { Written::Done(FileStat::default()) } else { Written::Changed })
                }
                (None, None) => continue,
            };
            match result {
                Ok(Written::Done(stat)) => {
                    written = true;
                    files.extend(own.map(|own| agreed(own, stat)));
                }
                Ok(Written::Changed) => changed = true,
                Err(error) => {
                    problem.get_or_insert_with(|| format!("{path} can't be written: {error}"));
                    files.extend(base.map(|base| (path.clone(), base)));
                }
            }
        }
        if written {
            self.pending().insert((link.workspace.clone(), link.skill), Instant::now());
        }
        if changed {
            return Ok(Step::Again);
        }
        self.note(link, LinkBase { revision: skill.head.revision, files }, problem)?;
        Ok(Step::Done)
    }

    /// Stores texts that other programs wrote at the moment in which their file was replaced.
    fn merge_displaced(
        &self,
        scope: &LinkedScope,
        link: &SkillLink,
        folder: &LinkedFolder,
        skill: &Skill,
        displaced: &[Displaced],
    ) -> Result<Step, LinkError> {
        let ours = skill.package.tree();
        let mut merged = ours.clone();
        let mut base = link.base.clone();
        for one in displaced {
            let former = Self::edited_from(scope, link.skill, one)?;
            let MergedFile { file, is_conflict, .. } = merge(former.as_ref(), merged.get(&one.path), Some(&one.file));
            if let (true, Some(own)) = (is_conflict, ours.get(&one.path)) {
                self.keep_as_draft(scope, link, one.path.clone(), own)?;
            }
            if let Some(file) = file {
                merged.insert(one.path.clone(), file);
            }
            // The folder has our text, which is in the store already.
            if let (Some(stat), Some(own)) = (one.replacement, ours.get(&one.path)) {
                let file = LinkedFile { content: stamp(own), stat, revision: Some(skill.head.revision) };
                base.files.insert(one.path.clone(), file);
            }
        }
        if merged != ours {
            let edits = edits_between(&ours, &merged);
            match self.save(scope, skill, &edits, "changed on disk") {
                Ok(_) => {}
                Err(SaveError::Conflict(_) | SaveError::Storage(StorageError::RevisionConflict { .. })) => return Ok(Step::Again),
                Err(error) => {
                    let problem = format!("a text that was written to {} meanwhile can't be stored: {error}", displaced[0].path);
                    return self.note(link, link.base.clone(), Some(problem)).map(|()| Step::Done);
                }
            }
        }
        self.note(link, base, link.problem.clone())?;
        for one in displaced {
            folder.discard(one).map_err(LinkError::of("removing a file in", &link.folder))?;
        }
        Ok(Step::Again)
    }

    /// The revision of a file that was expected where another text was found.
    fn edited_from(scope: &LinkedScope, skill: SkillId, displaced: &Displaced) -> Result<Option<TreeFile>, LinkError> {
        let filter = RevisionFilter { path: Some(displaced.path.clone()), before: None };
        let revisions = scope.repository.revisions(skill, &filter, MAX_REVISIONS)?.revisions;
        for number in revisions.iter().flat_map(|revision| [Some(revision.number), revision.previous]).flatten() {
            let file = scope.repository.revision_file(skill, number, &displaced.path)?;
            if let Some(file) = file.filter(|file| displaced.is_from(file)) {
                return Ok(Some(file));
            }
        }
        Ok(None)
    }

    /// Of lines that both sides changed, the text on disk is used: ours becomes the draft of its file, unless it has one. Returns the new
    /// draft.
    fn keep_as_draft(
        &self,
        scope: &LinkedScope,
        link: &SkillLink,
        path: SkillPath,
        text: &TreeFile,
    ) -> Result<Option<DraftStamp>, LinkError> {
        let (workspace, skill) = (scope.key(), link.skill);
        let Some(content) = text.editable_text() else { return Ok(None) };
        let base = link.base.files.get(&path);
        let base_sha256 = base.map(|file| file.content.sha256);
        let base_revision = base.map_or(link.base.revision, |file| link.base.revision_of(file));
        let (content, updated_at) = (content.to_owned(), self.clock.now());
        let draft = Draft { workspace, skill, path, base_revision, base_sha256, content, updated_at };
        let is_new = self.user.add_draft(&draft)?;
        let Draft { workspace, path, .. } = draft;
        Ok(is_new.then_some(DraftStamp { key: DraftKey { workspace, skill, path }, updated_at }))
    }

    /// Stores the link if it changed.
    pub(crate) fn note(&self, link: &SkillLink, base: LinkBase, problem: Option<String>) -> Result<(), LinkError> {
        let now = SkillLink { base, problem, ..link.clone() };
        if now != *link {
            self.store.put_links(&[now])?;
        }
        Ok(())
    }
}

/// The base without the files that no revision has: another database may have replaced the skill's, with other contents under the same
/// numbers. What isn't agreed is merged without a base, so that neither text is lost.
pub(crate) fn known_base(scope: &LinkedScope, link: &SkillLink) -> Result<LinkBase, StorageError> {
    let mut base = link.base.clone();
    let mut manifests = BTreeMap::new();
    for number in base.revisions() {
        manifests.insert(number, scope.repository.revision_manifest(link.skill, number)?.unwrap_or_default());
    }
    base.files.retain(|path, file| {
        let manifest = manifests.get(&link.base.revision_of(file));
        manifest.and_then(|manifest| manifest.get(path)) == Some(&file.content)
    });
    Ok(base)
}

/// The files of a folder, or why they can't be a skill's.
pub(crate) fn read(folder: &LinkedFolder) -> Result<Tree, String> {
    let (tree, findings) = folder.read_all().map_err(|error| error.to_string())?;
    if findings.iter().any(Diagnostic::is_error) {
        return Err(problem_of(&findings));
    }
    Ok(tree)
}

pub(crate) fn problem_of(findings: &[Diagnostic]) -> String {
    let finding = findings.iter().find(|finding| finding.is_error()).or(findings.first());
    finding.map_or_else(
        || "the files aren't a valid skill".to_owned(),
        |finding| finding.file.as_ref().map_or_else(|| finding.message.clone(), |file| format!("{file}: {}", finding.message)),
    )
}

pub(crate) fn stamp(file: &TreeFile) -> FileStamp {
    FileStamp { sha256: file.digest(), executable: file.executable }
}
