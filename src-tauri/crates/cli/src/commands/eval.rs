//! `inklings eval`

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use anyhow::Context as _;
use inklings_app::Limits;
use inklings_app::features::eval::{
    AttemptOutcome, Case, CaseChange, CaseKind, CompareEvals, CompareEvalsParams, Comparison, ComparisonVerdict, DeleteEvals,
    DeleteEvalsParams, EditCases, EditCasesParams, EstimateEval, EvalCases, EvalEstimate, EvalListParams, EvalParams, EvalRunRef, EvalRuns,
    ExportEval, ExportEvalParams, GetEval, GetLoop, ListCases, ListEvals, ModelTriggersParams, OptimizationLoop, PassRate, Report,
    ReportFormat, ResumeEval, ResumeEvalParams, Rewrite, RewriteParams, RewriteSkill, RunComparison, Split, Stage, StageId, StageStatus,
    StartEval, TestModelTriggers, TestTriggers, TriggerReport, TriggerResult, VariantReport,
};
use inklings_app::wire::SkillRef;
use inklings_core::eval::{EvalOutcome, EvalStatus};
use inklings_core::program::Scores;
use inklings_rpc::{Code, Failure};

use crate::args::{EvalCommand, EvalRunArgs, ReportFormatArg, SkillArg, SplitArg};
use crate::commands::common::skill_ref;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::input::read_text;
use crate::out::{Out, table};
use crate::progress::CallProgress;

/// Of a file of cases.
const MAX_CASES_BYTES: usize = 4 * 1024 * 1024;
/// Bytes read from a file to find the root element of a `JUnit` report.
const MAX_PROLOG_BYTES: u64 = 1024;

pub(crate) async fn run(session: &Session, command: EvalCommand, out: &Out) -> Result<(), CliError> {
    match command {
        EvalCommand::Run(args) => run_cases(session, args, out).await,
        EvalCommand::Status(skill) => out.result(&session.call::<GetLoop>(skill_ref(skill)).await?, stages),
        EvalCommand::Cases(skill) => {
            let found = session.call::<ListCases>(skill_ref(skill)).await?;
            out.diagnostics(&found.diagnostics);
            out.result(&found, cases)
        }
        EvalCommand::Import { skill, file, into } => {
            let text = read_text(&file, MAX_CASES_BYTES)?;
            edit_cases(session, skill, vec![CaseChange::Paste { file: into, text }], out).await
        }
        EvalCommand::Save { skill, run, answer, chat, name } => {
            let change = match chat.zip(answer) {
                Some((session, message)) => CaseChange::AddAnswer { file: None, session, message, name },
                None => CaseChange::AddRun { file: None, run: run.context("use --run, or --chat with --answer")?, name },
            };
            edit_cases(session, skill, vec![change], out).await
        }
        EvalCommand::Remove { skill, keys } => {
            edit_cases(session, skill, keys.into_iter().map(|key| CaseChange::Remove { key }).collect(), out).await
        }
        EvalCommand::Triggers { skill, ask: true, model } => {
            let SkillRef { skill, scope } = skill_ref(skill);
            let progress = CallProgress::begin("asking the model", out);
            let found = session.call_with_progress::<TestModelTriggers>(ModelTriggersParams { skill, scope, model }, &progress).await?;
            progress.end();
            out.result(&found, |found| format!("{}\n{}, {}", triggers(&found.report), found.model, money(found.usage.cost)))?;
            fired(&found.report)
        }
        EvalCommand::Triggers { skill, .. } => {
            let progress = CallProgress::begin("indexing", out);
            let report = session.call_with_progress::<TestTriggers>(skill_ref(skill), &progress).await?;
            progress.end();
            out.result(&report, triggers)?;
            fired(&report)
        }
        EvalCommand::Rewrite { skill, model, judge, iterations, limits: given } => {
            let SkillRef { skill, scope } = skill_ref(skill);
            let progress = CallProgress::begin("running cases", out);
            let params = RewriteParams { skill, scope, model, judge, iterations, limits: given.usage.limits(given.timeout) };
            let found = session.call_with_progress::<RewriteSkill>(params, &progress).await?;
            progress.end();
            print_rewrite(&found, out)
        }
        EvalCommand::List { skill, limit } => {
            out.result(&session.call::<ListEvals>(EvalListParams { skill, limit: Some(limit) }).await?, runs)
        }
        EvalCommand::Show { run } => out.result(&session.call::<GetEval>(EvalRunRef { run }).await?, report),
        EvalCommand::Delete { runs } => {
            let deleted = session.call::<DeleteEvals>(DeleteEvalsParams { runs }).await?;
            out.result(&deleted, |deleted| format!("deleted {} eval runs", deleted.deleted))
        }
        EvalCommand::Compare { baseline, candidate } => {
            let found = session.call::<CompareEvals>(CompareEvalsParams { baseline, candidate }).await?;
            out.result(&found, comparison)?;
            let is_worse = found.comparison.is_some_and(|one| one.verdict == ComparisonVerdict::Worse);
            if is_worse { Err(CliError::Findings) } else { Ok(()) }
        }
        EvalCommand::Export { run, format, out: file, replace } => {
            let format = match format {
                ReportFormatArg::Json => ReportFormat::Json,
                ReportFormatArg::Csv => ReportFormat::Csv,
                ReportFormatArg::Junit => ReportFormat::Junit,
                ReportFormatArg::Html => ReportFormat::Html,
            };
            let file = file.map(std::path::absolute).transpose().map_err(anyhow::Error::from)?;
            let exported = session.call::<ExportEval>(ExportEvalParams { run, format, out: file, replace }).await?;
            match &exported.out {
                None => out.content(&exported, |exported| exported.text.clone().unwrap_or_default()),
                Some(file) => out.result(&exported, |_| format!("exported to {}", file.display())),
            }
        }
    }
}

