//! What operations do when somebody else writes between their steps, and when a step after the write fails.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use inklings_app::App;
use inklings_app::features::artifact::{Declare, DeclareParams};
use inklings_app::features::catalog::UpdateRecord;
use inklings_app::features::check::{CheckAll, CheckAllParams, CheckSkill};
use inklings_app::features::draft::{GetDrafts, SaveDraft, SaveDraftParams};
use inklings_app::features::file::{CopyFiles, CopyParams, DeleteFiles, DeleteFilesParams, FileMove, Move, MoveParams, OnExisting, Read};
use inklings_app::features::fork::{UpdateFork, UpdateForkParams};
use inklings_app::features::library::{Apply, ApplyParams, BulkAction, UndoMany, UndoParams, UndoStep};
use inklings_app::features::skill::{
    Create, CreateParams, Delete, DeleteParams, Deprecate, DeprecateParams, Describe, DescribeParams, Duplicate, Edit, EditParams, Enable,
    EnableParams, Get, Import, ImportParams, ImportReport, ImportStatus, Merge, MergeParams, MoveSkill, MoveSkillParams, Promote,
    PromoteParams, Restore, RestoreFiles, RestoreFilesParams, RestoreParams, SkillValues,
};
use inklings_app::wire::{EditResult, FileRef, SkillDetail, SkillRef};
use inklings_core::{ArtifactKind, Lifecycle, Scope, SkillPath, StorageError};
use inklings_engine::Engine;
use inklings_rpc::{BlockingOperation, CallContext, Code, Failure};
use serde_json::json;

use crate::hooks::{Hooks, full, hooked};
use crate::support::beside_work;

/// One who works through hooks, and another who gets in between.
struct World {
    _engine: Engine,
    folder: tempfile::TempDir,
    hooks: Hooks,
    app: Arc<App>,
    other: Other,
}

/// Works on the same databases without hooks.
#[derive(Clone)]
struct Other {
    app: Arc<App>,
    workspace: Option<PathBuf>,
}

fn run<T: BlockingOperation<App = App>>(app: &App, workspace: Option<&Path>, params: T::Params) -> Result<T::Output, Failure> {
    T::run(app, &CallContext::local(workspace.map(Path::to_path_buf), "test"), params)
}

fn path(text: &str) -> SkillPath {
    SkillPath::parse(text).unwrap()
}

fn named(skill: &str) -> SkillRef {
    SkillRef { skill: skill.to_owned(), scope: None }
}

impl Other {
    fn ask<T: BlockingOperation<App = App>>(&self, params: T::Params) -> Result<T::Output, Failure> {
        run::<T>(&self.app, self.workspace.as_deref(), params)
    }

    fn get(&self, skill: &str) -> SkillDetail {
        self.ask::<Get>(named(skill)).unwrap()
    }

    fn text(&self, skill: &str, file: &str) -> Option<String> {
        self.ask::<Read>(FileRef { skill: skill.to_owned(), scope: None, path: path(file) }).ok()?.text
    }

    fn write(&self, skill: &str, file: &str, text: &str) -> EditResult {
        self.ask::<Edit>(edit(skill, self.get(skill).summary.revision, file, text)).unwrap()
    }

    fn type_in(&self, skill: &str, file: &str, text: &str) {
        let text = text.to_owned();
        let params = SaveDraftParams { skill: skill.to_owned(), scope: None, path: path(file), base_revision: 1, text };
        self.ask::<SaveDraft>(params).unwrap();
    }

    /// The unsaved texts by file.
    fn typed(&self, skill: &str) -> Vec<(String, String)> {
        let drafts = self.ask::<GetDrafts>(named(skill)).unwrap().drafts;
        let mut all: Vec<_> = drafts.into_iter().map(|draft| (draft.path.to_string(), draft.text)).collect();
        all.sort();
        all
    }
}

fn edit(skill: &str, expected: i64, file: &str, text: &str) -> EditParams {
    let changes = serde_json::from_value(json!([{ "op": "write", "path": file, "text": text }])).unwrap();
    EditParams { skill: skill.to_owned(), scope: None, expected, changes, why: None }
}

fn moved(from: &str, to: &str) -> Vec<FileMove> {
    vec![FileMove { from: path(from), to: path(to) }]
}

impl World {
    fn new() -> Self {
        let (engine, folder) = beside_work();
        let hooks = Hooks::default();
        let app = hooked(&engine, &hooks);
        let other = Other { app: engine.app().clone(), workspace: None };
        Self { _engine: engine, folder, hooks, app, other }
    }

