//! The registry: settings, keys and connections put together.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use inklings_core::model::{Message, Price, Request, Role, TokenUsage};
use inklings_core::provider::{
    ConfigProblem, DEFAULT_TIMEOUT_SECONDS, KeyLocation, KeySource, KeyState, LocalServer, ModelSettings, ProviderConfig, ProviderError,
    ProviderKind, TestReport, TestTarget,
};
use inklings_core::{CancellationToken, LanguageModel, ModelError, ModelRef, Models, ProviderRegistry, Secret, UserData};
use url::Url;

use crate::connect::Connection;
use crate::keys::Keys;
use crate::model::ConnectedModel;
use crate::settings::Settings;
use crate::sleeper::Sleeper;
use crate::transport::Pools;
use crate::{local, prices};

/// How long a list of models may take.
const LIST_TIMEOUT: Duration = Duration::from_secs(20);
/// Tokens of a trial's answer: enough for models that think first.
const TRIAL_TOKENS: u64 = 256;
/// Characters of a trial's answer that are shown.
const TRIAL_CHARS: usize = 200;

/// Looks up an environment variable.
#[derive(Clone)]
pub struct Variables(Arc<LookUp>);

type LookUp = dyn Fn(&str) -> Option<String> + Send + Sync;

impl Variables {
    /// Those of this process.
    #[must_use]
    pub fn of_process() -> Self {
        Self::new(|name| std::env::var(name).ok())
    }

    /// Those that a function knows.
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

/// How a registry works.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folder of the account, where the file of keys is.
    pub home: PathBuf,
    /// Whether the operating system's keychain may be used.
    pub keychain: bool,
    /// Passphrase of the file of keys; without it an identity file opens it.
    pub passphrase: Option<Secret>,
    /// Where keys in environment variables are looked up.
    pub variables: Variables,
    /// How to wait between attempts.
    pub pauses: Sleeper,
    /// Where local servers are looked for.
    pub local_servers: Vec<(ProviderKind, String)>,
    /// Who changes settings, as listeners to changes hear it.
    pub origin: String,
}

impl Options {
    /// As the environment says: `INKLINGS_KEYS=file` keeps keys out of the keychain, `INKLINGS_KEYS_PASSPHRASE` locks the file.
    #[must_use]
    pub fn from_env(home: impl Into<PathBuf>) -> Self {
        let variables = Variables::of_process();
        Self {
            home: home.into(),
            keychain: variables.get("INKLINGS_KEYS").as_deref() != Some("file"),
            passphrase: variables.get("INKLINGS_KEYS_PASSPHRASE").filter(|text| !text.is_empty()).map(Secret::new),
            variables,
            pauses: Sleeper::real(),
            local_servers: local::usual_places(),
            origin: "models".to_owned(),
        }
    }
}

/// The providers that are set up. Clones share one.
#[derive(Clone)]
pub struct Registry(Arc<Inner>);

struct Inner {
    settings: Settings,
    keys: Keys,
    variables: Variables,
    pauses: Sleeper,
    local_servers: Vec<(ProviderKind, String)>,
    pools: Pools,
    seen: Mutex<Seen>,
}

/// Keys that this process has read.
#[derive(Default)]
struct Seen {
    keys: BTreeSet<Secret>,
    /// The settings whose keys are all among them.
    of: Option<ModelSettings>,
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Registry")
    }
}

impl Registry {
    /// With settings in the account's database. Nothing is read or connected yet.
    #[must_use]
    pub fn new(user: Arc<dyn UserData>, options: Options) -> Self {
        Self(Arc::new(Inner {
            settings: Settings::new(user, options.origin),
            keys: Keys::new(&options.home, options.keychain, options.passphrase),
            variables: options.variables,
            pauses: options.pauses,
            local_servers: options.local_servers,
            pools: Pools::default(),
            seen: Mutex::default(),
        }))
    }

    /// Every key that is set up or was used since the start, to keep them out of what is written down. Blocks when the settings
    /// have changed: then all keys are read; one that can't be read can't be sent either.
    #[must_use]
    pub fn secrets(&self) -> Vec<String> {
        let settings = self.0.settings.read().unwrap_or_default();
        let known = || self.0.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if known().of.as_ref() != Some(&settings) {
            // Reading a key notes it. Only then do these settings count as known.
            for provider in &settings.providers {
                let _ = self.0.key(provider);
            }
            known().of = Some(settings);
        }
        known().keys.iter().map(|key| key.expose().to_owned()).collect()
    }

