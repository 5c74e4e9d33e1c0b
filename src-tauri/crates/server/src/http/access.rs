//! Tokens of requests.

use std::num::NonZeroU32;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use inklings_app::features::token;
use inklings_core::access::RemoteRole;
use inklings_rpc::{Failure, blocking};

use super::{Problem, Shared};
use crate::Caller;

/// The only thing that external callers get.
const FOR_EXTERNAL: &str = "/api/operations/resource/external";
/// Wrong tokens a second, from all clients together: on one machine their addresses say nothing.
const FAILURES_PER_SECOND: NonZeroU32 = NonZeroU32::new(20).unwrap();

/// Slows down who guesses tokens.
pub(super) struct Failures(DefaultDirectRateLimiter);

impl Failures {
    pub(super) fn new() -> Self {
        Self(RateLimiter::direct(Quota::per_second(FAILURES_PER_SECOND)))
    }
}

/// Puts the [`Caller`] of a request into its extensions.
pub(super) async fn authenticate(State(shared): State<Arc<Shared>>, mut request: Request, next: Next) -> Response {
    match caller(&shared, request.headers()).await {
        Ok(caller) if caller.external && request.uri().path() != FOR_EXTERNAL => {
            Problem::forbidden("this token is for public summaries only").into_response()
        }
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
}

async fn caller(shared: &Arc<Shared>, headers: &HeaderMap) -> Result<Caller, Problem> {
    let Some(secret) = bearer(headers).map(str::to_owned) else {
        return Err(Problem::unauthorized("a bearer token is required"));
    };
    if token::is_secret_of(&secret, shared.owner) {
        return Ok(Caller { actor: "local".to_owned(), role: RemoteRole::SystemAdmin, external: false });
    }
    let app = shared.served.app.clone();
    let found = blocking(move || token::authenticate(&app, &secret).map_err(Failure::from)).await?;
    match found {
        Some(token) => Ok(Caller { actor: format!("token:{}", token.name), role: token.role, external: token.external }),
        None if shared.failures.0.check().is_err() => Err(Problem::too_many_requests()),
        None => Err(Problem::unauthorized("the token is unknown, expired or revoked")),
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}
