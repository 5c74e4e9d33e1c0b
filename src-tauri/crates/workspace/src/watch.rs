//! Watches the pages for changes by other programs.
//!
//! One thread waits for file system events, debounces them, and compares the folder with the index. Events only trigger
//! the comparison, so lost events don't matter. Each folder is watched separately, and those without
//! pages not at all. If the system's limit of watches is reached, the thread polls. Deliberately absent: which
//! file an event was about.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use inklings_core::CancellationToken;
use inklings_core::pages::{PageChanges, PagesError};
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::index::Index;
use crate::names::is_page;
use crate::walk::is_skipped_folder;

/// Time without events after which changes are processed.
const DEBOUNCE: Duration = Duration::from_millis(100);
/// Maximum delay during continuous events.
const MAX_DEBOUNCE: Duration = Duration::from_secs(1);
/// Polling interval if the folder can't be watched.
const RESCAN_INTERVAL: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub enum Change {
    /// Pages changed; the index is already updated.
    Pages(PageChanges),
    /// Updating the index failed; the thread continues.
    Failed(PagesError),
}

/// Watches a workspace until dropped; dropping joins the thread.
pub struct PageWatcher {
    messages: Sender<Message>,
    cancel: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

enum Message {
    Event(notify::Result<Event>),
    Stop,
}

impl PageWatcher {
    /// Starts watching: updates or creates the index, and calls `changed` on the thread for the changes
    /// that this finds and for all later ones.
    pub fn start(index: Arc<Index>, changed: impl Fn(Change) + Send + 'static) -> Result<Self, PagesError> {
        Self::with(index, changed, RESCAN_INTERVAL, true)
    }

    /// Like [`Self::start`], but polls every `period`.
    pub fn polling(index: Arc<Index>, changed: impl Fn(Change) + Send + 'static, period: Duration) -> Result<Self, PagesError> {
        Self::with(index, changed, period, false)
    }

    fn with(index: Arc<Index>, changed: impl Fn(Change) + Send + 'static, period: Duration, is_watching: bool) -> Result<Self, PagesError> {
        let (messages, received) = mpsc::channel();
        let (cancel, root) = (CancellationToken::new(), index.root().to_owned());
        let watcher = is_watching.then(|| Folders::new(&root, messages.clone())).flatten();
        let looking = WatchLoop { index, root: root.clone(), changed: Box::new(changed), cancel: cancel.clone(), watcher, period };
        let thread = std::thread::Builder::new().name("pages".to_owned()).spawn(move || looking.run(&received));
        let thread = thread.map_err(|source| PagesError::Io { action: "watching", path: root, source })?;
        Ok(Self { messages, cancel, thread: Some(thread) })
    }
}

impl Drop for PageWatcher {
    fn drop(&mut self) {
        self.cancel.cancel();
        // The thread may have ended already.
        let _ = self.messages.send(Message::Stop);
        if let Some(thread) = self.thread.take().filter(|thread| thread.thread().id() != std::thread::current().id()) {
            // It panics only if `changed` does.
            let _ = thread.join();
        }
    }
}

/// The watched folders.
struct Folders {
    root: PathBuf,
    watcher: RecommendedWatcher,
    watched: BTreeSet<String>,
}

impl Folders {
    fn new(root: &Path, messages: Sender<Message>) -> Option<Self> {
        let on_event = move |event| {
            // The receiver is gone once the thread has ended.
            let _ = messages.send(Message::Event(event));
        };
        let watcher = RecommendedWatcher::new(on_event, Config::default().with_follow_symlinks(false));
        let watcher = watcher.inspect_err(|error| tracing::info!(%error, "the folder can't be watched; pages are polled instead"));
        Some(Self { root: root.to_owned(), watcher: watcher.ok()?, watched: BTreeSet::new() })
    }

