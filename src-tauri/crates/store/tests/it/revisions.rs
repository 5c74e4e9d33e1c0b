//! History, rebasing, conflicts and pruning.

use inklings_core::change::{RevisionFilter, RevisionInfo};
use inklings_core::edit::{SaveError, TreeEdit, save};
use inklings_core::{SkillFormat as _, SkillStorageRepository as _, StorageError};
use proptest::prelude::*;

use crate::support::{World, path, world};

fn write(world: &World, id: inklings_core::SkillId, at: &str, text: &str, expected: i64) -> Result<i64, SaveError> {
    let edits = [TreeEdit::Write(path(at), text.as_bytes().into())];
    save(&world.store, id, &edits, expected, "local", "edited").map(|saved| saved.skill.head.revision)
}

/// The whole history.
fn all(world: &World, id: inklings_core::SkillId) -> Vec<RevisionInfo> {
    world.store.revisions(id, &RevisionFilter::default(), 1_000).unwrap().revisions
}

#[test]
fn a_long_history_is_read_in_parts_and_by_file() {
    let world = world();
    let id = world.stored("Long").head.id;
    for n in 1..=24 {
        let at = if n % 8 == 0 { "rare.md" } else { "often.md" };
        write(&world, id, at, &format!("text {n}"), n).unwrap();
    }
    let mut filter = RevisionFilter::default();
    let (mut numbers, mut parts) = (Vec::new(), 0);
    loop {
        let page = world.store.revisions(id, &filter, 10).unwrap();
        assert!(page.revisions.len() <= 10);
        for one in &page.revisions {
            assert_eq!(one.previous, (one.number > 1).then(|| one.number - 1));
            assert_eq!(one.changed.len(), if one.number == 1 { one.changed.len() } else { 1 }, "revision {}", one.number);
        }
        numbers.extend(page.revisions.iter().map(|one| one.number));
        parts += 1;
        filter.before = page.next;
        if page.next.is_none() {
            break;
        }
    }
    assert_eq!((numbers, parts), ((1..=25).rev().collect(), 3));

    let rare = |before, limit| {
        let page = world.store.revisions(id, &RevisionFilter { before, path: Some(path("rare.md")) }, limit).unwrap();
        (page.revisions.iter().map(|one| one.number).collect::<Vec<_>>(), page.next)
    };
    assert_eq!(rare(None, 2), (vec![25, 17], Some(17)));
    assert_eq!(rare(Some(17), 2), (vec![9], None));
}

#[test]
fn a_file_is_searched_in_a_limited_number_of_revisions_at_a_time() {
    let world = world();
    let id = world.stored("Deep").head.id;
    for n in 1..=1_100 {
        write(&world, id, "often.md", &n.to_string(), n).unwrap();
    }
    let filter = |before| RevisionFilter { before, path: Some(path("SKILL.md")) };
    let first = world.store.revisions(id, &filter(None), 10).unwrap();
    assert_eq!((first.revisions.len(), first.next), (0, Some(102)));
    let second = world.store.revisions(id, &filter(first.next), 10).unwrap();
    assert_eq!((second.revisions.iter().map(|one| one.number).collect::<Vec<_>>(), second.next), (vec![1], None));
}

#[test]
fn a_folder_is_known_again_as_the_revision_that_it_was() {
    let world = world();
    let skill = world.stored("Known");
    let id = skill.head.id;
    write(&world, id, "note.md", "two", 1).unwrap();
    let past = world.store.revision_tree(id, 1).unwrap();
    assert_eq!(world.store.revision_with(id, &past).unwrap(), Some(1));
    write(&world, id, "note.md", "three", 2).unwrap();
    let mut other = world.store.present(id).unwrap().package.tree();
    assert_eq!(world.store.revision_with(id, &other).unwrap(), Some(3));
    other.remove(&path("note.md"));
    other.insert(path("note.md"), inklings_core::TreeFile::new(b"four".as_slice()));
    assert_eq!(world.store.revision_with(id, &other).unwrap(), None);
}

