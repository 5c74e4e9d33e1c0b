//! Writes deployed copies again that follow their skill.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Weak};

use inklings_app::App;
use inklings_app::features::target::redeploy_watched;
use inklings_app::wire::ChangeEvent;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, error::TryRecvError};

/// Ends with the application. Copies are also written at the start: skills may have changed while no window was open.
pub(crate) fn follow(app: &Arc<App>, mut changes: Receiver<ChangeEvent>) {
    let app: Weak<App> = Arc::downgrade(app);
    let run = move || {
        let mut pending = BTreeSet::from([None]);
        loop {
            for workspace in std::mem::take(&mut pending) {
                let Some(app) = app.upgrade() else { return };
                redeploy(&app, workspace);
            }
            match changes.blocking_recv() {
                Ok(event) => note(&mut pending, event),
                Err(RecvError::Lagged(_)) => note_all(&app, &mut pending),
                Err(RecvError::Closed) => return,
            }
            // Several revisions at once are one reason.
            loop {
                match changes.try_recv() {
                    Ok(event) => note(&mut pending, event),
                    Err(TryRecvError::Lagged(_)) => note_all(&app, &mut pending),
                    Err(TryRecvError::Empty | TryRecvError::Closed) => break,
                }
            }
        }
    };
    let spawned = std::thread::Builder::new().name("redeploy".to_owned()).spawn(run);
    if let Err(error) = spawned {
        tracing::warn!(%error, "can't follow changes of deployed skills");
    }
}

fn note(pending: &mut BTreeSet<Option<PathBuf>>, event: ChangeEvent) {
    if event.kind == "skill" {
        pending.insert(event.workspace.map(PathBuf::from));
    }
}

/// Events were lost: any of the skills may have changed.
fn note_all(app: &Weak<App>, pending: &mut BTreeSet<Option<PathBuf>>) {
    let open = app.upgrade().map(|app| app.workspaces.open_workspaces()).unwrap_or_default();
    pending.extend(open.into_iter().map(|(path, _)| Some(path)).chain([None]));
}

fn redeploy(app: &App, workspace: Option<PathBuf>) {
    match redeploy_watched(app, workspace.as_deref()) {
        Ok(copies) => {
            for copy in copies.iter().filter(|copy| copy.failure.is_some()) {
                tracing::warn!(agent = copy.agent, "can't update a deployed copy");
            }
        }
        Err(failure) => tracing::warn!(code = ?failure.code, "can't update deployed copies"),
    }
}