    /// Watches exactly `folders`. `false` if the system doesn't watch that many.
    fn follow(&mut self, folders: &[String]) -> bool {
        let wanted: BTreeSet<String> = folders.iter().cloned().collect();
        for removed in self.watched.difference(&wanted) {
            // The system drops watches of removed folders.
            let _ = self.watcher.unwatch(&self.root.join(removed));
        }
        self.watched.retain(|folder| wanted.contains(folder));
        for folder in &wanted {
            // Also known folders: a folder may have been replaced by another one of the same name.
            match self.watcher.watch(&self.root.join(folder), RecursiveMode::NonRecursive) {
                Ok(()) => drop(self.watched.insert(folder.clone())),
                // Removed meanwhile; the event of its parent triggers the next scan.
                Err(_) if !self.root.join(folder).is_dir() => drop(self.watched.remove(folder)),
                Err(error) => {
                    tracing::info!(%error, "some folders can't be watched; pages are polled as well");
                    return false;
                }
            }
        }
        true
    }

    /// Whether an event may be about a page or a folder with pages.
    fn concerns(&self, event: &Event) -> bool {
        if matches!(event.kind, EventKind::Access(_)) {
            return false;
        }
        event.need_rescan() || event.paths.is_empty() || event.paths.iter().any(|path| self.is_of_interest(path))
    }

    fn is_of_interest(&self, path: &Path) -> bool {
        let Ok(inside) = path.strip_prefix(&self.root) else { return true };
        let Some(name) = path.file_name().filter(|_| !inside.as_os_str().is_empty()).map(|name| name.to_string_lossy()) else {
            return true;
        };
        !is_skipped_folder(&name)
            && (is_page(&name) || path.is_dir() || inside.to_str().is_some_and(|inside| self.watched.contains(inside)))
    }
}

struct WatchLoop {
    index: Arc<Index>,
    root: PathBuf,
    changed: Box<dyn Fn(Change) + Send>,
    cancel: CancellationToken,
    watcher: Option<Folders>,
    period: Duration,
}

impl WatchLoop {
    fn run(mut self, messages: &Receiver<Message>) {
        // The root is watched first, so that changes during the first scan aren't missed.
        let mut is_watching = self.watcher.as_mut().is_some_and(|folders| folders.follow(&[String::new()]));
        loop {
            // A new folder may have got pages and folders before it was watched.
            while self.compare(&mut is_watching) {}
            if !self.wait(messages, is_watching) {
                return;
            }
        }
    }

    /// Refreshes, reports changes and updates the watched folders. Returns whether there are new ones.
    fn compare(&mut self, is_watching: &mut bool) -> bool {
        match self.index.compare(&|_| (), &self.cancel) {
            Ok(found) => {
                if !found.changes.is_empty() {
                    (self.changed)(Change::Pages(found.changes));
                }
                let Some(folders) = &mut self.watcher else { return false };
                let before = folders.watched.clone();
                // Retries failed folders: the limit may have been raised.
                *is_watching = folders.follow(&found.folders);
                folders.watched.difference(&before).next().is_some()
            }
            Err(PagesError::Cancelled) => false,
            Err(error) => {
                tracing::warn!(workspace = %self.root.display(), %error, "the page index can't be updated");
                // A removed workspace may reappear, without an event.
                *is_watching = false;
                (self.changed)(Change::Failed(error));
                false
            }
        }
    }

    /// Waits for the end of a burst of events, or a period. `false` once the watcher is dropped.
    fn wait(&self, messages: &Receiver<Message>, is_watching: bool) -> bool {
        let mut burst: Option<Instant> = None;
        let scanned_at = Instant::now();
        loop {
            let timeout = match burst {
                Some(began) => DEBOUNCE.min(MAX_DEBOUNCE.saturating_sub(began.elapsed())),
                None if is_watching => Duration::MAX,
                None => self.period.saturating_sub(scanned_at.elapsed()),
            };
            // A later deadline would overflow the clock.
            let message = if timeout == Duration::MAX {
                messages.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                messages.recv_timeout(timeout)
            };
            match message {
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => return !self.cancel.is_cancelled(),
                Ok(Message::Event(event)) => {
                    let matters = match (&event, &self.watcher) {
                        (Ok(event), Some(folders)) => folders.concerns(event),
                        // An error means that events were lost.
                        _ => true,
                    };
                    if matters {
                        burst.get_or_insert_with(Instant::now);
                    }
                }
            }
        }
    }
}