    fn with_workspace() -> Self {
        let mut world = Self::new();
        world.other.workspace = Some(world.folder.path().join("work").canonicalize().unwrap());
        world
    }

    /// With a skill `desk` that has notes.
    fn with_desk() -> Self {
        let world = Self::new();
        world.create("Desk", Scope::Account);
        world.other.write("desk", "notes.md", "One.\n");
        world
    }

    fn create(&self, name: &str, scope: Scope) -> SkillDetail {
        let description = Some("Keeps the desk tidy. Use it when there are papers.".to_owned());
        let params = CreateParams { name: name.to_owned(), description, content: None, scope: Some(scope) };
        self.other.ask::<Create>(params).unwrap()
    }

    fn ask<T: BlockingOperation<App = App>>(&self, params: T::Params) -> Result<T::Output, Failure> {
        let result = run::<T>(&self.app, self.other.workspace.as_deref(), params);
        assert!(self.hooks.are_done(), "{} didn't come where the test waited for it", T::NAME);
        result
    }

    /// Something that the other one does right before a call.
    fn meanwhile(&self, method: &'static str, action: impl FnOnce(&Other) + Send + 'static) {
        let other = self.other.clone();
        self.hooks.before(method, move || {
            action(&other);
            Ok(())
        });
    }
}

#[test]
fn a_database_is_asked_for_dependents_once_however_many_skills_are_deleted() {
    let world = World::with_workspace();
    let all: Vec<_> = (0..20).map(|n| world.create(&format!("Desk {n}"), [Scope::Account, Scope::Workspace][n % 2])).collect();
    let skills: Vec<_> = all.iter().map(|one| named(one.summary.slug.as_str())).collect();
    let calls = world.hooks.calls_of(|| {
        let report = world.ask::<Apply>(ApplyParams { skills, action: BulkAction::Delete {} }).unwrap();
        assert_eq!((report.done.len(), report.failed.len()), (20, 0));
    });
    assert_eq!(calls["dependents"], 2, "{calls:?}");
}

#[test]
fn a_revision_is_read_once_to_save_it_and_once_to_check_it() {
    let world = World::with_desk();
    let check_all = || world.ask::<CheckAll>(CheckAllParams::default()).unwrap();
    check_all();
    for (file, text, reads) in [("notes.md", "Two.\n", 2), ("SKILL.md", "---\nname: desk\ndescription: Keeps it tidy.\n---\n", 3)] {
        let params = edit("desk", world.other.get("desk").summary.revision, file, text);
        let before = world.app.folder.reads();
        world.ask::<Edit>(params).unwrap();
        assert_eq!(world.app.folder.reads() - before, reads, "{file}");
        let before = world.app.folder.reads();
        world.ask::<Get>(named("desk")).unwrap();
        world.ask::<CheckSkill>(named("desk")).unwrap();
        check_all();
        assert_eq!(world.app.folder.reads() - before, 0, "{file}");
    }
}

#[test]
fn undoing_a_bulk_change_leaves_what_others_wrote_before_it() {
    for action in [BulkAction::AddTag { tag: "tidy".to_owned() }, BulkAction::SetCategory { category: "office".to_owned() }] {
        let world = World::with_desk();
        let before = world.other.get("desk").summary;
        world.meanwhile("commit_together", |other| drop(other.write("desk", "notes.md", "Two.\n")));
        let done = world.ask::<Apply>(ApplyParams { skills: vec![named("desk")], action: action.clone() }).unwrap().done;
        let after = world.other.get("desk").summary;
        assert_ne!((&after.tags, &after.category), (&before.tags, &before.category));
        let steps = done.iter().map(|one| UndoStep { id: one.id, scope: one.scope, undo: one.undo.clone().unwrap() });
        assert_eq!(world.ask::<UndoMany>(UndoParams { steps: steps.collect() }).unwrap().failed, []);
        let undone = world.other.get("desk").summary;
        assert_eq!((&undone.tags, &undone.category), (&before.tags, &before.category));
        assert_eq!(world.other.text("desk", "notes.md").as_deref(), Some("Two.\n"), "{action:?}");
    }
}

