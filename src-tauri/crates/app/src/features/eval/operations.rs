use std::collections::HashMap;
use std::sync::Arc;

use inklings_core::eval::{EvalFilter, EvalRun, EvalStatus};
use inklings_core::trace::TracedSkill;
use inklings_core::{EvalRunId, LanguageModel, ModelRef, Skill};
use inklings_evals::report::{Report, RunComparison, to_csv, to_html, to_junit};
use inklings_evals::triggers::TriggerReport;
use inklings_rpc::{CallContext, Failure, operations};

use super::api::{
    CompareEvalsParams, EvalCases, EvalEstimate, EvalListParams, EvalParams, EvalRunRef, EvalRuns, ExportEvalParams, ExportedReport,
    ReportFormat, ResumeEvalParams,
};
use super::error::EvalError;
use super::execution::{EvalJob, EvalRunner};
use super::plan::EvalPlan;
use super::service;
use crate::app::App;
use crate::features::run::service::{at_revision, runnable_skill};
use crate::wire::SkillRef;

const DEFAULT_LIMIT: usize = 20;
const MAX_LIMIT: usize = 100;

fn cases(app: &App, cx: &CallContext, params: SkillRef) -> Result<EvalCases, Failure> {
    let found = service::cases(&app.catalog(cx)?.require(&params.skill, params.scope)?.package);
    Ok(EvalCases { cases: found.cases, diagnostics: found.diagnostics })
}

fn triggers(app: &App, cx: &CallContext, params: SkillRef) -> Result<TriggerReport, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    let workspace = cx.workspace.as_deref();
    Ok(service::test_triggers(&app.search, workspace, &catalog, &skill.package, &cx.cancel, &cx.progress)?)
}

async fn model(app: &App, wanted: Option<&ModelRef>) -> Result<Arc<dyn LanguageModel>, Failure> {
    Ok(app.models.model(wanted).await.map_err(EvalError::Model)?)
}

/// The models that the params leave to the default, and all models of the plan.
async fn plan(app: &Arc<App>, cx: &CallContext, mut params: EvalParams) -> Result<(EvalPlan, Skill, Vec<Arc<dyn LanguageModel>>), Failure> {
    if params.models.is_empty() {
        params.models.push(model(app, None).await?.id().clone());
    }
    let judge = match &params.judge {
        Some(judge) => judge.clone(),
        None => model(app, None).await.map_or_else(|_| params.models[0].clone(), |model| model.id().clone()),
    };
    let cx = cx.clone();
    let prepare = move |app: &App| {
        let skill = runnable_skill(&app.catalog(&cx)?, app.user.as_ref(), &cx.workspace_key(), &params.skill, params.scope)?;
        let cases = service::cases(&skill.package).cases;
        Ok((EvalPlan::new(&params, &skill.package.name, skill.head.revision, cases, judge)?, skill))
    };
    let (plan, skill) = app.blocking(prepare).await?;
    let mut models = Vec::new();
    for name in service::models_of(&plan) {
        models.push(model(app, Some(&name)).await?);
    }
    service::ensure_priced(&plan, &models)?;
    Ok((plan, skill, models))
}

async fn estimate(app: Arc<App>, cx: CallContext, params: EvalParams) -> Result<EvalEstimate, Failure> {
    let (plan, skill, models) = plan(&app, &cx, params).await?;
    app.blocking(move |app| {
        let catalog = app.catalog(&cx)?;
        let revision = |number| Ok(at_revision(&catalog, &app.folder, skill.clone(), Some(number))?);
        Ok(service::estimate(&app.runner, app.responses.as_ref(), &plan, &models, &skill, revision)?)
    })
    .await
}

async fn start(app: Arc<App>, cx: CallContext, params: EvalParams) -> Result<Report, Failure> {
    let id = params.run.unwrap_or_else(|| EvalRunId::new(app.ids.uuid()));
    let (plan, current, _) = plan(&app, &cx, params).await?;
    let context = cx.clone();
    let open = move |app: &App| {
        let run = EvalRun {
            id,
            workspace: App::caller(&context).draft_key(current.head.scope),
            skill: TracedSkill::of(&current),
            status: EvalStatus::Running,
            error: None,
            plan: serde_json::to_value(&plan).map_err(EvalError::Unserializable)?,
            created_at: app.clock.now(),
            completed_at: None,
        };
        let limits = plan.limits;
        let job = EvalJob {
            revisions: revisions(app, &context, &plan, &current)?,
            environment: app.run_environment(&context)?,
            done: Vec::new(),
            run,
            plan,
            limits,
            current,
        };
        app.evals.open_eval(&job.run)?;
        Ok(job)
    };
    let job = app.blocking(open).await?;
    execute(app, cx, job).await
}

