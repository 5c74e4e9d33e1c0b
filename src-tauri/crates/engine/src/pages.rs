//! The page indexes of the workspaces that were asked about, and word of what changes in them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use inklings_app::wire::ChangeEvent;
use inklings_core::pages::PageChanges;
use inklings_core::{Clock, Scope};
use inklings_workspace::{Change, Index, Watching};
use tokio::sync::broadcast;

/// Changed pages that an event names; of more it only says that there are some.
const NAMED: usize = 200;

/// One index for each workspace.
pub(crate) struct Indexes {
    clock: Arc<dyn Clock>,
    /// Where word of changes goes; without it nothing is watched, which is enough for a command.
    publish: Option<broadcast::Sender<ChangeEvent>>,
    open: Mutex<HashMap<PathBuf, Open>>,
}

struct Open {
    index: Arc<Index>,
    _watching: Option<Watching>,
}

impl Indexes {
    pub(crate) fn new(clock: Arc<dyn Clock>, publish: Option<broadcast::Sender<ChangeEvent>>) -> Self {
        Self { clock, publish, open: Mutex::default() }
    }

    /// The pages of the workspace in `root`. From the first call on they are watched.
    pub(crate) fn get(&self, root: &Path) -> Arc<Index> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || {
            let index = Arc::new(Index::new(root, self.clock.clone()));
            let watching = self.publish.clone().and_then(|publish| watch(&index, root, publish));
            Open { index, _watching: watching }
        };
        open.entry(root.to_owned()).or_insert_with(make).index.clone()
    }

    /// Stops watching and lets go of the indexes' files.
    pub(crate) fn close(&self) {
        let open = std::mem::take(&mut *self.open.lock().unwrap_or_else(PoisonError::into_inner));
        for one in open.into_values() {
            let index = one.index.clone();
            // First the thread that uses it.
            drop(one);
            index.close();
        }
    }
}

fn watch(index: &Arc<Index>, root: &Path, publish: broadcast::Sender<ChangeEvent>) -> Option<Watching> {
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
            ids: if ids.len() > NAMED { Vec::new() } else { ids },
            origin: String::new(),
            scope: Scope::Workspace,
            workspace: Some(workspace.clone()),
        };
        // Nobody may be listening.
        let _ = publish.send(event);
    };
    Watching::start(index.clone(), changed)
        .inspect_err(|error| tracing::warn!(%error, "changes of pages by other programs won't be noticed"))
        .ok()
}
