//! Seeds enter once, are refreshed while untouched, and stay what the user made of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inklings_app::features::marketplace::ListInstalled;
use inklings_app::features::publish::{CreateRegistry, CreateRegistryParams, PublishTarget, ReleaseParams, ReleaseSkills};
use inklings_app::features::registry::{
    AddRegistry, AddRegistryParams, ChangeRegistry, ChangeRegistryParams, SyncRegistries, SyncRegistriesParams,
};
use inklings_app::features::skill::{Delete, DeleteParams, Enable, EnableParams, Get, List, ListParams};
use inklings_app::wire::SkillRef;
use inklings_core::edit::{self, TreeEdit};
use inklings_core::{Scope, SkillStorageRepository as _};
use inklings_engine::{Engine, Options, Resources, SystemClock, SystemIds};
use inklings_folder::Folder;
use inklings_rpc::{CallContext, Failure, NoParams, Operation, call};
use inklings_store::{Seed, Store};

struct World {
    root: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self { root: tempfile::tempdir().unwrap() };
        world.seed(1, "alpha", "First text.");
        world.seed(1, "beta", "Second text.");
        world
    }

    fn data(&self) -> PathBuf {
        self.root.path().join("data")
    }

    fn seed(&self, version: u32, slug: &str, body: &str) {
        self.seed_as(version, slug, "1.0.0", body);
    }

    fn seed_as(&self, version: u32, slug: &str, skill_version: &str, body: &str) {
        let folder = self.data().join("seed/skills").join(slug);
        fs::create_dir_all(&folder).unwrap();
        fs::write(self.data().join("seed/version"), format!("{version}\n")).unwrap();
        fs::write(folder.join("SKILL.md"), main_file(slug, skill_version, body)).unwrap();
    }

    fn engine(&self) -> Engine {
        Engine::start(Options {
            home: self.root.path().join("home"),
            resources: Resources::at(self.data()),
            launcher: None,
            agents: None,
            clients: None,
            maintain: false,
        })
        .unwrap()
    }

    fn account(&self) -> Store {
        let path = self.root.path().join("home/agents.db");
        Store::open(Scope::Account, &path, "test", Arc::new(SystemClock), Arc::new(Folder::new(Arc::new(SystemIds)))).unwrap()
    }

    /// What is recorded of a built-in skill.
    fn recorded(&self, slug: &str) -> Seed {
        self.account().seeds().unwrap().remove(slug).unwrap()
    }
}

fn main_file(slug: &str, version: &str, body: &str) -> String {
    format!("---\nname: {slug}\ndescription: Shipped skill {slug}.\nmetadata:\n  version: \"{version}\"\n---\n\n{body}\n")
}

fn ask<T: Operation<App = inklings_app::App>>(engine: &Engine, params: T::Params) -> Result<T::Output, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(call::<T>(engine.app(), CallContext::local(None, "test"), params))
}

fn named(skill: &str) -> SkillRef {
    SkillRef { skill: skill.to_owned(), scope: None }
}

fn body(engine: &Engine, slug: &str) -> String {
    let catalog = engine.app().catalog(&CallContext::local(None, "test")).unwrap();
    catalog.require(slug, None).unwrap().package.main().unwrap().content.to_string()
}

fn slugs(engine: &Engine) -> Vec<String> {
    ask::<List>(engine, ListParams::default()).unwrap().skills.into_iter().map(|skill| skill.slug.to_string()).collect()
}

#[test]
fn a_first_start_has_the_seeds_and_a_second_changes_nothing() {
    let world = World::new();
    let engine = world.engine();
    assert_eq!(slugs(&engine), ["alpha", "beta"]);
    let skill = ask::<Get>(&engine, named("alpha")).unwrap();
    assert!(skill.summary.locked && skill.summary.trust_tier == 4);
    drop(engine);
    assert_eq!(ask::<Get>(&world.engine(), named("alpha")).unwrap().summary.revision, 1);
}

#[test]
fn a_newer_seed_refreshes_what_is_untouched_and_keeps_the_switch() {
    let world = World::new();
    let engine = world.engine();
    ask::<Enable>(&engine, EnableParams { skill: "alpha".to_owned(), scope: None, enabled: false }).unwrap();
    let id = ask::<Get>(&engine, named("alpha")).unwrap().summary.id;
    drop(engine);
    world.seed(2, "alpha", "Better text.");
    let engine = world.engine();
    let skill = ask::<Get>(&engine, named("alpha")).unwrap().summary;
    assert_eq!((skill.id, skill.revision, skill.enabled), (id, 2, false));
    assert_eq!(body(&engine, "alpha"), "\nBetter text.\n");
    assert_eq!(ask::<Get>(&engine, named("beta")).unwrap().summary.revision, 1, "what didn't change gets no revision");
}

#[test]
fn an_update_isnt_an_edit_when_its_record_is_late_or_another_process_writes_it() {
    let world = World::new();
    drop(world.engine());
    let first = world.recorded("alpha");
    world.seed(2, "alpha", "Better text.");
    drop(world.engine());
    let second = world.recorded("alpha");
    assert_eq!((second.version, second.tree_hash == first.tree_hash), (2, false));

    // Another process read the record before the update, and the skill after it.
    let stale = Seed { version: 2, ..first.clone() };
    world.account().put_seed(&stale, Some(&first)).unwrap();
    assert_eq!(world.recorded("alpha"), second);

    // As after a kill between the update and its record.
    world.account().put_seed(&first, Some(&second)).unwrap();
    assert_eq!(world.recorded("alpha"), first);
    drop(world.engine());
    assert_eq!(world.recorded("alpha"), second);
    world.seed(3, "alpha", "Best text.");
    assert_eq!(body(&world.engine(), "alpha"), "\nBest text.\n");
}

