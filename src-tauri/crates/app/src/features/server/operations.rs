use std::sync::Arc;

use inklings_rpc::{CallContext, Failure, NoParams, blocking, operations};

use super::api::{ServerStatus, StartServerParams};
use super::service;
use crate::app::App;

fn status(app: &App, _: &CallContext, _: NoParams) -> Result<ServerStatus, Failure> {
    Ok(service::server(app)?.status())
}

async fn start(app: Arc<App>, cx: CallContext, params: StartServerParams) -> Result<ServerStatus, Failure> {
    blocking(move || Ok(service::start(app, cx.workspace, params.port)?)).await
}

fn stop(app: &App, _: &CallContext, _: NoParams) -> Result<ServerStatus, Failure> {
    let server = service::server(app)?;
    server.stop();
    Ok(server.status())
}

operations! { App;
    GetServerStatus = "server/status", Local, blocking status(NoParams) -> ServerStatus;
    /// Serves the caller's workspace on the loopback address. Does nothing if that is served already.
    StartServer = "server/start", Local["server"], async start(StartServerParams) -> ServerStatus;
    /// Closes the address at once. Requests that are running may end.
    StopServer = "server/stop", Local["server"], blocking stop(NoParams) -> ServerStatus;
}
