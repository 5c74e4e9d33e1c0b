use inklings_core::marketplace::{RegistryRecord, SyncAttempt, SyncFailure};
use inklings_core::{CancellationToken, ProgressReporter, Time};
use inklings_registry::client::fetch_config;
use inklings_registry::format::Config;
use inklings_registry::transport::{TransportError, connect};
use inklings_rpc::Code;
use url::Url;

use super::api::{AddRegistryParams, ChangeRegistryParams, RegistryIdentity, RegistryInfo};
use super::error::RegistryError;
use crate::features::marketplace::Marketplace;
use crate::wire::PartialFailure;

/// How a registry is reached now.
#[derive(Clone, Copy)]
pub(super) struct Attempt<'a> {
    pub(super) now: Time,
    pub(super) cancel: &'a CancellationToken,
    pub(super) progress: &'a ProgressReporter,
}

/// A URL, or the absolute path of a folder.
fn parse_address(text: &str) -> Result<Url, RegistryError> {
    let refused = |why: String| RegistryError::Address { address: text.to_owned(), why };
    let text = text.trim();
    if text.starts_with('/') {
        return Url::from_directory_path(text).map_err(|()| refused("the path can't be written as a URL".to_owned()));
    }
    let mut url = Url::parse(text).map_err(|error| refused(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https" | "file") {
        return Err(refused(format!("{} isn't supported", url.scheme())));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refused("it contains a user name or password".to_owned()));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(refused("it contains a query or a fragment".to_owned()));
    }
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    Ok(url)
}

pub(super) fn list(marketplace: &Marketplace) -> Result<Vec<RegistryInfo>, RegistryError> {
    marketplace.store.registries()?.iter().map(|record| info(marketplace, record)).collect()
}

fn info(marketplace: &Marketplace, record: &RegistryRecord) -> Result<RegistryInfo, RegistryError> {
    let catalog = marketplace.catalog(record)?;
    let synced_at = if catalog.is_some() { marketplace.client(record)?.synced_at() } else { None };
    let catalog = catalog.as_deref();
    let attempt = record.last_sync.as_ref();
    let failure = attempt.and_then(|attempt| attempt.failure.as_ref());
    Ok(RegistryInfo {
        id: record.id.clone(),
        title: record.title.clone(),
        address: record.address.clone(),
        mirrors: record.mirrors.clone(),
        fingerprint: record.fingerprint,
        priority: record.priority,
        enabled: record.enabled,
        updates_built_in: record.updates_built_in,
        added_at: record.added_at,
        synced_at,
        tried_at: attempt.map(|attempt| attempt.at),
        failure: failure.map(|SyncFailure { message, hint, is_offline }| PartialFailure {
            code: if *is_offline { Code::Io } else { Code::Invalid },
            message: message.clone(),
            hint: Some(hint.clone()),
        }),
        is_offline: failure.is_some_and(|failure| failure.is_offline),
        serial: catalog.map(|catalog| catalog.serial),
        expires_at: catalog.map(|catalog| catalog.expires),
        skills: catalog.map_or(0, |catalog| catalog.skills().count()),
        publishers: catalog
            .map(|catalog| catalog.root().document().publishers.iter().map(|one| one.name.clone()).collect())
            .unwrap_or_default(),
    })
}

pub(super) async fn inspect(
    marketplace: &Marketplace,
    address: &str,
    cancel: &CancellationToken,
) -> Result<RegistryIdentity, RegistryError> {
    let url = parse_address(address)?;
    let config = config(marketplace, &url, cancel).await?;
    let is_known = marketplace.store.registries()?.iter().any(|known| known.id == config.registry.as_str());
    Ok(RegistryIdentity { id: config.registry, title: config.title, address: url.to_string(), fingerprint: config.fingerprint, is_known })
}

async fn config(marketplace: &Marketplace, url: &Url, cancel: &CancellationToken) -> Result<Config, RegistryError> {
    let refused = |error: TransportError| RegistryError::Address { address: url.to_string(), why: error.to_string() };
    let transport = connect(url, &[]).map_err(refused)?;
    Ok(fetch_config(transport.as_ref(), &marketplace.options, cancel).await?)
}

