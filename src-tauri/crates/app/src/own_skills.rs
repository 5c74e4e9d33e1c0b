//! The skills of a scope for a caller who may change only those that it created, or none.
//!
//! Whatever an operation does, it writes through a repository, so the limit holds here for all operations.

use std::sync::Arc;

use inklings_core::change::{ChangeSet, Expected};
use inklings_core::{
    BatchCommit, LifecycleAction, LifecycleChange, RepositoryDecorator, Scope, Skill, SkillId, SkillStorageRepository, StorageError,
};

fn refused(skill: &Skill, why: &'static str) -> StorageError {
    StorageError::Refused { slug: skill.package.slug.clone(), why }
}

fn of_account(skill: &Skill) -> StorageError {
    refused(skill, "belongs to the account")
}

/// For a caller whose role is for one workspace.
pub(crate) fn ensure_in_workspace(skill: &Skill) -> Result<(), StorageError> {
    if skill.head.scope == Scope::Workspace { Ok(()) } else { Err(of_account(skill)) }
}

pub(crate) fn ensure_owned(skill: &Skill, actor: &str) -> Result<(), StorageError> {
    if skill.head.created_by.as_deref() == Some(actor) {
        return Ok(());
    }
    Err(refused(skill, "was created by someone else"))
}

pub(crate) struct OwnSkills {
    all: Arc<dyn SkillStorageRepository>,
    /// Who created those that may be changed. None if nothing may be.
    actor: Option<String>,
}

impl OwnSkills {
    pub(crate) fn of(all: Arc<dyn SkillStorageRepository>, actor: &str) -> Arc<dyn SkillStorageRepository> {
        Arc::new(Self { all, actor: Some(actor.to_owned()) })
    }

    /// The skills of the account, none of which may be changed.
    pub(crate) fn none_of(account: Arc<dyn SkillStorageRepository>) -> Arc<dyn SkillStorageRepository> {
        Arc::new(Self { all: account, actor: None })
    }

    fn ensure_allowed(&self, id: SkillId, after: Option<&Skill>) -> Result<(), StorageError> {
        let present = self.all.get_skill(id)?;
        match &self.actor {
            Some(actor) => present.map_or(Ok(()), |skill| ensure_owned(&skill, actor)),
            None => present.as_ref().or(after).map_or(Ok(()), |skill| Err(of_account(skill))),
        }
    }

    fn ensure_change_allowed(&self, change: &ChangeSet) -> Result<(), StorageError> {
        self.ensure_allowed(change.id, change.after.as_ref())
    }
}

impl RepositoryDecorator for OwnSkills {
    fn inner(&self) -> &dyn SkillStorageRepository {
        self.all.as_ref()
    }

    fn commit(&self, change: &ChangeSet, expected: Expected) -> Result<i64, StorageError> {
        self.ensure_change_allowed(change)?;
        self.all.commit(change, expected)
    }

    fn commit_together(&self, changes: &[(ChangeSet, Expected)]) -> Result<Vec<i64>, StorageError> {
        changes.iter().try_for_each(|(change, _)| self.ensure_change_allowed(change))?;
        self.all.commit_together(changes)
    }

    /// A skill that may not be changed is refused, the others are stored.
    fn commit_all(&self, changes: &[(ChangeSet, Expected)]) -> BatchCommit {
        let checks: Vec<_> = changes.iter().map(|(change, _)| self.ensure_change_allowed(change)).collect();
        let allowed: Vec<_> = changes.iter().zip(&checks).filter(|(_, check)| check.is_ok()).map(|(change, _)| change.clone()).collect();
        let BatchCommit { results, fault } = self.all.commit_all(&allowed);
        let mut stored = results.into_iter();
        let results = checks.into_iter().map_while(|check| check.map_or_else(|refusal| Some(Err(refusal)), |()| stored.next()));
        BatchCommit { results: results.collect(), fault }
    }

    fn set_enabled(&self, id: SkillId, enabled: bool, actor: &str) -> Result<(), StorageError> {
        self.ensure_allowed(id, None)?;
        self.all.set_enabled(id, enabled, actor)
    }

    /// Who wrote a skill may retire it, but not vouch for it.
    fn set_lifecycle(&self, id: SkillId, change: &LifecycleChange, actor: &str) -> Result<bool, StorageError> {
        self.ensure_allowed(id, None)?;
        if matches!(change.action, LifecycleAction::Promote | LifecycleAction::Reinstate)
            && let Some(skill) = self.all.get_skill(id)?
        {
            return Err(refused(&skill, "must be reviewed by someone else"));
        }
        self.all.set_lifecycle(id, change, actor)
    }
}
