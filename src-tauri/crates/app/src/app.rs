//! The application over its ports.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use inklings_clients::ClientEnvironment;
use inklings_core::access::AccessStore;
use inklings_core::binding::Bindings;
use inklings_core::proposal::Approvals;
use inklings_core::provider::ProviderRegistry;
use inklings_core::user::Checkpoints;
use inklings_core::{
    Actions, Agents, Chats, Clock, EvalStore, IdSource, ProgramRunner, Proposals, ResponseCache, RunId, Sandbox, Scope, SkillCatalog,
    SkillStorageRepository, TraceStatus, TraceStore, UserData,
};
use inklings_folder::Folder;
use inklings_links::Links;
use inklings_prompt::PromptEngine;
use inklings_rpc::{CallContext, Failure, Permission, ProgressReporter, Role, blocking};
use inklings_runtime::{Redactor, RunEvents, Runner};
use inklings_targets::AgentDirs;

use crate::after_write::log_failure;
use crate::agent_copies::{AgentCopyCache, AgentFolders};
use crate::check_cache::CheckCache;
use crate::diagnostics::SystemFacts;
use crate::editing::{Caller, SkillEditor};
use crate::features::chat::{ActiveChats, ChatEvents};
use crate::features::marketplace::Marketplace;
use crate::features::run::ActiveRuns;
use crate::features::run::gates::{self, GateDecisions, ensure_open};
use crate::features::run::progress::ReportedEvents;
use crate::features::run::resources::resources;
use crate::features::run::service::{
    EndedRun, NewRun, RunEnvironment, RunService, at_revision, ensure_enabled, ensure_new, runnable_skill,
};
use crate::features::search::SkillSearch;
use crate::features::trace::service::TraceStores;
use crate::list_cache::ListCache;
use crate::local_server::LocalServer;
use crate::log::AppLog;
use crate::own_skills::OwnSkills;
use crate::workspace_manager::WorkspaceManager;

/// The application: everything an operation may use.
pub struct App {
    pub workspaces: Arc<dyn WorkspaceManager>,
    pub user: Arc<dyn UserData>,
    pub checkpoints: Arc<dyn Checkpoints>,
    pub folder: Arc<Folder>,
    pub prompts: Arc<PromptEngine>,
    pub models: Arc<dyn ProviderRegistry>,
    pub runner: Runner,
    /// Where other agents keep skills; none if the home folder is unknown.
    pub agent_dirs: Option<AgentDirs>,
    /// Where AI clients keep their configuration; none if the home folder is unknown.
    pub clients: Option<ClientEnvironment>,
    pub agent_copies: AgentCopyCache,
    /// The record of copies deployed to other agents.
    pub deploy_lock: PathBuf,
    /// Folder of the copies of repositories from which skills were imported.
    pub repositories: PathBuf,
    /// Folder of the secret keys of registries that the user publishes, by registry.
    pub registry_keys: PathBuf,
    pub links: Arc<Links>,
    pub search: Arc<SkillSearch>,
    pub checks: Arc<CheckCache>,
    pub lists: Arc<ListCache>,
    pub sandbox: Arc<dyn Sandbox>,
    pub programs: Arc<dyn ProgramRunner>,
    pub proposals: Arc<dyn Proposals>,
    pub approvals: Arc<dyn Approvals>,
    pub chats: Arc<dyn Chats>,
    pub agents: Arc<dyn Agents>,
    pub actions: Arc<dyn Actions>,
    pub access: Arc<dyn AccessStore>,
    pub marketplace: Arc<Marketplace>,
    /// Set by a process that can serve other programs.
    pub server: OnceLock<Arc<dyn LocalServer>>,
    pub evals: Arc<dyn EvalStore>,
    pub responses: Arc<dyn ResponseCache>,
    pub active_chats: ActiveChats,
    /// Receives the events of chats.
    pub chat_events: Arc<dyn ChatEvents>,
    pub runs: ActiveRuns,
    /// Receives the events of runs.
    pub events: Arc<dyn RunEvents>,
    pub redactor: Redactor,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn IdSource>,
    /// Id of this process in the change feed.
    pub origin: String,
    pub log: Arc<dyn AppLog>,
    pub facts: SystemFacts,
}

