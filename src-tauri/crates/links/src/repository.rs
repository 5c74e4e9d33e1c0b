//! A store whose linked skills are synchronized around every write.

use std::sync::Arc;

use inklings_core::change::{ChangeSet, Expected};
use inklings_core::{BatchCommit, LifecycleChange, RepositoryDecorator, SkillId, SkillStorageRepository, StorageError};

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

impl RepositoryDecorator for LinkedRepository {
    fn inner(&self) -> &dyn SkillStorageRepository {
        self.scope.repository.as_ref()
    }

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

    fn set_enabled(&self, id: SkillId, enabled: bool, actor: &str) -> Result<(), StorageError> {
        self.inner().set_enabled(id, enabled, actor)
    }

    fn set_lifecycle(&self, id: SkillId, change: &LifecycleChange, actor: &str) -> Result<bool, StorageError> {
        self.inner().set_lifecycle(id, change, actor)
    }
}
