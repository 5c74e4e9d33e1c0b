//! What is done for each request before its route is looked for. Answers that are known are sent here: routes and layers would take longer
//! than all else.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::record::Recording;
use super::routes::{Key, SKILLS};
use super::{Problem, Shared, WORKSPACE_HEADER, access, guard};

pub(super) async fn answer(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match guard::refused(request.headers()) {
        Some(why) => Problem::forbidden(why).into_response(),
        None => guarded(&shared, request, next).await,
    };
    let headers = response.headers_mut();
    headers.insert(WORKSPACE_HEADER, shared.workspace.clone());
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

async fn guarded(shared: &Arc<Shared>, mut request: Request, next: Next) -> Response {
    if request.method() == Method::GET && request.uri().path().starts_with(SKILLS) {
        let caller = match access::caller(shared, request.headers()).await {
            Ok(caller) => caller,
            Err(problem) => return problem.into_response(),
        };
        if !caller.external
            && let Some(version) = shared.version.known()
        {
            let address = request.uri().path_and_query().map_or("", |address| address.as_str()).to_owned();
            if let Some(known) = shared.answers.find(&Key { role: caller.role, address, version }).await {
                let recording = Recording::begin(shared, &request, Some(known.route));
                let response = known.response(request.headers());
                recording.end(shared, caller, response.status());
                return response;
            }
        }
        // It isn't checked twice.
        request.extensions_mut().insert(caller);
    }
    next.run(request).await
}
