//! The indexes of open catalogs, and the vectors of their skills.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use inklings_core::name::lookup_key;
use inklings_core::reliability::UsageSignals;
use inklings_core::skill::{Package, RelationKind};
use inklings_core::user::workspace_key;
use inklings_core::{CancellationToken, Lifecycle, ProgressReporter, Scope, SkillCatalog, SkillId, SkillSummary, StorageError, Time};
use inklings_search::{EmbeddingModel, Exclusion, IndexedSkill, SkillIndex, SkillText, SkillVectors, VectorCache, shipped_vectors};

use serde::{Deserialize, Serialize};

use super::api::{IndexingProgress, SearchStatus};
use super::error::SearchError;

pub(super) type Key = (Scope, SkillId);

/// Vectors that are computed while the index is locked, 5 to 15 ms each.
const SLICE: usize = 10;

/// The index is kept when this part of the skills was read, as a divisor, or at least so many. A start reads the others again.
const SAVED_PART: usize = 50;
const MIN_UNSAVED: usize = 50;

/// Is told when the status of the search may have changed, from any thread. Must not block.
pub trait SearchEvents: Send + Sync {
    fn on_status_change(&self);
}

const NO_MODEL: &str = "the embedding model isn't installed";

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
    /// Held while missing vectors are computed.
    completing: Mutex<()>,
    /// The workspace whose vectors are computed.
    indexing: Mutex<Option<(Option<PathBuf>, IndexingProgress)>>,
    events: Arc<dyn SearchEvents>,
}

/// Reports the progress of the background, and its end when dropped.
struct Reporting<'a> {
    search: &'a SkillSearch,
    workspace: Option<&'a Path>,
}

impl Reporting<'_> {
    fn report(&self, progress: IndexingProgress) {
        self.search.set_indexing(Some((self.workspace.map(Path::to_owned), progress)));
    }
}

impl Drop for Reporting<'_> {
    fn drop(&mut self) {
        self.search.set_indexing(None);
    }
}

/// What a skill was indexed as.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Indexed {
    revision: i64,
    enabled: bool,
    lifecycle: Lifecycle,
    /// A database may be replaced by another with the same revision.
    updated_at: Time,
}

#[derive(Default)]
pub(super) struct CatalogIndex {
    /// See [`workspace_key`].
    workspace: String,
    pub(super) index: SkillIndex<Key>,
    known: HashMap<Key, Indexed>,
    /// Skills whose vectors weren't computed yet; only their words count.
    without_vectors: HashSet<Key>,
    /// What the runs of skills say, as it was applied.
    usage: HashMap<Key, UsageSignals>,
    /// The catalog as it was listed last.
    listed: Option<(CatalogVersion, Arc<[SkillSummary]>)>,
    /// Whether the last start's index was looked for.
    is_loaded: bool,
    /// Skills that were read since the index was kept.
    unsaved: usize,
}

/// An index as it is kept between starts.
#[derive(Deserialize)]
struct Kept {
    /// Whether there was an embedding model.
    by_meaning: bool,
    index: SkillIndex<Key>,
    known: Vec<(Key, Indexed)>,
    without_vectors: HashSet<Key>,
}

/// See [`SkillCatalog::version`].
type CatalogVersion = (i64, Option<i64>);

/// How many vectors a search may compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VectorBudget {
    All,
    AtMost(usize),
}

impl VectorBudget {
    const fn allows(self, computed: usize) -> bool {
        match self {
            Self::All => true,
            Self::AtMost(most) => computed < most,
        }
    }
}

/// The vectors of a skill, as far as they are there.
enum Found {
    Kept(Option<SkillVectors>),
    Computed(Option<SkillVectors>),
    /// To be computed later.
    Missing,
}

