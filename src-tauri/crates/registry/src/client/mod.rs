//! Reading registries: syncing their index to a cache, and downloading packages.
//!
//! The cache is complete at all times: files are named by their hash and written first, and one file that is replaced in one step says
//! which of them count.

mod cache;
mod catalog;
mod download;
mod error;
mod fetch;
mod registries;
mod sync;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use inklings_core::Digest;
use semver::Version;

use crate::transport::Transport;
use cache::Cache;

pub use cache::CacheStamp;
pub use catalog::{Catalog, PackageStatus};
pub use error::SyncError;
pub use fetch::{Pace, fetch_config};
pub use registries::{Catalogs, MarketplaceId, Offer, ParseMarketplaceIdError};
pub use sync::SyncReport;

#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// Of the app.
    pub version: Version,
    pub pace: Pace,
    /// Tries of each request, the first one included.
    pub attempts: u32,
    /// Before the second try, and twice as long before each further one.
    pub pause: Duration,
    /// Parts of the index that are fetched at once.
    pub parallel: usize,
}

impl ClientOptions {
    #[must_use]
    pub fn new(version: Version) -> Self {
        Self { version, pace: Pace::default(), attempts: 3, pause: Duration::from_millis(500), parallel: 8 }
    }
}

/// A registry and its cache.
#[derive(Debug, Clone)]
pub struct RegistryClient {
    transport: Arc<dyn Transport>,
    cache: Cache,
    fingerprint: Digest,
    options: ClientOptions,
}

impl RegistryClient {
    /// `cache` is a folder of this registry alone. `fingerprint` is the SHA-256 of its first root document.
    #[must_use]
    pub fn new(transport: Arc<dyn Transport>, cache: PathBuf, fingerprint: Digest, options: ClientOptions) -> Self {
        Self { transport, cache: Cache::new(cache), fingerprint, options }
    }
}
