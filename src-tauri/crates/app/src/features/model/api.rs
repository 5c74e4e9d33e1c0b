//! Parameters and results of `model/*`.

use std::collections::BTreeMap;

use inklings_core::ModelRef;
use inklings_core::model::Price;
use inklings_core::provider::{KeyLocation, KeySource, KeyState, LocalServer, ProviderKind, Secret};
use inklings_rpc::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ProviderInfo {
    /// Used in model names: `name/model`.
    pub name: String,
    pub kind: ProviderKind,
    /// The address in use.
    pub address: Option<String>,
    /// The configured address. Null for the default of the kind.
    pub base_url: Option<String>,
    pub key: KeySource,
    pub key_state: KeyState,
    /// Models that the user listed.
    pub models: Vec<String>,
    /// Prices that override the built-in ones.
    pub prices: BTreeMap<String, Price>,
    /// Seconds to wait for the first byte and between chunks. Null for the default.
    pub timeout_seconds: Option<u32>,
}

/// A kind of provider that can be set up.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct KindInfo {
    pub kind: ProviderKind,
    /// Display name.
    pub title: String,
    /// Default address.
    pub base_url: Option<String>,
    /// Default environment variable for the key.
    pub key_variable: Option<String>,
    /// Whether it runs on this machine.
    pub local: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ModelSetup {
    pub providers: Vec<ProviderInfo>,
    /// The default model.
    pub default: Option<ModelRef>,
    /// Price of the default model. Null if unknown.
    pub default_price: Option<Price>,
    /// Where new keys are stored.
    pub key_location: KeyLocation,
    /// Supported kinds of providers.
    pub kinds: Vec<KindInfo>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProviderParams {
    /// Lower-case letters, digits and hyphens.
    pub name: String,
    pub kind: ProviderKind,
    /// Address. [default: the default of the kind]
    #[serde(default)]
    pub base_url: Option<String>,
    /// Source of the key. [default: the environment variable of the kind]
    #[serde(default)]
    pub key: Option<KeySource>,
    /// Models to offer in addition to those that the provider lists.
    #[serde(default)]
    pub models: Vec<String>,
    /// Prices that override the built-in ones.
    #[serde(default)]
    pub prices: BTreeMap<String, Price>,
    /// Seconds to wait for the first byte and between chunks.
    #[serde(default)]
    pub timeout_seconds: Option<u32>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProviderRef {
    pub name: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DefaultParams {
    /// `provider/model`. Null for no default.
    pub model: Option<ModelRef>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyParams {
    pub name: String,
    /// Null deletes the stored key. The key is never returned.
    pub key: Option<Secret>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct KeyReport {
    pub key_state: KeyState,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ModelList {
    /// Model IDs.
    pub models: Vec<String>,
    /// Why the provider couldn't be asked for its models. The list then has those of its settings and the known ones of its kind.
    pub failure: Option<Failure>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestParams {
    /// Name of a provider, or `provider/model`.
    pub target: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LocalServers {
    pub servers: Vec<LocalServer>,
}