async fn resume(app: Arc<App>, cx: CallContext, params: ResumeEvalParams) -> Result<Report, Failure> {
    let context = cx.clone();
    let reopen = move |app: &App| {
        let run = app.evals.eval_run(params.run)?.ok_or(EvalError::NotFound)?;
        let plan: EvalPlan = serde_json::from_value(run.plan.clone()).map_err(EvalError::Unserializable)?;
        let (name, scope) = (run.skill.id.to_string(), Some(run.skill.scope));
        let current = runnable_skill(&app.catalog(&context)?, app.user.as_ref(), &context.workspace_key(), &name, scope)?;
        let job = EvalJob {
            revisions: revisions(app, &context, &plan, &current)?,
            environment: app.run_environment(&context)?,
            done: app.evals.eval_results(run.id)?,
            limits: params.limits.unwrap_or(plan.limits),
            run,
            plan,
            current,
        };
        if app.evals.reopen_eval(params.run)? { Ok(job) } else { Err(EvalError::NotResumable.into()) }
    };
    let job = app.blocking(reopen).await?;
    execute(app, cx, job).await
}

/// The skill at each revision of a plan.
fn revisions(app: &App, cx: &CallContext, plan: &EvalPlan, current: &Skill) -> Result<HashMap<i64, Skill>, Failure> {
    let catalog = app.catalog(cx)?;
    let numbers = plan.variants.iter().filter_map(|variant| variant.revision);
    numbers.map(|number| Ok((number, at_revision(&catalog, &app.folder, current.clone(), Some(number))?))).collect()
}

async fn execute(app: Arc<App>, cx: CallContext, job: EvalJob) -> Result<Report, Failure> {
    let runner = EvalRunner { runs: app.run_service(), evals: &app.evals, responses: &app.responses };
    let ended = runner.execute(&job, &cx.cancel, &cx.progress).await;
    let id = job.run.id;
    app.blocking(move |app| {
        match ended {
            Ok(status) => app.evals.close_eval(id, status, None)?,
            Err(error) => {
                service::fail(app.evals.as_ref(), id, &error)?;
                return Err(error.into());
            }
        }
        Ok(service::report(app.evals.as_ref(), id)?)
    })
    .await
}

fn list(app: &App, cx: &CallContext, params: EvalListParams) -> Result<EvalRuns, Failure> {
    let skill = params.skill.map(|name| app.catalog(cx)?.require(&name, None).map_err(Failure::from)).transpose()?;
    let filter = EvalFilter { workspace: cx.workspace_key(), skill: skill.map(|skill| skill.head.id) };
    let runs = service::list(app.evals.as_ref(), &filter, params.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT))?;
    Ok(EvalRuns { runs })
}

fn get(app: &App, _: &CallContext, params: EvalRunRef) -> Result<Report, Failure> {
    Ok(service::report(app.evals.as_ref(), params.run)?)
}

fn compare(app: &App, _: &CallContext, params: CompareEvalsParams) -> Result<RunComparison, Failure> {
    Ok(service::compare(app.evals.as_ref(), params.baseline, params.candidate)?)
}

fn export(app: &App, _: &CallContext, params: ExportEvalParams) -> Result<ExportedReport, Failure> {
    let report = service::report(app.evals.as_ref(), params.run)?;
    let text = match params.format {
        ReportFormat::Json => serde_json::to_string_pretty(&report).map_err(EvalError::Unserializable)?,
        ReportFormat::Csv => to_csv(&report),
        ReportFormat::Junit => to_junit(&report),
        ReportFormat::Html => to_html(&report),
    };
    Ok(ExportedReport { text })
}

operations! { App;
    ListCases = "eval/cases", Read, blocking cases(SkillRef) -> EvalCases;
    /// Tests which skill each trigger case makes fire, without asking a model.
    TestTriggers = "eval/triggers", Read, blocking triggers(SkillRef) -> TriggerReport;
    /// What a run would send, without sending it.
    EstimateEval = "eval/estimate", Read, async estimate(EvalParams) -> EvalEstimate;
    /// Returns when the run has ended. Cancelling the call ends it; it can be resumed.
    StartEval = "eval/start", Run["eval", "run"], async start(EvalParams) -> Report;
    /// Continues a run that didn't complete. Results and responses that exist aren't paid for again.
    ResumeEval = "eval/resume", Run["eval", "run"], async resume(ResumeEvalParams) -> Report;
    ListEvals = "eval/list", Read, blocking list(EvalListParams) -> EvalRuns;
    GetEval = "eval/get", Read, blocking get(EvalRunRef) -> Report;
    /// Compares the skill's results of two runs of the same cases.
    CompareEvals = "eval/compare", Read, blocking compare(CompareEvalsParams) -> RunComparison;
    ExportEval = "eval/export", Read, blocking export(ExportEvalParams) -> ExportedReport;
}
