//! Repositories that do something around the writes of another one.

use std::sync::Arc;

use crate::change::{ChangeSet, Expected, RevisionFilter, RevisionPage, TreeManifest};
use crate::id::{ArtifactId, MessageId, SkillId};
use crate::kind::ArtifactKind;
use crate::lifecycle::{LifecycleChange, LifecycleEntry};
use crate::name::Slug;
use crate::path::SkillPath;
use crate::ports::{BatchCommit, DeletedSkill, DeletedSummary, SkillFacts, SkillFormat, SkillNames, SkillStorageRepository};
use crate::reliability::{Judgement, SkillUsage, UsageSignals};
use crate::skill::{Artifact, Scope, Skill, SkillSummary};
use crate::skill_list::{NameMatch, ScopeListPage, SkillListItem};
use crate::storage_error::StorageError;
use crate::time::Time;
use crate::trace::Usage;
use crate::tree::{Tree, TreeFile};

/// A [`SkillStorageRepository`] that reads from another one and decides about its writes. Everything but these five methods goes to
/// [`Self::inner`] directly.
pub trait RepositoryDecorator: Send + Sync {
    fn inner(&self) -> &dyn SkillStorageRepository;

    fn commit(&self, change: &ChangeSet, expected: Expected) -> Result<i64, StorageError>;

    fn commit_together(&self, changes: &[(ChangeSet, Expected)]) -> Result<Vec<i64>, StorageError>;

    fn commit_all(&self, changes: &[(ChangeSet, Expected)]) -> BatchCommit;

    fn set_enabled(&self, id: SkillId, enabled: bool, actor: &str) -> Result<(), StorageError>;

    fn set_lifecycle(&self, id: SkillId, change: &LifecycleChange, actor: &str) -> Result<bool, StorageError>;
}

impl<T: RepositoryDecorator> SkillStorageRepository for T {
    fn commit(&self, change: &ChangeSet, expected: Expected) -> Result<i64, StorageError> {
        RepositoryDecorator::commit(self, change, expected)
    }

    fn commit_together(&self, changes: &[(ChangeSet, Expected)]) -> Result<Vec<i64>, StorageError> {
        RepositoryDecorator::commit_together(self, changes)
    }

    fn commit_all(&self, changes: &[(ChangeSet, Expected)]) -> BatchCommit {
        RepositoryDecorator::commit_all(self, changes)
    }

    fn set_enabled(&self, id: SkillId, enabled: bool, actor: &str) -> Result<(), StorageError> {
        RepositoryDecorator::set_enabled(self, id, enabled, actor)
    }

    fn set_lifecycle(&self, id: SkillId, change: &LifecycleChange, actor: &str) -> Result<bool, StorageError> {
        RepositoryDecorator::set_lifecycle(self, id, change, actor)
    }

    fn lifecycle_history(&self, id: SkillId) -> Result<Vec<LifecycleEntry>, StorageError> {
        self.inner().lifecycle_history(id)
    }

    fn has_slug(&self, slug: &Slug) -> Result<bool, StorageError> {
        self.inner().has_slug(slug)
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

    fn usage_of(&self, id: SkillId) -> Result<Option<UsageSignals>, StorageError> {
        self.inner().usage_of(id)
    }

    fn forks(&self) -> Result<Vec<SkillId>, StorageError> {
        self.inner().forks()
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

    fn get_values_by_name(&self, name: &str) -> Result<Option<Skill>, StorageError> {
        self.inner().get_values_by_name(name)
    }

    fn get_file(&self, id: SkillId, path: &SkillPath) -> Result<Option<TreeFile>, StorageError> {
        self.inner().get_file(id, path)
    }

    fn get_artifacts(&self, id: SkillId, kinds: &[ArtifactKind]) -> Result<Vec<Artifact>, StorageError> {
        self.inner().get_artifacts(id, kinds)
    }

    fn get_artifact(&self, id: ArtifactId) -> Result<Option<Artifact>, StorageError> {
        self.inner().get_artifact(id)
    }

    fn record_use(&self, id: SkillId, ok: bool, usage: Usage) -> Result<(), StorageError> {
        self.inner().record_use(id, ok, usage)
    }

    fn record_load(&self, id: SkillId, answer: Option<MessageId>) -> Result<(), StorageError> {
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

    fn revision_manifest(&self, id: SkillId, number: i64) -> Result<Option<TreeManifest>, StorageError> {
        self.inner().revision_manifest(id, number)
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
