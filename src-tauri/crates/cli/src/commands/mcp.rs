//! `inklings mcp`

use std::io::IsTerminal as _;

use inklings_app::features::client::{
    ClientChange, ClientEntry, ClientFile, ClientList, ClientParams, ClientPreview, ClientReport, ClientScope, ClientState, InstallClient,
    ListClients, PreviewClient, PreviewClientParams, UninstallClient,
};
use inklings_rpc::{Failure, NoParams};

use crate::args::{ClientArgs, McpCommand};
use crate::commands::approval::agrees;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, command: McpCommand, out: &Out) -> Result<(), CliError> {
    match command {
        McpCommand::List => out.result(&session.call::<ListClients>(NoParams {}).await?, list),
        McpCommand::Install(args) => change(session, ClientChange::Install, args.client, args.role, out).await,
        McpCommand::Uninstall(args) => change(session, ClientChange::Uninstall, args, None, out).await,
    }
}

async fn change(session: &Session, change: ClientChange, args: ClientArgs, role: Option<String>, out: &Out) -> Result<(), CliError> {
    let ClientArgs { client, scope, replace, dry_run, yes } = args;
    let scope = ClientScope::from(scope);
    let params = PreviewClientParams { change, client: client.clone(), scope, role: role.clone(), replace };
    let preview = session.call::<PreviewClient>(params).await?;
    if dry_run {
        return out.content(&preview, |preview| shown(preview) + "dry run: nothing was changed\n");
    }
    if !preview.diff.is_empty() && !yes {
        if out.is_json() || !std::io::stdin().is_terminal() {
            let failure = Failure::invalid(format!("the change of {} isn't confirmed", preview.path));
            return Err(failure.hint("check it with --dry-run, then confirm it with --yes").into());
        }
        out.exact_error(&shown(&preview));
        let question = if change == ClientChange::Install { "Add inklings?" } else { "Remove inklings?" };
        if !agrees(question, out)? {
            return Err(CliError::Findings);
        }
    }
    let params = ClientParams { client, scope, role, replace };
    let report = match change {
        ClientChange::Install => session.call::<InstallClient>(params).await?,
        ClientChange::Uninstall => session.call::<UninstallClient>(params).await?,
    };
    out.result(&report, |report| done(change, report))
}

fn shown(preview: &ClientPreview) -> String {
    if preview.diff.is_empty() {
        return format!("{}: no changes\n", preview.path);
    }
    let backup = preview.backup.as_ref().map(|backup| format!("the present file is kept as {backup}\n")).unwrap_or_default();
    let what = match preview {
        ClientPreview { creates: true, .. } => ": new file",
        ClientPreview { deletes: true, .. } => ": will be deleted, since it has nothing else",
        _ => "",
    };
    format!("{}{what}\n{}{backup}", preview.path, preview.diff)
}

fn done(change: ClientChange, report: &ClientReport) -> String {
    let what = match (change, report.changed) {
        (ClientChange::Install, true) => "added inklings to",
        (ClientChange::Install, false) => "inklings is already in",
        (ClientChange::Uninstall, true) => "removed inklings from",
        (ClientChange::Uninstall, false) => "inklings isn't in",
    };
    format!("{what} {}", report.file.path)
}

fn list(list: &ClientList) -> String {
    let row = |client: &ClientEntry, file: &ClientFile| {
        let scope = match file.scope {
            ClientScope::User => "user",
            ClientScope::Project => "project",
        };
        let is_missing = !client.installed && file.state == ClientState::None;
        let state = if is_missing { "not installed".to_owned() } else { state_text(file) };
        vec![client.id.clone(), scope.to_owned(), state, file.path.clone()]
    };
    let rows: Vec<_> = list.clients.iter().flat_map(|client| client.files.iter().map(move |file| row(client, file))).collect();
    table(&rows)
}

fn state_text(file: &ClientFile) -> String {
    let state = match file.state {
        ClientState::None => "not connected".to_owned(),
        ClientState::Current => "connected".to_owned(),
        ClientState::Outdated => "outdated".to_owned(),
        ClientState::Foreign => "another server has the name inklings".to_owned(),
        ClientState::Broken => format!("can't be read: {}", file.reason.as_deref().unwrap_or_default()),
    };
    file.role.as_ref().map_or(state.clone(), |role| format!("{state} as {role}"))
}
