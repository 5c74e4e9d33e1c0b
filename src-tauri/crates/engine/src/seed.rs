//! Adds shipped skills to the account and updates those that weren't changed.
//!
//! A deleted skill stays deleted, an edited one stays edited, and a skill whose name is taken is skipped with a banner. Of a shipped skill
//! and an update of it that was installed from a registry, the higher version stays. An update keeps the row's enabled flag, usage and
//! lifecycle.

use std::path::Path;

use inklings_app::Banner;
use inklings_app::features::search::text_of;
use inklings_core::marketplace::MarketplaceStore as _;
use inklings_core::ports::ReadOutput;
use inklings_core::{
    ChangeSet, Clock, Expected, Head, IdSource, Origin, Scope, Skill, SkillFormat, SkillStorageRepository as _, Slug, Source, StorageError,
};
use inklings_folder::{Folder, disk};
use inklings_search::{EmbeddingError, EmbeddingModel, SkillText, pack_vectors};
use inklings_store::{Seed, Store, tree_hash};
use semver::Version;

use crate::resources::Resources;
use crate::warning;

const ACTOR: &str = "inklings";

/// Failures become banners, since the app works without shipped skills.
pub(crate) fn refresh(account: &Store, folder: &Folder, resources: &Resources, clock: &dyn Clock, ids: &dyn IdSource) -> Vec<Banner> {
    match try_refresh(account, folder, resources, clock, ids) {
        Ok(banners) => banners,
        Err(error) => vec![warning(format!("can't update the built-in skills: {error}"), "the next start tries again")],
    }
}

fn try_refresh(
    account: &Store,
    folder: &Folder,
    resources: &Resources,
    clock: &dyn Clock,
    ids: &dyn IdSource,
) -> Result<Vec<Banner>, StorageError> {
    let version = resources.seed_version();
    let known = account.seeds()?;
    let mut banners = Vec::new();
    for path in disk::discover(&resources.skills()).map(|(found, _)| found).unwrap_or_default() {
        // The folder's name is the skill's slug. An up-to-date skill isn't read.
        let name = disk::folder_name(&path);
        if version == 0 || known.get(name.as_str()).is_some_and(|seed| seed.version >= version) {
            continue;
        }
        let parsed = match read(folder, &path, &name) {
            Ok(parsed) => parsed,
            Err(error) => {
                banners.push(warning(format!("can't read the built-in skill {name}: {error}"), "reinstall the app"));
                continue;
            }
        };
        let head = Head::new(parsed.id.unwrap_or_else(|| ids.skill()), Scope::Account, Source::System, Origin::Human, clock.now());
        let shipped = Skill { head: Head { created_by: Some(ACTOR.to_owned()), ..head }, package: parsed.package };
        match update(account, shipped, known.get(name.as_str()), version) {
            Ok(banner) => banners.extend(banner),
            // Continues with the next skill.
            Err(error) => {
                banners.push(warning(format!("can't update the built-in skill {name}: {error}"), "the next start tries again"));
            }
        }
    }
    Ok(banners)
}

fn read(format: &dyn SkillFormat, path: &Path, name: &str) -> Result<ReadOutput, String> {
    let (tree, _) = disk::read_dir(path).map_err(|error| error.to_string())?;
    format.read(&tree, name, None).map_err(|findings| StorageError::Invalid(findings).to_string())
}

/// The file that [`inklings_search::shipped_vectors`] reads.
pub fn vectors(resources: &Resources) -> Result<Vec<u8>, String> {
    let model = crate::embedding_model(resources).ok_or("the embedding model isn't installed")?;
    let model = EmbeddingModel::load(&model).map_err(|error| error.to_string())?;
    let vectors = texts(resources)?.into_iter().map(|text| Ok((text.digest(), text.vectors(&model)?)));
    let vectors: Vec<_> = vectors.collect::<Result<_, EmbeddingError>>().map_err(|error| error.to_string())?;
    pack_vectors(&vectors).map_err(|error| error.to_string())
}

