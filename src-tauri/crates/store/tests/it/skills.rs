//! Storing and finding skills.

use inklings_core::change::ChangeSet;
use inklings_core::{
    Artifact, ArtifactKind, Expected, Head, Lifecycle, LifecycleAction, LifecycleChange, Origin, Package, Relation, RelationKind,
    SkillCatalog, SkillFile, SkillStorageRepository as _, Slug, Source, State, StorageError, TreeFile, limits,
};
use std::sync::Arc;

use crate::support::{path, world};

#[test]
fn a_skill_is_read_back_as_it_was_stored() {
    let world = world();
    let skill = world.skill("Link Auditor");
    assert_eq!(world.store.create_skill(&skill, "local").unwrap(), 1);
    let read = world.store.get_skill_by_name("link-auditor").unwrap().unwrap();
    assert_eq!(read.package, skill.package);
    assert_eq!(read.package.tree(), skill.package.tree());
    assert_eq!(read.head.revision, 1);
}

#[test]
fn one_file_is_read_as_the_folder_has_it() {
    let world = world();
    let mut skill = world.skill("Link Auditor");
    skill.package.artifacts[1].state = Some(State { path: path("state.json"), bytes: b"{}".as_slice().into() });
    world.store.create_skill(&skill, "local").unwrap();
    let tree = world.store.get_skill(skill.head.id).unwrap().unwrap().package.tree();
    assert!(tree.len() >= 4, "{:?}", tree.keys());
    for (at, file) in &tree {
        assert_eq!(world.store.get_file(skill.head.id, at).unwrap().as_ref(), Some(file), "{at}");
    }
    assert_eq!(world.store.get_file(skill.head.id, &path("none.md")).unwrap(), None);
    let values = world.store.get_values_by_name("link-auditor").unwrap().unwrap();
    assert_eq!((values.head.id, values.package.tree().len()), (skill.head.id, 2));
}

#[test]
fn lookups_take_id_slug_and_title_in_any_writing() {
    let world = world();
    let skill = world.stored("Link Auditor");
    for name in [skill.head.id.to_string().as_str(), "link-auditor", "Link Auditor", "LINK_AUDITOR", "link auditor"] {
        assert_eq!(world.store.get_skill_by_name(name).unwrap().map(|found| found.head.id), Some(skill.head.id), "{name}");
    }
    assert!(world.store.get_skill_by_name("auditor").unwrap().is_none());
}

#[test]
fn slugs_and_titles_are_unique_ignoring_case() {
    let world = world();
    world.stored("Link Auditor");
    let mut other = world.skill("Other");
    other.package.slug = "link-auditor".parse().unwrap();
    let error = world.store.create_skill(&other, "local").unwrap_err();
    assert!(matches!(error, StorageError::Exists { what: "slug", .. }), "{error}");
    let mut other = world.skill("Other");
    other.package.name = "LINK auditor".to_owned();
    let error = world.store.create_skill(&other, "local").unwrap_err();
    assert!(matches!(error, StorageError::Exists { what: "title", .. }), "{error}");
    assert_eq!(world.store.list_skills().unwrap().len(), 1);
}

#[test]
fn two_default_variants_of_one_artifact_are_refused() {
    let world = world();
    let mut skill = world.skill("Twice");
    skill.package.artifacts.push(world.artifact("prompts/again.j2", ArtifactKind::PromptTemplate, "Ask", "Again"));
    assert!(world.store.create_skill(&skill, "local").is_err());
    skill.package.artifacts[2].variant = Some("openai".to_owned());
    world.store.create_skill(&skill, "local").unwrap();
}

#[test]
fn artifacts_may_swap_names_and_paths_in_one_write() {
    let world = world();
    let mut skill = world.stored("Swap");
    skill
        .package
        .artifacts
        .push(Artifact { ordinal: 2, ..world.artifact("prompts/tell.j2", ArtifactKind::PromptTemplate, "Tell", "Tell.") });
    world.store.update_skill(&skill, "local").unwrap();
    let mut skill = world.store.present(skill.head.id).unwrap();
    let (a, b) = (skill.package.artifacts[1].clone(), skill.package.artifacts[2].clone());
    skill.package.artifacts[1].path = b.path.clone();
    skill.package.artifacts[1].name.clone_from(&b.name);
    skill.package.artifacts[2].path = a.path.clone();
    skill.package.artifacts[2].name.clone_from(&a.name);
    world.store.update_skill(&skill, "local").unwrap();
    let read = world.store.get_artifact(a.id).unwrap().unwrap();
    assert_eq!((read.path, read.name), (b.path, b.name));
}

