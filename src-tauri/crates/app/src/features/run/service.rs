//! Planning, running and replaying skills.

use std::path::PathBuf;
use std::sync::Arc;

use inklings_core::manifest::HumanGate;
use inklings_core::trace::{RunSummary, SessionKind, TraceFilter, TracedSkill};
use inklings_core::{
    CancellationToken, Clock, IdSource, LanguageModel, ModelRef, Package, RunId, Sandbox, Scope, SessionId, Skill, SkillCatalog,
    SkillFormat as _, StorageError, TraceId, TraceStatus, TraceStore, UserData,
};
use inklings_folder::Folder;
use inklings_runtime::exec::{ScriptInput, run_file};
use inklings_runtime::plan::Plan;
use inklings_runtime::record::Recorder;
use inklings_runtime::{Limits, Redactor, RunEvents, RunResources, Runner, SkillError, request_tokens};
use inklings_runtime::{RunReport, RunRequest};
use serde_json::{Map, Value};

use super::active::ActiveRuns;
use super::api::{RunDetail, RunGate, RunPlan};
use super::error::RunError;
use super::gates::{self, ApprovedGates};
use super::resources::{ensure_not_archived, needs_trust};
use crate::features::trace::service::{MAX_PAGE_SIZE, StoredTrace, TraceStores, executions_of};

pub(crate) struct NewRun {
    /// None for a new ID.
    pub(crate) run: Option<RunId>,
    /// None for the current one.
    pub(crate) revision: Option<i64>,
    /// Path or name; none for the skill's plan.
    pub(crate) artifact: Option<String>,
    /// A file to run as a program instead.
    pub(crate) script: Option<ScriptInput>,
    pub(crate) params: Map<String, Value>,
    /// None for the default model.
    pub(crate) model: Option<ModelRef>,
    pub(crate) limits: Limits,
    pub(crate) replay_of: Option<TraceId>,
    pub(crate) approved: ApprovedGates,
    /// The chat it belongs to. None opens a session of its own.
    pub(crate) session: Option<SessionId>,
}

impl NewRun {
    /// A run of a file as a program.
    pub(crate) fn of_script(input: ScriptInput, limits: Limits, session: Option<SessionId>) -> Self {
        Self {
            run: None,
            revision: None,
            artifact: None,
            script: Some(input),
            params: Map::new(),
            model: None,
            limits,
            replay_of: None,
            approved: ApprovedGates::default(),
            session,
        }
    }
}

/// A run, and the gates that it reached with its output.
pub(crate) struct EndedRun {
    pub(crate) report: RunReport,
    pub(crate) gates: Vec<RunGate>,
    /// Whether its output was removed, since the caller doesn't decide about it.
    pub(crate) withheld: bool,
}

impl EndedRun {
    /// Labels of the gates at which it waits for a decision. None if there are none.
    pub(crate) fn undecided_gates(&self) -> Option<String> {
        let undecided = self.gates.iter().filter(|gate| gate.decision.is_none()).map(|gate| gate.label.as_str());
        let labels: Vec<&str> = undecided.collect();
        (!labels.is_empty()).then(|| labels.join("; "))
    }

    /// Without a draft, which is for the person who decides about it.
    pub(crate) fn without_output(mut self) -> Self {
        self.withheld = true;
        self.report.output = None;
        if let Some(script) = &mut self.report.script {
            script.stdout.clear();
            script.stderr.clear();
        }
        self.report.traces.iter_mut().for_each(gates::clear_output);
        self
    }
}

pub(crate) struct RunEnvironment {
    pub(crate) workspace: Option<PathBuf>,
    pub(crate) catalog: SkillCatalog,
    pub(crate) traces: Arc<dyn TraceStore>,
    pub(crate) resources: RunResources,
}

/// Runs skills and records them.
pub(crate) struct RunService<'a> {
    pub(crate) runner: &'a Runner,
    pub(crate) sandbox: &'a dyn Sandbox,
    pub(crate) active: &'a ActiveRuns,
    pub(crate) events: &'a dyn RunEvents,
    pub(crate) redactor: &'a Redactor,
    pub(crate) clock: &'a Arc<dyn Clock>,
    pub(crate) ids: &'a Arc<dyn IdSource>,
}

