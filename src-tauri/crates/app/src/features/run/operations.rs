use std::sync::Arc;

use inklings_core::RunId;
use inklings_core::proposal::Approval;
use inklings_rpc::{CallContext, Done, Failure, operations};
use inklings_runtime::RunReport;
use inklings_runtime::exec::ScriptInput;

use super::api::{
    DecideGateParams, DeletedRuns, ReplayParams, RunDeleteParams, RunDetail, RunList, RunListParams, RunOutcome, RunParams, RunPlan,
    RunRef, ScriptParams, ScriptRunOutcome,
};
use super::error::RunError;
use super::gates::ApprovedGates;
use super::service::{self, EndedRun, NewRun, PlanRequest, gates_reached, may_replay, replay_of, run_detail};
use crate::app::App;
use crate::features::trace::service::page_size;

impl From<RunReport> for RunOutcome {
    fn from(report: RunReport) -> Self {
        EndedRun { report, gates: Vec::new(), withheld: false }.into()
    }
}

impl From<EndedRun> for RunOutcome {
    fn from(EndedRun { report, gates, .. }: EndedRun) -> Self {
        let (text, value) = report.output.map_or((None, None), |output| (Some(output.text), output.value));
        Self {
            run: report.run,
            session: report.session,
            status: report.status,
            text,
            value,
            error: report.error.map(Failure::from),
            traces: report.traces,
            gates,
            usage: report.usage,
        }
    }
}

async fn start(app: Arc<App>, cx: CallContext, params: RunParams) -> Result<RunOutcome, Failure> {
    let new = NewRun {
        run: params.run,
        revision: params.revision,
        artifact: params.artifact,
        script: None,
        params: params.params,
        model: params.model,
        limits: params.limits,
        replay_of: None,
        approved: ApprovedGates::Keys(params.approve),
        session: None,
    };
    Ok(app.run_skill(cx, params.skill, params.scope, new).await?.into())
}

impl From<EndedRun> for ScriptRunOutcome {
    fn from(EndedRun { report, gates, .. }: EndedRun) -> Self {
        let script = report.script.unwrap_or_default();
        Self {
            run: report.run,
            session: report.session,
            status: report.status,
            exit_code: script.exit_code,
            stdout: script.stdout,
            stderr: script.stderr,
            truncated: script.truncated,
            error: report.error.map(Failure::from),
            traces: report.traces,
            gates,
            usage: report.usage,
        }
    }
}

async fn script(app: Arc<App>, cx: CallContext, params: ScriptParams) -> Result<ScriptRunOutcome, Failure> {
    let input = ScriptInput { path: params.path, args: params.args, stdin: params.stdin };
    let new = NewRun { run: params.run, approved: ApprovedGates::Keys(params.approve), ..NewRun::of_script(input, params.limits, None) };
    Ok(app.run_skill(cx, params.skill, params.scope, new).await?.into())
}

async fn cancel(app: Arc<App>, _: CallContext, params: RunRef) -> Result<Done, Failure> {
    if app.runs.cancel(params.run) { Ok(Done {}) } else { Err(RunError::NotActive.into()) }
}

async fn plan(app: Arc<App>, cx: CallContext, params: RunParams) -> Result<RunPlan, Failure> {
    // Resolving a model reads its key, so it is done once.
    let model = app.models.model(params.model.as_ref()).await.ok();
    app.blocking(move |app| {
        let catalog = app.catalog(&cx)?;
        let skill = catalog.require(&params.skill, params.scope)?;
        let skill = service::at_revision(&catalog, &app.folder, skill, params.revision)?;
        let request = PlanRequest { artifact: params.artifact, params: params.params, model_id: params.model, model };
        Ok(service::plan(&app.runner, app.user.as_ref(), &cx.workspace_key(), &skill, request)?)
    })
    .await
}