#[test]
fn a_bulk_change_that_someone_else_made_in_between_has_nothing_to_undo() {
    let world = World::with_desk();
    let params = || ApplyParams { skills: vec![named("desk")], action: BulkAction::AddTag { tag: "tidy".to_owned() } };
    world.meanwhile("commit_together", move |other| drop(other.ask::<Apply>(params()).unwrap()));
    let done = world.ask::<Apply>(params()).unwrap().done;
    assert_eq!((done.len(), &done[0].undo), (1, &None));
    assert_eq!(world.other.get("desk").summary.tags, ["tidy"]);
}

#[test]
fn values_that_two_change_at_once_are_both_stored() {
    let world = World::with_desk();
    let tag = |tag: &str| ApplyParams { skills: vec![named("desk")], action: BulkAction::AddTag { tag: tag.to_owned() } };
    world.meanwhile("commit_together", move |other| assert_eq!(other.ask::<Apply>(tag("theirs")).unwrap().failed, []));
    assert_eq!(world.ask::<Apply>(tag("mine")).unwrap().failed, []);
    assert_eq!(world.other.get("desk").summary.tags, ["theirs", "mine"]);

    let declare = |name: &str| DeclareParams {
        skill: "desk".to_owned(),
        scope: None,
        kind: ArtifactKind::Approach,
        name: name.to_owned(),
        variant: None,
        path: None,
        text: None,
    };
    world.meanwhile("commit_together", move |other| drop(other.ask::<Declare>(declare("Theirs")).unwrap()));
    let skill = world.ask::<Declare>(declare("Mine")).unwrap().skill;
    let names: Vec<_> = skill.entries.iter().filter_map(|entry| Some(entry.artifact.as_ref()?.name.as_str())).collect();
    assert!(names.contains(&"Mine") && names.contains(&"Theirs"), "{names:?}");

    // Of the same value one has to be chosen by a person who knows what was read.
    let describe = |category: &str| DescribeParams {
        skill: "desk".to_owned(),
        scope: None,
        expected: Some(4),
        values: SkillValues { category: Some(category.to_owned()), ..SkillValues::default() },
    };
    assert_eq!(world.other.get("desk").summary.revision, 6);
    world.meanwhile("commit_together", move |other| drop(other.ask::<Describe>(describe("theirs")).unwrap()));
    assert_eq!(world.ask::<Describe>(describe("mine")).unwrap_err().code, Code::RevisionConflict);
    assert_eq!(world.other.get("desk").summary.category, "theirs");
}

#[test]
fn what_is_typed_while_its_file_is_renamed_stays() {
    for name in ["notes.md", "papers.md"] {
        let world = World::with_desk();
        world.other.type_in("desk", "notes.md", "Typed first.");
        world.meanwhile("move_drafts", move |other| other.type_in("desk", name, "Typed last."));
        world.ask::<Move>(MoveParams { skill: "desk".to_owned(), scope: None, moves: moved("notes.md", "papers.md") }).unwrap();
        assert_eq!(world.other.typed("desk"), [("papers.md".to_owned(), "Typed last.".to_owned())], "typed in {name}");
    }
}

#[test]
fn what_is_typed_while_a_rename_is_refused_stays() {
    let world = World::with_desk();
    world.other.type_in("desk", "notes.md", "Typed first.");
    let other = world.other.clone();
    world.hooks.before("commit_together", move || {
        assert_eq!(other.typed("desk").len(), 2, "a kill here loses nothing");
        other.type_in("desk", "notes.md", "Typed last.");
        Err(full())
    });
    world.ask::<Move>(MoveParams { skill: "desk".to_owned(), scope: None, moves: moved("notes.md", "papers.md") }).unwrap_err();
    assert_eq!(world.other.typed("desk"), [("notes.md".to_owned(), "Typed last.".to_owned())]);
}

