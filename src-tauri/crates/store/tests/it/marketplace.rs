//! Registries, installed skills and pins.

use inklings_core::marketplace::{InstalledPackage, RegistryRecord, SyncAttempt, SyncFailure};
use inklings_core::{Digest, Head, MarketplaceStore as _, Skill, SkillStorageRepository as _, Time};

use crate::support::world;

fn registry(id: &str, priority: i32) -> RegistryRecord {
    RegistryRecord {
        id: id.to_owned(),
        title: id.to_owned(),
        address: format!("https://{id}/"),
        mirrors: Vec::new(),
        fingerprint: Digest::of(id.as_bytes()),
        priority,
        enabled: true,
        updates_built_in: false,
        added_at: Time::from_millis(0),
        last_sync: None,
    }
}

#[test]
fn registries_are_listed_by_priority_and_keep_their_last_sync() {
    let world = world();
    for (id, priority) in [("b.example", 1), ("c.example", 2), ("a.example", 1)] {
        assert!(world.store.add_registry(&registry(id, priority)).unwrap());
    }
    let ids = || world.store.registries().unwrap().into_iter().map(|one| one.id).collect::<Vec<_>>();
    assert_eq!(ids(), ["c.example", "a.example", "b.example"]);
    let failure = SyncFailure { message: "unreachable".to_owned(), hint: "check the network".to_owned(), is_offline: true };
    let attempt = SyncAttempt { at: Time::from_millis(7), failure: Some(failure) };
    world.store.note_sync("c.example", &attempt).unwrap();
    world.store.note_sync("unknown.example", &attempt).unwrap();
    let mut disable = |one: &mut RegistryRecord| (one.enabled, one.priority) = (false, 3);
    let changed = world.store.change_registry("c.example", &mut disable).unwrap().unwrap();
    assert_eq!((changed.enabled, changed.priority, changed.last_sync.clone()), (false, 3, Some(attempt)));
    assert_eq!(world.store.registries().unwrap()[0], changed);
    assert_eq!(world.store.change_registry("unknown.example", &mut disable).unwrap(), None);
    assert!(world.store.remove_registry("c.example").unwrap());
    assert!(!world.store.remove_registry("c.example").unwrap());
    assert_eq!(ids(), ["a.example", "b.example"]);
}

#[test]
fn a_registry_keeps_its_id_and_fingerprint_and_is_not_added_twice() {
    let world = world();
    let attempt = SyncAttempt { at: Time::from_millis(7), failure: None };
    let first = RegistryRecord { last_sync: Some(attempt), ..registry("a.example", 1) };
    assert!(world.store.add_registry(&first).unwrap());
    let other = RegistryRecord { fingerprint: Digest::of(b"other"), ..registry("a.example", 2) };
    assert!(!world.store.add_registry(&other).unwrap());
    assert_eq!(world.store.registries().unwrap(), std::slice::from_ref(&first));
    let changed = world.store.change_registry("a.example", &mut |one| *one = registry("b.example", 1)).unwrap().unwrap();
    assert_eq!((changed.id.as_str(), changed.fingerprint), ("a.example", first.fingerprint));
    assert_eq!(world.store.registries().unwrap(), [changed]);
}

#[test]
fn the_package_of_a_skill_changes_with_its_revisions_and_survives_a_deletion() {
    let world = world();
    let package = |version: &str| InstalledPackage { marketplace_id: "a.example/notes".to_owned(), sha256: Digest::of(version.as_bytes()) };
    let mut skill = world.skill("Notes");
    skill.head.package = Some(package("1"));
    world.store.create_skill(&skill, "local").unwrap();
    let id = skill.head.id;
    let installed = || world.store.installed_skills().unwrap();
    assert_eq!((installed().len(), installed()[0].package.clone(), installed()[0].is_pinned), (1, package("1"), false));
    let present = world.store.present(id).unwrap();
    let newer = Skill { head: Head { package: Some(package("2")), ..present.head.clone() }, ..present };
    world.store.update_skill(&newer, "local").unwrap();
    assert_eq!(installed()[0].package, package("2"));
    assert!(world.store.set_pinned(id, true).unwrap());
    assert!(!world.store.set_pinned(id, true).unwrap());
    assert!(installed()[0].is_pinned);
    world.store.delete_skill(id, "local").unwrap();
    assert!(installed().is_empty());
    assert_eq!(world.store.deleted(id).unwrap().unwrap().head.package, Some(package("2")));
    assert!(world.store.set_pinned(id, false).unwrap());
}

#[test]
fn forks_are_the_skills_with_a_parent() {
    let world = world();
    let parent = world.stored("Parent");
    let mut fork = world.skill("Fork");
    fork.head.parent_skill_id = Some(parent.head.id);
    world.store.create_skill(&fork, "local").unwrap();
    assert_eq!(world.store.forks().unwrap(), [fork.head.id]);
}