#[test]
fn an_edited_seed_stays_edited() {
    let world = World::new();
    drop(world.engine());
    let account = world.account();
    let skill = account.get_skill_by_name("alpha").unwrap().unwrap();
    let text = main_file("alpha", "1.0.0", "Edited text.");
    let edit = TreeEdit::Write("SKILL.md".parse().unwrap(), text.as_bytes().into());
    edit::save(&account, skill.head.id, &[edit], skill.head.revision, "test", "edited").unwrap();
    drop(account);
    for version in [2, 3] {
        world.seed(version, "alpha", "Better text.");
        assert_eq!(body(&world.engine(), "alpha"), "\nEdited text.\n");
    }
}

#[test]
fn of_a_seed_and_its_update_from_a_registry_the_higher_version_stays() {
    let world = World::new();
    let top = world.root.path();
    let target = PublishTarget { folder: top.join("registry"), keys: Some(top.join("keys")), days: None };
    let source = top.join("sources/alpha");
    fs::create_dir_all(&source).unwrap();
    fs::write(source.join("SKILL.md"), main_file("alpha", "1.5.0", "Of a registry.")).unwrap();
    let engine = world.engine();
    let (id, title) = ("skills.example.org".to_owned(), "Example".to_owned());
    let created = ask::<CreateRegistry>(&engine, CreateRegistryParams { target: target.clone(), id, title, publisher: None }).unwrap();
    let release = ReleaseParams { target, skills: Vec::new(), paths: vec![source], minimum_client: None };
    ask::<ReleaseSkills>(&engine, release).unwrap();
    let address = created.folder;
    ask::<AddRegistry>(&engine, AddRegistryParams { address, fingerprint: created.fingerprint, mirrors: Vec::new(), priority: 0 }).unwrap();
    let (registry, updates_built_in) = (created.id, Some(true));
    let allow = ChangeRegistryParams { registry, address: None, mirrors: None, priority: None, enabled: None, updates_built_in };
    ask::<ChangeRegistry>(&engine, allow).unwrap();
    assert_eq!(ask::<SyncRegistries>(&engine, SyncRegistriesParams::default()).unwrap().updated.len(), 1);
    assert_eq!(body(&engine, "alpha"), "\nOf a registry.\n");
    drop(engine);

    world.seed_as(2, "alpha", "1.2.0", "Shipped, and older.");
    let engine = world.engine();
    assert_eq!(body(&engine, "alpha"), "\nOf a registry.\n");
    drop(engine);
    world.seed_as(3, "alpha", "2.0.0", "Shipped, and newer.");
    let engine = world.engine();
    assert_eq!(body(&engine, "alpha"), "\nShipped, and newer.\n");
    assert!(ask::<ListInstalled>(&engine, NoParams {}).unwrap().skills.is_empty(), "it isn't the registry's any more");
    let synced = ask::<SyncRegistries>(&engine, SyncRegistriesParams::default()).unwrap();
    assert_eq!(synced.updated.len(), 0, "the registry's version is older");
    assert_eq!(body(&engine, "alpha"), "\nShipped, and newer.\n");
}

#[test]
fn a_deleted_seed_stays_deleted() {
    let world = World::new();
    let engine = world.engine();
    ask::<Delete>(&engine, DeleteParams { skill: "alpha".to_owned(), scope: None, expected: None }).unwrap();
    drop(engine);
    world.seed(2, "alpha", "Again.");
    assert_eq!(slugs(&world.engine()), ["beta"]);
}

#[test]
fn a_title_that_is_taken_keeps_one_seed_out_and_no_other() {
    let world = World::new();
    let home = world.root.path().join("home");
    let empty = Engine::start(Options {
        home,
        resources: Resources::at(Path::new("/nonexistent")),
        launcher: None,
        agents: None,
        clients: None,
        maintain: false,
    })
    .unwrap();
    let create =
        |name: &str| inklings_app::features::skill::CreateParams { name: name.to_owned(), description: None, content: None, scope: None };
    let mine = ask::<inklings_app::features::skill::Create>(&empty, create("Mine")).unwrap();
    let json =
        inklings_app::features::skill::Change::Write { path: "skill.json".parse().unwrap(), text: "{ \"title\": \"Alpha\" }\n".to_owned() };
    let edit = inklings_app::features::skill::EditParams {
        skill: "mine".to_owned(),
        scope: None,
        expected: mine.summary.revision,
        changes: vec![json],
        why: None,
    };
    ask::<inklings_app::features::skill::Edit>(&empty, edit).unwrap();
    drop(empty);
    let engine = world.engine();
    assert_eq!(slugs(&engine), ["beta", "mine"]);
    assert!(engine.app().workspaces.banners().iter().any(|banner| banner.message.contains("alpha")));
}

#[test]
fn a_taken_name_is_skipped_and_said() {
    let world = World::new();
    let home = world.root.path().join("home");
    let empty = Engine::start(Options {
        home: home.clone(),
        resources: Resources::at(Path::new("/nonexistent")),
        launcher: None,
        agents: None,
        clients: None,
        maintain: false,
    })
    .unwrap();
    let params = inklings_app::features::skill::CreateParams {
        name: "Alpha".to_owned(),
        description: None,
        content: Some("Mine.".to_owned()),
        scope: None,
    };
    ask::<inklings_app::features::skill::Create>(&empty, params).unwrap();
    drop(empty);
    let engine = world.engine();
    assert_eq!(body(&engine, "alpha"), "Mine.");
    let banners = engine.app().workspaces.banners();
    assert!(banners.iter().any(|banner| banner.message.contains("alpha")), "{banners:?}");
}
