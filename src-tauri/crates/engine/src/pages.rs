//! The page indexes of open workspaces and their change events.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use inklings_app::wire::ChangeEvent;
use inklings_core::pages::PageChanges;
use inklings_core::{Clock, Scope};
use inklings_workspace::{Change, Index, PageWatcher};
use tokio::sync::broadcast;

/// An event of more changed pages names none.
const MAX_NAMED_PAGES: usize = 200;

pub(crate) struct Indexes {
    clock: Arc<dyn Clock>,
    /// None watches nothing, as in a command.
    publish: Option<broadcast::Sender<ChangeEvent>>,
    /// Locked for lookups only, so that a folder that hangs blocks no other.
    open: Mutex<HashMap<PathBuf, Arc<OnceLock<Open>>>>,
}

struct Open {
    index: Arc<Index>,
    _watching: Option<PageWatcher>,
}

impl Indexes {
    pub(crate) fn new(clock: Arc<dyn Clock>, publish: Option<broadcast::Sender<ChangeEvent>>) -> Self {
        Self { clock, publish, open: Mutex::default() }
    }

    /// Watches the pages from the first call on.
    pub(crate) fn get(&self, root: &Path) -> Arc<Index> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).entry(root.to_owned()).or_default().clone();
        let make = || {
            let index = Arc::new(Index::new(root, self.clock.clone()));
            let watching = self.publish.clone().and_then(|publish| watch(&index, root, publish));
            Open { index, _watching: watching }
        };
        open.get_or_init(make).index.clone()
    }

    /// Stops watching a workspace; its index is dropped with the last call that uses it.
    pub(crate) fn release(&self, root: &Path) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(root);
        // Dropped after the lock, since dropping joins the watching thread.
        drop(open);
    }

    /// Stops watching and closes the index files.
    pub(crate) fn close(&self) {
        let open = std::mem::take(&mut *self.open.lock().unwrap_or_else(PoisonError::into_inner));
        for one in open.into_values() {
            let Some(index) = one.get().map(|open| open.index.clone()) else { continue };
            // Ends the thread that uses the index.
            drop(one);
            index.close();
        }
    }
}

fn watch(index: &Arc<Index>, root: &Path, publish: broadcast::Sender<ChangeEvent>) -> Option<PageWatcher> {
    let workspace = root.display().to_string();
    let changed = move |change| {
        let ids = match change {
            Change::Pages(PageChanges { added, changed, removed }) => [added, changed, removed].concat(),
            // The next call reports the error.
            Change::Failed(_) => return,
        };
        let event = ChangeEvent {
            seq: 0,
            kind: "page".to_owned(),
            ids: if ids.len() > MAX_NAMED_PAGES { Vec::new() } else { ids },
            origin: String::new(),
            scope: Scope::Workspace,
            workspace: Some(workspace.clone()),
        };
        // Fails without receivers.
        let _ = publish.send(event);
    };
    PageWatcher::start(index.clone(), changed).inspect_err(|error| tracing::warn!(%error, "can't watch pages for changes")).ok()
}
