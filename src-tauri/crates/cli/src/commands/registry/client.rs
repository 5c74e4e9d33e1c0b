//! `inklings registry`, for those who install skills.

use std::collections::BTreeSet;
use std::io::IsTerminal as _;

use inklings_app::features::fork::{ForkUpdate, ListOutdatedForks, OutdatedFork, OutdatedForks, UpdateFork, UpdateForkParams};
use inklings_app::features::marketplace::{
    ChangedFile, CompareVersions, CompareVersionsParams, GetMarketplacePackage, GetMarketplaceSkill, InstallSkill, InstallSkillParams,
    InstalledMarketplaceSkill, InstalledRef, InstalledStatus, ListInstalled, MarketplaceDetail, MarketplacePackage, MarketplacePage,
    MarketplaceRef, Permission, PinParams, PinSkill, RollBackSkill, SearchMarketplace, SearchMarketplaceParams, SkillInstallation,
    UpdateSkills, UpdateSkillsParams, VersionComparison,
};
use inklings_rpc::{Code, Failure, NoParams};

use super::registries;
use crate::args::{ClientCommand, InstallSkillArgs, MarketplaceSearchArgs, OfferArgs, UpdateInstalledArgs};
use crate::commands::approval::agrees;
use crate::commands::session::Session;
use crate::error::CliError;
use crate::out::{Out, table};
use crate::progress::CallProgress;

pub(super) async fn run(session: &Session, command: ClientCommand, out: &Out) -> Result<(), CliError> {
    match command {
        ClientCommand::Add(args) => registries::add(session, args, out).await,
        ClientCommand::List => registries::list(session, out).await,
        ClientCommand::Set(args) => registries::set(session, args, out).await,
        ClientCommand::Remove { registry } => registries::remove(session, registry, out).await,
        ClientCommand::Sync { registry } => registries::sync(session, registry, out).await,
        ClientCommand::Search(args) => search(session, args, out).await,
        ClientCommand::Show(args) => out.result(&session.call::<GetMarketplaceSkill>(reference(args)).await?, shown),
        ClientCommand::Diff { skill, from, to } => {
            let progress = CallProgress::of_bytes("downloading", out);
            let params = CompareVersionsParams { id: skill, from, to };
            let comparison = session.call_with_progress::<CompareVersions>(params, &progress).await?;
            progress.end();
            out.result(&comparison, difference)
        }
        ClientCommand::Files { offer, path } => files(session, offer, path, out).await,
        ClientCommand::Install(args) => install(session, args, out).await,
        ClientCommand::Installed => out.result(&session.call::<ListInstalled>(NoParams {}).await?, |installed| {
            if installed.skills.is_empty() {
                return "no skills are installed from registries".to_owned();
            }
            table(&installed.skills.iter().map(installed_row).collect::<Vec<_>>())
        }),
        ClientCommand::Update(args) => update(session, args, out).await,
        ClientCommand::Forks => out.result(&session.call::<ListOutdatedForks>(NoParams {}).await?, forks),
        ClientCommand::Merge { skill, scope } => {
            let params = UpdateForkParams { skill, scope: scope.map(Into::into), revision: None };
            out.result(&session.call::<UpdateFork>(params).await?, merged)
        }
        ClientCommand::Pin { skill } => pin(session, skill, true, out).await,
        ClientCommand::Unpin { skill } => pin(session, skill, false, out).await,
        ClientCommand::Rollback { skill } => {
            let installation = session.call::<RollBackSkill>(InstalledRef { skill }).await?;
            out.result(&installation, |one| format!("{} is at version {} again, and pinned", one.slug, one.version))
        }
    }
}

fn reference(args: OfferArgs) -> MarketplaceRef {
    MarketplaceRef { id: args.skill, version: args.version }
}

async fn search(session: &Session, args: MarketplaceSearchArgs, out: &Out) -> Result<(), CliError> {
    let MarketplaceSearchArgs { words, category, registry, limit } = args;
    let params = SearchMarketplaceParams { query: words.join(" "), category, registry, offset: 0, limit: Some(usize::from(limit)) };
    out.result(&session.call::<SearchMarketplace>(params).await?, found)
}

fn found(page: &MarketplacePage) -> String {
    if page.skills.is_empty() {
        return "no skills found".to_owned();
    }
    let rows: Vec<_> = page
        .skills
        .iter()
        .map(|skill| {
            let installed = skill.installed.as_ref().map_or(String::new(), |installed| format!("installed {}", installed.version));
            vec![skill.id.to_string(), skill.version.clone(), installed, skill.description.clone()]
        })
        .collect();
    let rest = page.total - page.skills.len();
    let more = if rest == 0 { String::new() } else { format!("\n{rest} more; narrow the search or raise --limit") };
    table(&rows) + &more
}

fn list<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
    let texts: Vec<_> = values.into_iter().map(|value| value.to_string()).collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}

