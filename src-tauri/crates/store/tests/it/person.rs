//! Drafts, inputs, settings, workspaces, the change feed.

use inklings_core::user::{Draft, DraftKey, DraftStamp, GitExclude, InputKey, SavedInput};
use inklings_core::{Clock as _, SkillStorageRepository as _, UserData};
use inklings_store::{ChangeFeed, FeedUpdate};
use serde_json::json;

use crate::support::{changes, path, world};

#[test]
fn drafts_are_kept_by_workspace_skill_and_path() {
    let world = world();
    let user: &dyn UserData = &world.store;
    let skill = world.stored("Typed");
    let draft = |workspace: &str, text: &str| Draft {
        workspace: workspace.to_owned(),
        skill: skill.head.id,
        path: path("note.md"),
        base_revision: 1,
        base_sha256: None,
        content: text.to_owned(),
        updated_at: world.clock.now(),
    };
    user.put_draft(&draft("", "first")).unwrap();
    user.put_draft(&draft("", "second")).unwrap();
    assert!(!user.add_draft(&draft("", "third")).unwrap(), "it has one");
    assert!(user.add_draft(&draft("/notes", "elsewhere")).unwrap());
    assert_eq!(user.drafts("", skill.head.id).unwrap().iter().map(|draft| draft.content.as_str()).collect::<Vec<_>>(), ["second"]);
    assert!(user.discard_draft("", skill.head.id, Some(&path("note.md"))).unwrap());
    assert!(!user.discard_draft("", skill.head.id, None).unwrap());
    assert_eq!(user.drafts("/notes", skill.head.id).unwrap().len(), 1);
}

#[test]
fn a_draft_that_was_changed_since_is_not_discarded_and_the_feed_tells_of_one_that_was() {
    let world = world();
    let user: &dyn UserData = &world.store;
    let skill = world.stored("Typed");
    let (key, at) = (|| DraftKey { workspace: String::new(), skill: skill.head.id, path: path("note.md") }, world.clock.now());
    let draft = Draft {
        workspace: String::new(),
        skill: skill.head.id,
        path: path("note.md"),
        base_revision: 1,
        base_sha256: None,
        content: "typed".to_owned(),
        updated_at: at,
    };
    let mut feed = ChangeFeed::new(&world.store).unwrap();
    user.put_draft(&draft).unwrap();
    let earlier = inklings_core::Time::from_millis(at.millis() - 1);
    user.discard_unchanged_drafts(&[DraftStamp { key: key(), updated_at: earlier }]).unwrap();
    assert_eq!(user.drafts("", skill.head.id).unwrap(), std::slice::from_ref(&draft));
    assert_eq!(changes(&mut feed, &world.store), []);
    user.discard_unchanged_drafts(&[DraftStamp { key: key(), updated_at: at }]).unwrap();
    user.put_draft(&draft).unwrap();
    user.discard_draft("", skill.head.id, None).unwrap();
    let found: Vec<_> = changes(&mut feed, &world.store).into_iter().map(|change| (change.kind, change.id)).collect();
    let discarded = ("draft".to_owned(), skill.head.id.to_string());
    assert_eq!(found, [discarded.clone(), discarded]);
}

#[test]
fn inputs_settings_and_workspaces_are_remembered() {
    let world = world();
    let user: &dyn UserData = &world.store;
    let skill = world.stored("Form");
    let at = path("prompts/ask.j2");
    let key = InputKey { workspace: "", slug: &skill.package.slug, path: &at };
    let params = json!({ "it": "the time" }).as_object().unwrap().clone();
    user.put_input(key, &SavedInput { name: "Noon".to_owned(), params: params.clone(), updated_at: world.clock.now() }, "me").unwrap();
    assert_eq!(user.inputs(key).unwrap()[0].params, params);
    assert!(user.delete_input(key, "Noon", "me").unwrap());
    user.put_setting("ui.theme", &json!("dark"), "me").unwrap();
    assert_eq!(user.settings().unwrap()["ui.theme"], "dark");
    user.put_setting("ui.theme", &json!(null), "me").unwrap();
    assert!(user.settings().unwrap().is_empty());
    user.note_workspace("/a").unwrap();
    user.note_workspace("/b").unwrap();
    user.note_git_exclude("/a", GitExclude::Declined).unwrap();
    let recent = user.recent_workspaces().unwrap();
    assert_eq!(recent.iter().map(|one| one.path.as_str()).collect::<Vec<_>>(), ["/b", "/a"]);
    assert_eq!(recent[1].git_exclude, GitExclude::Declined);
}

