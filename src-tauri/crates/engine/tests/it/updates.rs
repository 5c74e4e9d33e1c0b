//! Skills are imported again: which stored skill is which, what was changed here, and the names of those that are kept beside others.

use std::path::{Path, PathBuf};

use inklings_app::features::import::GetImportSource;
use inklings_app::features::skill::{
    Change, Edit, EditParams, Import, ImportAction, ImportItem, ImportParams, ImportReport, ImportStatus, MoveSkill, MoveSkillParams,
};
use inklings_app::wire::{SkillDetail, SkillRef};
use inklings_core::{Diagnostic, Scope, SkillId, SkillPath, Slug};
use inklings_rpc::{Code, Failure};
use serde_json::json;

use crate::imports::{World, commit, fetch, repository};
use crate::support::ask;

const TEXT: &str = "description: Sorts papers of all kinds. Use it when they come.\n---\nBody.\n";

fn update(world: &World, path: PathBuf, skill: SkillId) -> Result<ImportReport, Failure> {
    world.ask::<Import>(ImportParams { paths: vec![path], updates: Some(skill), ..ImportParams::default() })
}

fn only(report: ImportReport) -> ImportItem {
    let mut items = report.items;
    assert_eq!(items.len(), 1, "{items:?}");
    items.remove(0)
}

#[test]
fn an_update_after_a_move_keeps_what_was_changed_here() {
    let world = World::new();
    let work = world.folder.path().join("work");
    let go = |skill: &str| {
        let params = MoveSkillParams { skill: skill.to_owned(), scope: None, to: Scope::Workspace, keep: false };
        ask::<MoveSkill>(&world.engine, Some(&work), params).unwrap().skill
    };
    let update = |skill: &SkillDetail, folder: &Path| {
        let (paths, updates) = (vec![folder.to_owned()], Some(skill.summary.id));
        let params = ImportParams { paths, updates, scope: Some(Scope::Workspace), ..ImportParams::default() };
        only(ask::<Import>(&world.engine, Some(&work), params).unwrap())
    };
    world.skill("papers");
    let papers = world.file("papers", "notes.md", "original\n");
    assert!(world.import(&papers, |_| ()).stored);
    for (expected, path) in [(1, "notes.md"), (2, "own.md")] {
        let changes = vec![Change::Write { path: SkillPath::parse(path).unwrap(), text: "mine\n".to_owned() }];
        world.ask::<Edit>(EditParams { skill: "papers".to_owned(), scope: None, expected, changes, why: None }).unwrap();
    }
    let item = update(&go("papers"), &papers);
    assert_eq!((item.status, item.stored), (ImportStatus::Conflict, false), "{item:?}");

    // What wasn't changed here is updated as before.
    let letters = world.skill("letters");
    assert!(world.import(&letters, |_| ()).stored);
    let moved = go("letters");
    world.file("letters", "notes.md", "new\n");
    let item = update(&moved, &letters);
    assert_eq!((item.status, item.stored, item.base), (ImportStatus::Update, true, Some(1)), "{item:?}");
}

#[test]
fn a_skill_of_a_list_is_found_by_its_name_not_by_its_position() {
    let world = World::new();
    let file = world.folder.path().join("b.json");
    let write = |names: &[&str], text: &str| {
        let skill = |name: &&str| {
            let artifacts = json!([{ "kind": "description", "name": "Overview", "content": text }]);
            json!({ "name": name, "description": format!("Sorts {name}. Use it for them."), "artifacts": artifacts })
        };
        std::fs::write(&file, json!(names.iter().map(skill).collect::<Vec<_>>()).to_string()).unwrap();
    };
    let again = |skill: &str| {
        let source = world.ask::<GetImportSource>(SkillRef { skill: skill.to_owned(), scope: None }).unwrap();
        update(&world, source.name.into(), source.skill)
    };
    write(&["alpha", "beta"], "One.\n");
    let report = world.ask::<Import>(ImportParams { paths: vec![file.clone()], ..ImportParams::default() }).unwrap();
    assert!(report.items.len() == 2 && report.items.iter().all(|item| item.stored), "{report:?}");
    let id = world.get("alpha").summary.id;

    write(&["gamma", "alpha"], "Two.\n");
    let item = only(again("alpha").unwrap());
    assert_eq!((item.status, item.stored, item.skill), (ImportStatus::Update, true, Some(id)), "{item:?}");
    assert_eq!(world.get(&id.to_string()).summary.slug.as_str(), "alpha");
    let failure = again("beta").unwrap_err();
    assert_eq!(failure.code, Code::NotFound, "{failure:?}");
    assert!(failure.message.contains("doesn't contain the skill beta any more"), "{failure:?}");
    assert_eq!(world.get("beta").summary.revision, 1);
}

