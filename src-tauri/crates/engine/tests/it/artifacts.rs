//! Declaring, renaming and removing files of a skill: what names them follows.

use inklings_app::features::artifact::{Declare, DeclareParams, Undeclare, UndeclareParams};
use inklings_app::features::draft::{GetDrafts, ListDrafts, SaveDraft, SaveDraftParams};
use inklings_app::features::file::{DeleteFiles, DeleteFilesParams, FileMove, Move, MoveParams, Read};
use inklings_app::features::prompt::{Render, RenderParams};
use inklings_app::features::skill::{Change, Create, CreateParams, Delete, DeleteParams, Edit, EditParams, Fork, Restore, RestoreParams};
use inklings_app::wire::{FileRef, FileRole, SkillDetail, SkillRef};
use inklings_core::provider::{ProviderConfig, ProviderKind};
use inklings_core::{ArtifactKind, Diagnostic, Scope, SkillPath};
use inklings_engine::{Engine, Resources};
use inklings_rpc::{Code, Failure, NoParams, Operation};

use crate::support::{ask, start};

struct World {
    engine: Engine,
    _home: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let engine = start(&home.path().join("home"), Resources::find());
        Self { engine, _home: home }
    }

    fn ask<T: Operation<App = inklings_app::App>>(&self, params: T::Params) -> Result<T::Output, Failure> {
        ask::<T>(&self.engine, None, params)
    }

    fn declare(&self, skill: &str, kind: ArtifactKind, name: &str, path: Option<&str>) -> Result<SkillDetail, Failure> {
        let path = path.map(|path| SkillPath::parse(path).unwrap());
        let params = DeclareParams { skill: skill.to_owned(), scope: None, kind, name: name.to_owned(), variant: None, path, text: None };
        self.ask::<Declare>(params).map(|result| result.skill)
    }

    fn rename(&self, skill: &str, from: &str, to: &str) -> Result<SkillDetail, Failure> {
        let moved = FileMove { from: SkillPath::parse(from).unwrap(), to: SkillPath::parse(to).unwrap() };
        self.ask::<Move>(MoveParams { skill: skill.to_owned(), scope: None, moves: vec![moved] }).map(|result| result.skill)
    }

    fn delete(&self, skill: &str, path: &str) -> Result<SkillDetail, Failure> {
        let paths = vec![SkillPath::parse(path).unwrap()];
        self.ask::<DeleteFiles>(DeleteFilesParams { skill: skill.to_owned(), scope: None, paths, expected: None })
            .map(|result| result.skill)
    }

    fn own_copy(&self) -> String {
        let named = SkillRef { skill: "consistency-checker".to_owned(), scope: None };
        self.ask::<Fork>(named).unwrap().summary.slug.to_string()
    }
}

fn role(skill: &SkillDetail, path: &str) -> Option<FileRole> {
    skill.entries.iter().find(|entry| entry.path.as_str() == path).map(|entry| entry.role)
}

#[test]
fn a_new_artifact_gets_its_default_path_and_a_starter() {
    let world = World::new();
    let params = CreateParams { name: "Fresh".to_owned(), description: None, content: None, scope: None };
    assert_eq!(role(&world.ask::<Create>(params).unwrap(), "skill.json"), None, "a plain skill needs no skill.json");
    for kind in ArtifactKind::ALL {
        let skill = world.declare("fresh", kind, &format!("My {kind}"), None).unwrap();
        let added =
            skill.entries.iter().filter(|entry| entry.artifact.as_ref().is_some_and(|artifact| artifact.name == format!("My {kind}")));
        assert_eq!(added.count(), 1, "{kind}");
        let errors: Vec<_> = skill.diagnostics.iter().filter(|finding| finding.is_error()).collect();
        assert!(errors.is_empty(), "the starter of {kind} is sound: {errors:?}");
    }
    assert_eq!(world.declare("fresh", ArtifactKind::Example, "My example", None).unwrap_err().code, Code::Exists);
}

