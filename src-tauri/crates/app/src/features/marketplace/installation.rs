//! Storing packages of registries in the account's database: as a whole, with a revision, or not at all.

use std::collections::BTreeSet;

use inklings_core::change::RevisionFilter;
use inklings_core::marketplace::{InstalledPackage, InstalledSkill};
use inklings_core::{ChangeSet, Digest, Expected, Head, Package, RelationKind, Scope, Skill, SkillFormat as _, SkillId, Slug, Source};
use inklings_folder::package::{PackageFormat, pack};
use inklings_registry::client::MarketplaceId;
use inklings_registry::format::{PackageEntry, Permission};
use semver::Version;

use super::api::SkillInstallation;
use super::catalogs::Marketplace;
use super::consent::Granted;
use super::error::MarketplaceError;
use super::installed::account;
use super::listing::Listing;
use crate::after_write::{after_write, log_failure};
use crate::editing::SkillEditor;

/// Revisions that are searched at a time.
const PAGE: usize = 50;

/// A verified package.
pub(crate) struct NewPackage {
    pub(crate) id: MarketplaceId,
    pub(crate) package: Package,
    /// Of the archive.
    pub(crate) sha256: Digest,
}

impl NewPackage {
    fn origin(&self) -> InstalledPackage {
        InstalledPackage { marketplace_id: self.id.to_string(), sha256: self.sha256 }
    }
}

/// The skill of the account with a slug.
pub(super) fn present(editor: &SkillEditor<'_>, slug: &Slug) -> Result<Option<Skill>, MarketplaceError> {
    Ok(account(&editor.catalog)?.get_skill_by_name(slug.as_str())?.filter(|skill| skill.package.slug == *slug))
}

/// Whether a package may replace a skill of the account.
pub(super) fn ensure_replaceable(present: &Skill, id: &MarketplaceId, version: &Version) -> Result<(), MarketplaceError> {
    let slug = present.package.slug.clone();
    match (present.head.source, &present.head.package) {
        (Source::Community | Source::System, Some(origin)) if origin.marketplace_id == id.to_string() => Ok(()),
        (Source::Community, origin) => {
            let registry = origin.as_ref().map_or("a registry", |origin| origin.marketplace_id.as_str()).to_owned();
            Err(MarketplaceError::OtherRegistry { slug, registry })
        }
        (Source::System, _) => {
            let is_newer = Version::parse(&present.package.version).is_ok_and(|known| *version > known);
            if is_newer { Ok(()) } else { Err(MarketplaceError::NotNewer { slug, present: present.package.version.clone() }) }
        }
        (Source::User | Source::Imported, _) => Err(MarketplaceError::NameTaken { slug }),
    }
}

/// Whether a version may be installed: in place of the skill with its name, and with no other permissions than those that the skill has
/// or the user accepted.
pub(super) fn ensure_installable(
    present: Option<&Skill>,
    id: &MarketplaceId,
    entry: &PackageEntry,
    accept: &BTreeSet<Permission>,
) -> Result<(), MarketplaceError> {
    let mut missing = match present {
        Some(present) => {
            ensure_replaceable(present, id, &entry.version)?;
            Granted::of(None, &present.package).new_permissions(entry)
        }
        None => entry.permissions.clone(),
    };
    missing.retain(|permission| !accept.contains(permission));
    if missing.is_empty() {
        return Ok(());
    }
    Err(MarketplaceError::Consent { slug: entry.slug.clone(), version: entry.version.to_string(), missing })
}

/// Adds the skill of a package, or replaces `before`, the skill of the account with its name. Fails if that was changed since. `pinned` is
/// whether the skill keeps this version; `None` leaves that as it is.
pub(super) fn install_package(
    marketplace: &Marketplace,
    editor: &SkillEditor<'_>,
    before: Option<Skill>,
    new: NewPackage,
    pinned: Option<bool>,
) -> Result<SkillInstallation, MarketplaceError> {
    let slug = new.package.slug.clone();
    let version = new.package.version.clone();
    let replaced = before.as_ref().map(|before| before.package.version.clone());
    let head = match &before {
        None => Head { package: Some(new.origin()), ..editor.new_head(Scope::Account, Source::Community) },
        Some(before) => {
            let parsed =
                Version::parse(&version).map_err(|_| MarketplaceError::NoVersion { slug: slug.clone(), version: version.clone() })?;
            ensure_replaceable(before, &new.id, &parsed)?;
            before.head.clone()
        }
    };
    let id = head.id;
    let write = || match before {
        None => create(editor, head, &new),
        Some(before) => {
            let why = format!("updated to {version} from {}", new.id.registry);
            replace(editor, before, &new.package, new.origin(), &why)
        }
    };
    if pinned == Some(true) {
        write_pinned(marketplace, id, write)?;
    } else {
        write()?;
    }
    if pinned == Some(false) && replaced.is_some() {
        after_write("unpinning it", marketplace.store.set_pinned(id, false));
    }
    let missing = after_write("looking for skills that it depends on", missing(editor, &new.package));
    Ok(SkillInstallation { skill: id, slug, version, replaced, missing })
}