impl App {
    /// The merged catalog that a call sees.
    pub fn catalog(&self, cx: &CallContext) -> Result<SkillCatalog, Failure> {
        let workspace = cx.workspace.as_deref().map(|path| self.workspaces.workspace(path)).transpose()?;
        let account = self.workspaces.account();
        if cx.role.is_limited_to_workspace() {
            return Ok(SkillCatalog::new(OwnSkills::none_of(account), workspace));
        }
        if !cx.role.is_limited_to_own_skills() {
            return Ok(SkillCatalog::new(account, workspace));
        }
        let own = |repository| OwnSkills::of(repository, &cx.actor);
        Ok(SkillCatalog::new(own(account), workspace.map(own)))
    }

    /// The store of a call's traces, or the account's. Marks runs of ended processes as interrupted first.
    pub(crate) fn trace_store(&self, cx: &CallContext, account: bool) -> Result<Arc<dyn TraceStore>, Failure> {
        if account {
            cx.require_scope(Scope::Account)?;
        }
        let store = self.workspaces.traces(cx.workspace.as_deref().filter(|_| !account))?;
        store.mark_interrupted()?;
        Ok(store)
    }

    /// The stores of a call's traces and the account's. Runs of ended processes may still count as running.
    pub(crate) fn trace_stores(&self, cx: &CallContext) -> Result<TraceStores, Failure> {
        let account = self.workspaces.traces(None)?;
        let own = self.workspaces.traces(cx.workspace.as_deref())?;
        let is_one = Arc::ptr_eq(&own, &account) || cx.role.is_limited_to_workspace();
        let all = if is_one { vec![own] } else { vec![own, account.clone()] };
        Ok(TraceStores { all, account })
    }

    /// Like [`Self::trace_stores`], but marks runs of ended processes as interrupted first.
    pub(crate) fn current_trace_stores(&self, cx: &CallContext) -> Result<TraceStores, Failure> {
        let stores = self.trace_stores(cx)?;
        for store in &stores.all {
            store.mark_interrupted()?;
        }
        Ok(stores)
    }

    /// The references of the open workspace's skills, for work that goes on without them. `what` is logged with the error.
    pub(crate) fn references_if_available(&self, cx: &CallContext, what: &str) -> Option<Arc<dyn Bindings>> {
        let bindings = self.workspaces.bindings(cx.workspace.as_deref()?);
        bindings.map_err(|error| log_failure(what, error)).ok()
    }

