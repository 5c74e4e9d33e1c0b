//! An application whose databases a test gets in the way of: right before a call something else happens, or the call fails.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use inklings_app::features::db::{DatabaseCheck, DatabaseCopy, RestoredDatabase};
use inklings_app::{
    ActiveChats, ActiveRuns, AgentCopyCache, App, Banner, DatabaseFile, Marketplace, WorkspaceAccessError, WorkspaceManager, WorkspaceState,
};
use inklings_core::agent::Agent;
use inklings_core::binding::Bindings;
use inklings_core::change::{RevisionFilter, RevisionPage, TreeManifest};
use inklings_core::chat::{ChatChange, ChatMessage, ChatSession, ChatStep, ChatSummary, Consent, Feedback};
use inklings_core::eval::{EvalFilter, EvalResult, EvalRun, EvalStatus};
use inklings_core::files::WorkspaceFiles;
use inklings_core::marketplace::{InstalledSkill, MarketplaceStore, RegistryRecord, SyncAttempt};
use inklings_core::pages::Pages;
use inklings_core::proposal::{Approval, Decision, ProposalFilter};
use inklings_core::reliability::{Judgement, SkillUsage, UsageSignals};
use inklings_core::skill_list::{NameMatch, ScopeListPage};
use inklings_core::trace::Usage;
use inklings_core::user::{Draft, DraftMark, DraftMove, DraftStamp, GitExclude, InputKey, RecentWorkspace, SavedInput};
use inklings_core::{
    Agents, Artifact, ArtifactId, ArtifactKind, BatchCommit, CancellationToken, ChangeSet, Chats, DeletedSkill, DeletedSummary, Digest,
    EvalRunId, EvalStore, Expected, LifecycleChange, LifecycleEntry, MessageId, ProgressReporter, Proposal, ProposalId, Proposals, Scope,
    SessionId, Skill, SkillFacts, SkillFormat, SkillId, SkillListItem, SkillNames, SkillPath, SkillStorageRepository, SkillSummary, Slug,
    StorageError, Time, TraceStore, Tree, TreeFile, UserData,
};
use inklings_engine::{AGENTS_DB, Engine};
use inklings_links::LinkedScope;
use inklings_runtime::{ArtifactDispatcher, Runner};
use inklings_store::Store;
use serde_json::Value;

type Hook = Box<dyn FnOnce() -> Result<(), StorageError> + Send>;

/// The method, how many calls of it come before, and what happens then.
type Waiting = (&'static str, usize, Hook);

/// What happens before calls, by the methods' names, and how often they were called.
#[derive(Clone, Default)]
pub(crate) struct Hooks {
    waiting: Arc<Mutex<Vec<Waiting>>>,
    calls: Arc<Mutex<BTreeMap<&'static str, usize>>>,
}

impl Hooks {
    /// Before the next call of a method: an error is what the call gives instead.
    pub(crate) fn before(&self, method: &'static str, hook: impl FnOnce() -> Result<(), StorageError> + Send + 'static) {
        self.before_call(method, 0, hook);
    }

    /// The same after so many calls.
    pub(crate) fn before_call(&self, method: &'static str, after: usize, hook: impl FnOnce() -> Result<(), StorageError> + Send + 'static) {
        self.waiting.lock().unwrap().push((method, after, Box::new(hook)));
    }

    /// The next call fails as when the disk is full.
    pub(crate) fn fail(&self, method: &'static str) {
        self.before(method, || Err(full()));
    }

    /// Whether everything that was waited for has happened.
    pub(crate) fn are_done(&self) -> bool {
        self.waiting.lock().unwrap().is_empty()
    }

    /// How often methods were called while something is done, none left out that was called at all.
    pub(crate) fn calls_of(&self, action: impl FnOnce()) -> BTreeMap<&'static str, usize> {
        self.calls.lock().unwrap().clear();
        action();
        std::mem::take(&mut *self.calls.lock().unwrap())
    }

    fn run(&self, method: &'static str) -> Result<(), StorageError> {
        *self.calls.lock().unwrap().entry(method).or_default() += 1;
        let hook = {
            let mut all = self.waiting.lock().unwrap();
            let Some(at) = all.iter().position(|(name, ..)| *name == method) else { return Ok(()) };
            if all[at].1 > 0 {
                all[at].1 -= 1;
                return Ok(());
            }
            all.remove(at).2
        };
        hook()
    }
}