impl RunService<'_> {
    pub(crate) fn recorder(&self, store: Arc<dyn TraceStore>) -> Recorder {
        Recorder { store, redactor: self.redactor.clone(), clock: self.clock.clone(), ids: self.ids.clone() }
    }

    pub(crate) async fn run(&self, skill: Skill, new: NewRun, environment: RunEnvironment) -> Result<RunReport, RunError> {
        let RunEnvironment { workspace, catalog, traces, resources } = environment;
        let (id, scope) = (skill.head.id, skill.head.scope);
        let recorder = self.recorder(traces);
        let run = new.run.unwrap_or_else(|| RunId::new(self.ids.uuid()));
        let cancel = CancellationToken::new();
        let _guard = self.active.enter(run, cancel.clone())?;
        let request = RunRequest {
            run,
            session: new.session,
            parent: None,
            depth: 0,
            skill: Arc::new(skill),
            workspace,
            artifact: new.artifact,
            params: new.params,
            model: new.model,
            limits: new.limits,
            cancel,
            replay_of: new.replay_of,
            resources,
        };
        let report = match new.script {
            Some(input) => run_file(self.runner, request, input, self.sandbox, &recorder, self.events).await?,
            None => self.runner.run(request, &recorder, self.events).await?,
        };
        let (ok, usage) = (report.status == TraceStatus::Ok, report.usage);
        let record_use = move || -> Result<(), StorageError> { catalog.holder(id, scope)?.record_use(id, ok, usage) };
        // Failing to record the use doesn't fail the run.
        match tokio::task::spawn_blocking(record_use).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "a use could not be recorded"),
            Err(error) => tracing::warn!(%error, "a use could not be recorded"),
        }
        Ok(report)
    }
}

/// An archived skill can't run. A workspace's skill may run only if the workspace is trusted.
pub(crate) fn runnable_skill(
    catalog: &SkillCatalog,
    user: &dyn UserData,
    workspace: &str,
    name: &str,
    scope: Option<Scope>,
) -> Result<Skill, RunError> {
    let skill = catalog.require(name, scope)?;
    if needs_trust(user, workspace, skill.head.scope)? {
        return Err(SkillError::NotTrusted.into());
    }
    ensure_not_archived(&skill)?;
    Ok(skill)
}

/// The user may run a disabled skill, other programs may not.
pub(crate) fn ensure_enabled(skill: &Skill) -> Result<(), RunError> {
    if skill.head.enabled { Ok(()) } else { Err(RunError::Disabled(skill.package.slug.clone())) }
}

/// The skill as it was at a revision. Its traces name that revision.
pub(crate) fn at_revision(catalog: &SkillCatalog, folder: &Folder, mut skill: Skill, number: Option<i64>) -> Result<Skill, RunError> {
    let Some(number) = number.filter(|number| *number != skill.head.revision) else { return Ok(skill) };
    let tree = catalog.holder(skill.head.id, skill.head.scope)?.revision_tree(skill.head.id, number)?;
    skill.package = folder.read(&tree, skill.package.slug.as_str(), Some(&skill.package)).map_err(StorageError::Invalid)?.package;
    skill.head.revision = number;
    Ok(skill)
}

pub(crate) struct PlanRequest {
    pub(crate) artifact: Option<String>,
    pub(crate) params: Map<String, Value>,
    /// The requested model. It selects the variants even if it can't be used.
    pub(crate) model_id: Option<ModelRef>,
    pub(crate) model: Option<Arc<dyn LanguageModel>>,
}

pub(crate) fn plan(
    runner: &Runner,
    user: &dyn UserData,
    workspace: &str,
    skill: &Skill,
    request: PlanRequest,
) -> Result<RunPlan, RunError> {
    let PlanRequest { artifact, params, model_id, model } = request;
    let needs_trust = needs_trust(user, workspace, skill.head.scope)?;
    let chosen = model_id.as_ref().or(model.as_ref().map(|model| model.id()));
    let plan = runner.plan(skill, artifact.as_deref(), &params, chosen)?;
    let family = chosen.map(|model| runner.models.family(model));
    let input_tokens = input_tokens(runner, &skill.package, &plan, params, family.as_deref());
    let usage = inklings_core::model::TokenUsage { input_tokens, output_tokens: Some(0), cached_tokens: None };
    Ok(RunPlan {
        input_cost: model.as_ref().and_then(|model| model.price()).and_then(|price| price.of(usage)),
        model: model.map(|model| model.id().clone()),
        steps: plan.steps,
        left_out: plan.skipped,
        missing: plan.missing,
        input_tokens,
        needs_trust,
    })
}

