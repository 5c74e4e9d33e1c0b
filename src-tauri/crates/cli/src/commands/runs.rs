//! `inklings runs`

use std::fmt::Write as _;

use inklings_app::features::run::{
    DecideGate, DecideGateParams, DeleteRuns, GetRun, ListRuns, Replay, ReplayParams, RunDeleteParams, RunDetail, RunGate, RunList,
    RunListParams, RunRef,
};
use inklings_app::features::trace::{
    ExportTraces, GetTrace, ListTraces, StatsParams, TraceExportParams, TraceFormat, TraceList, TraceListParams, TraceRef, TraceStats,
};
use inklings_core::RunId;
use inklings_core::trace::{RunSummary, StatsBy, StatsRow, Trace, TraceFilter};
use inklings_rpc::{Code, Failure};

use crate::args::{
    DecideGateArgs, ReplayArgs, RunExportArgs, RunFilterArgs, RunListArgs, RunStatsArgs, RunsCommand, StatsArg, StepFormatArg,
};
use crate::commands::approval::with_approval;
use crate::commands::run::{limits, run_to_end};
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};

pub(crate) async fn run(session: &Session, command: RunsCommand, out: &Out) -> Result<(), CliError> {
    match command {
        RunsCommand::Steps(RunListArgs { filter, limit }) => {
            let account = filter.account;
            let params = TraceListParams { filter: conditions(filter), account, before: None, limit: Some(limit) };
            out.result(&session.call::<ListTraces>(params).await?, list)
        }
        RunsCommand::List(RunListArgs { filter, limit }) => {
            let account = filter.account;
            let params = RunListParams { filter: conditions(filter), account, before: None, limit: Some(limit) };
            out.result(&session.call::<ListRuns>(params).await?, runs)
        }
        RunsCommand::Show { run } => out.result(&session.call::<GetRun>(RunRef { run }).await?, run_detail),
        RunsCommand::Step { trace } => out.result(&session.call::<GetTrace>(TraceRef { trace }).await?, show),
        RunsCommand::Stats(RunStatsArgs { by, filter }) => {
            let by = match by {
                StatsArg::Day => StatsBy::Day,
                StatsArg::Artifact => StatsBy::Artifact,
                StatsArg::Model => StatsBy::Model,
                StatsArg::Skill => StatsBy::Skill,
            };
            let account = filter.account;
            let stats = session.call::<TraceStats>(StatsParams { by, filter: conditions(filter), account }).await?;
            out.result(&stats, |stats| numbers(&stats.rows))
        }
        RunsCommand::Export(RunExportArgs { format, out: file, replace, filter }) => {
            let format = match format {
                StepFormatArg::Jsonl => TraceFormat::Jsonl,
                StepFormatArg::Dspy => TraceFormat::Dspy,
            };
            let file = file.map(std::path::absolute).transpose().map_err(anyhow::Error::from)?;
            let account = filter.account;
            let params = TraceExportParams { format, filter: conditions(filter), account, out: file, replace };
            let export = session.call::<ExportTraces>(params).await?;
            match &export.out {
                None => out.content(&export, |export| export.text.clone().unwrap_or_default()),
                Some(file) => out.result(&export, |export| format!("exported {} lines to {}", export.lines, file.display())),
            }
        }
        RunsCommand::Replay(ReplayArgs { trace, model, stream, approve, limits: given }) => {
            let run = RunId::new(uuid::Uuid::now_v7());
            let call = async |approve| {
                let params = ReplayParams { trace, run: Some(run), model: model.clone(), limits: limits(&given), approve };
                run_to_end::<Replay>(session, params, run, stream, out).await
            };
            with_approval(approve.gates, out, call).await
        }
        RunsCommand::Approve(args) => decide(session, args, true, out).await,
        RunsCommand::Reject(args) => decide(session, args, false, out).await,
        RunsCommand::Delete { runs } => {
            let removed = session.call::<DeleteRuns>(RunDeleteParams { runs }).await?;
            out.result(&removed, |removed| format!("deleted {} steps", removed.traces))
        }
    }
}