fn shown(detail: &MarketplaceDetail) -> String {
    let skill = &detail.skill;
    let mut rows = vec![
        vec!["id".to_owned(), skill.id.to_string()],
        vec!["title".to_owned(), skill.title.clone()],
        vec!["description".to_owned(), skill.description.clone()],
        vec!["version".to_owned(), skill.version.clone()],
        vec!["publisher".to_owned(), skill.publisher.clone().unwrap_or_default()],
        vec!["key".to_owned(), detail.publisher_key.clone()],
        vec!["permissions".to_owned(), list(&skill.permissions)],
        vec!["tokens".to_owned(), skill.token_cost.to_string()],
        vec!["download".to_owned(), format!("{} bytes", skill.length)],
        vec!["depends on".to_owned(), list(detail.dependencies.iter().map(|one| &one.slug))],
    ];
    if let Some(installed) = &skill.installed {
        rows.push(vec!["installed".to_owned(), installed.version.clone()]);
    }
    if let Some(conflict) = &detail.conflict {
        rows.push(vec!["conflict".to_owned(), format!("you have another skill of this name: {}", conflict.title)]);
    }
    let versions: Vec<_> = detail
        .versions
        .iter()
        .map(|version| {
            let state = match (&version.revoked, &version.yanked, &version.needs_app) {
                (Some(reason), _, _) => format!("revoked: {reason}"),
                (None, Some(reason), _) => format!("yanked: {reason}"),
                (None, None, Some(needs)) => format!("needs version {needs} of the app"),
                (None, None, None) => String::new(),
            };
            let day = version.published_at.to_string().chars().take(10).collect();
            vec![version.version.clone(), day, list(&version.permissions), state]
        })
        .collect();
    format!("{}\n\nversions\n{}", table(&rows), table(&versions))
}

fn difference(comparison: &VersionComparison) -> String {
    if comparison.files.is_empty() {
        return "no file differs".to_owned();
    }
    let mut parts: Vec<String> = comparison.files.iter().map(|file| file_difference(comparison, file)).collect();
    if !comparison.added_permissions.is_empty() {
        parts.push(format!("new permissions: {}\n", list(&comparison.added_permissions)));
    }
    parts.concat()
}

fn file_difference(comparison: &VersionComparison, file: &ChangedFile) -> String {
    let path = &file.path;
    if (file.in_from && file.from_text.is_none()) || (file.in_to && file.to_text.is_none()) {
        return format!("{path}: differs, and isn't text\n");
    }
    let (before, after) = (file.from_text.as_deref().unwrap_or_default(), file.to_text.as_deref().unwrap_or_default());
    let diff = similar::TextDiff::from_lines(before, after);
    let (from, to) = (format!("{}/{path}", comparison.from), format!("{}/{path}", comparison.to));
    diff.unified_diff().header(&from, &to).to_string()
}

async fn files(session: &Session, offer: OfferArgs, path: Option<String>, out: &Out) -> Result<(), CliError> {
    let progress = CallProgress::of_bytes("downloading", out);
    let package = session.call_with_progress::<GetMarketplacePackage>(reference(offer), &progress).await?;
    progress.end();
    let Some(path) = path else {
        return out.result(&package, |package: &MarketplacePackage| {
            table(&package.files.iter().map(|file| vec![file.path.to_string(), format!("{} bytes", file.size)]).collect::<Vec<_>>())
        });
    };
    let file = package.files.into_iter().find(|file| file.path.as_str() == path);
    let file =
        file.ok_or_else(|| Failure::new(Code::NotFound, format!("the package has no file {path:?}")).hint("list its files first"))?;
    if file.text.is_none() {
        return Err(Failure::invalid(format!("{path} isn't text")).hint("install the skill to export it").into());
    }
    out.content(&file, |file| file.text.clone().unwrap_or_default())
}

/// Asks for the permissions that the installed version doesn't have.
fn consent(out: &Out, what: &str, permissions: &BTreeSet<Permission>, yes: bool) -> Result<(), CliError> {
    if permissions.is_empty() || yes {
        return Ok(());
    }
    if out.is_json() || !std::io::stdin().is_terminal() {
        let failure = Failure::new(Code::ApprovalRequired, format!("{what} needs permissions: {}", list(permissions)));
        return Err(failure.hint("look at it with `inklings registry show`, then agree with --yes").into());
    }
    out.exact_error(&format!("{what} needs permissions: {}\n", list(permissions)));
    if agrees("Install it?", out)? { Ok(()) } else { Err(CliError::Findings) }
}

