//! `inklings optimize` and `inklings dspy`.

use std::fmt::Write as _;

use inklings_app::Limits;
use inklings_app::features::optimize::{
    ExampleSource, ExampleSummary, Examples, ExamplesParams, ListOutdated, OptimizeOutcome, OptimizeParams, OutdatedList, ReoptimizeParams,
    Repeat, Start,
};
use inklings_app::features::program::{Manifest, Retry};
use inklings_core::RunId;
use inklings_core::program::{ProgramManifest, ProgramStatus};
use inklings_rpc::NoParams;

use crate::args::{DspyCommand, OptimizeArgs};
use crate::commands::proposal::format_optimization;
use crate::commands::run::{Live, follow, step_line};
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, args: OptimizeArgs, out: &Out) -> Result<(), CliError> {
    if args.outdated {
        return out.result(&session.call::<ListOutdated>(NoParams {}).await?, format_outdated);
    }
    if args.examples {
        let source = args.data.map_or(ExampleSource::Traces, |path| ExampleSource::File { path });
        let (skill, artifact) = (args.skill.unwrap_or_default(), args.artifact.unwrap_or_default());
        let found = session.call::<Examples>(ExamplesParams { skill, scope: args.scope.map(Into::into), artifact, source }).await?;
        out.diagnostics(&found.diagnostics);
        return out.result(&found, examples);
    }
    let run = RunId::new(uuid::Uuid::now_v7());
    let limits = Limits { tokens: args.max_tokens, cost: args.max_cost, seconds: args.timeout };
    let scope = args.scope.map(Into::into);
    let (skill, artifact) = (args.skill.unwrap_or_default(), args.artifact.unwrap_or_default());
    let (outcome, _) = if args.again {
        let params = ReoptimizeParams { run: Some(run), skill, scope, artifact, model: args.model, limits };
        follow::<Repeat>(session, params, run, Live::Log, out).await?
    } else {
        let params = OptimizeParams {
            run: Some(run),
            skill,
            scope,
            artifact,
            optimizer: args.optimizer,
            options: args.options.into_iter().collect(),
            metric: args.metric,
            source: args.data.map_or(ExampleSource::Traces, |path| ExampleSource::File { path }),
            valset_fraction: args.valset_fraction,
            seed: args.seed,
            calls: args.max_calls,
            model: args.model,
            limits,
        };
        follow::<Start>(session, params, run, Live::Log, out).await?
    };
    finish(outcome, out)
}

fn examples(found: &ExampleSummary) -> String {
    let mut text = format!("{} examples, {} with known outputs", found.count, found.with_outputs);
    for one in &found.first {
        let _ = write!(text, "\n{} -> {}", serde_json::Value::Object(one.inputs.clone()), serde_json::Value::Object(one.outputs.clone()));
    }
    if found.count > found.first.len() {
        let _ = write!(text, "\nand {} more", found.count - found.first.len());
    }
    text
}

fn finish(outcome: OptimizeOutcome, out: &Out) -> Result<(), CliError> {
    out.diagnostics(&outcome.diagnostics);
    if !out.is_json() {
        outcome.run.traces.iter().for_each(|trace| out.note(&step_line(trace)));
    }
    if let (Some(error), false) = (&outcome.run.error, out.is_json()) {
        return Err(error.clone().into());
    }
    let failed = outcome.run.error.is_some();
    out.result(&outcome, |outcome| match &outcome.proposal {
        Some(proposal) => format!("{}\n\nTo accept it, run: inklings proposal accept {}", format_optimization(proposal), proposal.id),
        None => "no improvement found; no proposal created".to_owned(),
    })?;
    if failed { Err(CliError::Findings) } else { Ok(()) }
}

fn format_outdated(list: &OutdatedList) -> String {
    if list.artifacts.is_empty() {
        return format!("all modules are compiled with DSPy {}", list.dspy);
    }
    let row = |one: &inklings_app::features::optimize::OutdatedArtifact| {
        let version = one.dspy.clone().unwrap_or_else(|| "unknown".to_owned());
        let how = if one.again { "run optimize --again" } else { "run optimize" };
        vec![one.skill.to_string(), one.path.to_string(), format!("DSPy {version} (current: {})", list.dspy), how.to_owned()]
    };
    table(&list.artifacts.iter().map(row).collect::<Vec<_>>())
}

pub(crate) async fn dspy(session: &Session, command: DspyCommand, out: &Out) -> Result<(), CliError> {
    match command {
        DspyCommand::Status => out.result(&session.call::<Retry>(NoParams {}).await?, status),
        DspyCommand::List => out.result(&session.call::<Manifest>(NoParams {}).await?, manifest),
    }
}

fn status(status: &ProgramStatus) -> String {
    let mut text = match (&status.reason, &status.dspy) {
        (Some(why), _) => format!("DSPy process unavailable: {why}"),
        (None, Some(dspy)) => format!("DSPy process running, DSPy {dspy}"),
        (None, None) => "DSPy process not running".to_owned(),
    };
    for line in &status.log {
        let _ = write!(text, "\n  {line}");
    }
    text
}

fn manifest(manifest: &ProgramManifest) -> String {
    let mut text = format!("DSPy {}\n\nModule types\n", manifest.dspy);
    let templates = manifest.templates.iter().map(|one| vec![one.id.clone(), one.title.clone(), one.optimizers.join(" ")]);
    text.push_str(&table(&templates.collect::<Vec<_>>()));
    text.push_str("\n\nOptimizers\n");
    let optimizers = manifest.optimizers.iter().map(|one| vec![one.id.clone(), one.title.clone(), one.description.clone()]);
    text.push_str(&table(&optimizers.collect::<Vec<_>>()));
    text
}
