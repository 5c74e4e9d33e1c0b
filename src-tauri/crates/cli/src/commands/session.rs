//! Calls operations as the local user.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use inklings_app::features::tool::ToolSet;
use inklings_app::{App, ChatEvent, RunEvent};
use inklings_engine::{Engine, Options};
use inklings_rpc::{CallContext, Failure, Operation, call};
use inklings_server::Served;
use tokio::sync::broadcast;

use crate::error::CliError;
use crate::out::Out;
use crate::progress::CallProgress;

/// An engine, and the workspace of the command.
pub(crate) struct Session {
    app: Arc<App>,
    workspace: Option<PathBuf>,
    home: PathBuf,
    engine: Engine,
}

impl Session {
    pub(crate) fn open(home: Option<PathBuf>, workspace: Option<PathBuf>, out: &Out) -> Result<Self, CliError> {
        Self::start(Options::with_home(home), workspace, out)
    }

    /// For a command that runs for long: it watches folders, as the app does.
    pub(crate) fn open_to_serve(home: Option<PathBuf>, workspace: Option<PathBuf>, out: &Out) -> Result<Self, CliError> {
        Self::start(Options { maintain: true, ..Options::with_home(home) }, workspace, out)
    }

    fn start(options: Options, workspace: Option<PathBuf>, out: &Out) -> Result<Self, CliError> {
        let home = options.home.clone();
        let engine = Engine::start(options)?;
        let app = engine.app().clone();
        out.banners("account", &app.workspaces.banners());
        let workspace = workspace.map(|path| app.workspaces.inspect(&path).map_err(Failure::from)).transpose()?;
        let workspace = workspace.map(|state| {
            out.banners("workspace", &state.banners);
            state.path
        });
        Ok(Self { app, workspace, home, engine })
    }

    /// The account's folder.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    pub(crate) fn served(&self, tools: ToolSet) -> Served {
        Served {
            app: self.app.clone(),
            workspace: self.workspace.clone(),
            tools,
            changes: self.engine.changes(),
            runs: self.engine.run_events(),
            activity: Arc::default(),
        }
    }

    pub(crate) fn workspace(&self) -> Option<&Path> {
        self.workspace.as_deref()
    }

    pub(crate) fn chat_events(&self) -> broadcast::Receiver<ChatEvent> {
        self.engine.chat_events()
    }

    pub(crate) fn run_events(&self) -> broadcast::Receiver<RunEvent> {
        self.engine.run_events()
    }

    /// Calls an operation with progress and cancellation.
    pub(crate) async fn call_with_progress<T: Operation<App = App>>(
        &self,
        params: T::Params,
        progress: &CallProgress,
    ) -> Result<T::Output, Failure> {
        let cx = CallContext::local(self.workspace.clone(), self.app.origin.clone())
            .with_control(progress.cancel().clone(), progress.reporter().clone());
        call::<T>(&self.app, cx, params).await
    }

    pub(crate) async fn call<T: Operation<App = App>>(&self, params: T::Params) -> Result<T::Output, Failure> {
        call::<T>(&self.app, CallContext::local(self.workspace.clone(), self.app.origin.clone()), params).await
    }
}
