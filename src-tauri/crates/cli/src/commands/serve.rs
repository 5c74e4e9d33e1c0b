//! `inklings serve`: the operations for other programs.

use std::path::PathBuf;

use anyhow::Context as _;
use inklings_rpc::Failure;
use inklings_server::http::{self, Endpoint};
use inklings_server::mcp;
use serde::Serialize;
use tokio::signal::unix::{SignalKind, signal};

use crate::args::ServeArgs;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::interrupt::interrupts;
use crate::out::Out;

/// Printed once requests are accepted.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ready {
    address: String,
    /// File with a token for the person who started the server, as long as it runs.
    token_file: PathBuf,
}

/// Returns on a signal to end, or when an MCP client closes its end.
pub(crate) async fn run(session: &Session, args: &ServeArgs, out: &Out) -> Result<(), CliError> {
    let mut terminate = signal(SignalKind::terminate()).context("can't listen for signals")?;
    let mut interrupts = interrupts();
    let ended = async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupts.changed() => {}
        }
    };
    if args.mcp_stdio {
        return tokio::select! {
            served = mcp::serve_stdio(session.served(args.toolset.into()), args.role) => Ok(served.context("serving the client failed")?),
            () = ended => Ok(()),
        };
    }
    let endpoint = Endpoint::bind(session.home(), args.port).map_err(Failure::from)?;
    let ready = Ready { address: endpoint.address(), token_file: endpoint.token_file().to_owned() };
    out.content(&ready, |ready| format!("{}\n", serde_json::to_string(ready).unwrap_or_default()))?;
    http::serve(session.served(args.toolset.into()), endpoint, ended).await;
    Ok(())
}
