//! Installed skills beside what their registries say.

use inklings_core::marketplace::InstalledSkill;
use inklings_core::{Digest, Scope, SkillCatalog, SkillId, SkillStorageRepository, Source, StorageError};
use inklings_registry::client::{MarketplaceId, Offer, PackageStatus};
use inklings_registry::format::IndexLine;
use semver::Version;

use super::api::{AvailableUpdate, InstalledMarketplaceSkill, InstalledStatus};
use super::catalogs::Marketplace;
use super::consent::Granted;
use super::error::MarketplaceError;
use super::listing::Listing;
use crate::features::registry::WaitReason;

/// A newer version of a skill of the account.
pub(crate) struct PendingUpdate {
    pub(crate) skill: SkillId,
    pub(crate) id: MarketplaceId,
    /// Hash of the package's archive.
    pub(crate) sha256: Digest,
    pub(crate) slug: inklings_core::Slug,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) waits: Option<WaitReason>,
}

/// Where installed skills are.
pub(super) fn account(catalog: &SkillCatalog) -> Result<&dyn SkillStorageRepository, StorageError> {
    let account = catalog.repository(Scope::Account).map(AsRef::as_ref);
    account.ok_or_else(|| StorageError::NotFound { what: "database", name: "account".to_owned() })
}

fn offer_of<'a>(listing: &'a Listing, id: &str) -> Option<Offer<'a>> {
    id.parse::<MarketplaceId>().ok().and_then(|id| listing.catalogs.get(&id))
}

/// The entry of the package that is installed.
pub(super) fn installed_line<'a>(offer: &Offer<'a>, skill: &InstalledSkill) -> Option<&'a IndexLine> {
    offer.versions.iter().find(|line| line.entry.sha256 == skill.package.sha256)
}

/// Reads the skill only if it has an update.
fn update(
    repository: &dyn SkillStorageRepository,
    (offer, skill): (&Offer<'_>, &InstalledSkill),
    version: &Version,
    is_automatic: bool,
) -> Result<Option<AvailableUpdate>, MarketplaceError> {
    let Some(line) = offer.versions.iter().find(|line| line.entry.version == *version) else { return Ok(None) };
    let Some(stored) = repository.get_skill(skill.skill)? else { return Ok(None) };
    let granted = Granted::of(installed_line(offer, skill), &stored.package);
    let waits = if skill.is_pinned {
        Some(WaitReason::Pinned)
    } else {
        granted.waits(line).or_else(|| (!is_automatic).then_some(WaitReason::Manual))
    };
    Ok(Some(AvailableUpdate { version: version.to_string(), waits, new_permissions: granted.new_permissions(&line.entry) }))
}

/// What the registry says about an installed skill.
pub(super) fn status(
    marketplace: &Marketplace,
    listing: &Listing,
    repository: &dyn SkillStorageRepository,
    skill: InstalledSkill,
    is_automatic: bool,
) -> Result<InstalledMarketplaceSkill, MarketplaceError> {
    let offer = offer_of(listing, &skill.package.marketplace_id);
    let status = match (&offer, Version::parse(&skill.version)) {
        (Some(offer), Ok(version)) => {
            let MarketplaceId { slug, .. } =
                skill.package.marketplace_id.parse().map_err(|_| MarketplaceError::NotInstalled(skill.slug.clone()))?;
            offer.catalog.status(&slug, &version, &skill.package.sha256, marketplace.version())
        }
        _ => PackageStatus::Unknown,
    };
    let (status, reason, version) = match status {
        PackageStatus::Current => (InstalledStatus::Current, None, None),
        PackageStatus::Update(version) => (InstalledStatus::Update, None, Some(version)),
        PackageStatus::Yanked { reason, update } => (InstalledStatus::Yanked, Some(reason), update),
        PackageStatus::Revoked { revocation, update } => (InstalledStatus::Revoked, Some(revocation.reason), update),
        PackageStatus::Unknown => (InstalledStatus::Unknown, None, None),
    };
    let update = match (&offer, version) {
        (Some(offer), Some(version)) => update(repository, (offer, &skill), &version, is_automatic)?,
        _ => None,
    };
    Ok(InstalledMarketplaceSkill {
        skill: skill.skill,
        slug: skill.slug,
        title: skill.name,
        id: skill.package.marketplace_id,
        version: skill.version,
        pinned: skill.is_pinned,
        status,
        reason,
        update,
    })
}

/// All installed skills, by name.
pub(super) fn list(
    marketplace: &Marketplace,
    listing: &Listing,
    catalog: &SkillCatalog,
    is_automatic: bool,
) -> Result<Vec<InstalledMarketplaceSkill>, MarketplaceError> {
    let repository = account(catalog)?;
    let skills = marketplace.store.installed_skills()?;
    skills.into_iter().map(|skill| status(marketplace, listing, repository, skill, is_automatic)).collect()
}

/// Newer versions of installed skills, and of built-in skills in registries that may update them; of all skills, or of `only` one.
pub(crate) fn pending_updates(
    marketplace: &Marketplace,
    listing: &Listing,
    catalog: &SkillCatalog,
    is_automatic: bool,
    only: Option<SkillId>,
) -> Result<Vec<PendingUpdate>, MarketplaceError> {
    let repository = account(catalog)?;
    let is_wanted = |skill: SkillId| only.is_none_or(|only| skill == only);
    let installed = marketplace.store.installed_skills()?.into_iter().filter(|skill| is_wanted(skill.skill));
    let installed = installed.map(|skill| status(marketplace, listing, repository, skill, is_automatic)).collect::<Result<Vec<_>, _>>()?;
    let mut pending: Vec<_> = installed
        .iter()
        .filter_map(|skill| {
            let update = skill.update.as_ref()?;
            let offer = offer_of(listing, &skill.id)?;
            let line = offer.versions.iter().find(|line| line.entry.version.to_string() == update.version)?;
            Some(PendingUpdate {
                skill: skill.skill,
                id: MarketplaceId::of(&offer, line),
                sha256: line.entry.sha256,
                slug: skill.slug.clone(),
                from: skill.version.clone(),
                to: update.version.clone(),
                waits: update.waits,
            })
        })
        .collect();
    let sources: Vec<String> = marketplace.store.registries()?.into_iter().filter(|one| one.updates_built_in).map(|one| one.id).collect();
    if sources.is_empty() {
        return Ok(pending);
    }
    for summary in repository.list_skills()?.into_iter().filter(|one| one.source == Source::System && is_wanted(one.id)) {
        if installed.iter().any(|skill| skill.skill == summary.id) {
            continue;
        }
        let Some(offer) =
            listing.catalogs.find(&summary.slug).filter(|offer| sources.iter().any(|id| id == offer.catalog.registry().as_str()))
        else {
            continue;
        };
        let (Some(line), Ok(present)) = (offer.catalog.latest(&summary.slug, marketplace.version()), Version::parse(&summary.version))
        else {
            continue;
        };
        if line.entry.version <= present {
            continue;
        }
        let Some(stored) = repository.get_skill(summary.id)? else { continue };
        // The user trusted the registry with built-in skills, whose publisher was the app itself.
        let needs_consent = !Granted::of(None, &stored.package).new_permissions(&line.entry).is_empty();
        let waits = needs_consent.then_some(WaitReason::Permissions).or_else(|| (!is_automatic).then_some(WaitReason::Manual));
        pending.push(PendingUpdate {
            skill: summary.id,
            id: MarketplaceId::of(&offer, line),
            sha256: line.entry.sha256,
            slug: summary.slug,
            from: summary.version,
            to: line.entry.version.to_string(),
            waits,
        });
    }
    Ok(pending)
}
