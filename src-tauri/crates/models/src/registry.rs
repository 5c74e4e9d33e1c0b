//! The registry of providers: settings, keys and connections.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use inklings_core::model::{Message, Price, Request, Role, TokenUsage};
use inklings_core::provider::{
    ConfigProblem, DEFAULT_TIMEOUT_SECONDS, KeyLocation, KeySource, KeyState, LocalServer, ModelSettings, OfferedModels, ProviderConfig,
    ProviderError, ProviderKind, TestReport, TestTarget,
};
use inklings_core::{CancellationToken, LanguageModel, ModelError, ModelRef, Models, ProviderRegistry, Secret, UserData};
use url::Url;

use crate::connect::Connection;
use crate::failure::ErrorContext;
use crate::keys::{KeyLock, Keys};
use crate::model::ConnectedModel;
use crate::settings::SettingsStore;
use crate::sleeper::Sleeper;
use crate::transport::Pools;
use crate::{local, prices};

const LIST_TIMEOUT: Duration = Duration::from_secs(20);
/// Enough for models that reason first.
const TEST_MAX_TOKENS: u64 = 256;
/// Characters of a test's answer in its report.
const TEST_REPLY_CHARS: usize = 200;

/// Environment variables.
#[derive(Clone)]
pub struct Variables(Arc<LookUp>);

type LookUp = dyn Fn(&str) -> Option<String> + Send + Sync;

impl Variables {
    #[must_use]
    pub fn from_process() -> Self {
        Self::new(|name| std::env::var(name).ok())
    }

    #[must_use]
    pub fn new(look_up: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(look_up))
    }

    fn get(&self, name: &str) -> Option<String> {
        (self.0)(name)
    }
}

impl fmt::Debug for Variables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Variables")
    }
}

#[derive(Debug, Clone)]
pub struct Options {
    /// The account's folder, which has the key file.
    pub home: PathBuf,
    /// Whether to use the operating system's keychain.
    pub keychain: bool,
    /// Passphrase of the key file; without one it is encrypted to an identity file.
    pub passphrase: Option<Secret>,
    pub variables: Variables,
    pub sleeper: Sleeper,
    /// Addresses to probe for local servers.
    pub local_servers: Vec<(ProviderKind, String)>,
    /// Origin of settings changes in the change feed.
    pub origin: String,
}

impl Options {
    /// `INKLINGS_KEYS=file` disables the keychain, `INKLINGS_KEYS_PASSPHRASE` is the key file's passphrase.
    #[must_use]
    pub fn from_env(home: impl Into<PathBuf>) -> Self {
        let variables = Variables::from_process();
        Self {
            home: home.into(),
            keychain: variables.get("INKLINGS_KEYS").as_deref() != Some("file"),
            passphrase: variables.get("INKLINGS_KEYS_PASSPHRASE").filter(|text| !text.is_empty()).map(Secret::new),
            variables,
            sleeper: Sleeper::real(),
            local_servers: local::default_addresses(),
            origin: "models".to_owned(),
        }
    }
}

/// The configured providers. Clones share state.
#[derive(Clone)]
pub struct Registry(Arc<Inner>);

struct Inner {
    settings: SettingsStore,
    keys: Keys,
    variables: Variables,
    sleeper: Sleeper,
    local_servers: Vec<(ProviderKind, String)>,
    pools: Pools,
    known_keys: Mutex<KnownKeys>,
}

/// Keys that this process has read, for redaction.
#[derive(Default)]
struct KnownKeys {
    keys: BTreeSet<Secret>,
    /// Settings whose keys have all been read.
    complete_for: Option<ModelSettings>,
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Registry")
    }
}

impl Registry {
    /// `user` has the settings. Nothing is read or connected yet.
    #[must_use]
    pub fn new(user: Arc<dyn UserData>, options: Options) -> Self {
        Self(Arc::new(Inner {
            settings: SettingsStore::new(user, options.origin),
            keys: Keys::new(&options.home, options.keychain, options.passphrase),
            variables: options.variables,
            sleeper: options.sleeper,
            local_servers: options.local_servers,
            pools: Pools::default(),
            known_keys: Mutex::default(),
        }))
    }