#[test]
fn what_is_typed_while_a_skill_or_its_file_moves_goes_along() {
    let world = World::with_workspace();
    world.create("Desk", Scope::Account);
    world.create("Shelf", Scope::Account);
    world.other.write("desk", "notes.md", "One.\n");
    world.other.type_in("desk", "notes.md", "Typed first.");
    world.meanwhile("move_drafts", |other| other.type_in("desk", "notes.md", "Typed last."));
    let skill = || "desk".to_owned();
    let files = moved("notes.md", "notes.md");
    let to_skill = Some("shelf".to_owned());
    let params = CopyParams { skill: skill(), scope: None, to_skill, to_scope: None, files, remove: true, on_existing: OnExisting::Refuse };
    assert!(world.ask::<CopyFiles>(params).unwrap().failure.is_none());
    assert_eq!(world.other.typed("desk"), []);
    assert_eq!(world.other.typed("shelf"), [("notes.md".to_owned(), "Typed last.".to_owned())]);

    // At the next step the skill that is typed in is deleted already.
    let other = world.other.clone();
    world.hooks.before_call("commit", 1, move || {
        other.type_in("shelf", "SKILL.md", "Typed in between.");
        Ok(())
    });
    let moved = MoveSkillParams { skill: "shelf".to_owned(), scope: Some(Scope::Account), to: Scope::Workspace, keep: false };
    let moved = world.ask::<MoveSkill>(moved).unwrap();
    assert!(moved.removed, "{:?}", moved.failure);
    let expected = [("SKILL.md", "Typed in between."), ("notes.md", "Typed last.")].map(|(file, text)| (file.to_owned(), text.to_owned()));
    assert_eq!(world.other.typed("shelf"), expected);
}

#[test]
fn what_is_stored_is_not_called_refused_when_something_after_it_fails() {
    let world = World::with_desk();
    let skill = || "desk".to_owned();
    let text = |text: &str| edit("desk", world.other.get("desk").summary.revision, "notes.md", text);

    for (number, method) in ["drafts", "draft_marks", "discard_unchanged_drafts"].into_iter().enumerate() {
        let words = format!("Text {number}.\n");
        world.other.type_in("desk", "notes.md", &words);
        world.hooks.fail(method);
        world.ask::<Edit>(text(&words)).unwrap();
        assert_eq!(world.other.text("desk", "notes.md"), Some(words), "{method}");
    }
    world.hooks.fail("draft_marks");
    let params = DescribeParams {
        skill: skill(),
        scope: None,
        expected: None,
        values: SkillValues { category: Some("office".to_owned()), ..SkillValues::default() },
    };
    assert_eq!(world.ask::<Describe>(params).unwrap().skill.summary.category, "office");
    world.hooks.fail("move_drafts");
    world.ask::<Move>(MoveParams { skill: skill(), scope: None, moves: moved("notes.md", "papers.md") }).unwrap();
    world.ask::<DeleteFiles>(DeleteFilesParams { skill: skill(), scope: None, paths: vec![path("papers.md")], expected: None }).unwrap();
    world.hooks.fail("get_skill");
    world.ask::<Create>(CreateParams { name: "Chair".to_owned(), description: None, content: None, scope: None }).unwrap();
    let done = world.ask::<Apply>(ApplyParams { skills: vec![named("chair")], action: BulkAction::Delete {} }).unwrap();
    assert_eq!((done.done.len(), done.failed.len()), (1, 0));
    assert!(done.done[0].undo.is_some());
    let deleted = world.ask::<Delete>(DeleteParams { skill: skill(), scope: None, expected: None }).unwrap();
    world.hooks.fail("draft_marks");
    world.ask::<Restore>(RestoreParams { id: deleted.id, scope: deleted.scope }).unwrap();

    let world = World::with_workspace();
    world.create("Lamp", Scope::Account);
    world.hooks.before_call("name_matches", 0, || Err(full()));
    assert!(!world.ask::<Enable>(EnableParams { skill: "lamp".to_owned(), scope: None, enabled: false }).unwrap().enabled);
}

#[test]
fn a_record_whose_files_are_saved_is_not_called_refused_when_it_cannot_be_disabled() {
    let world = World::with_desk();
    let update = |params| world.ask::<UpdateRecord>(serde_json::from_value(params).unwrap());
    world.hooks.fail("set_enabled");
    let updated = update(json!({ "skill": "desk", "content": "Tidy it.", "enabled": false })).unwrap();
    assert_eq!((updated.content.as_str(), updated.record.version, updated.record.enabled), ("Tidy it.\n", 3, true));
    world.hooks.fail("set_enabled");
    assert_eq!(update(json!({ "skill": "desk", "enabled": false })).unwrap_err().code, Code::Io);
}

#[test]
fn what_is_merged_into_a_copy_is_not_called_refused_when_its_conflicts_cannot_be_proposed() {
    let world = World::with_desk();
    world.other.ask::<Duplicate>(named("desk")).unwrap();
    world.other.write("desk-copy", "notes.md", "Mine.\n");
    world.other.write("desk", "notes.md", "Theirs.\n");
    world.other.write("desk", "more.md", "New.\n");
    let update = || world.ask::<UpdateFork>(UpdateForkParams { skill: "desk-copy".to_owned(), scope: None, revision: None }).unwrap();
    world.hooks.fail("put_proposal");
    let merged = update();
    assert_eq!((merged.updated, merged.conflicts, merged.proposal), (vec![path("more.md")], vec![path("notes.md")], None));
    let again = update();
    assert_eq!((again.revision, again.conflicts), (None, vec![path("notes.md")]));
    assert!(again.proposal.is_some());
}