#[test]
fn artifact_methods_make_revisions_and_keep_the_folder_synced() {
    let world = world();
    let skill = world.stored("Parts");
    let id = skill.head.id;
    let script = Artifact { ordinal: 2, ..world.artifact("scripts/count.py", ArtifactKind::CodeTemplate, "Count", "print(1)\n") };
    assert_eq!(world.store.add_artifact(id, script.clone(), "local").unwrap(), 2);
    assert_eq!(world.store.update_artifact(id, Artifact { content: "print(2)\n".into(), ..script.clone() }, "local").unwrap(), 3);
    let kinds = [ArtifactKind::CodeTemplate];
    assert_eq!(&*world.store.get_artifacts(id, &kinds).unwrap()[0].content, "print(2)\n");
    assert!(world.store.present(id).unwrap().package.sources.skill_json.unwrap().contains("scripts/count.py"));
    assert_eq!(world.store.delete_artifact(id, script.id, "local").unwrap(), 4);
    assert!(world.store.get_artifact(script.id).unwrap().is_none());
    assert!(!world.store.present(id).unwrap().package.sources.skill_json.unwrap().contains("scripts/count.py"));
}

/// Counts artifacts as files.
fn add_files_up_to(package: &mut Package, count: usize) {
    let missing = package.artifacts.len() + package.files.len()..count;
    package.files.extend(missing.map(|n| SkillFile { path: path(&format!("f{n}")), entry: TreeFile::new(*b"x") }));
}

#[test]
fn a_skill_with_512_files_is_stored() {
    let world = world();
    let mut skill = world.skill("Many");
    // And its skill.json.
    add_files_up_to(&mut skill.package, 511);
    world.store.create_skill(&skill, "local").unwrap();
    assert_eq!(world.store.present(skill.head.id).unwrap().package.tree().len(), 512);
}

#[test]
fn limits_are_refused_with_what_and_how_much() {
    let world = world();
    let mut skill = world.skill("Large");
    skill.package.artifacts[1].content = "x".repeat(limits::ARTIFACT_BYTES + 1).into();
    let error = world.store.create_skill(&skill, "local").unwrap_err();
    assert!(error.to_string().contains("prompts/ask.j2"), "{error}");
    let mut skill = world.skill("Many");
    add_files_up_to(&mut skill.package, 513);
    let error = world.store.create_skill(&skill, "local").unwrap_err();
    assert!(error.to_string().contains("512"), "{error}");
    let mut skill = world.skill("Long");
    skill.package.name = "x".repeat(limits::NAME_CHARS + 1);
    let error = world.store.create_skill(&skill, "local").unwrap_err();
    assert!(error.to_string().contains("120"), "{error}");
    assert!(world.store.list_skills().unwrap().is_empty());
}

#[test]
fn a_batch_stores_the_good_and_reports_the_bad() {
    let world = world();
    world.stored("Taken");
    let change = |name: &str| {
        let skill = world.skill(name);
        (ChangeSet::between(None, Some(skill.clone()), skill.head.id, "local", "imported"), Expected::Absent)
    };
    let results = world.store.commit_all(&[change("One"), change("taken"), change("Two")]).results;
    assert!(results[0].is_ok() && results[2].is_ok(), "{results:?}");
    assert!(matches!(results[1], Err(StorageError::Exists { .. })), "{results:?}");
    let slugs: Vec<_> = world.store.list_skills().unwrap().into_iter().map(|skill| skill.slug.to_string()).collect();
    assert_eq!(slugs, ["one", "taken", "two"]);
}

#[test]
fn switching_is_no_revision_and_survives_a_write() {
    let world = world();
    let skill = world.stored("Switch");
    world.store.set_enabled(skill.head.id, false, "local").unwrap();
    let mut skill = world.store.present(skill.head.id).unwrap();
    assert_eq!((skill.head.enabled, skill.head.revision), (false, 1));
    skill.package.category = "other".to_owned();
    world.store.update_skill(&skill, "local").unwrap();
    assert!(!world.store.present(skill.head.id).unwrap().head.enabled);
}