    /// All configured keys and those used since the start, for redaction. Blocks when the settings
    /// have changed, to read all keys. A key that can't be read is skipped, since it can't be sent either.
    #[must_use]
    pub fn secrets(&self) -> Vec<String> {
        let settings = self.0.settings.read().unwrap_or_default();
        let known = || self.0.known_keys.lock().unwrap_or_else(PoisonError::into_inner);
        if known().complete_for.as_ref() != Some(&settings) {
            // `key` records each key that it reads.
            for provider in &settings.providers {
                let _ = self.0.key(provider);
            }
            known().complete_for = Some(settings);
        }
        known().keys.iter().map(|key| key.expose().to_owned()).collect()
    }

    async fn blocking<T: Send + 'static>(&self, work: impl FnOnce(&Inner) -> T + Send + 'static) -> Result<T, ModelError> {
        let inner = Arc::clone(&self.0);
        // The task is only cancelled when the process ends.
        tokio::task::spawn_blocking(move || work(&inner)).await.map_err(|_| ModelError::Cancelled)
    }
}

impl Inner {
    fn config(&self, name: &str) -> Result<ProviderConfig, ProviderError> {
        self.settings.read()?.provider(name).cloned().ok_or_else(|| ProviderError::Unknown { name: name.to_owned() })
    }

    /// None if the provider has no key or an empty one.
    fn key(&self, config: &ProviderConfig) -> Result<Option<Secret>, ProviderError> {
        let found = match &config.key {
            KeySource::None => return Ok(None),
            KeySource::Env { var } => self.variables.get(var).map(Secret::new),
            KeySource::Stored => self.keys.get(&config.name)?,
        };
        let key = found.filter(|key| !key.expose().trim().is_empty()).map(Secret::into_key).transpose()?;
        if let Some(key) = &key {
            self.known_keys.lock().unwrap_or_else(PoisonError::into_inner).keys.insert(key.clone());
        }
        Ok(key)
    }

    /// The key for a request; empty if the provider needs none.
    fn key_for_request(&self, config: &ProviderConfig) -> Result<Secret, ModelError> {
        let missing = |detail: String| ModelError::NoKey { provider: config.name.clone(), detail };
        match (self.key(config), &config.key) {
            (Ok(Some(key)), _) => Ok(key),
            (Ok(None), KeySource::None) if !config.kind.needs_key() => Ok(Secret::default()),
            (Ok(None), KeySource::None) => Err(missing("no key is configured".to_owned())),
            (Ok(None), KeySource::Env { var }) => Err(missing(format!("environment variable {var} is not set"))),
            (Ok(None), KeySource::Stored) => Err(missing("no key is stored".to_owned())),
            (Err(error), _) => Err(missing(error.to_string())),
        }
    }

    /// Validates the configuration, too, since others can write the settings.
    fn connect(&self, config: &ProviderConfig, timeout: Duration) -> Result<(Connection, Secret), ModelError> {
        let address = config.address().and_then(|address| Url::parse(address).ok());
        let (Some(address), None) = (address, config.check().first()) else {
            let problem = config.check().first().copied().unwrap_or(ConfigProblem::Url);
            return Err(ModelError::Unavailable { provider: config.name.clone(), detail: problem.to_string() });
        };
        let key = self.key_for_request(config)?;
        let transport = self.pools.transport(&address, timeout);
        Ok((Connection::new(config.kind, &address, &key, transport), key))
    }

    fn model(&self, wanted: Option<ModelRef>) -> Result<ConnectedModel, ModelError> {
        let unreadable = |error: ProviderError| ModelError::Unavailable { provider: "settings".to_owned(), detail: error.to_string() };
        let settings = self.settings.read().map_err(unreadable)?;
        let id = wanted.or_else(|| settings.default.clone()).ok_or(ModelError::NotConfigured)?;
        let config = settings.provider(&id.provider).ok_or_else(|| ModelError::UnknownProvider { name: id.provider.clone() })?;
        let (connection, key) = self.connect(config, timeout(config))?;
        let price = prices::price(config, &id.model);
        Ok(ConnectedModel { price, kind: config.kind, key, connection, sleeper: self.sleeper.clone(), id })
    }

