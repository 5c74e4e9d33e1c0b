//! Noticing what other programs do to the pages.
//!
//! One thread waits for the operating system's word, lets a burst of changes end, and compares the folder with the index: what
//! was said is only a reason to look, so nothing depends on getting every event. Each folder is watched by itself, those without
//! pages not at all. Where the system watches no more folders, the thread looks from time to time. Deliberately absent: which
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

/// A burst has ended when nothing was heard for this long.
const DEBOUNCE: Duration = Duration::from_millis(100);
/// A burst is cut after this long.
const MAX_DEBOUNCE: Duration = Duration::from_secs(1);
/// How often the folder is looked at where it can't be watched.
const RESCAN_INTERVAL: Duration = Duration::from_secs(5);

/// What was noticed.
#[derive(Debug)]
pub enum Change {
    /// Pages changed; the index has it already.
    Pages(PageChanges),
    /// The index could not be brought up to date; the thread goes on.
    Failed(PagesError),
}

/// Watches a workspace until it is dropped; dropping waits for the thread's end.
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
    /// Starts watching: brings the index up to date (it is made if there is none) and calls `changed`, on the thread, for what
    /// that finds and whenever pages change from then on.
    pub fn start(index: Arc<Index>, changed: impl Fn(Change) + Send + 'static) -> Result<Self, PagesError> {
        Self::with(index, changed, RESCAN_INTERVAL, true)
    }

    /// Like [`Self::start`], but looks every `period` instead of being told.
    pub fn polling(index: Arc<Index>, changed: impl Fn(Change) + Send + 'static, period: Duration) -> Result<Self, PagesError> {
        Self::with(index, changed, period, false)
    }

    fn with(index: Arc<Index>, changed: impl Fn(Change) + Send + 'static, period: Duration, told: bool) -> Result<Self, PagesError> {
        let (messages, received) = mpsc::channel();
        let (cancel, root) = (CancellationToken::new(), index.root().to_owned());
        let watcher = told.then(|| Folders::new(&root, messages.clone())).flatten();
        let looking = WatchLoop { index, root: root.clone(), changed: Box::new(changed), cancel: cancel.clone(), watcher, period };
        let thread = std::thread::Builder::new().name("pages".to_owned()).spawn(move || looking.run(&received));
        let thread = thread.map_err(|source| PagesError::Io { action: "watching", path: root, source })?;
        Ok(Self { messages, cancel, thread: Some(thread) })
    }
}

impl Drop for PageWatcher {
    fn drop(&mut self) {
        self.cancel.cancel();
        // A thread that has ended already needs no telling.
        let _ = self.messages.send(Message::Stop);
        if let Some(thread) = self.thread.take().filter(|thread| thread.thread().id() != std::thread::current().id()) {
            // It panicked only if `changed` did.
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
        let told = move |event| {
            // After the thread's end nobody listens.
            let _ = messages.send(Message::Event(event));
        };
        let watcher = RecommendedWatcher::new(told, Config::default().with_follow_symlinks(false));
        let watcher = watcher.inspect_err(|error| tracing::info!(%error, "pages can't be watched and are looked at from time to time"));
        Some(Self { root: root.to_owned(), watcher: watcher.ok()?, watched: BTreeSet::new() })
    }

    /// Watches exactly `folders`. `false` if the system doesn't watch that many.
    fn follow(&mut self, folders: &[String]) -> bool {
        let wanted: BTreeSet<String> = folders.iter().cloned().collect();
        for gone in self.watched.difference(&wanted) {
            // The system forgets removed folders by itself.
            let _ = self.watcher.unwatch(&self.root.join(gone));
        }
        self.watched.retain(|folder| wanted.contains(folder));
        for folder in &wanted {
            // Also those that are known: a folder may have been replaced by another of the same name.
            match self.watcher.watch(&self.root.join(folder), RecursiveMode::NonRecursive) {
                Ok(()) => drop(self.watched.insert(folder.clone())),
                // Removed in the meantime; its parent's event leads to the next look.
                Err(_) if !self.root.join(folder).is_dir() => drop(self.watched.remove(folder)),
                Err(error) => {
                    tracing::info!(%error, "not all folders can be watched; pages are looked at from time to time");
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
        // The workspace's own folder first: what happens during the first look is then heard.
        let mut told = self.watcher.as_mut().is_some_and(|folders| folders.follow(&[String::new()]));
        loop {
            // A new folder may have got pages and folders before it was watched.
            while self.compare(&mut told) {}
            if !self.wait(messages, told) {
                return;
            }
        }
    }

    /// Compares, tells, and follows the folders. Gives whether there are new ones.
    fn compare(&mut self, told: &mut bool) -> bool {
        match self.index.compare(&|_| (), &self.cancel) {
            Ok(found) => {
                if !found.changes.is_empty() {
                    (self.changed)(Change::Pages(found.changes));
                }
                let Some(folders) = &mut self.watcher else { return false };
                let before = folders.watched.clone();
                // Where it failed once, it is tried again: someone may have raised the limit.
                *told = folders.follow(&found.folders);
                folders.watched.difference(&before).next().is_some()
            }
            Err(PagesError::Cancelled) => false,
            Err(error) => {
                tracing::warn!(workspace = %self.root.display(), %error, "pages can't be brought up to date");
                // A workspace that is gone may come back; nobody would tell.
                *told = false;
                (self.changed)(Change::Failed(error));
                false
            }
        }
    }

    /// Waits for the end of a burst of events, or a period. `false` at the end.
    fn wait(&self, messages: &Receiver<Message>, told: bool) -> bool {
        let mut burst: Option<Instant> = None;
        let looked = Instant::now();
        loop {
            let patience = match burst {
                Some(began) => DEBOUNCE.min(MAX_DEBOUNCE.saturating_sub(began.elapsed())),
                None if told => Duration::MAX,
                None => self.period.saturating_sub(looked.elapsed()),
            };
            // Without an end, `recv_timeout` would overflow the clock.
            let message = if patience == Duration::MAX {
                messages.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                messages.recv_timeout(patience)
            };
            match message {
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) => return !self.cancel.is_cancelled(),
                Ok(Message::Event(event)) => {
                    let matters = match (&event, &self.watcher) {
                        (Ok(event), Some(folders)) => folders.concerns(event),
                        // An error means that something was missed.
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
