//! The skills of a scope for a caller who may change only those that it created.
//!
//! Whatever an operation does, it writes through a repository, so the limit holds here for all operations.

use std::sync::Arc;

use inklings_core::change::{ChangeSet, Expected};
use inklings_core::{
    BatchCommit, LifecycleAction, LifecycleChange, RepositoryDecorator, Skill, SkillId, SkillStorageRepository, StorageError,
};

pub(crate) fn ensure_owned(skill: &Skill, actor: &str) -> Result<(), StorageError> {
    if skill.head.created_by.as_deref() == Some(actor) {
        return Ok(());
    }
    Err(StorageError::Refused { slug: skill.package.slug.clone(), why: "was created by someone else" })
}

pub(crate) struct OwnSkills {
    all: Arc<dyn SkillStorageRepository>,
    actor: String,
}

impl OwnSkills {
    pub(crate) fn of(all: Arc<dyn SkillStorageRepository>, actor: &str) -> Arc<dyn SkillStorageRepository> {
        Arc::new(Self { all, actor: actor.to_owned() })
    }

    fn ensure_owned(&self, id: SkillId) -> Result<(), StorageError> {
        self.all.get_skill(id)?.map_or(Ok(()), |skill| ensure_owned(&skill, &self.actor))
    }

    fn ensure_all_owned(&self, changes: &[(ChangeSet, Expected)]) -> Result<(), StorageError> {
        changes.iter().try_for_each(|(change, _)| self.ensure_owned(change.id))
    }
}

impl RepositoryDecorator for OwnSkills {
    fn inner(&self) -> &dyn SkillStorageRepository {
        self.all.as_ref()
    }

    fn commit(&self, change: &ChangeSet, expected: Expected) -> Result<i64, StorageError> {
        self.ensure_owned(change.id)?;
        self.all.commit(change, expected)
    }

    fn commit_together(&self, changes: &[(ChangeSet, Expected)]) -> Result<Vec<i64>, StorageError> {
        self.ensure_all_owned(changes)?;
        self.all.commit_together(changes)
    }

    fn commit_all(&self, changes: &[(ChangeSet, Expected)]) -> BatchCommit {
        match self.ensure_all_owned(changes) {
            Ok(()) => self.all.commit_all(changes),
            Err(fault) => BatchCommit { results: Vec::new(), fault: Some(fault) },
        }
    }

    fn set_enabled(&self, id: SkillId, enabled: bool, actor: &str) -> Result<(), StorageError> {
        self.ensure_owned(id)?;
        self.all.set_enabled(id, enabled, actor)
    }

    /// Who wrote a skill may retire it, but not vouch for it.
    fn set_lifecycle(&self, id: SkillId, change: &LifecycleChange, actor: &str) -> Result<bool, StorageError> {
        self.ensure_owned(id)?;
        if matches!(change.action, LifecycleAction::Promote | LifecycleAction::Reinstate)
            && let Some(skill) = self.all.get_skill(id)?
        {
            return Err(StorageError::Refused { slug: skill.package.slug, why: "must be reviewed by someone else" });
        }
        self.all.set_lifecycle(id, change, actor)
    }
}
