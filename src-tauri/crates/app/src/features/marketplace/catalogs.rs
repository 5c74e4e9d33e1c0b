//! The catalogs of registries, read again when a sync of any process changed them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use inklings_core::marketplace::RegistryRecord;
use inklings_core::{Digest, MarketplaceStore, StorageError};
use inklings_registry::client::{CacheStamp, Catalog, Catalogs, ClientOptions, RegistryClient};
use inklings_registry::format::RegistryId;
use inklings_registry::transport::connect;
use semver::Version;

use super::error::MarketplaceError;
use super::listing::Listing;

/// The registries that the user added, and what is known of them.
pub struct Marketplace {
    pub(crate) store: Arc<dyn MarketplaceStore>,
    pub(crate) options: ClientOptions,
    /// Held by syncs of this process. Those of others are refused while one runs.
    pub(crate) syncing: tokio::sync::Mutex<()>,
    /// A folder for each registry.
    cache: PathBuf,
    /// By registry. Making one loads certificates, and each has its own connections.
    clients: Mutex<HashMap<String, (ClientKey, RegistryClient)>>,
    catalogs: Mutex<HashMap<String, (CacheStamp, Arc<Catalog>)>>,
    listing: Mutex<Option<(ListingStamp, Arc<Listing>)>>,
}

/// What a client is made of: addresses and fingerprint.
type ClientKey = (String, Vec<String>, Digest);
/// Registries with their priorities, and what is known of them.
type ListingStamp = Vec<(String, i32, Option<CacheStamp>)>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Marketplace {
    /// `cache` need not exist yet. `version` is that of the app.
    #[must_use]
    pub fn new(store: Arc<dyn MarketplaceStore>, cache: PathBuf, version: Version) -> Self {
        let (clients, catalogs, listing) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { store, options: ClientOptions::new(version), syncing: tokio::sync::Mutex::default(), cache, clients, catalogs, listing }
    }

    /// By descending priority, then ID.
    pub fn registries(&self) -> Result<Vec<RegistryRecord>, StorageError> {
        self.store.registries()
    }

    /// Of the app.
    pub(crate) const fn version(&self) -> &Version {
        &self.options.version
    }

    pub(crate) fn client(&self, record: &RegistryRecord) -> Result<RegistryClient, MarketplaceError> {
        let key = (record.address.clone(), record.mirrors.clone(), record.fingerprint);
        if let Some((of, client)) = locked(&self.clients).get(&record.id)
            && *of == key
        {
            return Ok(client.clone());
        }
        let invalid = |why: String| MarketplaceError::Address { registry: record.id.clone(), why };
        let url = |text: &String| text.parse().map_err(|error: url::ParseError| invalid(error.to_string()));
        let mirrors = record.mirrors.iter().map(url).collect::<Result<Vec<_>, _>>()?;
        let transport = connect(&url(&record.address)?, &mirrors).map_err(|error| invalid(error.to_string()))?;
        // The ID is that of a folder, so it must not be a path.
        let id: RegistryId = record.id.parse().map_err(|_| invalid("its ID is invalid".to_owned()))?;
        let client = RegistryClient::new(transport, self.cache.join(id.as_str()), record.fingerprint, self.options.clone());
        locked(&self.clients).insert(record.id.clone(), (key, client.clone()));
        Ok(client)
    }

    pub(crate) fn record(&self, id: &str) -> Result<RegistryRecord, MarketplaceError> {
        let found = self.store.registries()?.into_iter().find(|record| record.id == id);
        found.ok_or_else(|| MarketplaceError::NoRegistry(id.to_owned()))
    }

    /// Fails if a registry was removed, and deletes what was fetched from it since.
    pub(crate) fn ensure_known(&self, id: &str) -> Result<(), MarketplaceError> {
        self.record(id).map(drop).inspect_err(|error| {
            if matches!(error, MarketplaceError::NoRegistry(_)) {
                self.forget(id);
            }
        })
    }

    /// Deletes what is known of a registry. It can be fetched again.
    pub(crate) fn forget(&self, id: &str) {
        locked(&self.clients).remove(id);
        locked(&self.catalogs).remove(id);
        if let Ok(id) = id.parse::<RegistryId>()
            && let Err(error) = std::fs::remove_dir_all(self.cache.join(id.as_str()))
        {
            tracing::debug!(%error, "the cache of a registry stays");
        }
    }

    /// What is known of a registry. `None` before its first sync, and if the cache is damaged, which the next sync repairs.
    pub(crate) fn catalog(&self, record: &RegistryRecord) -> Result<Option<Arc<Catalog>>, MarketplaceError> {
        let client = self.client(record)?;
        let Some(stamp) = client.stamp() else { return Ok(None) };
        if let Some((known, catalog)) = locked(&self.catalogs).get(&record.id)
            && *known == stamp
        {
            return Ok(Some(catalog.clone()));
        }
        let catalog = client.catalog().unwrap_or_else(|error| {
            tracing::warn!(%error, registry = record.id, "what is known of a registry can't be read");
            None
        });
        let Some(catalog) = catalog.map(Arc::new) else { return Ok(None) };
        locked(&self.catalogs).insert(record.id.clone(), (stamp, catalog.clone()));
        Ok(Some(catalog))
    }

    /// The skills of all enabled registries.
    pub(crate) fn listing(&self) -> Result<Arc<Listing>, MarketplaceError> {
        let mut records = self.store.registries()?;
        records.retain(|record| record.enabled);
        let stamps = records.iter().map(|record| Ok((record.id.clone(), record.priority, self.client(record)?.stamp())));
        let stamp = stamps.collect::<Result<ListingStamp, MarketplaceError>>()?;
        // Held while the index is built, so that it is built once.
        let mut known = locked(&self.listing);
        if let Some((of, listing)) = known.as_ref()
            && *of == stamp
        {
            return Ok(listing.clone());
        }
        let mut catalogs = Vec::new();
        for record in &records {
            catalogs.extend(self.catalog(record)?.map(|catalog| (record.priority, catalog)));
        }
        let listing = Arc::new(Listing::new(Catalogs::new(catalogs), self.version().clone()));
        *known = Some((stamp, listing.clone()));
        Ok(listing)
    }
}
