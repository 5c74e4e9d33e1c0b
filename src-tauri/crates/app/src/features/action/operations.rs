use std::sync::Arc;

use inklings_rpc::{CallContext, Done, Failure, NoParams, operations};

use super::api::{ActionEntry, ActionList, ActionOutcome, ActionRef, RunActionParams, SaveActionParams};
use super::service::{self, ActionService, rewrite_params, runnable};
use crate::app::App;
use crate::features::run::gates::ApprovedGates;
use crate::features::run::service::NewRun;
use crate::rewriting::rewrite;

fn actions<'a>(app: &'a App, cx: &CallContext) -> Result<ActionService<'a>, Failure> {
    Ok(ActionService { actions: app.actions.as_ref(), catalog: app.catalog(cx)?, runner: &app.runner })
}

fn list(app: &App, cx: &CallContext, _: NoParams) -> Result<ActionList, Failure> {
    Ok(actions(app, cx)?.list()?)
}

fn save(app: &App, cx: &CallContext, params: SaveActionParams) -> Result<ActionEntry, Failure> {
    Ok(actions(app, cx)?.save(params)?)
}

fn delete(app: &App, _: &CallContext, params: ActionRef) -> Result<Done, Failure> {
    service::delete(app.actions.as_ref(), &params.slug)?;
    Ok(Done {})
}

async fn run(app: Arc<App>, cx: CallContext, params: RunActionParams) -> Result<ActionOutcome, Failure> {
    let RunActionParams { slug, run, params, limits, approve } = params;
    let action = app.blocking(move |app| Ok(runnable(app.actions.as_ref(), &slug, params)?)).await?;
    let Some(skill) = action.skill else {
        return Ok(ActionOutcome::Rewrite(rewrite(&app, &cx, rewrite_params(action, limits)?).await?));
    };
    let new = NewRun {
        run,
        revision: None,
        artifact: action.artifact,
        script: None,
        params: action.params,
        model: action.model,
        limits,
        replay_of: None,
        approved: ApprovedGates::Keys(approve),
        session: None,
    };
    Ok(ActionOutcome::Run(app.run_skill(cx, skill.to_string(), action.scope, new).await?.into()))
}

operations! { App;
    /// The saved actions and the built-in one.
    ListActions = "action/list", Read, blocking list(NoParams) -> ActionList;
    /// Creates an action, or replaces the one of this slug. A skill that isn't there is a warning, since another workspace may have it.
    SaveAction = "action/save", Write["action"], blocking save(SaveActionParams) -> ActionEntry;
    DeleteAction = "action/delete", Write["action"], blocking delete(ActionRef) -> Done;
    /// Runs an enabled action, whatever its mode. Returns when it has ended: like `run/start`, or like `eval/rewrite` for the built-in
    /// action, to which neither a run's ID nor gates apply.
    RunAction = "action/run", Run["run", "eval", "proposal", "skill"], async run(RunActionParams) -> ActionOutcome;
}
