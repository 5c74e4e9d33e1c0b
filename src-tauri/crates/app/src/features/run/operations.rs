//! `run/*`: running skills, stopping them, and the list of what ran.

use std::sync::Arc;

use inklings_core::trace::{Trace, TraceFilter};
use inklings_core::{ArtifactKind, CancellationToken, ModelRef, RunId, Scope, Skill, SkillPath, TraceId, TraceStatus, TraceStore};
use inklings_rpc::{CallContext, Code, Done, Failure, operations};
use inklings_runtime::plan::Plan;
use inklings_runtime::record::Recorder;
use inklings_runtime::run::{RunReport, RunRequest};
use inklings_runtime::{Limits, Redactor, SkillError};
use serde_json::{Map, Value};

use super::api::{Removed, ReplayParams, RunDeleteParams, RunDetail, RunList, RunListParams, RunOutcome, RunParams, RunPlan, RunRef};
use crate::app::App;
use crate::reach;

/// Entries of a page, unless said otherwise.
const PAGE: usize = 100;

/// Most entries of a page.
const MOST: usize = 1_000;

impl From<RunReport> for RunOutcome {
    fn from(report: RunReport) -> Self {
        let (text, value) = report.output.map_or((None, None), |output| (Some(output.text), output.value));
        Self {
            run: report.run,
            session: report.session,
            status: report.status,
            text,
            value,
            error: report.error.map(Failure::from),
            traces: report.traces,
            usage: report.usage,
        }
    }
}

async fn start(app: Arc<App>, cx: CallContext, params: RunParams) -> Result<RunOutcome, Failure> {
    let skill = find(&app, &cx, params.skill, params.scope).await?;
    let wanted = Wanted { run: params.run, artifact: params.artifact, params: params.params, model: params.model, limits: params.limits };
    run(&app, cx, skill, wanted, None).await
}

/// A run in the making.
struct Wanted {
    run: Option<RunId>,
    artifact: Option<String>,
    params: Map<String, Value>,
    model: Option<ModelRef>,
    limits: Limits,
}

async fn run(app: &Arc<App>, cx: CallContext, skill: Skill, wanted: Wanted, replay_of: Option<TraceId>) -> Result<RunOutcome, Failure> {
    let workspace = cx.workspace.clone();
    let prepare = move |app: &App| Ok((app.scopes.traces(cx.workspace.as_deref())?, reach::reach(app, &cx)?));
    let (store, resources) = blocking(app, prepare).await?;
    let (used, scope) = (skill.head.id, skill.head.scope);
    let recorder = Recorder { store, redactor: app.redactor.clone(), clock: app.clock.clone(), ids: app.ids.clone() };
    let run = wanted.run.unwrap_or_else(|| RunId::new(app.ids.uuid()));
    let cancel = CancellationToken::new();
    let _entered = app.runs.enter(run, cancel.clone())?;
    let request = RunRequest {
        run,
        session: None,
        parent: None,
        depth: 0,
        skill: Arc::new(skill),
        workspace: workspace.clone(),
        artifact: wanted.artifact,
        params: wanted.params,
        model: wanted.model,
        limits: wanted.limits,
        cancel,
        replay_of,
        resources,
    };
    let report = app.runner.run(request, &recorder, app.events.as_ref()).await?;
    let (ok, usage) = (report.status == TraceStatus::Ok, report.usage);
    let counted = blocking(app, move |app| {
        let holder = match (scope, &workspace) {
            (Scope::Workspace, Some(path)) => app.scopes.workspace(path)?,
            _ => app.scopes.account(),
        };
        Ok(holder.record_use(used, ok, usage)?)
    });
    // A use that can't be counted is no reason to fail the run.
    if let Err(failure) = counted.await {
        tracing::warn!(%failure, "a use could not be counted");
    }
    Ok(report.into())
}