fn texts(resources: &Resources) -> Result<Vec<SkillText>, String> {
    let format = crate::skill_format();
    let found = disk::discover(&resources.skills()).map_err(|error| error.to_string())?.0;
    found.iter().map(|path| Ok(text_of(read(&format, path, &disk::folder_name(path))?.package))).collect()
}

fn update(account: &Store, mut shipped: Skill, known: Option<&Seed>, version: i64) -> Result<Option<Banner>, StorageError> {
    let slug: Slug = shipped.package.slug.clone();
    let hash = tree_hash(&shipped.package.tree());
    let present = account.get_skill_by_name(slug.as_str())?.filter(|skill| skill.package.slug == slug);
    let seeded = |id| Seed { slug: slug.clone(), version, tree_hash: hash, skill: id };
    let done = |id| account.put_seed(&seeded(id), known);
    match (known, present) {
        // Deleted by the user: stays deleted.
        (Some(seed), None) => done(seed.skill)?,
        (Some(seed), Some(present)) => {
            if may_replace(account, seed, &present, &shipped)? {
                let expected = Expected::Revision(present.head.revision);
                keep_ids(&mut shipped, &present);
                let after = Skill { head: Head { package: None, ..present.head.clone() }, package: shipped.package };
                let change = ChangeSet::between(
                    Some(&present),
                    Some(after),
                    present.head.id,
                    ACTOR,
                    format!("Update to version {version} of the built-in skills"),
                );
                if change.paths.is_empty() {
                    done(present.head.id)?;
                } else {
                    account.commit_seed(&change, expected, &seeded(present.head.id))?;
                }
            } else if tree_hash(&present.package.tree()) == hash {
                // Updated by another process after `known` was read, or by a start that was killed before it recorded the seed.
                done(present.head.id)?;
            } else {
                account.put_seed(&Seed { version, ..seed.clone() }, known)?;
            }
        }
        // Added by a start that was killed before it recorded the seed.
        (None, Some(present)) if present.head.source == Source::System => done(present.head.id)?,
        (None, Some(present)) => {
            done(present.head.id)?;
            return Ok(Some(warning(
                format!("the built-in skill {slug} was not added: you have a skill with this name"),
                "rename or delete yours to get the built-in one with the next update",
            )));
        }
        (None, None) => {
            let id = shipped.head.id;
            let change = ChangeSet::between(None, Some(shipped), id, ACTOR, "Add built-in skill");
            account.commit_seed(&change, Expected::Absent, &seeded(id))?;
        }
    }
    Ok(None)
}

/// Whether a shipped skill may replace the present one: if that is what an earlier version shipped, or comes from a registry and is
/// older.
fn may_replace(account: &Store, seed: &Seed, present: &Skill, shipped: &Skill) -> Result<bool, StorageError> {
    if present.head.id != seed.skill || present.head.source != Source::System {
        return Ok(false);
    }
    if present.head.package.is_none() {
        return Ok(tree_hash(&present.package.tree()) == seed.tree_hash);
    }
    let is_pinned = account.installed_skills()?.iter().any(|one| one.skill == present.head.id && one.is_pinned);
    Ok(!is_pinned && is_newer(&shipped.package.version, &present.package.version))
}

fn is_newer(version: &str, than: &str) -> bool {
    matches!((Version::parse(version), Version::parse(than)), (Ok(version), Ok(than)) if version > than)
}

/// Keeps the ids of artifacts that still exist, which traces refer to.
fn keep_ids(shipped: &mut Skill, present: &Skill) {
    for artifact in &mut shipped.package.artifacts {
        if let Some(known) = present.package.artifacts.iter().find(|known| known.path == artifact.path) {
            artifact.id = known.id;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shipped_skill_comes_with_its_vectors() {
        let texts = texts(&Resources::find()).unwrap();
        assert!(!texts.is_empty());
        for text in texts {
            assert!(inklings_search::shipped_vectors(text.digest()).is_some(), "{}: run `cargo xtask generate`", text.slug);
        }
    }
}
