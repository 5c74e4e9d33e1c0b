//! `inklings workspace`, `inklings status` and `inklings functions`

use inklings_app::features::app::{AppStatus, Status};
use inklings_app::features::script::{Functions, ScriptFunction, ScriptModule};
use inklings_app::features::workspace::{
    ExcludeFromGit, Forget, ForgetParams, GitExcludeParams, OpenSample, Recent, RecentEntry, RecentList, Trust, TrustParams,
};
use inklings_rpc::NoParams;

use crate::args::WorkspaceCommand;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, command: WorkspaceCommand, out: &Out) -> Result<(), CliError> {
    match command {
        WorkspaceCommand::List => out.result(&session.call::<Recent>(NoParams {}).await?, list),
        WorkspaceCommand::Sample => out.result(&session.call::<OpenSample>(NoParams {}).await?, |sample| sample.path.clone()),
        WorkspaceCommand::GitExclude { decline } => {
            let done = session.call::<ExcludeFromGit>(GitExcludeParams { accept: !decline }).await?;
            let text = if decline { "nothing changed; the app won't ask again" } else { "excluded the app's files from git" };
            out.result(&done, |_| text.to_owned())
        }
        WorkspaceCommand::Remove { path } => {
            let done = session.call::<Forget>(ForgetParams { path: path.clone() }).await?;
            out.result(&done, |_| format!("removed {path} from the list"))
        }
        WorkspaceCommand::Trust => trust(session, true, out).await,
        WorkspaceCommand::Distrust => trust(session, false, out).await,
    }
}

async fn trust(session: &Session, trusted: bool, out: &Out) -> Result<(), CliError> {
    session.call::<Trust>(TrustParams { trusted, path: None }).await?;
    out.result(&trusted, |trusted| if *trusted { "workspace trusted" } else { "workspace no longer trusted" }.to_owned())
}

fn list(recent: &RecentList) -> String {
    if recent.workspaces.is_empty() {
        return "no workspaces".to_owned();
    }
    let row = |one: &RecentEntry| {
        let trust = if one.trusted { "trusted" } else { "not trusted" };
        vec![one.path.clone(), one.opened_at.to_string(), if one.exists { trust } else { "not found" }.to_owned()]
    };
    table(&recent.workspaces.iter().map(row).collect::<Vec<_>>())
}

/// `inklings status`
pub(crate) async fn status(session: &Session, out: &Out) -> Result<(), CliError> {
    out.result(&session.call::<Status>(NoParams {}).await?, shown)
}

fn shown(status: &AppStatus) -> String {
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    let mut rows =
        vec![row("version", status.version.clone()), row("account", status.home.clone()), row("skills", status.skills.to_string())];
    if let Some(workspace) = &status.workspace {
        let trust = if workspace.trusted { "trusted" } else { "not trusted" };
        let access = if workspace.writable { "" } else { ", read-only" };
        rows.push(row("workspace", format!("{} ({trust}{access})", workspace.path)));
        rows.push(row("workspace skills", workspace.skills.to_string()));
        rows.push(row("workspace pages", workspace.pages.to_string()));
    }
    table(&rows)
}

/// `inklings functions`
pub(crate) async fn functions(session: &Session, out: &Out) -> Result<(), CliError> {
    out.result(&session.call::<Functions>(NoParams {}).await?, module)
}

fn module(module: &ScriptModule) -> String {
    let row = |one: &ScriptFunction| {
        let returns = if one.returns.is_empty() { String::new() } else { format!(" -> {}", one.returns) };
        vec![format!("{}.{}{returns}", module.module, one.signature), one.doc.clone()]
    };
    let functions = table(&module.functions.iter().map(row).collect::<Vec<_>>());
    match &module.unavailable {
        Some(why) => format!("{functions}\nscripts can't run: {why}"),
        None => functions,
    }
}
