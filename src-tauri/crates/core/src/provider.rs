//! Model providers: their configuration, its problems, and the port that manages them.
//!
//! Deliberately absent: keys. A configuration names the source of its key; [`Secret`] carries the key from its
//! store to the request. To add a provider, add a [`ProviderKind`] with its row of facts.

mod config;
mod secret;

use std::path::PathBuf;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{ModelError, ModelRef, Models, Price, TokenUsage};
use crate::storage_error::StorageError;

pub use config::{
    ConfigProblem, DEFAULT_TIMEOUT_SECONDS, KeySource, MAX_TIMEOUT_SECONDS, NoProviderKind, ProviderConfig, ProviderKind, is_loopback,
    with_scheme,
};
pub use secret::{MAX_KEY_BYTES, Secret};

/// Setting with [`ModelSettings`].
pub const MODEL_SETTINGS: &str = "models";

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ModelSettings {
    /// By name.
    #[serde(default)]
    pub providers: Vec<ProviderConfig>,
    /// Used if a call names no model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<ModelRef>,
}

impl ModelSettings {
    #[must_use]
    pub fn provider(&self, name: &str) -> Option<&ProviderConfig> {
        self.providers.iter().find(|provider| provider.name == name)
    }
}

/// Whether the key of a provider is available.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    /// No key is needed.
    None,
    /// The environment variable is set.
    Environment,
    Stored,
    /// A key is needed or configured, but not available.
    Missing,
}

/// Where keys are stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyLocation {
    pub kind: KeyLocationKind,
    /// Null for the keychain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<PathBuf>,
    /// One sentence on what it protects against.
    pub protects: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyLocationKind {
    /// The operating system's keychain.
    Keychain,
    /// An encrypted file.
    File,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TestTarget {
    /// A provider, with its first configured model.
    Provider(String),
    Model(ModelRef),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestReport {
    /// Whether the model answered.
    pub ok: bool,
    /// `None` if the provider has no model to test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelRef>,
    /// The answer, truncated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    pub milliseconds: u64,
    pub usage: TokenUsage,
    /// Estimated cost in USD. Null if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A model server on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LocalServer {
    pub kind: ProviderKind,
    pub base_url: String,
    pub models: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum KeyStoreError {
    /// The passphrase is missing.
    #[error("{} is protected by a passphrase: set INKLINGS_KEYS_PASSPHRASE", .path.display())]
    Locked { path: PathBuf },
    /// The passphrase or the identity is wrong.
    #[error("{} can't be decrypted with this passphrase or identity", .path.display())]
    WrongKey { path: PathBuf },
    /// Other users can read the identity file.
    #[error("{} is readable by other users: replace the keys it protected and restrict its permissions to 600", .path.display())]
    TooOpen { path: PathBuf },
    /// The file isn't a key store.
    #[error("{} is damaged: {detail}", .path.display())]
    Damaged { path: PathBuf, detail: &'static str },
    #[error("{action} {} failed: {source}", .path.display())]
    Io { action: &'static str, path: PathBuf, source: std::io::Error },
    #[error("the system keychain returned an error: {source}")]
    Keychain { source: Box<dyn std::error::Error + Send + Sync> },
}

#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    #[error("model provider {name:?} not found")]
    Unknown { name: String },
    #[error("{}", problem_list(.0))]
    Invalid(Vec<ConfigProblem>),
    #[error("invalid API key: it is empty, too long, or contains spaces or unsupported characters")]
    BadKey,
    #[error(transparent)]
    Keys(#[from] KeyStoreError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

fn problem_list(problems: &[ConfigProblem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// The models of a provider.
#[derive(Debug)]
pub struct OfferedModels {
    /// Those of its settings, then those that it lists, or the known ones of its kind if it couldn't be asked.
    pub models: Vec<String>,
    /// Why it couldn't be asked.
    pub error: Option<ModelError>,
}

/// Methods that aren't async block: async callers use a blocking thread.
#[async_trait]
pub trait ProviderRegistry: Models {
    fn settings(&self) -> Result<ModelSettings, ProviderError>;

    /// Adds a provider, or replaces the one with that name.
    fn put(&self, provider: ProviderConfig) -> Result<(), ProviderError>;

    /// Removes a provider and its stored key. Returns whether it existed.
    fn remove(&self, name: &str) -> Result<bool, ProviderError>;

    fn set_default(&self, model: Option<ModelRef>) -> Result<(), ProviderError>;

    /// `None` deletes the stored key.
    fn set_key(&self, name: &str, key: Option<Secret>) -> Result<(), ProviderError>;

    /// Whether the key of a provider is available.
    fn key_state(&self, name: &str) -> Result<KeyState, ProviderError>;

    /// Where a new key would be stored.
    fn key_location(&self) -> KeyLocation;

    /// `None` if unknown.
    fn price(&self, model: &ModelRef) -> Result<Option<Price>, ProviderError>;

    async fn models(&self, name: &str) -> Result<OfferedModels, ProviderError>;

    /// Sends a short request, which may cost money.
    async fn test(&self, target: &TestTarget) -> Result<TestReport, ProviderError>;

    /// Model servers on the default ports of this machine. They are only suggested, never used automatically.
    async fn discover(&self) -> Vec<LocalServer>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_an_older_shape_are_read() {
        let settings: ModelSettings = serde_json::from_str(r#"{"providers":[{"name":"a","kind":"llamacpp"}],"default":"a/m"}"#).unwrap();
        assert_eq!(settings.provider("a").map(|provider| &provider.key), Some(&KeySource::None));
        assert_eq!(settings.default.unwrap().to_string(), "a/m");
    }
}