impl SkillSearch {
    #[must_use]
    pub fn new(folder: Option<PathBuf>, cache_file: PathBuf, events: Arc<dyn SearchEvents>) -> Self {
        let (model, cache, indexes) = (OnceLock::new(), OnceLock::new(), Mutex::default());
        let (completing, indexing) = (Mutex::default(), Mutex::default());
        Self { folder, cache_file, model, cache, indexes, completing, indexing, events }
    }

    /// Neither loads the model nor waits for a search.
    pub(super) fn status(&self, workspace: Option<&Path>) -> SearchStatus {
        let indexing = self.indexing.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let words_only = match (&self.folder, self.model.get()) {
            (None, _) => Some(NO_MODEL.to_owned()),
            (Some(_), Some(Err(why))) => Some(why.clone()),
            (Some(_), _) => None,
        };
        SearchStatus { indexing: indexing.filter(|(of, _)| of.as_deref() == workspace).map(|(_, progress)| progress), words_only }
    }

    fn set_indexing(&self, indexing: Option<(Option<PathBuf>, IndexingProgress)>) {
        *self.indexing.lock().unwrap_or_else(PoisonError::into_inner) = indexing;
        self.events.on_status_change();
    }

    pub(super) fn of(&self, workspace: Option<&Path>) -> Arc<Mutex<CatalogIndex>> {
        let open = || Arc::new(Mutex::new(CatalogIndex { workspace: workspace_key(workspace), ..CatalogIndex::default() }));
        self.indexes.lock().unwrap_or_else(PoisonError::into_inner).entry(workspace.map(Path::to_owned)).or_insert_with(open).clone()
    }

    /// The model, or why there is none.
    pub(super) fn model(&self) -> Result<&EmbeddingModel, &str> {
        let load = || {
            let folder = self.folder.as_deref().ok_or(NO_MODEL)?;
            EmbeddingModel::load(folder).map_err(|error| error.to_string())
        };
        let is_known = self.model.get().is_some();
        let model = self.model.get_or_init(load).as_ref().map_err(String::as_str);
        if !is_known && model.is_err() {
            self.events.on_status_change();
        }
        model
    }

    fn cache(&self) -> Option<&VectorCache> {
        let open =
            || VectorCache::open(&self.cache_file).inspect_err(|error| tracing::warn!(%error, "vectors of skills can't be kept")).ok();
        self.cache.get_or_init(open).as_ref()
    }

    /// Kept vectors, or new ones if they may be computed. None without a model, or if it fails.
    fn vectors(&self, text: &SkillText, compute: bool) -> Found {
        let Ok(model) = self.model() else { return Found::Kept(None) };
        let digest = text.digest();
        if let Some(shipped) = shipped_vectors(digest) {
            return Found::Kept(Some(shipped.clone()));
        }
        if let Some(kept) = self.cache().and_then(|cache| cache.get(digest).ok().flatten()) {
            return Found::Kept(Some(kept));
        }
        if !compute {
            return Found::Missing;
        }
        let vectors = text.vectors(model).inspect_err(|error| tracing::warn!(%error, "a skill has no vector")).ok();
        let put = |vectors: &SkillVectors| self.cache().and_then(|cache| cache.put(&[(digest, vectors.clone())]).err());
        if let Some(error) = vectors.as_ref().and_then(put) {
            tracing::warn!(%error, "the vector of a skill can't be kept");
        }
        Found::Computed(vectors)
    }

    fn kept(&self, workspace: &str) -> Option<Kept> {
        let kept = self.cache()?.index::<Kept>(workspace);
        let kept = kept.inspect_err(|error| tracing::warn!(%error, "the index of skills is built anew")).ok()??;
        (kept.by_meaning == self.model().is_ok()).then_some(kept)
    }

    fn keep(&self, index: &CatalogIndex) {
        let known: Vec<(&Key, &Indexed)> = index.known.iter().collect();
        // As `Kept`.
        let kept = (self.model().is_ok(), &index.index, known, &index.without_vectors);
        if let Some(Err(error)) = self.cache().map(|cache| cache.put_index(&index.workspace, &kept)) {
            tracing::warn!(%error, "the index of skills can't be kept");
        }
    }