#[test]
fn every_revision_can_be_read_again() {
    let world = world();
    let skill = world.stored("Past");
    let mut folders = vec![skill.package.tree()];
    for n in 1..6 {
        write(&world, skill.head.id, "prompts/ask.j2", &format!("Ask {n}"), n).unwrap();
        folders.push(world.store.present(skill.head.id).unwrap().package.tree());
    }
    for (number, folder) in (1..).zip(&folders) {
        assert_eq!(&world.store.revision_tree(skill.head.id, number).unwrap(), folder, "revision {number}");
    }
    let history = all(&world, skill.head.id);
    assert_eq!(history.len(), 6);
    assert_eq!(history[0].changed.iter().map(|changed| changed.path.as_str()).collect::<Vec<_>>(), ["prompts/ask.j2"]);
}

#[test]
fn a_stale_write_to_other_paths_is_carried_over() {
    let world = world();
    let id = world.stored("Carry").head.id;
    write(&world, id, "theirs.md", "theirs", 1).unwrap();
    let edits = [TreeEdit::Write(path("mine.md"), b"mine".as_slice().into())];
    let saved = save(&world.store, id, &edits, 1, "local", "edited").unwrap();
    assert!(saved.rebased);
    let tree = saved.skill.package.tree();
    assert!(tree.contains_key(&path("mine.md")) && tree.contains_key(&path("theirs.md")));
}

#[test]
fn a_stale_write_to_the_same_path_is_a_conflict_and_writes_nothing() {
    let world = world();
    let id = world.stored("Clash").head.id;
    write(&world, id, "note.md", "theirs", 1).unwrap();
    let Err(SaveError::Conflict(conflict)) = write(&world, id, "note.md", "mine", 1) else { panic!("no conflict") };
    assert_eq!((conflict.path.as_str(), conflict.revision), ("note.md", 2));
    assert_eq!(conflict.theirs.unwrap().text(), Some("theirs"));
    assert_eq!(conflict.ours.unwrap().text(), Some("mine"));
    assert!(conflict.base.is_none());
    assert_eq!(world.store.present(id).unwrap().head.revision, 2);
    // Writing the existing content isn't a conflict.
    write(&world, id, "note.md", "theirs", 1).unwrap();
    assert_eq!(world.store.present(id).unwrap().head.revision, 2);
}

#[test]
fn a_title_keeps_the_slug_and_a_new_slug_is_followed_by_those_who_name_it() {
    let world = world();
    let base = world.stored("Base");
    let mut user = world.skill("User");
    user.package.relations.push(inklings_core::Relation { kind: inklings_core::RelationKind::DependsOn, target: "base".to_owned() });
    world.store.create_skill(&user, "local").unwrap();
    let rename = |name: &str, expected| {
        let front = format!("---\nname: {name}\ndescription: What Base does.\n---\n\nDo it.\n");
        write(&world, base.head.id, "SKILL.md", &front, expected).unwrap()
    };
    rename("Basic Things!", 1);
    assert_eq!(world.store.present(base.head.id).unwrap().package.slug.as_str(), "base");
    rename("basics", 2);
    assert_eq!(world.store.present(base.head.id).unwrap().package.slug.as_str(), "basics");
    let user = world.store.present(user.head.id).unwrap();
    assert_eq!((user.package.relations[0].target.as_str(), user.head.revision), ("basics", 2));
    assert!(user.package.sources.skill_json.unwrap().contains("basics"));
}

/// The stored texts and values must agree.
fn assert_synced(world: &World, skill: &inklings_core::Skill) {
    let package = &skill.package;
    let reading = world.format.read(&package.tree(), package.slug.as_str(), Some(package)).unwrap();
    assert_eq!(reading.package, *package);
    let elsewhere = world.format.read(&package.tree(), "elsewhere", None).unwrap();
    assert_eq!(elsewhere.package.slug, package.slug, "its text alone gives the slug");
}

