//! The application over its ports.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use inklings_core::binding::Bindings;
use inklings_core::files::WorkspaceFiles;
use inklings_core::pages::Pages;
use inklings_core::provider::ProviderRegistry;
use inklings_core::user::Checkpoints;
use inklings_core::{Clock, IdSource, ProgramRunner, Proposals, Sandbox, SkillCatalog, SkillStorageRepository, TraceStore, UserData};
use inklings_folder::Folder;
use inklings_prompt::PromptEngine;
use inklings_runtime::{Redactor, RunEvents, Runner};
use inklings_targets::AgentDirs;
use schemars::JsonSchema;
use serde::Serialize;

use crate::agent_copies::{AgentCopyCache, AgentFolders};
use crate::checks::Checks;
use crate::diagnostics::{DatabaseFile, Facts};
use crate::editing::{Caller, SkillEditor};
use crate::features::db::{DatabaseCheck, DatabaseCopy, DatabaseRestored};
use crate::features::run::ActiveRuns;
use crate::features::run::resources::resources;
use crate::features::run::service::{RunEnvironment, RunService};
use crate::features::trace::service::TraceStores;
use crate::log::AppLog;
use inklings_rpc::{CallContext, Code, Failure, Watch};

/// A lasting remark about the app's or a workspace's state, shown until it no longer holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Banner {
    /// How bad it is.
    pub severity: inklings_core::Severity,
    /// What is the case.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// Operation that does it, if one does.
    pub action: Option<String>,
}

/// What is known of an open workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceState {
    /// Its folder, absolute.
    pub path: PathBuf,
    /// Whether its files can be written.
    pub writable: bool,
    /// Whether it has an agents.db.
    pub has_store: bool,
    /// Number of markdown pages.
    pub pages: u32,
    /// Whether it is a git repository that doesn't ignore our files yet.
    pub in_git: bool,
    /// What to tell about it.
    pub banners: Vec<Banner>,
}

/// The databases of both scopes and the folders they live in. Calls block.
pub trait WorkspaceManager: Send + Sync {
    /// The account's repository.
    fn account(&self) -> Arc<dyn SkillStorageRepository>;
    /// A workspace's repository; the folder must exist.
    fn workspace(&self, path: &Path) -> Result<Arc<dyn SkillStorageRepository>, Failure>;
    /// Where runs are traced: the workspace's file if it takes writes, else the account's.
    fn traces(&self, workspace: Option<&Path>) -> Result<Arc<dyn TraceStore>, Failure>;
    /// The pages of the workspace in a folder, which must exist.
    fn pages(&self, path: &Path) -> Result<Arc<dyn Pages>, Failure>;
    /// The files of the workspace in a folder, which must exist.
    fn files(&self, path: &Path) -> Result<Arc<dyn WorkspaceFiles>, Failure>;
    /// What skills are bound to in the workspace in a folder, which must exist.
    fn bindings(&self, path: &Path) -> Result<Arc<dyn Bindings>, Failure>;
    /// The workspaces that this process has open, by folder.
    fn open_workspaces(&self) -> Vec<(PathBuf, Arc<dyn SkillStorageRepository>)>;
    /// Checks that `path` is a folder that can be opened, and tells what it is.
    fn inspect(&self, path: &Path) -> Result<WorkspaceState, Failure>;
    /// Whether the folder has a database of skills; looks only, and opens nothing.
    fn has_store(&self, path: &Path) -> bool;
    /// The sample workspace's folder, made if it doesn't exist.
    fn sample(&self) -> Result<PathBuf, Failure>;
    /// Where the sample workspace is or would be.
    fn sample_path(&self) -> PathBuf;
    /// Keeps our files out of the folder's git repository without touching what is committed.
    fn exclude_from_git(&self, path: &Path) -> Result<(), Failure>;
    /// The account's folder.
    fn home(&self) -> PathBuf;
    /// What to tell about the account.
    fn banners(&self) -> Vec<Banner>;
    /// Checks every page and index of a workspace's database, or of the account's.
    fn check_database(&self, workspace: Option<&Path>, watch: &Watch) -> Result<DatabaseCheck, Failure>;
    /// Copies such a database to a file that doesn't exist yet, while it is in use.
    fn back_up_database(&self, workspace: Option<&Path>, to: &Path, watch: &Watch) -> Result<DatabaseCopy, Failure>;
    /// Puts a copy in the place of such a database. Nothing of this process uses it meanwhile.
    fn restore_database(&self, workspace: Option<&Path>, from: &Path, watch: &Watch) -> Result<DatabaseRestored, Failure>;
    /// The databases that are open, the account's first.
    fn databases(&self) -> Vec<DatabaseFile>;
}

