//! The commands of those who publish a registry.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use inklings_app::features::publish::{
    CreateRegistry, CreateRegistryParams, CreatedRegistry, GetPublishStatus, KeyRole, PlanRelease, PlanReleaseParams, PlannedSkill,
    PlannedState, PublishFolder, PublishStatus, PublishTarget, PublishedState, RefreshParams, RefreshRegistry, ReleaseParams, ReleasePlan,
    ReleaseReport, ReleaseSkills, ReleasedSkill, RevokeParams, RevokeVersion, RotateKeys, RotateKeysParams, VerifiedRegistry,
    VerifyRegistry, VersionBump, YankParams, YankVersion,
};
use inklings_app::wire::SkillRef;
use inklings_core::change::PathChange;

use crate::args::{InitRegistryArgs, KeyArgs, KeyRoleArg, PublishArgs, PublishCommand, ReleaseArgs};
use crate::commands::common::skill_count;
use crate::commands::session::Session;
use crate::commands::validate::with_folder;
use crate::error::CliError;
use crate::out::{Out, table};
use crate::progress::CallProgress;

pub(super) async fn run(session: &Session, command: PublishCommand, out: &Out) -> Result<(), CliError> {
    match command {
        PublishCommand::Init(args) => init(session, args, out).await,
        PublishCommand::Plan(args) => plan(session, args, out).await,
        PublishCommand::Publish(args) if args.dry_run => plan(session, args.release, out).await,
        PublishCommand::Publish(args) => publish(session, args, out).await,
        PublishCommand::Status { folder } => {
            let found = session.call::<GetPublishStatus>(PublishFolder { folder: absolute(&folder)? }).await?;
            out.result(&found, status)
        }
        PublishCommand::Verify { folder } => {
            let found = session.call::<VerifyRegistry>(PublishFolder { folder: absolute(&folder)? }).await?;
            out.result(&found, verified)
        }
        PublishCommand::Yank(args) => {
            let (version, reason) = (args.version, args.reason);
            let (target, skill) = (target(&version.folder, version.keys)?, version.skill);
            let state = session.call::<YankVersion>(YankParams { target, skill, version: version.version, reason }).await?;
            out.result(&state, changed)
        }
        PublishCommand::Revoke(args) => {
            let (version, reason) = (args.version, args.reason);
            let (target, skill) = (target(&version.folder, version.keys)?, version.skill);
            let state = session.call::<RevokeVersion>(RevokeParams { target, skill, version: version.version, reason }).await?;
            out.result(&state, changed)
        }
        PublishCommand::Refresh { folder, keys } => {
            let state = session.call::<RefreshRegistry>(RefreshParams { target: target(&folder, keys)? }).await?;
            out.result(&state, changed)
        }
        PublishCommand::Rotate { folder, roles, keys } => {
            let params = RotateKeysParams { target: target(&folder, keys)?, keys: roles.into_iter().map(Into::into).collect() };
            out.result(&session.call::<RotateKeys>(params).await?, changed)
        }
    }
}

impl From<KeyRoleArg> for KeyRole {
    fn from(role: KeyRoleArg) -> Self {
        match role {
            KeyRoleArg::Root => Self::Root,
            KeyRoleArg::Snapshot => Self::Snapshot,
            KeyRoleArg::Publisher => Self::Publisher,
        }
    }
}

fn absolute(path: &Path) -> Result<PathBuf, CliError> {
    Ok(std::path::absolute(path).with_context(|| format!("can't resolve {}", path.display()))?)
}

fn target(folder: &Path, args: KeyArgs) -> Result<PublishTarget, CliError> {
    Ok(PublishTarget { folder: absolute(folder)?, keys: args.keys.as_deref().map(absolute).transpose()?, days: args.days })
}

async fn init(session: &Session, args: InitRegistryArgs, out: &Out) -> Result<(), CliError> {
    let InitRegistryArgs { folder, id, title, publisher, keys } = args;
    let params = CreateRegistryParams { target: target(&folder, keys)?, id, title, publisher };
    out.result(&session.call::<CreateRegistry>(params).await?, created)
}

fn created(registry: &CreatedRegistry) -> String {
    let how = if registry.keys.created { "created" } else { "used" };
    table(&[
        vec!["registry".to_owned(), registry.folder.clone()],
        vec!["id".to_owned(), registry.id.clone()],
        vec!["fingerprint".to_owned(), registry.fingerprint.to_string()],
        vec!["expires".to_owned(), registry.expires.to_string()],
        vec!["keys".to_owned(), format!("{how} in {}; keep a copy in a safe place", registry.keys.folder)],
    ])
}

