//! A server beside a window.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use inklings_app::features::server::{RunningServer, ServerError, ServerStatus};
use inklings_app::features::tool::ToolSet;
use inklings_app::wire::ChangeEvent;
use inklings_app::{App, LocalServer, RunEvent};
use inklings_core::CancellationToken;
use tokio::runtime::Handle;
use tokio::sync::{broadcast, oneshot};

use super::{Endpoint, accept};
use crate::{Activity, Served};

/// Runs at most one server at a time, as a task of the runtime in which it is started.
pub struct BackgroundServer {
    /// The account's folder.
    home: PathBuf,
    changes: broadcast::Receiver<ChangeEvent>,
    runs: broadcast::Receiver<RunEvent>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    current: Option<Current>,
    failure: Option<String>,
    /// Of the last server, also when it has stopped.
    activity: Arc<Activity>,
}

struct Current {
    workspace: Option<PathBuf>,
    description: RunningServer,
    end: CancellationToken,
    /// Resolves when the address is closed.
    closed: oneshot::Receiver<()>,
}

impl BackgroundServer {
    #[must_use]
    pub fn new(home: PathBuf, changes: broadcast::Receiver<ChangeEvent>, runs: broadcast::Receiver<RunEvent>) -> Self {
        Self { home, changes, runs, state: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn spawn(&self, app: Arc<App>, workspace: Option<PathBuf>, port: u16, activity: &Arc<Activity>) -> Result<Current, ServerError> {
        let endpoint = Endpoint::bind(&self.home, port)?;
        let description = RunningServer {
            address: endpoint.address(),
            workspace: workspace.as_ref().map(|path| path.display().to_string()),
            started_at: app.clock.now(),
            token_file: endpoint.token_file().display().to_string(),
        };
        let served = Served {
            app,
            workspace: workspace.clone(),
            tools: ToolSet::Default,
            changes: self.changes.resubscribe(),
            runs: self.runs.resubscribe(),
            activity: activity.clone(),
        };
        let end = CancellationToken::new();
        let (send_closed, closed) = oneshot::channel();
        let ended = end.clone();
        Handle::current().spawn(async move {
            let connections = accept(served, endpoint, ended.cancelled()).await;
            // Nobody waits for it when the app ends.
            let _ = send_closed.send(());
            connections.finish().await;
        });
        Ok(Current { workspace, description, end, closed })
    }
}

impl LocalServer for BackgroundServer {
    fn status(&self) -> ServerStatus {
        let state = self.lock();
        ServerStatus {
            running: state.current.as_ref().map(|current| current.description.clone()),
            failure: state.failure.clone(),
            clients: state.activity.clients(),
            calls: state.activity.calls(),
        }
    }

    fn start(&self, app: Arc<App>, workspace: Option<PathBuf>, port: u16) -> Result<(), ServerError> {
        let workspace = workspace.map(|path| app.workspaces.inspect(&path)).transpose().map(|state| state.map(|state| state.path));
        let mut state = self.lock();
        if let Some(current) = &state.current {
            let is_same = current.workspace == workspace?;
            return if is_same { Ok(()) } else { Err(ServerError::OtherWorkspace(current.workspace.clone())) };
        }
        let activity = Arc::default();
        match workspace.map_err(ServerError::from).and_then(|workspace| self.spawn(app, workspace, port, &activity)) {
            Ok(current) => {
                *state = State { current: Some(current), failure: None, activity };
                Ok(())
            }
            Err(error) => {
                state.failure = Some(error.to_string());
                Err(error)
            }
        }
    }

    fn stop(&self) {
        // Locked until the address is closed, so that the next start can use it.
        let mut state = self.lock();
        if let Some(current) = state.current.take() {
            current.end.cancel();
            // An error means that the runtime has ended, and the server with it.
            let _ = current.closed.blocking_recv();
        }
    }
}
