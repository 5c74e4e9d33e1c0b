//! Tokens of requests.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use inklings_app::App;
use inklings_app::features::token;
use inklings_app::wire::ChangeEvent;
use inklings_core::Digest;
use inklings_core::access::{AccessToken, RemoteRole};
use inklings_rpc::{Failure, blocking};
use moka::future::Cache;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::{MCP_PATH, Problem, Shared};
use crate::Caller;

/// The only thing that external callers get.
const FOR_EXTERNAL: &str = "/api/operations/resource/external";
/// Wrong tokens a second, from all clients together: on one machine their addresses say nothing.
const FAILURES_PER_SECOND: NonZeroU32 = NonZeroU32::new(20).unwrap();

const TOKEN_LIFETIME: Duration = Duration::from_millis(5);
const MAX_TOKENS: u64 = 1_000;

/// Calls a second of one caller. Reading skills by their addresses doesn't count.
const CALLS_PER_SECOND: NonZeroU32 = NonZeroU32::new(1_000).unwrap();

pub(super) struct RateLimits {
    /// Slows down who guesses tokens.
    failures: DefaultDirectRateLimiter,
    /// By actor.
    requests: DefaultKeyedRateLimiter<String>,
}

impl RateLimits {
    pub(super) fn new() -> Self {
        Self {
            failures: RateLimiter::direct(Quota::per_second(FAILURES_PER_SECOND)),
            requests: RateLimiter::keyed(Quota::per_second(CALLS_PER_SECOND)),
        }
    }

    /// Counts a call, and refuses it if it is one too many.
    pub(super) fn count(&self, actor: &str) -> Result<(), Problem> {
        let allowed = self.requests.check_key(&actor.to_owned()).is_ok();
        if allowed { Ok(()) } else { Err(Problem::too_many_requests("more than 1,000 calls a second")) }
    }
}

/// Valid tokens by the hash of their secret and the number of revocations, for a moment: a client that sends many requests costs few readings.
/// A revocation by this process is noticed at once, one by another when the moment is over.
pub(super) struct TokenCache(Cache<(Digest, u64), AccessToken>);

impl TokenCache {
    pub(super) fn new() -> Self {
        Self(Cache::builder().max_capacity(MAX_TOKENS).time_to_live(TOKEN_LIFETIME).build())
    }

    /// None if it is unknown, forged, expired or revoked, which isn't cached.
    async fn find(&self, app: &Arc<App>, secret: String) -> Result<Option<AccessToken>, Failure> {
        let (hash, reading) = (Digest::of(secret.as_bytes()), app.clone());
        let read = async move {
            match blocking(move || Ok(token::authenticate(&reading, &secret)?)).await {
                Ok(Some(token)) => Ok(token),
                Ok(None) => Err(None),
                Err(failure) => Err(Some(failure)),
            }
        };
        match self.0.try_get_with((hash, app.access.revocations()), read).await {
            Ok(token) => Ok(token.is_valid(app.clock.now()).then_some(token)),
            Err(failure) => Option::clone(&failure).map_or(Ok(None), Err),
        }
    }
}

/// Puts the [`Caller`] of a request into its extensions.
pub(super) async fn authenticate(State(shared): State<Arc<Shared>>, mut request: Request, next: Next) -> Response {
    let caller = match request.extensions_mut().remove::<Caller>() {
        Some(checked) => Ok(checked),
        None => caller(&shared, request.headers()).await,
    };
    match caller {
        Ok(caller) if caller.external && request.uri().path() != FOR_EXTERNAL => {
            Problem::forbidden("this token is for public summaries only").into_response()
        }
        Ok(caller) => {
            if request.uri().path() == MCP_PATH
                && let Err(problem) = shared.limits.count(&caller.actor)
            {
                return problem.into_response();
            }
            let token = caller.token.clone();
            request.extensions_mut().insert(caller);
            let response = next.run(request).await;
            match token {
                Some(token) => ended_after(response, || invalid(shared.served.app.clone(), shared.served.changes.resubscribe(), token)),
                None => response,
            }
        }
        Err(problem) => problem.into_response(),
    }
}

pub(super) async fn caller(shared: &Arc<Shared>, headers: &HeaderMap) -> Result<Caller, Problem> {
    let Some(secret) = bearer(headers).map(str::to_owned) else {
        return Err(Problem::unauthorized("a bearer token is required"));
    };
    if token::is_secret_of(&secret, shared.owner) {
        return Ok(Caller { actor: "local".to_owned(), role: RemoteRole::SystemAdmin, external: false, token: None });
    }
    match shared.tokens.find(&shared.served.app, secret).await? {
        Some(token) => {
            let AccessToken { id, name, role, external, .. } = token;
            Ok(Caller { actor: format!("token:{name}"), role, external, token: Some(id) })
        }
        None if shared.limits.failures.check().is_err() => Err(Problem::too_many_requests("too many requests with wrong tokens")),
        None => Err(Problem::unauthorized("the token is unknown, expired or revoked")),
    }
}

/// Waits until a token isn't valid any more.
async fn invalid(app: Arc<App>, mut changes: Receiver<ChangeEvent>, id: String) {
    loop {
        let (reading, id) = (app.clone(), id.clone());
        // A token that can't be read isn't known to be valid.
        let Ok(Some((token, _))) = blocking(move || Ok(reading.access.token(&id)?)).await else { return };
        let now = app.clock.now();
        if !token.is_valid(now) {
            return;
        }
        let expired = async {
            match token.expires_at {
                Some(end) => tokio::time::sleep(end.since(now)).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = expired => {}
            goes_on = changed(&mut changes) => if !goes_on {
                return;
            },
        }
    }
}

/// Waits until a token may have changed. False if no change will be told.
async fn changed(changes: &mut Receiver<ChangeEvent>) -> bool {
    loop {
        match changes.recv().await {
            Ok(change) if change.kind != "token" => {}
            // What was missed is unknown.
            Ok(_) | Err(RecvError::Lagged(_)) => return true,
            Err(RecvError::Closed) => return false,
        }
    }
}

/// Ends a stream of events at the `end` of what its caller may see. Other answers are sent at once.
fn ended_after<F: Future<Output = ()> + Send + 'static>(response: Response, end: impl FnOnce() -> F) -> Response {
    let is_stream = response.headers().get(header::CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"text/event-stream"));
    if !is_stream {
        return response;
    }
    response.map(|body| Body::from_stream(body.into_data_stream().take_until(end())))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_stream_of_events_ends_with_its_token() {
        let endless = || Body::from_stream(futures_util::stream::pending::<Result<&[u8], std::io::Error>>());
        let events = Response::builder().header(header::CONTENT_TYPE, "text/event-stream").body(endless()).unwrap();
        let ended = ended_after(events, || tokio::time::sleep(Duration::ZERO)).into_body();
        assert!(axum::body::to_bytes(ended, 1).await.unwrap().is_empty());
        let page = Response::builder().header(header::CONTENT_TYPE, "text/html").body(Body::from("page")).unwrap();
        assert_eq!(axum::body::to_bytes(ended_after(page, || tokio::time::sleep(Duration::ZERO)).into_body(), 4).await.unwrap(), "page");
    }

    #[test]
    fn each_caller_has_a_limit_of_its_own() {
        let limits = RateLimits::new();
        let calls = 2 * CALLS_PER_SECOND.get();
        let refused = (0..calls).find_map(|_| limits.count("token:a").err());
        assert_eq!(refused.map(|problem| problem.status().as_u16()), Some(429));
        assert!(limits.count("token:b").is_ok());
    }
}