/// A failure of the disk.
pub(crate) fn full() -> StorageError {
    StorageError::DiskFull { path: PathBuf::from("agents.db") }
}

/// The engine's application, with hooks before its databases.
pub(crate) fn hooked(engine: &Engine, hooks: &Hooks) -> Arc<App> {
    let app = engine.app();
    let models = app.runner.models.clone();
    Arc::new(App {
        workspaces: Arc::new(Hooked { inner: app.workspaces.clone(), hooks: hooks.clone() }),
        user: Arc::new(Hooked { inner: app.user.clone(), hooks: hooks.clone() }),
        chats: Arc::new(Hooked { inner: app.chats.clone(), hooks: hooks.clone() }),
        agents: Arc::new(Hooked { inner: app.agents.clone(), hooks: hooks.clone() }),
        actions: app.actions.clone(),
        access: app.access.clone(),
        approvals: app.approvals.clone(),
        server: std::sync::OnceLock::new(),
        evals: Arc::new(Hooked { inner: app.evals.clone(), hooks: hooks.clone() }),
        responses: app.responses.clone(),
        active_chats: ActiveChats::default(),
        chat_events: app.chat_events.clone(),
        proposals: Arc::new(Hooked { inner: app.proposals.clone(), hooks: hooks.clone() }),
        checkpoints: app.checkpoints.clone(),
        folder: app.folder.clone(),
        prompts: app.prompts.clone(),
        models: app.models.clone(),
        runner: Runner { dispatcher: ArtifactDispatcher::new(Vec::new()), prompts: app.prompts.clone(), models },
        agent_dirs: app.agent_dirs.clone(),
        clients: app.clients.clone(),
        agent_copies: AgentCopyCache::default(),
        deploy_lock: app.deploy_lock.clone(),
        repositories: app.repositories.clone(),
        registry_keys: app.registry_keys.clone(),
        links: app.links.clone(),
        search: app.search.clone(),
        checks: Arc::default(),
        lists: Arc::default(),
        sandbox: app.sandbox.clone(),
        programs: app.programs.clone(),
        runs: ActiveRuns::default(),
        events: app.events.clone(),
        redactor: app.redactor.clone(),
        clock: app.clock.clone(),
        ids: app.ids.clone(),
        origin: app.origin.clone(),
        marketplace: app.marketplace.clone(),
        log: app.log.clone(),
        facts: app.facts.clone(),
    })
}

/// The same with hooks before what is stored of registries and pins.
pub(crate) fn hooked_marketplace(engine: &Engine, hooks: &Hooks) -> Arc<App> {
    let mut app = Arc::into_inner(hooked(engine, hooks)).unwrap();
    let home = app.workspaces.account_dir();
    let store = Store::open(Scope::Account, &home.join(AGENTS_DB), app.origin.clone(), app.clock.clone(), app.folder.clone()).unwrap();
    let inner: Arc<dyn MarketplaceStore> = Arc::new(store);
    let store = Arc::new(Hooked { inner, hooks: hooks.clone() });
    let version = env!("CARGO_PKG_VERSION").parse().unwrap();
    app.marketplace = Arc::new(Marketplace::new(store, home.join("registries"), version));
    Arc::new(app)
}

struct Hooked<T: ?Sized> {
    hooks: Hooks,
    inner: Arc<T>,
}

impl Hooked<dyn WorkspaceManager> {
    fn over(&self, inner: Arc<dyn SkillStorageRepository>) -> Arc<dyn SkillStorageRepository> {
        Arc::new(Hooked { inner, hooks: self.hooks.clone() })
    }
}

