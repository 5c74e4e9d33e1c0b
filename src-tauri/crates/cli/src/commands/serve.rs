//! `inklings serve`: the operations for other programs.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use anyhow::Context as _;
use inklings_server::http::{self, OwnerToken};
use inklings_server::mcp;
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::args::ServeArgs;
use crate::commands::session::Session;
use crate::error::CliError;
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
    let mut interrupt = signal(SignalKind::interrupt()).context("can't listen for signals")?;
    let ended = async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    if args.mcp_stdio {
        return tokio::select! {
            served = mcp::serve_stdio(session.served(args.toolset.into()), args.role) => Ok(served.context("serving the client failed")?),
            () = ended => Ok(()),
        };
    }
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let listener = TcpListener::bind(wanted).await.with_context(|| format!("can't listen on {wanted}"))?;
    let address = listener.local_addr().context("the server has no address")?;
    let token_file = session.home().join(format!("serve-{}.token", address.port()));
    let owner = OwnerToken::create(&token_file).context("the server needs a token file")?;
    let ready = Ready { address: format!("http://{address}"), token_file };
    out.content(&ready, |ready| format!("{}\n", serde_json::to_string(ready).unwrap_or_default()))?;
    http::serve(session.served(args.toolset.into()), owner, listener, ended).await;
    Ok(())
}
