//! The Model Context Protocol: skills as tools and as resources.
//!
//! The files of a skill are resources at `skill://SLUG/PATH`, for clients of any version; newer ones get them as skills, by the extension
//! `io.modelcontextprotocol/skills`.

mod changes;
mod file_cache;
mod handler;
mod recording;
mod resources;
mod stdio;
mod tools;
mod uri;

use std::{io, thread};

use inklings_rpc::RemoteRole;
use rmcp::ServiceExt as _;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime;
use tokio::sync::oneshot;

pub use handler::Handler;

use crate::Served;

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("the client didn't begin as the protocol requires: {0}")]
    Handshake(String),
    #[error("the connection ended with an error: {0}")]
    Connection(String),
    #[error("can't start a thread: {0}")]
    Thread(#[from] io::Error),
}

/// Serves one client over standard input and output, until it closes them.
pub async fn serve_stdio(served: Served, role: RemoteRole) -> Result<(), ServeError> {
    let (handler, (sender, ended)) = (Handler::for_stdio(served, role), oneshot::channel());
    // One thread answers what takes no time: each hand-over to another one takes longer than that.
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    thread::Builder::new().name("mcp-stdio".to_owned()).spawn(move || {
        let result = runtime.block_on(async { serve_handler(handler, (stdio::input(), stdio::output())).await });
        // Threads that still wait for something aren't waited for.
        runtime.shutdown_background();
        // Nobody waits for it when the process ends.
        let _ = sender.send(result);
    })?;
    ended.await.unwrap_or_else(|_| Err(ServeError::Connection("its thread stopped unexpectedly".to_owned())))
}

/// The same over another pair of streams: what the client says, and what it is told.
pub async fn serve_stream<R, W>(served: Served, role: RemoteRole, streams: (R, W)) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    serve_handler(Handler::for_stdio(served, role), streams).await
}

async fn serve_handler<R, W>(handler: Handler, streams: (R, W)) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let service = match handler.serve(streams).await {
        Ok(service) => service,
        // A client that ends without a word has done nothing wrong.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ServeError::Handshake(error.to_string())),
    };
    service.waiting().await.map(drop).map_err(|error| ServeError::Connection(error.to_string()))
}
