//! A cache of what the validator found in stored skills, by id and revision: a skill is read and checked once per revision, whether it is
//! saved, opened or listed among all problems.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use inklings_core::{Diagnostic, Scope, Skill, SkillCatalog, SkillFormat, SkillId, SkillListItem, StorageError};

/// Entries beyond twice the number of skills before all are evicted.
const CACHE_SLACK: usize = 2_000;

/// The diagnostics of skills, as of a revision.
#[derive(Default)]
pub struct CheckCache {
    entries: Mutex<Entries>,
}

/// A workspace's database may be a copy of another's, so a skill's id alone is not enough.
type Key = (Option<PathBuf>, SkillId);
/// With the revision that was checked.
type Entries = HashMap<Key, (i64, Arc<[Diagnostic]>)>;

impl CheckCache {
    /// The diagnostics of a skill as it was read.
    pub(crate) fn of_skill(&self, format: &dyn SkillFormat, workspace: Option<&Path>, skill: &Skill) -> Arc<[Diagnostic]> {
        let key = key(workspace, skill.head.scope, skill.head.id);
        self.cached(&key, skill.head.revision).unwrap_or_else(|| self.check(key, format, skill))
    }

    /// The diagnostics of a skill as it is stored; none if it was deleted. An unchanged skill isn't read.
    pub(crate) fn of_item(
        &self,
        catalog: &SkillCatalog,
        format: &dyn SkillFormat,
        workspace: Option<&Path>,
        item: &SkillListItem,
    ) -> Result<Option<Arc<[Diagnostic]>>, StorageError> {
        let key = key(workspace, item.scope, item.id);
        if let Some(diagnostics) = self.cached(&key, item.revision) {
            return Ok(Some(diagnostics));
        }
        let stored = catalog.holder(item.id, item.scope)?.get_skill(item.id)?;
        Ok(stored.map(|skill| self.check(key, format, &skill)))
    }

    fn cached(&self, key: &Key, revision: i64) -> Option<Arc<[Diagnostic]>> {
        self.lock().get(key).filter(|(checked, _)| *checked == revision).map(|(_, diagnostics)| diagnostics.clone())
    }

    /// Checks without the lock: at worst two callers check the same skill.
    fn check(&self, key: Key, format: &dyn SkillFormat, skill: &Skill) -> Arc<[Diagnostic]> {
        let diagnostics: Arc<[Diagnostic]> = inklings_lint::check_skill(&skill.package, format).into();
        self.lock().insert(key, (skill.head.revision, diagnostics.clone()));
        diagnostics
    }

    /// Forgets all skills: a replaced database may hold other texts at the same revisions.
    pub fn clear(&self) {
        self.lock().clear();
    }

    /// Evicts everything once most entries can only be of deleted skills.
    pub(crate) fn evict_above(&self, skills: usize) {
        let mut entries = self.lock();
        if entries.len() > skills * 2 + CACHE_SLACK {
            entries.clear();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(workspace: Option<&Path>, scope: Scope, id: SkillId) -> Key {
    (workspace.filter(|_| scope == Scope::Workspace).map(Path::to_owned), id)
}
