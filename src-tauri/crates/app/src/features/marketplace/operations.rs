use std::sync::Arc;

use inklings_core::SkillId;
use inklings_registry::client::{MarketplaceId, Offer};
use inklings_registry::format::{IndexLine, permissions};
use inklings_rpc::{CallContext, Failure, NoParams, ProgressReporter, operations};

use super::api::{
    CompareVersionsParams, FailedUpdate, InstallSkillParams, InstalledMarketplaceSkill, InstalledRef, InstalledSkills, InstalledStatus,
    MarketplaceDetail, MarketplacePackage, MarketplacePage, MarketplaceRef, PinParams, SearchMarketplaceParams, SkillInstallation,
    SkillUpdates, UpdateSkillsParams, VersionComparison,
};
use super::error::MarketplaceError;
use super::installation::{NewPackage, ensure_installable, find_installed, install_package, present, roll_back};
use super::installed::{PendingUpdate, pending_updates};
use super::listing::Listing;
use super::packages::{describe, differences, fetch_package};
use super::{detail, installed};
use crate::app::App;
use crate::features::registry::marketplace_settings;

fn search(app: &App, _: &CallContext, params: SearchMarketplaceParams) -> Result<MarketplacePage, Failure> {
    let listing = app.marketplace.listing()?;
    Ok(detail::search(&app.marketplace, &listing, &params)?)
}

fn get(app: &App, cx: &CallContext, params: MarketplaceRef) -> Result<MarketplaceDetail, Failure> {
    let listing = app.marketplace.listing()?;
    Ok(detail::detail(&app.marketplace, &listing, &app.editor(cx)?, (&params.id, params.version.as_deref()))?)
}

async fn package(app: Arc<App>, cx: CallContext, params: MarketplaceRef) -> Result<MarketplacePackage, Failure> {
    let listing = app.blocking(|app| Ok(app.marketplace.listing()?)).await?;
    let offer = listing.find(&params.id)?;
    let line = listing.version(&offer, params.version.as_deref())?;
    let now = app.clock.now();
    let package = fetch_package(&app.marketplace, app.folder.as_ref(), (&offer, line), now, &cx.cancel, &cx.progress).await?;
    Ok(describe(&offer, line, &package))
}

async fn compare(app: Arc<App>, cx: CallContext, params: CompareVersionsParams) -> Result<VersionComparison, Failure> {
    let listing = app.blocking(|app| Ok(app.marketplace.listing()?)).await?;
    let offer = listing.find(&params.id)?;
    let to_line = listing.version(&offer, Some(&params.to))?;
    let now = app.clock.now();
    let fetch = |line| fetch_package(&app.marketplace, app.folder.as_ref(), (&offer, line), now, &cx.cancel, &cx.progress);
    let to = fetch(to_line).await?;
    let from = if let Some(version) = &params.from {
        fetch(listing.version(&offer, Some(version))?).await?
    } else {
        let (slug, cx) = (to.slug.clone(), cx.clone());
        let stored = app.blocking(move |app| Ok(present(&app.editor(&cx)?, &slug)?)).await?;
        stored.ok_or_else(|| MarketplaceError::NotInstalled(to.slug.clone()))?.package
    };
    let (before, after) = (permissions(&from).unwrap_or_default(), permissions(&to).unwrap_or_default());
    Ok(VersionComparison {
        from: from.version.clone(),
        to: to.version.clone(),
        files: differences(&from.tree(), &to.tree()),
        added_permissions: after.difference(&before).cloned().collect(),
        removed_permissions: before.difference(&after).cloned().collect(),
    })
}

async fn install(app: Arc<App>, cx: CallContext, params: InstallSkillParams) -> Result<SkillInstallation, Failure> {
    install_version(app, cx, params, true).await
}

