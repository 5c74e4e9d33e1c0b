//! A registry with its own database and a scripted server.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use inklings_core::model::{Completion, Message, ModelError, Request, Role};
use inklings_core::provider::{KeySource, ProviderConfig, ProviderKind};
use inklings_core::{
    CancellationToken, Clock, IdSource, LanguageModel, ModelRef, Models as _, ProviderRegistry as _, Scope, Time, UserData,
};
use inklings_folder::Folder;
use inklings_models::{Options, Registry, Sleeper, Variables};
use inklings_store::Store;
use inklings_testkit::{Action, Script, ScriptedModel, Step};

/// The API key of all providers.
pub(crate) const KEY: &str = "sk-test-0123456789";

#[derive(Default)]
struct Ids(AtomicU64);

impl IdSource for Ids {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::from_u64_pair(7, self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

struct Still;

impl Clock for Still {
    fn now(&self) -> Time {
        Time::from_millis(1_770_000_000_000)
    }
}

/// An account's database.
pub(crate) fn database(folder: &tempfile::TempDir) -> Arc<dyn UserData> {
    let format = Arc::new(Folder::new(Arc::new(Ids::default())));
    Arc::new(Store::open(Scope::Account, &folder.path().join("agents.db"), "test", Arc::new(Still), format).unwrap())
}

pub(crate) struct World {
    pub(crate) home: tempfile::TempDir,
    pub(crate) user: Arc<dyn UserData>,
    pub(crate) server: ScriptedModel,
    pub(crate) registry: Registry,
    /// Waits between attempts, recorded instead of slept.
    pub(crate) waits: Arc<Mutex<Vec<Duration>>>,
}

/// Options that read nothing from the machine. The variable `TEST_KEY` has [`KEY`].
pub(crate) fn options(home: &tempfile::TempDir, sleeper: Sleeper) -> Options {
    Options {
        keychain: false,
        passphrase: None,
        variables: Variables::new(|name| (name == "TEST_KEY").then(|| format!(" {KEY}\n"))),
        sleeper,
        local_servers: Vec::new(),
        ..Options::from_env(home.path())
    }
}

/// A registry with one provider, named by its kind, with the scripted server's address.
pub(crate) async fn world(kind: ProviderKind, steps: impl IntoIterator<Item = Step>) -> World {
    let home = tempfile::tempdir().unwrap();
    let (user, waits) = (database(&home), Arc::new(Mutex::new(Vec::new())));
    let seen = Arc::clone(&waits);
    let registry = Registry::new(Arc::clone(&user), options(&home, Sleeper::none(move |wait| seen.lock().unwrap().push(wait))));
    let server = ScriptedModel::start(Script::new(steps)).await.unwrap();
    registry.put(provider(kind, &server)).unwrap();
    World { home, user, server, registry, waits }
}

pub(crate) fn provider(kind: ProviderKind, server: &ScriptedModel) -> ProviderConfig {
    ProviderConfig {
        base_url: Some(server.url()),
        key: KeySource::Env { var: "TEST_KEY".to_owned() },
        timeout_seconds: Some(30),
        ..ProviderConfig::new(kind.as_str(), kind)
    }
}

pub(crate) fn model_ref(kind: ProviderKind, model: &str) -> ModelRef {
    ModelRef { provider: kind.as_str().to_owned(), model: model.to_owned() }
}

pub(crate) fn question(text: &str) -> Request {
    Request { messages: vec![Message::text(Role::User, text)], ..Request::default() }
}

impl World {
    pub(crate) async fn model(&self, kind: ProviderKind) -> Arc<dyn LanguageModel> {
        self.registry.model(Some(&model_ref(kind, "m-1"))).await.unwrap()
    }

    /// Sends a request, and returns the streamed chunks as well.
    pub(crate) async fn ask(&self, kind: ProviderKind, request: &Request) -> (Result<Completion, ModelError>, Vec<String>) {
        let received = Mutex::new(Vec::new());
        let model = self.model(kind).await;
        let answer = model.complete(request, &|text| received.lock().unwrap().push(text.to_owned()), &CancellationToken::new()).await;
        (answer, received.into_inner().unwrap())
    }

    /// Sends a request that fails.
    pub(crate) async fn fail(&self, kind: ProviderKind) -> ModelError {
        self.ask(kind, &question("hello")).await.0.unwrap_err()
    }

    pub(crate) fn waits(&self) -> Vec<Duration> {
        self.waits.lock().unwrap().clone()
    }
}

/// A step that answers one request.
pub(crate) fn step(action: impl Into<Action>) -> Step {
    Step::from(action.into())
}
