//! Puts the application together: databases, folders, templates, seeds, the change feed.
//!
//! The only crate that knows every adapter. [`Engine::start`] opens the account, seeds it and gives the [`App`] that the doors
//! call. To add an adapter, build it here and hand it to the application through its port.

mod change_feeds;
pub mod database;
pub mod diagnostics;
mod log;
mod pages;
mod resources;
mod runs;
mod seed;
mod system;
mod workspaces;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use inklings_app::wire::ChangeEvent;
use inklings_app::{ActiveRuns, AgentCopyCache, App, Banner, Checks, RunEvent};
use inklings_core::{Clock, IdSource, Scope, SkillFormat};
use inklings_folder::Folder;
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
pub use system::{SystemClock, SystemIds};
pub use workspaces::AccountWorkspaces;

/// Where things are.
#[derive(Debug, Clone)]
pub struct Options {
    /// The account's folder; `INKLINGS_HOME`, else `~/.inklings`.
    pub home: PathBuf,
    /// Shipped data.
    pub resources: Resources,
    /// The launcher that confines the DSPy process, `inklings-confine`; where it isn't, programs fall back.
    pub launcher: Option<PathBuf>,
    /// Whether this is the long-lived app: it watches folders, keeps its log, and thins out old history in the background; a command doesn't.
    pub maintain: bool,
}

impl Options {
    /// From the environment, as a person starts the app.
    #[must_use]
    pub fn from_environment() -> Self {
        Self::with_home(None)
    }

    /// With the account's folder given, else from the environment.
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
            maintain: false,
        }
    }
}

/// A program of ours in the folder of the running one.
fn beside(name: &str) -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    Some(own.with_file_name(name)).filter(|file| file.is_file())
}

/// The running application.
pub struct Engine {
    app: Arc<App>,
    changes: broadcast::Sender<ChangeEvent>,
    run_events: broadcast::Sender<RunEvent>,
    scopes: Arc<AccountWorkspaces>,
    following: Mutex<Option<change_feeds::FollowedFeed>>,
}

/// How long runs have to write their last rows when the app ends.
const PATIENCE: Duration = Duration::from_secs(1);
/// Change events that a slow window may be behind before it is told to look at everything again.
const EVENT_CAPACITY: usize = 1_024;
/// Run events that a slow listener may be behind before it misses some; a fast model sends some hundreds a second.
const RUN_EVENT_CAPACITY: usize = 16 * 1_024;

/// The mapping between skills and folders, for what needs no account.
#[must_use]
pub fn skill_format() -> impl SkillFormat {
    Folder::new(Arc::new(SystemIds))
}

impl Engine {
    /// Opens the account, seeds it, and starts following the change feeds.
    pub fn start(mut options: Options) -> Result<Self, Failure> {
        let launcher = options.launcher.take();
        Self::start_beside(options, || launcher)
    }

