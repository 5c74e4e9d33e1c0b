use std::sync::Arc;

use inklings_core::provider::{TestReport, TestTarget};
use inklings_rpc::{CallContext, Done, Failure, NoParams, Permission, operations};

use super::api::{
    DefaultParams, KeyParams, KeyReport, LocalServers, ModelList, ModelSetup, ProviderInfo, ProviderParams, ProviderRef, TestParams,
};
use super::service;
use crate::app::App;

fn list(app: &App, _: &CallContext, _: NoParams) -> Result<ModelSetup, Failure> {
    Ok(service::setup(app.models.as_ref())?)
}

fn put(app: &App, cx: &CallContext, params: ProviderParams) -> Result<ProviderInfo, Failure> {
    let provider = service::provider(params);
    if service::sends_key_elsewhere(app.models.as_ref(), &provider)? {
        cx.require(Permission::Local, "send a key of this machine to another address")
            .map_err(|failure| failure.hint("put the provider with the key source none, then set its key"))?;
    }
    Ok(service::put(app.models.as_ref(), provider)?)
}

fn remove(app: &App, _: &CallContext, params: ProviderRef) -> Result<Done, Failure> {
    service::remove(app.models.as_ref(), &params.name)?;
    Ok(Done {})
}

fn set_default(app: &App, _: &CallContext, params: DefaultParams) -> Result<Done, Failure> {
    app.models.set_default(params.model)?;
    Ok(Done {})
}

fn set_key(app: &App, _: &CallContext, params: KeyParams) -> Result<KeyReport, Failure> {
    Ok(service::set_key(app.models.as_ref(), &params.name, params.key)?)
}

async fn offered(app: Arc<App>, _: CallContext, params: ProviderRef) -> Result<ModelList, Failure> {
    let offered = app.models.models(&params.name).await?;
    Ok(ModelList { models: offered.models, failure: offered.error.map(Into::into) })
}

async fn test(app: Arc<App>, _: CallContext, params: TestParams) -> Result<TestReport, Failure> {
    let target = match params.target.parse() {
        Ok(model) => TestTarget::Model(model),
        Err(_) => TestTarget::Provider(params.target),
    };
    Ok(app.models.test(&target).await?)
}

async fn discover(app: Arc<App>, _: CallContext, _: NoParams) -> Result<LocalServers, Failure> {
    Ok(LocalServers { servers: app.models.discover().await })
}

operations! { App;
    ListModels = "model/list", Read, blocking list(NoParams) -> ModelSetup;
    /// Adds a provider, or replaces the one with that name. The first model of the first provider becomes the default. A remote caller
    /// can't send a stored key or an environment variable to another address.
    PutProvider = "model/put", Admin["model"], blocking put(ProviderParams) -> ProviderInfo;
    /// Removes a provider and its stored key.
    RemoveProvider = "model/remove", Admin["model"], blocking remove(ProviderRef) -> Done;
    SetDefault = "model/set_default", Admin["model"], blocking set_default(DefaultParams) -> Done;
    SetKey = "model/set_key", Admin["model"], blocking set_key(KeyParams) -> KeyReport;
    /// Asks the provider for its models.
    Offered = "model/offered", Read, async offered(ProviderRef) -> ModelList;
    /// Sends a tiny request.
    TestModel = "model/test", Run["model"], async test(TestParams) -> TestReport;
    /// Searches for model servers on their default ports of this machine.
    Discover = "model/discover", Read, async discover(NoParams) -> LocalServers;
}
