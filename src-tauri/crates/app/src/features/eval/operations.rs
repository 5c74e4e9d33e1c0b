use std::sync::Arc;

use inklings_agent::history::Calling;
use inklings_core::eval::EvalFilter;
use inklings_core::proposal::{ProposalFilter, ProposalStatus};
use inklings_core::{EvalRunId, LanguageModel, ModelRef, Models as _, Skill};
use inklings_evals::cases::PastedCase;
use inklings_evals::optimization_loop::OptimizationLoop;
use inklings_evals::report::{Report, RunComparison, to_csv, to_html, to_junit};
use inklings_evals::triggers::TriggerReport;
use inklings_rpc::{CallContext, Failure, operations};

use super::api::{
    CaseChange, CompareEvalsParams, DeleteEvalsParams, DeletedEvals, EditCasesParams, EditedCases, EvalCases, EvalEstimate, EvalListParams,
    EvalParams, EvalRunRef, EvalRuns, ExportEvalParams, ExportedReport, ModelTriggerReport, ModelTriggersParams, ReportFormat,
    ResumeEvalParams, Rewrite, RewriteParams,
};
use super::cached_models::CachedModels;
use super::editing::{self, Change, KeyedEdit};
use super::error::EvalError;
use super::model_choice;
use super::plan::EvalPlan;
use super::service;
use crate::app::App;
use crate::evaluating::{evaluate, go_on, proposed_files, skills, visible_runs};
use crate::features::chat;
use crate::features::run::service::{run_detail, runnable_skill};
use crate::features::trace::service::export_to_file;
use crate::rewriting;
use crate::wire::SkillRef;

const DEFAULT_LIMIT: usize = 20;
const MAX_LIMIT: usize = 100;

fn cases(app: &App, cx: &CallContext, params: SkillRef) -> Result<EvalCases, Failure> {
    let found = service::cases(&app.catalog(cx)?.require(&params.skill, params.scope)?.package);
    Ok(EvalCases { cases: found.cases, diagnostics: found.diagnostics })
}

fn edit_cases(app: &App, cx: &CallContext, params: EditCasesParams) -> Result<EditedCases, Failure> {
    let editor = app.editor(cx)?;
    let skill = editor.catalog.require(&params.skill, params.scope)?;
    let add = |file, case| Change::Add { file, cases: vec![case] };
    let resolve = |change| -> Result<Change, Failure> {
        Ok(match change {
            CaseChange::Add { file, name, tags, case } => add(file, PastedCase { name, tags, kind: case.into() }),
            CaseChange::Paste { file, text } => Change::Add { file, cases: editing::pasted(&text)? },
            CaseChange::AddRun { file, run, name } => {
                add(file, editing::case_of_run(&skill, &run_detail(&app.trace_stores(cx)?, run)?, name)?)
            }
            CaseChange::AddAnswer { file, session, message, name } => {
                let session = chat::service::require(app.chats.as_ref(), &cx.workspace_key(), session)?;
                let messages = app.chats.chat_messages(session.id)?;
                add(file, editing::case_of_answer(&messages, message, name)?)
            }
            CaseChange::Duplicate { key } => Change::Edit { key, edit: KeyedEdit::Duplicate },
            CaseChange::Remove { key } => Change::Edit { key, edit: KeyedEdit::Remove },
            CaseChange::Set { key, field, value } => Change::Edit { key, edit: KeyedEdit::Set { field, value } },
        })
    };
    let changes = params.changes.into_iter().map(resolve).collect::<Result<Vec<_>, _>>()?;
    Ok(editing::edit(&editor, &skill, &changes, params.expected)?)
}

fn optimization_loop(app: &App, cx: &CallContext, params: SkillRef) -> Result<OptimizationLoop, Failure> {
    let skill = app.catalog(cx)?.require(&params.skill, params.scope)?;
    let visible = visible_runs(cx);
    let filter = ProposalFilter {
        workspace: Some(cx.workspace_key()),
        skill: Some(skill.head.id),
        status: Some(ProposalStatus::Open),
        without_account: visible.without_account,
    };
    let proposals = app.proposals.proposals(&filter)?.len();
    Ok(service::optimization_loop(app.evals.as_ref(), visible, &skill, proposals)?)
}