impl WorkspaceManager for Hooked<dyn WorkspaceManager> {
    fn account(&self) -> Arc<dyn SkillStorageRepository> {
        self.over(self.inner.account())
    }
    fn workspace(&self, path: &Path) -> Result<Arc<dyn SkillStorageRepository>, WorkspaceAccessError> {
        Ok(self.over(self.inner.workspace(path)?))
    }
    fn linked_scope(&self, workspace: Option<&Path>) -> Result<LinkedScope, WorkspaceAccessError> {
        self.inner.linked_scope(workspace)
    }
    fn traces(&self, workspace: Option<&Path>) -> Result<Arc<dyn TraceStore>, WorkspaceAccessError> {
        self.inner.traces(workspace)
    }
    fn pages(&self, path: &Path) -> Result<Arc<dyn Pages>, WorkspaceAccessError> {
        self.inner.pages(path)
    }
    fn files(&self, path: &Path) -> Result<Arc<dyn WorkspaceFiles>, WorkspaceAccessError> {
        self.inner.files(path)
    }
    fn bindings(&self, path: &Path) -> Result<Arc<dyn Bindings>, WorkspaceAccessError> {
        self.inner.bindings(path)
    }
    fn open_workspaces(&self) -> Vec<(PathBuf, Arc<dyn SkillStorageRepository>)> {
        self.inner.open_workspaces().into_iter().map(|(path, inner)| (path, self.over(inner))).collect()
    }
    fn inspect(&self, path: &Path) -> Result<WorkspaceState, WorkspaceAccessError> {
        self.inner.inspect(path)
    }
    fn has_store(&self, path: &Path) -> bool {
        self.inner.has_store(path)
    }
    fn sample(&self) -> Result<PathBuf, WorkspaceAccessError> {
        self.inner.sample()
    }
    fn sample_path(&self) -> PathBuf {
        self.inner.sample_path()
    }
    fn exclude_from_git(&self, path: &Path) -> Result<(), WorkspaceAccessError> {
        self.inner.exclude_from_git(path)
    }
    fn account_dir(&self) -> PathBuf {
        self.inner.account_dir()
    }
    fn banners(&self) -> Vec<Banner> {
        self.inner.banners()
    }
    fn check_database(&self, workspace: Option<&Path>, cancel: &CancellationToken) -> Result<DatabaseCheck, WorkspaceAccessError> {
        self.inner.check_database(workspace, cancel)
    }
    fn back_up_database(
        &self,
        workspace: Option<&Path>,
        to: &Path,
        cancel: &CancellationToken,
        progress: &ProgressReporter,
    ) -> Result<DatabaseCopy, WorkspaceAccessError> {
        self.inner.back_up_database(workspace, to, cancel, progress)
    }
    fn restore_database(
        &self,
        workspace: Option<&Path>,
        from: &Path,
        cancel: &CancellationToken,
        progress: &ProgressReporter,
    ) -> Result<RestoredDatabase, WorkspaceAccessError> {
        self.inner.restore_database(workspace, from, cancel, progress)
    }
    fn databases(&self) -> Vec<DatabaseFile> {
        self.inner.databases()
    }
}

/// Methods that have a hook of their name, and go on to the same method.
macro_rules! hook {
    ($($name:ident($($arg:ident: $type:ty),*) -> $output:ty;)*) => {
        $(fn $name(&self, $($arg: $type),*) -> Result<$output, StorageError> {
            self.hooks.run(stringify!($name))?;
            self.inner.$name($($arg),*)
        })*
    };
}