async fn plan(session: &Session, args: ReleaseArgs, out: &Out) -> Result<(), CliError> {
    let scope = args.scope.map(Into::into);
    let params = PlanReleaseParams {
        folder: absolute(&args.folder)?,
        skills: args.skills.into_iter().map(|skill| SkillRef { skill, scope }).collect(),
        paths: args.from.iter().map(|path| absolute(path)).collect::<Result<_, _>>()?,
    };
    let progress = CallProgress::begin("comparing", out);
    let plan = session.call_with_progress::<PlanRelease>(params, &progress).await?;
    progress.end();
    out.diagnostics(&plan.diagnostics);
    for skill in &plan.skills {
        out.diagnostics(&with_folder(skill.path.as_deref().unwrap_or(skill.slug.as_str()), &skill.diagnostics));
    }
    out.result(&plan, planned)?;
    if plan.ok { Ok(()) } else { Err(CliError::Findings) }
}

fn planned(plan: &ReleasePlan) -> String {
    let mut text = table(&plan.skills.iter().map(row).collect::<Vec<_>>());
    for skill in plan.skills.iter().filter(|skill| skill.state == PlannedState::Update) {
        text.push_str(&details(skill));
    }
    text
}

fn row(skill: &PlannedSkill) -> Vec<String> {
    let next = skill.next_version.clone().unwrap_or_else(|| skill.version.clone());
    let versions = match &skill.last {
        Some(last) if last.version != next => format!("{} -> {next}", last.version),
        _ => next,
    };
    let state = match skill.state {
        PlannedState::New => "new",
        PlannedState::Update => "update",
        PlannedState::Unchanged => "unchanged",
        PlannedState::Blocked => "blocked",
    };
    let bump = match skill.bump.filter(|_| skill.state == PlannedState::Update) {
        Some(VersionBump::Patch) => "patch",
        Some(VersionBump::Minor) => "minor",
        Some(VersionBump::Major) => "major",
        None => "",
    };
    vec![skill.slug.to_string(), state.to_owned(), versions, bump.to_owned()]
}

fn details(skill: &PlannedSkill) -> String {
    let reasons = skill.reasons.iter().map(|reason| format!("  {reason}\n"));
    let files = skill.files.iter().map(|file| {
        let letter = match file.change {
            PathChange::Added => 'A',
            PathChange::Modified => 'M',
            PathChange::Removed => 'D',
        };
        format!("  {letter} {}\n", file.path)
    });
    format!("\n\n{}\n{}", skill.slug, reasons.chain(files).collect::<String>().trim_end_matches('\n'))
}

async fn publish(session: &Session, args: PublishArgs, out: &Out) -> Result<(), CliError> {
    let PublishArgs { release, set_version, changelog, minimum_client, keys, .. } = args;
    let scope = release.scope.map(Into::into);
    let named = |skill| ReleasedSkill { skill, scope, version: set_version.clone(), changelog: changelog.clone() };
    let params = ReleaseParams {
        target: target(&release.folder, keys)?,
        skills: release.skills.into_iter().map(named).collect(),
        paths: release.from.iter().map(|path| absolute(path)).collect::<Result<_, _>>()?,
        minimum_client,
    };
    let progress = CallProgress::begin("publishing", out);
    let report = session.call_with_progress::<ReleaseSkills>(params, &progress).await?;
    progress.end();
    out.result(&report, released)
}

fn released(report: &ReleaseReport) -> String {
    let rows = report.released.iter().map(|one| vec![one.slug.to_string(), one.version.clone()]).collect::<Vec<_>>();
    let sum = format!("{} published, {} unchanged", skill_count(rows.len()), report.unchanged);
    if rows.is_empty() { sum } else { format!("{}\n{sum}", table(&rows)) }
}

fn status(status: &PublishStatus) -> String {
    let due = |expired: bool, due: bool| match (expired, due) {
        (true, _) => " (expired)",
        (false, true) => " (refresh it)",
        (false, false) => "",
    };
    let line = |name: &str, value: String| vec![name.to_owned(), value];
    let mut rows = vec![
        line("id", status.id.clone()),
        line("title", status.title.clone()),
        line("fingerprint", status.fingerprint.to_string()),
        line("serial", status.serial.to_string()),
        line("expires", format!("{}{}", status.expires, due(status.expired, status.refresh_due))),
        line("keys expire", format!("{}{}", status.root_expires, due(status.root_expired, status.root_refresh_due))),
        line("skills", format!("{} in {} versions", status.skills, status.versions)),
        line("yanked", status.yanked.to_string()),
        line("revoked", status.revoked.to_string()),
    ];
    rows.extend(status.publishers.iter().map(|one| line("publisher", format!("{} {}", one.name, one.key))));
    table(&rows)
}

fn verified(report: &VerifiedRegistry) -> String {
    let unused = match report.unreferenced.len() {
        0 => String::new(),
        1 => "\n1 package isn't in the index and may be deleted".to_owned(),
        count => format!("\n{count} packages aren't in the index and may be deleted"),
    };
    format!("{} is valid: {} in {} versions, serial {}{unused}", report.id, skill_count(report.skills), report.versions, report.serial)
}

fn changed(state: &PublishedState) -> String {
    let what = if state.changed { "signed" } else { "nothing to do" };
    format!("{what}: serial {}, expires {}", state.serial, state.expires)
}
