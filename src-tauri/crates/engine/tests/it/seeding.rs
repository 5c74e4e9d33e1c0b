//! Seeds enter once, are refreshed while untouched, and stay what the user made of them.

use std::fs;
use std::path::{Path, PathBuf};

use inklings_app::features::skill::{Delete, DeleteParams, Enable, EnableParams, Get, List, ListParams};
use inklings_app::wire::SkillRef;
use inklings_engine::{Engine, Options, Resources};
use inklings_rpc::{CallContext, Failure, Operation, call};

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
        let folder = self.data().join("seed/skills").join(slug);
        fs::create_dir_all(&folder).unwrap();
        fs::write(self.data().join("seed/version"), format!("{version}\n")).unwrap();
        fs::write(folder.join("SKILL.md"), format!("---\nname: {slug}\ndescription: Shipped skill {slug}.\n---\n\n{body}\n")).unwrap();
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
}

fn ask<T: Operation<App = inklings_app::App>>(engine: &Engine, params: T::Params) -> Result<T::Output, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
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
