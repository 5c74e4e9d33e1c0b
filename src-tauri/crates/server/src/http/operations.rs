//! `POST /api/operations/FAMILY/VERB`: the parameters are the body, the result is the answer.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Json, http};
use bytes::Bytes;
use inklings_app::{REGISTRY, dispatch};
use inklings_rpc::{CallContext, CancellationToken, Code, Effect, Failure, ProgressReporter};
use serde_json::{Map, Value};

use super::{Problem, Shared};
use crate::Caller;

/// A skill of the maximum size, as JSON.
pub(super) const MAX_BODY_BYTES: usize = 32 * 1024 * 1024;
/// Time for a client to send the body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

pub(super) async fn call(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let Path((family, verb)) = path.map_err(|_| Failure::invalid("the address isn't UTF-8"))?;
    let dispatcher = Dispatcher { shared, caller };
    let params = json_object(&headers, &read(body).await?)?;
    Ok(Json(dispatcher.call(&format!("{family}/{verb}"), params).await?).into_response())
}

/// Makes the calls of a request.
pub(super) struct Dispatcher {
    pub(super) shared: Arc<Shared>,
    pub(super) caller: Caller,
}

impl Dispatcher {
    /// The call is cancelled when the client goes away.
    pub(super) async fn call(&self, operation: &str, params: Map<String, Value>) -> Result<Value, Problem> {
        self.count()?;
        Ok(self.result(operation, params).await?)
    }

    pub(super) async fn result(&self, operation: &str, params: Map<String, Value>) -> Result<Value, Failure> {
        let cancel = CancelOnDrop(CancellationToken::new());
        let (app, cx, name) = (self.shared.served.app.clone(), self.context(cancel.0.clone()), operation.to_owned());
        // A task of its own: when the client goes away, the call is cancelled, and ends by itself.
        let ended = tokio::spawn(async move { dispatch(app, cx, &name, Value::Object(params)).await }).await;
        if !REGISTRY.operations().any(|one| one.name == operation && one.effect == Effect::Reads) {
            self.shared.forget();
        }
        ended.unwrap_or_else(|_| Err(Failure::new(Code::Internal, "the call stopped unexpectedly")))
    }

    /// Refuses a call that is one too many.
    pub(super) fn count(&self) -> Result<(), Problem> {
        self.shared.limits.count(&self.caller.actor)
    }

    fn context(&self, cancel: CancellationToken) -> CallContext {
        let served = &self.shared.served;
        self.caller.context(served.workspace.clone(), &served.app.origin, cancel, ProgressReporter::default())
    }
}

/// The whole body of a request, which must be small and come soon.
pub(super) async fn read(body: Body) -> Result<Bytes, Problem> {
    let read = tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, MAX_BODY_BYTES)).await.map_err(|_| Problem::timeout())?;
    read.map_err(|_| Problem::too_large(MAX_BODY_BYTES))
}

struct CancelOnDrop(CancellationToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// An empty body is an empty object.
pub(super) fn json_object(headers: &HeaderMap, bytes: &Bytes) -> Result<Map<String, Value>, Problem> {
    if bytes.is_empty() {
        return Ok(Map::new());
    }
    if !is_json(headers.get(header::CONTENT_TYPE)) {
        return Err(Problem::unsupported_media_type());
    }
    serde_json::from_slice(bytes).map_err(|error| Failure::invalid(format!("the body isn't a JSON object: {error}")).into())
}

/// A form can't have this type, so no page can send it without asking first.
fn is_json(media_type: Option<&http::HeaderValue>) -> bool {
    let Some(text) = media_type.and_then(|value| value.to_str().ok()) else { return false };
    text.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}