#[test]
fn a_skill_that_is_written_while_it_is_merged_into_another_is_not_archived() {
    let world = World::with_desk();
    world.create("Chair", Scope::Account);
    world.other.write("chair", "more.md", "More.\n");
    world.meanwhile("set_lifecycle", |other| drop(other.write("chair", "more.md", "Most.\n")));
    let (target, source) = ("desk".to_owned(), "chair".to_owned());
    let merge = MergeParams { target, target_scope: None, source, source_scope: None, expected: None };
    let failure = world.ask::<Merge>(merge).unwrap().failure.unwrap();
    assert!(failure.message.contains("revision 3"), "{failure:?}");
    assert_eq!(world.other.text("desk", "more.md").as_deref(), Some("More.\n"));
    assert_eq!(world.other.get("chair").summary.lifecycle, Lifecycle::Released);
}

#[test]
fn a_skill_that_moved_is_not_called_left_when_only_its_drafts_are() {
    let world = World::with_workspace();
    world.create("Desk", Scope::Account);
    world.hooks.fail("move_drafts");
    let params = MoveSkillParams { skill: "desk".to_owned(), scope: None, to: Scope::Workspace, keep: false };
    let moved = world.ask::<MoveSkill>(params).unwrap();
    assert!(moved.removed && moved.failure.is_none(), "{:?}", moved.failure);
}

#[test]
fn only_a_conflict_whose_text_is_kept_promises_a_draft() {
    let world = World::with_desk();
    let stale = world.other.get("desk").summary.revision;
    world.other.write("desk", "notes.md", "Theirs.\n");
    let says = |failure: &Failure| {
        assert_eq!(failure.code, Code::RevisionConflict);
        failure.hint.clone().unwrap()
    };
    let refused = world.ask::<Edit>(edit("desk", stale, "notes.md", "Mine.\n")).unwrap_err();
    assert!(says(&refused).contains("saved as a draft"), "{refused:?}");
    assert_eq!(world.other.typed("desk"), [("notes.md".to_owned(), "Mine.\n".to_owned())]);
    // The same text again is in that draft; another one isn't, and doesn't take its place.
    assert!(says(&world.ask::<Edit>(edit("desk", stale, "notes.md", "Mine.\n")).unwrap_err()).contains("saved as a draft"));
    let refused = world.ask::<Edit>(edit("desk", stale, "notes.md", "More of mine.\n")).unwrap_err();
    assert!(says(&refused).contains("isn't saved"), "{refused:?}");
    assert_eq!(world.other.typed("desk"), [("notes.md".to_owned(), "Mine.\n".to_owned())]);
    // When it can't be kept, it is still a conflict.
    world.hooks.fail("put_draft");
    world.other.write("desk", "more.md", "One.\n");
    let stale = world.other.get("desk").summary.revision;
    world.other.write("desk", "more.md", "Two.\n");
    let refused = world.ask::<Edit>(edit("desk", stale, "more.md", "Three.\n")).unwrap_err();
    assert!(says(&refused).contains("isn't saved"), "{refused:?}");

    let restore =
        RestoreFilesParams { skill: "desk".to_owned(), scope: None, number: 1, paths: vec![path("more.md")], expected: Some(stale) };
    let refused = world.ask::<RestoreFiles>(restore).unwrap_err();
    assert!(!says(&refused).contains("draft"), "{refused:?}");
}

/// Folders with one skill each, and a look at what an import makes of them.
fn import(world: &World, names: &[String]) -> Result<ImportReport, Failure> {
    let folder = world.folder.path().join("in");
    for name in names {
        std::fs::create_dir_all(folder.join(name)).unwrap();
        let text = format!("---\nname: {name}\ndescription: Sorts the papers of {name}. Use it when they come.\n---\nBody.\n");
        std::fs::write(folder.join(name).join("SKILL.md"), text).unwrap();
    }
    world.ask::<Import>(ImportParams { paths: vec![folder], ..ImportParams::default() })
}