/// An error if a limit ended the search early.
pub(crate) fn print_rewrite(found: &Rewrite, out: &Out) -> Result<(), CliError> {
    out.result(found, rewrite_text)?;
    if found.over_budget { Err(CliError::Findings) } else { Ok(()) }
}

fn rewrite_text(found: &Rewrite) -> String {
    let mut text = String::new();
    for (number, attempt) in (1..).zip(&found.attempts) {
        let outcome = match attempt.outcome {
            AttemptOutcome::Kept => "kept",
            AttemptOutcome::Rejected => "rejected",
            AttemptOutcome::Repeated => "repeated",
            AttemptOutcome::Invalid => "invalid",
        };
        // Writing to a String can't fail.
        let _ = writeln!(text, "attempt {number}: {outcome}: {}", attempt.reason);
    }
    let change = |scores: Scores| format!("{} -> {}", percent(scores.before), percent(scores.after));
    let _ = writeln!(text, "training cases: {}", change(found.train));
    if let Some(scores) = found.validation {
        let _ = writeln!(text, "validation cases: {}", change(scores));
    } else if found.validation_run.is_some() {
        text.push_str("validation cases: not all of them were graded\n");
    }
    if found.over_budget {
        text.push_str("A limit was reached before the search ended.\n");
    }
    let end = match (&found.promoted, found.proposal) {
        (Some(accepted), _) => format!("accepted as revision {} of {}", accepted.revision, accepted.skill),
        (None, Some(proposal)) => format!("proposed: inklings proposal show {proposal}"),
        (None, None) => "no edit helped".to_owned(),
    };
    let _ = write!(text, "{end}\npaid: {}", money(found.usage.cost));
    text
}

fn stages(found: &OptimizationLoop) -> String {
    let row = |one: &Stage| {
        let name = match one.id {
            StageId::Target => "target",
            StageId::Criteria => "criteria",
            StageId::Cases => "cases",
            StageId::Candidates => "candidates",
            StageId::Scores => "scores",
            StageId::Promotion => "promotion",
        };
        let status = match one.status {
            StageStatus::Ready => "ready",
            StageStatus::Partial => "partial",
            StageStatus::Empty => "empty",
        };
        vec![name.to_owned(), status.to_owned(), one.detail.clone(), one.next.clone().unwrap_or_default()]
    };
    format!("{}\n\n{} of {} stages are ready", table(&found.stages.iter().map(row).collect::<Vec<_>>()), found.ready, found.stages.len())
}

async fn edit_cases(session: &Session, skill: SkillArg, changes: Vec<CaseChange>, out: &Out) -> Result<(), CliError> {
    let SkillRef { skill, scope } = skill_ref(skill);
    let edited = session.call::<EditCases>(EditCasesParams { skill, scope, changes, expected: None }).await?;
    out.diagnostics(&edited.diagnostics);
    out.result(&edited, |edited| format!("{} cases, revision {}", edited.cases.len(), edited.revision))
}

fn fired(report: &TriggerReport) -> Result<(), CliError> {
    if report.results.iter().all(|one| one.passed) { Ok(()) } else { Err(CliError::Findings) }
}