    pub(crate) fn run_service(&self) -> RunService<'_> {
        RunService {
            runner: &self.runner,
            sandbox: self.sandbox.as_ref(),
            active: &self.runs,
            events: self.events.as_ref(),
            redactor: &self.redactor,
            clock: &self.clock,
            ids: &self.ids,
        }
    }

    /// `run` is the ID that the caller gave the run. Blocks.
    pub(crate) fn run_environment(&self, cx: &CallContext, run: Option<RunId>) -> Result<RunEnvironment, Failure> {
        if let Some(run) = run {
            ensure_new(&self.trace_stores(cx)?, run)?;
        }
        let catalog = self.catalog(cx)?;
        let pages = cx.workspace.as_deref().map(|path| self.workspaces.pages(path)).transpose()?;
        Ok(RunEnvironment {
            workspace: cx.workspace.clone(),
            traces: self.workspaces.traces(cx.workspace.as_deref())?,
            resources: resources(pages, catalog.clone(), &self.user, cx.workspace_key(), self.checkpoints.clone())?,
            catalog,
        })
    }

    /// Runs a skill by name. Cancelling the call cancels the run.
    pub(crate) async fn run_skill(
        self: &Arc<Self>,
        cx: CallContext,
        name: String,
        scope: Option<Scope>,
        mut new: NewRun,
    ) -> Result<EndedRun, Failure> {
        if !new.approved.is_empty() {
            cx.require(Permission::Write, "approve gates")?;
        }
        let given = new.run;
        let id = *new.run.get_or_insert_with(|| RunId::new(self.ids.uuid()));
        let (revision, session, cancel) = (new.revision, new.session, cx.cancel.clone());
        let (approved, actor) = (new.approved.clone(), cx.actor.clone());
        let (is_remote, is_supervised) = (matches!(cx.role, Role::Remote(_)), cx.role.is_supervised());
        // Front ends of this process follow the events themselves.
        let progress = if is_remote { cx.progress.clone() } else { ProgressReporter::default() };
        let prepare = move |app: &Self| {
            let catalog = app.catalog(&cx)?;
            let mut skill = runnable_skill(&catalog, app.user.as_ref(), &cx.workspace_key(), &name, scope)?;
            if is_remote {
                ensure_enabled(&skill)?;
            }
            // An earlier revision can't be run past a gate that was added since.
            let mut open = ensure_open(&skill.package, &approved)?;
            if revision.is_some_and(|number| number != skill.head.revision) {
                if gates::may_hold_output(&skill.package) {
                    cx.require(Permission::Write, "run earlier revisions of a skill whose output waits for approval")?;
                }
                skill = at_revision(&catalog, &app.folder, skill, revision)?;
                let mut earlier = ensure_open(&skill.package, &approved)?;
                earlier.retain(|gate| open.iter().all(|one| one.key != gate.key));
                open.append(&mut earlier);
            }
            let environment = app.run_environment(&cx, given)?;
            app.gate_decisions().approve(id, &open, &approved, &cx.actor)?;
            let package = skill.package.clone();
            if let Some(chat) = session.map(|session| app.chats.chat(session)).transpose()?.flatten() {
                environment.traces.open_session(&chat.traced())?;
            }
            Ok((skill, environment, package, approved))
        };
        let (skill, environment, package, approved) = self.blocking(prepare).await?;
        let holds_output = is_supervised && gates::may_hold_output(&package);
        let events = ReportedEvents::new(self.events.as_ref(), progress, holds_output);
        let service = RunService { events: &events, ..self.run_service() };
        let mut run = Box::pin(service.run(skill, new, environment));
        let ended = tokio::select! {
            report = &mut run => Some(report),
            () = cancel.cancelled() => None,
        };
        let report = if let Some(report) = ended {
            report
        } else {
            self.runs.cancel(id);
            run.await
        };
        let report = report?;
        let (gates, succeeded) = (gates::reached(&package, report.status, &report.traces), report.status == TraceStatus::Ok);
        let decide = move |app: &Self| Ok(app.gate_decisions().after_run(id, gates, &approved, &actor));
        let ended = EndedRun { report, gates: self.blocking(decide).await?, withheld: false };
        // Nobody decides about the drafts of a failed run.
        let holds_output = holds_output && (!succeeded || ended.undecided_gates().is_some());
        Ok(if holds_output { ended.without_output() } else { ended })
    }

    pub(crate) fn gate_decisions(&self) -> GateDecisions<'_> {
        GateDecisions { approvals: self.approvals.as_ref() }
    }

    /// The blocking part of an async operation.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let app = self.clone();
        blocking(move || work(&app)).await
    }

    pub(crate) fn editor<'a>(&'a self, cx: &'a CallContext) -> Result<SkillEditor<'a>, Failure> {
        Ok(self.editor_of(cx, self.catalog(cx)?))
    }

    pub(crate) fn editor_of<'a>(&'a self, cx: &'a CallContext, catalog: SkillCatalog) -> SkillEditor<'a> {
        SkillEditor {
            catalog,
            folder: &self.folder,
            checks: &self.checks,
            user: self.user.as_ref(),
            actions: self.actions.as_ref(),
            ids: self.ids.as_ref(),
            clock: self.clock.as_ref(),
            caller: Self::caller(cx),
        }
    }

    pub(crate) fn caller(cx: &CallContext) -> Caller<'_> {
        Caller {
            workspace: cx.workspace.as_deref(),
            actor: &cx.actor,
            origin: &cx.origin,
            is_limited_to_own_skills: cx.role.is_limited_to_own_skills(),
            is_limited_to_workspace: cx.role.is_limited_to_workspace(),
            is_remote: matches!(cx.role, Role::Remote(_)),
            is_supervised: cx.role.is_supervised(),
        }
    }

    pub(crate) fn agent_folders<'a>(&'a self, cx: &'a CallContext) -> AgentFolders<'a> {
        AgentFolders { format: &self.folder, dirs: self.agent_dirs.as_ref(), workspace: cx.workspace.as_deref() }
    }

    /// The open workspaces except the caller's.
    pub(crate) fn other_workspaces(&self, cx: &CallContext) -> Vec<Arc<dyn SkillStorageRepository>> {
        let open = self.workspaces.open_workspaces().into_iter();
        open.filter(|(path, _)| Some(path) != cx.workspace.as_ref()).map(|(_, repository)| repository).collect()
    }
}
