//! Follows the change feeds of open databases, also of other processes' writes, and publishes them as events.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use inklings_app::wire::ChangeEvent;
use inklings_core::Scope;
use inklings_store::{Feed, FeedUpdate, Store};
use tokio::sync::broadcast;

/// How often each feed is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Where the changes of followed stores go.
#[derive(Clone)]
pub(crate) struct ChangeFeeds {
    publish: broadcast::Sender<ChangeEvent>,
}

/// A store whose feed is followed, until this is dropped.
pub(crate) struct FollowedFeed {
    stop: Option<mpsc::Sender<()>>,
    ended: mpsc::Receiver<()>,
}

struct FeedSource {
    scope: Scope,
    workspace: Option<PathBuf>,
    store: Arc<Store>,
    feed: Feed,
}

impl ChangeFeeds {
    pub(crate) const fn new(publish: broadcast::Sender<ChangeEvent>) -> Self {
        Self { publish }
    }

    /// Follows a store from now on: whatever is written after this returns is published. Each store has a thread of its own, so that a
    /// folder that hangs holds up no other.
    pub(crate) fn follow(&self, scope: Scope, workspace: Option<PathBuf>, store: Arc<Store>) -> Option<FollowedFeed> {
        let failed = |error: &dyn std::fmt::Display| tracing::warn!(%error, "changes of this database won't be noticed");
        let feed = Feed::new(&store).inspect_err(|error| failed(error)).ok()?;
        let (stop, stopped) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let (publish, source) = (self.publish.clone(), FeedSource { scope, workspace, store, feed });
        let run = move || {
            run(source, &stopped, &publish);
            // Dropped last: the database is let go of by then.
            drop(end);
        };
        std::thread::Builder::new().name("changes".to_owned()).spawn(run).inspect_err(|error| failed(error)).ok()?;
        Some(FollowedFeed { stop: Some(stop), ended })
    }
}

impl FollowedFeed {
    /// Ends it and waits until it has let go of its database, but not for one that hangs.
    pub(crate) fn end(mut self) {
        drop(self.stop.take());
        // Whether it ended or hangs, there is nothing to be done about it.
        let _ = self.ended.recv_timeout(END_TIMEOUT);
    }
}

/// How long the end of the app waits for a look at a feed.
const END_TIMEOUT: Duration = Duration::from_secs(2);

fn run(mut source: FeedSource, stopped: &mpsc::Receiver<()>, publish: &broadcast::Sender<ChangeEvent>) {
    while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(POLL_INTERVAL) {
        match source.feed.poll(&source.store) {
            Ok(FeedUpdate::Changes(changes)) => publish_all(&source, changes, publish),
            // Nobody listening is fine.
            Ok(FeedUpdate::Replaced) => drop(publish.send(event(&source, 0, "database".to_owned(), Vec::new(), String::new()))),
            Err(error) => tracing::debug!(%error, "a change feed can't be read"),
        }
    }
}

/// Entries of one kind and writer become one event.
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
        // Nobody listening is fine.
        let _ = publish.send(event);
    }
}

fn event(one: &FeedSource, seq: i64, kind: String, ids: Vec<String>, origin: String) -> ChangeEvent {
    ChangeEvent { seq, kind, ids, origin, scope: one.scope, workspace: one.workspace.as_ref().map(|path| path.display().to_string()) }
}

/// The event that tells a window to look at everything again.
#[must_use]
pub fn everything_changed() -> ChangeEvent {
    changed("skill")
}

/// The event that tells a window to look at the drafts again. They aren't in the feed, where every second of typing would be.
#[must_use]
pub fn drafts_changed() -> ChangeEvent {
    changed("draft")
}

fn changed(kind: &str) -> ChangeEvent {
    ChangeEvent { seq: 0, kind: kind.to_owned(), ids: Vec::new(), origin: String::new(), scope: Scope::Account, workspace: None }
}