async fn run_cases(session: &Session, args: EvalRunArgs, out: &Out) -> Result<(), CliError> {
    let limits = args.limits.usage.limits(args.limits.timeout);
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
        proposal: args.proposal,
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
    // Refused before anything is paid for.
    args.junit.as_deref().map_or(Ok(()), ensure_replaceable)?;
    let progress = CallProgress::begin("running cases", out);
    let found = if let Some(run) = args.resume {
        let limits = (limits != Limits::default()).then_some(limits);
        session.call_with_progress::<ResumeEval>(ResumeEvalParams { run, limits }, &progress).await?
    } else {
        out.note(&estimate(&session.call::<EstimateEval>(params.clone()).await?));
        session.call_with_progress::<StartEval>(params, &progress).await?
    };
    progress.end();
    if let Some(file) = &args.junit {
        let out = Some(std::path::absolute(file).map_err(anyhow::Error::from)?);
        session.call::<ExportEval>(ExportEvalParams { run: found.run.id, format: ReportFormat::Junit, out, replace: true }).await?;
    }
    out.result(&found, report)?;
    let is_below = |least: f64| found.candidates().any(|one| one.rate.is_none_or(|rate| rate.rate < least));
    let is_graded = found.variants.iter().any(|one| one.rate.is_some());
    let failed = found.run.status != EvalStatus::Complete || !is_graded || args.fail_under.is_some_and(is_below);
    if failed { Err(CliError::Findings) } else { Ok(()) }
}

/// Refuses a file that is neither empty nor a report.
fn ensure_replaceable(file: &Path) -> Result<(), CliError> {
    let begin = || -> std::io::Result<Option<String>> {
        if !fs::metadata(file)?.is_file() {
            return Ok(None);
        }
        let mut begin = Vec::new();
        File::open(file)?.take(MAX_PROLOG_BYTES).read_to_end(&mut begin)?;
        Ok(Some(String::from_utf8_lossy(&begin).into_owned()))
    };
    let is_report = |text: &str| {
        let prolog = text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>"));
        text.is_empty() || prolog.is_some_and(|(_, rest)| rest.trim_start().starts_with("<testsuites"))
    };
    match begin() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(anyhow::Error::from(error).context(format!("can't read {}", file.display())).into()),
        Ok(Some(text)) if is_report(&text) => Ok(()),
        Ok(_) => {
            let message = format!("{} isn't a JUnit report, so it isn't replaced", file.display());
            Err(Failure::new(Code::Exists, message).hint("choose another file with --junit").into())
        }
    }
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
    for (at, variant) in report.variants.iter().enumerate() {
        let _ = write!(text, "\n\n{}", variant_text(report, at, variant));
    }
    for (at, variant) in report.variants.iter().enumerate() {
        for case in report.cases.iter().filter(|case| case.regressions.contains(&at)) {
            let _ = write!(text, "\n\nregression in {}: {}", variant.variant.label, case.title);
        }
    }
    let _ = write!(text, "\n\npaid: {}", money(report.paid.cost));
    text
}

fn variant_text(report: &Report, at: usize, one: &VariantReport) -> String {
    let rate = one
        .rate
        .map_or_else(|| "not graded".to_owned(), |rate| format!("{} of {} cases{}", percent(rate.rate), rate.cases, interval(rate)));
    let mut text = format!("{}: {rate}", one.variant.label);
    let baseline = one.variant.baseline.and_then(|at| report.variants.get(at));
    if let (Some(baseline), Some(found)) = (baseline, &one.comparison) {
        let _ = write!(text, "\n  {} than {}: {}", verdict(found.verdict), baseline.variant.label, difference(found));
        if matches!(found.verdict, ComparisonVerdict::NoDifferenceShown | ComparisonVerdict::TooFew) {
            text = text.replacen(" than ", " beside ", 1);
        }
    }
    if !one.flaky.is_empty() {
        let _ = write!(text, "\n  flaky: {}", one.flaky.join(", "));
    }
    if one.not_graded > 0 {
        let _ = write!(text, "\n  not graded: {} results", one.not_graded);
    }
    let mut results = report.cases.iter().filter_map(|case| case.results.get(at)).flatten();
    if let Some(error) = results.find(|one| one.outcome == EvalOutcome::Error).and_then(|one| one.error.as_deref()) {
        let _ = write!(text, "\n  first error: {error}");
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

const fn verdict(verdict: ComparisonVerdict) -> &'static str {
    match verdict {
        ComparisonVerdict::Better => "better",
        ComparisonVerdict::Worse => "worse",
        ComparisonVerdict::NoDifferenceShown => "no difference shown",
        ComparisonVerdict::TooFew => "too few cases",
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
