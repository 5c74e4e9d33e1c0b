//! [`Index`]: the pages of one workspace, indexed on first use.
//!
//! Deliberately absent: a thread of its own; see [`crate::PageWatcher`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use inklings_core::pages::{
    BrokenLink, HistoryEntry, Hit, IndexProgress, OnIndexProgress, Page, PageChanges, PageFilter, PageList, PageSummary, Pages, PagesError,
    PagesStatus, References,
};
use inklings_core::{CancellationToken, Clock, StorageError, Time};
use inklings_sqlite::Database;

use crate::cache::Cache;
use crate::refresh::{RefreshReport, refresh};
use crate::{history, query, search};

/// The page index of a workspace. Created lazily by the first call that needs it.
pub struct Index {
    root: PathBuf,
    clock: Arc<dyn Clock>,
    cache: Mutex<Option<Arc<Cache>>>,
    refresh_lock: Mutex<()>,
    /// Whether this process has refreshed the index.
    ready: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    indexed_at: Option<Time>,
    progress: Option<IndexProgress>,
}

impl Index {
    /// The pages below `root`.
    #[must_use]
    pub fn new(root: &Path, clock: Arc<dyn Clock>) -> Self {
        Self {
            root: root.to_owned(),
            clock,
            cache: Mutex::default(),
            refresh_lock: Mutex::default(),
            ready: AtomicBool::new(false),
            state: Mutex::default(),
        }
    }

    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Closes the index file. The next use opens it again.
    pub fn close(&self) {
        self.evict();
    }

    fn evict(&self) {
        self.ready.store(false, Ordering::Release);
        *lock(&self.cache) = None;
    }

    fn cache(&self) -> Result<Arc<Cache>, PagesError> {
        let mut cache = lock(&self.cache);
        // The user may have deleted the file to rebuild the index.
        if let Some(open) = cache.as_ref().filter(|open| open.database.is_present()) {
            return Ok(open.clone());
        }
        let open = Arc::new(Cache::open(&self.root)?);
        *cache = Some(open.clone());
        Ok(open)
    }

    /// Refreshes the index and returns the files of the folder.
    pub(crate) fn compare(&self, progress: OnIndexProgress<'_>, cancel: &CancellationToken) -> Result<RefreshReport, PagesError> {
        let _guard = lock(&self.refresh_lock);
        let note = |now: IndexProgress| {
            lock(&self.state).progress = Some(now);
            progress(now);
        };
        note(IndexProgress::default());
        let run = || {
            let cache = self.cache()?;
            refresh(&self.root, &cache.database, &note, cancel)
        };
        let outcome = self.with_rebuild(run);
        let mut state = lock(&self.state);
        state.progress = None;
        if outcome.is_ok() {
            state.indexed_at = Some(self.clock.now());
            self.ready.store(true, Ordering::Release);
        }
        outcome
    }

    /// Calls `run`, and again with a new index file if the current one turns out to be unusable.
    fn with_rebuild<T>(&self, run: impl Fn() -> Result<T, PagesError>) -> Result<T, PagesError> {
        match run() {
            Err(PagesError::Storage(error)) if is_unusable(&error) => {
                tracing::warn!(workspace = %self.root.display(), %error, "rebuilding the page index");
                self.evict();
                if !matches!(error, StorageError::Removed { .. }) {
                    Cache::discard(&self.root);
                }
                run()
            }
            outcome => outcome,
        }
    }

    /// Reads from the index, which is created if necessary.
    fn read<T>(&self, query: impl Fn(&Database) -> Result<T, PagesError>) -> Result<T, PagesError> {
        self.with_rebuild(|| {
            let is_open = || lock(&self.cache).as_ref().is_some_and(|cache| cache.database.is_present());
            if !self.ready.load(Ordering::Acquire) || !is_open() {
                self.compare(&|_| (), &CancellationToken::new())?;
            }
            query(&self.cache()?.database)
        })
    }
}

/// Whether the index has to be rebuilt.
fn is_unusable(error: &StorageError) -> bool {
    matches!(error, StorageError::Corrupt { .. } | StorageError::Foreign { .. } | StorageError::Removed { .. })
}

/// Ignores poisoning: the guarded values are valid at any time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pages for Index {
    fn search(&self, query: &str, limit: usize) -> Result<Vec<Hit>, PagesError> {
        self.read(|database| search::search(database, query, limit))
    }

    fn page(&self, slug: &str) -> Result<Page, PagesError> {
        self.read(|database| query::page(database, slug))
    }

    fn pages(&self, slugs: &[String]) -> Result<Vec<Page>, PagesError> {
        self.read(|database| query::pages(database, slugs))
    }

    fn pages_by_type(&self, kind: &str) -> Result<Vec<PageSummary>, PagesError> {
        self.read(|database| query::by_type(database, kind))
    }

    fn types(&self) -> Result<BTreeMap<String, usize>, PagesError> {
        self.read(query::types)
    }

    fn tags(&self) -> Result<BTreeMap<String, usize>, PagesError> {
        self.read(query::tags)
    }

    fn references(&self, slug: &str) -> Result<References, PagesError> {
        self.read(|database| query::references(database, slug))
    }

    fn history(&self, slug: &str, limit: usize) -> Result<Vec<HistoryEntry>, PagesError> {
        let page = self.read(|database| query::path_of(database, slug))?;
        Ok(history::history(&self.root, &page, limit))
    }

    fn list(&self, filter: &PageFilter, offset: usize, limit: usize) -> Result<PageList, PagesError> {
        self.read(|database| query::list(database, filter, offset, limit))
    }

    fn orphans(&self) -> Result<Vec<PageSummary>, PagesError> {
        self.read(query::orphans)
    }

    fn broken(&self) -> Result<Vec<BrokenLink>, PagesError> {
        self.read(query::broken)
    }

    fn refresh(&self, progress: OnIndexProgress<'_>, cancel: &CancellationToken) -> Result<PageChanges, PagesError> {
        Ok(self.compare(progress, cancel)?.changes)
    }

    fn status(&self) -> PagesStatus {
        let state = lock(&self.state);
        let (indexed_at, progress) = (state.indexed_at, state.progress);
        drop(state);
        // Doesn't wait for the lock: it is held while a file is opened.
        let cache = self.cache.try_lock().ok().and_then(|mut cache| {
            if cache.is_none() && Cache::exists(&self.root) {
                *cache = Cache::open(&self.root).ok().map(Arc::new);
            }
            cache.clone()
        });
        let ask = |cache: &Cache| Ok::<_, PagesError>((query::count(&cache.database)?, query::skipped(&cache.database)?));
        let (pages, skipped) = cache.as_deref().and_then(|cache| ask(cache).ok()).unwrap_or_default();
        PagesStatus { pages, indexed_at, progress, temporary: cache.and_then(|cache| cache.temporary.clone()), skipped }
    }
}
