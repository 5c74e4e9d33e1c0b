//! Answers about skills, as long as nothing changes. Many clients that read the same cost one reading.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use inklings_core::access::RemoteRole;
use moka::future::Cache;
use tokio::sync::Semaphore;

use super::{files, precondition};
use crate::catalog_version::Version;
use crate::http::Problem;

/// Uses of a skill change what is told of it, but not the version of the catalog.
const LIFETIME: Duration = Duration::from_secs(10);
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// Answers that are made at a time. A database keeps as many connections; more would be opened and closed for each answer.
const MAX_READINGS: usize = 4;

/// An answer that may be sent again.
#[derive(Debug)]
pub(in crate::http) struct CachedAnswer {
    /// Pattern of the address.
    pub(in crate::http) route: &'static str,
    pub(super) tag: HeaderValue,
    pub(super) media_type: HeaderValue,
    pub(super) body: Bytes,
    /// Whether it is a file of a skill.
    pub(super) is_file: bool,
}

impl CachedAnswer {
    /// As the client with these headers needs it.
    pub(in crate::http) fn response(&self, request: &HeaderMap) -> Response {
        let mut response = if precondition::is_known(request, &self.tag) {
            (StatusCode::NOT_MODIFIED, [(header::ETAG, self.tag.clone())]).into_response()
        } else {
            self.whole()
        };
        if self.is_file {
            files::restrict(&mut response);
        }
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        response
    }

    pub(super) fn whole(&self) -> Response {
        let headers = [(header::CONTENT_TYPE, self.media_type.clone()), (header::ETAG, self.tag.clone())];
        (headers, self.body.clone()).into_response()
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(in crate::http) struct Key {
    pub(in crate::http) role: RemoteRole,
    /// Address with its query.
    pub(in crate::http) address: String,
    /// Of the catalog.
    pub(in crate::http) version: Version,
}

pub(in crate::http) struct AnswerCache {
    answers: Cache<Key, Arc<CachedAnswer>>,
    readings: Semaphore,
}

impl AnswerCache {
    pub(in crate::http) fn new() -> Self {
        let weight = |key: &Key, cached: &Arc<CachedAnswer>| u32::try_from(key.address.len() + cached.body.len()).unwrap_or(u32::MAX);
        let answers = Cache::builder().max_capacity(MAX_BYTES).weigher(weight).time_to_live(LIFETIME).build();
        Self { answers, readings: Semaphore::new(MAX_READINGS) }
    }

    pub(in crate::http) async fn find(&self, key: &Key) -> Option<Arc<CachedAnswer>> {
        self.answers.get(key).await
    }

    /// Callers that ask for the same at the same time wait for one `make`.
    pub(super) async fn get(
        &self,
        key: Key,
        make: impl Future<Output = Result<CachedAnswer, Problem>>,
    ) -> Result<Arc<CachedAnswer>, Problem> {
        let made = async {
            // The semaphore is never closed.
            let _permit = self.readings.acquire().await;
            make.await.map(Arc::new)
        };
        self.answers.try_get_with(key, made).await.map_err(|problem| Problem::clone(&problem))
    }
}
