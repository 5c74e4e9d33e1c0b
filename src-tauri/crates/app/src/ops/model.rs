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
use crate::context::{CallContext, Permission};
use crate::error::Failure;
use crate::operation::{Blocking, Effect, Entry, Operation};
use crate::wire::{Done, NoParams};

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

/// `model/list`
pub struct ListModels;

impl Blocking for ListModels {
    const NAME: &'static str = "model/list";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = NoParams;
    type Output = ModelSetup;

    fn run(app: &App, _: &CallContext, _: NoParams) -> Result<ModelSetup, Failure> {
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

/// `model/put`: sets a provider up, or replaces the one of that name. The first model of the first provider becomes the default.
pub struct PutProvider;

impl Blocking for PutProvider {
    const NAME: &'static str = "model/put";
    const NEEDS: Permission = Permission::Admin;
    const EFFECT: Effect = Effect::Writes(&["model"]);
    type Params = ProviderParams;
    type Output = ProviderInfo;

    fn run(app: &App, _: &CallContext, params: ProviderParams) -> Result<ProviderInfo, Failure> {
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

/// `model/remove`: forgets a provider with its stored key.
pub struct RemoveProvider;

impl Blocking for RemoveProvider {
    const NAME: &'static str = "model/remove";
    const NEEDS: Permission = Permission::Admin;
    const EFFECT: Effect = Effect::Writes(&["model"]);
    type Params = ProviderRef;
    type Output = Done;

    fn run(app: &App, _: &CallContext, params: ProviderRef) -> Result<Done, Failure> {
        if app.models.remove(&params.name)? { Ok(Done {}) } else { Err(unknown(&params.name)) }
    }
}

/// The model to use when none is asked for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DefaultParams {
    /// `provider/model`; null for none.
    pub model: Option<ModelRef>,
}

/// `model/set_default`
pub struct SetDefault;

impl Blocking for SetDefault {
    const NAME: &'static str = "model/set_default";
    const NEEDS: Permission = Permission::Admin;
    const EFFECT: Effect = Effect::Writes(&["model"]);
    type Params = DefaultParams;
    type Output = Done;

    fn run(app: &App, _: &CallContext, params: DefaultParams) -> Result<Done, Failure> {
        app.models.set_default(params.model)?;
        Ok(Done {})
    }
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

/// `model/set_key`
pub struct SetKey;

impl Blocking for SetKey {
    const NAME: &'static str = "model/set_key";
    const NEEDS: Permission = Permission::Admin;
    const EFFECT: Effect = Effect::Writes(&["model"]);
    type Params = KeyParams;
    type Output = KeyReport;

    fn run(app: &App, _: &CallContext, params: KeyParams) -> Result<KeyReport, Failure> {
        app.models.set_key(&params.name, params.key)?;
        Ok(KeyReport { key_state: app.models.key_state(&params.name)? })
    }
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

/// `model/offered`: asks the provider.
pub struct Offered;

impl Operation for Offered {
    const NAME: &'static str = "model/offered";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = ProviderRef;
    type Output = OfferedModels;

    async fn call(app: Arc<App>, _: CallContext, params: ProviderRef) -> Result<OfferedModels, Failure> {
        Ok(OfferedModels { models: app.models.models(&params.name).await? })
    }
}

/// What to try out: a provider, or one model.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestParams {
    /// A provider's name, or `provider/model`.
    pub target: String,
}

/// `model/test`: sends a tiny request.
pub struct TestModel;

impl Operation for TestModel {
    const NAME: &'static str = "model/test";
    const NEEDS: Permission = Permission::Run;
    const EFFECT: Effect = Effect::Writes(&["model"]);
    type Params = TestParams;
    type Output = TestReport;

    async fn call(app: Arc<App>, _: CallContext, params: TestParams) -> Result<TestReport, Failure> {
        let target = match params.target.parse() {
            Ok(model) => TestTarget::Model(model),
            Err(_) => TestTarget::Provider(params.target),
        };
        Ok(app.models.test(&target).await?)
    }
}

/// Servers that were found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Discovered {
    /// The servers.
    pub servers: Vec<LocalServer>,
}

/// `model/discover`: looks for model servers on the usual ports of this machine.
pub struct Discover;

impl Operation for Discover {
    const NAME: &'static str = "model/discover";
    const NEEDS: Permission = Permission::Read;
    const EFFECT: Effect = Effect::Reads;
    type Params = NoParams;
    type Output = Discovered;

    async fn call(app: Arc<App>, _: CallContext, _: NoParams) -> Result<Discovered, Failure> {
        Ok(Discovered { servers: app.models.discover().await })
    }
}

pub(crate) const TABLE: &[Entry] = &[
    Entry::of::<ListModels>(),
    Entry::of::<PutProvider>(),
    Entry::of::<RemoveProvider>(),
    Entry::of::<SetDefault>(),
    Entry::of::<SetKey>(),
    Entry::of::<Offered>(),
    Entry::of::<TestModel>(),
    Entry::of::<Discover>(),
];
