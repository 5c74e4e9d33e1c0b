//! Answers about skills, as long as nothing changes. Many clients that read the same cost one reading.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use inklings_core::access::RemoteRole;
use moka::future::Cache;

use crate::http::Problem;

/// Uses of a skill change what is told of it, but not the version of the catalog.
const LIFETIME: Duration = Duration::from_secs(10);
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// An answer that may be sent again.
#[derive(Debug)]
pub(super) struct CachedAnswer {
    pub(super) tag: HeaderValue,
    pub(super) media_type: HeaderValue,
    pub(super) body: Bytes,
}

impl CachedAnswer {
    pub(super) fn response(&self) -> Response {
        let headers = [(header::CONTENT_TYPE, self.media_type.clone()), (header::ETAG, self.tag.clone())];
        (headers, self.body.clone()).into_response()
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) role: RemoteRole,
    /// Address with its query.
    pub(super) address: String,
    /// Of the catalog.
    pub(super) version: (i64, Option<i64>),
}

pub(in crate::http) struct AnswerCache(Cache<Key, Arc<CachedAnswer>>);

impl AnswerCache {
    pub(in crate::http) fn new() -> Self {
        let weight = |key: &Key, cached: &Arc<CachedAnswer>| u32::try_from(key.address.len() + cached.body.len()).unwrap_or(u32::MAX);
        Self(Cache::builder().max_capacity(MAX_BYTES).weigher(weight).time_to_live(LIFETIME).build())
    }

    /// Callers that ask for the same at the same time wait for one `make`.
    pub(super) async fn get(
        &self,
        key: Key,
        make: impl Future<Output = Result<CachedAnswer, Problem>>,
    ) -> Result<Arc<CachedAnswer>, Problem> {
        let answer = self.0.try_get_with(key, async { make.await.map(Arc::new) }).await;
        answer.map_err(|problem| Problem::clone(&problem))
    }
}