#[test]
fn a_new_slug_counts_in_whatever_form_yaml_writes_it() {
    let forms = ["basics # the short one", "\"basics\" # x", ">-\n  basics", "'basics'", "!!str basics", "\n  basics"];
    for form in forms {
        let world = world();
        let base = world.stored("Base");
        let front = format!("---\nname: {form}\ndescription: What Base does.\n---\n\nDo it.\n");
        write(&world, base.head.id, "SKILL.md", &front, 1).unwrap();
        let stored = world.store.present(base.head.id).unwrap();
        assert_eq!(stored.package.slug.as_str(), "basics", "{form}");
        assert_synced(&world, &stored);
    }
}

#[test]
fn a_new_title_is_stored_as_one_and_the_text_keeps_the_slug() {
    for title in ["Basic Things!", "\"Basic Things!\" # now", ">-\n  Basic\n  Things!"] {
        let world = world();
        let base = world.stored("Base");
        let front = format!("---\nname: {title}\ndescription: What Base does.\n---\n\nDo it.\n");
        write(&world, base.head.id, "SKILL.md", &front, 1).unwrap();
        let stored = world.store.present(base.head.id).unwrap();
        assert_eq!((stored.package.slug.as_str(), stored.package.name.as_str()), ("base", "Basic Things!"), "{title}");
        assert_synced(&world, &stored);
        // Syncing the sources again changes nothing.
        let mut again = stored.package.clone();
        world.format.sync_sources(&mut again);
        assert_eq!(again, stored.package, "{title}");
    }
}

#[test]
fn a_slug_that_is_taken_renames_nobody() {
    let world = world();
    let base = world.stored("Base");
    world.stored("Taken");
    let mut user = world.skill("User");
    user.package.relations.push(inklings_core::Relation { kind: inklings_core::RelationKind::DependsOn, target: "base".to_owned() });
    world.store.create_skill(&user, "local").unwrap();
    let refused = write(&world, base.head.id, "SKILL.md", "---\nname: taken\ndescription: What Base does.\n---\n\nDo it.\n", 1);
    assert!(matches!(refused, Err(SaveError::Storage(StorageError::Exists { .. }))), "{refused:?}");
    let user = world.store.present(user.head.id).unwrap();
    assert_eq!((user.package.relations[0].target.as_str(), user.head.revision), ("base", 1));
}

#[test]
fn an_unusable_edit_is_refused_whole() {
    let world = world();
    let id = world.stored("Whole").head.id;
    let refused = write(&world, id, "skill.json", "{ no json", 1);
    assert!(matches!(refused, Err(SaveError::Storage(StorageError::Invalid(_)))), "{refused:?}");
    assert!(matches!(write(&world, id, "PROMPTS/ASK.j2", "x", 1), Err(SaveError::PathExists(_))));
    assert_eq!(world.store.present(id).unwrap().head.revision, 1);
}

#[test]
fn a_deleted_skill_can_be_brought_back_and_goes_on_counting() {
    let world = world();
    let skill = world.stored("Gone");
    assert_eq!(world.store.delete_skill(skill.head.id, "local").unwrap(), 2);
    assert!(world.store.get_skill(skill.head.id).unwrap().is_none());
    let listed = world.store.list_deleted().unwrap();
    assert_eq!(listed.iter().map(|one| (one.id, one.actor.as_str())).collect::<Vec<_>>(), [(skill.head.id, "local")]);
    let deleted = world.store.deleted(skill.head.id).unwrap().unwrap();
    assert_eq!((&deleted.tree, &deleted.slug), (&skill.package.tree(), &skill.package.slug));
    for artifact in &skill.package.artifacts {
        assert_eq!(deleted.artifacts.get(&artifact.path), Some(&artifact.id));
    }
    let mut again = skill.clone();
    again.head = deleted.head;
    assert_eq!(world.store.create_skill(&again, "local").unwrap(), 3);
    assert!(world.store.deleted(skill.head.id).unwrap().is_none());
    assert!(world.store.list_deleted().unwrap().is_empty());
}

