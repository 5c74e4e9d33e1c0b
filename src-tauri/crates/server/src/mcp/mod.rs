//! The Model Context Protocol: skills as tools and as resources.
//!
//! The files of a skill are resources at `skill://SLUG/PATH`, for clients of any version; newer ones get them as skills, by the extension
//! `io.modelcontextprotocol/skills`.

mod changes;
mod handler;
mod recording;
mod resources;
mod tools;
mod uri;

use inklings_rpc::RemoteRole;
use rmcp::ServiceExt as _;
use tokio::io::{AsyncRead, AsyncWrite};

pub use handler::Handler;

use crate::Served;

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("the client didn't begin as the protocol requires: {0}")]
    Handshake(String),
    #[error("the connection ended with an error: {0}")]
    Connection(String),
}

/// Serves one client over standard input and output, until it closes them.
pub async fn serve_stdio(served: Served, role: RemoteRole) -> Result<(), ServeError> {
    serve_stream(served, role, rmcp::transport::stdio()).await
}

/// The same over another pair of streams: what the client says, and what it is told.
pub async fn serve_stream<R, W>(served: Served, role: RemoteRole, streams: (R, W)) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let handler = Handler::for_stdio(served, role);
    let service = match handler.serve(streams).await {
        Ok(service) => service,
        // A client that ends without a word has done nothing wrong.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ServeError::Handshake(error.to_string())),
    };
    service.waiting().await.map(drop).map_err(|error| ServeError::Connection(error.to_string()))
}