/// Downloads and verifies a version.
async fn download(app: &App, cx: &CallContext, (offer, line): (&Offer<'_>, &IndexLine)) -> Result<NewPackage, Failure> {
    let now = app.clock.now();
    let package = fetch_package(&app.marketplace, app.folder.as_ref(), (offer, line), now, &cx.cancel, &cx.progress).await?;
    Ok(NewPackage { id: MarketplaceId::of(offer, line), package, sha256: line.entry.sha256 })
}

/// Downloads an update, and installs it unless it must wait by then: meanwhile, the user may have pinned or rolled back the skill, or
/// changed a setting. Returns the update as it is after the download, `None` if there is none any more.
pub(crate) async fn install_update(
    app: &Arc<App>,
    cx: &CallContext,
    listing: &Listing,
    planned: &PendingUpdate,
) -> Result<Option<PendingUpdate>, Failure> {
    let offer = listing.find(&planned.id.to_string())?;
    let line = listing.version(&offer, Some(&planned.to))?;
    let new = download(app, cx, (&offer, line)).await?;
    let (context, skill) = (cx.clone(), planned.skill);
    app.blocking(move |app| {
        let editor = app.editor(&context)?;
        // Read before the decision, so that what is replaced has the revision that was decided on.
        let before = present(&editor, &new.package.slug)?;
        let listing = app.marketplace.listing()?;
        let is_automatic = marketplace_settings(app.user.as_ref())?.update_automatically;
        let pending = pending_updates(&app.marketplace, &listing, &editor.catalog, is_automatic, Some(skill))?;
        let update = pending.into_iter().find(|update| update.id == new.id && update.sha256 == new.sha256);
        if update.as_ref().is_some_and(|update| update.waits.is_none()) {
            install_package(&app.marketplace, &editor, before, new, None)?;
        }
        Ok(update)
    })
    .await
}

async fn install_version(
    app: Arc<App>,
    cx: CallContext,
    params: InstallSkillParams,
    may_unpin: bool,
) -> Result<SkillInstallation, Failure> {
    let listing = app.blocking(|app| Ok(app.marketplace.listing()?)).await?;
    let offer = listing.find(&params.id)?;
    let line = listing.version(&offer, params.version.as_deref())?.clone();
    let id = MarketplaceId::of(&offer, &line);
    // Before the download: what is refused needn't be fetched.
    let (entry, context, accept) = (line.entry.clone(), cx.clone(), params.accept.clone());
    app.blocking(move |app| {
        let before = present(&app.editor(&context)?, &entry.slug)?;
        Ok(ensure_installable(before.as_ref(), &id, &entry, &accept)?)
    })
    .await?;
    let new = download(&app, &cx, (&offer, &line)).await?;
    app.blocking(move |app| {
        let editor = app.editor(&cx)?;
        // Again: the skill may have been rolled back or pinned during the download.
        let before = present(&editor, &line.entry.slug)?;
        ensure_installable(before.as_ref(), &new.id, &line.entry, &params.accept)?;
        let is_present = |skill: SkillId| before.as_ref().is_some_and(|before| before.head.id == skill);
        if !may_unpin && app.marketplace.store.installed_skills()?.iter().any(|one| one.is_pinned && is_present(one.skill)) {
            return Err(MarketplaceError::Pinned(line.entry.slug).into());
        }
        let listing = app.marketplace.listing()?;
        let latest = listing.find(&params.id).ok().and_then(|offer| offer.catalog.latest(&line.entry.slug, app.marketplace.version()));
        // Who chooses an older version wants to keep it.
        let is_older = params.version.is_some() && latest.is_some_and(|latest| latest.entry.version != line.entry.version);
        Ok(install_package(&app.marketplace, &editor, before, new, Some(is_older))?)
    })
    .await
}

fn list_installed(app: &App, cx: &CallContext, _: NoParams) -> Result<InstalledSkills, Failure> {
    let (catalog, listing) = (app.catalog(cx)?, app.marketplace.listing()?);
    let is_automatic = marketplace_settings(app.user.as_ref())?.update_automatically;
    let skills = installed::list(&app.marketplace, &listing, &catalog, is_automatic)?;
    let is_revoked = |skill: &&InstalledMarketplaceSkill| matches!(skill.status, InstalledStatus::Revoked);
    Ok(InstalledSkills {
        updates: skills.iter().filter(|skill| skill.update.is_some()).count(),
        revoked: skills.iter().filter(is_revoked).count(),
        skills,
    })
}

async fn update(app: Arc<App>, cx: CallContext, params: UpdateSkillsParams) -> Result<SkillUpdates, Failure> {
    let (accept, context) = (params.accept.clone(), cx.clone());
    let is_chosen = params.skills.is_some();
    let wanted: Vec<InstalledMarketplaceSkill> = app
        .blocking(move |app| {
            let (editor, listing) = (app.editor(&context)?, app.marketplace.listing()?);
            let mut all = installed::list(&app.marketplace, &listing, &editor.catalog, true)?;
            match params.skills {
                None => all.retain(|skill| skill.update.as_ref().is_some_and(|update| update.waits.is_none())),
                Some(names) => {
                    let ids = names.iter().map(|name| Ok(find_installed(&app.marketplace, &editor, name)?.0.head.id));
                    let ids = ids.collect::<Result<Vec<_>, Failure>>()?;
                    all.retain(|skill| ids.contains(&skill.skill));
                }
            }
            Ok(all)
        })
        .await?;
    let mut updates = SkillUpdates { updated: Vec::new(), failed: Vec::new() };
    let total = wanted.len();
    for (done, skill) in wanted.into_iter().enumerate() {
        cx.progress.report(done, Some(total));
        let result = match skill.update {
            Some(update) => {
                let params = InstallSkillParams { id: skill.id, version: Some(update.version), accept: accept.clone() };
                let cx = CallContext { progress: ProgressReporter::default(), ..cx.clone() };
                install_version(app.clone(), cx, params, is_chosen).await
            }
            None if is_chosen => Err(MarketplaceError::UpToDate { slug: skill.slug.clone() }.into()),
            None => continue,
        };
        match result {
            Ok(installation) => updates.updated.push(installation),
            Err(failure) => updates.failed.push(FailedUpdate { slug: skill.slug, failure: failure.into() }),
        }
    }
    cx.progress.report(total, Some(total));
    Ok(updates)
}

fn pin(app: &App, cx: &CallContext, params: PinParams) -> Result<InstalledMarketplaceSkill, Failure> {
    let editor = app.editor(cx)?;
    let (skill, mut installed) = find_installed(&app.marketplace, &editor, &params.skill)?;
    installed.is_pinned = params.pinned;
    let is_automatic = marketplace_settings(app.user.as_ref())?.update_automatically;
    let (repository, listing) = (editor.repository_of(&skill)?.as_ref(), app.marketplace.listing()?);
    let status = installed::status(&app.marketplace, &listing, repository, installed, is_automatic)?;
    app.marketplace.store.set_pinned(skill.head.id, params.pinned)?;
    Ok(status)
}

fn rollback(app: &App, cx: &CallContext, params: InstalledRef) -> Result<SkillInstallation, Failure> {
    let listing = app.marketplace.listing()?;
    Ok(roll_back(&app.marketplace, &listing, &app.editor(cx)?, &params.skill)?)
}

operations! { App;
    /// Needs no network.
    SearchMarketplace = "marketplace/search", Read, blocking search(SearchMarketplaceParams) -> MarketplacePage;
    /// Needs no network.
    GetMarketplaceSkill = "marketplace/get", Read, blocking get(MarketplaceRef) -> MarketplaceDetail;
    /// Downloads and verifies a version to show its files. Nothing is installed.
    GetMarketplacePackage = "marketplace/package", Local, async package(MarketplaceRef) -> MarketplacePackage;
    CompareVersions = "marketplace/compare", Local, async compare(CompareVersionsParams) -> VersionComparison;
    /// Stores it in the account. A version that isn't the newest one is pinned.
    InstallSkill = "marketplace/install", Local["skill", "registry"], async install(InstallSkillParams) -> SkillInstallation;
    ListInstalled = "marketplace/installed", Read, blocking list_installed(NoParams) -> InstalledSkills;
    /// One that fails doesn't stop the others.
    UpdateSkills = "marketplace/update", Local["skill", "registry"], async update(UpdateSkillsParams) -> SkillUpdates;
    /// A pinned skill keeps its version until the user updates it.
    PinSkill = "marketplace/pin", Local["registry"], blocking pin(PinParams) -> InstalledMarketplaceSkill;
    /// Restores the version before the present one from the skill's history, and pins it. Needs no network.
    RollBackSkill = "marketplace/rollback", Local["skill", "registry"], blocking rollback(InstalledRef) -> SkillInstallation;
}
