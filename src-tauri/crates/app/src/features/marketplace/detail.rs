//! A skill of a registry as front ends show it.

use std::collections::HashMap;

use inklings_core::Slug;
use inklings_core::marketplace::InstalledSkill;
use inklings_registry::client::{MarketplaceId, Offer};
use inklings_registry::format::IndexLine;
use semver::Version;

use super::api::{
    InstalledVersion, MarketplaceDependency, MarketplaceDetail, MarketplacePage, MarketplaceSkill, MarketplaceVersion, NameConflict,
    SearchMarketplaceParams,
};
use super::catalogs::Marketplace;
use super::consent::Granted;
use super::error::MarketplaceError;
use super::installation::{ensure_replaceable, present};
use super::listing::{Listing, Search, representative};
use crate::editing::SkillEditor;

const DEFAULT_LIMIT: usize = 50;
const MAX_LIMIT: usize = 200;

/// Installed skills by marketplace ID.
type Installed = HashMap<String, InstalledSkill>;

fn installed(marketplace: &Marketplace) -> Result<Installed, MarketplaceError> {
    let skills = marketplace.store.installed_skills()?;
    Ok(skills.into_iter().map(|skill| (skill.package.marketplace_id.clone(), skill)).collect())
}

pub(super) fn search(
    marketplace: &Marketplace,
    listing: &Listing,
    params: &SearchMarketplaceParams,
) -> Result<MarketplacePage, MarketplaceError> {
    let installed = installed(marketplace)?;
    let found = listing.search(Search {
        query: &params.query,
        category: params.category.as_deref(),
        registry: params.registry.as_deref(),
        offset: params.offset,
        limit: params.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT),
    });
    let offers = found.ids.iter().filter_map(|id| listing.catalogs.get(id));
    let skills = offers.filter_map(|offer| {
        let (line, available) = representative(&offer, marketplace.version())?;
        Some(row(&offer, line, available, &installed, marketplace.version()))
    });
    Ok(MarketplacePage { skills: skills.collect(), total: found.total, categories: found.categories })
}

fn row(offer: &Offer<'_>, line: &IndexLine, available: bool, installed: &Installed, client: &Version) -> MarketplaceSkill {
    let entry = &line.entry;
    let id = MarketplaceId::of(offer, line);
    let installed = installed.get(&id.to_string()).map(|skill| {
        let latest = offer.catalog.latest(&entry.slug, client).map(|line| &line.entry.version);
        let update = latest.filter(|latest| Version::parse(&skill.version).is_ok_and(|version| **latest > version));
        InstalledVersion {
            skill: skill.skill,
            version: skill.version.clone(),
            pinned: skill.is_pinned,
            update: update.map(ToString::to_string),
        }
    });
    MarketplaceSkill {
        id,
        slug: entry.slug.clone(),
        title: entry.title.clone(),
        description: entry.description.clone(),
        category: entry.category.clone(),
        tags: entry.tags.clone(),
        author: entry.author.clone(),
        publisher: offer.catalog.publisher(line).map(str::to_owned),
        version: entry.version.to_string(),
        published_at: entry.published_at,
        permissions: entry.permissions.clone(),
        token_cost: entry.token_cost,
        length: entry.length,
        available,
        hidden_by: offer.hidden_by.map(ToString::to_string),
        installed,
    }
}

/// `version` is the one that is described, the newest one that can be installed by default.
pub(super) fn detail(
    marketplace: &Marketplace,
    listing: &Listing,
    editor: &SkillEditor<'_>,
    (id, version): (&str, Option<&str>),
) -> Result<MarketplaceDetail, MarketplaceError> {
    let offer = listing.find(id)?;
    let client = marketplace.version();
    let (latest, _) = representative(&offer, client).ok_or_else(|| MarketplaceError::NotFound(id.to_owned()))?;
    let line = version.map_or(Ok(latest), |version| listing.version(&offer, Some(version)))?;
    let entry = &line.entry;
    let installed = installed(marketplace)?;
    let is_available = is_available(&offer, line, client);
    let skill = row(&offer, line, is_available, &installed, client);
    let of_this = installed.get(&skill.id.to_string());
    let stored = present(editor, &entry.slug)?;
    let new_permissions = match (&stored, of_this) {
        (Some(stored), Some(_)) => Granted::of(None, &stored.package).new_permissions(&line.entry),
        _ => entry.permissions.clone(),
    };
    let conflict = stored.filter(|stored| ensure_replaceable(stored, &skill.id, &entry.version).is_err());
    let conflict = conflict.map(|stored| NameConflict { skill: stored.head.id, title: stored.package.name });
    let dependencies = entry.requires.skills.iter().map(|slug| dependency(listing, editor, slug)).collect::<Result<_, _>>()?;
    let mut versions: Vec<_> = offer.versions.iter().map(|line| self::version(&offer, line, of_this, client)).collect();
    versions.reverse();
    Ok(MarketplaceDetail {
        registry_title: offer.catalog.root().document().title.clone(),
        publisher_key: line.publisher.to_string(),
        sha256: entry.sha256,
        files: entry.files,
        versions,
        dependencies,
        new_permissions,
        conflict,
        skill,
    })
}

fn is_available(offer: &Offer<'_>, line: &IndexLine, client: &Version) -> bool {
    let entry = &line.entry;
    let is_supported = entry.requires.client.as_ref().is_none_or(|needs| needs <= client);
    is_supported && offer.catalog.revocation(&entry.sha256).is_none()
}

fn dependency(listing: &Listing, editor: &SkillEditor<'_>, slug: &Slug) -> Result<MarketplaceDependency, MarketplaceError> {
    let id = listing.catalogs.find(slug).map(|offer| MarketplaceId { registry: offer.catalog.registry().clone(), slug: slug.clone() });
    Ok(MarketplaceDependency { slug: slug.clone(), installed: present(editor, slug)?.is_some(), id })
}

fn version(offer: &Offer<'_>, line: &IndexLine, installed: Option<&InstalledSkill>, client: &Version) -> MarketplaceVersion {
    let entry = &line.entry;
    MarketplaceVersion {
        version: entry.version.to_string(),
        published_at: entry.published_at,
        publisher: offer.catalog.publisher(line).map(str::to_owned),
        permissions: entry.permissions.clone(),
        token_cost: entry.token_cost,
        length: entry.length,
        yanked: line.yanked.clone(),
        revoked: offer.catalog.revocation(&entry.sha256).map(|revocation| revocation.reason.clone()),
        needs_app: entry.requires.client.as_ref().filter(|needs| *needs > client).map(ToString::to_string),
        installed: installed.is_some_and(|skill| skill.package.sha256 == entry.sha256),
    }
}
