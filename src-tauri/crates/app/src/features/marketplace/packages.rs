//! The files of a version.

use inklings_core::{CancellationToken, SkillPath};
use inklings_core::{Package, ProgressReporter, SkillFormat, Time, Tree};
use inklings_registry::client::{MarketplaceId, Offer};
use inklings_registry::format::IndexLine;
use inklings_registry::package::decode;

use super::api::{ChangedFile, MarketplaceFile, MarketplacePackage};
use super::catalogs::Marketplace;
use super::error::MarketplaceError;

/// Downloads and verifies a version, unless it is in the cache.
pub(crate) async fn fetch_package(
    marketplace: &Marketplace,
    format: &dyn SkillFormat,
    (offer, line): (&Offer<'_>, &IndexLine),
    now: Time,
    cancel: &CancellationToken,
    progress: &ProgressReporter,
) -> Result<Package, MarketplaceError> {
    let entry = &line.entry;
    let needs = entry.requires.client.as_ref().filter(|needs| *needs > marketplace.version());
    if let Some(needs) = needs {
        let (slug, version) = (entry.slug.clone(), entry.version.to_string());
        return Err(MarketplaceError::NeedsApp { slug, version, needs: needs.to_string() });
    }
    let record = marketplace.record(offer.catalog.registry().as_str())?;
    let client = marketplace.client(&record)?;
    let downloaded = client.download(offer.catalog, line, now, cancel, progress).await;
    // That the registry was removed meanwhile, which deletes its cache, explains whatever failed.
    marketplace.ensure_known(&record.id)?;
    Ok(decode(format, entry, &downloaded?)?)
}

const README_NAMES: [&str; 3] = ["readme.md", "readme.txt", "readme"];

pub(super) fn describe(offer: &Offer<'_>, line: &IndexLine, package: &Package) -> MarketplacePackage {
    let tree = package.tree();
    let readme = tree.iter().find(|(path, _)| README_NAMES.contains(&path.folded().as_str())).and_then(|(_, file)| file.text());
    let readme = readme.map_or_else(|| package.main().map_or_else(String::new, |main| main.content.to_string()), str::to_owned);
    let files = tree.iter().map(|(path, file)| MarketplaceFile {
        path: path.clone(),
        size: file.bytes.len() as u64,
        executable: file.executable,
        text: file.text().map(str::to_owned),
    });
    MarketplacePackage { id: MarketplaceId::of(offer, line), version: line.entry.version.to_string(), readme, files: files.collect() }
}

/// The files that differ, by path.
pub(super) fn differences(from: &Tree, to: &Tree) -> Vec<ChangedFile> {
    let paths: std::collections::BTreeSet<&SkillPath> = from.keys().chain(to.keys()).collect();
    let text = |tree: &Tree, path: &SkillPath| tree.get(path).and_then(|file| file.text()).map(str::to_owned);
    let changed = paths.into_iter().filter(|path| from.get(*path) != to.get(*path)).map(|path| ChangedFile {
        path: path.clone(),
        in_from: from.contains_key(path),
        in_to: to.contains_key(path),
        from_text: text(from, path),
        to_text: text(to, path),
    });
    changed.collect()
}
