//! `model/*`: the providers that are set up, their keys and models.

use std::collections::BTreeMap;
use std::sync::Arc;

use inklings_core::ModelRef;
use inklings_core::model::Price;
use inklings_core::provider::{
    KeyPlace, KeySource, KeyState, LocalServer, ProviderConfig, ProviderError, ProviderKind, ProviderRegistry, Secret, TestReport,
    TestTarget,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use inklings_rpc::{CallContext, Done, Failure, NoParams, operations};

/// A provider that is set up.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ProviderInfo {
    /// Its name, by which models are written: `name/model`.
    pub name: String,
    /// What it is.
    pub kind: ProviderKind,
    /// Where it is.
    pub address: Option<String>,
    /// The address that was given; null for the usual one of its kind.
    pub base_url: Option<String>,
    /// Where its key is.
    pub key: KeySource,
    /// Whether the key is there.
    pub key_state: KeyState,
    /// Models that the person listed.
    pub models: Vec<String>,
    /// Prices that stand before the known ones.
    pub prices: BTreeMap<String, Price>,
    /// Seconds until its first byte, and between two pieces of an answer; null for the usual.
    pub timeout_seconds: Option<u32>,
}

/// A kind of provider that can be set up.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct KindInfo {
    /// The kind.
    pub kind: ProviderKind,
    /// Its name for people.
    pub title: String,
    /// Where it usually is.
    pub base_url: Option<String>,
    /// The environment variable that usually holds its key.
    pub key_variable: Option<String>,
    /// Whether it runs on the person's own machine.
    pub local: bool,
}

/// What is set up.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ModelSetup {
    /// The providers.
    pub providers: Vec<ProviderInfo>,
    /// The model to use when none is asked for.
    pub default: Option<ModelRef>,
    /// Its price; null when unknown.
    pub default_price: Option<Price>,
    /// Where new keys are stored.
    pub key_place: KeyPlace,
    /// What can be set up.
    pub kinds: Vec<KindInfo>,
}

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

/// A provider to set up.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProviderParams {
    /// Its name: small letters, digits and hyphens.
    pub name: String,
    /// What it is.
    pub kind: ProviderKind,
    /// Where it is; the usual place of its kind without it.
    #[serde(default)]
    pub base_url: Option<String>,
    /// Where its key is; the usual variable of its kind without it.
    #[serde(default)]
    pub key: Option<KeySource>,
    /// Models to offer beside those that it names itself.
    #[serde(default)]
    pub models: Vec<String>,
    /// Prices that stand before the known ones.
    #[serde(default)]
    pub prices: BTreeMap<String, Price>,
    /// Seconds until its first byte, and between two pieces of an answer.
    #[serde(default)]
    pub timeout_seconds: Option<u32>,
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

/// Names a provider.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProviderRef {
    /// Its name.
    pub name: String,
}

fn unknown(name: &str) -> Failure {
    ProviderError::Unknown { name: name.to_owned() }.into()
}

fn remove(app: &App, _: &CallContext, params: ProviderRef) -> Result<Done, Failure> {
    if app.models.remove(&params.name)? { Ok(Done {}) } else { Err(unknown(&params.name)) }
}

/// The model to use when none is asked for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DefaultParams {
    /// `provider/model`; null for none.
    pub model: Option<ModelRef>,
}

fn set_default(app: &App, _: &CallContext, params: DefaultParams) -> Result<Done, Failure> {
    app.models.set_default(params.model)?;
    Ok(Done {})
}

/// A provider's key.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyParams {
    /// The provider.
    pub name: String,
    /// The key; null forgets the stored one. It is never given back.
    pub key: Option<Secret>,
}

fn set_key(app: &App, _: &CallContext, params: KeyParams) -> Result<KeyReport, Failure> {
    app.models.set_key(&params.name, params.key)?;
    Ok(KeyReport { key_state: app.models.key_state(&params.name)? })
}

/// Whether a key is there.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct KeyReport {
    /// Whether it is.
    pub key_state: KeyState,
}

/// The models of a provider.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OfferedModels {
    /// Their ids.
    pub models: Vec<String>,
}

async fn offered(app: Arc<App>, _: CallContext, params: ProviderRef) -> Result<OfferedModels, Failure> {
    Ok(OfferedModels { models: app.models.models(&params.name).await? })
}

/// What to try out: a provider, or one model.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestParams {
    /// A provider's name, or `provider/model`.
    pub target: String,
}

async fn test(app: Arc<App>, _: CallContext, params: TestParams) -> Result<TestReport, Failure> {
    let target = match params.target.parse() {
        Ok(model) => TestTarget::Model(model),
        Err(_) => TestTarget::Provider(params.target),
    };
    Ok(app.models.test(&target).await?)
}

/// Servers that were found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Discovered {
    /// The servers.
    pub servers: Vec<LocalServer>,
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