#[test]
fn an_import_that_a_fault_ends_tells_what_is_stored() {
    let world = World::new();
    // What is read and stored at a time, and some more.
    let names: Vec<String> = (0..520).map(|number| format!("paper-{number:03}")).collect();
    world.hooks.before_call("commit_all", 1, || Err(full()));
    let report = import(&world, &names).unwrap();
    let stored = report.items.iter().filter(|item| item.stored && item.status == ImportStatus::New).count();
    assert_eq!((report.items.len(), stored, report.found, report.stopped), (500, 500, 520, true));
    assert_eq!(report.failure.map(|failure| failure.code), Some(Code::Io));
    // Again: the rest comes, and what was stored is known.
    let report = import(&world, &names).unwrap();
    assert_eq!((report.items.iter().filter(|item| item.stored).count(), report.failure), (20, None));
    assert!(report.items.iter().all(|item| item.stored || item.status == ImportStatus::Unchanged));
}

#[test]
fn an_import_that_fails_before_anything_is_stored_is_refused() {
    let world = World::new();
    world.hooks.fail("commit_all");
    assert_eq!(import(&world, &["paper".to_owned()]).unwrap_err().code, Code::Io);
    world.hooks.before("list_skills", || Err(StorageError::Busy { path: "agents.db".into() }));
    assert_eq!(import(&world, &["paper".to_owned()]).unwrap_err().code, Code::Busy);
}

#[test]
fn a_lifecycle_that_was_decided_on_another_revision_stays() {
    let world = World::with_desk();
    let seen = world.other.get("desk").summary.revision;
    let deprecate = |expected| DeprecateParams { skill: "desk".to_owned(), scope: None, reason: "untidy".to_owned(), expected };
    world.meanwhile("set_lifecycle", |other| drop(other.write("desk", "notes.md", "Two.\n")));
    let failure = world.ask::<Deprecate>(deprecate(Some(seen))).unwrap_err();
    assert_eq!((failure.code, world.other.get("desk").summary.lifecycle), (Code::RevisionConflict, Lifecycle::Released));
    let promote = PromoteParams { skill: "desk".to_owned(), scope: None, expected: Some(seen) };
    assert_eq!(world.ask::<Promote>(promote).unwrap_err().code, Code::RevisionConflict);
    world.create("Chair", Scope::Account);
    let (target, source) = ("desk".to_owned(), "chair".to_owned());
    let merge = MergeParams { target, target_scope: None, source, source_scope: None, expected: Some(seen) };
    assert_eq!(world.ask::<Merge>(merge).unwrap_err().code, Code::RevisionConflict);
    assert_eq!(world.ask::<Deprecate>(deprecate(Some(seen + 1))).unwrap().lifecycle, Lifecycle::Deprecated);
}

#[test]
fn a_restored_skill_gets_the_first_free_title() {
    let world = World::new();
    let desk = world.create("Desk", Scope::Account).summary;
    world.ask::<Delete>(DeleteParams { skill: "desk".to_owned(), scope: None, expected: None }).unwrap();
    for (skill, title) in [("Chair", "Desk"), ("Lamp", "Desk restored")] {
        let skill = world.create(skill, Scope::Account).summary.slug.to_string();
        let values = SkillValues { name: Some(title.to_owned()), ..SkillValues::default() };
        world.ask::<Describe>(DescribeParams { skill, scope: None, expected: None, values }).unwrap();
    }
    let back = world.ask::<Restore>(RestoreParams { id: desk.id, scope: Scope::Account }).unwrap().summary;
    assert_eq!((back.name.as_str(), back.slug), ("Desk restored 2", desk.slug));
}

#[test]
fn a_restored_skill_gets_the_first_free_name() {
    let world = World::new();
    let delete = |skill: &str| world.ask::<Delete>(DeleteParams { skill: skill.to_owned(), scope: None, expected: None }).unwrap();
    let restore = |id| world.ask::<Restore>(RestoreParams { id, scope: Scope::Account }).unwrap().summary;
    let [first, second] = ["Desk", "Desk"].map(|name| {
        let desk = world.create(name, Scope::Account).summary;
        delete("desk");
        desk.id
    });
    world.create("Desk", Scope::Account);
    let back = restore(first);
    assert_eq!((back.slug.as_str(), back.name.as_str(), back.id), ("desk-restored", "Desk Restored", first));
    let back = restore(second);
    assert_eq!((back.slug.as_str(), back.name.as_str(), back.id), ("desk-restored-2", "Desk Restored 2", second));
}
