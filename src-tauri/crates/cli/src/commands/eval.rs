//! `inklings eval`

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use inklings_app::features::eval::{
    Case, CaseKind, CompareEvals, CompareEvalsParams, Comparison, EstimateEval, EvalCases, EvalEstimate, EvalListParams, EvalParams,
    EvalRunRef, EvalRuns, ExportEval, ExportEvalParams, GetEval, ListCases, ListEvals, PassRate, Report, ReportFormat, ResumeEval,
    ResumeEvalParams, RunComparison, Split, StartEval, TestTriggers, TriggerReport, TriggerResult, VariantReport, Verdict,
};
use inklings_core::EvalRunId;
use inklings_core::eval::EvalStatus;

use crate::args::{EvalCommand, EvalRunArgs, ReportFormatArg, SplitArg};
use crate::commands::common::skill_ref;
use crate::commands::run::limits;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};
use crate::progress::CallProgress;

pub(crate) async fn run(session: &Session, command: EvalCommand, out: &Out) -> Result<(), CliError> {
    match command {
        EvalCommand::Run(args) => run_cases(session, args, out).await,
        EvalCommand::Cases(skill) => {
            let found = session.call::<ListCases>(skill_ref(skill)).await?;
            out.diagnostics(&found.diagnostics);
            out.result(&found, cases)
        }
        EvalCommand::Triggers(skill) => {
            let progress = CallProgress::begin("indexing", out);
            let report = session.call_with_progress::<TestTriggers>(skill_ref(skill), &progress).await?;
            progress.end();
            out.result(&report, triggers)?;
            if report.results.iter().all(|one| one.passed) { Ok(()) } else { Err(CliError::Findings) }
        }
        EvalCommand::List { skill, limit } => {
            out.result(&session.call::<ListEvals>(EvalListParams { skill, limit: Some(limit) }).await?, runs)
        }
        EvalCommand::Show { run } => out.result(&session.call::<GetEval>(EvalRunRef { run }).await?, report),
        EvalCommand::Compare { baseline, candidate } => {
            let found = session.call::<CompareEvals>(CompareEvalsParams { baseline, candidate }).await?;
            out.result(&found, comparison)?;
            let is_worse = found.comparison.is_some_and(|one| one.verdict == Verdict::Worse);
            if is_worse { Err(CliError::Findings) } else { Ok(()) }
        }
        EvalCommand::Export { run, format, out: file } => {
            let format = match format {
                ReportFormatArg::Json => ReportFormat::Json,
                ReportFormatArg::Csv => ReportFormat::Csv,
                ReportFormatArg::Junit => ReportFormat::Junit,
                ReportFormatArg::Html => ReportFormat::Html,
            };
            match file {
                Some(file) => write_report(session, run, format, &file).await,
                None => out.exact(session.call::<ExportEval>(ExportEvalParams { run, format }).await?.text.as_bytes()).map(drop),
            }
        }
    }
}

async fn run_cases(session: &Session, args: EvalRunArgs, out: &Out) -> Result<(), CliError> {
    let limits = limits(&args.limits);
    let params = EvalParams {
        run: None,
        skill: args.skill.unwrap_or_default(),
        scope: args.scope.map(Into::into),
        cases: args.cases,
        tags: args.tags,
        split: args.split.map(|split| match split {
            SplitArg::Train => Split::Train,
            SplitArg::Validation => Split::Validation,
        }),
        models: args.models,
        revisions: args.revisions,
        without_baseline: args.without_baseline,
        repeat: args.repeat,
        concurrency: args.concurrency,
        judge: args.judge,
        fresh: args.fresh,
        limits,
    };
    if args.estimate {
        return out.result(&session.call::<EstimateEval>(params).await?, estimate);
    }
    let progress = CallProgress::begin("running cases", out);
    let found = match args.resume {
        Some(run) => {
            let limits = (limits != inklings_app::Limits::default()).then_some(limits);
            session.call_with_progress::<ResumeEval>(ResumeEvalParams { run, limits }, &progress).await?
        }
        None => {
            out.note(&estimate(&session.call::<EstimateEval>(params.clone()).await?));
            session.call_with_progress::<StartEval>(params, &progress).await?
        }
    };
    progress.end();
    if let Some(file) = &args.junit {
        write_report(session, found.run.id, ReportFormat::Junit, file).await?;
    }
    out.result(&found, report)?;
    let is_below = |least: f64| found.candidates().any(|one| one.rate.is_none_or(|rate| rate.rate < least));
    let failed = found.run.status != EvalStatus::Complete || args.fail_under.is_some_and(is_below);
    if failed { Err(CliError::Findings) } else { Ok(()) }
}

async fn write_report(session: &Session, run: EvalRunId, format: ReportFormat, file: &Path) -> Result<(), CliError> {
    let text = session.call::<ExportEval>(ExportEvalParams { run, format }).await?.text;
    Ok(std::fs::write(file, text).with_context(|| format!("can't write {}", file.display()))?)
}

fn cases(found: &EvalCases) -> String {
    if found.cases.is_empty() {
        return "no cases".to_owned();
    }
    let row = |case: &Case| {
        let kind = match &case.kind {
            CaseKind::Trigger { should_trigger: true, .. } => "should trigger",
            CaseKind::Trigger { should_trigger: false, .. } => "should not trigger",
            CaseKind::Task(_) => "task",
        };
        let split = if case.split == Split::Train { "train" } else { "validation" };
        vec![case.key.clone(), kind.to_owned(), split.to_owned(), case.tags.join(","), case.title().to_owned()]
    };
    table(&found.cases.iter().map(row).collect::<Vec<_>>())
}

