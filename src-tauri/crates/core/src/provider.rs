//! Model providers: how one is configured, what may be wrong with that, and the port that looks after them.
//!
//! Deliberately absent: keys. A configuration says where its key is, never what it is; [`Secret`] carries one between the place
//! it is kept and the request it is sent with. To add a provider, add a [`ProviderKind`] with its row of facts.

mod config;
mod secret;

use std::path::PathBuf;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{ModelError, ModelRef, Models, Price, TokenUsage};
use crate::ports::StorageError;

pub use config::{
    ConfigProblem, DEFAULT_TIMEOUT_SECONDS, KeySource, MAX_TIMEOUT_SECONDS, NoProviderKind, ProviderConfig, ProviderKind, is_loopback,
};
pub use secret::{MAX_KEY_BYTES, Secret};

/// The providers that are set up.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ModelSettings {
    /// The providers, by name.
    #[serde(default)]
    pub providers: Vec<ProviderConfig>,
    /// The model to use when none is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<ModelRef>,
}

impl ModelSettings {
    /// A provider by name.
    #[must_use]
    pub fn provider(&self, name: &str) -> Option<&ProviderConfig> {
        self.providers.iter().find(|provider| provider.name == name)
    }
}

/// Whether a provider's key is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    /// It has none, and needs none.
    None,
    /// It comes from an environment variable, which is set.
    Environment,
    /// It is stored.
    Stored,
    /// It is needed, or configured, and not there.
    Missing,
}

/// Where stored keys are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyLocation {
    /// What it is.
    pub kind: KeyLocationKind,
    /// The file; none for the keychain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<PathBuf>,
    /// One sentence on what it protects against.
    pub protects: String,
}

/// What kind of place keeps keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyLocationKind {
    /// The operating system's keychain.
    Keychain,
    /// An encrypted file.
    File,
}

/// What to try out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TestTarget {
    /// A provider, with a model of its own choice.
    Provider(String),
    /// A model.
    Model(ModelRef),
}

/// What came of trying a model out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestReport {
    /// Whether it answered.
    pub ok: bool,
    /// The model that was asked; none when there was none to ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelRef>,
    /// Its answer, shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// How long it took.
    pub milliseconds: u64,
    /// Tokens.
    pub usage: TokenUsage,
    /// Estimated cost in USD; none when unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A server that was found on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LocalServer {
    /// What it is.
    pub kind: ProviderKind,
    /// Where it is.
    pub base_url: String,
    /// The models that it offers.
    pub models: Vec<String>,
}

/// What the place of keys can fail with.
#[derive(Debug, thiserror::Error)]
pub enum KeyStoreError {
    /// Encrypted with a passphrase that wasn't given.
    #[error("{} is locked with a passphrase: give it as INKLINGS_KEYS_PASSPHRASE", .path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The passphrase or the identity doesn't open it.
    #[error("{} can't be opened with this passphrase or identity", .path.display())]
    WrongKey {
        /// The file.
        path: PathBuf,
    },
    /// Others can read the file that opens the others.
    #[error("{} can be read by others: change the keys that it protected, then run chmod 600 on it", .path.display())]
    TooOpen {
        /// The file.
        path: PathBuf,
    },
    /// It holds something else than keys.
    #[error("{} is damaged: {detail}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: &'static str,
    },
    /// The disk refused.
    #[error("{action} {} failed: {source}", .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The keychain refused.
    #[error("the keychain refused: {source}")]
    Keychain {
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// What looking after providers can fail with.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// No provider of that name.
    #[error("there is no model provider {name:?}")]
    Unknown {
        /// The name.
        name: String,
    },
    /// The configuration can't be used.
    #[error("{}", problem_list(.0))]
    Invalid(Vec<ConfigProblem>),
    /// The text can't be a key.
    #[error("this can't be a key: it is empty, too long, or has blanks or characters that no key has")]
    BadKey,
    /// The place of keys failed.
    #[error(transparent)]
    Keys(#[from] KeyStoreError),
    /// A provider failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The database of settings failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

fn problem_list(problems: &[ConfigProblem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Looks after the providers. What isn't async blocks: callers in async code move it to a blocking thread.
#[async_trait]
pub trait ProviderRegistry: Models {
    /// What is set up.
    fn settings(&self) -> Result<ModelSettings, ProviderError>;

    /// Sets a provider up, or replaces the one of that name.
    fn put(&self, provider: ProviderConfig) -> Result<(), ProviderError>;

    /// Forgets a provider with its stored key. Returns whether there was one.
    fn remove(&self, name: &str) -> Result<bool, ProviderError>;

    /// Chooses the model to use when none is asked for.
    fn set_default(&self, model: Option<ModelRef>) -> Result<(), ProviderError>;

    /// Stores a provider's key; none forgets the stored one.
    fn set_key(&self, name: &str, key: Option<Secret>) -> Result<(), ProviderError>;

    /// Whether a provider's key is there.
    fn key_state(&self, name: &str) -> Result<KeyState, ProviderError>;

    /// Where a new key would be stored.
    fn key_place(&self) -> KeyLocation;

    /// A model's price; none when unknown.
    fn price(&self, model: &ModelRef) -> Result<Option<Price>, ProviderError>;

    /// The models of a provider: those that were listed and those that it names, else those that are known of its kind.
    async fn models(&self, name: &str) -> Result<Vec<String>, ProviderError>;

    /// Sends a tiny request, which may cost a little.
    async fn test(&self, target: &TestTarget) -> Result<TestReport, ProviderError>;

    /// Servers on the usual ports of this machine. They are offered, never used unasked.
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