pub(super) async fn add(marketplace: &Marketplace, attempt: Attempt<'_>, params: AddRegistryParams) -> Result<RegistryInfo, RegistryError> {
    let url = parse_address(&params.address)?;
    let mirrors = params.mirrors.iter().map(|mirror| parse_address(mirror)).collect::<Result<Vec<_>, _>>()?;
    let config = config(marketplace, &url, attempt.cancel).await?;
    let record = RegistryRecord {
        id: config.registry.to_string(),
        title: config.title,
        address: url.to_string(),
        mirrors: mirrors.iter().map(Url::to_string).collect(),
        fingerprint: params.fingerprint,
        priority: params.priority,
        enabled: true,
        updates_built_in: false,
        added_at: attempt.now,
        last_sync: None,
    };
    let _syncing = marketplace.syncing.lock().await;
    // Before the sync, which would replace what is known of the registry that has this ID.
    if marketplace.store.registries()?.iter().any(|known| known.id == record.id) {
        return Err(RegistryError::Exists(record.id));
    }
    let record = verify(marketplace, attempt, record).await?;
    // Another process may have added one during the sync.
    if !marketplace.store.add_registry(&record)? {
        return Err(RegistryError::Exists(record.id));
    }
    info(marketplace, &record)
}

pub(super) async fn change(
    marketplace: &Marketplace,
    attempt: Attempt<'_>,
    params: ChangeRegistryParams,
) -> Result<RegistryInfo, RegistryError> {
    let parse = |address: &String| parse_address(address).map(|url| url.to_string());
    let address = params.address.as_ref().map(parse).transpose()?;
    let mirrors = params.mirrors.as_ref().map(|mirrors| mirrors.iter().map(parse).collect::<Result<Vec<_>, _>>()).transpose()?;
    let apply = |record: &mut RegistryRecord| {
        if let Some(mirrors) = &mirrors {
            record.mirrors.clone_from(mirrors);
        }
        record.priority = params.priority.unwrap_or(record.priority);
        record.enabled = params.enabled.unwrap_or(record.enabled);
        record.updates_built_in = params.updates_built_in.unwrap_or(record.updates_built_in);
    };
    let present = marketplace.record(&params.registry)?;
    let Some(address) = address.filter(|address| *address != present.address) else {
        return store_change(marketplace, &params.registry, apply);
    };
    let _syncing = marketplace.syncing.lock().await;
    // Read again: it may have been changed, or replaced by another one of this ID, before the lock was free.
    let mut record = RegistryRecord { address, ..marketplace.record(&params.registry)? };
    apply(&mut record);
    let verified = verify(marketplace, attempt, record).await?;
    store_change(marketplace, &params.registry, |record| {
        apply(record);
        record.address.clone_from(&verified.address);
        record.title.clone_from(&verified.title);
        record.last_sync.clone_from(&verified.last_sync);
    })
}

/// The record after a sync, which shows that the registry is the one with this fingerprint. Its caller holds [`Marketplace::syncing`].
async fn verify(marketplace: &Marketplace, attempt: Attempt<'_>, mut record: RegistryRecord) -> Result<RegistryRecord, RegistryError> {
    let client = marketplace.client(&record)?;
    client.sync(attempt.now, attempt.cancel, attempt.progress).await?;
    let catalog = client.catalog()?;
    if let Some(found) = catalog.as_ref().map(|catalog| catalog.registry().as_str()).filter(|found| *found != record.id) {
        return Err(RegistryError::OtherRegistry { expected: record.id, found: found.to_owned() });
    }
    if let Some(catalog) = &catalog {
        record.title.clone_from(&catalog.root().document().title);
    }
    record.last_sync = Some(SyncAttempt { at: attempt.now, failure: None });
    Ok(record)
}

/// Changes the registry as it is now: other fields may have been changed while an address was verified.
fn store_change(
    marketplace: &Marketplace,
    registry: &str,
    mut change: impl FnMut(&mut RegistryRecord),
) -> Result<RegistryInfo, RegistryError> {
    let Some(record) = marketplace.store.change_registry(registry, &mut change)? else {
        // A sync of the new address has fetched it again.
        marketplace.forget(registry);
        return Err(RegistryError::NotFound(registry.to_owned()));
    };
    info(marketplace, &record)
}

pub(super) fn remove(marketplace: &Marketplace, registry: &str) -> Result<(), RegistryError> {
    if !marketplace.store.remove_registry(registry)? {
        return Err(RegistryError::NotFound(registry.to_owned()));
    }
    marketplace.forget(registry);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_url_or_a_path() {
        let text = |address: &str| parse_address(address).map(|url| url.to_string()).map_err(|error| error.to_string());
        assert_eq!(text("/srv/skills").unwrap(), "file:///srv/skills/");
        assert_eq!(text(" https://skills.example/a ").unwrap(), "https://skills.example/a/");
        for (address, why) in [
            ("skills", "relative URL without a base"),
            ("ftp://a.example", "ftp isn't supported"),
            ("https://ann:secret@a.example", "a user name or password"),
            ("https://a.example/skills?page=1", "a query or a fragment"),
            ("https://a.example/skills#all", "a query or a fragment"),
        ] {
            assert!(text(address).unwrap_err().contains(why), "{address}");
        }
    }
}