#[test]
fn a_repository_that_is_a_skill_names_it_the_same_at_each_commit() {
    let world = World::new();
    let top = world.file("sorter", "SKILL.md", &format!("---\n{TEXT}"));
    let url = repository(&top);
    let import = |strict: bool| {
        let fetched = fetch(&world, &url).unwrap();
        let path = fetched.path.clone();
        world.import(&path, |params| (params.repositories, params.strict) = (vec![fetched], strict))
    };
    let first = import(false);
    assert_eq!((first.slug.as_ref().map(Slug::as_str), first.stored), (Some("sorter"), true), "{first:?}");
    commit(&top, "notes.md", "new\n");
    let next = import(false);
    assert_eq!((next.status, next.stored, next.skill), (ImportStatus::Update, true, first.skill), "{next:?}");
    commit(&top, "SKILL.md", &format!("---\nname: sorter\n{TEXT}"));
    let named = import(true);
    assert_eq!((named.status, named.stored, named.skill), (ImportStatus::Update, true, first.skill), "{named:?}");
}

#[test]
fn a_skill_with_a_number_is_found_by_the_path_that_it_came_from() {
    let world = World::new();
    for folder in ["all/one", "all/two"] {
        world.file(folder, "SKILL.md", &format!("---\nname: sorter\n{TEXT}"));
    }
    let two = world.file("all/two", "notes.md", "two\n");
    let all = two.parent().unwrap().to_owned();
    let import = || world.ask::<Import>(ImportParams { paths: vec![all.clone()], rename: true, ..ImportParams::default() }).unwrap().items;
    let slugs = |items: &[ImportItem]| items.iter().map(|item| item.slug.as_ref().unwrap().to_string()).collect::<Vec<_>>();
    let first = import();
    assert!(first.iter().all(|item| item.stored), "{first:?}");
    assert_eq!(slugs(&first), ["sorter", "sorter-2"]);
    let second = import();
    assert_eq!(slugs(&second), ["sorter", "sorter-2"]);
    assert!(second.iter().all(|item| item.status == ImportStatus::Unchanged), "{second:?}");

    let id = world.get("sorter-2").summary.id;
    assert_eq!(only(update(&world, two.clone(), id).unwrap()).status, ImportStatus::Unchanged);
    world.file("all/two", "notes.md", "newer\n");
    let item = only(update(&world, two, id).unwrap());
    assert_eq!((item.status, item.stored), (ImportStatus::Update, true), "{item:?}");
    assert_eq!(world.get(&id.to_string()).summary.slug.as_str(), "sorter-2");
}

/// The folder of a skill whose title is that of a stored one.
fn skill_with_a_taken_title(world: &World) -> PathBuf {
    assert!(world.import(&world.skill("papers"), |_| ()).stored);
    world.skill("other");
    world.file("other", "skill.json", r#"{ "title": "PAPERS" }"#)
}

#[test]
fn a_title_of_another_skill_is_refused_or_numbered() {
    let world = World::new();
    let other = skill_with_a_taken_title(&world);
    for dry_run in [true, false] {
        let item = world.import(&other, |params| params.dry_run = dry_run);
        assert_eq!((item.status, item.stored), (ImportStatus::Refused, false), "{item:?}");
        assert!(item.diagnostics.iter().any(|one| one.message.contains("already exists")), "{item:?}");
    }
    let unwanted = world.import(&other, |params| params.only_chosen = true);
    assert_eq!((unwanted.status, unwanted.stored), (ImportStatus::New, false), "{unwanted:?}");
    assert!(!unwanted.diagnostics.iter().any(Diagnostic::is_error), "{unwanted:?}");
    let preview = world.import(&other, |params| (params.dry_run, params.conflicts) = (true, ImportAction::Both));
    let stored = world.import(&other, |params| params.conflicts = ImportAction::Both);
    for item in [&preview, &stored] {
        assert_eq!((item.status, item.name.as_deref()), (ImportStatus::New, Some("PAPERS 2")), "{item:?}");
    }
    assert!(stored.stored, "{stored:?}");
}

#[test]
fn a_skill_with_the_number_of_its_title_is_found_by_the_path_that_it_came_from() {
    let world = World::new();
    let other = skill_with_a_taken_title(&world);
    let import = || world.import(&other, |params| params.rename = true);
    let first = import();
    assert_eq!((first.slug.as_ref().map(Slug::as_str), first.stored), (Some("other-2"), true), "{first:?}");
    let second = import();
    assert_eq!((second.status, second.skill), (ImportStatus::Unchanged, first.skill), "{second:?}");

    let id = world.get("other-2").summary.id;
    world.file("other", "notes.md", "newer\n");
    let item = only(update(&world, other, id).unwrap());
    assert_eq!((item.status, item.stored, item.name.as_deref()), (ImportStatus::Update, true, Some("PAPERS 2")), "{item:?}");
    assert_eq!(world.get(&id.to_string()).summary.slug.as_str(), "other-2");
}