fn triggers(app: &App, cx: &CallContext, params: SkillRef) -> Result<TriggerReport, Failure> {
    let catalog = app.catalog(cx)?;
    let skill = catalog.require(&params.skill, params.scope)?;
    let workspace = cx.workspace.as_deref();
    Ok(service::test_triggers(&app.search, workspace, &catalog, &skill.package, &cx.cancel, &cx.progress)?)
}

async fn model_triggers(app: Arc<App>, cx: CallContext, params: ModelTriggersParams) -> Result<ModelTriggerReport, Failure> {
    let cached = CachedModels {
        models: app.models.clone(),
        responses: app.responses.clone(),
        redactor: app.redactor.clone(),
        sample: "trigger".to_owned(),
        used: Arc::default(),
    };
    let model = cached.model(params.model.as_ref()).await.map_err(EvalError::Model)?;
    let calling = if app.active_chats.lacks_tools(model.id()) { Calling::Text } else { Calling::Tools };
    let context = cx.clone();
    let prepare = move |app: &App| {
        let catalog = app.catalog(&context)?;
        let skill = catalog.require(&params.skill, params.scope)?;
        Ok((service::trigger_cases(&skill.package)?, model_choice::index(&catalog)?, skill.package.slug))
    };
    let (cases, index, slug) = app.blocking(prepare).await?;
    let id = model.id().clone();
    let (report, found) = model_choice::test_triggers(model, calling, slug.as_str(), &cases, &index, &cx.cancel, &cx.progress).await?;
    if found == Calling::Text && calling == Calling::Tools {
        app.active_chats.note_lacking_tools(&id);
    }
    Ok(report)
}

async fn model(app: &App, wanted: Option<&ModelRef>) -> Result<Arc<dyn LanguageModel>, Failure> {
    Ok(app.models.model(wanted).await.map_err(EvalError::Model)?)
}

async fn models(app: &App, plan: &EvalPlan) -> Result<Vec<Arc<dyn LanguageModel>>, Failure> {
    let mut models = Vec::new();
    for name in service::models_of(plan) {
        models.push(model(app, Some(&name)).await?);
    }
    Ok(models)
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
        let proposed = params.proposal.map(|id| proposed_files(app, &cx, &skill, id)).transpose()?;
        Ok((EvalPlan::new(&params, &skill.package.name, skill.head.revision, proposed, cases, judge)?, skill))
    };
    let (plan, skill) = app.blocking(prepare).await?;
    let models = models(app, &plan).await?;
    service::check_limits(plan.limits, &models)?;
    Ok((plan, skill, models))
}

async fn estimate(app: Arc<App>, cx: CallContext, params: EvalParams) -> Result<EvalEstimate, Failure> {
    let (plan, skill, models) = plan(&app, &cx, params).await?;
    app.blocking(move |app| {
        let skills = skills(app, &cx, &plan, &skill)?;
        Ok(service::estimate(&app.runner, app.responses.as_ref(), &plan, &models, &skill, &skills)?)
    })
    .await
}

async fn start(app: Arc<App>, cx: CallContext, params: EvalParams) -> Result<Report, Failure> {
    let id = params.run.unwrap_or_else(|| EvalRunId::new(app.ids.uuid()));
    let (plan, current, _) = plan(&app, &cx, params).await?;
    evaluate(&app, &cx, id, plan, current, None).await
}

async fn resume(app: Arc<App>, cx: CallContext, params: ResumeEvalParams) -> Result<Report, Failure> {
    if let Some(limits) = params.limits {
        let visible = visible_runs(&cx);
        let plan = app.blocking(move |app| {
            let run = service::eval_run(app.evals.as_ref(), &visible, params.run)?;
            Ok(serde_json::from_value::<EvalPlan>(run.plan).map_err(EvalError::Unserializable)?)
        });
        service::check_limits(limits, &models(&app, &plan.await?).await?)?;
    }
    go_on(&app, &cx, params.run, params.limits).await
}

async fn rewrite(app: Arc<App>, cx: CallContext, params: RewriteParams) -> Result<Rewrite, Failure> {
    rewriting::rewrite(&app, &cx, params).await
}