    fn put(&self, provider: ProviderConfig) -> Result<(), ProviderError> {
        checked(&provider)?;
        let lock = self.keys.lock()?;
        let orphaned = self.settings.change(|settings| {
            let before = settings.providers.iter().position(|known| known.name == provider.name).map(|at| settings.providers.remove(at));
            let orphaned = before.is_some_and(|before| before.key == KeySource::Stored) && provider.key != KeySource::Stored;
            let name = provider.name.clone();
            settings.providers.push(provider);
            Ok(orphaned.then_some(name))
        })?;
        if let Some(name) = orphaned {
            self.remove_unused_key(&lock, &name);
        }
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<bool, ProviderError> {
        // A provider that is added again meanwhile must keep its new key.
        let lock = self.keys.lock()?;
        let Some(config) = self.settings.read()?.provider(name).cloned() else { return Ok(false) };
        self.settings.change(|settings| {
            settings.providers.retain(|known| known.name != name);
            settings.default.take_if(|model| model.provider == name);
            Ok(())
        })?;
        if config.key == KeySource::Stored {
            self.remove_unused_key(&lock, name);
        }
        Ok(true)
    }

    /// Removes a key that is no longer used. A failure is only logged.
    fn remove_unused_key(&self, lock: &KeyLock, name: &str) {
        if let Err(error) = self.keys.remove(lock, name) {
            tracing::warn!(%error, "can't remove an unused key");
        }
    }

    fn set_key(&self, name: &str, key: Option<Secret>) -> Result<(), ProviderError> {
        let lock = self.keys.lock()?;
        let mut config = self.config(name)?;
        if let Some(key) = key {
            config.key = KeySource::Stored;
            checked(&config)?;
            self.keys.set(&lock, name, &key.into_key()?)?;
        } else {
            self.keys.remove(&lock, name)?;
            if config.key == KeySource::Stored {
                config.key = KeySource::None;
            }
        }
        self.settings.change(|settings| {
            if let Some(known) = settings.providers.iter_mut().find(|known| known.name == name) {
                known.key = config.key;
            }
            Ok(())
        })
    }
}

fn checked(config: &ProviderConfig) -> Result<(), ProviderError> {
    let problems = config.check();
    if problems.is_empty() { Ok(()) } else { Err(ProviderError::Invalid(problems)) }
}

fn timeout(config: &ProviderConfig) -> Duration {
    Duration::from_secs(config.timeout_seconds.unwrap_or(DEFAULT_TIMEOUT_SECONDS).into())
}

#[async_trait]
impl Models for Registry {
    async fn model(&self, wanted: Option<&ModelRef>) -> Result<Arc<dyn LanguageModel>, ModelError> {
        let wanted = wanted.cloned();
        let model = self.blocking(move |inner| inner.model(wanted)).await??;
        Ok(Arc::new(model))
    }

    fn family(&self, model: &ModelRef) -> String {
        let maker = self.0.config(&model.provider).ok().and_then(|config| config.kind.maker());
        maker.map_or_else(|| model.family(), str::to_owned)
    }
}

#[async_trait]
impl ProviderRegistry for Registry {
    fn settings(&self) -> Result<ModelSettings, ProviderError> {
        self.0.settings.read()
    }

    fn put(&self, provider: ProviderConfig) -> Result<(), ProviderError> {
        self.0.put(provider)
    }

    fn remove(&self, name: &str) -> Result<bool, ProviderError> {
        self.0.remove(name)
    }

    fn set_default(&self, model: Option<ModelRef>) -> Result<(), ProviderError> {
        self.0.settings.change(|settings| {
            if let Some(model) = &model
                && settings.provider(&model.provider).is_none()
            {
                return Err(ProviderError::Unknown { name: model.provider.clone() });
            }
            settings.default = model;
            Ok(())
        })
    }

    fn set_key(&self, name: &str, key: Option<Secret>) -> Result<(), ProviderError> {
        self.0.set_key(name, key)
    }

