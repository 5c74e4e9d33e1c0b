//! Watches the linked folders of a scope.
//!
//! Events only say which skills to synchronize, so lost events don't matter: what differs is found by comparing. Folders of agents that
//! don't exist yet, and those that the system doesn't watch, are polled.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use inklings_core::SkillId;
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::sync::{LinkedScope, Links};

/// Time without events after which changes are processed.
const DEBOUNCE: Duration = Duration::from_millis(100);
/// Maximum delay during continuous events.
const MAX_DEBOUNCE: Duration = Duration::from_millis(400);
/// How often new folders of agents are looked for, and replaced files removed.
const TICK: Duration = Duration::from_millis(250);
/// How often folders are compared that the system doesn't watch.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

enum Message {
    Event(notify::Result<Event>),
    /// These skills were written to by whoever.
    Stored(Vec<SkillId>),
    Stop,
}

/// Synchronizes the linked skills of a scope until it is dropped.
pub struct LinkWatcher {
    messages: Sender<Message>,
    thread: Option<JoinHandle<()>>,
}

impl LinkWatcher {
    /// The first scan begins at once, on the watcher's thread.
    pub fn start(links: Arc<Links>, scope: LinkedScope) -> std::io::Result<Self> {
        let (messages, received) = mpsc::channel();
        let sender = messages.clone();
        let on_event = move |event| {
            // The receiver is gone once the thread has ended.
            let _ = sender.send(Message::Event(event));
        };
        let watcher = RecommendedWatcher::new(on_event, Config::default().with_follow_symlinks(false))
            .inspect_err(|error| tracing::info!(%error, "linked folders can't be watched and are polled"))
            .ok();
        let mut looking = WatchLoop {
            links,
            scope,
            watcher,
            watched: BTreeMap::new(),
            roots: BTreeSet::new(),
            folders: HashMap::new(),
            is_complete: true,
        };
        let thread = std::thread::Builder::new().name("links".to_owned()).spawn(move || looking.run(&received))?;
        Ok(Self { messages, thread: Some(thread) })
    }

    /// To be called when skills of the scope were written to, by any process.
    pub fn stored(&self, skills: Vec<SkillId>) {
        // The thread may have ended.
        let _ = self.messages.send(Message::Stored(skills));
    }
}

impl Drop for LinkWatcher {
    fn drop(&mut self) {
        let _ = self.messages.send(Message::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct WatchLoop {
    links: Arc<Links>,
    scope: LinkedScope,
    watcher: Option<RecommendedWatcher>,
    /// With their inodes: a folder that replaced another one has to be watched again.
    watched: BTreeMap<PathBuf, u64>,
    /// The folders of agents that existed at the last scan.
    roots: BTreeSet<PathBuf>,
    /// The skills by their folders, as of the last scan.
    folders: HashMap<PathBuf, SkillId>,
    /// Whether every folder that exists is watched.
    is_complete: bool,
}

/// What a burst of events asks for.
#[derive(Default)]
struct Due {
    scan: bool,
    skills: BTreeSet<SkillId>,
}

impl WatchLoop {
    fn run(&mut self, messages: &Receiver<Message>) {
        self.scan();
        let mut scanned_at = Instant::now();
        loop {
            let (mut due, mut began) = (Due::default(), None::<Instant>);
            loop {
                let timeout = began.map_or(TICK, |began| DEBOUNCE.min(MAX_DEBOUNCE.saturating_sub(began.elapsed())));
                match messages.recv_timeout(timeout) {
                    Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                    Ok(Message::Event(event)) => {
                        if self.add(event, &mut due) {
                            began.get_or_insert_with(Instant::now);
                        }
                    }
                    Ok(Message::Stored(skills)) => {
                        due.skills.extend(skills);
                        began.get_or_insert_with(Instant::now);
                    }
                    Err(RecvTimeoutError::Timeout) => break,
                }
            }
            self.links.clear(&self.scope);
            let is_poll_due = !self.is_complete && scanned_at.elapsed() > POLL_INTERVAL;
            if due.scan || is_poll_due || self.present_roots() != self.roots {
                self.scan();
                scanned_at = Instant::now();
                continue;
            }
            for skill in due.skills {
                self.links.sync_or_log(&self.scope, skill);
            }
        }
    }

    /// Adds what an event asks for. Returns whether that is anything.
    fn add(&self, event: notify::Result<Event>, due: &mut Due) -> bool {
        let event = match event {
            Ok(event) if matches!(event.kind, EventKind::Access(_)) => return false,
            Ok(event) if !event.need_rescan() && !event.paths.is_empty() => event,
            // Events were lost.
            _ => {
                due.scan = true;
                return true;
            }
        };
        for path in &event.paths {
            match path.ancestors().find_map(|at| self.folders.get(at)) {
                Some(skill) if !self.folders.contains_key(path) => drop(due.skills.insert(*skill)),
                _ => due.scan = true,
            }
        }
        true
    }

    fn scan(&mut self) {
        // Watched first, so that changes during the scan aren't missed.
        self.roots = self.present_roots();
        let roots: Vec<PathBuf> = self.roots.iter().cloned().collect();
        // A folder that was removed is another one when it comes back. Watching opens all folders in it, which is an event for each if
        // they are watched already, so it is done once.
        self.watched.retain(|folder, inode| inode_of(folder) == Some(*inode));
        let unwatched: Vec<PathBuf> = roots.into_iter().filter(|root| !self.watched.contains_key(root)).collect();
        self.is_complete = self.watch(&unwatched);
        match self.links.scan(&self.scope) {
            // Their new folders aren't watched if the events were lost that told of them.
            Ok(changed) => self.is_complete &= self.watch(&changed),
            Err(error) => tracing::warn!(%error, "can't link the skills of agents"),
        }
        let links = self.links.store().links(&self.scope.key()).unwrap_or_default();
        self.folders = links.into_iter().filter(|link| link.active).map(|link| (link.folder, link.skill)).collect();
        let elsewhere: Vec<PathBuf> =
            self.folders.keys().filter(|folder| !self.watched.keys().any(|root| folder.starts_with(root))).cloned().collect();
        self.is_complete &= self.watch(&elsewhere);
    }

    fn present_roots(&self) -> BTreeSet<PathBuf> {
        self.links.roots(&self.scope).into_iter().filter(|root| root.is_dir()).collect()
    }

    /// Whether all of the folders that exist are watched.
    fn watch(&mut self, folders: &[PathBuf]) -> bool {
        let mut all = true;
        for folder in folders {
            if let Err(error) = self.watch_one(folder) {
                tracing::info!(%error, "a linked folder can't be watched and is polled");
                all = false;
            }
        }
        all
    }

    fn watch_one(&mut self, folder: &Path) -> notify::Result<()> {
        let Some(watcher) = &mut self.watcher else { return Err(notify::Error::generic("no watches")) };
        watcher.watch(folder, RecursiveMode::Recursive)?;
        let is_below_another = self.watched.keys().any(|watched| folder != watched && folder.starts_with(watched));
        if let Some(inode) = inode_of(folder).filter(|_| !is_below_another) {
            self.watched.insert(folder.to_owned(), inode);
        }
        Ok(())
    }
}

fn inode_of(folder: &Path) -> Option<u64> {
    folder.metadata().ok().filter(std::fs::Metadata::is_dir).map(|metadata| metadata.ino())
}
