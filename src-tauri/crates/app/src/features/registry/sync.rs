//! Syncing registries, and installing the updates that need no consent.

use std::sync::Arc;

use inklings_core::marketplace::{RegistryRecord, SyncAttempt, SyncFailure};
use inklings_core::{ProgressReporter, StorageError, UserData};
use inklings_registry::client::SyncError;
use inklings_rpc::{CallContext, Failure};
use serde::{Deserialize, Serialize};

use super::api::{RegistryOutcome, SyncOutcome, UpdatedSkill, WaitReason, WaitingUpdate};
use super::error::{RegistryError, failure_of};
use crate::app::App;
use crate::features::marketplace::{Listing, NewPackage, PendingUpdate, fetch_package, install_package, pending_updates};

/// Setting with the [`MarketplaceSettings`].
pub(crate) const MARKETPLACE_SETTINGS: &str = "marketplace";

/// When registries are synced without being asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MarketplaceSettings {
    pub sync_on_launch: bool,
    /// Hours between syncs while the app is open. 0 for none.
    pub sync_hours: u32,
    /// Whether updates that need no consent are installed.
    pub update_automatically: bool,
}

impl Default for MarketplaceSettings {
    fn default() -> Self {
        Self { sync_on_launch: true, sync_hours: 6, update_automatically: true }
    }
}

/// Blocks.
pub fn settings(user: &dyn UserData) -> Result<MarketplaceSettings, StorageError> {
    let stored = user.settings()?.remove(MARKETPLACE_SETTINGS);
    Ok(stored.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default())
}

/// Syncs one registry, or all that are enabled.
pub async fn sync_registries(app: Arc<App>, cx: CallContext, only: Option<String>) -> Result<SyncOutcome, Failure> {
    let records = app
        .blocking(move |app| match only {
            Some(id) => Ok(vec![app.marketplace.record(&id)?]),
            None => Ok(app.marketplace.store.registries()?.into_iter().filter(|record| record.enabled).collect()),
        })
        .await?;
    let _syncing = app.marketplace.syncing.lock().await;
    let mut registries = Vec::new();
    for record in &records {
        registries.push(sync_one(&app, &cx, record).await?);
        if cx.cancel.is_cancelled() {
            return Err(failure_of(&SyncError::Cancelled));
        }
    }
    let (updated, waiting) = install_updates(&app, &cx).await?;
    Ok(SyncOutcome { registries, updated, waiting })
}

/// A failure is recorded, and shown until the next sync.
async fn sync_one(app: &Arc<App>, cx: &CallContext, record: &RegistryRecord) -> Result<RegistryOutcome, Failure> {
    let now = app.clock.now();
    let client = app.marketplace.client(record)?;
    let result = client.sync(now, &cx.cancel, &cx.progress).await;
    let (changed, fetched) = result.as_ref().map_or((false, 0), |report| (report.has_changed, report.fetched_shards));
    let failure = result.as_ref().err().map(|error| SyncFailure {
        message: error.to_string(),
        hint: error.hint().to_owned(),
        is_offline: error.is_offline(),
    });
    let is_offline = failure.as_ref().is_some_and(|failure| failure.is_offline);
    let (id, attempt) = (record.id.clone(), SyncAttempt { at: now, failure });
    if !cx.cancel.is_cancelled() {
        app.blocking(move |app| Ok(app.marketplace.store.note_sync(&id, &attempt).map_err(RegistryError::from)?)).await?;
    }
    let failure = result.err().map(|error| failure_of(&error).into());
    Ok(RegistryOutcome { id: record.id.clone(), changed, fetched, failure, is_offline })
}

async fn install_updates(app: &Arc<App>, cx: &CallContext) -> Result<(Vec<UpdatedSkill>, Vec<WaitingUpdate>), Failure> {
    let context = cx.clone();
    let (listing, pending) = app
        .blocking(move |app| {
            let listing = app.marketplace.listing()?;
            let is_automatic = settings(app.user.as_ref())?.update_automatically;
            let pending = pending_updates(&app.marketplace, &listing, &app.catalog(&context)?, is_automatic)?;
            Ok((listing, pending))
        })
        .await?;
    let (mut updated, mut waiting) = (Vec::new(), Vec::new());
    for update in pending {
        let (slug, from, to) = (update.slug.to_string(), update.from.clone(), update.to.clone());
        if let Some(why) = update.waits {
            waiting.push(WaitingUpdate { slug, from, to, why, failure: None });
            continue;
        }
        match install_update(app, cx, &listing, update).await {
            Ok(()) => updated.push(UpdatedSkill { slug, from, to }),
            Err(failure) => waiting.push(WaitingUpdate { slug, from, to, why: WaitReason::Failed, failure: Some(failure.into()) }),
        }
    }
    Ok((updated, waiting))
}

async fn install_update(app: &Arc<App>, cx: &CallContext, listing: &Listing, update: PendingUpdate) -> Result<(), Failure> {
    let offer = listing.find(&update.id.to_string())?;
    let line = listing.version(&offer, Some(&update.to))?;
    // Its bytes aren't those of the sync's progress.
    let progress = ProgressReporter::default();
    let now = app.clock.now();
    let package = fetch_package(&app.marketplace, app.folder.as_ref(), (&offer, line), now, &cx.cancel, &progress).await?;
    let new = NewPackage { id: update.id, package, sha256: line.entry.sha256 };
    let context = cx.clone();
    app.blocking(move |app| Ok(install_package(&app.editor(&context)?, new).map(drop)?)).await
}