async fn decide(
    session: &Session,
    DecideGateArgs { run, gate, reason }: DecideGateArgs,
    approved: bool,
    out: &Out,
) -> Result<(), CliError> {
    let mut detail = session.call::<GetRun>(RunRef { run }).await?;
    let open = detail.gates.iter().filter(|gate| gate.decision.is_none()).map(|gate| gate.key.clone());
    let keys = gate.map_or_else(|| open.collect(), |key| vec![key]);
    if keys.is_empty() {
        let failure = Failure::new(Code::NotFound, "the run waits at no gate");
        return Err(failure.hint(format!("see its gates with: inklings runs show {run}")).into());
    }
    for gate in keys {
        detail = session.call::<DecideGate>(DecideGateParams { run, gate, approved, reason: reason.clone() }).await?;
    }
    out.result(&detail, |detail| gates(&detail.gates))
}

fn gates(gates: &[RunGate]) -> String {
    let row = |gate: &RunGate| {
        let (state, by) = match &gate.decision {
            None => ("waiting", String::new()),
            Some(one) => (if one.approved { "approved" } else { "rejected" }, format!("{}  {}", one.actor, one.decided_at)),
        };
        vec![gate.key.clone(), state.to_owned(), gate.label.clone(), by]
    };
    table(&gates.iter().map(row).collect::<Vec<_>>())
}

fn conditions(args: RunFilterArgs) -> TraceFilter {
    TraceFilter {
        skill: args.skill,
        kind: args.kind,
        status: args.status,
        model: args.model,
        run: args.run,
        since: args.since,
        text: args.text,
        failed_assertions: args.failed_assertions,
        ..TraceFilter::default()
    }
}

fn list(list: &TraceList) -> String {
    if list.traces.is_empty() {
        return "no steps".to_owned();
    }
    let mut rows: Vec<_> = list.traces.iter().map(row).collect();
    if list.next.is_some() {
        rows.push(vec!["… more; use --limit".to_owned()]);
    }
    table(&rows)
}

fn runs(list: &RunList) -> String {
    if list.runs.is_empty() {
        return "no runs".to_owned();
    }
    let mut rows: Vec<_> = list.runs.iter().map(run_row).collect();
    if list.next.is_some() {
        rows.push(vec!["… more; use --limit".to_owned()]);
    }
    table(&rows)
}

fn run_row(run: &RunSummary) -> Vec<String> {
    let number = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
    vec![
        run.run_id.to_string(),
        run.started_at.to_string(),
        run.status.as_str().to_owned(),
        run.skill.slug.to_string(),
        run.duration_ms.map_or_else(|| "-".to_owned(), |took| format!("{took} ms")),
        format!("{}+{}", number(run.usage.input_tokens), number(run.usage.output_tokens)),
        if run.assertions_run == 0 { String::new() } else { format!("{}/{}", run.assertions_passed, run.assertions_run) },
    ]
}

fn run_detail(run: &RunDetail) -> String {
    let mut text = table(&[run_row(&run.summary)]);
    let _ = write!(text, "\n\nSteps\n{}", table(&run.executions.iter().map(row).collect::<Vec<_>>()));
    if !run.called.is_empty() {
        let _ = write!(text, "\n\nNested runs\n{}", table(&run.called.iter().map(run_row).collect::<Vec<_>>()));
    }
    if !run.gates.is_empty() {
        let _ = write!(text, "\n\nGates\n{}", gates(&run.gates));
    }
    text
}

fn row(trace: &Trace) -> Vec<String> {
    let number = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
    vec![
        trace.id.to_string(),
        trace.started_at.to_string(),
        trace.status.as_str().to_owned(),
        format!("{}/{}", trace.skill.slug, trace.artifact_path),
        trace.duration_ms.map_or_else(|| "-".to_owned(), |took| format!("{took} ms")),
        format!("{}+{}", number(trace.usage.input_tokens), number(trace.usage.output_tokens)),
        if trace.verdicts.is_empty() { String::new() } else { format!("{}/{}", trace.assertions_passed, trace.assertions_run) },
    ]
}