/// The skill, if it may run: what is in a workspace may once the person trusts the workspace.
pub(crate) async fn find(app: &Arc<App>, cx: &CallContext, name: String, scope: Option<Scope>) -> Result<Skill, Failure> {
    let cx = cx.clone();
    blocking(app, move |app| {
        let skill = app.catalog(&cx)?.require(&name, scope)?;
        if reach::needs_trust(app.user.as_ref(), &cx.workspace_key(), skill.head.scope)? {
            return Err(SkillError::NotTrusted.into());
        }
        Ok(skill)
    })
    .await
}

/// Runs what blocks on a thread for it.
pub(crate) async fn blocking<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let app = app.clone();
    let done = tokio::task::spawn_blocking(move || work(&app)).await;
    done.unwrap_or_else(|error| Err(Failure::new(Code::Internal, format!("a task stopped unexpectedly: {error}"))))
}

async fn cancel(app: Arc<App>, _: CallContext, params: RunRef) -> Result<Done, Failure> {
    if app.runs.cancel(params.run) {
        return Ok(Done {});
    }
    Err(Failure::new(Code::NotFound, "that run is not going on here").hint("it has ended already, or another program runs it"))
}

async fn plan(app: Arc<App>, cx: CallContext, params: RunParams) -> Result<RunPlan, Failure> {
    // Finding a model reads its key: once a call.
    let model = app.models.model(params.model.as_ref()).await.ok();
    blocking(&app, move |app| {
        let skill = app.catalog(&cx)?.require(&params.skill, params.scope)?;
        let needs_trust = reach::needs_trust(app.user.as_ref(), &cx.workspace_key(), skill.head.scope)?;
        // A model that can't be used still chooses the variants.
        let chosen = params.model.as_ref().or(model.as_ref().map(|model| model.id()));
        let plan = app.runner.plan(&skill, params.artifact.as_deref(), &params.params, chosen)?;
        let input_tokens = input_tokens(app, &skill, &plan, &params.params);
        let usage = inklings_core::model::TokenUsage { input_tokens, output_tokens: Some(0), cached_tokens: None };
        Ok(RunPlan {
            input_cost: model.as_ref().and_then(|model| model.price()).and_then(|price| price.of(usage)),
            model: model.map(|model| model.id().clone()),
            steps: plan.steps,
            left_out: plan.left_out,
            missing: plan.missing,
            input_tokens,
            needs_trust,
        })
    })
    .await
}

/// Tokens of the prompts that can be rendered with what is given; each of them is sent along with all context.
fn input_tokens(app: &App, skill: &Skill, plan: &Plan, params: &Map<String, Value>) -> Option<u64> {
    let values = params.clone().into_iter().collect();
    let text = |path: &SkillPath| {
        let artifact = skill.package.artifacts.iter().find(|one| one.path == *path);
        artifact.filter(|one| one.kind.is_context() || one.kind == ArtifactKind::PromptTemplate).map(|one| one.content.clone())
    };
    let context: usize = plan
        .steps
        .iter()
        .filter(|step| step.context)
        .filter_map(|step| text(&step.path))
        .map(|text| inklings_prompt::tokens::count(&text))
        .sum();
    let mut sum = None;
    for step in plan.steps.iter().filter(|step| !step.context) {
        let path = if step.unavailable.is_some() { step.fallback.as_ref() } else { Some(&step.path) };
        let Some(prompt) = path.and_then(&text) else { continue };
        if let Ok(rendered) = app.prompts.render_str(&prompt, &values) {
            *sum.get_or_insert(0) += context + inklings_prompt::tokens::count(&rendered);
        }
    }
    sum.and_then(|tokens| u64::try_from(tokens).ok())
}

