//! The composition root: builds every adapter and hands it to [`App`].
//!
//! [`Engine::start`] opens the account, updates the built-in skills and starts the change feed; front ends call
//! [`Engine::app`]. To add an adapter, build it here and pass it through its port.

mod change_feeds;
pub mod database;
pub mod diagnostics;
pub mod display;
mod indexing;
mod log;
mod marketplace;
mod pages;
mod redeploy;
mod resources;
mod retention;
mod runs;
mod seed;
mod skill_changes;
mod system;
mod workspaces;

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};
use std::time::Duration;

use inklings_app::features::search::SkillSearch;
use inklings_app::wire::ChangeEvent;
use inklings_app::{
    ActiveChats, ActiveRuns, AgentCopyCache, App, Banner, ChatEvent, CheckCache, ListCache, Marketplace, RunEvent, SkillReferences,
};
use inklings_clients::ClientEnvironment;
use inklings_core::{Clock, IdSource, Scope, SkillFormat};
use inklings_folder::Folder;
use inklings_links::{LinkedScope, Links};
use inklings_models::Registry;
use inklings_prompt::PromptEngine;
use inklings_rpc::Failure;
use inklings_runtime::{ArtifactDispatcher, Redactor, Runner, handlers};
use inklings_sandbox::PythonSandbox;
use inklings_sidecar::{DspyProcess, Launch};
use inklings_store::Store;
use inklings_targets::AgentDirs;
use tokio::sync::broadcast;

pub use change_feeds::{drafts_changed, everything_changed};
pub use inklings_sidecar::protocol::schema as sidecar_schema;
pub use resources::Resources;
pub use seed::vectors as shipped_vectors;
pub use system::{SystemClock, SystemIds};
pub use workspaces::AccountWorkspaces;

#[derive(Debug, Clone)]
pub struct Options {
    /// The account's folder, `INKLINGS_HOME` or `~/.inklings` by default.
    pub home: PathBuf,
    pub resources: Resources,
    /// `inklings-confine`, which confines the DSPy process. Without it, programs fall back.
    pub launcher: Option<PathBuf>,
    /// Where other agents keep skills, which are linked; `None` if the home folder is unknown, and in tests, which must not touch it.
    pub agents: Option<AgentDirs>,
    /// Where AI clients keep their configuration; `None` as for `agents`.
    pub clients: Option<ClientEnvironment>,
    /// Whether to watch folders, keep a log and prune history in the background: true in the app, false in a command.
    pub maintain: bool,
}

impl Options {
    #[must_use]
    pub fn from_environment() -> Self {
        Self::with_home(None)
    }

    /// `home` overrides the environment.
    #[must_use]
    pub fn with_home(home: Option<PathBuf>) -> Self {
        let home = home
            .or_else(|| std::env::var_os("INKLINGS_HOME").filter(|value| !value.is_empty()).map(PathBuf::from))
            .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".inklings")))
            .unwrap_or_else(|| PathBuf::from(".inklings"));
        Self {
            home: std::path::absolute(&home).unwrap_or(home),
            resources: Resources::find(),
            launcher: beside("inklings-confine"),
            agents: AgentDirs::of_environment(),
            clients: ClientEnvironment::of_process(),
            maintain: false,
        }
    }
}

/// A program in the folder of the running one.
fn beside(name: &str) -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    Some(own.with_file_name(name)).filter(|file| file.is_file())
}

pub struct Engine {
    app: Arc<App>,
    changes: broadcast::Sender<ChangeEvent>,
    run_events: broadcast::Sender<RunEvent>,
    chat_events: broadcast::Sender<ChatEvent>,
    workspaces: Arc<AccountWorkspaces>,
    following: Mutex<Option<change_feeds::FollowedFeed>>,
}

/// Time for runs to close their traces when the app ends.
const RUN_SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);
/// Change events that a slow window may lag behind before it reloads everything.
const EVENT_CAPACITY: usize = 1_024;
/// Run events that a slow receiver may lag behind before it loses some. A fast model sends hundreds a second.
const RUN_EVENT_CAPACITY: usize = 16 * 1_024;

/// The folder format, for callers without an account.
#[must_use]
pub fn skill_format() -> impl SkillFormat {
    Folder::new(Arc::new(SystemIds))
}

/// Folder of the embedding model, if it is installed or built.
fn embedding_model(resources: &Resources) -> Option<PathBuf> {
    resources.embedding().or_else(inklings_search::find_built)
}