#[test]
fn a_file_becomes_an_artifact_and_a_file_again() {
    let world = World::new();
    let slug = world.own_copy();
    let skill = world.declare(&slug, ArtifactKind::Approach, "Notes", Some("notes.md")).unwrap();
    assert_eq!(role(&skill, "notes.md"), Some(FileRole::Artifact));
    let params = UndeclareParams { skill: slug, scope: None, path: SkillPath::parse("notes.md").unwrap() };
    assert_eq!(role(&world.ask::<Undeclare>(params).unwrap().skill, "notes.md"), Some(FileRole::File));
}

#[test]
fn a_renamed_artifact_stays_the_same_artifact() {
    let world = World::new();
    let slug = world.own_copy();
    let id = |skill: &SkillDetail, path: &str| {
        skill.entries.iter().find(|entry| entry.path.as_str() == path).and_then(|entry| entry.artifact.as_ref()).map(|artifact| artifact.id)
    };
    let named = SkillRef { skill: slug.clone(), scope: None };
    let before = world.ask::<inklings_app::features::skill::Get>(named).unwrap();
    let after = world.rename(&slug, "prompts/check-prompt.j2", "prompts/compare.j2").unwrap();
    assert_eq!(id(&after, "prompts/compare.j2"), id(&before, "prompts/check-prompt.j2"));
    assert_eq!(id(&after, "prompts/check-prompt.j2"), None);
    assert_eq!(world.rename(&slug, "prompts/compare.j2", "SCRIPTS/cross-reference.py").unwrap_err().code, Code::Exists);
    assert_eq!(world.rename(&slug, "SKILL.md", "README.md").unwrap_err().code, Code::Invalid);
    assert_eq!(world.rename(&slug, "nowhere.md", "there.md").unwrap_err().code, Code::NotFound);
}

#[test]
fn a_path_in_code_stays_relative_to_the_skill_when_its_file_moves() {
    let world = World::new();
    let skill = world.own_copy();
    let write = |script: &str, link: &str| format!("Run `{script}`, or read [the script]({link}).\n");
    let script = "scripts/cross-reference.py";
    let changes = vec![Change::Write { path: SkillPath::parse("guide.md").unwrap(), text: write(script, script) }];
    world.ask::<Edit>(EditParams { skill: skill.clone(), scope: None, expected: 1, changes, why: None }).unwrap();
    let text = || {
        let path = SkillPath::parse("references/guide.md").unwrap();
        world.ask::<Read>(FileRef { skill: skill.clone(), scope: None, path }).unwrap().text.unwrap()
    };
    world.rename(&skill, "guide.md", "references/guide.md").unwrap();
    assert_eq!(text(), write(script, "../scripts/cross-reference.py"));
    world.rename(&skill, script, "scripts/compare.py").unwrap();
    assert_eq!(text(), write("scripts/compare.py", "../scripts/compare.py"));
}

#[test]
fn a_deleted_artifact_leaves_the_plan_and_what_can_not_go_says_why() {
    let world = World::new();
    let slug = world.own_copy();
    let skill = world.delete(&slug, "scripts/cross-reference.py").unwrap();
    assert_eq!(role(&skill, "scripts/cross-reference.py"), None);
    assert!(!skill.diagnostics.iter().any(Diagnostic::is_error), "{:?}", skill.diagnostics);
    for path in ["SKILL.md", "skill.json"] {
        let refused = world.delete(&slug, path).unwrap_err();
        assert!(refused.code == Code::Invalid && refused.hint.is_some(), "{refused:?}");
    }
}

#[test]
fn locked_skills_keep_their_files() {
    let world = World::new();
    assert_eq!(world.delete("consistency-checker", "skill.json").unwrap_err().code, Code::Locked);
    assert_eq!(world.declare("consistency-checker", ArtifactKind::Example, "X", None).unwrap_err().code, Code::Locked);
}

