//! Parameters and results of `model/*`.

use std::collections::BTreeMap;

use inklings_core::ModelRef;
use inklings_core::model::Price;
use inklings_core::provider::{KeyLocation, KeySource, KeyState, LocalServer, ProviderKind, Secret};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    pub providers: Vec<ProviderInfo>,
    /// The model to use when none is asked for.
    pub default: Option<ModelRef>,
    /// Its price; null when unknown.
    pub default_price: Option<Price>,
    /// Where new keys are stored.
    pub key_place: KeyLocation,
    /// What can be set up.
    pub kinds: Vec<KindInfo>,
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

/// Names a provider.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProviderRef {
    pub name: String,
}

/// The model to use when none is asked for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DefaultParams {
    /// `provider/model`; null for none.
    pub model: Option<ModelRef>,
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

/// What to try out: a provider, or one model.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestParams {
    /// A provider's name, or `provider/model`.
    pub target: String,
}

/// Servers that were found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Discovered {
    pub servers: Vec<LocalServer>,
}
