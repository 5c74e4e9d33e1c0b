use inklings_rpc::{CallContext, Failure, NoParams, operations};

use super::api::{ClientChange, ClientList, ClientParams, ClientPreview, ClientReport, PreviewClientParams};
use super::service::{ClientService, Request};
use crate::app::App;

fn clients<'a>(app: &'a App, cx: &'a CallContext) -> ClientService<'a> {
    ClientService { environment: app.clients.as_ref(), workspace: cx.workspace.as_deref() }
}

fn list(app: &App, cx: &CallContext, _: NoParams) -> Result<ClientList, Failure> {
    Ok(clients(app, cx).list())
}

fn preview(app: &App, cx: &CallContext, params: PreviewClientParams) -> Result<ClientPreview, Failure> {
    let PreviewClientParams { change, client, scope, role, replace } = params;
    let request = Request { client: &client, scope, role: role.as_deref(), replace };
    Ok(clients(app, cx).preview(change, &request)?)
}

fn change(app: &App, cx: &CallContext, change: ClientChange, params: &ClientParams) -> Result<ClientReport, Failure> {
    let ClientParams { client, scope, role, replace } = params;
    let request = Request { client, scope: *scope, role: role.as_deref(), replace: *replace };
    Ok(clients(app, cx).change(change, &request)?)
}

fn install(app: &App, cx: &CallContext, params: ClientParams) -> Result<ClientReport, Failure> {
    change(app, cx, ClientChange::Install, &params)
}

fn uninstall(app: &App, cx: &CallContext, params: ClientParams) -> Result<ClientReport, Failure> {
    change(app, cx, ClientChange::Uninstall, &params)
}

operations! { App;
    /// The AI clients and whether they start our MCP server.
    ListClients = "client/list", Local, blocking list(NoParams) -> ClientList;
    /// What connecting or disconnecting a client would change in its configuration file.
    PreviewClient = "client/preview", Local, blocking preview(PreviewClientParams) -> ClientPreview;
    /// Adds our MCP server to the configuration of a client, or updates it there.
    InstallClient = "client/install", Local["client"], blocking install(ClientParams) -> ClientReport;
    /// Removes our MCP server from the configuration of a client.
    UninstallClient = "client/uninstall", Local["client"], blocking uninstall(ClientParams) -> ClientReport;
}