impl SkillStorageRepository for Hooked<dyn SkillStorageRepository> {
    fn scope(&self) -> Scope {
        self.inner.scope()
    }
    fn skill_format(&self) -> &dyn SkillFormat {
        self.inner.skill_format()
    }
    fn commit_all(&self, changes: &[(ChangeSet, Expected)]) -> BatchCommit {
        match self.hooks.run("commit_all") {
            Ok(()) => self.inner.commit_all(changes),
            Err(fault) => BatchCommit { results: Vec::new(), fault: Some(fault) },
        }
    }
    hook! {
        list_skills() -> Vec<SkillSummary>;
        related_to(slug: &Slug) -> Vec<SkillId>;
        list_page(after: Option<&str>, limit: usize) -> ScopeListPage;
        list_items(ids: &[SkillId]) -> Vec<SkillListItem>;
        count_skills() -> u32;
        name_matches(names: &[(Slug, String)]) -> Vec<NameMatch>;
        names() -> Arc<[Arc<SkillNames>]>;
        version() -> i64;
        usage() -> Vec<SkillUsage>;
        usage_of(id: SkillId) -> Option<UsageSignals>;
        forks() -> Vec<SkillId>;
        last_used() -> Vec<(SkillId, Time)>;
        skill_facts(ids: &[SkillId]) -> Vec<SkillFacts>;
        get_skill(id: SkillId) -> Option<Skill>;
        get_skill_by_name(name: &str) -> Option<Skill>;
        get_values_by_name(name: &str) -> Option<Skill>;
        get_file(id: SkillId, path: &SkillPath) -> Option<TreeFile>;
        get_artifacts(id: SkillId, kinds: &[ArtifactKind]) -> Vec<Artifact>;
        get_artifact(id: ArtifactId) -> Option<Artifact>;
        commit(change: &ChangeSet, expected: Expected) -> i64;
        commit_together(changes: &[(ChangeSet, Expected)]) -> Vec<i64>;
        set_enabled(id: SkillId, enabled: bool, actor: &str) -> ();
        set_lifecycle(id: SkillId, change: &LifecycleChange, actor: &str) -> bool;
        lifecycle_history(id: SkillId) -> Vec<LifecycleEntry>;
        record_use(id: SkillId, ok: bool, usage: Usage) -> ();
        record_load(id: SkillId, answer: Option<MessageId>) -> ();
        judge_loads(answer: MessageId, judgement: Judgement) -> ();
        dependents(names: &[(Slug, String)]) -> Vec<Vec<String>>;
        revisions(id: SkillId, filter: &RevisionFilter, limit: usize) -> RevisionPage;
        revision_with(id: SkillId, tree: &Tree) -> Option<i64>;
        revision_tree(id: SkillId, number: i64) -> Tree;
        revision_manifest(id: SkillId, number: i64) -> Option<TreeManifest>;
        deleted(id: SkillId) -> Option<DeletedSkill>;
        list_deleted() -> Vec<DeletedSummary>;
    }
}