async fn replay(app: Arc<App>, cx: CallContext, params: ReplayParams) -> Result<RunOutcome, Failure> {
    let (context, id) = (cx.clone(), params.trace);
    let find = move |app: &App| {
        let found = app.current_trace_stores(&context)?.find(id)?;
        may_replay(&found, app.user.as_ref(), &context.workspace_key())?;
        Ok(replay_of(found)?)
    };
    let (skill, new) = app.blocking(find).await?;
    let (model, approved) = (params.model.or(new.model), ApprovedGates::Keys(params.approve));
    let new = NewRun { run: params.run, model, limits: params.limits, approved, ..new };
    Ok(app.run_skill(cx, skill.id.to_string(), Some(skill.scope), new).await?.into())
}

fn list(app: &App, cx: &CallContext, params: RunListParams) -> Result<RunList, Failure> {
    let page = app.trace_store(cx, params.account)?.runs(&params.filter, params.before, page_size(params.limit))?;
    Ok(RunList { runs: page.items, next: page.next })
}

fn get(app: &App, cx: &CallContext, params: RunRef) -> Result<RunDetail, Failure> {
    detail(app, cx, params.run)
}

fn decide(app: &App, cx: &CallContext, params: DecideGateParams) -> Result<RunDetail, Failure> {
    let gates = detail(app, cx, params.run)?.gates;
    let gate = gates.iter().find(|gate| gate.key == params.gate).ok_or(RunError::NoSuchGate { key: params.gate.clone() })?;
    if gate.decision.is_some() {
        return Err(RunError::AlreadyDecided.into());
    }
    let by = Approval { actor: &cx.actor, reason: params.reason.as_deref().or(Some(&gate.label)) };
    app.gate_decisions().put(params.run, &gate.key, params.approved, by)?;
    detail(app, cx, params.run)
}

fn detail(app: &App, cx: &CallContext, run: RunId) -> Result<RunDetail, Failure> {
    let stores = app.current_trace_stores(cx)?;
    let mut detail = run_detail(&stores, run)?;
    let gates = gates_reached(&app.catalog(cx)?, &app.folder, &stores, &detail)?;
    detail.gates = app.gate_decisions().of(run, gates)?;
    Ok(detail)
}

fn delete(app: &App, cx: &CallContext, mut params: RunDeleteParams) -> Result<DeletedRuns, Failure> {
    // Between two steps, none of a run's rows is running.
    params.runs.retain(|run| !app.runs.is_active(*run));
    let mut traces = 0;
    for store in app.current_trace_stores(cx)?.all {
        traces += store.delete_runs(&params.runs)?;
    }
    Ok(DeletedRuns { traces })
}

operations! { App;
    /// The steps and missing values of a run, without running.
    PlanRun = "run/plan", RunSkills, async plan(RunParams) -> RunPlan;
    /// Returns when the run has ended; events report its progress. Errors before the first step are failures, later ones are in the
    /// outcome.
    Start = "run/start", RunSkills["run"], async start(RunParams) -> RunOutcome;
    /// Runs a Python file of a skill as a program, in the sandbox. Returns when it has ended, like `run/start`.
    RunScript = "run/script", RunSkills["run"], async script(ScriptParams) -> ScriptRunOutcome;
    /// Cancels a run of this process. It has ended when its call returns.
    CancelRun = "run/cancel", RunSkills["run"], async cancel(RunRef) -> Done;
    /// Runs again with the same values and the current revision of the skill.
    Replay = "run/replay", Run["run"], async replay(ReplayParams) -> RunOutcome;
    ListRuns = "run/list", Read, blocking list(RunListParams) -> RunList;
    GetRun = "run/get", Read, blocking get(RunRef) -> RunDetail;
    /// Decides at a gate that a run reached with its output.
    DecideGate = "run/decide", Write["run"], blocking decide(DecideGateParams) -> RunDetail;
    /// Deletes runs with their traces, except active runs.
    DeleteRuns = "run/delete", Write["run"], blocking delete(RunDeleteParams) -> DeletedRuns;
}
