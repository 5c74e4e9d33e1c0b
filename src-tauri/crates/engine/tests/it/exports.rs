//! Skills go out one by one: what holds one of them back is told and leaves the others alone.

use std::path::PathBuf;

use inklings_app::features::skill::{Change, Create, CreateParams, Edit, EditParams, Export, ExportParams, ExportReport, PackageFormat};
use inklings_app::wire::SkillRef;
use inklings_core::{Scope, SkillPath};
use inklings_engine::Engine;
use inklings_rpc::{Code, Failure};

use crate::support::{ask, beside_work};

struct World {
    engine: Engine,
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let (engine, folder) = beside_work();
        Self { engine, folder }
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn create(&self, name: &str, scope: Scope) {
        let description = Some(format!("What {name} does, and when to use it."));
        let params = CreateParams { name: name.to_owned(), description, content: None, scope: Some(scope) };
        ask::<Create>(&self.engine, Some(&self.folder.path().join("work")), params).unwrap();
    }

    fn write(&self, skill: &str, path: &str, text: &str) {
        let changes = vec![Change::Write { path: SkillPath::parse(path).unwrap(), text: text.to_owned() }];
        let params = EditParams { skill: skill.to_owned(), scope: None, expected: 1, changes, why: None };
        ask::<Edit>(&self.engine, None, params).unwrap();
    }

    fn export(&self, skills: &[&str], change: impl FnOnce(&mut ExportParams)) -> Result<ExportReport, Failure> {
        let skills = skills.iter().map(|&one| SkillRef { skill: one.to_owned(), scope: None }).collect();
        let mut params = ExportParams { skills, out: Some(self.out()), ..ExportParams::default() };
        change(&mut params);
        ask::<Export>(&self.engine, Some(&self.folder.path().join("work")), params)
    }
}

fn codes(report: &ExportReport) -> Vec<Option<Code>> {
    report.items.iter().map(|item| item.failure.as_ref().map(|failure| failure.code)).collect()
}

#[test]
fn what_is_in_the_way_stays_and_is_reported_and_the_others_are_written() {
    let world = World::new();
    world.create("One", Scope::Account);
    std::fs::create_dir_all(world.out().join("one")).unwrap();
    std::fs::write(world.out().join("one/mine.txt"), "mine").unwrap();
    let both = ["one", "consistency-checker"];
    assert_eq!(codes(&world.export(&both, |params| params.dry_run = true).unwrap()), [Some(Code::Exists), None]);
    assert!(!world.out().join("consistency-checker").exists());
    let report = world.export(&both, |_| ()).unwrap();
    assert_eq!(codes(&report), [Some(Code::Exists), None]);
    let hint = |report: &ExportReport| report.items[0].failure.as_ref().and_then(|failure| failure.hint.clone()).unwrap();
    assert_eq!(hint(&report), "choose another folder, or move it away");
    assert_eq!(report.items[1].path, world.out().join("consistency-checker").display().to_string());
    assert!(world.out().join("consistency-checker/SKILL.md").is_file());
    assert_eq!(std::fs::read_to_string(world.out().join("one/mine.txt")).unwrap(), "mine");
    // A folder that never was a skill isn't replaced either.
    assert_eq!(codes(&world.export(&both, |params| params.replace = true).unwrap()), [Some(Code::Exists), None]);
    assert_eq!(std::fs::read_to_string(world.out().join("one/mine.txt")).unwrap(), "mine");
    std::fs::write(world.out().join("one/SKILL.md"), "an older one").unwrap();
    assert_eq!(hint(&world.export(&both, |_| ()).unwrap()), "choose another folder, or replace it");
    assert_eq!(codes(&world.export(&both, |params| params.replace = true).unwrap()), [None, None]);
    assert!(world.out().join("one/SKILL.md").is_file());
}

#[test]
fn a_manifest_holds_back_its_own_skill_only() {
    let world = World::new();
    world.create("Own", Scope::Account);
    world.write("own", "skill.json", r#"{"metadata": {"manifest": {"version": 1, "interop": {"exportFormats": ["amble"]}}}}"#);
    world.create("Free", Scope::Account);
    let report = world.export(&["own", "free"], |params| params.form = Some(PackageFormat::Markdown)).unwrap();
    assert_eq!(codes(&report), [Some(Code::Forbidden), None]);
    assert_eq!(std::fs::read_dir(world.out()).unwrap().count(), 1);
    let amble = world.export(&["own"], |params| params.form = Some(PackageFormat::Amble)).unwrap();
    assert_eq!(codes(&amble), [None]);
    assert_eq!(amble.items[0].left_out.iter().map(ToString::to_string).collect::<Vec<_>>(), ["skill.json"]);
}

#[test]
fn a_look_needs_no_folder_and_writing_needs_a_whole_path() {
    let world = World::new();
    world.create("One", Scope::Account);
    let look =
        world.export(&["one"], |params| (params.out, params.form, params.dry_run) = (None, Some(PackageFormat::Skill), true)).unwrap();
    assert_eq!((look.items[0].path.as_str(), look.items[0].files, look.dry_run), ("one.skill", 1, true));
    assert_eq!(world.export(&["one"], |params| params.out = None).unwrap_err().code, Code::Invalid);
    assert!(world.export(&["one"], |params| params.out = Some("out".into())).unwrap_err().message.contains("absolute"));
    assert_eq!(world.export(&["one", "no-such"], |_| ()).unwrap_err().code, Code::NotFound);
    assert!(!world.out().exists(), "nothing is written when one of them isn't there");
}

#[test]
fn one_of_two_skills_with_one_name_is_held_back_even_when_replacing() {
    let world = World::new();
    world.create("Same", Scope::Account);
    world.create("Same", Scope::Workspace);
    let both = |params: &mut ExportParams| {
        params.replace = true;
        params.skills = [Scope::Workspace, Scope::Account].map(|scope| SkillRef { skill: "same".to_owned(), scope: Some(scope) }).into();
    };
    let report = world.export(&[], both).unwrap();
    assert_eq!(codes(&report), [None, Some(Code::Exists)]);
    assert_eq!(report.items[1].scope, Scope::Account);
}