async fn replay(app: Arc<App>, cx: CallContext, params: ReplayParams) -> Result<RunOutcome, Failure> {
    let (context, id) = (cx.clone(), params.trace);
    let (trace, first) = blocking(&app, move |app| {
        let (store, trace, own) = crate::features::trace::find(app, &context, id)?;
        // Its values and its model are what the workspace's file says they were.
        if !own && reach::needs_trust(app.user.as_ref(), &context.workspace_key(), Scope::Workspace)? {
            let message = "this run's values are stored in the workspace, which is not trusted";
            return Err(Failure::new(Code::NotTrusted, message).hint("trust the workspace, then replay the run"));
        }
        let first = run_of(store.as_ref(), trace.run_id)?.into_iter().next();
        Ok((trace, first))
    })
    .await?;
    let first = first.unwrap_or_else(|| trace.clone());
    let values = first
        .params
        .ok_or_else(|| Failure::new(Code::NotFound, "the values of that run are not kept").hint("run the skill with new values"))?;
    if Redactor::is_redacted(&serde_json::Value::from(values.clone()).to_string()) {
        let message = "a secret was taken out of that run's values, so it can't be run again as it was";
        return Err(Failure::new(Code::NotFound, message).hint("run the skill with new values"));
    }
    let skill = find(&app, &cx, trace.skill.id.to_string(), Some(trace.skill.scope)).await?;
    let requested = first.model_requested.or(trace.model_requested).and_then(|model| model.parse().ok());
    let wanted = Wanted {
        run: params.run,
        artifact: first.asked_artifact,
        params: values,
        model: params.model.or(requested),
        limits: params.limits,
    };
    run(&app, cx, skill, wanted, Some(id)).await
}

/// All traces of a run, in order.
pub(crate) fn run_of(store: &dyn TraceStore, run: RunId) -> Result<Vec<Trace>, Failure> {
    let mut all = store.traces(&TraceFilter { run: Some(run), ..TraceFilter::default() }, None, MOST)?.items;
    all.reverse();
    Ok(all)
}

fn list(app: &App, cx: &CallContext, params: RunListParams) -> Result<RunList, Failure> {
    let store = crate::features::trace::store(app, cx, params.account)?;
    let found = store.runs(&params.filter, params.before, page(params.limit))?;
    Ok(RunList { runs: found.items, next: found.next })
}

/// The length of a page.
pub(crate) fn page(limit: Option<usize>) -> usize {
    limit.unwrap_or(PAGE).clamp(1, MOST)
}

fn get(app: &App, cx: &CallContext, params: RunRef) -> Result<RunDetail, Failure> {
    let filter = TraceFilter { run: Some(params.run), ..TraceFilter::default() };
    for store in crate::features::trace::stores(app, cx)? {
        if let Some(summary) = store.runs(&filter, None, 1)?.items.into_iter().next() {
            let mut called = store.runs(&TraceFilter { parent: Some(params.run), ..TraceFilter::default() }, None, MOST)?.items;
            called.reverse();
            return Ok(RunDetail { summary, executions: run_of(store.as_ref(), params.run)?, called });
        }
    }
    Err(Failure::new(Code::NotFound, "there is no such run").hint("old runs are removed; `trace list` shows those that are kept"))
}

fn delete(app: &App, cx: &CallContext, params: RunDeleteParams) -> Result<Removed, Failure> {
    let mut traces = 0;
    for store in crate::features::trace::stores(app, cx)? {
        traces += store.delete_runs(&params.runs)?;
    }
    Ok(Removed { traces })
}

operations! { App;

    /// What a run would do, without doing it.
    PlanRun = "run/plan", Read, async plan(RunParams) -> RunPlan;
    /// Runs to the end; events tell what happens meanwhile. A refusal before anything is executed is a failure, what
    /// fails later is in the outcome.
    Start = "run/start", Run["run"], async start(RunParams) -> RunOutcome;
    /// Asks a run of this process to stop. It has stopped when `run/start` returns.
    CancelRun = "run/cancel", Run["run"], async cancel(RunRef) -> Done;
    /// Runs again with the same values, against the skill as it is now.
    Replay = "run/replay", Run["run"], async replay(ReplayParams) -> RunOutcome;
    ListRuns = "run/list", Read, blocking list(RunListParams) -> RunList;
    GetRun = "run/get", Read, blocking get(RunRef) -> RunDetail;
    /// Removes runs with their traces; running ones stay.
    DeleteRuns = "run/delete", Write["run"], blocking delete(RunDeleteParams) -> Removed;
}