    /// Computes the missing vectors of a catalog, some at a time so that searches needn't wait. Blocks, first until other threads are done
    /// with it.
    pub(super) fn complete(&self, workspace: Option<&Path>, catalog: &SkillCatalog) {
        let _one = self.completing.lock().unwrap_or_else(PoisonError::into_inner);
        let index = self.of(workspace);
        let reporting = Reporting { search: self, workspace };
        loop {
            let (cancel, progress) = (CancellationToken::new(), ProgressReporter::default());
            match locked(&index).refresh(self, catalog, VectorBudget::AtMost(SLICE), &cancel, &progress) {
                Ok((_, 0)) => return,
                Ok((all, missing)) => {
                    reporting.report(IndexingProgress { done: all.len().saturating_sub(missing), total: all.len() });
                    std::thread::yield_now();
                }
                Err(error) => {
                    tracing::warn!(%error, "vectors of skills aren't computed");
                    return;
                }
            }
        }
    }
}

pub(super) fn locked(index: &Mutex<CatalogIndex>) -> MutexGuard<'_, CatalogIndex> {
    index.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CatalogIndex {
    /// Reads what changed since the last time, and computes missing vectors within the budget. Returns the skills, and the number of those
    /// that still have no vectors. A cancelled call keeps what it has read.
    pub(super) fn refresh(
        &mut self,
        search: &SkillSearch,
        catalog: &SkillCatalog,
        budget: VectorBudget,
        cancel: &CancellationToken,
        progress: &ProgressReporter,
    ) -> Result<(Arc<[SkillSummary]>, usize), SearchError> {
        if !std::mem::replace(&mut self.is_loaded, true)
            && let Some(Kept { index, known, without_vectors, .. }) = search.kept(&self.workspace)
        {
            (self.index, self.known, self.without_vectors) = (index, known.into_iter().collect(), without_vectors);
        }
        let version = catalog.version()?;
        let listed = self.listed.as_ref().filter(|(known, _)| *known == version).map(|(_, all)| all.clone());
        if let Some(all) = &listed
            && self.without_vectors.is_empty()
        {
            self.apply_usage(catalog.usage()?, all);
            return Ok((all.clone(), 0));
        }
        let all = match listed {
            Some(all) => all,
            None => catalog.list_all()?.into(),
        };
        let current: HashMap<Key, &SkillSummary> = all.iter().map(|summary| ((summary.scope, summary.id), summary)).collect();
        let deleted: Vec<Key> = self.known.keys().filter(|key| !current.contains_key(*key)).copied().collect();
        for key in deleted {
            self.index.remove(&key);
            self.known.remove(&key);
            self.without_vectors.remove(&key);
        }
        let state = |summary: &SkillSummary| Indexed {
            revision: summary.revision,
            enabled: summary.enabled,
            lifecycle: summary.lifecycle,
            updated_at: summary.updated_at,
        };
        let is_read = |summary: &&SkillSummary| {
            let key = (summary.scope, summary.id);
            self.known.get(&key) != Some(&state(summary)) || self.without_vectors.contains(&key)
        };
        let changed: Vec<&SkillSummary> = all.iter().filter(is_read).collect();
        let mut computed = 0;
        for (done, summary) in changed.iter().enumerate() {
            if cancel.is_cancelled() {
                return Err(SearchError::Cancelled);
            }
            let key = (summary.scope, summary.id);
            let is_new = self.known.get(&key) != Some(&state(summary));
            if !is_new && !budget.allows(computed) {
                break;
            }
            computed += self.read(search, catalog, summary, budget.allows(computed))?;
            self.known.insert(key, state(summary));
            self.unsaved += 1;
            progress.report(done + 1, Some(changed.len()));
        }
        if self.unsaved >= (all.len() / SAVED_PART).max(MIN_UNSAVED) {
            self.unsaved = 0;
            search.keep(self);
        }
        self.usage.clear();
        self.apply_usage(catalog.usage()?, &all);
        self.listed = Some((version, all.clone()));
        Ok((all, self.without_vectors.len()))
    }

    /// Sets what the scores of skills with other signals than before are multiplied by.
    fn apply_usage(&mut self, usage: HashMap<Key, UsageSignals>, all: &[SkillSummary]) {
        if self.usage == usage {
            return;
        }
        for summary in all {
            let key = (summary.scope, summary.id);
            let signals = usage.get(&key);
            if signals.is_some() && signals != self.usage.get(&key) {
                let (quality, excluded) = rating(summary, signals.copied().unwrap_or_default());
                self.index.set_rating(&key, quality, excluded);
            }
        }
        self.usage = usage;
    }

    /// Returns the number of vectors that were computed.
    fn read(&mut self, search: &SkillSearch, catalog: &SkillCatalog, summary: &SkillSummary, compute: bool) -> Result<usize, StorageError> {
        let key = (summary.scope, summary.id);
        self.without_vectors.remove(&key);
        // It was deleted meanwhile; the next refresh removes it.
        let Some(skill) = catalog.holder(summary.id, summary.scope)?.get_skill(summary.id)? else { return Ok(0) };
        let conflicts = skill.package.related(RelationKind::ConflictsWith).map(lookup_key).collect();
        let text = text_of(skill.package);
        let (vectors, computed) = match search.vectors(&text, compute) {
            Found::Kept(vectors) => (vectors, 0),
            Found::Computed(vectors) => (vectors, 1),
            Found::Missing => {
                self.without_vectors.insert(key);
                (None, 0)
            }
        };
        let (quality, excluded) = rating(summary, UsageSignals::default());
        self.index.insert(key, IndexedSkill { text, vectors, quality, excluded, conflicts });
        Ok(computed)
    }
}

