//! `POST /api/operations/FAMILY/VERB`: the parameters are the body, the result is the answer.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Json, http};
use inklings_app::dispatch;
use inklings_rpc::{CancellationToken, Code, Failure, ProgressReporter};
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
    Path((family, verb)): Path<(String, String)>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let name = format!("{family}/{verb}");
    let params = params(&headers, body).await?;
    let cancel = CancelOnDrop(CancellationToken::new());
    let cx = caller.context(shared.served.workspace.clone(), &shared.served.app.origin, cancel.0.clone(), ProgressReporter::default());
    let app = shared.served.app.clone();
    // A task of its own: when the client goes away, the call is cancelled, and ends by itself.
    let ended = tokio::spawn(async move { dispatch(app, cx, &name, Value::Object(params)).await }).await;
    let result = ended.unwrap_or_else(|_| Err(Failure::new(Code::Internal, "the call stopped unexpectedly")));
    Ok(Json(result?).into_response())
}

struct CancelOnDrop(CancellationToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

async fn params(headers: &HeaderMap, body: Body) -> Result<Map<String, Value>, Problem> {
    let read = tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, MAX_BODY_BYTES)).await.map_err(|_| Problem::timeout())?;
    let bytes = read.map_err(|_| Problem::too_large(MAX_BODY_BYTES))?;
    if bytes.is_empty() {
        return Ok(Map::new());
    }
    if !is_json(headers.get(header::CONTENT_TYPE)) {
        return Err(Problem::unsupported_media_type());
    }
    serde_json::from_slice(&bytes).map_err(|error| Failure::invalid(format!("the body isn't a JSON object: {error}")).into())
}

/// A form can't have this type, so no page can send it without asking first.
fn is_json(media_type: Option<&http::HeaderValue>) -> bool {
    let Some(text) = media_type.and_then(|value| value.to_str().ok()) else { return false };
    text.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}
