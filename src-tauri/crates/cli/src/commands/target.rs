//! `inklings target`

use std::path::Path;

use inklings_app::features::target::{
    CopyFileParams, CopyStatus, DeployParams, DeployReport, DeploySkills, DeployedCopy, GetTargetStatus, PullCopy, PullParams, PullReport,
    ReadCopyFile, RemoveCopies, RemoveCopiesParams, TargetStatus,
};
use inklings_app::wire::{MergeVersions, SkillRef};
use inklings_core::three_way::ChangedBy;
use inklings_rpc::NoParams;

use crate::args::{DeployArgs, PullArgs, RemoveCopiesArgs, TargetCommand};
use crate::commands::common::{NamedText, unified};
use crate::commands::session::Session;
use crate::commands::transfer::{merge_label, targets};
use crate::error::CliError;
use crate::out::{Out, table};
use crate::progress::CallProgress;

pub(crate) async fn run(session: &Session, command: TargetCommand, out: &Out) -> Result<(), CliError> {
    match command {
        TargetCommand::List => targets(session, out).await,
        TargetCommand::Status => out.result(&session.call::<GetTargetStatus>(NoParams {}).await?, status),
        TargetCommand::Deploy(args) => deploy(session, args, out).await,
        TargetCommand::Pull(args) => pull(session, args, out).await,
        TargetCommand::Remove(args) => remove(session, args, out).await,
    }
}

async fn deploy(session: &Session, args: DeployArgs, out: &Out) -> Result<(), CliError> {
    let params = DeployParams {
        skills: args.skills.into_iter().map(|skill| SkillRef { skill, scope: None }).collect(),
        tag: args.tag,
        kit: args.kit,
        watched: args.watched,
        link: args.link,
        watch: if args.watch { Some(true) } else { args.no_watch.then_some(false) },
        to: args.to.into_iter().map(target_name).collect(),
        create_folders: args.create,
        replace_edited: args.replace_edited,
        dry_run: args.dry_run,
    };
    let progress = CallProgress::begin(if args.dry_run { "checking" } else { "deploying" }, out);
    let report = session.call_with_progress::<DeploySkills>(params, &progress).await?;
    progress.end();
    finish(&report, "deployed", out)
}

async fn remove(session: &Session, args: RemoveCopiesArgs, out: &Out) -> Result<(), CliError> {
    let from = args.from.into_iter().map(target_name).collect();
    let params = RemoveCopiesParams { skills: args.skills, from, dry_run: args.dry_run };
    let report = session.call::<RemoveCopies>(params).await?;
    finish(&report, "removed", out)
}

fn finish(report: &DeployReport, done: &str, out: &Out) -> Result<(), CliError> {
    let is_done = |copy: &DeployedCopy| {
        let stays = matches!(copy.status, CopyStatus::Drift | CopyStatus::Foreign | CopyStatus::Conflict);
        copy.failure.is_none() && (copy.changed || !stays)
    };
    out.result(report, |report| {
        if report.copies.is_empty() {
            return "no skills found".to_owned();
        }
        let mut text = table(&report.copies.iter().map(|copy| row(copy, done)).collect::<Vec<_>>());
        if report.dry_run {
            text.push_str("\ndry run: nothing was changed");
        }
        if report.stopped {
            text.push_str("\ncanceled");
        }
        text
    })?;
    if !report.stopped && report.copies.iter().all(is_done) { Ok(()) } else { Err(CliError::Findings) }
}

async fn pull(session: &Session, args: PullArgs, out: &Out) -> Result<(), CliError> {
    let params = PullParams {
        skill: SkillRef { skill: args.skill, scope: args.scope.map(Into::into) },
        from: args.from.map(target_name),
        theirs: args.theirs,
        ours: args.ours,
        dry_run: args.dry_run,
    };
    let from = params.from.clone();
    let report = session.call::<PullCopy>(params).await?;
    let diffs = if report.dry_run && !out.is_json() { diffs(session, &report, from).await? } else { String::new() };
    out.result(&report, |report| pulled(report) + &diffs)?;
    match report.failure {
        Some(partial) => Err(partial.into_failure("the copy was not updated").into()),
        None if report.conflicts.is_empty() => Ok(()),
        None => Err(CliError::Findings),
    }
}

/// What the copy changed, file by file.
async fn diffs(session: &Session, report: &PullReport, from: Option<String>) -> Result<String, CliError> {
    let mut text = String::new();
    for change in report.changes.iter().filter(|change| change.by != ChangedBy::Ours) {
        let skill = SkillRef { skill: report.skill.to_string(), scope: Some(report.scope) };
        let params = CopyFileParams { skill, from: from.clone(), file: change.path.clone() };
        let MergeVersions { ours, theirs, .. } = session.call::<ReadCopyFile>(params).await?;
        let (skill, copy) = (format!("skill/{}", change.path), format!("copy/{}", change.path));
        let [ours, theirs] = [ours, theirs].map(|file| file.text.unwrap_or_default());
        text.push('\n');
        text.push_str(&unified(NamedText { name: &skill, text: &ours }, NamedText { name: &copy, text: &theirs }));
    }
    Ok(text)
}

fn pulled(report: &PullReport) -> String {
    let rows: Vec<_> = report.changes.iter().map(|change| vec![format!("  {}", change.path), merge_label(change.by).to_owned()]).collect();
    let end = match report.conflicts.len() {
        _ if report.dry_run => "dry run: nothing was stored".to_owned(),
        0 => format!("{} is at revision {}", report.slug, report.revision),
        count => format!("{count} conflicting files: choose a version of each with --theirs or --ours; nothing was stored"),
    };
    format!("{}\n{}\n{end}", report.path, table(&rows))
}

fn status(status: &TargetStatus) -> String {
    let mut rows = Vec::new();
    for target in status.targets.iter().filter(|target| target.exists || !target.copies.is_empty()) {
        rows.push(vec![format!("{}: {}", target.name, target.path)]);
        rows.extend(target.copies.iter().map(|copy| row(copy, "")));
    }
    if rows.is_empty() { "no folders of agents found".to_owned() } else { table(&rows) }
}

fn row(copy: &DeployedCopy, done: &str) -> Vec<String> {
    let what = match &copy.failure {
        Some(failure) => failure.message.clone(),
        None if copy.changed => done.to_owned(),
        None => status_text(copy),
    };
    vec![format!("  {}", copy.slug), what, copy.path.clone()]
}

fn status_text(copy: &DeployedCopy) -> String {
    let status = match copy.status {
        CopyStatus::New => "new".to_owned(),
        CopyStatus::Update => "update".to_owned(),
        CopyStatus::Unchanged => "unchanged".to_owned(),
        CopyStatus::Drift if copy.edited.len() == 1 => "edited: 1 file".to_owned(),
        CopyStatus::Drift => format!("edited: {} files", copy.edited.len()),
        CopyStatus::Missing => "missing".to_owned(),
        CopyStatus::Foreign => "in use: not deployed from here".to_owned(),
        CopyStatus::Conflict => "in use by another skill".to_owned(),
        CopyStatus::Linked => "linked".to_owned(),
        CopyStatus::Dangling => "linked to a missing folder".to_owned(),
        CopyStatus::Deleted => "skill deleted".to_owned(),
    };
    if copy.watch { format!("{status}, kept up to date") } else { status }
}

/// Relative paths become absolute; IDs of agents contain no separator.
fn target_name(name: String) -> String {
    if !name.contains(std::path::MAIN_SEPARATOR) {
        return name;
    }
    let path = std::path::absolute(Path::new(&name)).unwrap_or_default();
    path.components().as_path().display().to_string()
}
