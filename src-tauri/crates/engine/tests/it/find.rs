//! Finding skills and files by some characters of their names.

use inklings_app::features::file::{Find, FindParams, NameMatch, RecentFile};
use inklings_app::features::skill::{Change, Create, CreateParams, Edit, EditParams};
use inklings_app::wire::SkillDetail;
use inklings_core::{Scope, SkillPath};
use inklings_engine::{Engine, Resources};
use inklings_rpc::Operation;

use crate::support::{ask, start};

struct World {
    engine: Engine,
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        Self { engine: start(&folder.path().join("home"), Resources::at("/nonexistent")), folder }
    }

    fn ask<T: Operation<App = inklings_app::App>>(&self, params: T::Params) -> T::Output {
        ask::<T>(&self.engine, Some(&self.folder.path().join("work")), params).unwrap()
    }

    fn skill(&self, name: &str, scope: Scope, files: &[&str]) -> SkillDetail {
        let made = self.ask::<Create>(CreateParams { name: name.to_owned(), description: None, content: None, scope: Some(scope) });
        let changes = files.iter().map(|file| Change::Write { path: path(file), text: "text\n".to_owned() }).collect();
        let (skill, expected) = (made.summary.id.to_string(), made.summary.revision);
        self.ask::<Edit>(EditParams { skill, scope: Some(scope), expected, changes, why: None }).skill
    }

    fn find(&self, query: &str, recent: Vec<RecentFile>) -> Vec<NameMatch> {
        self.ask::<Find>(FindParams { query: query.to_owned(), limit: None, recent }).found
    }
}

fn path(text: &str) -> SkillPath {
    SkillPath::parse(text).unwrap()
}

fn words(found: &[NameMatch]) -> Vec<String> {
    found.iter().map(|one| format!("{:?} {} {}", one.scope, one.slug, one.path.as_ref().map_or("", SkillPath::as_str))).collect()
}

#[test]
fn files_of_all_skills_are_found_also_by_their_skill() {
    let world = World::new();
    world.skill("Fact desk", Scope::Account, &["prompts/check.j2", "notes.md"]);
    world.skill("Press review", Scope::Workspace, &["prompts/check.j2", "data/Prüfung.csv"]);
    assert_eq!(
        words(&world.find("check.j2", Vec::new())),
        ["Account fact-desk prompts/check.j2", "Workspace press-review prompts/check.j2"]
    );
    assert_eq!(words(&world.find("press check", Vec::new()))[0], "Workspace press-review prompts/check.j2");
    assert_eq!(words(&world.find("pressrev", Vec::new()))[0], "Workspace press-review ");
    let marked = &world.find("prüf", Vec::new())[0];
    assert_eq!((marked.text.as_str(), marked.at.as_slice()), ("data/Prüfung.csv", [5, 6, 7, 8].as_slice()));
    assert!(world.find("nothing of the kind", Vec::new()).is_empty());
}

#[test]
fn what_was_opened_lately_comes_first() {
    let world = World::new();
    let desk = world.skill("Fact desk", Scope::Account, &["prompts/check.j2"]);
    let review = world.skill("Press review", Scope::Workspace, &["prompts/check.j2", "notes.md"]);
    let recent = |skill: &SkillDetail, file: &str| RecentFile { scope: skill.summary.scope, skill: skill.summary.id, path: path(file) };
    let found = world.find("", vec![recent(&review, "notes.md"), recent(&desk, "prompts/check.j2"), recent(&desk, "gone.md")]);
    assert_eq!(
        words(&found),
        ["Workspace press-review notes.md", "Account fact-desk prompts/check.j2", "Account fact-desk ", "Workspace press-review "]
    );
    let found = world.find("check", vec![recent(&review, "prompts/check.j2")]);
    assert_eq!(words(&found)[0], "Workspace press-review prompts/check.j2");
}

#[test]
fn an_overridden_skill_comes_last_and_only_when_it_is_asked_for() {
    let world = World::new();
    world.skill("Fact desk", Scope::Account, &["notes.md"]);
    world.skill("Fact desk", Scope::Workspace, &["notes.md"]);
    assert_eq!(words(&world.find("", Vec::new())), ["Workspace fact-desk "]);
    assert_eq!(words(&world.find("notes", Vec::new())), ["Workspace fact-desk notes.md", "Account fact-desk notes.md"]);
}

#[test]
fn no_more_are_given_than_asked_for() {
    let world = World::new();
    let files: Vec<String> = (0..80).map(|number| format!("pages/{number:03}.md")).collect();
    world.skill("Many", Scope::Account, &files.iter().map(String::as_str).collect::<Vec<_>>());
    let found = world.ask::<Find>(FindParams { query: "pages".to_owned(), limit: Some(20), recent: Vec::new() });
    assert_eq!((found.found.len(), found.more), (20, true));
    assert_eq!(found.found[0].path, Some(path("pages/000.md")));
    assert_eq!(found.found[19].path, Some(path("pages/019.md")));
    assert_eq!(world.find("pages 07", Vec::new()).len(), 17);
}