/// What a skill is found by.
#[must_use]
pub fn text_of(package: Package) -> SkillText {
    let body = package.main().map(|main| main.content.to_string()).unwrap_or_default();
    SkillText {
        slug: package.slug.to_string(),
        name: package.name,
        description: package.description,
        tags: package.tags,
        triggers: package.triggers,
        intent_patterns: package.intent_patterns,
        when_not_to_use: package.when_not_to_use,
        body,
    }
}

/// What the score of a skill is multiplied by, and why it isn't recommended.
fn rating(summary: &SkillSummary, signals: UsageSignals) -> (f32, Option<Exclusion>) {
    let excluded = match summary.lifecycle {
        _ if !summary.enabled => Some(Exclusion::Disabled),
        Lifecycle::Deprecated => Some(Exclusion::Deprecated),
        Lifecycle::Archived => Some(Exclusion::Archived),
        lifecycle => (!signals.is_reliable(summary.origin, lifecycle, summary.trust_tier)).then_some(Exclusion::Unproven),
    };
    (signals.quality(summary.lifecycle), excluded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Count(std::sync::atomic::AtomicUsize);

    impl SearchEvents for Count {
        fn on_status_change(&self) {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    }

    #[test]
    fn the_status_has_the_progress_of_its_workspace_until_the_background_ends() {
        let events = Arc::new(Count::default());
        let search = SkillSearch::new(None, PathBuf::from("unused"), events.clone());
        let work = Path::new("/work");
        let indexing = |workspace| search.status(workspace).indexing;
        assert_eq!(search.status(None), SearchStatus { indexing: None, words_only: Some(NO_MODEL.to_owned()) });
        {
            let reporting = Reporting { search: &search, workspace: Some(work) };
            for done in [10, 20] {
                let progress = IndexingProgress { done, total: 30 };
                reporting.report(progress);
                assert_eq!((indexing(Some(work)), indexing(None)), (Some(progress), None));
            }
        }
        assert_eq!(indexing(Some(work)), None);
        assert_eq!(events.0.load(std::sync::atomic::Ordering::Relaxed), 3);
    }
}