fn new_links(options: &Options, account: &Arc<Store>, clock: &Arc<dyn Clock>, ids: &Arc<dyn IdSource>, origin: &str) -> Links {
    let (lock, deployed) = (options.home.join("links.lock"), deploy_lock(options));
    let references = SkillReferences { user: account.clone(), actions: account.clone(), origin: origin.to_owned() };
    Links::new(account.clone(), account.clone(), clock.clone(), ids.clone(), options.agents.clone(), lock, deployed)
        .with_renames(Arc::new(references))
}

/// The record of copies deployed to other agents.
fn deploy_lock(options: &Options) -> PathBuf {
    options.home.join("deployed.json")
}

fn open_account(options: &Options, origin: &str, clock: &Arc<dyn Clock>, folder: &Arc<Folder>) -> Result<Arc<Store>, Failure> {
    create_private(&options.home).map_err(|error| {
        Failure::from(workspaces::folder_failed(&options.home, error))
            .hint("make the folder of your account writable, or set INKLINGS_HOME to another one")
    })?;
    let path = options.home.join(AGENTS_DB);
    Ok(Arc::new(Store::open(Scope::Account, &path, origin.to_owned(), clock.clone(), folder.clone())?))
}

/// Creates the account's folder, or takes others' rights to an existing one: all in it is private.
fn create_private(home: &Path) -> io::Result<()> {
    fs::create_dir_all(home)?;
    let mode = fs::metadata(home)?.permissions().mode();
    // With the sticky bit, a folder such as /tmp is everybody's.
    if mode & 0o077 != 0
        && mode & 0o1000 == 0
        && let Err(error) = fs::set_permissions(home, Permissions::from_mode(mode & 0o7700))
    {
        // It belongs to another user, or the file system has no permissions.
        tracing::info!(%error, "others can open the folder of the account");
    }
    Ok(())
}

/// Does what follows changes of skills, as long as the application lives.
fn follow_skills(app: &Arc<App>, changes: &broadcast::Sender<ChangeEvent>) {
    for follower in [redeploy::follower(), indexing::follower()] {
        skill_changes::follow(app, changes.subscribe(), follower);
    }
}

/// Follows the account's changes, and in the app its linked folders.
fn follow_account(workspaces: &Arc<AccountWorkspaces>, account: &Arc<Store>) -> Mutex<Option<change_feeds::FollowedFeed>> {
    let watching = workspaces.options.maintain.then(|| {
        let scope = LinkedScope { workspace: None, repository: account.clone() };
        workspaces.watch_links(scope)
    });
    Mutex::new(workspaces.feeds.follow(Scope::Account, None, account.clone(), watching.flatten()))
}

impl Engine {
    pub fn start(options: Options) -> Result<Self, Failure> {
        Self::start_at(options, Arc::new(SystemClock))
    }

    /// Like [`start`](Self::start), in parallel with the start of the window system, which provides the launcher at its end:
    /// `launcher` is called after the account was opened, and `options.launcher` is ignored.
    pub fn start_beside(options: Options, launcher: impl FnOnce() -> Option<PathBuf>) -> Result<Self, Failure> {
        Self::start_with(options, launcher, Arc::new(SystemClock))
    }

    /// Like [`start`](Self::start), with another clock than the system's.
    pub fn start_at(mut options: Options, clock: Arc<dyn Clock>) -> Result<Self, Failure> {
        let launcher = options.launcher.take();
        Self::start_with(options, || launcher, clock)
    }

