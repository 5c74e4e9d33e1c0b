//! Several servers of the same registry.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Request, Response, Transport, TransportError};

/// Asks the next server if one can't be reached.
#[derive(Debug)]
pub struct Mirrors {
    servers: Vec<Arc<dyn Transport>>,
}

impl Mirrors {
    #[must_use]
    pub const fn new(servers: Vec<Arc<dyn Transport>>) -> Self {
        Self { servers }
    }
}

#[async_trait]
impl Transport for Mirrors {
    async fn get(&self, request: Request<'_>) -> Result<Response, TransportError> {
        // Etags of different servers can be equal by chance, so each is marked with its server.
        let (marked, known) = request.etag.and_then(|etag| etag.split_once(' ')).unzip();
        let mut last = TransportError::Unreachable("no server is configured".to_owned());
        for (index, server) in self.servers.iter().enumerate() {
            let mark = index.to_string();
            let etag = if marked == Some(mark.as_str()) { known } else { None };
            match server.get(Request { etag, ..request }).await {
                Ok(Response::Content(mut content)) => {
                    content.etag = content.etag.map(|etag| format!("{mark} {etag}"));
                    return Ok(Response::Content(content));
                }
                Err(error) if error.is_retryable() => last = error,
                other => return other,
            }
        }
        Err(last)
    }
}