    /// Runs what blocks where it may.
    async fn blocking<T: Send + 'static>(&self, work: impl FnOnce(&Inner) -> T + Send + 'static) -> Result<T, ModelError> {
        let inner = Arc::clone(&self.0);
        // Such a task ends early only when the program does.
        tokio::task::spawn_blocking(move || work(&inner)).await.map_err(|_| ModelError::Cancelled)
    }
}

impl Inner {
    fn config(&self, name: &str) -> Result<ProviderConfig, ProviderError> {
        self.settings.read()?.provider(name).cloned().ok_or_else(|| ProviderError::Unknown { name: name.to_owned() })
    }

    /// The key in its place; none where there is none, or it is empty.
    fn key(&self, config: &ProviderConfig) -> Result<Option<Secret>, ProviderError> {
        let found = match &config.key {
            KeySource::None => return Ok(None),
            KeySource::Env { var } => self.variables.get(var).map(Secret::new),
            KeySource::Stored => self.keys.get(&config.name)?,
        };
        let key = found.filter(|key| !key.expose().trim().is_empty()).map(Secret::into_key).transpose()?;
        if let Some(key) = &key {
            self.seen.lock().unwrap_or_else(PoisonError::into_inner).keys.insert(key.clone());
        }
        Ok(key)
    }

    /// The key, as a request needs it.
    fn key_for_request(&self, config: &ProviderConfig) -> Result<Secret, ModelError> {
        let missing = |detail: String| ModelError::NoKey { provider: config.name.clone(), detail };
        match (self.key(config), &config.key) {
            (Ok(Some(key)), _) => Ok(key),
            (Ok(None), KeySource::None) if !config.kind.needs_key() => Ok(Secret::default()),
            (Ok(None), KeySource::None) => Err(missing("none is set up".to_owned())),
            (Ok(None), KeySource::Env { var }) => Err(missing(format!("the variable {var} is not set"))),
            (Ok(None), KeySource::Stored) => Err(missing("none is stored".to_owned())),
            (Err(error), _) => Err(missing(error.to_string())),
        }
    }

    /// A connection. The configuration is checked here too: settings can be written past us.
    fn connect(&self, config: &ProviderConfig, patience: Duration) -> Result<(Connection, Secret), ModelError> {
        let address = config.address().and_then(|address| Url::parse(address).ok());
        let (Some(address), None) = (address, config.check().first()) else {
            let problem = config.check().first().copied().unwrap_or(ConfigProblem::Url);
            return Err(ModelError::Unavailable { provider: config.name.clone(), detail: problem.to_string() });
        };
        let key = self.key_for_request(config)?;
        let transport = self.pools.transport(&address, patience);
        Ok((Connection::new(config.kind, &address, &key, transport), key))
    }

    fn model(&self, wanted: Option<ModelRef>) -> Result<ConnectedModel, ModelError> {
        let unreadable =
            |error: ProviderError| ModelError::Unavailable { provider: "the list of models".to_owned(), detail: error.to_string() };
        let settings = self.settings.read().map_err(unreadable)?;
        let id = wanted.or_else(|| settings.default.clone()).ok_or(ModelError::NotConfigured)?;
        let config = settings.provider(&id.provider).ok_or_else(|| ModelError::UnknownProvider { name: id.provider.clone() })?;
        let (connection, key) = self.connect(config, patience(config))?;
        let price = prices::price(config, &id.model);
        Ok(ConnectedModel { price, kind: config.kind, key, connection, pauses: self.pauses.clone(), id })
    }

