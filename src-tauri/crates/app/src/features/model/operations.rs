//! `model/*`: the providers that are set up, their keys and models.

use std::sync::Arc;

use inklings_core::ModelRef;
use inklings_core::provider::{KeyState, ProviderConfig, ProviderError, ProviderKind, ProviderRegistry, TestReport, TestTarget};
use inklings_rpc::{CallContext, Done, Failure, NoParams, operations};

use super::api::{
    DefaultParams, Discovered, KeyParams, KeyReport, KindInfo, ModelSetup, OfferedModels, ProviderInfo, ProviderParams, ProviderRef,
    TestParams,
};
use crate::app::App;

fn list(app: &App, _: &CallContext, _: NoParams) -> Result<ModelSetup, Failure> {
    let settings = app.models.settings()?;
    let providers = settings.providers.into_iter().map(|one| info(app.models.as_ref(), one)).collect();
    let kinds = ProviderKind::ALL.into_iter().map(|kind| KindInfo {
        kind,
        title: kind.title().to_owned(),
        base_url: kind.default_base_url().map(str::to_owned),
        key_variable: kind.key_variable().map(str::to_owned),
        local: kind.is_local(),
    });
    Ok(ModelSetup {
        providers,
        default_price: settings.default.as_ref().map(|model| app.models.price(model)).transpose()?.flatten(),
        default: settings.default,
        key_place: app.models.key_place(),
        kinds: kinds.collect(),
    })
}

fn info(registry: &dyn ProviderRegistry, provider: ProviderConfig) -> ProviderInfo {
    ProviderInfo {
        address: provider.address().map(str::to_owned),
        // A place of keys that can't be opened must not hide the list; a run says what is wrong with it.
        key_state: registry.key_state(&provider.name).unwrap_or(KeyState::Missing),
        name: provider.name,
        kind: provider.kind,
        base_url: provider.base_url,
        key: provider.key,
        models: provider.models,
        prices: provider.prices,
        timeout_seconds: provider.timeout_seconds,
    }
}

fn put(app: &App, _: &CallContext, params: ProviderParams) -> Result<ProviderInfo, Failure> {
    let usual = ProviderConfig::new(params.name, params.kind);
    let provider = ProviderConfig {
        base_url: params.base_url.map(|url| url.trim().to_owned()).filter(|url| !url.is_empty()),
        key: params.key.unwrap_or(usual.key),
        models: params.models,
        prices: params.prices,
        timeout_seconds: params.timeout_seconds,
        ..usual
    };
    app.models.put(provider.clone())?;
    if app.models.settings()?.default.is_none()
        && let Some(model) = provider.models.first()
    {
        app.models.set_default(Some(ModelRef { provider: provider.name.clone(), model: model.clone() }))?;
    }
    Ok(info(app.models.as_ref(), provider))
}

fn unknown(name: &str) -> Failure {
    ProviderError::Unknown { name: name.to_owned() }.into()
}

fn remove(app: &App, _: &CallContext, params: ProviderRef) -> Result<Done, Failure> {
    if app.models.remove(&params.name)? { Ok(Done {}) } else { Err(unknown(&params.name)) }
}

fn set_default(app: &App, _: &CallContext, params: DefaultParams) -> Result<Done, Failure> {
    app.models.set_default(params.model)?;
    Ok(Done {})
}

fn set_key(app: &App, _: &CallContext, params: KeyParams) -> Result<KeyReport, Failure> {
    app.models.set_key(&params.name, params.key)?;
    Ok(KeyReport { key_state: app.models.key_state(&params.name)? })
}

async fn offered(app: Arc<App>, _: CallContext, params: ProviderRef) -> Result<OfferedModels, Failure> {
    Ok(OfferedModels { models: app.models.models(&params.name).await? })
}

async fn test(app: Arc<App>, _: CallContext, params: TestParams) -> Result<TestReport, Failure> {
    let target = match params.target.parse() {
        Ok(model) => TestTarget::Model(model),
        Err(_) => TestTarget::Provider(params.target),
    };
    Ok(app.models.test(&target).await?)
}

async fn discover(app: Arc<App>, _: CallContext, _: NoParams) -> Result<Discovered, Failure> {
    Ok(Discovered { servers: app.models.discover().await })
}

operations! { App;
    ListModels = "model/list", Read, blocking list(NoParams) -> ModelSetup;
    /// Sets a provider up, or replaces the one of that name. The first model of the first provider becomes the default.
    PutProvider = "model/put", Admin["model"], blocking put(ProviderParams) -> ProviderInfo;
    /// Forgets a provider with its stored key.
    RemoveProvider = "model/remove", Admin["model"], blocking remove(ProviderRef) -> Done;
    SetDefault = "model/set_default", Admin["model"], blocking set_default(DefaultParams) -> Done;
    SetKey = "model/set_key", Admin["model"], blocking set_key(KeyParams) -> KeyReport;
    /// Asks the provider.
    Offered = "model/offered", Read, async offered(ProviderRef) -> OfferedModels;
    /// Sends a tiny request.
    TestModel = "model/test", Run["model"], async test(TestParams) -> TestReport;
    /// Looks for model servers on the usual ports of this machine.
    Discover = "model/discover", Read, async discover(NoParams) -> Discovered;
}
