use std::sync::Arc;

use inklings_rpc::{CallContext, Done, Failure, NoParams, operations};

use super::api::{
    AddRegistryParams, ChangeRegistryParams, InspectRegistryParams, RegistryIdentity, RegistryInfo, RegistryRef, SyncOutcome,
    SyncRegistriesParams,
};
use super::{service, sync};
use crate::app::App;

fn list(app: &App, _: &CallContext, _: NoParams) -> Result<Vec<RegistryInfo>, Failure> {
    Ok(service::list(&app.marketplace)?)
}

async fn inspect(app: Arc<App>, cx: CallContext, params: InspectRegistryParams) -> Result<RegistryIdentity, Failure> {
    Ok(service::inspect(&app.marketplace, &params.address, &cx.cancel).await?)
}

async fn add(app: Arc<App>, cx: CallContext, params: AddRegistryParams) -> Result<RegistryInfo, Failure> {
    Ok(service::add(&app, &cx, params).await?)
}

async fn change(app: Arc<App>, cx: CallContext, params: ChangeRegistryParams) -> Result<RegistryInfo, Failure> {
    Ok(service::change(&app, &cx, params).await?)
}

fn remove(app: &App, _: &CallContext, params: RegistryRef) -> Result<Done, Failure> {
    service::remove(&app.marketplace, &params.registry)?;
    Ok(Done {})
}

async fn sync_now(app: Arc<App>, cx: CallContext, params: SyncRegistriesParams) -> Result<SyncOutcome, Failure> {
    sync::sync_registries(app, cx, params.registry).await
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