    fn put(&self, provider: ProviderConfig) -> Result<(), ProviderError> {
        checked(&provider)?;
        let orphaned = self.settings.change(|settings| {
            let before = settings.providers.iter().position(|known| known.name == provider.name).map(|at| settings.providers.remove(at));
            let orphaned = before.is_some_and(|before| before.key == KeySource::Stored) && provider.key != KeySource::Stored;
            let name = provider.name.clone();
            settings.providers.push(provider);
            Ok(orphaned.then_some(name))
        })?;
        if let Some(name) = orphaned {
            self.forget(&name);
        }
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<bool, ProviderError> {
        let Some(config) = self.settings.read()?.provider(name).cloned() else { return Ok(false) };
        self.settings.change(|settings| {
            settings.providers.retain(|known| known.name != name);
            settings.default.take_if(|model| model.provider == name);
            Ok(())
        })?;
        if config.key == KeySource::Stored {
            self.forget(name);
        }
        Ok(true)
    }

    /// Removes a key that nothing points to any more. One that can't be removed only lies there.
    fn forget(&self, name: &str) {
        if let Err(error) = self.keys.remove(name) {
            tracing::warn!(%error, "a key that is no longer used could not be removed");
        }
    }

    fn set_key(&self, name: &str, key: Option<Secret>) -> Result<(), ProviderError> {
        let mut config = self.config(name)?;
        if let Some(key) = key {
            config.key = KeySource::Stored;
            checked(&config)?;
            self.keys.set(name, &key.into_key()?)?;
        } else {
            self.keys.remove(name)?;
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

fn patience(config: &ProviderConfig) -> Duration {
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

    fn key_place(&self) -> KeyLocation {
        self.0.keys.place()
    }

    fn price(&self, model: &ModelRef) -> Result<Option<Price>, ProviderError> {
        Ok(prices::price(&self.0.config(&model.provider)?, &model.model))
    }

    async fn models(&self, name: &str) -> Result<Vec<String>, ProviderError> {
        let wanted = name.to_owned();
        let (config, connected) = self
            .blocking(move |inner| {
                let config = inner.config(&wanted)?;
                let connected = inner.connect(&config, patience(&config).min(LIST_TIMEOUT));
                Ok::<_, ProviderError>((config, connected))
            })
            .await??;
        let named = match connected {
            Ok((connection, _)) => connection.models().await.ok(),
            Err(_) => None,
        };
        let named = named.unwrap_or_else(|| prices::known_models(config.kind));
        // Google calls its models `models/...` when it lists them, and by the rest of it when it is asked.
        let named = named.into_iter().map(|id| id.strip_prefix("models/").map_or(id.clone(), str::to_owned));
        let mut seen = HashSet::new();
        Ok(config.models.into_iter().chain(named).filter(|id| seen.insert(id.clone())).collect())
    }

    async fn test(&self, target: &TestTarget) -> Result<TestReport, ProviderError> {
        let begun = Instant::now();
        let model = match target {
            TestTarget::Model(model) => Some(model.clone()),
            TestTarget::Provider(name) => self.pick(name).await?,
        };
        let mut report =
            TestReport { ok: false, model, reply: None, milliseconds: 0, usage: TokenUsage::default(), cost: None, error: None };
        let outcome = match &report.model {
            Some(model) => self.try_out(model).await,
            None => Err(ModelError::NotConfigured),
        };
        match outcome {
            Ok((reply, usage, cost)) => (report.ok, report.reply, report.usage, report.cost) = (true, Some(reply), usage, cost),
            Err(error) => report.error = Some(error.to_string()),
        }
        report.milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(report)
    }

    async fn discover(&self) -> Vec<LocalServer> {
        local::discover(&self.0.pools, &self.0.local_servers).await
    }
}

impl Registry {
    /// A model to try a provider out with: the default if it is its, else the first that it has.
    async fn pick(&self, name: &str) -> Result<Option<ModelRef>, ProviderError> {
        let wanted = name.to_owned();
        let settings = self.blocking(move |inner| inner.config(&wanted).and_then(|_| inner.settings.read())).await??;
        if let Some(model) = settings.default.filter(|model| model.provider == name) {
            return Ok(Some(model));
        }
        let first = self.models(name).await?.into_iter().next();
        Ok(first.map(|model| ModelRef { provider: name.to_owned(), model }))
    }

    async fn try_out(&self, model: &ModelRef) -> Result<(String, TokenUsage, Option<f64>), ModelError> {
        let model = self.model(Some(model)).await?;
        let messages = vec![Message::text(Role::User, "Answer with the one word: ready")];
        let request = Request { messages, max_tokens: Some(TRIAL_TOKENS), ..Request::default() };
        let answer = model.complete(&request, &|_| {}, &CancellationToken::new()).await?;
        let cost = model.price().and_then(|price| price.of(answer.usage));
        Ok((answer.text.trim().chars().take(TRIAL_CHARS).collect(), answer.usage, cost))
    }
}
