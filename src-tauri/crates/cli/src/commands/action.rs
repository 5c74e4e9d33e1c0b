//! `inklings action`

use std::fmt::Write as _;

use inklings_app::features::action::{
    ActionEntry, ActionList, ActionOutcome, ActionRef, DeleteAction, ListActions, RunAction, RunActionParams, SaveAction, SaveActionParams,
};
use inklings_app::features::skill::Get;
use inklings_app::wire::SkillRef;
use inklings_core::manifest::ActionMode;
use inklings_core::{Action, RunId};
use inklings_rpc::{Code, Failure, NoParams};

use crate::args::{ActionCommand, RunActionArgs, SaveActionArgs, ValueArgs};
use crate::commands::approval::with_approval;
use crate::commands::eval;
use crate::commands::run::{Live, Printed, end_run, follow};
use crate::commands::session::Session;
use crate::commands::values::values;
use crate::error::CliError;
use crate::out::{Out, table};
use crate::progress::CallProgress;

pub(crate) async fn run(session: &Session, command: ActionCommand, out: &Out) -> Result<(), CliError> {
    match command {
        ActionCommand::List => out.result(&session.call::<ListActions>(NoParams {}).await?, list),
        ActionCommand::Save(args) => save(session, args, out).await,
        ActionCommand::Delete { name } => {
            out.result(&session.call::<DeleteAction>(ActionRef { slug: name.clone() }).await?, |_| format!("deleted action {name}"))
        }
        ActionCommand::Run(args) => start(session, args, out).await,
    }
}

async fn find(session: &Session, name: &str) -> Result<Option<ActionEntry>, Failure> {
    let actions = session.call::<ListActions>(NoParams {}).await?.actions;
    Ok(actions.into_iter().find(|entry| entry.action.slug.as_str() == name))
}

async fn save(session: &Session, args: SaveActionArgs, out: &Out) -> Result<(), CliError> {
    let before = find(session, &args.name).await?.map(|entry| entry.action);
    let mut params = SaveActionParams {
        slug: args.name,
        skill: args.skill,
        scope: args.scope.map(Into::into),
        artifact: args.artifact,
        params: before.as_ref().map(|before| before.params.clone()).unwrap_or_default(),
        model: args.model.or_else(|| before.as_ref()?.model.clone()),
        mode: args.mode.or_else(|| Some(before.as_ref()?.mode)),
        enabled: args.enabled.or_else(|| Some(before.as_ref()?.enabled)),
    };
    if let Some(Action { skill, scope, artifact, .. }) = before.filter(|_| params.skill.is_none()) {
        (params.skill, params.scope, params.artifact) = (skill.map(|skill| skill.to_string()), scope, artifact);
    }
    if args.values.are_given() {
        let skill = params.skill.clone().map(|skill| SkillRef { skill, scope: params.scope });
        params.params = values_of(session, &args.values, skill, params.artifact.as_deref()).await?;
    }
    let saved = session.call::<SaveAction>(params).await?;
    out.result(&saved, |saved| format!("saved action {}{}", saved.action.slug, warnings(saved)))
}

/// A skill that isn't there declares no types.
async fn values_of(
    session: &Session,
    given: &ValueArgs,
    skill: Option<SkillRef>,
    artifact: Option<&str>,
) -> Result<serde_json::Map<String, serde_json::Value>, CliError> {
    let skill = match skill {
        Some(skill) => match session.call::<Get>(skill.clone()).await {
            Ok(_) => Some(skill),
            Err(failure) if failure.code == Code::NotFound => None,
            Err(failure) => return Err(failure.into()),
        },
        None => None,
    };
    values(session, given, skill, artifact).await
}

async fn start(session: &Session, args: RunActionArgs, out: &Out) -> Result<(), CliError> {
    let RunActionArgs { name, values: given, stream, approve, limits, timeout } = args;
    let found = find(session, &name).await?;
    let (skill, artifact) = found.as_ref().map_or((None, None), |ActionEntry { action, .. }| {
        let skill = action.skill.as_ref().map(|skill| SkillRef { skill: skill.to_string(), scope: action.scope });
        (skill, action.artifact.as_deref())
    });
    let run = RunId::new(uuid::Uuid::now_v7());
    let params = RunActionParams {
        slug: name,
        run: Some(run),
        params: values_of(session, &given, skill, artifact).await?,
        limits: limits.limits(timeout),
        approve: Vec::new(),
    };
    if found.is_some_and(|found| found.built_in) {
        let progress = CallProgress::begin("running cases", out);
        let outcome = Box::pin(session.call_with_progress::<RunAction>(params, &progress)).await?;
        progress.end();
        return match outcome {
            ActionOutcome::Rewrite(rewrite) => eval::print_rewrite(&rewrite, out),
            ActionOutcome::Run(outcome) => end_run(session, run, outcome, &Printed::default(), out).await,
        };
    }
    let live = if stream && !out.is_json() { Live::Answers } else { Live::Log };
    let call = async |approve| {
        let params = RunActionParams { approve, ..params.clone() };
        match follow::<RunAction>(session, params, run, live, out).await? {
            (ActionOutcome::Run(outcome), printed) => end_run(session, run, outcome, &printed, out).await,
            (ActionOutcome::Rewrite(rewrite), _) => eval::print_rewrite(&rewrite, out),
        }
    };
    with_approval(approve.gates, out, call).await
}

fn list(found: &ActionList) -> String {
    let row = |entry: &ActionEntry| {
        let ActionEntry { action, built_in, .. } = entry;
        let skill = action.skill.as_ref().map(ToString::to_string).unwrap_or_default();
        let target = action.artifact.as_ref().map_or_else(|| skill.clone(), |artifact| format!("{skill}, {artifact}"));
        vec![action.slug.to_string(), if *built_in { "built in".to_owned() } else { target }, state(action)]
    };
    let mut text = table(&found.actions.iter().map(row).collect::<Vec<_>>());
    for entry in &found.actions {
        text.push_str(&warnings(entry).replace("warning:", &format!("warning: {}:", entry.action.slug)));
    }
    text
}

/// `enabled`; `disabled, mode trigger: not scheduled here`
fn state(action: &Action) -> String {
    let enabled = if action.enabled { "enabled" } else { "disabled" };
    match action.mode {
        ActionMode::Manual => enabled.to_owned(),
        mode => format!("{enabled}, mode {}: not scheduled here", mode.as_str()),
    }
}

/// A line for each.
fn warnings(entry: &ActionEntry) -> String {
    let mut text = String::new();
    for warning in &entry.warnings {
        // Writing to a String can't fail.
        let _ = write!(text, "\nwarning: {warning}");
    }
    text
}
