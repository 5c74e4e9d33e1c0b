//! Puts the application together: databases, folders, templates, seeds, the change feed.
//!
//! The only crate that knows every adapter. [`Engine::start`] opens the account, seeds it and gives the [`App`] that the doors
//! call. To add an adapter, build it here and hand it to the application through its port.

pub mod database;
mod resources;
mod scopes;
mod seed;
mod system;
mod watch;

use std::path::PathBuf;
use std::sync::Arc;

use inklings_app::wire::ChangeEvent;
use inklings_app::{App, Banner, Failure};
use inklings_core::{Clock, IdSource, Scope};
use inklings_folder::Folder;
use inklings_prompt::PromptEngine;
use inklings_store::Store;
use tokio::sync::broadcast;

pub use resources::Resources;
pub use scopes::AccountScopes;
pub use system::{SystemClock, SystemIds};
pub use watch::everything_changed;

/// Where things are.
#[derive(Debug, Clone)]
pub struct Options {
    /// The account's folder; `INKLINGS_HOME`, else `~/.inklings`.
    pub home: PathBuf,
    /// Shipped data.
    pub resources: Resources,
    /// Whether old history is thinned out in the background: the long-lived app does it, a command doesn't.
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
        Self { home: std::path::absolute(&home).unwrap_or(home), resources: Resources::find(), maintain: false }
    }
}

/// The running application.
pub struct Engine {
    app: Arc<App>,
    changes: broadcast::Sender<ChangeEvent>,
    watch: watch::Watch,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// Change events that a slow window may be behind before it is told to look at everything again.
const BACKLOG: usize = 1_024;

impl Engine {
    /// Opens the account, seeds it, and starts following the change feeds.
    pub fn start(options: Options) -> Result<Self, Failure> {
        init_log();
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let ids: Arc<dyn IdSource> = Arc::new(SystemIds);
        let origin = uuid::Uuid::new_v4().simple().to_string();
        let folder = Arc::new(Folder::new(ids.clone()));
        std::fs::create_dir_all(&options.home).map_err(|error| scopes::home_failed(&options.home, &error))?;
        let account = Arc::new(Store::open(Scope::Account, &options.home.join(AGENTS_DB), origin.clone(), clock.clone(), folder.clone())?);
        let mut banners = scopes::banners(&account);
        banners.append(&mut seed::refresh(&account, &folder, &options.resources, clock.as_ref(), ids.as_ref()));
        if options.maintain {
            scopes::thin_out(account.clone(), account.clone(), String::new());
        }
        let (changes, _) = broadcast::channel(BACKLOG);
        let (watch, thread) = watch::Watch::start(changes.clone());
        watch.follow(Scope::Account, None, account.clone());
        let scopes = AccountScopes::new(options, account.clone(), clock.clone(), folder.clone(), origin.clone(), banners, watch.clone());
        let app = App { scopes: Arc::new(scopes), user: account, folder, prompts: PromptEngine::new(), clock, ids, origin };
        Ok(Self { app: Arc::new(app), changes, watch, thread })
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
}

impl Drop for Engine {
    /// Ends the thread that follows the feeds. The databases close with the last handle of [`Self::app`]; the last connection
    /// writes everything into the file, so that a copy of it is whole.
    fn drop(&mut self) {
        self.watch.stop();
        if let Some(thread) = self.thread.take() {
            // It ends within one look at the feeds; a panic in it was reported already.
            let _ = thread.join();
        }
    }
}

/// The database of a scope.
pub const AGENTS_DB: &str = "agents.db";

/// Log to standard error; `INKLINGS_LOG` sets the level, warnings by default.
fn init_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("INKLINGS_LOG").unwrap_or_else(|_| "warn".into());
    // A second engine in the same process keeps the first one's log.
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
}

/// Remarks of seeding and opening, as banners.
pub(crate) fn warning(message: impl Into<String>, hint: impl Into<String>) -> Banner {
    Banner { severity: inklings_core::Severity::Warning, message: message.into(), hint: Some(hint.into()), action: None }
}
