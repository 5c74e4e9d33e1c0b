//! Commands by family.

mod check;
#[cfg(test)]
mod coverage;
mod db;
mod dev;
mod file;
mod grep;
mod history;
mod input;
mod library;
mod model;
mod optimize;
mod page;
mod reference;
mod render;
mod run;
mod runs;
mod settings;
mod skill;
mod symbol;
mod transfer;
mod validate;
pub(crate) mod values;
mod workspace;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use inklings_app::features::app::{Collect, Diagnostics};
use inklings_app::{App, RunEvent};
use inklings_engine::{Engine, Options};
use inklings_rpc::{CallContext, Code, Failure, NoParams, Operation, Watch, call};
use tokio::sync::broadcast;

use crate::Ended;
use crate::args::{Args, Command, TargetCommand};
use crate::out::Out;

/// What a command works with.
pub(crate) struct Session {
    app: Arc<App>,
    workspace: Option<PathBuf>,
    engine: Engine,
}

impl Session {
    fn open(home: Option<PathBuf>, workspace: Option<PathBuf>, out: &Out) -> Result<Self, Ended> {
        let engine = Engine::start(Options::with_home(home))?;
        let app = engine.app().clone();
        out.banners("account", &app.scopes.banners());
        let workspace = workspace.map(|path| app.scopes.inspect(&path)).transpose()?;
        let workspace = workspace.map(|state| {
            out.banners("workspace", &state.banners);
            state.path
        });
        Ok(Self { app, workspace, engine })
    }

    /// The workspace's folder.
    pub(crate) fn workspace(&self) -> Option<&Path> {
        self.workspace.as_deref()
    }

    /// Hears the events of runs from now on.
    pub(crate) fn run_events(&self) -> broadcast::Receiver<RunEvent> {
        self.engine.run_events()
    }

    /// Calls an operation that takes long.
    pub(crate) async fn call_watched<T: Operation<App = App>>(&self, params: T::Params, watch: Watch) -> Result<T::Output, Failure> {
        let cx = CallContext::local(self.workspace.clone(), self.app.origin.clone()).watched(watch);
        call::<T>(&self.app, cx, params).await
    }

    /// Calls an operation as the person at this machine.
    pub(crate) async fn call<T: Operation<App = App>>(&self, params: T::Params) -> Result<T::Output, Failure> {
        call::<T>(&self.app, CallContext::local(self.workspace.clone(), self.app.origin.clone()), params).await
    }
}

/// Runs a command.
pub(crate) async fn run(args: Args, out: &Out) -> Result<(), Ended> {
    let session = || Session::open(args.home.clone(), args.workspace.clone(), out);
    match args.command {
        Command::Skill(command) => skill::run(&session()?, command, out).await,
        Command::File(command) => file::run(&session()?, command, out).await,
        Command::Artifact(command) => file::artifact(&session()?, command, out).await,
        Command::Input(command) => input::run(&session()?, command, out).await,
        Command::Reference(command) => reference::run(&session()?, command, out).await,
        Command::Draft(command) => input::draft(&session()?, command, out).await,
        Command::Settings(command) => settings::run(&session()?, command, out).await,
        Command::Status => workspace::status(&session()?, out).await,
        Command::Functions => workspace::functions(&session()?, out).await,
        Command::Validate(command) => validate::run(&command, out),
        Command::Import(command) => transfer::import(&session()?, command, out).await,
        Command::Export(command) => transfer::export(&session()?, command, out).await,
        Command::Target(TargetCommand::List) => transfer::targets(&session()?, out).await,
        Command::Render(command) => render::run(&session()?, command, out).await,
        Command::Run(command) => run::run(&session()?, command, out).await,
        Command::Runs(command) => runs::run(&session()?, command, out).await,
        Command::Trace(command) => runs::run(&session()?, command.into(), out).await,
        Command::Model(command) => model::run(&session()?, command, out).await,
        Command::Optimize(args) => optimize::run(&session()?, args, out).await,
        Command::Proposal(command) => optimize::proposal(&session()?, command, out).await,
        Command::Dspy(command) => optimize::dspy(&session()?, command, out).await,
        Command::Page(command) => page::run(&session()?, command, out).await,
        Command::Workspace(command) => workspace::run(&session()?, command, out).await,
        Command::Db(command) => db::run(args.home.clone(), args.workspace.clone(), command, out),
        Command::Dev(command) => dev::run(command),
        Command::Studio { folder } => studio(folder.or(args.workspace), args.home),
        Command::Diagnostics => diagnostics(args.home, args.workspace, out).await,
        Command::Schema => out.content(inklings_app::schema::package(), |schema| format!("{schema:#}\n")),
        Command::Completions { shell } => {
            // The generator panics when it can't write, and a pipe may be closed.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut crate::args::command(), "inklings", &mut script);
            out.exact(&script).map(drop)
        }
    }
}

/// Starts the desktop app that is installed beside this command. One that runs already does what is wished.
fn studio(folder: Option<PathBuf>, home: Option<PathBuf>) -> Result<(), Ended> {
    if let Some(folder) = folder.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(Failure::new(Code::NotFound, format!("there is no folder {}", folder.display())).hint("check the spelling").into());
    }
    let own = std::env::current_exe().context("this command's own place")?;
    let app = own.with_file_name("inklings-studio");
    std::process::Command::new(&app)
        .args(folder)
        .envs(home.map(|home| ("INKLINGS_HOME", home)))
        .spawn()
        .with_context(|| format!("the desktop app {} can't be started: install it beside this command", app.display()))?;
    Ok(())
}

/// `inklings diagnostics`: also where the app can't start.
async fn diagnostics(home: Option<PathBuf>, workspace: Option<PathBuf>, out: &Out) -> Result<(), Ended> {
    match Session::open(home.clone(), workspace, out) {
        Ok(session) => out.result(&session.call::<Collect>(NoParams {}).await?, |collected| collected.text.clone()),
        Err(Ended::Refused(failure)) => {
            let text = inklings_engine::diagnostics::of_failed(&Options::with_home(home), &failure);
            out.result(&Diagnostics { text }, |collected| collected.text.clone())?;
            Err(Ended::Findings)
        }
        Err(other) => Err(other),
    }
}
