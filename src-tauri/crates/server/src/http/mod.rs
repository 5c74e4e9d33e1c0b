//! HTTP: every operation as a request, and MCP.
//!
//! A request passes, in this order: limits, the check against DNS rebinding, the token. What it may do then is decided by the table of
//! operations.

mod access;
mod background;
mod docs;
mod endpoint;
mod front;
mod guard;
mod openapi;
mod operations;
mod problem;
mod record;
mod routes;
mod streams;

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware;
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::{any_service, get, post};
use axum::{Json, Router};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use inklings_app::schema;
use inklings_core::{CancellationToken, Digest};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;
use tokio::sync::Semaphore;

pub use background::BackgroundServer;
pub use endpoint::Endpoint;
pub use problem::Problem;

use crate::Served;
use crate::catalog_version::CatalogVersion;
use crate::mcp::Handler;

/// Names the workspace in each answer, percent-encoded; empty for none.
const WORKSPACE_HEADER: HeaderName = HeaderName::from_static("inklings-workspace");
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');
const MCP_PATH: &str = "/mcp";
/// Connections at a time. More wait to be accepted.
const MAX_CONNECTIONS: usize = 1_024;
/// Time for a client to send the headers of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for requests to end when the server does.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

struct Shared {
    served: Served,
    /// Hash of the token of the person who started the server.
    owner: Digest,
    limits: access::RateLimits,
    streams: streams::Streams,
    /// The description of the interface, as JSON.
    document: Bytes,
    /// The same as a page.
    docs: Bytes,
    answers: routes::AnswerCache,
    version: Arc<CatalogVersion>,
    tokens: access::TokenCache,
    /// The value of [`WORKSPACE_HEADER`].
    workspace: HeaderValue,
}

impl Shared {
    /// Forgets what a write may have changed.
    fn forget(&self) {
        self.version.forget();
    }
}

/// Serves until `shutdown` is ready.
pub async fn serve(served: Served, endpoint: Endpoint, shutdown: impl Future<Output = ()>) {
    accept(served, endpoint, shutdown).await.finish().await;
}

/// Connections of a server whose address is closed.
struct Connections {
    graceful: GracefulShutdown,
    /// Ends those that are left.
    abort: CancellationToken,
}

impl Connections {
    /// Waits for running requests, but not for streams that never end.
    async fn finish(self) {
        if tokio::time::timeout(SHUTDOWN_TIMEOUT, self.graceful.shutdown()).await.is_err() {
            tracing::warn!("requests were still running when the server ended");
        }
        self.abort.cancel();
    }
}

/// Serves until `shutdown` is ready, then closes the address and removes the token file.
async fn accept(served: Served, endpoint: Endpoint, shutdown: impl Future<Output = ()>) -> Connections {
    let Endpoint { listener, owner, .. } = endpoint;
    let service = TowerToHyperService::new(router(served, owner.hash));
    let abort = CancellationToken::new();
    let mut builder = auto::Builder::new(TokioExecutor::new()).http1_only();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
    let (graceful, connections) = (GracefulShutdown::new(), Arc::new(Semaphore::new(MAX_CONNECTIONS)));
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let accepted = async {
            let permit = connections.clone().acquire_owned().await;
            (listener.accept().await, permit)
        };
        let (accepted, permit) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut shutdown => break,
        };
        match accepted {
            Ok((stream, _)) => {
                // An event is several small writes; each would wait for the client's acknowledgement, 40 ms on Linux.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "a connection delays small writes");
                }
                let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service.clone());
                let connection = graceful.watch(connection.into_owned());
                let aborted = abort.clone();
                tokio::spawn(async move {
                    let _permit = permit;
                    tokio::select! {
                        ended = connection => if let Err(error) = ended {
                            tracing::debug!(%error, "a connection ended with an error");
                        },
                        () = aborted.cancelled() => {}
                    }
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                // Out of file descriptors, most likely.
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    Connections { graceful, abort }
}

fn router(served: Served, owner: Digest) -> Router {
    let version = CatalogVersion::of(&served);
    let handler = Handler::for_http(&served, version.clone());
    let mcp = StreamableHttpService::new(
        move || Ok(handler.clone()),
        Arc::new(LocalSessionManager::default()),
        // The guard in front of it checks hosts and origins.
        StreamableHttpServerConfig::default().disable_allowed_hosts(),
    );
    let workspace = workspace_header(served.workspace.as_ref());
    let table = schema::document();
    let named = routes::prepare(&table);
    let document = openapi::document(table, &named);
    let shared = Arc::new(Shared {
        served,
        owner,
        limits: access::RateLimits::new(),
        streams: streams::Streams::default(),
        document: document.to_string().into(),
        docs: docs::page(&document).into(),
        answers: routes::AnswerCache::new(),
        version,
        tokens: access::TokenCache::new(),
        workspace,
    });
    let routes = Router::new()
        .route(MCP_PATH, any_service(mcp).layer(middleware::from_fn_with_state(shared.clone(), streams::limit_mcp)))
        .route("/api/operations/{family}/{verb}", post(operations::call))
        .merge(routes::router(&named))
        .layer(middleware::from_fn_with_state(shared.clone(), record::record))
        .layer(middleware::from_fn_with_state(shared.clone(), access::authenticate))
        .route("/api/health", get(health))
        .route("/openapi.json", get(description))
        .route("/docs", get(docs_page))
        .fallback(async || Problem::not_found("there is nothing at this address"))
        .method_not_allowed_fallback(async || Problem::method_not_allowed())
        .with_state(shared.clone());
    Router::new().fallback_service(routes).layer(middleware::from_fn_with_state(shared, front::answer))
}

fn workspace_header(workspace: Option<&PathBuf>) -> HeaderValue {
    let path = workspace.map(|path| path.display().to_string()).unwrap_or_default();
    let encoded = utf8_percent_encode(&path, PATH).to_string();
    HeaderValue::from_str(&encoded).unwrap_or(HeaderValue::from_static(""))
}

async fn health() -> Response {
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") })).into_response()
}

async fn description(State(shared): State<Arc<Shared>>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], shared.document.clone()).into_response()
}

async fn docs_page(State(shared): State<Arc<Shared>>) -> Response {
    let policy = "default-src 'none'; style-src 'unsafe-inline'";
    ([(header::CONTENT_SECURITY_POLICY, policy)], Html(shared.docs.clone())).into_response()
}