/// Tokens of the prompts that can be rendered with `params`, as they would be sent.
fn input_tokens(runner: &Runner, package: &Package, plan: &Plan, params: Map<String, Value>, family: Option<&str>) -> Option<u64> {
    let values = params.into_iter().collect();
    let mut sum = None;
    for step in plan.steps.iter().filter(|step| !step.context) {
        let path = if step.unavailable.is_some() { step.fallback.as_ref() } else { Some(&step.path) };
        let Some(artifact) = path.and_then(|path| package.artifacts.iter().find(|one| one.path == *path)) else { continue };
        if let Ok(Some(request)) = runner.first_request(package, artifact, &values, family) {
            *sum.get_or_insert(0) += request_tokens(&request);
        }
    }
    sum.and_then(|tokens| u64::try_from(tokens).ok())
}

/// Values and model of a workspace's run come from its database, which may be untrusted.
pub(crate) fn may_replay(trace: &StoredTrace, user: &dyn UserData, workspace: &str) -> Result<(), RunError> {
    if !trace.is_of_account && needs_trust(user, workspace, Scope::Workspace)? { Err(RunError::UntrustedValues) } else { Ok(()) }
}

/// The run of a trace again, with the current revision of its skill.
pub(crate) fn replay_of(StoredTrace { trace, store, .. }: StoredTrace) -> Result<(TracedSkill, NewRun), RunError> {
    let first = executions_of(store.as_ref(), trace.run_id)?.into_iter().next().unwrap_or_else(|| trace.clone());
    let params = first.params.ok_or(RunError::ValuesNotKept)?;
    if Redactor::is_redacted(&Value::from(params.clone()).to_string()) {
        return Err(RunError::SecretsRemoved);
    }
    let model = first.model_requested.or(trace.model_requested).and_then(|model| model.parse().ok());
    let new = NewRun {
        run: None,
        revision: None,
        script: ScriptInput::from_params(first.artifact_path.as_str(), &params),
        artifact: first.asked_artifact,
        params,
        model,
        limits: Limits::default(),
        replay_of: Some(trace.id),
        approved: ApprovedGates::default(),
        session: None,
    };
    Ok((trace.skill, new))
}

/// The gates that a run reached with its output, by the revision that ran. Outputs of evals and nested runs are nobody's drafts.
pub(crate) fn gates_reached(
    catalog: &SkillCatalog,
    folder: &Folder,
    stores: &TraceStores,
    run: &RunDetail,
) -> Result<Vec<HumanGate>, RunError> {
    let RunSummary { session_id, parent_run_id, skill: TracedSkill { id, scope, revision, .. }, status, .. } = &run.summary;
    if parent_run_id.is_some() || stores.session_kind(*session_id)? == Some(SessionKind::Eval) {
        return Ok(Vec::new());
    }
    let Some(skill) = catalog.find(&id.to_string(), Some(*scope))? else { return Ok(Vec::new()) };
    match at_revision(catalog, folder, skill, Some(*revision)) {
        Ok(skill) => Ok(gates::reached(&skill.package, *status, &run.executions)),
        // The revision was pruned.
        Err(RunError::Storage(StorageError::NotFound { .. })) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

pub(crate) fn run_detail(stores: &TraceStores, run: RunId) -> Result<RunDetail, RunError> {
    let (summary, store) = stored_run(stores, run)?.ok_or(RunError::NotFound)?;
    let mut called = store.runs(&TraceFilter { parent: Some(run), ..TraceFilter::default() }, None, MAX_PAGE_SIZE)?.items;
    called.reverse();
    Ok(RunDetail { summary, executions: executions_of(store, run)?, called, gates: Vec::new() })
}

/// Refuses the ID of a stored run: a new one would be merged into it.
pub(crate) fn ensure_new(stores: &TraceStores, run: RunId) -> Result<(), RunError> {
    if stored_run(stores, run)?.is_some() { Err(RunError::IdInUse) } else { Ok(()) }
}

fn stored_run(stores: &TraceStores, run: RunId) -> Result<Option<(RunSummary, &dyn TraceStore)>, StorageError> {
    let filter = TraceFilter { run: Some(run), ..TraceFilter::default() };
    for store in &stores.all {
        if let Some(summary) = store.runs(&filter, None, 1)?.items.into_iter().next() {
            return Ok(Some((summary, store.as_ref())));
        }
    }
    Ok(None)
}