/// Pins a skill before its version is written: a version that is written first and can't be pinned would be replaced by the next sync.
fn write_pinned(
    marketplace: &Marketplace,
    skill: SkillId,
    write: impl FnOnce() -> Result<(), MarketplaceError>,
) -> Result<(), MarketplaceError> {
    let was_unpinned = marketplace.store.set_pinned(skill, true)?;
    write().inspect_err(|_| {
        if was_unpinned && let Err(error) = marketplace.store.set_pinned(skill, false) {
            log_failure("a skill stays pinned to its version, though another one couldn't be stored", error);
        }
    })
}

fn create(editor: &SkillEditor<'_>, head: Head, new: &NewPackage) -> Result<(), MarketplaceError> {
    let package = editor.free_ids(account(&editor.catalog)?, new.package.clone(), None, &mut BTreeSet::new())?;
    let why = format!("installed {} from {}", package.version, new.id.registry);
    editor.store_new(head, package, &why)?;
    Ok(())
}

fn replace(
    editor: &SkillEditor<'_>,
    before: Skill,
    package: &Package,
    origin: InstalledPackage,
    why: &str,
) -> Result<(), MarketplaceError> {
    let id = before.head.id;
    let reading =
        editor.folder.read(&package.tree(), package.slug.as_str(), Some(&before.package)).map_err(inklings_core::StorageError::Invalid)?;
    let package = editor.free_ids(account(&editor.catalog)?, reading.package, Some(&before.package), &mut BTreeSet::new())?;
    let head = Head { package: Some(origin), ..before.head.clone() };
    let expected = Expected::Revision(before.head.revision);
    let change = ChangeSet::between(Some(&before), Some(Skill { head, package }), id, editor.caller.actor, why);
    account(&editor.catalog)?.commit(&change, expected)?;
    Ok(())
}

/// Skills that a package depends on and the account doesn't have.
fn missing(editor: &SkillEditor<'_>, package: &Package) -> Result<Vec<Slug>, MarketplaceError> {
    let mut missing = Vec::new();
    for slug in package.related(RelationKind::DependsOn).filter_map(|target| Slug::parse(target).ok()) {
        if present(editor, &slug)?.is_none() {
            missing.push(slug);
        }
    }
    Ok(missing)
}

/// An installed skill by ID, slug or title.
pub(super) fn find_installed(
    marketplace: &Marketplace,
    editor: &SkillEditor<'_>,
    name: &str,
) -> Result<(Skill, InstalledSkill), MarketplaceError> {
    let skill = editor.catalog.require(name, Some(Scope::Account))?;
    let installed = marketplace.store.installed_skills()?.into_iter().find(|one| one.skill == skill.head.id);
    installed.map(|installed| (skill.clone(), installed)).ok_or(MarketplaceError::NotInstalled(skill.package.slug))
}

/// Restores the version before the present one from the skill's history, and pins the skill so that it stays. Needs no network.
pub(super) fn roll_back(
    marketplace: &Marketplace,
    listing: &Listing,
    editor: &SkillEditor<'_>,
    name: &str,
) -> Result<SkillInstallation, MarketplaceError> {
    let (skill, installed) = find_installed(marketplace, editor, name)?;
    let slug = skill.package.slug.clone();
    let package = earlier_version(editor, &skill)?.ok_or_else(|| MarketplaceError::NoEarlierVersion(slug.clone()))?;
    let offer = listing.find(&installed.package.marketplace_id).ok();
    let line = offer.and_then(|offer| offer.versions.iter().find(|line| line.entry.version.to_string() == package.version));
    let sha256 = match line {
        Some(line) => line.entry.sha256,
        None => Digest::of(&pack(PackageFormat::Skill, &package).map_err(inklings_registry::package::PackageError::from)?.bytes),
    };
    if let Some(offer) = offer {
        offer.catalog.ensure_not_revoked(&slug, &sha256)?;
    }
    let (from, version) = (skill.package.version.clone(), package.version.clone());
    let origin = InstalledPackage { sha256, ..installed.package };
    let id = skill.head.id;
    write_pinned(marketplace, id, || replace(editor, skill, &package, origin, &format!("rolled back to {version}")))?;
    let missing = after_write("looking for skills that it depends on", missing(editor, &package));
    Ok(SkillInstallation { skill: id, slug, version, replaced: Some(from), missing })
}

/// The newest revision of the highest version below the present one: after a rollback, the newest other version is a higher one.
fn earlier_version(editor: &SkillEditor<'_>, skill: &Skill) -> Result<Option<Package>, MarketplaceError> {
    let repository = account(&editor.catalog)?;
    let Ok(present) = Version::parse(&skill.package.version) else { return Ok(None) };
    let mut found: Option<(Version, Package)> = None;
    let mut filter = RevisionFilter { before: Some(skill.head.revision), path: None };
    loop {
        let page = repository.revisions(skill.head.id, &filter, PAGE)?;
        for revision in &page.revisions {
            let Ok(tree) = repository.revision_tree(skill.head.id, revision.number) else { continue };
            let Ok(reading) = editor.folder.read(&tree, skill.package.slug.as_str(), Some(&skill.package)) else { continue };
            let Ok(version) = Version::parse(&reading.package.version) else { continue };
            if version < present && found.as_ref().is_none_or(|(highest, _)| version > *highest) {
                found = Some((version, reading.package));
            }
        }
        match page.next {
            Some(before) => filter.before = Some(before),
            None => return Ok(found.map(|(_, package)| package)),
        }
    }
}
