use std::collections::BTreeSet;
use std::sync::Arc;

use inklings_registry::client::{MarketplaceId, Offer};
use inklings_registry::format::{IndexLine, PackageEntry, Permission, permissions};
use inklings_rpc::{CallContext, Failure, NoParams, ProgressReporter, operations};

use super::api::{
    CompareVersionsParams, FailedUpdate, InstallSkillParams, InstalledMarketplaceSkill, InstalledRef, InstalledSkills, InstalledStatus,
    MarketplaceDetail, MarketplacePackage, MarketplacePage, MarketplaceRef, PinParams, SearchMarketplaceParams, SkillInstallation,
    SkillUpdates, UpdateSkillsParams, VersionComparison,
};
use super::error::MarketplaceError;
use super::installation::{NewPackage, ensure_installable, find_installed, install_package, present, roll_back};
use super::installed::{PendingUpdate, account, pending_updates};
use super::listing::Listing;
use super::packages::{describe, differences, fetch_package};
use super::{detail, installed};
use crate::app::App;
use crate::features::registry::{WaitReason, marketplace_settings};

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

/// Downloads and verifies a version.
async fn download(app: &App, cx: &CallContext, (offer, line): (&Offer<'_>, &IndexLine)) -> Result<NewPackage, Failure> {
    let now = app.clock.now();
    let package = fetch_package(&app.marketplace, app.folder.as_ref(), (offer, line), now, &cx.cancel, &cx.progress).await?;
    Ok(NewPackage { id: MarketplaceId::of(offer, line), package, sha256: line.entry.sha256 })
}

/// Whether a package is still what its registry has, after a download that took a while.
fn ensure_offered<'a>(listing: &'a Listing, new: &NewPackage) -> Result<&'a PackageEntry, MarketplaceError> {
    let offer = listing.find(&new.id.to_string())?;
    let entry = &listing.version(&offer, Some(&new.package.version))?.entry;
    offer.catalog.ensure_not_revoked(&entry.slug, &new.sha256)?;
    if entry.sha256 != new.sha256 {
        return Err(MarketplaceError::NoVersion { slug: entry.slug.clone(), version: entry.version.to_string() });
    }
    Ok(entry)
}

async fn install(app: Arc<App>, cx: CallContext, params: InstallSkillParams) -> Result<SkillInstallation, Failure> {
    let listing = app.blocking(|app| Ok(app.marketplace.listing()?)).await?;
    let offer = listing.find(&params.id)?;
    let line = listing.version(&offer, params.version.as_deref())?;
    let latest = offer.catalog.latest(&line.entry.slug, app.marketplace.version());
    // Who chooses an older version wants to keep it.
    let is_older = params.version.is_some() && latest.is_some_and(|latest| latest.entry.version != line.entry.version);
    // Before the download: what is refused needn't be fetched.
    let (id, entry, context, accept) = (MarketplaceId::of(&offer, line), line.entry.clone(), cx.clone(), params.accept.clone());
    app.blocking(move |app| {
        let before = present(&app.editor(&context)?, &entry.slug)?;
        Ok(ensure_installable(before.as_ref(), &id, &entry, &accept)?)
    })
    .await?;
    let new = download(&app, &cx, (&offer, line)).await?;
    app.blocking(move |app| {
        let (editor, listing) = (app.editor(&cx)?, app.marketplace.listing()?);
        // Again: the version may have been revoked, or the skill rolled back or pinned, during the download.
        let entry = ensure_offered(&listing, &new)?;
        let before = present(&editor, &entry.slug)?;
        ensure_installable(before.as_ref(), &new.id, entry, &params.accept)?;
        Ok(install_package(&app.marketplace, &editor, before, new, Some(is_older))?)
    })
    .await
}

/// Who wants an update.
#[derive(Debug, Clone)]
pub(crate) enum UpdateBy {
    /// A sync. What needs consent, is pinned or isn't to be updated automatically waits.
    Sync,
    /// `is_named` if the user named the skill, which is updated even if it is pinned then.
    User { accept: BTreeSet<Permission>, is_named: bool },
}

/// What became of an update.
pub(crate) enum UpdateOutcome {
    Installed(PendingUpdate, SkillInstallation),
    Waiting(PendingUpdate, WaitReason),
    /// The skill or its registry was removed, or has another version by now.
    Obsolete,
}

