//! Work that follows changes of skills, on a thread of its own.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::Duration;

use inklings_app::App;
use inklings_app::wire::ChangeEvent;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, error::TryRecvError};

/// The workspaces whose skills changed; None is the account.
type Changed = BTreeSet<Option<PathBuf>>;

pub(crate) struct Follower {
    pub(crate) name: &'static str,
    /// The work waits until nothing changed for this long.
    pub(crate) quiet: Duration,
    /// Where the work is also done at the start.
    pub(crate) at_start: Changed,
    pub(crate) work: fn(&App, Option<PathBuf>),
}

/// Ends with the application.
pub(crate) fn follow(app: &Arc<App>, mut changes: Receiver<ChangeEvent>, follower: Follower) {
    let Follower { name, quiet, at_start: mut pending, work } = follower;
    let app: Weak<App> = Arc::downgrade(app);
    let run = move || {
        loop {
            for workspace in std::mem::take(&mut pending) {
                let Some(app) = app.upgrade() else { return };
                work(&app, workspace);
            }
            match changes.blocking_recv() {
                Ok(event) => note(&mut pending, event),
                Err(RecvError::Lagged(_)) => note_all(&app, &mut pending),
                Err(RecvError::Closed) => return,
            }
            // Several revisions at once are one reason.
            while !pending.is_empty() {
                std::thread::sleep(quiet);
                if !take_more(&app, &mut changes, &mut pending) {
                    break;
                }
            }
        }
    };
    if let Err(error) = std::thread::Builder::new().name(name.to_owned()).spawn(run) {
        tracing::warn!(%error, name, "can't follow changes of skills");
    }
}

/// Returns whether there were more changes.
fn take_more(app: &Weak<App>, changes: &mut Receiver<ChangeEvent>, pending: &mut Changed) -> bool {
    let mut is_more = false;
    loop {
        match changes.try_recv() {
            Ok(event) => note(pending, event),
            Err(TryRecvError::Lagged(_)) => note_all(app, pending),
            Err(TryRecvError::Empty | TryRecvError::Closed) => return is_more,
        }
        is_more = true;
    }
}

fn note(pending: &mut Changed, event: ChangeEvent) {
    if event.kind == "skill" {
        pending.insert(event.workspace.map(PathBuf::from));
    }
}

/// Events were lost: any of the skills may have changed.
fn note_all(app: &Weak<App>, pending: &mut Changed) {
    let open = app.upgrade().map(|app| app.workspaces.open_workspaces()).unwrap_or_default();
    pending.extend(open.into_iter().map(|(path, _)| Some(path)).chain([None]));
}
