//! The indexes of open catalogs, and the vectors of their skills.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use inklings_core::{CancellationToken, Lifecycle, ProgressReporter, Scope, SkillCatalog, SkillId, SkillSummary, StorageError, Time};
use inklings_search::{EmbeddingModel, Exclusion, IndexedSkill, SkillIndex, SkillText, SkillVectors, VectorCache};

use super::error::SearchError;

pub(super) type Key = (Scope, SkillId);

/// Finds skills by messages. The embedding model is loaded with the first search.
pub struct SkillSearch {
    /// Folder of the embedding model, if it is installed.
    folder: Option<PathBuf>,
    /// File of the vectors.
    cache_file: PathBuf,
    model: OnceLock<Result<EmbeddingModel, String>>,
    cache: OnceLock<Option<VectorCache>>,
    /// By workspace.
    indexes: Mutex<HashMap<Option<PathBuf>, Arc<Mutex<CatalogIndex>>>>,
}

/// What a skill was indexed as.
#[derive(Debug, PartialEq)]
struct Indexed {
    revision: i64,
    enabled: bool,
    lifecycle: Lifecycle,
    /// A database may be replaced by another with the same revision.
    updated_at: Time,
}

#[derive(Default)]
pub(super) struct CatalogIndex {
    pub(super) index: SkillIndex<Key>,
    known: HashMap<Key, Indexed>,
}

impl SkillSearch {
    #[must_use]
    pub fn new(folder: Option<PathBuf>, cache_file: PathBuf) -> Self {
        let (model, cache, indexes) = (OnceLock::new(), OnceLock::new(), Mutex::default());
        Self { folder, cache_file, model, cache, indexes }
    }

    pub(super) fn of(&self, workspace: Option<&Path>) -> Arc<Mutex<CatalogIndex>> {
        self.indexes.lock().unwrap_or_else(PoisonError::into_inner).entry(workspace.map(Path::to_owned)).or_default().clone()
    }

    /// The model, or why there is none.
    pub(super) fn model(&self) -> Result<&EmbeddingModel, &str> {
        let load = || {
            let folder = self.folder.as_deref().ok_or("the embedding model isn't installed")?;
            EmbeddingModel::load(folder).map_err(|error| error.to_string())
        };
        self.model.get_or_init(load).as_ref().map_err(String::as_str)
    }

    fn cache(&self) -> Option<&VectorCache> {
        let open =
            || VectorCache::open(&self.cache_file).inspect_err(|error| tracing::warn!(%error, "vectors of skills can't be kept")).ok();
        self.cache.get_or_init(open).as_ref()
    }

    /// Kept vectors, or new ones. None without a model, or if it fails.
    fn vectors(&self, text: &SkillText) -> Option<SkillVectors> {
        let model = self.model().ok()?;
        let digest = text.digest();
        if let Some(kept) = self.cache().and_then(|cache| cache.get(digest).ok().flatten()) {
            return Some(kept);
        }
        let vectors = text.vectors(model).inspect_err(|error| tracing::warn!(%error, "a skill has no vector")).ok()?;
        if let Some(error) = self.cache().and_then(|cache| cache.put(&[(digest, vectors.clone())]).err()) {
            tracing::warn!(%error, "the vector of a skill can't be kept");
        }
        Some(vectors)
    }
}

pub(super) fn locked(index: &Mutex<CatalogIndex>) -> MutexGuard<'_, CatalogIndex> {
    index.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CatalogIndex {
    /// Reads what changed since the last time. A cancelled call keeps what it has read.
    pub(super) fn refresh(
        &mut self,
        search: &SkillSearch,
        catalog: &SkillCatalog,
        all: &[SkillSummary],
        cancel: &CancellationToken,
        progress: &ProgressReporter,
    ) -> Result<(), SearchError> {
        let current: HashMap<Key, &SkillSummary> = all.iter().map(|summary| ((summary.scope, summary.id), summary)).collect();
        let gone: Vec<Key> = self.known.keys().filter(|key| !current.contains_key(*key)).copied().collect();
        for key in gone {
            self.index.remove(&key);
            self.known.remove(&key);
        }
        let state = |summary: &SkillSummary| Indexed {
            revision: summary.revision,
            enabled: summary.enabled,
            lifecycle: summary.lifecycle,
            updated_at: summary.updated_at,
        };
        let changed: Vec<&SkillSummary> =
            all.iter().filter(|summary| self.known.get(&(summary.scope, summary.id)) != Some(&state(summary))).collect();
        for (done, summary) in changed.iter().enumerate() {
            if cancel.is_cancelled() {
                return Err(SearchError::Cancelled);
            }
            self.read(search, catalog, summary)?;
            self.known.insert((summary.scope, summary.id), state(summary));
            progress.report(done + 1, Some(changed.len()));
        }
        Ok(())
    }

    fn read(&mut self, search: &SkillSearch, catalog: &SkillCatalog, summary: &SkillSummary) -> Result<(), StorageError> {
        let key = (summary.scope, summary.id);
        // It was deleted meanwhile; the next refresh removes it.
        let Some(skill) = catalog.holder(summary.id, summary.scope)?.get_skill(summary.id)? else { return Ok(()) };
        let package = skill.package;
        let body = package.main().map(|main| main.content.to_string()).unwrap_or_default();
        let text = SkillText {
            slug: package.slug.to_string(),
            name: package.name,
            description: package.description,
            tags: package.tags,
            triggers: package.triggers,
            intent_patterns: package.intent_patterns,
            when_not_to_use: package.when_not_to_use,
            body,
        };
        let vectors = search.vectors(&text);
        let (quality, retired) = quality(summary.lifecycle);
        let excluded = if summary.enabled { retired } else { Some(Exclusion::Disabled) };
        self.index.insert(key, IndexedSkill { text, vectors, quality, excluded });
        Ok(())
    }
}

/// What the score of a skill is multiplied by, and why it isn't recommended.
const fn quality(lifecycle: Lifecycle) -> (f32, Option<Exclusion>) {
    match lifecycle {
        Lifecycle::Released => (1.0, None),
        Lifecycle::Verified => (0.95, None),
        Lifecycle::Candidate => (0.8, None),
        Lifecycle::Degraded => (0.7, None),
        Lifecycle::Deprecated => (0.7, Some(Exclusion::Deprecated)),
        Lifecycle::Archived => (0.7, Some(Exclusion::Archived)),
    }
}