/// Downloads an update, and installs it unless it must wait or is none any more by then: meanwhile, the user may have pinned or rolled
/// back the skill, or changed a setting, and another sync may have found that the version was revoked, or found a newer one.
pub(crate) async fn install_update(
    app: &Arc<App>,
    cx: &CallContext,
    (listing, planned): (&Listing, &PendingUpdate),
    by: UpdateBy,
) -> Result<UpdateOutcome, Failure> {
    let offer = listing.find(&planned.id.to_string())?;
    let line = listing.version(&offer, Some(&planned.to))?;
    let new = download(app, cx, (&offer, line)).await?;
    let (context, skill) = (cx.clone(), planned.skill);
    app.blocking(move |app| {
        let editor = app.editor(&context)?;
        // Read before the decision, so that what is replaced has the revision that was decided on.
        let before = account(&editor.catalog)?.get_skill(skill)?;
        let listing = app.marketplace.listing()?;
        let is_automatic = matches!(by, UpdateBy::User { .. }) || marketplace_settings(app.user.as_ref())?.update_automatically;
        let pending = pending_updates(&app.marketplace, &listing, &editor.catalog, is_automatic, Some(skill))?;
        let Some(update) = pending.into_iter().find(|update| update.id == new.id && update.sha256 == new.sha256) else {
            return Ok(UpdateOutcome::Obsolete);
        };
        let unpins = match (&by, update.waits) {
            (UpdateBy::User { accept, is_named: true }, _) => {
                ensure_installable(before.as_ref(), &new.id, ensure_offered(&listing, &new)?, accept)?;
                Some(false)
            }
            (_, None) => None,
            (_, Some(why)) => return Ok(UpdateOutcome::Waiting(update, why)),
        };
        Ok(UpdateOutcome::Installed(update, install_package(&app.marketplace, &editor, before, new, unpins)?))
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
    let by = UpdateBy::User { accept: params.accept, is_named: params.skills.is_some() };
    let context = cx.clone();
    let (listing, wanted) = app
        .blocking(move |app| {
            let (editor, listing) = (app.editor(&context)?, app.marketplace.listing()?);
            let mut pending = pending_updates(&app.marketplace, &listing, &editor.catalog, true, None)?;
            let wanted = match params.skills {
                None => {
                    let installed: BTreeSet<_> = app.marketplace.store.installed_skills()?.into_iter().map(|one| one.skill).collect();
                    let is_wanted = |update: &PendingUpdate| update.waits.is_none() && installed.contains(&update.skill);
                    pending.into_iter().filter(is_wanted).map(Ok).collect()
                }
                Some(names) => {
                    let (mut seen, mut wanted) = (BTreeSet::new(), Vec::new());
                    for name in &names {
                        let (skill, _) = find_installed(&app.marketplace, &editor, name)?;
                        if seen.insert(skill.head.id) {
                            let at = pending.iter().position(|update| update.skill == skill.head.id);
                            wanted.push(at.map(|at| pending.swap_remove(at)).ok_or(skill.package.slug));
                        }
                    }
                    wanted
                }
            };
            Ok((listing, wanted))
        })
        .await?;
    let mut updates = SkillUpdates { updated: Vec::new(), failed: Vec::new() };
    let total = wanted.len();
    for (done, planned) in wanted.into_iter().enumerate() {
        cx.progress.report(done, Some(total));
        let (slug, result) = match planned {
            Ok(planned) => {
                let cx = CallContext { progress: ProgressReporter::default(), ..cx.clone() };
                let result = install_update(&app, &cx, (&listing, &planned), by.clone()).await;
                let PendingUpdate { slug, to, .. } = planned;
                let result = result.and_then(|outcome| match outcome {
                    UpdateOutcome::Installed(_, installation) => Ok(installation),
                    UpdateOutcome::Waiting(update, WaitReason::Pinned) => Err(MarketplaceError::Pinned(update.slug).into()),
                    UpdateOutcome::Waiting(..) | UpdateOutcome::Obsolete => {
                        Err(MarketplaceError::Obsolete { slug: slug.clone(), version: to }.into())
                    }
                });
                (slug, result)
            }
            Err(slug) => (slug.clone(), Err(MarketplaceError::UpToDate { slug }.into())),
        };
        match result {
            Ok(installation) => updates.updated.push(installation),
            Err(failure) => updates.failed.push(FailedUpdate { slug, failure: failure.into() }),
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