/// The application: everything an operation may use.
pub struct App {
    /// Databases by scope.
    pub scopes: Arc<dyn WorkspaceManager>,
    /// What belongs to the person.
    pub user: Arc<dyn UserData>,
    /// What scripts keep from one run to the next.
    pub checkpoints: Arc<dyn Checkpoints>,
    /// The mapping between skills and folders.
    pub folder: Arc<Folder>,
    /// Templates.
    pub prompts: Arc<PromptEngine>,
    /// Model providers.
    pub models: Arc<dyn ProviderRegistry>,
    /// What runs skills.
    pub runner: Runner,
    /// Where the person's files are; other agents keep skills there.
    pub places: Option<AgentDirs>,
    /// What those agents have of the skills here.
    pub copies: AgentCopyCache,
    /// What the validator said of the skills here.
    pub checks: Checks,
    /// What runs scripts.
    pub sandbox: Arc<dyn Sandbox>,
    /// What runs and improves DSPy programs.
    pub programs: Arc<dyn ProgramRunner>,
    /// What waits for a decision.
    pub proposals: Arc<dyn Proposals>,
    /// Runs of this process.
    pub runs: ActiveRuns,
    /// Hears what happens in runs.
    pub events: Arc<dyn RunEvents>,
    /// Takes secrets out of traces.
    pub redactor: Redactor,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Fresh ids.
    pub ids: Arc<dyn IdSource>,
    /// Mark of this process in the change feed.
    pub origin: String,
    /// The app's own log.
    pub log: Arc<dyn AppLog>,
    /// What is known of the program and the machine.
    pub facts: Facts,
}

impl App {
    /// The merged catalog that a call sees.
    pub fn catalog(&self, cx: &CallContext) -> Result<SkillCatalog, Failure> {
        let workspace = cx.workspace.as_deref().map(|path| self.scopes.workspace(path)).transpose()?;
        Ok(SkillCatalog::new(self.scopes.account(), workspace))
    }

    /// The store that a call's runs are traced in, or the account's. Runs whose process is gone are marked first.
    pub(crate) fn trace_store(&self, cx: &CallContext, account: bool) -> Result<Arc<dyn TraceStore>, Failure> {
        let store = self.scopes.traces(cx.workspace.as_deref().filter(|_| !account))?;
        store.mark_interrupted()?;
        Ok(store)
    }

    /// The stores whose traces a call sees.
    pub(crate) fn trace_stores(&self, cx: &CallContext) -> Result<TraceStores, Failure> {
        let mut all = vec![self.trace_store(cx, false)?];
        if cx.workspace.is_some() {
            all.push(self.trace_store(cx, true)?);
        }
        Ok(TraceStores { all, account: self.scopes.traces(None)? })
    }

    pub(crate) fn run_service(&self) -> RunService<'_> {
        RunService {
            runner: &self.runner,
            active: &self.runs,
            events: self.events.as_ref(),
            redactor: &self.redactor,
            clock: &self.clock,
            ids: &self.ids,
        }
    }

    /// What the runs of a call are made with. Blocks.
    pub(crate) fn run_environment(&self, cx: &CallContext) -> Result<RunEnvironment, Failure> {
        let catalog = self.catalog(cx)?;
        let pages = cx.workspace.as_deref().map(|path| self.scopes.pages(path)).transpose()?;
        Ok(RunEnvironment {
            workspace: cx.workspace.clone(),
            traces: self.scopes.traces(cx.workspace.as_deref())?,
            resources: resources(pages, catalog.clone(), &self.user, cx.workspace_key(), self.checkpoints.clone())?,
            catalog,
        })
    }

    /// Runs what blocks on a thread for it.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let app = self.clone();
        let done = tokio::task::spawn_blocking(move || work(&app)).await;
        done.unwrap_or_else(|error| Err(Failure::new(Code::Internal, format!("a task stopped unexpectedly: {error}"))))
    }

    /// What writes skills on behalf of a call.
    pub(crate) fn editor<'a>(&'a self, cx: &'a CallContext) -> Result<SkillEditor<'a>, Failure> {
        Ok(self.editor_of(cx, self.catalog(cx)?))
    }

    pub(crate) fn editor_of<'a>(&'a self, cx: &'a CallContext, catalog: SkillCatalog) -> SkillEditor<'a> {
        SkillEditor {
            catalog,
            folder: &self.folder,
            user: self.user.as_ref(),
            ids: self.ids.as_ref(),
            clock: self.clock.as_ref(),
            caller: Self::caller(cx),
        }
    }

    pub(crate) fn caller(cx: &CallContext) -> Caller<'_> {
        Caller { workspace: cx.workspace.as_deref(), actor: &cx.actor, origin: &cx.origin }
    }

    /// Where the other agents of a caller keep skills.
    pub(crate) fn agent_folders<'a>(&'a self, cx: &'a CallContext) -> AgentFolders<'a> {
        AgentFolders { format: &self.folder, places: self.places.as_ref(), workspace: cx.workspace.as_deref() }
    }

    /// The workspaces that are open beside the caller's.
    pub(crate) fn other_workspaces(&self, cx: &CallContext) -> Vec<Arc<dyn SkillStorageRepository>> {
        let open = self.scopes.open_workspaces().into_iter();
        open.filter(|(path, _)| Some(path) != cx.workspace.as_ref()).map(|(_, repository)| repository).collect()
    }
}
