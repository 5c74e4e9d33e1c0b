//! The page indexes of the workspaces that were asked about, and word of what changes in them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use inklings_app::wire::ChangeEvent;
use inklings_core::pages::PageChanges;
use inklings_core::{Clock, Scope};
use inklings_workspace::{Change, Index, PageWatcher};
use tokio::sync::broadcast;

/// Changed pages that an event names; of more it only says that there are some.
const MAX_NAMED_PAGES: usize = 200;

/// One index for each workspace.
pub(crate) struct Indexes {
    clock: Arc<dyn Clock>,
    /// Where word of changes goes; without it nothing is watched, which is enough for a command.
    publish: Option<broadcast::Sender<ChangeEvent>>,
    /// Locked for looking up only: watching a folder that hangs must not be in another one's way.
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

    /// The pages of the workspace in `root`. From the first call on they are watched.
    pub(crate) fn get(&self, root: &Path) -> Arc<Index> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).entry(root.to_owned()).or_default().clone();
        let make = || {
            let index = Arc::new(Index::new(root, self.clock.clone()));
            let watching = self.publish.clone().and_then(|publish| watch(&index, root, publish));
            Open { index, _watching: watching }
        };
        open.get_or_init(make).index.clone()
    }

    /// Stops watching one workspace; its index goes with the last call that uses it.
    pub(crate) fn release(&self, root: &Path) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(root);
        // After the lock: a thread that watches is waited for.
        drop(open);
    }

    /// Stops watching and lets go of the indexes' files.
    pub(crate) fn close(&self) {
        let open = std::mem::take(&mut *self.open.lock().unwrap_or_else(PoisonError::into_inner));
        for one in open.into_values() {
            let Some(index) = one.get().map(|open| open.index.clone()) else { continue };
            // First the thread that uses it.
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
            // The next question says what is wrong.
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
        // Nobody may be listening.
        let _ = publish.send(event);
    };
    PageWatcher::start(index.clone(), changed)
        .inspect_err(|error| tracing::warn!(%error, "changes of pages by other programs won't be noticed"))
        .ok()
}
