//! Seeding: shipped skills enter the account once, and are refreshed while nobody has touched them.
//!
//! A deleted seed stays deleted, an edited one stays edited, a taken name is skipped and said so. A refresh keeps the switch,
//! usage and lifecycle: those belong to the row, not to the content.

use inklings_app::Banner;
use inklings_core::{
    ChangeSet, Clock, Expected, Head, IdSource, Origin, Scope, Skill, SkillFormat as _, SkillStorageRepository as _, Slug, Source,
    StorageError,
};
use inklings_folder::{Folder, disk};
use inklings_store::{Seed, Store, tree_hash};

use crate::resources::Resources;
use crate::warning;

/// Who seeding writes as.
const ACTOR: &str = "inklings";

/// Puts in what is new and refreshes what is untouched. Failures are remarks: the app works without seeds.
pub(crate) fn refresh(account: &Store, folder: &Folder, resources: &Resources, clock: &dyn Clock, ids: &dyn IdSource) -> Vec<Banner> {
    match try_refresh(account, folder, resources, clock, ids) {
        Ok(banners) => banners,
        Err(error) => vec![warning(format!("the shipped skills could not be put in: {error}"), "they are tried again at the next start")],
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
        // A shipped folder has its skill's slug. What is up to date isn't even read.
        let name = disk::folder_name(&path);
        if version == 0 || known.get(name.as_str()).is_some_and(|seed| seed.version >= version) {
            continue;
        }
        let reading = disk::read_dir(&path)
            .map_err(|error| error.to_string())
            .and_then(|(tree, _)| folder.read(&tree, &name, None).map_err(|findings| StorageError::Invalid(findings).to_string()));
        let reading = match reading {
            Ok(reading) => reading,
            Err(error) => {
                banners.push(warning(format!("the shipped skill {name} can't be read: {error}"), "install the app again"));
                continue;
            }
        };
        let head = Head::new(reading.id.unwrap_or_else(|| ids.skill()), Scope::Account, Source::System, Origin::Human, clock.now());
        let shipped = Skill { head: Head { created_by: Some(ACTOR.to_owned()), ..head }, package: reading.package };
        match put(account, shipped, known.get(name.as_str()), version) {
            Ok(banner) => banners.extend(banner),
            // One that can't be put in doesn't keep the others out.
            Err(error) => {
                banners.push(warning(format!("the shipped skill {name} was not put in: {error}"), "it is tried again at the next start"));
            }
        }
    }
    Ok(banners)
}

fn put(account: &Store, mut shipped: Skill, known: Option<&Seed>, version: i64) -> Result<Option<Banner>, StorageError> {
    let slug: Slug = shipped.package.slug.clone();
    let hash = tree_hash(&shipped.package.tree());
    let present = account.get_skill_by_name(slug.as_str())?.filter(|skill| skill.package.slug == slug);
    let done = |id| account.put_seed(&Seed { slug: slug.clone(), version, tree_hash: hash, skill: id });
    match (known, present) {
        // Deleted by the user: stays deleted.
        (Some(seed), None) => done(seed.skill)?,
        (Some(seed), Some(present)) => {
            let untouched = present.head.id == seed.skill && tree_hash(&present.package.tree()) == seed.tree_hash;
            if untouched && present.head.source == Source::System {
                let expected = Expected::Revision(present.head.revision);
                keep_ids(&mut shipped, &present);
                let after = Skill { head: present.head.clone(), package: shipped.package };
                let change =
                    ChangeSet::between(Some(&present), Some(after), present.head.id, ACTOR, format!("refreshed to seed {version}"));
                if !change.paths.is_empty() {
                    account.commit(&change, expected)?;
                }
                done(present.head.id)?;
            } else {
                account.put_seed(&Seed { version, ..seed.clone() })?;
            }
        }
        // Put in by a start that was stopped before it could note it.
        (None, Some(present)) if present.head.source == Source::System => done(present.head.id)?,
        (None, Some(present)) => {
            done(present.head.id)?;
            return Ok(Some(warning(
                format!("the shipped skill {slug} was not put in: you have a skill of that name"),
                "rename or delete yours to get the shipped one with the next version",
            )));
        }
        (None, None) => {
            let id = shipped.head.id;
            account.commit(&ChangeSet::between(None, Some(shipped), id, ACTOR, "shipped with the Studio"), Expected::Absent)?;
            done(id)?;
        }
    }
    Ok(None)
}

/// Artifacts that are still there keep the ids that traces know.
fn keep_ids(shipped: &mut Skill, present: &Skill) {
    for artifact in &mut shipped.package.artifacts {
        if let Some(known) = present.package.artifacts.iter().find(|known| known.path == artifact.path) {
            artifact.id = known.id;
        }
    }
}
