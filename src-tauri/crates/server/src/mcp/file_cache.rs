//! Files that clients read, as long as nothing changes.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use inklings_app::features::resource::ExposedContent;
use inklings_core::access::RemoteRole;
use inklings_rpc::Failure;
use moka::future::Cache;

use crate::catalog_version::{CatalogVersion, Version};

/// Uses of a skill may hide it, but don't change the version of the catalog.
const LIFETIME: Duration = Duration::from_secs(10);
const MAX_BYTES: u64 = 64 * 1024 * 1024;

#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    role: RemoteRole,
    uri: String,
    version: Version,
}

pub(super) struct FileCache {
    version: Arc<CatalogVersion>,
    files: Cache<Key, Arc<ExposedContent>>,
}

impl FileCache {
    pub(super) fn new(version: Arc<CatalogVersion>) -> Self {
        let bytes = |content: &ExposedContent| content.text.as_ref().or(content.base64.as_ref()).map_or(0, String::len);
        let weight = move |key: &Key, content: &Arc<ExposedContent>| u32::try_from(key.uri.len() + bytes(content)).unwrap_or(u32::MAX);
        Self { version, files: Cache::builder().max_capacity(MAX_BYTES).weigher(weight).time_to_live(LIFETIME).build() }
    }

    /// `read` must say the same to all callers of the role.
    pub(super) async fn get(
        &self,
        role: RemoteRole,
        uri: &str,
        read: impl Future<Output = Result<ExposedContent, Failure>>,
    ) -> Result<Arc<ExposedContent>, Failure> {
        let key = Key { role, uri: uri.to_owned(), version: self.version.get().await? };
        let read = async { read.await.map(Arc::new) };
        self.files.try_get_with(key, read).await.map_err(|failure| Failure::clone(&failure))
    }

    /// To be called after a write.
    pub(super) fn forget(&self) {
        self.version.forget();
    }
}
