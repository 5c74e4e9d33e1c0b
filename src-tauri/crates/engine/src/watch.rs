//! Follows the change feeds of open databases, also of other processes' writes, and publishes them as events.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use inklings_app::wire::ChangeEvent;
use inklings_core::Scope;
use inklings_store::{Feed, Store};
use tokio::sync::broadcast;

/// How often each feed is looked at.
const PERIOD: Duration = Duration::from_millis(250);

struct Followed {
    scope: Scope,
    workspace: Option<PathBuf>,
    store: Arc<Store>,
    feed: Feed,
}

/// One thread that polls every followed feed; it ends when the last handle is dropped.
#[derive(Clone)]
pub(crate) struct Watch {
    requests: mpsc::Sender<Request>,
}

enum Request {
    Follow(Box<Followed>),
    Stop,
}

impl Watch {
    /// Starts the thread; the handle is `None` where none could be had.
    pub(crate) fn start(publish: broadcast::Sender<ChangeEvent>) -> (Self, Option<JoinHandle<()>>) {
        let (requests, received) = mpsc::channel();
        let run = move || run(&received, &publish);
        let thread = std::thread::Builder::new().name("changes".to_owned()).spawn(run);
        let thread = thread.inspect_err(|error| tracing::error!(%error, "changes by other programs won't be noticed"));
        (Self { requests }, thread.ok())
    }

    /// Asks the thread to end; it lets go of its databases.
    pub(crate) fn stop(&self) {
        // A thread that has ended already needs no telling.
        let _ = self.requests.send(Request::Stop);
    }

    /// Follows a store from now on: whatever is written after this returns is published.
    pub(crate) fn follow(&self, scope: Scope, workspace: Option<PathBuf>, store: Arc<Store>) {
        match Feed::new(&store) {
            // Without the thread there is nothing to tell; that was logged when it failed to start.
            Ok(feed) => drop(self.requests.send(Request::Follow(Box::new(Followed { scope, workspace, store, feed })))),
            Err(error) => tracing::warn!(%error, "changes of this database won't be noticed"),
        }
    }
}

fn run(requests: &mpsc::Receiver<Request>, publish: &broadcast::Sender<ChangeEvent>) {
    let mut followed: Vec<Followed> = Vec::new();
    loop {
        match requests.recv_timeout(PERIOD) {
            Ok(Request::Follow(one)) => followed.push(*one),
            Err(RecvTimeoutError::Timeout) => {}
            Ok(Request::Stop) | Err(RecvTimeoutError::Disconnected) => return,
        }
        for one in &mut followed {
            match one.feed.poll(&one.store) {
                Ok(changes) => publish_all(one, changes, publish),
                Err(error) => tracing::debug!(%error, "a change feed can't be read"),
            }
        }
    }
}

/// Entries of one kind and writer become one event.
fn publish_all(one: &Followed, changes: Vec<inklings_store::Change>, publish: &broadcast::Sender<ChangeEvent>) {
    let mut events: Vec<ChangeEvent> = Vec::new();
    for change in changes {
        match events.last_mut().filter(|event| event.kind == change.kind && event.origin == change.origin) {
            Some(event) => {
                event.seq = change.seq;
                if !event.ids.contains(&change.id) {
                    event.ids.push(change.id);
                }
            }
            None => events.push(ChangeEvent {
                seq: change.seq,
                kind: change.kind,
                ids: vec![change.id],
                origin: change.origin,
                scope: one.scope,
                workspace: one.workspace.as_ref().map(|path| path.display().to_string()),
            }),
        }
    }
    for event in events {
        // Nobody listening is fine.
        let _ = publish.send(event);
    }
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
