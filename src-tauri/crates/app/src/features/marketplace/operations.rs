use std::sync::Arc;

use inklings_registry::client::{MarketplaceId, Offer};
use inklings_registry::format::{IndexLine, permissions};
use inklings_rpc::{CallContext, Failure, NoParams, blocking, operations};

use super::api::{
    CompareVersionsParams, FailedUpdate, InstallSkillParams, InstalledMarketplaceSkill, InstalledRef, InstalledSkills, InstalledStatus,
    MarketplaceDetail, MarketplacePackage, MarketplacePage, MarketplaceRef, PinParams, SearchMarketplaceParams, SkillInstallation,
    SkillUpdates, UpdateSkillsParams, VersionComparison,
};
use super::consent::Granted;
use super::error::MarketplaceError;
use super::installation::{NewPackage, find_installed, install_package, present, roll_back};
use super::packages::{describe, differences, fetch_package};
use super::{detail, installation, installed};
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
    install_version(app, cx, params).await
}

/// Downloads, verifies and stores a version.
pub(crate) async fn install_line(
    app: &Arc<App>,
    cx: &CallContext,
    (offer, line): (&Offer<'_>, &IndexLine),
) -> Result<SkillInstallation, Failure> {
    let now = app.clock.now();
    let package = fetch_package(&app.marketplace, app.folder.as_ref(), (offer, line), now, &cx.cancel, &cx.progress).await?;
    let new = NewPackage { id: MarketplaceId::of(offer, line), package, sha256: line.entry.sha256 };
    let context = cx.clone();
    app.blocking(move |app| Ok(install_package(&app.editor(&context)?, new)?)).await
}

async fn install_version(app: Arc<App>, cx: CallContext, params: InstallSkillParams) -> Result<SkillInstallation, Failure> {
    let listing = app.blocking(|app| Ok(app.marketplace.listing()?)).await?;
    let offer = listing.find(&params.id)?;
    let line = listing.version(&offer, params.version.as_deref())?.clone();
    let id = MarketplaceId::of(&offer, &line);
    // Before the download: what is refused needn't be fetched.
    let (entry, context, accept) = (line.entry.clone(), cx.clone(), params.accept.clone());
    let has_choice = params.version.is_some();
    let replaces_version = app
        .blocking(move |app| {
            let stored = present(&app.editor(&context)?, &entry.slug)?;
            let mut missing = match &stored {
                Some(stored) => {
                    installation::ensure_replaceable(stored, &id, &entry.version)?;
                    Granted::of(None, &stored.package).new_permissions(&entry)
                }
                None => entry.permissions.clone(),
            };
            missing.retain(|permission| !accept.contains(permission));
            if missing.is_empty() {
                return Ok(stored.is_some());
            }
            Err(MarketplaceError::Consent { slug: entry.slug, version: entry.version.to_string(), missing }.into())
        })
        .await?;
    let installation = install_line(&app, &cx, (&offer, &line)).await?;
    blocking(move || {
        // Who chooses an older version wants to keep it.
        let latest = app.marketplace.listing()?.find(&params.id).ok().and_then(|offer| {
            offer.catalog.latest(&installation.slug, app.marketplace.version()).map(|line| line.entry.version.to_string())
        });
        let is_older = has_choice && latest.is_some_and(|latest| latest != installation.version);
        if is_older || replaces_version {
            app.marketplace.store.set_pinned(installation.skill, is_older)?;
        }
        Ok(installation)
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
                install_version(app.clone(), CallContext { progress: inklings_core::ProgressReporter::default(), ..cx.clone() }, params)
                    .await
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
    let (skill, _) = find_installed(&app.marketplace, &editor, &params.skill)?;
    app.marketplace.store.set_pinned(skill.head.id, params.pinned)?;
    let (_, installed) = find_installed(&app.marketplace, &editor, &params.skill)?;
    let is_automatic = marketplace_settings(app.user.as_ref())?.update_automatically;
    let (repository, listing) = (editor.repository_of(&skill)?.as_ref(), app.marketplace.listing()?);
    Ok(installed::status(&app.marketplace, &listing, repository, installed, is_automatic)?)
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