fn list(app: &App, cx: &CallContext, params: EvalListParams) -> Result<EvalRuns, Failure> {
    let skill = params.skill.map(|name| app.catalog(cx)?.require(&name, None).map_err(Failure::from)).transpose()?;
    let filter = EvalFilter { skill: skill.map(|skill| skill.head.id), ..visible_runs(cx) };
    let runs = service::list(app.evals.as_ref(), &filter, params.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT))?;
    Ok(EvalRuns { runs })
}

fn get(app: &App, cx: &CallContext, params: EvalRunRef) -> Result<Report, Failure> {
    Ok(service::report(app.evals.as_ref(), &visible_runs(cx), params.run)?)
}

fn compare(app: &App, cx: &CallContext, params: CompareEvalsParams) -> Result<RunComparison, Failure> {
    Ok(service::compare(app.evals.as_ref(), &visible_runs(cx), params.baseline, params.candidate)?)
}

fn delete(app: &App, cx: &CallContext, params: DeleteEvalsParams) -> Result<DeletedEvals, Failure> {
    let visible = visible_runs(cx);
    for run in &params.runs {
        service::eval_run(app.evals.as_ref(), &visible, *run)?;
    }
    Ok(DeletedEvals { deleted: app.evals.delete_evals(&params.runs)? })
}

fn export(app: &App, cx: &CallContext, params: ExportEvalParams) -> Result<ExportedReport, Failure> {
    let report = service::report(app.evals.as_ref(), &visible_runs(cx), params.run)?;
    let text = match params.format {
        ReportFormat::Json => serde_json::to_string_pretty(&report).map_err(EvalError::Unserializable)?,
        ReportFormat::Csv => to_csv(&report),
        ReportFormat::Junit => to_junit(&report),
        ReportFormat::Html => to_html(&report),
    };
    let Some(out) = params.out else { return Ok(ExportedReport { out: None, text: Some(text) }) };
    export_to_file(&out, &text, params.replace)?;
    Ok(ExportedReport { out: Some(out), text: None })
}

operations! { App;
    ListCases = "eval/cases", Read, blocking cases(SkillRef) -> EvalCases;
    /// Adds and changes cases in the files of `evals/`, as one revision.
    EditCases = "eval/edit_cases", Write["skill"], blocking edit_cases(EditCasesParams) -> EditedCases;
    /// The stages of improving a skill, by what its manifest declares and what was run.
    GetLoop = "eval/loop", Read, blocking optimization_loop(SkillRef) -> OptimizationLoop;
    /// Tests which skill each trigger case makes fire, without asking a model.
    TestTriggers = "eval/triggers", Read, blocking triggers(SkillRef) -> TriggerReport;
    /// Tests which skill a model chooses for each trigger case. Asks the model once for each.
    TestModelTriggers = "eval/model_triggers", Run["run"], async model_triggers(ModelTriggersParams) -> ModelTriggerReport;
    /// What a run would send, without sending it.
    EstimateEval = "eval/estimate", Read, async estimate(EvalParams) -> EvalEstimate;
    /// Returns when the run has ended. Cancelling the call ends it; it can be resumed.
    StartEval = "eval/start", Run["eval", "run"], async start(EvalParams) -> Report;
    /// Continues a run that didn't complete. Results and responses that exist aren't paid for again.
    ResumeEval = "eval/resume", Run["eval", "run"], async resume(ResumeEvalParams) -> Report;
    /// Asks a model for small edits of the instructions, and keeps those with which more training cases pass. What is left of them becomes a
    /// proposal; it is accepted without a person only if the manifest says so and the validation cases reach its score.
    RewriteSkill = "eval/rewrite", Run["eval", "run", "proposal", "skill"], async rewrite(RewriteParams) -> Rewrite;
    ListEvals = "eval/list", Read, blocking list(EvalListParams) -> EvalRuns;
    GetEval = "eval/get", Read, blocking get(EvalRunRef) -> Report;
    /// Compares the skill's results of two runs of the same cases.
    CompareEvals = "eval/compare", Read, blocking compare(CompareEvalsParams) -> RunComparison;
    /// Deletes runs with their results, except active runs.
    DeleteEvals = "eval/delete", Write["eval"], blocking delete(DeleteEvalsParams) -> DeletedEvals;
    ExportEval = "eval/export", Local["file"], blocking export(ExportEvalParams) -> ExportedReport;
}
