//! References of skills in a workspace.

use inklings_core::binding::{Binding, Bindings as _, MAX_REFERENCES, NewReference, ReferenceTarget, TargetKind};
use inklings_core::trace::TracedSkill;
use inklings_core::{BindingId, IdSource as _, Scope, SkillId, SkillStorageRepository as _, Slug, StorageError};
use inklings_store::ChangeFeed;
use rusqlite::Connection;

use crate::support::{World, changes, world};

fn skill(world: &World, slug: &str) -> TracedSkill {
    TracedSkill { scope: Scope::Account, id: SkillId::new(world.ids.uuid()), slug: Slug::parse(slug).unwrap(), revision: 3 }
}

fn attach(world: &World, skill: &TracedSkill, target: &str, position: Option<i64>) -> Result<Option<Binding>, StorageError> {
    let target = ReferenceTarget::parse(TargetKind::Document, target).unwrap();
    let new = NewReference { id: BindingId::new(world.ids.uuid()), target: &target, position, actor: "local" };
    world.store.add_reference(skill, &new)
}

fn targets(world: &World, skill: &TracedSkill) -> Vec<String> {
    world.store.references(skill.id).unwrap().into_iter().map(|one| one.target_ref).collect()
}

#[test]
fn references_keep_their_order_and_a_removed_one_returns_to_its_place() {
    let world = world();
    let checker = skill(&world, "checker");
    assert_eq!(targets(&world, &checker), [""; 0]);
    assert!(!world.store.exists(), "looking makes no file");
    for target in ["a.csv", "https://example.org/b", "c.csv"] {
        assert!(attach(&world, &checker, target, None).unwrap().is_some());
    }
    assert_eq!(attach(&world, &checker, "a.csv", Some(2)).unwrap(), None, "it is attached already");
    let all = world.store.references(checker.id).unwrap();
    let removed = world.store.remove_reference(checker.id, all[1].id).unwrap();
    assert_eq!(removed.as_ref(), Some(&all[1]));
    assert_eq!(world.store.remove_reference(checker.id, all[1].id).unwrap(), None);
    assert_eq!(world.store.remove_reference(skill(&world, "other").id, all[0].id).unwrap(), None, "it belongs to another skill");
    assert_eq!(targets(&world, &checker), ["a.csv", "c.csv"]);
    attach(&world, &checker, "https://example.org/b", Some(all[1].position)).unwrap().unwrap();
    assert_eq!(targets(&world, &checker), ["a.csv", "https://example.org/b", "c.csv"]);
    attach(&world, &checker, "d.csv", Some(-5)).unwrap().unwrap();
    attach(&world, &checker, "e.csv", Some(500)).unwrap().unwrap();
    assert_eq!(targets(&world, &checker), ["d.csv", "a.csv", "https://example.org/b", "c.csv", "e.csv"]);
}

#[test]
fn each_change_of_references_is_in_the_feed_under_its_skill() {
    let world = world();
    let (one, two) = (skill(&world, "one"), skill(&world, "two"));
    world.stored("Else");
    let mut feed = ChangeFeed::new(&world.store).unwrap();
    let entries =
        |feed: &mut ChangeFeed| changes(feed, &world.store).into_iter().map(|change| (change.kind, change.id)).collect::<Vec<_>>();
    let reference = |skill: &TracedSkill| ("reference".to_owned(), skill.id.to_string());
    let attached = attach(&world, &one, "a.csv", None).unwrap().unwrap();
    assert_eq!(entries(&mut feed), [reference(&one)]);
    attach(&world, &one, "a.csv", None).unwrap();
    assert_eq!(entries(&mut feed), []);
    world.store.move_references(one.id, &two).unwrap();
    assert_eq!(entries(&mut feed), [reference(&one), reference(&two)]);
    world.store.move_references(one.id, &two).unwrap();
    assert_eq!(entries(&mut feed), [], "there is nothing left to move");
    world.store.remove_reference(two.id, attached.id).unwrap();
    assert_eq!(entries(&mut feed), [reference(&two)]);
}

#[test]
fn moved_references_join_those_that_are_there() {
    let world = world();
    let (one, two) = (skill(&world, "one"), skill(&world, "two"));
    for target in ["a.csv", "b.csv"] {
        attach(&world, &one, target, None).unwrap();
    }
    attach(&world, &two, "b.csv", None).unwrap();
    world.store.move_references(one.id, &two).unwrap();
    assert_eq!(targets(&world, &one), [""; 0]);
    let mut moved = targets(&world, &two);
    moved.sort();
    assert_eq!(moved, ["a.csv", "b.csv"]);
}

#[test]
fn one_reference_too_many_is_refused() {
    let world = world();
    let checker = skill(&world, "checker");
    for number in 0..MAX_REFERENCES {
        attach(&world, &checker, &format!("{number}.csv"), None).unwrap().unwrap();
    }
    let refused = attach(&world, &checker, "last.csv", None);
    assert!(matches!(refused, Err(StorageError::Limit { found: 201, limit: 200, .. })), "{refused:?}");
    assert_eq!(targets(&world, &checker).len(), 200);
}

#[test]
fn bindings_of_other_kinds_are_no_references() {
    let world = world();
    let checker = skill(&world, "checker");
    let attached = attach(&world, &checker, "a.csv", None).unwrap().unwrap();
    let file = Connection::open(world.store.path()).unwrap();
    let copy = "INSERT INTO skill_bindings SELECT ?1, skill_id, skill_scope, skill_slug, skill_revision, ?2, 'search', ?3, position, 'x', created_at
                FROM skill_bindings WHERE id = ?4";
    for (id, kind, relation) in [(1, "tool", "requires"), (2, "document", "implements")] {
        let id = BindingId::new(uuid::Uuid::from_u64_pair(9, id)).to_string();
        file.execute(copy, [&id, kind, relation, &attached.id.to_string()]).unwrap();
    }
    assert_eq!(targets(&world, &checker), ["a.csv"]);
    let hidden = BindingId::new(uuid::Uuid::from_u64_pair(9, 1));
    assert_eq!(world.store.remove_reference(checker.id, hidden).unwrap(), None);
}

#[test]
fn references_outlive_a_deletion_for_as_long_as_it_can_be_undone() {
    let world = world();
    world.clock.set("2026-01-01T00:00:00Z");
    let [kept, deleted] = ["Kept", "Gone"].map(|name| world.stored(name));
    let traced = |skill: &inklings_core::Skill| TracedSkill {
        scope: Scope::Workspace,
        id: skill.head.id,
        slug: skill.package.slug.clone(),
        revision: 1,
    };
    let elsewhere = skill(&world, "elsewhere");
    for one in [&traced(&kept), &traced(&deleted), &elsewhere] {
        attach(&world, one, "a.csv", None).unwrap();
    }
    world.store.delete_skill(deleted.head.id, "local").unwrap();
    let counts = || [&traced(&kept), &traced(&deleted), &elsewhere].map(|one| targets(&world, one).len());
    world.store.prune(90, &[]).unwrap();
    assert_eq!(counts(), [1, 1, 1]);
    world.clock.set("2026-06-01T00:00:00Z");
    world.store.prune(90, &[]).unwrap();
    assert_eq!(counts(), [1, 0, 1], "a skill of the account isn't in this file");
}