    /// Like [`start`](Self::start), beside a start that takes as long and knows the launcher only in its end: it is asked for when
    /// the account is open, and what `options` say of it doesn't count.
    pub fn start_beside(options: Options, launcher: impl FnOnce() -> Option<PathBuf>) -> Result<Self, Failure> {
        log::start(options.maintain.then_some(options.home.as_path()));
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let ids: Arc<dyn IdSource> = Arc::new(SystemIds);
        let origin = uuid::Uuid::new_v4().simple().to_string();
        let folder = Arc::new(Folder::new(ids.clone()));
        std::fs::create_dir_all(&options.home).map_err(|error| workspaces::home_failed(&options.home, &error))?;
        let account = Arc::new(Store::open(Scope::Account, &options.home.join(AGENTS_DB), origin.clone(), clock.clone(), folder.clone())?);
        let mut banners = workspaces::banners(&account);
        banners.append(&mut seed::refresh(&account, &folder, &options.resources, clock.as_ref(), ids.as_ref()));
        if options.maintain {
            workspaces::prune_history(account.clone(), account.clone(), String::new());
        }
        let (changes, _) = broadcast::channel(EVENT_CAPACITY);
        let feeds = change_feeds::ChangeFeeds::new(changes.clone());
        let following = Mutex::new(feeds.follow(Scope::Account, None, account.clone()));
        let models = inklings_models::Options { origin: origin.clone(), ..inklings_models::Options::from_env(&options.home) };
        let models = Arc::new(Registry::new(account.clone(), models));
        let pages = pages::Indexes::new(clock.clone(), options.maintain.then(|| changes.clone()));
        // In a source tree it lies where it was built.
        let sandbox = Arc::new(PythonSandbox::new(options.resources.python().or_else(inklings_sandbox::find_built)));
        let installed = launcher().zip(options.resources.dspy());
        let launch = installed.map(|(launcher, program)| Launch { launcher, program }).or_else(inklings_sidecar::find_built);
        let programs = Arc::new(DspyProcess::new(launch, clock.clone(), inklings_sidecar::Settings::default()));
        let facts = diagnostics::facts(&options.home);
        let log = log::of(&options.home);
        let scopes = AccountWorkspaces {
            options,
            account: account.clone(),
            clock: clock.clone(),
            format: folder.clone(),
            origin: origin.clone(),
            banners,
            feeds,
            pages,
            open: Mutex::default(),
        };
        let scopes = Arc::new(scopes);
        let redactor = Redactor::new(Arc::new(runs::ProviderKeys(models.clone())));
        log::redact_with(&redactor);
        let (run_events, _) = broadcast::channel(RUN_EVENT_CAPACITY);
        let prompts = Arc::new(PromptEngine::new());
        let app = App {
            scopes: scopes.clone(),
            user: account.clone(),
            folder,
            runner: Runner {
                dispatcher: ArtifactDispatcher::new(handlers::all(sandbox.clone(), programs.clone())),
                prompts: prompts.clone(),
                models: models.clone(),
            },
            checkpoints: account.clone(),
            proposals: account,
            programs,
            places: AgentDirs::of_environment(),
            copies: AgentCopyCache::default(),
            checks: Checks::default(),
            sandbox,
            prompts,
            redactor,
            models,
            runs: ActiveRuns::default(),
            events: Arc::new(runs::RunEventPublisher(run_events.clone())),
            clock,
            ids,
            origin,
            log,
            facts,
        };
        Ok(Self { app: Arc::new(app), changes, run_events, scopes, following })
    }

    /// The application.
    #[must_use]
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// Follows the changes of the account and of every workspace that was opened, from all processes.
    #[must_use]
    pub fn changes(&self) -> broadcast::Receiver<ChangeEvent> {
        self.changes.subscribe()
    }

    /// Hears the runs of this process.
    #[must_use]
    pub fn run_events(&self) -> broadcast::Receiver<RunEvent> {
        self.run_events.subscribe()
    }
}

impl Engine {
    /// Lets go of a workspace that no window shows any more. What still runs in it goes on; the next call that names it opens it again.
    pub fn release(&self, workspace: &Path) {
        self.scopes.release(workspace);
    }

    /// Stops runs, ends the threads that follow the feeds, and lets go of the databases; the last one to do so writes everything
    /// into the file, so that a copy of it is whole. A later use opens them again.
    pub fn close(&self) {
        self.app.runs.cancel_all(PATIENCE);
        let following = self.following.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(following) = following {
            following.end();
        }
        self.scopes.close();
        log::flush();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.close();
    }
}

/// The database of a scope.
pub const AGENTS_DB: &str = "agents.db";

/// Remarks of seeding and opening, as banners.
pub(crate) fn warning(message: impl Into<String>, hint: impl Into<String>) -> Banner {
    Banner { severity: inklings_core::Severity::Warning, message: message.into(), hint: Some(hint.into()), action: None }
}
