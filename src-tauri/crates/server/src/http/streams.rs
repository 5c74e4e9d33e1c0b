//! The streams that callers follow: each keeps a connection, of which there is a limited number for all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use futures_util::StreamExt as _;

use super::{Problem, Shared, operations};
use crate::Caller;

/// Of one caller at a time.
const MAX_STREAMS: usize = 16;

/// The number of open streams, by actor.
#[derive(Clone, Default)]
pub(super) struct Streams(Arc<Mutex<HashMap<String, usize>>>);

impl Streams {
    /// Refuses a stream that is one too many.
    pub(super) fn open(&self, actor: &str) -> Result<OpenStream, Problem> {
        let mut counts = self.lock();
        let count = counts.entry(actor.to_owned()).or_default();
        if *count == MAX_STREAMS {
            return Err(Problem::too_many_requests(&format!("more than {MAX_STREAMS} streams at a time")));
        }
        *count += 1;
        Ok(OpenStream { streams: self.clone(), actor: actor.to_owned() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts until it is dropped.
pub(super) struct OpenStream {
    streams: Streams,
    actor: String,
}

impl OpenStream {
    /// Counts until the client has the whole response, or goes away.
    pub(super) fn until_sent(self, response: Response) -> Response {
        response.map(|body| {
            Body::from_stream(body.into_data_stream().map(move |chunk| {
                let _counted = &self;
                chunk
            }))
        })
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut counts = self.streams.lock();
        if let Some(count) = counts.get_mut(&self.actor) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.actor);
            }
        }
    }
}

/// Limits for a request over MCP, whose handler has none.
pub(super) async fn limit_mcp(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    // What the server says to a session is a stream that the client gets.
    let stream = if request.method() == Method::GET { Some(shared.streams.open(&caller.actor)?) } else { None };
    let (parts, body) = request.into_parts();
    let body = operations::read(body).await?;
    let response = next.run(Request::from_parts(parts, Body::from(body))).await;
    Ok(match stream {
        Some(stream) => stream.until_sent(response),
        None => response,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_caller_has_some_streams_at_a_time() {
        let streams = Streams::default();
        let mut open: Vec<_> = (0..MAX_STREAMS).map(|_| streams.open("token:a").unwrap()).collect();
        assert_eq!(streams.open("token:a").err().map(|problem| problem.status().as_u16()), Some(429));
        assert!(streams.open("token:b").is_ok());
        let sent = open.pop().unwrap().until_sent(Response::new(Body::empty()));
        assert!(streams.open("token:a").is_err());
        drop(sent);
        assert!(streams.open("token:a").is_ok());
        drop(open);
        assert!(streams.lock().is_empty());
    }
}
