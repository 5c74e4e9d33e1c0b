//! The skills of a catalog by slug, as of its version: a page costs no list of all skills.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use inklings_core::{Scope, SkillCatalog, SkillSummary, StorageError};

use crate::features::tool::service::summaries;

/// Lists are large, and few are asked for again.
const MAX_LISTS: usize = 4;

/// With the scope that is listed. None for the visible skills of both.
type Key = (Option<PathBuf>, Option<Scope>);
/// By what is listed, with the version at which it was.
type Lists = HashMap<Key, ((i64, Option<i64>), Arc<[SkillSummary]>)>;

#[derive(Default)]
pub struct ListCache(Mutex<Lists>);

impl ListCache {
    /// The visible skills or, with a scope, those of it.
    pub(crate) fn list(
        &self,
        catalog: &SkillCatalog,
        workspace: Option<&Path>,
        scope: Option<Scope>,
    ) -> Result<Arc<[SkillSummary]>, StorageError> {
        let key = (workspace.map(Path::to_owned), scope);
        // Asked for before the list is read, which may be newer, so that it is never kept for longer than it is right.
        let version = catalog.version()?;
        if let Some((listed_at, list)) = self.lock().get(&key)
            && *listed_at == version
        {
            return Ok(list.clone());
        }
        let mut skills = summaries(catalog, scope)?;
        skills.sort_by(|one, other| one.slug.cmp(&other.slug));
        let list: Arc<[SkillSummary]> = skills.into();
        let mut lists = self.lock();
        if lists.len() >= MAX_LISTS && !lists.contains_key(&key) {
            lists.clear();
        }
        lists.insert(key, (version, list.clone()));
        Ok(list)
    }

    /// Forgets all lists: a replaced database may have other skills at the same version.
    pub fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, Lists> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
