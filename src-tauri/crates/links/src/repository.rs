//! A store whose linked skills are synchronized around every write.

use std::sync::Arc;

use inklings_core::change::{ChangeSet, Expected, RevisionFilter, RevisionPage};
use inklings_core::reliability::{Judgement, SkillUsage};
use inklings_core::skill_list::{NameMatch, ScopeListPage};
use inklings_core::trace::Usage;
use inklings_core::{
    Artifact, ArtifactId, ArtifactKind, BatchCommit, DeletedSkill, DeletedSummary, LifecycleChange, LifecycleEntry, MessageId, Scope,
    Skill, SkillFacts, SkillFormat, SkillId, SkillListItem, SkillNames, SkillPath, SkillStorageRepository, SkillSummary, Slug,
    StorageError, Time, Tree, TreeFile,
};

use crate::sync::{LinkedScope, Links};

/// Before a write, changes of the folder are stored, so that a write based on an older state is rebased or refused as after any other
/// write. After it, the folder gets the changes; what fails then is noted with the link and tried again, since the write is stored.
pub struct LinkedRepository {
    scope: LinkedScope,
    links: Arc<Links>,
}

impl LinkedRepository {
    #[must_use]
    pub const fn new(scope: LinkedScope, links: Arc<Links>) -> Self {
        Self { scope, links }
    }

    fn inner(&self) -> &dyn SkillStorageRepository {
        self.scope.repository.as_ref()
    }

    fn sync(&self, skills: impl IntoIterator<Item = SkillId>) {
        for skill in skills {
            self.links.sync_or_log(&self.scope, skill);
        }
    }

    fn around<T>(&self, changes: &[(ChangeSet, Expected)], commit: impl FnOnce(&dyn SkillStorageRepository) -> T) -> T {
        let ids = || changes.iter().map(|(change, _)| change.id);
        self.sync(ids());
        let result = commit(self.inner());
        self.sync(ids());
        result
    }
}

impl SkillStorageRepository for LinkedRepository {
    fn commit(&self, change: &ChangeSet, expected: Expected) -> Result<i64, StorageError> {
        self.sync([change.id]);
        let result = self.inner().commit(change, expected);
        self.sync([change.id]);
        result
    }

    fn commit_together(&self, changes: &[(ChangeSet, Expected)]) -> Result<Vec<i64>, StorageError> {
        self.around(changes, |inner| inner.commit_together(changes))
    }

    fn commit_all(&self, changes: &[(ChangeSet, Expected)]) -> BatchCommit {
        self.around(changes, |inner| inner.commit_all(changes))
    }

    fn scope(&self) -> Scope {
        self.inner().scope()
    }

    fn skill_format(&self) -> &dyn SkillFormat {
        self.inner().skill_format()
    }

    fn list_skills(&self) -> Result<Vec<SkillSummary>, StorageError> {
        self.inner().list_skills()
    }

    fn list_page(&self, after: Option<&str>, limit: usize) -> Result<ScopeListPage, StorageError> {
        self.inner().list_page(after, limit)
    }

    fn list_items(&self, ids: &[SkillId]) -> Result<Vec<SkillListItem>, StorageError> {
        self.inner().list_items(ids)
    }

    fn count_skills(&self) -> Result<u32, StorageError> {
        self.inner().count_skills()
    }

    fn name_matches(&self, names: &[(Slug, String)]) -> Result<Vec<NameMatch>, StorageError> {
        self.inner().name_matches(names)
    }

    fn names(&self) -> Result<Arc<[Arc<SkillNames>]>, StorageError> {
        self.inner().names()
    }

    fn version(&self) -> Result<i64, StorageError> {
        self.inner().version()
    }

    fn usage(&self) -> Result<Vec<SkillUsage>, StorageError> {
        self.inner().usage()
    }

    fn last_used(&self) -> Result<Vec<(SkillId, Time)>, StorageError> {
        self.inner().last_used()
    }

    fn skill_facts(&self, ids: &[SkillId]) -> Result<Vec<SkillFacts>, StorageError> {
        self.inner().skill_facts(ids)
    }

    fn get_skill(&self, id: SkillId) -> Result<Option<Skill>, StorageError> {
        self.inner().get_skill(id)
    }

    fn get_skill_by_name(&self, name: &str) -> Result<Option<Skill>, StorageError> {
        self.inner().get_skill_by_name(name)
    }

    fn get_artifacts(&self, id: SkillId, kinds: &[ArtifactKind]) -> Result<Vec<Artifact>, StorageError> {
        self.inner().get_artifacts(id, kinds)
    }

    fn get_artifact(&self, id: ArtifactId) -> Result<Option<Artifact>, StorageError> {
        self.inner().get_artifact(id)
    }

    fn set_enabled(&self, id: SkillId, enabled: bool, actor: &str) -> Result<(), StorageError> {
        self.inner().set_enabled(id, enabled, actor)
    }

    fn set_lifecycle(&self, id: SkillId, change: &LifecycleChange, actor: &str) -> Result<bool, StorageError> {
        self.inner().set_lifecycle(id, change, actor)
    }

    fn lifecycle_history(&self, id: SkillId) -> Result<Vec<LifecycleEntry>, StorageError> {
        self.inner().lifecycle_history(id)
    }

    fn record_use(&self, id: SkillId, ok: bool, usage: Usage) -> Result<(), StorageError> {
        self.inner().record_use(id, ok, usage)
    }

    fn record_load(&self, id: SkillId, answer: MessageId) -> Result<(), StorageError> {
        self.inner().record_load(id, answer)
    }

    fn judge_loads(&self, answer: MessageId, judgement: Judgement) -> Result<(), StorageError> {
        self.inner().judge_loads(answer, judgement)
    }

    fn related_to(&self, slug: &Slug) -> Result<Vec<SkillId>, StorageError> {
        self.inner().related_to(slug)
    }

    fn dependents(&self, names: &[(Slug, String)]) -> Result<Vec<Vec<String>>, StorageError> {
        self.inner().dependents(names)
    }

    fn revisions(&self, id: SkillId, filter: &RevisionFilter, limit: usize) -> Result<RevisionPage, StorageError> {
        self.inner().revisions(id, filter, limit)
    }

    fn revision_with(&self, id: SkillId, tree: &Tree) -> Result<Option<i64>, StorageError> {
        self.inner().revision_with(id, tree)
    }

    fn revision_tree(&self, id: SkillId, number: i64) -> Result<Tree, StorageError> {
        self.inner().revision_tree(id, number)
    }

    fn revision_file(&self, id: SkillId, number: i64, path: &SkillPath) -> Result<Option<TreeFile>, StorageError> {
        self.inner().revision_file(id, number, path)
    }

    fn deleted(&self, id: SkillId) -> Result<Option<DeletedSkill>, StorageError> {
        self.inner().deleted(id)
    }

    fn list_deleted(&self) -> Result<Vec<DeletedSummary>, StorageError> {
        self.inner().list_deleted()
    }
}
