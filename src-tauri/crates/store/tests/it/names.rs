//! Names of skills and files.

use inklings_core::{Scope, SkillStorageRepository as _};
use inklings_store::Store;

use crate::support::{World, world};

/// "slug: path (kind), path" of all.
fn all(store: &Store) -> Vec<String> {
    let names = store.names().unwrap();
    let file = |one: &inklings_core::FileName| match one.kind {
        Some(kind) => format!("{} ({kind})", one.path),
        None => one.path.to_string(),
    };
    names.iter().map(|one| format!("{}: {}", one.slug, one.files.iter().map(file).collect::<Vec<_>>().join(", "))).collect()
}

/// The expected names: the paths of each skill's folder.
fn trees(world: &World) -> Vec<(String, Vec<String>)> {
    let list = world.store.list_skills().unwrap();
    list.iter()
        .map(|one| {
            let skill = world.store.get_skill(one.id).unwrap().unwrap();
            (one.slug.to_string(), skill.package.tree().keys().map(ToString::to_string).collect())
        })
        .collect()
}

fn paths(store: &Store) -> Vec<(String, Vec<String>)> {
    let names = store.names().unwrap();
    names.iter().map(|one| (one.slug.to_string(), one.files.iter().map(|file| file.path.to_string()).collect())).collect()
}

#[test]
fn there_are_none_without_a_file() {
    let world = world();
    assert!(world.store.names().unwrap().is_empty());
    assert!(!world.store.exists());
}

#[test]
fn they_are_the_paths_of_the_folders_and_follow_each_write() {
    let world = world();
    world.stored("Link Auditor");
    let timeline = world.stored("Timeline");
    assert_eq!(paths(&world.store), trees(&world));
    assert!(all(&world.store)[0].starts_with("link-auditor: "), "{:?}", all(&world.store));

    // A write of this process, one of another, a removal.
    world.stored("Press Review");
    assert_eq!(paths(&world.store), trees(&world));
    let other = Store::open(Scope::Account, world.store.path(), "other", world.clock.clone(), world.format.clone()).unwrap();
    assert_eq!(paths(&other), trees(&world));
    let mut changed = timeline.clone();
    changed.package.files.clear();
    changed.package.name = "Order of events".to_owned();
    other.update_skill(&changed, "local").unwrap();
    assert_eq!(paths(&world.store), trees(&world));
    assert!(world.store.names().unwrap().iter().any(|one| one.name == "Order of events"));
    world.store.delete_skill(timeline.head.id, "local").unwrap();
    assert_eq!(paths(&world.store), trees(&world));
    assert_eq!(paths(&other), trees(&world));
}

#[test]
fn they_are_read_once_while_nothing_changes() {
    let world = world();
    world.stored("Link Auditor");
    let first = world.store.names().unwrap();
    world.store.set_enabled(first[0].id, true, "local").unwrap();
    let second = world.store.names().unwrap();
    assert!(std::sync::Arc::ptr_eq(&second, &world.store.names().unwrap()));
    assert_eq!(*first, *second);
}

#[test]
fn many_changed_skills_are_read_together() {
    let world = world();
    world.stored("Link Auditor");
    assert_eq!(world.store.names().unwrap().len(), 1);
    for number in 0..230 {
        world.stored(&format!("Skill {number}"));
    }
    assert_eq!(paths(&world.store), trees(&world));
    assert_eq!(world.store.names().unwrap().len(), 231);
}