async fn install(session: &Session, args: InstallSkillArgs, out: &Out) -> Result<(), CliError> {
    let InstallSkillArgs { offer, yes } = args;
    let detail = session.call::<GetMarketplaceSkill>(MarketplaceRef { id: offer.skill.clone(), version: offer.version.clone() }).await?;
    let what = format!("{} {}", detail.skill.id, detail.skill.version);
    if detail.conflict.is_none() {
        consent(out, &what, &detail.new_permissions, yes)?;
    }
    let params = InstallSkillParams { id: detail.skill.id.to_string(), version: offer.version, accept: detail.new_permissions };
    let progress = CallProgress::of_bytes("downloading", out);
    let installation = session.call_with_progress::<InstallSkill>(params, &progress).await?;
    progress.end();
    out.result(&installation, installed)
}

fn installed(installation: &SkillInstallation) -> String {
    let SkillInstallation { slug, version, replaced, missing, .. } = installation;
    let done = match replaced {
        Some(from) if from == version => format!("{slug} {version} is installed"),
        Some(from) => format!("updated {slug} from {from} to {version}"),
        None => format!("installed {slug} {version}"),
    };
    if missing.is_empty() { done } else { format!("{done}\nit depends on skills that you don't have: {}", list(missing)) }
}

fn installed_row(skill: &InstalledMarketplaceSkill) -> Vec<String> {
    let reason = skill.reason.clone().unwrap_or_default();
    let state = match skill.status {
        InstalledStatus::Current | InstalledStatus::Update => String::new(),
        InstalledStatus::Yanked => format!("yanked: {reason}"),
        InstalledStatus::Revoked => format!("revoked: {reason}"),
        InstalledStatus::Unknown => "in no registry".to_owned(),
    };
    let update = skill.update.as_ref().map_or(String::new(), |update| format!("update {}", update.version));
    let pinned = if skill.pinned { "pinned" } else { "" };
    vec![skill.id.clone(), skill.version.clone(), pinned.to_owned(), update, state]
}

async fn update(session: &Session, args: UpdateInstalledArgs, out: &Out) -> Result<(), CliError> {
    let UpdateInstalledArgs { skills, yes } = args;
    let mut accept = BTreeSet::new();
    if !skills.is_empty() {
        let installed = session.call::<ListInstalled>(NoParams {}).await?;
        let named = |one: &&InstalledMarketplaceSkill| {
            skills.iter().any(|name| *name == one.slug.as_str() || *name == one.title || *name == one.skill.to_string())
        };
        let updates = installed.skills.iter().filter(named).filter_map(|one| Some((one, one.update.as_ref()?)));
        for (one, update) in updates {
            consent(out, &format!("{} {}", one.id, update.version), &update.new_permissions, yes)?;
            accept.extend(update.new_permissions.iter().cloned());
        }
    }
    let progress = CallProgress::begin("updating", out);
    let params = UpdateSkillsParams { skills: (!skills.is_empty()).then_some(skills), accept };
    let updates = session.call_with_progress::<UpdateSkills>(params, &progress).await?;
    progress.end();
    let is_done = updates.failed.is_empty();
    out.result(&updates, |updates| {
        let done = updates.updated.iter().map(installed);
        let failed = updates.failed.iter().map(|one| format!("{}: {}", one.slug, one.failure.message));
        let lines: Vec<_> = done.chain(failed).collect();
        if lines.is_empty() { "everything is up to date".to_owned() } else { lines.join("\n") }
    })?;
    if is_done { Ok(()) } else { Err(CliError::Findings) }
}

fn forks(outdated: &OutdatedForks) -> String {
    if outdated.forks.is_empty() {
        return "no copy has an updated original".to_owned();
    }
    let row = |fork: &OutdatedFork| {
        vec![
            fork.slug.to_string(),
            fork.scope.to_string(),
            fork.parent_slug.to_string(),
            format!("{} to {}", fork.base_version, fork.version),
        ]
    };
    table(&outdated.forks.iter().map(row).collect::<Vec<_>>())
}

fn merged(update: &ForkUpdate) -> String {
    let mut lines = Vec::new();
    if let Some(revision) = update.revision {
        lines.push(format!("{} has the changes of its original in revision {revision}", update.slug));
    }
    if let Some(proposal) = update.proposal {
        lines.push(format!("the same lines were changed in {}; proposal {proposal} has both versions", list(&update.conflicts)));
    } else if !update.conflicts.is_empty() {
        let files = list(&update.conflicts);
        lines.push(format!("the same lines were changed in {files}; update it again to get a proposal with both versions"));
    }
    if !update.kept.is_empty() {
        lines.push(format!("kept as they are in the copy: {}", list(&update.kept)));
    }
    lines.join("\n")
}

async fn pin(session: &Session, skill: String, pinned: bool, out: &Out) -> Result<(), CliError> {
    let skill = session.call::<PinSkill>(PinParams { skill, pinned }).await?;
    out.result(&skill, |skill| {
        if pinned { format!("{} stays at version {}", skill.slug, skill.version) } else { format!("{} is updated again", skill.slug) }
    })
}