fn show(trace: &Trace) -> String {
    let mut facts = vec![
        ("step", trace.id.to_string()),
        ("run", trace.run_id.to_string()),
        ("skill", format!("{} ({}, revision {})", trace.skill.slug, trace.skill.scope, trace.skill.revision)),
        ("artifact", format!("{} ({})", trace.artifact_name, trace.artifact_path)),
        ("status", trace.status.as_str().to_owned()),
        ("started", trace.started_at.to_string()),
    ];
    facts.extend(trace.duration_ms.map(|took| ("duration", format!("{took} ms"))));
    facts.extend(trace.model_requested.clone().map(|model| ("requested model", model)));
    facts.extend(trace.model_id.clone().map(|model| ("model", model)));
    facts.extend(trace.usage.input_tokens.map(|tokens| ("input tokens", tokens.to_string())));
    facts.extend(trace.usage.output_tokens.map(|tokens| ("output tokens", tokens.to_string())));
    facts.extend(trace.usage.cost.map(|cost| ("estimated cost", format!("${cost:.6}"))));
    facts.extend(trace.error.clone().map(|error| ("error", error)));
    let line = trace.detail.as_ref().and_then(|detail| detail.line);
    facts.extend(trace.detail.as_ref().map(|detail| ("outcome", detail.outcome.as_str().to_owned())));
    facts.extend(line.map(|line| ("line", line.to_string())));
    facts.extend(trace.fallback_of.map(|id| ("fallback of", id.to_string())));
    facts.extend(trace.replay_of.map(|id| ("replay of", id.to_string())));
    facts.extend(trace.parent_run_id.map(|id| ("parent run", id.to_string())));
    facts.extend(trace.truncated.then(|| ("stored", "truncated".to_owned())));
    facts.extend(trace.cut_off.then(|| ("answer", "cut off at the token limit, or by the provider".to_owned())));
    let rows: Vec<_> = facts.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    let mut text = table(&rows);
    for verdict in &trace.verdicts {
        let outcome = verdict.outcome.as_str().replace('_', " ");
        // Writing to a String can't fail.
        let _ = write!(text, "\n{outcome}: {}: {}", verdict.description, verdict.explanation);
    }
    let params = trace.params.as_ref().filter(|params| !params.is_empty()).and_then(|params| serde_json::to_string_pretty(params).ok());
    let traceback = trace.detail.as_ref().and_then(|detail| detail.traceback.clone());
    let parts = [
        ("values", &params),
        ("input", &trace.rendered_input),
        ("log", &trace.log),
        ("traceback", &traceback),
        ("output", &trace.raw_output),
    ];
    for (title, part) in parts {
        if let Some(part) = part {
            let _ = write!(text, "\n\n=== {title} ===\n{part}");
        }
    }
    text
}

fn numbers(rows: &[StatsRow]) -> String {
    if rows.is_empty() {
        return "no steps".to_owned();
    }
    let title = ["", "runs", "steps", "failed", "input tokens", "output tokens", "cost"].map(str::to_owned).to_vec();
    let number = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
    let rows = rows.iter().map(|row| {
        vec![
            if row.key.is_empty() { "(no model)".to_owned() } else { row.key.clone() },
            row.runs.to_string(),
            row.traces.to_string(),
            row.errors.to_string(),
            number(row.usage.input_tokens),
            number(row.usage.output_tokens),
            match (row.usage.cost, row.unpriced) {
                (Some(cost), 0) => format!("${cost:.4}"),
                (Some(cost), _) => format!("at least ${cost:.4}"),
                (None, 0) => "-".to_owned(),
                (None, _) => "unknown".to_owned(),
            },
        ]
    });
    table(&std::iter::once(title).chain(rows).collect::<Vec<_>>())
}
