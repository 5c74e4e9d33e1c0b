//! Polls the change feeds of open databases and publishes all changes as events, including those of other processes.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use inklings_app::wire::ChangeEvent;
use inklings_app::{CheckCache, ListCache};
use inklings_core::Scope;
use inklings_links::LinkWatcher;
use inklings_store::{ChangeFeed, FeedUpdate, Store};
use tokio::sync::broadcast;

const POLL_INTERVAL: Duration = Duration::from_millis(250);

#[derive(Clone)]
pub(crate) struct ChangeFeeds {
    publish: broadcast::Sender<ChangeEvent>,
    checks: Arc<CheckCache>,
    lists: Arc<ListCache>,
}

/// The feed of a store is polled until this is dropped.
pub(crate) struct FollowedFeed {
    stop: Option<mpsc::Sender<()>>,
    ended: mpsc::Receiver<()>,
}

struct FeedSource {
    scope: Scope,
    workspace: Option<PathBuf>,
    store: Arc<Store>,
    feed: ChangeFeed,
    /// Synchronizes linked skills that were written to.
    links: Option<Arc<LinkWatcher>>,
}

impl ChangeFeeds {
    /// `checks` and `lists` are cleared when a database is replaced.
    pub(crate) const fn new(publish: broadcast::Sender<ChangeEvent>, checks: Arc<CheckCache>, lists: Arc<ListCache>) -> Self {
        Self { publish, checks, lists }
    }

    /// Publishes everything that is written after this returns. Each store has its own thread, so that a
    /// folder that hangs blocks no other.
    pub(crate) fn follow(
        &self,
        scope: Scope,
        workspace: Option<PathBuf>,
        store: Arc<Store>,
        links: Option<Arc<LinkWatcher>>,
    ) -> Option<FollowedFeed> {
        let failed = |error: &dyn std::fmt::Display| tracing::warn!(%error, "can't watch a database for changes");
        let feed = ChangeFeed::new(&store).inspect_err(|error| failed(error)).ok()?;
        let (stop, stopped) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let (feeds, source) = (self.clone(), FeedSource { scope, workspace, store, feed, links });
        let run = move || {
            feeds.poll(source, &stopped);
            // Dropped last, after the database was released.
            drop(end);
        };
        std::thread::Builder::new().name("changes".to_owned()).spawn(run).inspect_err(|error| failed(error)).ok()?;
        Some(FollowedFeed { stop: Some(stop), ended })
    }

    fn poll(&self, mut source: FeedSource, stopped: &mpsc::Receiver<()>) {
        while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(POLL_INTERVAL) {
            match source.feed.poll(&source.store) {
                Ok(FeedUpdate::Changes(changes)) => publish_all(&source, changes, &self.publish),
                Ok(FeedUpdate::Replaced) => {
                    self.checks.clear();
                    self.lists.clear();
                    // Fails without receivers.
                    let _ = self.publish.send(event(&source, 0, "database".to_owned(), Vec::new(), String::new()));
                }
                Err(error) => tracing::debug!(%error, "can't read a change feed"),
            }
        }
    }
}

impl FollowedFeed {
    /// Ends the thread and waits until it has released its database, with a timeout.
    pub(crate) fn end(mut self) {
        drop(self.stop.take());
        // A thread that hangs is left behind.
        let _ = self.ended.recv_timeout(END_TIMEOUT);
    }
}

const END_TIMEOUT: Duration = Duration::from_secs(2);

/// Groups consecutive changes of one kind and origin into one event.
fn publish_all(one: &FeedSource, changes: Vec<inklings_store::Change>, publish: &broadcast::Sender<ChangeEvent>) {
    let mut events: Vec<ChangeEvent> = Vec::new();
    for change in changes {
        match events.last_mut().filter(|event| event.kind == change.kind && event.origin == change.origin) {
            Some(event) => {
                event.seq = change.seq;
                if !event.ids.contains(&change.id) {
                    event.ids.push(change.id);
                }
            }
            None => events.push(event(one, change.seq, change.kind, vec![change.id], change.origin)),
        }
    }
    for event in events {
        if let Some(links) = one.links.as_ref().filter(|_| event.kind == "skill") {
            links.stored(event.ids.iter().filter_map(|id| id.parse().ok()).collect());
        }
        // Fails without receivers.
        let _ = publish.send(event);
    }
}

fn event(one: &FeedSource, seq: i64, kind: String, ids: Vec<String>, origin: String) -> ChangeEvent {
    ChangeEvent { seq, kind, ids, origin, scope: one.scope, workspace: one.workspace.as_ref().map(|path| path.display().to_string()) }
}

/// The event that makes a window reload everything.
#[must_use]
pub fn everything_changed() -> ChangeEvent {
    changed("skill")
}

/// The event that makes a window reload drafts. Only discards of them are in the feed, since they change with every second of typing.
#[must_use]
pub fn drafts_changed() -> ChangeEvent {
    changed("draft")
}

/// The event that makes a window read the status of the search, which isn't stored.
pub(crate) fn search_status_changed() -> ChangeEvent {
    changed("search")
}

fn changed(kind: &str) -> ChangeEvent {
    ChangeEvent { seq: 0, kind: kind.to_owned(), ids: Vec::new(), origin: String::new(), scope: Scope::Account, workspace: None }
}