fn triggers(report: &TriggerReport) -> String {
    let row = |one: &TriggerResult| {
        let wanted = if one.should_trigger { "should trigger" } else { "should not trigger" };
        let fires = one.ranking.first().map_or_else(|| "no skill fires".to_owned(), |slug| format!("fires: {slug}"));
        vec![wanted.to_owned(), one.query.clone(), fires]
    };
    let failed: Vec<_> = report.results.iter().filter(|one| !one.passed).map(row).collect();
    let mut text = table(&failed);
    if !failed.is_empty() {
        text.push_str("\n\n");
    }
    for one in &report.confusions {
        // Writing to a String can't fail.
        let _ = writeln!(text, "fires instead: {} ({})", one.skill.as_deref().unwrap_or("no skill"), one.queries.len());
    }
    let passed = report.results.len() - failed.len();
    let _ = write!(text, "{passed} of {} trigger cases passed{}", report.results.len(), report.rate.map(interval).unwrap_or_default());
    text
}

fn interval(rate: PassRate) -> String {
    format!(" (95% interval {} to {})", percent(rate.interval.low), percent(rate.interval.high))
}

fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

fn estimate(estimate: &EvalEstimate) -> String {
    let cost = estimate.input_cost.map_or_else(|| "cost unknown".to_owned(), |cost| format!("at least ${cost:.4}"));
    let mut text = format!("{} results, {} cached: about {} input tokens, {cost}", estimate.cells, estimate.cached, estimate.input_tokens);
    if estimate.unknown > 0 {
        let _ = write!(text, "; {} results can't be estimated", estimate.unknown);
    }
    text
}

fn status(status: EvalStatus) -> String {
    status.as_str().replace('_', " ")
}

fn runs(found: &EvalRuns) -> String {
    if found.runs.is_empty() {
        return "no eval runs".to_owned();
    }
    let row = |one: &inklings_app::features::eval::EvalSummary| {
        let last = one.variants.last();
        let rate = last.and_then(|variant| variant.rate).map_or_else(|| "not graded".to_owned(), |rate| percent(rate.rate));
        let verdict = last.and_then(|variant| variant.comparison).map_or("", |found| verdict(found.verdict));
        let skill = format!("{} revision {}", one.run.skill.slug, one.run.skill.revision);
        vec![one.run.id.to_string(), one.run.created_at.to_string(), skill, status(one.run.status), rate, verdict.to_owned()]
    };
    table(&found.runs.iter().map(row).collect::<Vec<_>>())
}

fn report(report: &Report) -> String {
    let mut text = format!("{} {}: {} of {} results", report.run.id, status(report.run.status), report.done, report.cells);
    if let Some(error) = &report.run.error {
        let _ = write!(text, "\n{error}");
    }
    for variant in &report.variants {
        let _ = write!(text, "\n\n{}", variant_text(report, variant));
    }
    for (at, variant) in report.variants.iter().enumerate() {
        for case in report.cases.iter().filter(|case| case.regressions.contains(&at)) {
            let _ = write!(text, "\n\nregression in {}: {}", variant.variant.label, case.title);
        }
    }
    let _ = write!(text, "\n\npaid: {}", money(report.paid.cost));
    text
}

fn variant_text(report: &Report, one: &VariantReport) -> String {
    let rate = one
        .rate
        .map_or_else(|| "not graded".to_owned(), |rate| format!("{} of {} cases{}", percent(rate.rate), rate.cases, interval(rate)));
    let mut text = format!("{}: {rate}", one.variant.label);
    let baseline = one.variant.baseline.and_then(|at| report.variants.get(at));
    if let (Some(baseline), Some(found)) = (baseline, &one.comparison) {
        let _ = write!(text, "\n  {} than {}: {}", verdict(found.verdict), baseline.variant.label, difference(found));
        if matches!(found.verdict, Verdict::NoDifferenceShown | Verdict::TooFew) {
            text = text.replacen(" than ", " beside ", 1);
        }
    }
    if !one.flaky.is_empty() {
        let _ = write!(text, "\n  flaky: {}", one.flaky.join(", "));
    }
    if one.not_graded > 0 {
        let _ = write!(text, "\n  not graded: {} results", one.not_graded);
    }
    let number = |tokens: Option<u64>| tokens.map_or_else(|| "unknown".to_owned(), |tokens| tokens.to_string());
    let (input, output) = (number(one.usage.input_tokens), number(one.usage.output_tokens));
    let _ = write!(text, "\n  {input} input and {output} output tokens, {}", money(one.usage.cost));
    if let Some(ms) = one.mean_ms {
        let _ = write!(text, ", {ms} ms on average");
    }
    text
}

fn money(cost: Option<f64>) -> String {
    cost.map_or_else(|| "cost unknown".to_owned(), |cost| format!("${cost:.4}"))
}

const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::NoDifferenceShown => "no difference shown",
        Verdict::TooFew => "too few cases",
    }
}

fn difference(one: &Comparison) -> String {
    format!(
        "{:+.0} points (95% interval {:+.0} to {:+.0}), p = {:.3}, {} improved, {} regressed",
        one.difference * 100.0,
        one.interval.low * 100.0,
        one.interval.high * 100.0,
        one.p_value,
        one.improved,
        one.regressed
    )
}

fn comparison(found: &RunComparison) -> String {
    let mut text = match &found.comparison {
        Some(one) => format!("{} -> {}: {}, {}", found.baseline, found.candidate, verdict(one.verdict), difference(one)),
        None => "no case was graded in both runs".to_owned(),
    };
    for (what, titles) in [("regressed", &found.regressed), ("improved", &found.improved)] {
        for title in titles {
            let _ = write!(text, "\n{what}: {title}");
        }
    }
    if found.unmatched > 0 {
        let _ = write!(text, "\n{} cases are in one run only", found.unmatched);
    }
    text
}
