//! Recording requests in the server's [`Activity`](crate::Activity).

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Extension, MatchedPath, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use inklings_app::REGISTRY;
use inklings_app::features::server::{ServerCall, ServerProtocol};
use inklings_core::Time;

use super::{MCP_PATH, Shared};
use crate::Caller;
use crate::activity::program_name;

const OPERATIONS_PREFIX: &str = "/api/operations/";

/// To be run after the caller is known. Calls over MCP are recorded by their handler; here only requests that it didn't get.
pub(super) async fn record(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    matched: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let recording = Recording::begin(&shared, &request, matched.as_ref().map(MatchedPath::as_str));
    let response = next.run(request).await;
    recording.end(&shared, caller, response.status());
    response
}

/// A request that runs.
pub(super) struct Recording {
    at: Time,
    started: Instant,
    protocol: ServerProtocol,
    method: String,
    target: Option<String>,
    program: Option<String>,
}

impl Recording {
    /// `pattern`: of the address.
    pub(super) fn begin(shared: &Shared, request: &Request, pattern: Option<&str>) -> Self {
        let path = request.uri().path();
        let agent = request.headers().get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        Self {
            at: shared.served.app.clock.now(),
            started: Instant::now(),
            protocol: if path == MCP_PATH { ServerProtocol::Mcp } else { ServerProtocol::Http },
            method: request.method().as_str().to_owned(),
            target: target(path, pattern),
            program: agent.and_then(program_name),
        }
    }

    pub(super) fn end(self, shared: &Shared, caller: Caller, status: StatusCode) {
        let failed = status.is_client_error() || status.is_server_error();
        if self.protocol == ServerProtocol::Mcp && !failed {
            return;
        }
        shared.served.activity.record(ServerCall {
            at: self.at,
            protocol: self.protocol,
            caller: caller.actor,
            program: self.program,
            method: self.method,
            target: self.target,
            status: Some(status.as_u16()),
            failed,
            milliseconds: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
        });
    }
}

/// The operation, or the pattern of the address, which has no values of the request.
fn target(path: &str, pattern: Option<&str>) -> Option<String> {
    let operation = path.strip_prefix(OPERATIONS_PREFIX);
    let known = operation.filter(|name| REGISTRY.operations().any(|operation| operation.name == *name));
    known.or(pattern).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_the_server_knows_are_recorded() {
        let pattern = Some("/api/operations/{family}/{verb}");
        assert_eq!(target("/api/operations/skill/list", pattern).as_deref(), Some("skill/list"));
        assert_eq!(target("/api/operations/my/secret", pattern).as_deref(), pattern);
        assert_eq!(target("/api/skills/my-secret", Some("/api/skills/{name}")).as_deref(), Some("/api/skills/{name}"));
        assert_eq!(target("/my/secret", None), None);
    }
}