#[test]
fn a_changed_lifecycle_is_no_revision_and_survives_a_write() {
    let world = world();
    let skill = world.stored("Old");
    let change = |action, reason: Option<&str>| {
        let head = world.store.present(skill.head.id).unwrap().head;
        LifecycleChange::of(&head, action, reason.map(str::to_owned), &world.store.lifecycle_history(head.id).unwrap()).unwrap()
    };
    let facts = || world.store.skill_facts(&[skill.head.id]).unwrap().pop().unwrap();
    let deprecation = change(LifecycleAction::Deprecate, Some("use New"));
    assert!(world.store.set_lifecycle(skill.head.id, &deprecation, "mara").unwrap());
    assert!(!world.store.set_lifecycle(skill.head.id, &deprecation, "mara").unwrap(), "it isn't released any more");
    let mut edited = world.store.present(skill.head.id).unwrap();
    assert_eq!(
        (edited.head.lifecycle, edited.head.deprecated_reason.as_deref(), edited.head.revision),
        (Lifecycle::Deprecated, Some("use New"), 1)
    );
    // A writer that read the skill before.
    edited.head.lifecycle = Lifecycle::Released;
    edited.head.deprecated_reason = None;
    edited.package.category = "other".to_owned();
    world.store.update_skill(&edited, "local").unwrap();
    let stored = world.store.present(skill.head.id).unwrap().head;
    assert_eq!((stored.lifecycle, stored.deprecated_reason.as_deref(), stored.revision), (Lifecycle::Deprecated, Some("use New"), 2));
    assert!(world.store.set_lifecycle(skill.head.id, &change(LifecycleAction::Reinstate, None), "local").unwrap());
    assert_eq!(facts().last_validated_at, None);
    world.store.set_enabled(skill.head.id, false, "local").unwrap();
    let history = world.store.lifecycle_history(skill.head.id).unwrap();
    let recorded: Vec<_> = history.iter().map(|entry| (entry.action.as_str(), entry.from, entry.to, entry.actor.as_str())).collect();
    assert_eq!(
        recorded,
        [
            ("reinstated", Lifecycle::Deprecated, Lifecycle::Released, "local"),
            ("deprecated", Lifecycle::Released, Lifecycle::Deprecated, "mara")
        ]
    );
    assert_eq!(history[1].reason.as_deref(), Some("use New"));
    let unknown = inklings_core::SkillId::new(uuid::Uuid::nil());
    assert!(matches!(world.store.set_lifecycle(unknown, &deprecation, "local"), Err(StorageError::NotFound { .. })));
}

#[test]
fn a_promotion_validates_the_skill() {
    let world = world();
    let mut skill = world.skill("Learned");
    skill.head = Head { id: skill.head.id, ..Head::new(skill.head.id, skill.head.scope, Source::User, Origin::Llm, skill.head.created_at) };
    world.store.create_skill(&skill, "local").unwrap();
    let promotion = LifecycleChange::of(&skill.head, LifecycleAction::Promote, None, &[]).unwrap();
    assert!(world.store.set_lifecycle(skill.head.id, &promotion, "local").unwrap());
    let summary = world.store.list_skills().unwrap().pop().unwrap();
    assert_eq!((summary.lifecycle, summary.trust_tier), (Lifecycle::Verified, 2));
    assert!(world.store.skill_facts(&[skill.head.id]).unwrap()[0].last_validated_at.is_some());
}

#[test]
fn dependents_are_found_by_slug_and_title() {
    let world = world();
    let named = |slug: &str, title: &str| (Slug::parse(slug).unwrap(), title.to_owned());
    for (name, targets) in [("User", ["base", "Base"]), ("Other", ["BASE", "plan b"]), ("Plan b", ["plan-b", "nothing"])] {
        let mut skill = world.skill(name);
        skill.package.relations = targets.map(|target| Relation { kind: RelationKind::DependsOn, target: target.to_owned() }).into();
        world.store.create_skill(&skill, "local").unwrap();
    }
    let asked = [named("base", "base"), named("plan-b", "plan b"), named("elsewhere", "base"), named("none", "none"), named("x", "user")];
    let found = world.store.dependents(&asked).unwrap();
    assert_eq!(found, [vec!["other", "user"], vec!["other"], vec!["other", "user"], vec![], vec![]]);
    // A title refers to the skill of this database that has it.
    world.stored("Base");
    assert_eq!(world.store.dependents(&asked[2..3]).unwrap(), [Vec::<String>::new()]);
}

#[test]
fn the_catalog_lets_the_workspace_win_by_slug_and_marks_collisions() {
    let (account, workspace) = (world(), world());
    account.stored("Alpha");
    account.stored("Beta");
    let mine = workspace.stored("Alpha");
    let mut same_title = workspace.skill("Gamma");
    same_title.package.name = "beta".to_owned();
    workspace.store.create_skill(&same_title, "local").unwrap();
    let workspace_store = inklings_store::Store::open(
        inklings_core::Scope::Workspace,
        workspace.store.path(),
        "test",
        workspace.clock.clone(),
        workspace.format.clone(),
    );
    let catalog = SkillCatalog::new(Arc::new(account.store), Some(Arc::new(workspace_store.unwrap())));
    let all = catalog.list_all().unwrap();
    assert_eq!(all.iter().map(|skill| skill.slug.as_str()).collect::<Vec<_>>(), ["alpha", "beta", "gamma"]);
    assert!(all[0].shadows && all[0].id == mine.head.id);
    assert_eq!(all[1].collides_with.as_ref().map(inklings_core::Slug::as_str), Some("gamma"));
    let both = catalog.list_both().unwrap();
    assert_eq!(both.len(), 4);
    assert!(both.iter().any(|skill| skill.shadowed && skill.slug.as_str() == "alpha"));
}