    fn start_with(options: Options, launcher: impl FnOnce() -> Option<PathBuf>, clock: Arc<dyn Clock>) -> Result<Self, Failure> {
        log::start(options.maintain.then_some(options.home.as_path()));
        let ids: Arc<dyn IdSource> = Arc::new(SystemIds);
        let origin = uuid::Uuid::new_v4().simple().to_string();
        let folder = Arc::new(Folder::new(ids.clone()));
        let account = open_account(&options, &origin, &clock, &folder)?;
        let mut banners = workspaces::banners(&account);
        banners.append(&mut seed::refresh(&account, &folder, &options.resources, clock.as_ref(), ids.as_ref()));
        if options.maintain {
            retention::prune_history(account.clone(), account.clone(), String::new(), deploy_lock(&options));
        }
        let (changes, _) = broadcast::channel(EVENT_CAPACITY);
        let (checks, lists) = (Arc::new(CheckCache::default()), Arc::new(ListCache::default()));
        let feeds = change_feeds::ChangeFeeds::new(changes.clone(), checks.clone(), lists.clone());
        let models = inklings_models::Options { origin: origin.clone(), ..inklings_models::Options::from_env(&options.home) };
        let models = Arc::new(Registry::new(account.clone(), models));
        let pages = pages::Indexes::new(clock.clone(), options.maintain.then(|| changes.clone()));
        // In a source tree, it is in the target folder.
        let sandbox = Arc::new(PythonSandbox::new(options.resources.python().or_else(inklings_sandbox::find_built)));
        let installed = launcher().zip(options.resources.dspy());
        let launch = installed.map(|(launcher, program)| Launch { launcher, program }).or_else(inklings_sidecar::find_built);
        let programs = Arc::new(DspyProcess::new(launch, clock.clone(), inklings_sidecar::Timeouts::default()));
        let facts = diagnostics::facts(&options.home);
        let agent_dirs = options.agents.clone();
        let deploy_lock = deploy_lock(&options);
        let [repositories, vectors, marketplace_cache, registry_keys] =
            ["repositories", "vectors.db", "registries", "registry-keys"].map(|name| options.home.join(name));
        let embedding = embedding_model(&options.resources);
        let links = Arc::new(new_links(&options, &account, &clock, &ids, &origin));
        let workspaces = AccountWorkspaces {
            options,
            account: account.clone(),
            clock: clock.clone(),
            format: folder.clone(),
            origin: origin.clone(),
            banners,
            feeds,
            pages,
            links: links.clone(),
            account_scanned: Once::new(),
            open: Mutex::default(),
        };
        let workspaces = Arc::new(workspaces);
        let following = follow_account(&workspaces, &account);
        let redactor = Redactor::new(Arc::new(runs::ProviderKeys(models.clone())));
        log::redact_with(&redactor);
        let (run_events, _) = broadcast::channel(RUN_EVENT_CAPACITY);
        let (chat_events, _) = broadcast::channel(RUN_EVENT_CAPACITY);
        let prompts = Arc::new(PromptEngine::new());
        let app = App {
            workspaces: workspaces.clone(),
            user: account.clone(),
            folder,
            runner: Runner {
                dispatcher: ArtifactDispatcher::new(handlers::all(sandbox.clone(), programs.clone())),
                prompts: prompts.clone(),
                models: models.clone(),
            },
            checkpoints: account.clone(),
            proposals: account.clone(),
            approvals: account.clone(),
            chats: account.clone(),
            agents: account.clone(),
            actions: account.clone(),
            marketplace: Arc::new(Marketplace::new(account.clone(), marketplace_cache, marketplace::app_version())),
            access: account.clone(),
            server: OnceLock::new(),
            evals: account.clone(),
            responses: account,
            active_chats: ActiveChats::default(),
            chat_events: Arc::new(runs::EventPublisher(chat_events.clone())),
            programs,
            agent_dirs,
            clients: workspaces.options.clients.clone(),
            links,
            agent_copies: AgentCopyCache::default(),
            deploy_lock,
            repositories,
            registry_keys,
            search: Arc::new(SkillSearch::new(embedding, vectors, Arc::new(runs::EventPublisher(changes.clone())))),
            checks,
            lists,
            sandbox,
            prompts,
            redactor,
            models,
            runs: ActiveRuns::default(),
            events: Arc::new(runs::EventPublisher(run_events.clone())),
            clock,
            ids,
            origin,
            log: log::app_log(&workspaces.options.home),
            facts,
        };
        let app = Arc::new(app);
        if workspaces.options.maintain {
            follow_skills(&app, &changes);
            marketplace::sync_in_background(&app);
        }
        Ok(Self { app, changes, run_events, chat_events, workspaces, following })
    }

    #[must_use]
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// Changes of the account and of all open workspaces, by all processes.
    #[must_use]
    pub fn changes(&self) -> broadcast::Receiver<ChangeEvent> {
        self.changes.subscribe()
    }

    /// Events of the chats of this process.
    #[must_use]
    pub fn chat_events(&self) -> broadcast::Receiver<ChatEvent> {
        self.chat_events.subscribe()
    }

    /// Events of the runs of this process.
    #[must_use]
    pub fn run_events(&self) -> broadcast::Receiver<RunEvent> {
        self.run_events.subscribe()
    }

    /// Releases a workspace that no window shows any more. Its runs continue; the next call reopens it.
    pub fn release(&self, workspace: &Path) {
        self.workspaces.release(workspace);
    }

    /// Cancels runs, ends the feed threads and closes the databases, which writes the write-ahead log
    /// into the file. A later call reopens them.
    pub fn close(&self) {
        self.app.runs.cancel_all(RUN_SHUTDOWN_TIMEOUT);
        let following = self.following.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(following) = following {
            following.end();
        }
        self.workspaces.close();
        log::flush();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.close();
    }
}

pub const AGENTS_DB: &str = "agents.db";

pub(crate) fn warning(message: impl Into<String>, hint: impl Into<String>) -> Banner {
    Banner { severity: inklings_core::Severity::Warning, message: message.into(), hint: Some(hint.into()), action: None }
}
