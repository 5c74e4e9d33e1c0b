use std::sync::Arc;

use inklings_core::ProgressReporter;
use inklings_core::marketplace::{RegistryRecord, SyncAttempt, SyncFailure};
use inklings_registry::client::SyncError;
use inklings_rpc::{CallContext, Done, Failure, NoParams, operations};

use super::api::{
    AddRegistryParams, ChangeRegistryParams, InspectRegistryParams, RegistryIdentity, RegistryInfo, RegistryOutcome, RegistryRef,
    SyncOutcome, SyncRegistriesParams, UpdatedSkill, WaitReason, WaitingUpdate,
};
use super::error::{RegistryError, failure_of};
use super::service::{self, Attempt};
use super::settings::settings;
use crate::app::App;
use crate::features::marketplace::{PendingUpdate, UpdateBy, UpdateOutcome, install_update, pending_updates};

fn list(app: &App, _: &CallContext, _: NoParams) -> Result<Vec<RegistryInfo>, Failure> {
    Ok(service::list(&app.marketplace)?)
}

async fn inspect(app: Arc<App>, cx: CallContext, params: InspectRegistryParams) -> Result<RegistryIdentity, Failure> {
    Ok(service::inspect(&app.marketplace, &params.address, &cx.cancel).await?)
}

fn attempt<'a>(app: &App, cx: &'a CallContext) -> Attempt<'a> {
    Attempt { now: app.clock.now(), cancel: &cx.cancel, progress: &cx.progress }
}

async fn add(app: Arc<App>, cx: CallContext, params: AddRegistryParams) -> Result<RegistryInfo, Failure> {
    Ok(service::add(&app.marketplace, attempt(&app, &cx), params).await?)
}

async fn change(app: Arc<App>, cx: CallContext, params: ChangeRegistryParams) -> Result<RegistryInfo, Failure> {
    Ok(service::change(&app.marketplace, attempt(&app, &cx), params).await?)
}

fn remove(app: &App, _: &CallContext, params: RegistryRef) -> Result<Done, Failure> {
    service::remove(&app.marketplace, &params.registry)?;
    Ok(Done {})
}

async fn sync_now(app: Arc<App>, cx: CallContext, params: SyncRegistriesParams) -> Result<SyncOutcome, Failure> {
    sync_registries(app, cx, params.registry).await
}

/// Syncs one registry, or all that are enabled.
pub async fn sync_registries(app: Arc<App>, cx: CallContext, only: Option<String>) -> Result<SyncOutcome, Failure> {
    let _syncing = app.marketplace.syncing.lock().await;
    // Read while no address is being changed: a change holds the lock until it is stored.
    let records = app
        .blocking(move |app| match only {
            Some(id) => Ok(vec![app.marketplace.record(&id)?]),
            None => Ok(app.marketplace.store.registries()?.into_iter().filter(|record| record.enabled).collect()),
        })
        .await?;
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
    let is_cancelled = cx.cancel.is_cancelled();
    let known = app.blocking(move |app| {
        if !is_cancelled {
            app.marketplace.store.note_sync(&id, &attempt).map_err(RegistryError::from)?;
        }
        Ok(app.marketplace.ensure_known(&id)?)
    });
    let known = known.await;
    let failure = known.err().or_else(|| result.err().map(|error| failure_of(&error))).map(Into::into);
    Ok(RegistryOutcome { id: record.id.clone(), changed, fetched, failure, is_offline })
}

async fn install_updates(app: &Arc<App>, cx: &CallContext) -> Result<(Vec<UpdatedSkill>, Vec<WaitingUpdate>), Failure> {
    let context = cx.clone();
    let (listing, pending) = app
        .blocking(move |app| {
            let listing = app.marketplace.listing()?;
            let is_automatic = settings(app.user.as_ref())?.update_automatically;
            let pending = pending_updates(&app.marketplace, &listing, &app.catalog(&context)?, is_automatic, None)?;
            Ok((listing, pending))
        })
        .await?;
    let (mut updated, mut waiting) = (Vec::new(), Vec::new());
    let waiting_update = |update: PendingUpdate, why, failure| {
        let slug = update.slug.to_string();
        WaitingUpdate { slug, from: update.from, to: update.to, why, failure }
    };
    // The bytes of a package aren't those of the sync's progress.
    let cx = CallContext { progress: ProgressReporter::default(), ..cx.clone() };
    for planned in pending {
        if let Some(why) = planned.waits {
            waiting.push(waiting_update(planned, why, None));
            continue;
        }
        match install_update(app, &cx, (&listing, &planned), UpdateBy::Sync).await {
            Ok(UpdateOutcome::Installed(update, _)) => {
                updated.push(UpdatedSkill { slug: update.slug.to_string(), from: update.from, to: update.to });
            }
            Ok(UpdateOutcome::Waiting(update, why)) => waiting.push(waiting_update(update, why, None)),
            Ok(UpdateOutcome::Obsolete) => {}
            Err(failure) => waiting.push(waiting_update(planned, WaitReason::Failed, Some(failure.into()))),
        }
    }
    Ok((updated, waiting))
}

operations! { App;
    /// By priority.
    ListRegistries = "registry/list", Read, blocking list(NoParams) -> Vec<RegistryInfo>;
    /// Asks a server who it is, before it is added.
    InspectRegistry = "registry/inspect", Local, async inspect(InspectRegistryParams) -> RegistryIdentity;
    /// Syncs it first: a registry that can't be verified isn't added.
    AddRegistry = "registry/add", Local["registry"], async add(AddRegistryParams) -> RegistryInfo;
    ChangeRegistry = "registry/change", Local["registry"], async change(ChangeRegistryParams) -> RegistryInfo;
    /// Skills that were installed from it stay.
    RemoveRegistry = "registry/remove", Local["registry"], blocking remove(RegistryRef) -> Done;
    /// Fetches what changed, and installs updates that need no consent. A registry that fails doesn't stop the others.
    SyncRegistries = "registry/sync", Local["registry", "skill"], async sync_now(SyncRegistriesParams) -> SyncOutcome;
}
