//! Actions in the account's database.

use inklings_core::manifest::ActionMode;
use inklings_core::{Action, Actions as _, Scope, Slug};
use inklings_store::ChangeFeed;
use serde_json::json;

use crate::support::{changes, world};

fn slug(text: &str) -> Slug {
    Slug::parse(text).unwrap()
}

fn action(name: &str, skill: &str, scope: Option<Scope>) -> Action {
    Action { slug: slug(name), skill: Some(slug(skill)), scope, ..Action::built_in() }
}

#[test]
fn actions_come_back_as_they_were_put() {
    let world = world();
    assert_eq!(world.store.actions().unwrap(), []);
    let mut feed = ChangeFeed::new(&world.store).unwrap();
    let mut weekly = Action {
        artifact: Some("Draft".to_owned()),
        params: json!({ "topic": "größer", "count": 3 }).as_object().unwrap().clone(),
        model: Some("local/tiny".parse().unwrap()),
        mode: ActionMode::Queue,
        ..action("weekly", "report", Some(Scope::Workspace))
    };
    world.store.put_action(&weekly).unwrap();
    world.store.put_action(&Action { enabled: false, ..Action::built_in() }).unwrap();
    assert_eq!(world.store.actions().unwrap(), [Action { enabled: false, ..Action::built_in() }, weekly.clone()]);
    (weekly.artifact, weekly.scope, weekly.enabled) = (None, Some(Scope::Account), false);
    world.store.put_action(&weekly).unwrap();
    assert_eq!(world.store.action(&weekly.slug).unwrap(), Some(weekly.clone()));
    assert!(world.store.delete_action(&weekly.slug).unwrap());
    assert!(!world.store.delete_action(&weekly.slug).unwrap());
    assert_eq!(world.store.action(&weekly.slug).unwrap(), None);
    let changed: Vec<_> = changes(&mut feed, &world.store).into_iter().map(|change| (change.kind, change.id)).collect();
    let entry = |id: &str| ("action".to_owned(), id.to_owned());
    assert_eq!(changed, ["weekly", "optimize-skill", "weekly", "weekly"].map(entry));
}

#[test]
fn only_actions_that_were_changed_are_stored_again() {
    let world = world();
    for name in ["monthly", "weekly"] {
        world.store.put_action(&action(name, "report", None)).unwrap();
    }
    let mut feed = ChangeFeed::new(&world.store).unwrap();
    let changed = world.store.change_actions(&mut |action| {
        let is_weekly = action.slug.as_str() == "weekly";
        action.artifact = Some("Draft".to_owned());
        is_weekly
    });
    assert_eq!(changed.unwrap(), 1);
    let artifacts: Vec<_> = world.store.actions().unwrap().into_iter().map(|action| action.artifact).collect();
    assert_eq!(artifacts, [None, Some("Draft".to_owned())]);
    assert_eq!(changes(&mut feed, &world.store).into_iter().map(|change| change.id).collect::<Vec<_>>(), ["weekly"]);
}

#[test]
fn actions_follow_a_renamed_skill_of_their_scope() {
    let world = world();
    let all = [("any", None), ("account", Some(Scope::Account)), ("workspace", Some(Scope::Workspace))];
    for (name, scope) in all {
        world.store.put_action(&action(name, "report", scope)).unwrap();
    }
    world.store.put_action(&action("other", "memo", None)).unwrap();
    world.store.rename_action_skill(Scope::Workspace, &slug("report"), &slug("summary")).unwrap();
    let skills: Vec<_> =
        world.store.actions().unwrap().into_iter().map(|one| (one.slug.to_string(), one.skill.unwrap().to_string())).collect();
    let expected = [("account", "report"), ("any", "summary"), ("other", "memo"), ("workspace", "summary")];
    assert_eq!(skills, expected.map(|(name, skill)| (name.to_owned(), skill.to_owned())));
}
