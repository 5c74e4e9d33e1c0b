//! Runs eval plans: opens the run, executes its cells, and reads the report.

use std::sync::Arc;

use inklings_core::eval::{EvalFilter, EvalRun, EvalStatus};
use inklings_core::trace::TracedSkill;
use inklings_core::{Digest, EvalRunId, ProposalId, Skill, tree_digest};
use inklings_evals::report::Report;
use inklings_rpc::{CallContext, Failure};
use inklings_runtime::{Budget, Limits};

use crate::app::App;
use crate::features::eval::execution::{EvalJob, EvalRunner};
use crate::features::eval::plan::EvalPlan;
use crate::features::eval::{EvalError, service};
use crate::features::run::service::{at_revision, runnable_skill};

/// The runs that a caller may see.
pub(crate) fn visible_runs(cx: &CallContext) -> EvalFilter {
    EvalFilter { workspace: cx.workspace_key(), skill: None, without_account: cx.role.is_limited_to_workspace() }
}

/// Runs a plan for `current`, perhaps as a part of other work. Returns when it has ended.
pub(crate) async fn evaluate(
    app: &Arc<App>,
    cx: &CallContext,
    id: EvalRunId,
    plan: EvalPlan,
    current: Skill,
    within: Option<Arc<Budget>>,
) -> Result<Report, Failure> {
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
            skills: skills(app, &context, &plan, &current)?,
            environment: app.run_environment(&context, None)?,
            within,
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

/// Goes on with a run that didn't complete, with other limits if there are some.
pub(crate) async fn go_on(app: &Arc<App>, cx: &CallContext, id: EvalRunId, limits: Option<Limits>) -> Result<Report, Failure> {
    let context = cx.clone();
    let reopen = move |app: &App| {
        let run = service::eval_run(app.evals.as_ref(), &visible_runs(&context), id)?;
        let plan: EvalPlan = serde_json::from_value(run.plan.clone()).map_err(EvalError::Unserializable)?;
        let (name, scope) = (run.skill.id.to_string(), Some(run.skill.scope));
        let current = runnable_skill(&app.catalog(&context)?, app.user.as_ref(), &context.workspace_key(), &name, scope)?;
        let mut job = EvalJob {
            skills: skills(app, &context, &plan, &current)?,
            environment: app.run_environment(&context, None)?,
            within: None,
            done: Vec::new(),
            limits: limits.unwrap_or(plan.limits),
            run,
            plan,
            current,
        };
        if !app.evals.reopen_eval(id)? {
            return Err(EvalError::NotResumable.into());
        }
        // Read once no other process adds to them: a cell that one of them finished must not be paid for again.
        match app.evals.eval_results(id).map_err(EvalError::from) {
            Ok(done) => job.done = done,
            Err(error) => {
                service::fail(app.evals.as_ref(), id, &error)?;
                return Err(error.into());
            }
        }
        Ok(job)
    };
    let job = app.blocking(reopen).await?;
    execute(app, cx, job).await
}

/// The files of a skill with the change of a proposal.
pub(crate) fn proposed_files(app: &App, cx: &CallContext, skill: &Skill, proposal: ProposalId) -> Result<Digest, Failure> {
    let (editor, workspace) = (app.editor(cx)?, cx.workspace_key());
    let skill = app.proposal_service(cx, &workspace).applied(&editor, proposal, skill.clone())?;
    Ok(tree_digest(&skill.package.tree()))
}

/// The skill of each variant; None without it.
pub(crate) fn skills(app: &App, cx: &CallContext, plan: &EvalPlan, current: &Skill) -> Result<Vec<Option<Skill>>, Failure> {
    let catalog = app.catalog(cx)?;
    let (editor, workspace) = (app.editor(cx)?, cx.workspace_key());
    let skill = |(position, revision): (usize, Option<i64>)| {
        let Some(number) = revision else { return Ok(None) };
        let mut skill = at_revision(&catalog, &app.folder, current.clone(), Some(number))?;
        if let Some(instructions) = plan.rewritten.get(&position) {
            rewrite(&mut skill, instructions);
        }
        if let Some(proposed) = plan.proposed.as_ref().filter(|proposed| proposed.variants.contains(&position)) {
            skill = app.proposal_service(cx, &workspace).applied(&editor, proposed.proposal, skill)?;
            if tree_digest(&skill.package.tree()) != proposed.files {
                return Err(EvalError::ProposalChanged.into());
            }
        }
        Ok(Some(skill))
    };
    plan.variants.iter().map(|variant| variant.revision).enumerate().map(skill).collect()
}

/// Replaces the instructions of a skill in memory.
fn rewrite(skill: &mut Skill, instructions: &str) {
    let main = skill.package.main_path.clone();
    if let Some(artifact) = skill.package.artifacts.iter_mut().find(|artifact| artifact.path == main) {
        artifact.content = instructions.into();
    }
}

async fn execute(app: &Arc<App>, cx: &CallContext, job: EvalJob) -> Result<Report, Failure> {
    let runner = EvalRunner { runs: app.run_service(), evals: &app.evals, responses: &app.responses };
    let ended = runner.execute(&job, &cx.cancel, &cx.progress).await;
    let id = job.run.id;
    // The caller made the run, also if it is one of the account.
    let visible = EvalFilter { workspace: cx.workspace_key(), ..EvalFilter::default() };
    app.blocking(move |app| {
        match ended {
            Ok((status, error)) => app.evals.close_eval(id, status, error.as_deref())?,
            Err(error) => {
                service::fail(app.evals.as_ref(), id, &error)?;
                return Err(error.into());
            }
        }
        Ok(service::report(app.evals.as_ref(), &visible, id)?)
    })
    .await
}