#[test]
fn the_feed_tells_of_every_write_once() {
    let world = world();
    let mut feed = ChangeFeed::new(&world.store).unwrap();
    let skill = world.stored("Fed");
    world.store.set_enabled(skill.head.id, false, "local").unwrap();
    let first: Vec<_> = changes(&mut feed, &world.store).into_iter().map(|change| (change.kind, change.id)).collect();
    let id = skill.head.id.to_string();
    assert_eq!(first, [("skill".to_owned(), id.clone()), ("skill".to_owned(), id)]);
    assert!(changes(&mut feed, &world.store).is_empty());
}

#[test]
fn nothing_is_written_before_the_first_write() {
    let world = world();
    assert!(world.store.list_skills().unwrap().is_empty());
    assert!(UserData::settings(&world.store).unwrap().is_empty());
    assert!(std::fs::read_dir(world.folder.path()).unwrap().next().is_none());
}

#[test]
fn inputs_follow_a_changed_slug_where_its_skill_lives() {
    let world = world();
    let user: &dyn inklings_core::UserData = &world.store;
    let (old, new, file) = ("old".parse().unwrap(), "new".parse().unwrap(), path("prompts/ask.j2"));
    let input = SavedInput { name: "mine".to_owned(), params: serde_json::Map::new(), updated_at: inklings_core::Time::from_millis(0) };
    for workspace in ["", "/a", "/b"] {
        user.put_input(InputKey { workspace, slug: &old, path: &file }, &input, "test").unwrap();
    }
    let count = |workspace, slug| user.inputs(InputKey { workspace, slug, path: &file }).unwrap().len();
    user.move_inputs(Some("/a"), &old, &new, "test").unwrap();
    assert_eq!((count("/a", &new), count("/b", &new), count("/b", &old)), (1, 0, 1));
    user.move_inputs(None, &old, &new, "test").unwrap();
    assert_eq!((count("", &new), count("/b", &new), count("/b", &old)), (1, 1, 0));
}

#[test]
fn the_feed_goes_on_with_the_file_that_takes_the_place_of_another() {
    let (world, other) = (world(), world());
    for name in ["One", "Two", "Three"] {
        world.stored(name);
    }
    let skill = other.stored("Of the other");
    other.store.close();
    let mut feed = ChangeFeed::new(&world.store).unwrap();
    assert_eq!(changes(&mut feed, &world.store), []);
    // As after `git checkout` or restoring a backup: another file with a shorter feed.
    std::fs::rename(other.store.path(), world.store.path()).unwrap();
    assert_eq!(feed.poll(&world.store).unwrap(), FeedUpdate::Replaced);
    assert_eq!(changes(&mut feed, &world.store), []);
    // The log of the old file, which wasn't checkpointed, isn't applied to the new one.
    assert_eq!(world.store.list_skills().unwrap().iter().map(|skill| skill.id).collect::<Vec<_>>(), [skill.head.id]);
    world.store.set_enabled(skill.head.id, false, "test").unwrap();
    let found = changes(&mut feed, &world.store);
    assert_eq!(found.iter().map(|change| change.id.clone()).collect::<Vec<_>>(), [skill.head.id.to_string()]);

    assert_eq!(inklings_sqlite::backup::check(world.store.path(), &inklings_core::CancellationToken::new()).unwrap(), [""; 0]);

    std::fs::remove_file(world.store.path()).unwrap();
    assert_eq!(feed.poll(&world.store).unwrap(), FeedUpdate::Replaced);
    assert_eq!(changes(&mut feed, &world.store), []);
    let again = world.stored("Anew");
    assert_eq!(changes(&mut feed, &world.store)[0].id, again.head.id.to_string(), "from the first entry");
}

#[test]
fn a_long_feed_is_read_to_its_end() {
    let world = world();
    world.stored("One");
    let mut feed = ChangeFeed::new(&world.store).unwrap();
    assert_eq!(changes(&mut feed, &world.store), []);
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
        INSERT INTO changes (kind, id, origin) SELECT 'skill', i, 'other' FROM n";
    rusqlite::Connection::open(world.store.path()).unwrap().execute_batch(many).unwrap();
    assert_eq!(changes(&mut feed, &world.store).len(), 25_000);
    assert_eq!(changes(&mut feed, &world.store), []);
}