    fn key_state(&self, name: &str) -> Result<KeyState, ProviderError> {
        let config = self.0.config(name)?;
        let found = self.0.key(&config)?.is_some();
        Ok(match &config.key {
            KeySource::None if !config.kind.needs_key() => KeyState::None,
            KeySource::Env { .. } if found => KeyState::Environment,
            KeySource::Stored if found => KeyState::Stored,
            _ => KeyState::Missing,
        })
    }

    fn key_location(&self) -> KeyLocation {
        self.0.keys.location()
    }

    fn price(&self, model: &ModelRef) -> Result<Option<Price>, ProviderError> {
        Ok(prices::price(&self.0.config(&model.provider)?, &model.model))
    }

    async fn models(&self, name: &str) -> Result<OfferedModels, ProviderError> {
        let wanted = name.to_owned();
        let (config, connected) = self
            .blocking(move |inner| {
                let config = inner.config(&wanted)?;
                let connected = inner.connect(&config, timeout(&config).min(LIST_TIMEOUT));
                Ok::<_, ProviderError>((config, connected))
            })
            .await??;
        let listed = match connected {
            Ok((connection, key)) => {
                let context = ErrorContext { provider: name, key: &key };
                connection.models().await.map_err(|error| context.failure(&error, false).error)
            }
            Err(error) => Err(error),
        };
        let (named, error) = match listed {
            Ok(named) => (named, None),
            Err(error) => (prices::known_models(config.kind), Some(error)),
        };
        // Google lists its models as `models/...` but expects requests without the prefix.
        let named = named.into_iter().map(|id| id.strip_prefix("models/").map_or(id.clone(), str::to_owned));
        let mut seen = HashSet::new();
        let models = config.models.into_iter().chain(named).filter(|id| seen.insert(id.clone())).collect();
        Ok(OfferedModels { models, error })
    }

    async fn test(&self, target: &TestTarget) -> Result<TestReport, ProviderError> {
        let started = Instant::now();
        let model = match target {
            TestTarget::Model(model) => Ok(model.clone()),
            TestTarget::Provider(name) => self.test_model(name).await?,
        };
        let outcome = match &model {
            Ok(model) => self.send_test(model).await,
            Err(error) => Err(error.clone()),
        };
        let mut report = TestReport {
            ok: false,
            model: model.ok(),
            reply: None,
            milliseconds: 0,
            usage: TokenUsage::default(),
            cost: None,
            error: None,
        };
        match outcome {
            Ok((reply, usage, cost)) => (report.ok, report.reply, report.usage, report.cost) = (true, Some(reply), usage, cost),
            Err(error) => report.error = Some(error.to_string()),
        }
        report.milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(report)
    }

    async fn discover(&self) -> Vec<LocalServer> {
        local::discover(&self.0.pools, &self.0.local_servers).await
    }
}

impl Registry {
    /// The model for a provider's test: the default if it belongs to the provider, else its first one. The inner error says why it has none.
    async fn test_model(&self, name: &str) -> Result<Result<ModelRef, ModelError>, ProviderError> {
        let wanted = name.to_owned();
        let settings = self.blocking(move |inner| inner.config(&wanted).and_then(|_| inner.settings.read())).await??;
        if let Some(model) = settings.default.filter(|model| model.provider == name) {
            return Ok(Ok(model));
        }
        let OfferedModels { models, error } = self.models(name).await?;
        Ok(match models.into_iter().next() {
            Some(model) => Ok(ModelRef { provider: name.to_owned(), model }),
            None => Err(error.unwrap_or(ModelError::NotConfigured)),
        })
    }

    async fn send_test(&self, model: &ModelRef) -> Result<(String, TokenUsage, Option<f64>), ModelError> {
        let model = self.model(Some(model)).await?;
        let messages = vec![Message::text(Role::User, "Answer with the one word: ready")];
        let request = Request { messages, max_tokens: Some(TEST_MAX_TOKENS), ..Request::default() };
        let answer = model.complete(&request, &|_| {}, &CancellationToken::new()).await?;
        let cost = model.price().and_then(|price| price.of(answer.usage));
        Ok((answer.text.trim().chars().take(TEST_REPLY_CHARS).collect(), answer.usage, cost))
    }
}