#[test]
fn a_fresh_deletion_is_kept_whatever_happened_long_ago() {
    let world = world();
    world.clock.set("2026-01-01T08:00:00Z");
    let skill = world.stored("Twice");
    world.store.delete_skill(skill.head.id, "local").unwrap();
    world.clock.set("2026-06-01T08:00:00Z");
    world.store.create_skill(&skill, "local").unwrap();
    world.store.delete_skill(skill.head.id, "local").unwrap();
    world.store.prune(90, &[]).unwrap();
    assert!(world.store.deleted(skill.head.id).unwrap().is_some());
    world.clock.set("2026-12-01T08:00:00Z");
    world.store.prune(90, &[]).unwrap();
    assert!(world.store.deleted(skill.head.id).unwrap().is_none());
}

#[test]
fn a_skill_that_was_deleted_on_the_day_of_its_last_edit_comes_back_as_it_was() {
    let world = world();
    world.clock.set("2026-01-01T08:00:00Z");
    let id = world.stored("Short").head.id;
    world.clock.set("2026-01-01T10:00:00Z");
    write(&world, id, "note.md", "the last words", 1).unwrap();
    world.clock.set("2026-01-01T20:00:00Z");
    world.store.delete_skill(id, "local").unwrap();
    // The edit is older than 90 days, the deletion isn't.
    world.clock.set("2026-04-01T15:00:00Z");
    assert_eq!(world.store.prune(90, &[]).unwrap(), 1, "only what the edit replaced");
    let deleted = world.store.deleted(id).unwrap().unwrap();
    assert_eq!(deleted.tree[&path("note.md")].text(), Some("the last words"));
}

#[test]
fn what_a_draft_was_typed_on_is_kept() {
    let world = world();
    world.clock.set("2026-01-01T08:00:00Z");
    let id = world.stored("Base").head.id;
    for n in 1..4 {
        write(&world, id, "note.md", &format!("{n}"), n).unwrap();
    }
    world.clock.set("2026-06-01T08:00:00Z");
    assert_eq!(world.store.prune(90, &[(id, 2)]).unwrap(), 2);
    assert!(world.store.revision_tree(id, 2).is_ok());
}

#[test]
fn old_history_thins_out_to_one_a_day_and_bodies_go_with_it() {
    let world = world();
    world.clock.set("2026-01-01T08:00:00Z");
    let id = world.stored("Old").head.id;
    for n in 1..4 {
        write(&world, id, "note.md", &format!("day one {n}"), n).unwrap();
    }
    world.clock.set("2026-01-02T08:00:00Z");
    write(&world, id, "note.md", "day two", 4).unwrap();
    world.clock.set("2026-03-01T08:00:00Z");
    assert_eq!(world.store.prune(90, &[]).unwrap(), 0);
    world.clock.set("2026-06-01T08:00:00Z");
    assert_eq!(world.store.prune(90, &[]).unwrap(), 3);
    let numbers: Vec<_> = all(&world, id).iter().map(|one| one.number).collect();
    assert_eq!(numbers, [5, 4]);
    assert_eq!(world.store.revision_file(id, 4, &path("note.md")).unwrap().unwrap().text(), Some("day one 3"));
    assert!(matches!(world.store.revision_tree(id, 2), Err(StorageError::NotFound { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// After any sequence of edits, every revision reads back as it was saved.
    #[test]
    fn history_is_what_was_saved(steps in prop::collection::vec((0_usize..4, "[a-z]{0,12}", any::<bool>()), 1..12)) {
        let world = world();
        let skill = world.stored("Any");
        let id = skill.head.id;
        let mut folders = vec![skill.package.tree()];
        for (file, text, remove) in steps {
            let at = path(&format!("notes/{file}.md"));
            let now = world.store.present(id).unwrap();
            let edit = if remove && now.package.tree().contains_key(&at) {
                TreeEdit::Delete(at)
            } else {
                TreeEdit::Write(at, text.into_bytes().into())
            };
            let saved = save(&world.store, id, &[edit], now.head.revision, "local", "step").unwrap();
            if saved.skill.head.revision > now.head.revision {
                folders.push(saved.skill.package.tree());
            }
        }
        for (number, folder) in (1..).zip(&folders) {
            prop_assert_eq!(&world.store.revision_tree(id, number).unwrap(), folder);
        }
    }
}