#[test]
fn unsaved_text_follows_its_file_to_another_name() {
    let world = World::new();
    let skill = world.own_copy();
    let path = SkillPath::parse("prompts/check-prompt.j2").unwrap();
    let draft = SaveDraftParams { skill: skill.clone(), scope: None, path, base_revision: 1, text: "Unsaved.".to_owned() };
    world.ask::<SaveDraft>(draft).unwrap();
    let drafts = || {
        let marks = world.ask::<ListDrafts>(NoParams {}).unwrap().drafts;
        let found = world.ask::<GetDrafts>(SkillRef { skill: skill.clone(), scope: None }).unwrap().drafts;
        assert_eq!(marks.iter().map(|one| &one.path).collect::<Vec<_>>(), found.iter().map(|one| &one.path).collect::<Vec<_>>());
        found.into_iter().map(|one| (one.path.to_string(), one.text)).collect::<Vec<_>>()
    };

    world.rename(&skill, "prompts/check-prompt.j2", "SKILL.md").unwrap_err();
    assert_eq!(drafts(), [("prompts/check-prompt.j2".to_owned(), "Unsaved.".to_owned())]);
    world.rename(&skill, "prompts/check-prompt.j2", "prompts/look.j2").unwrap();
    assert_eq!(drafts(), [("prompts/look.j2".to_owned(), "Unsaved.".to_owned())]);
}

#[test]
fn unsaved_text_survives_the_deletion_of_its_file_and_of_its_skill() {
    let world = World::new();
    let slug = world.own_copy();
    let path = SkillPath::parse("scripts/cross-reference.py").unwrap();
    let typed = |skill: &str, scope: Option<Scope>, text: &str| {
        let (skill, path, text) = (skill.to_owned(), path.clone(), text.to_owned());
        world.ask::<SaveDraft>(SaveDraftParams { skill, scope, path, base_revision: 1, text })
    };
    let kept = |skill: &str| {
        let found = world.ask::<GetDrafts>(SkillRef { skill: skill.to_owned(), scope: None }).unwrap().drafts;
        found.into_iter().map(|one| (one.text, one.base_sha256.is_some())).collect::<Vec<_>>()
    };
    typed(&slug, None, "Unsaved.").unwrap();
    world.delete(&slug, path.as_str()).unwrap();
    assert_eq!(kept(&slug), [("Unsaved.".to_owned(), true)]);

    let deleted = world.ask::<Delete>(DeleteParams { skill: slug.clone(), scope: None, expected: None }).unwrap();
    let id = deleted.id.to_string();
    assert_eq!(kept(&id), [("Unsaved.".to_owned(), true)]);
    // An editor in which the skill is open goes on.
    typed(&id, Some(deleted.scope), "Unsaved, and more.").unwrap();
    assert_eq!(typed(&id, Some(Scope::Workspace), "Elsewhere.").unwrap_err().code, Code::NotFound);
    assert_eq!(typed(&slug, None, "By name.").unwrap_err().code, Code::NotFound);
    world.ask::<Restore>(RestoreParams { id: deleted.id, scope: deleted.scope }).unwrap();
    assert_eq!(kept(&slug), [("Unsaved, and more.".to_owned(), true)]);
}

#[test]
fn the_variant_that_is_shown_is_the_one_that_a_run_would_send() {
    let world = World::new();
    world.engine.app().models.put(ProviderConfig::new("work", ProviderKind::Anthropic)).unwrap();
    let selected = |model: &str| {
        let rendered = world
            .ask::<Render>(RenderParams {
                skill: "consistency-checker".to_owned(),
                scope: None,
                path: "Check Prompt".to_owned(),
                text: None,
                params: serde_json::Map::new(),
                model: Some(model.to_owned()),
            })
            .unwrap();
        let selected = rendered.variants.iter().find(|variant| variant.selected);
        selected.and_then(|variant| variant.variant.clone())
    };
    assert_eq!(selected("work/alias-of-ours").as_deref(), Some("anthropic"));
    assert_eq!(selected("claude-sonnet-5").as_deref(), Some("anthropic"));
    assert_eq!(selected("other/gpt-6"), None);
}