impl UserData for Hooked<dyn UserData> {
    hook! {
        put_draft(draft: &Draft) -> ();
        add_draft(draft: &Draft) -> bool;
        drafts(workspace: &str, skill: SkillId) -> Vec<Draft>;
        draft_marks(workspace: &str) -> Vec<DraftMark>;
        discard_draft(workspace: &str, skill: SkillId, path: Option<&SkillPath>) -> bool;
        discard_unchanged_drafts(drafts: &[DraftStamp]) -> ();
        copy_drafts(moves: &[DraftMove]) -> Vec<DraftStamp>;
        move_drafts(moves: &[DraftMove]) -> ();
        inputs(key: InputKey<'_>) -> Vec<SavedInput>;
        put_input(key: InputKey<'_>, input: &SavedInput, origin: &str) -> ();
        delete_input(key: InputKey<'_>, name: &str, origin: &str) -> bool;
        move_inputs(workspace: Option<&str>, from: &Slug, to: &Slug, origin: &str) -> ();
        copy_inputs(workspace: Option<&str>, from: &Slug, to: &Slug, origin: &str) -> ();
        settings() -> BTreeMap<String, Value>;
        put_setting(key: &str, value: &Value, origin: &str) -> ();
        change_setting(key: &str, origin: &str, change: &mut dyn FnMut(Option<Value>) -> Option<Value>) -> ();
        note_workspace(path: &str) -> ();
        note_git_exclude(path: &str, decision: GitExclude) -> ();
        is_trusted(path: &str) -> bool;
        note_trust(path: &str, trusted: bool, origin: &str) -> ();
        forget_workspace(path: &str, origin: &str) -> ();
        recent_workspaces() -> Vec<RecentWorkspace>;
    }
}

impl Proposals for Hooked<dyn Proposals> {
    hook! {
        put_proposal(proposal: &Proposal) -> ();
        update_proposal(before: &Proposal, after: &Proposal) -> bool;
        proposal(id: ProposalId) -> Option<Proposal>;
        count_proposals(filter: &ProposalFilter) -> usize;
        proposals(filter: &ProposalFilter) -> Vec<Proposal>;
        decide(proposal: &Proposal, decision: &Decision<'_>) -> bool;
        accept(proposal: &Proposal, approval: Approval<'_>, writes: &[(ChangeSet, Expected)]) -> Vec<i64>;
    }
}

impl EvalStore for Hooked<dyn EvalStore> {
    hook! {
        open_eval(run: &EvalRun) -> ();
        reopen_eval(id: EvalRunId) -> bool;
        put_eval_result(run: EvalRunId, result: &EvalResult) -> ();
        close_eval(id: EvalRunId, status: EvalStatus, error: Option<&str>) -> ();
        eval_run(id: EvalRunId) -> Option<EvalRun>;
        eval_runs(filter: &EvalFilter, limit: usize) -> Vec<EvalRun>;
        delete_evals(ids: &[EvalRunId]) -> usize;
        put_rejected_edit(skill: SkillId, key: Digest, edit: &Value) -> ();
        rejected_edits(skill: SkillId, limit: usize) -> Vec<(Digest, Value)>;
        eval_results(id: EvalRunId) -> Vec<EvalResult>;
    }
}

impl MarketplaceStore for Hooked<dyn MarketplaceStore> {
    hook! {
        registries() -> Vec<RegistryRecord>;
        add_registry(registry: &RegistryRecord) -> bool;
        change_registry(id: &str, change: &mut dyn FnMut(&mut RegistryRecord)) -> Option<RegistryRecord>;
        remove_registry(id: &str) -> bool;
        note_sync(id: &str, attempt: &SyncAttempt) -> ();
        installed_skills() -> Vec<InstalledSkill>;
        set_pinned(skill: SkillId, pinned: bool) -> bool;
    }
}

impl Chats for Hooked<dyn Chats> {
    hook! {
        create_chat(session: &ChatSession) -> ();
        chat(id: SessionId) -> Option<ChatSession>;
        chats(workspace: &str, text: &str, limit: usize) -> Vec<ChatSummary>;
        update_chat(id: SessionId, change: &ChatChange) -> Option<ChatSession>;
        delete_chat(id: SessionId) -> bool;
        chat_messages(session: SessionId) -> Vec<ChatMessage>;
        put_chat_message(message: &ChatMessage) -> ();
        continue_chat(session: &ChatSession, last: Option<&ChatMessage>, messages: &[ChatMessage]) -> bool;
        set_feedback(message: MessageId, feedback: Option<Feedback>) -> bool;
        put_chat_step(message: MessageId, position: usize, step: &ChatStep) -> ();
        grant(consent: Consent<'_>) -> ();
        is_granted(consent: Consent<'_>) -> bool;
        withdraw_grants() -> usize;
    }
}

impl Agents for Hooked<dyn Agents> {
    hook! {
        agents() -> Vec<Agent>;
        agent(name: &str) -> Option<Agent>;
        create_agent(agent: &Agent) -> bool;
        change_agent(name: &str, change: &mut dyn FnMut(&mut Agent) -> bool) -> Option<Agent>;
        delete_agent(name: &str) -> bool;
        notes(workspace: &str) -> String;
        put_notes(workspace: &str, text: &str) -> ();
        change_notes(workspace: &str, change: &mut dyn FnMut(&str) -> Option<String>) -> ();
    }
}
