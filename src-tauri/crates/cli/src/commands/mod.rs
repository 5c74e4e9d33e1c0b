//! Commands by family.

mod action;
mod agent;
mod approval;
mod chat;
mod check;
mod common;
#[cfg(test)]
mod coverage;
mod db;
mod dev;
mod eval;
mod exec;
mod file;
mod grep;
mod history;
mod input;
mod kit;
mod library;
mod lifecycle;
mod link;
mod live;
mod mcp;
mod model;
mod optimize;
mod page;
mod proposal;
mod readiness;
mod reference;
mod registry;
mod render;
mod run;
mod runs;
mod search;
mod serve;
mod session;
mod settings;
mod skill;
mod symbol;
mod target;
mod token;
mod transfer;
mod update;
mod validate;
mod values;
mod workspace;

use std::path::PathBuf;

use anyhow::Context as _;
use inklings_app::features::app::{Collect, Diagnostics};
use inklings_engine::display;
use inklings_rpc::{Code, Failure, NoParams};

use crate::args::{Args, Command};
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::Out;

/// Runs a command.
pub(crate) async fn run(args: Args, out: &Out) -> Result<(), CliError> {
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
        Command::Chat(command) => chat::run(&session()?, command, out).await,
        Command::Agent(command) => agent::run(&session()?, command, out).await,
        Command::Notes(command) => agent::notes(&session()?, command, out).await,
        Command::Search(args) => search::run(&session()?, args, out).await,
        Command::Validate(command) => validate::run(&command, out),
        Command::Import(command) => transfer::import(&session()?, command, out).await,
        Command::Export(command) => transfer::export(&session()?, command, out).await,
        Command::Link(command) => link::run(&session()?, command, out).await,
        Command::Target(command) => target::run(&session()?, command, out).await,
        Command::Kit(command) => kit::run(&session()?, command, out).await,
        Command::Registry(command) => registry::run(&session()?, command, out).await,
        Command::Render(command) => render::run(&session()?, command, out).await,
        Command::Run(command) => run::run(&session()?, command, out).await,
        Command::Action(command) => action::run(&session()?, command, out).await,
        Command::Runs(command) => runs::run(&session()?, command, out).await,
        Command::Trace(command) => runs::run(&session()?, command.into(), out).await,
        Command::Model(command) => model::run(&session()?, command, out).await,
        Command::Eval(command) => eval::run(&session()?, command, out).await,
        Command::Optimize(args) => optimize::run(&session()?, args, out).await,
        Command::Proposal(command) => proposal::run(&session()?, command, out).await,
        Command::Dspy(command) => optimize::dspy(&session()?, command, out).await,
        Command::Page(command) => page::run(&session()?, command, out).await,
        Command::Workspace(command) => workspace::run(&session()?, command, out).await,
        Command::Db(command) => db::run(args.home.clone(), args.workspace.clone(), command, out),
        Command::Mcp(command) => mcp::run(&session()?, command, out).await,
        Command::Dev(command) => dev::run(command),
        Command::Studio { folder } => studio(folder.or(args.workspace), args.home),
        Command::Serve(command) => serve::run(&Session::open_to_serve(args.home, args.workspace, out)?, &command, out).await,
        Command::Token(command) => token::run(&session()?, command, out).await,
        Command::Diagnostics => diagnostics(args.home, args.workspace, out).await,
        Command::Schema => out.content(inklings_app::schema::package(), |schema| format!("{schema:#}\n")),
        Command::Completions { shell } => {
            // The generator panics on a closed pipe, so it writes to memory.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut crate::args::command(), "inklings", &mut script);
            let script = String::from_utf8_lossy(&script).into_owned();
            out.content(&serde_json::json!({ "script": script }), |_| script)
        }
    }
}

/// Starts the desktop app in the same folder as this program. A running one opens the folder.
fn studio(folder: Option<PathBuf>, home: Option<PathBuf>) -> Result<(), CliError> {
    if let Some(folder) = folder.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(Failure::new(Code::NotFound, format!("folder not found: {}", folder.display())).hint("check the path").into());
    }
    let own = std::env::current_exe().context("can't find the path of this program")?;
    let app = own.with_file_name("inklings-studio");
    let mut command = std::process::Command::new(&app);
    command.args(folder).envs(home.map(|home| ("INKLINGS_HOME", home)));
    let failed = || format!("can't start {}; install the desktop app", app.display());
    if display::is_available(std::env::var_os) {
        command.spawn().with_context(failed)?;
    } else if !command.stderr(std::process::Stdio::null()).status().with_context(failed)?.success() {
        // It ended at once, since none is running that could open the folder.
        return Err(Failure::new(Code::NotInstalled, display::NO_DISPLAY).into());
    }
    Ok(())
}

/// `inklings diagnostics`, also if the app can't start.
async fn diagnostics(home: Option<PathBuf>, workspace: Option<PathBuf>, out: &Out) -> Result<(), CliError> {
    match Session::open(home.clone(), workspace, out) {
        Ok(session) => out.result(&session.call::<Collect>(NoParams {}).await?, |collected| collected.text.clone()),
        Err(CliError::Operation(failure)) => {
            let text = inklings_engine::diagnostics::startup_report(&inklings_engine::Options::with_home(home), &failure);
            out.result(&Diagnostics { text }, |collected| collected.text.clone())?;
            Err(CliError::Findings)
        }
        Err(other) => Err(other),
    }
}
