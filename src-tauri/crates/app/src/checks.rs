//! What the validator said of whole skills, kept from one question to the next: a list of all problems is asked for again
//! with each change, and only what changed has to be checked.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use inklings_core::{Diagnostic, Scope, SkillCatalog, SkillId, SkillListItem, StorageError};

use crate::app::App;
use inklings_rpc::CallContext;

/// Skills that are remembered beside those that there are, before all are forgotten.
const SPARE: usize = 2_000;

/// Findings by skill, as of a revision of it.
#[derive(Default)]
pub struct Checks {
    known: Mutex<Known>,
}

/// A workspace's database may be a copy of another's, so a skill's id alone is not enough.
type Key = (Option<PathBuf>, SkillId);
/// With the revision that the findings are of.
type Known = HashMap<Key, (i64, Arc<[Diagnostic]>)>;

impl Checks {
    /// The findings about a skill as it is stored; none when it is gone.
    pub(crate) fn of(
        &self,
        app: &App,
        cx: &CallContext,
        catalog: &SkillCatalog,
        brief: &SkillListItem,
    ) -> Result<Option<Arc<[Diagnostic]>>, StorageError> {
        let folder = if brief.scope == Scope::Workspace { cx.workspace.clone() } else { None };
        let key = (folder, brief.id);
        if let Some((revision, found)) = self.lock().get(&key)
            && *revision == brief.revision
        {
            return Ok(Some(found.clone()));
        }
        // Not under the lock: others may look meanwhile, at worst one skill is checked twice.
        let Some(skill) = catalog.holder(brief.id, brief.scope)?.get_skill(brief.id)? else { return Ok(None) };
        let found: Arc<[Diagnostic]> = inklings_lint::check_skill(&skill.package, app.folder.as_ref()).into();
        self.lock().insert(key, (skill.head.revision, found.clone()));
        Ok(Some(found))
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    /// Forgets everything when most of it can only be of skills that are gone.
    pub(crate) fn thin_out(&self, skills: usize) {
        let mut known = self.lock();
        if known.len() > skills * 2 + SPARE {
            known.clear();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
