//! What the tree asks for and does: compact rows in pages, files that move between skills and come from the disk, taking back.

use std::path::Path;

use inklings_app::features::artifact::{Declare, DeclareParams};
use inklings_app::features::draft::{DiscardDraft, DiscardDraftParams, ListDrafts, SaveDraft, SaveDraftParams};
use inklings_app::features::file::{
    AddFiles, AddParams, AddedFiles, CopyFiles, CopyParams, DeleteFiles, DeleteFilesParams, FileMove, OnExisting, Read,
};
use inklings_app::features::link::{LinkFolder, LinkFolderParams, ListLinks, ListLinksParams, SyncLinks, SyncLinksParams, UnlinkSkill};
use inklings_app::features::path::{PathKind, PathStatusParams, ReadStatus};
use inklings_app::features::skill::{
    Create, CreateParams, Delete, DeleteParams, Describe, DescribeParams, Duplicate, Edit, EditParams, Get, List, ListParams, ListView,
    MoveSkill, MoveSkillParams, Revert, RevertParams, Rollback, RollbackParams, SkillValues, Tree, TreeParams, TreeRows,
};
use inklings_app::features::workspace::{Trust, TrustParams};
use inklings_app::wire::{FileRef, FileRole, SkillDetail, SkillRef};
use inklings_core::{ArtifactKind, ChangeSet, Expected, Scope, SkillFile, SkillListCursor, SkillListItem, SkillPath, Time, TreeFile};
use inklings_engine::Engine;
use inklings_rpc::{Code, Failure, NoParams, Operation};

use crate::support::{ask, beside_work};

struct World {
    engine: Engine,
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let (engine, folder) = beside_work();
        let world = Self { engine, folder };
        // Files of its skills go to the account.
        world.ask::<Trust>(TrustParams { trusted: true, path: None }).unwrap();
        world
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn ask<T: Operation<App = inklings_app::App>>(&self, params: T::Params) -> Result<T::Output, Failure> {
        ask::<T>(&self.engine, Some(&self.path("work")), params)
    }

    fn create(&self, name: &str, scope: Scope) -> SkillDetail {
        let params = CreateParams { name: name.to_owned(), description: None, content: None, scope: Some(scope) };
        self.ask::<Create>(params).unwrap()
    }

    fn get(&self, skill: &SkillDetail) -> SkillDetail {
        self.ask::<Get>(named(skill)).unwrap()
    }

    fn write(&self, skill: &SkillDetail, file: &str, text: &str) -> SkillDetail {
        let expected = self.get(skill).summary.revision;
        let change = inklings_app::features::skill::Change::Write { path: path(file), text: text.to_owned() };
        let params = EditParams { skill: id(skill), scope: Some(skill.summary.scope), expected, changes: vec![change], why: None };
        self.ask::<Edit>(params).unwrap().skill
    }

    fn declare(&self, skill: &SkillDetail, kind: ArtifactKind, name: &str) -> SkillDetail {
        let scope = Some(skill.summary.scope);
        let params = DeclareParams { skill: id(skill), scope, kind, name: name.to_owned(), variant: None, path: None, text: None };
        self.ask::<Declare>(params).unwrap().skill
    }

    fn copy(
        &self,
        from: &SkillDetail,
        to: &SkillDetail,
        files: &[(&str, &str)],
        remove: bool,
        on_existing: OnExisting,
    ) -> Result<AddedFiles, Failure> {
        self.ask::<CopyFiles>(CopyParams {
            skill: id(from),
            scope: Some(from.summary.scope),
            to_skill: Some(id(to)),
            to_scope: Some(to.summary.scope),
            files: files.iter().map(|(from, to)| FileMove { from: path(from), to: path(to) }).collect(),
            remove,
            on_existing,
        })
    }

    fn add(&self, to: &SkillDetail, folder: Option<&str>, paths: &[&Path], on_existing: OnExisting) -> Result<AddedFiles, Failure> {
        let paths = paths.iter().map(|path| path.to_path_buf()).collect();
        self.ask::<AddFiles>(AddParams { skill: id(to), scope: Some(to.summary.scope), folder: folder.map(path), paths, on_existing })
    }

    fn revert(&self, skill: &SkillDetail, from: i64, to: i64) -> Result<SkillDetail, Failure> {
        let params = RevertParams { skill: id(skill), scope: Some(skill.summary.scope), from, to };
        self.ask::<Revert>(params).map(|result| result.skill)
    }

    fn text(&self, skill: &SkillDetail, file: &str) -> Option<String> {
        let params = FileRef { skill: id(skill), scope: Some(skill.summary.scope), path: path(file) };
        self.ask::<Read>(params).unwrap().text
    }
}

fn path(text: &str) -> SkillPath {
    SkillPath::parse(text).unwrap()
}

fn id(skill: &SkillDetail) -> String {
    skill.summary.id.to_string()
}

fn named(skill: &SkillDetail) -> SkillRef {
    SkillRef { skill: id(skill), scope: Some(skill.summary.scope) }
}

fn files(skill: &SkillDetail) -> Vec<&str> {
    skill.entries.iter().map(|entry| entry.path.as_str()).collect()
}

fn page(world: &World, from: Option<SkillListCursor>, limit: u32) -> inklings_app::features::skill::TreePage {
    world.ask::<Tree>(TreeParams { from, limit: Some(limit), only: None }).unwrap()
}

#[test]
fn a_draft_that_was_replaced_since_is_not_discarded() {
    let world = World::new();
    let skill = world.create("Typed", Scope::Account);
    let file = path("SKILL.md");
    let text = "of another window".to_owned();
    let draft = SaveDraftParams { skill: id(&skill), scope: None, path: file.clone(), base_revision: skill.summary.revision, text };
    let stored = world.ask::<SaveDraft>(draft).unwrap().updated_at;
    let discard = |updated_at: Option<Time>| {
        let params = DiscardDraftParams { skill: id(&skill), scope: None, path: file.clone(), updated_at };
        world.ask::<DiscardDraft>(params).unwrap();
        world.ask::<ListDrafts>(NoParams {}).unwrap().drafts.len()
    };
    assert_eq!(discard(Some(Time::from_millis(stored.millis() - 1))), 1);
    assert_eq!(discard(Some(stored)), 0);
}

#[test]
fn pages_have_every_skill_once_with_the_marks_of_the_whole_list() {
    let world = World::new();
    for name in ["Alpha", "Beta", "Link Auditor", "Gamma"] {
        world.create(name, Scope::Workspace);
    }
    // The same title under another slug: shown as a collision, not as an override.
    let other = world.create("Delta", Scope::Account);
    world.create("Alpha", Scope::Account);
    world.create("Epsilon", Scope::Workspace);
    world.ask::<Describe>(titled(&other, "epsilon")).unwrap();

    let (mut rows, mut from): (Vec<SkillListItem>, _) = (Vec::new(), None);
    loop {
        let mut got = page(&world, from, 3);
        assert!(got.skills.len() <= 3);
        rows.append(&mut got.skills);
        from = got.next;
        if from.is_none() {
            assert_eq!(got.total as usize, rows.len());
            break;
        }
    }
    let titles: Vec<_> = rows.iter().filter(|row| row.scope == Scope::Workspace).map(|row| row.name.as_str()).collect();
    assert_eq!(titles, ["Alpha", "Beta", "Epsilon", "Gamma", "Link Auditor"]);
    let all = world.ask::<List>(ListParams { view: ListView::All }).unwrap().skills;
    assert_eq!(rows.len(), all.len());
    for known in &all {
        let row = rows.iter().find(|row| row.id == known.id && row.scope == known.scope).unwrap();
        let marks = |one: &SkillListItem| (one.shadows, one.shadowed, one.collides_with.clone(), one.locked, one.enabled, one.revision);
        let wanted = (known.shadows, known.shadowed, known.collides_with.clone(), known.locked, known.enabled, known.revision);
        assert_eq!(marks(row), wanted, "{}", known.slug);
        assert_eq!((&row.kinds, &row.tags), (&known.kinds, &known.tags));
    }
    assert!(rows.iter().any(|row| row.shadows) && rows.iter().any(|row| row.collides_with.is_some()));

    let only = TreeRows { scope: Scope::Account, ids: vec![other.summary.id, rows[0].id] };
    let some = world.ask::<Tree>(TreeParams { from: None, limit: None, only: Some(only) }).unwrap().skills;
    assert_eq!(some.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["epsilon"], "what isn't there is left out");
    assert_eq!(some[0].collides_with.as_ref().map(inklings_core::Slug::as_str), Some("epsilon"));
}

#[test]
fn a_typical_row_is_small() {
    let world = World::new();
    world.create("A usual skill", Scope::Account);
    let row = page(&world, None, 1).skills.remove(0);
    let text = serde_json::to_string(&row).unwrap();
    assert!(text.len() < 220, "{} bytes: {text}", text.len());
}

fn titled(skill: &SkillDetail, name: &str) -> DescribeParams {
    let values = SkillValues { name: Some(name.to_owned()), ..SkillValues::default() };
    DescribeParams { skill: id(skill), scope: Some(skill.summary.scope), expected: None, values }
}

#[test]
fn a_title_changes_without_the_slug() {
    let world = World::new();
    let skill = world.create("First Title", Scope::Workspace);
    let rename = |name: &str| world.ask::<Describe>(titled(&skill, name));
    let renamed = rename("  Second: a title  ").unwrap().skill;
    assert_eq!((renamed.summary.name.as_str(), renamed.summary.slug.as_str()), ("Second: a title", "first-title"));
    let back = rename("First Title").unwrap().skill;
    assert_eq!(files(&back), ["SKILL.md"], "a title that the slug says needs no skill.json");
    world.create("Taken", Scope::Workspace);
    assert_eq!(rename("TAKEN").unwrap_err().code, Code::Exists);
    assert_eq!(rename(" ").unwrap_err().code, Code::Invalid);
    assert_eq!(rename(&"x".repeat(121)).unwrap_err().code, Code::Limit);
}

#[test]
fn files_are_copied_as_what_they_are() {
    let world = World::new();
    let (from, to) = (world.create("From", Scope::Workspace), world.create("To", Scope::Account));
    world.declare(&from, ArtifactKind::PromptTemplate, "Check");
    world.declare(&to, ArtifactKind::PromptTemplate, "Check");
    world.write(&from, "notes/a.md", "a");

    let here = world
        .copy(&from, &from, &[("prompts/check.j2", "prompts/check-copy.j2"), ("notes/a.md", "notes/b.md")], false, OnExisting::Refuse)
        .unwrap();
    let copy = here.skill.entries.iter().find(|entry| entry.path.as_str() == "prompts/check-copy.j2").unwrap();
    assert_eq!(copy.artifact.as_ref().map(|artifact| artifact.name.as_str()), Some("Check copy"));
    assert_eq!(here.before + 1, here.skill.summary.revision);

    let refused = world.copy(&from, &to, &[("prompts/check.j2", "Prompts/CHECK.j2")], false, OnExisting::Refuse).unwrap_err();
    assert_eq!(refused.code, Code::Exists);
    assert_eq!(refused.fields.unwrap()["paths"][0], "Prompts/CHECK.j2");
    let both = world.copy(&from, &to, &[("prompts/check.j2", "prompts/check.j2")], false, OnExisting::Both).unwrap();
    assert_eq!(both.files, [FileMove { from: path("prompts/check.j2"), to: path("prompts/check-copy.j2") }]);
    world.write(&from, "prompts/check.j2", "new {{ text }}");
    let replaced = world.copy(&from, &to, &[("prompts/check.j2", "prompts/check.j2")], false, OnExisting::Replace).unwrap();
    assert_eq!(world.text(&to, "prompts/check.j2").as_deref(), Some("new {{ text }}"));
    assert_eq!(replaced.skill.entries.iter().filter(|entry| entry.role == FileRole::Artifact).count(), 2);
    assert!(world.copy(&from, &to, &[("prompts/check.j2", "prompts/check.j2")], false, OnExisting::Skip).unwrap().files.is_empty());
    for own in ["SKILL.md", "skill.json"] {
        assert_eq!(world.copy(&from, &to, &[(own, "x.md")], false, OnExisting::Refuse).unwrap_err().code, Code::Invalid, "{own}");
    }
}

#[test]
fn a_module_takes_its_state_and_its_typing_along() {
    let world = World::new();
    let (from, to) = (world.create("From", Scope::Workspace), world.create("To", Scope::Account));
    let declared = world.declare(&from, ArtifactKind::DspyModule, "Module");
    let manifest = world
        .text(&from, "skill.json")
        .unwrap()
        .replace("\"path\": \"dspy/module.json\"", "\"path\": \"dspy/module.json\",\n      \"state\": \"dspy/module.state.json\"");
    let write = |path: &str, text: &str| inklings_app::features::skill::Change::Write { path: self::path(path), text: text.to_owned() };
    let params = EditParams {
        skill: id(&from),
        scope: Some(Scope::Workspace),
        expected: declared.summary.revision,
        changes: vec![write("dspy/module.state.json", "{}"), write("skill.json", &manifest)],
        why: None,
    };
    assert!(files(&world.ask::<Edit>(params).unwrap().skill).contains(&"dspy/module.state.json"));
    let draft = SaveDraftParams {
        skill: id(&from),
        scope: Some(Scope::Workspace),
        path: path("dspy/module.json"),
        base_revision: world.get(&from).summary.revision,
        text: "{ \"typed\": 1 }".to_owned(),
    };
    world.ask::<SaveDraft>(draft).unwrap();

    let moved = world.copy(&from, &to, &[("dspy/module.json", "dspy/module.json")], true, OnExisting::Refuse).unwrap();
    assert!(moved.failure.is_none());
    assert_eq!(files(&moved.skill), ["SKILL.md", "dspy/module.json", "dspy/module.state.json", "skill.json"]);
    assert_eq!(files(moved.source.as_ref().unwrap()), ["SKILL.md"]);
    let drafts = world.ask::<ListDrafts>(NoParams {}).unwrap().drafts;
    assert_eq!(drafts.iter().map(|one| (one.scope, one.skill_id)).collect::<Vec<_>>(), [(Scope::Account, to.summary.id)]);

    // Taken back from both ends, the source first.
    let back = world.revert(&from, moved.source.unwrap().summary.revision, moved.source_before.unwrap()).unwrap();
    assert!(files(&back).contains(&"dspy/module.state.json"));
    let reverted = world.revert(&to, moved.skill.summary.revision, moved.before).unwrap();
    assert_eq!(files(&reverted), ["SKILL.md"]);
}

#[test]
fn locked_skills_give_but_do_not_lose_or_get() {
    let world = World::new();
    let locked = world.ask::<Get>(SkillRef { skill: "consistency-checker".to_owned(), scope: None }).unwrap();
    let own = world.create("Own", Scope::Account);
    let prompt = [("prompts/check-prompt.j2", "prompts/check-prompt.j2")];
    assert_eq!(world.copy(&locked, &own, &prompt, true, OnExisting::Refuse).unwrap_err().code, Code::Locked);
    assert_eq!(files(&world.get(&own)), ["SKILL.md"], "nothing was copied before the refusal");
    world.copy(&locked, &own, &prompt, false, OnExisting::Refuse).unwrap();
    assert_eq!(world.copy(&own, &locked, &prompt, false, OnExisting::Both).unwrap_err().code, Code::Locked);
}

#[test]
fn what_is_taken_back_leaves_later_work_alone() {
    let world = World::new();
    let skill = world.create("Skill", Scope::Account);
    world.write(&skill, "a.md", "a");
    let before = world.get(&skill).summary.revision;
    let delete = DeleteFilesParams { skill: id(&skill), scope: Some(Scope::Account), paths: vec![path("a.md")], expected: None };
    let after = world.ask::<DeleteFiles>(delete).unwrap().revision;
    world.write(&skill, "b.md", "b");
    let undone = world.revert(&skill, after, before).unwrap();
    assert_eq!(files(&undone), ["SKILL.md", "a.md", "b.md"]);
    let redone = world.revert(&skill, before, after).unwrap();
    assert_eq!(files(&redone), ["SKILL.md", "b.md"]);
    world.write(&skill, "a.md", "another");
    let refused = world.revert(&skill, after, before).unwrap_err();
    assert_eq!((refused.code, refused.message.as_str()), (Code::RevisionConflict, "a.md was changed by a later revision"));
    assert_eq!(world.text(&skill, "a.md").as_deref(), Some("another"));
}

#[test]
fn files_come_from_the_disk_all_or_none() {
    let world = World::new();
    let skill = world.create("Skill", Scope::Account);
    let disk = world.path("disk");
    std::fs::create_dir_all(disk.join("data/deep")).unwrap();
    std::fs::create_dir_all(disk.join("data/.git")).unwrap();
    std::fs::write(disk.join("data/.git/config"), "x").unwrap();
    std::fs::write(disk.join("data/deep/table.csv"), "a,b").unwrap();
    std::fs::write(disk.join("notes.md"), "notes").unwrap();
    std::fs::write(disk.join("picture.png"), [0_u8, 159, 146]).unwrap();
    let paths = [disk.join("data"), disk.join("notes.md"), disk.join("picture.png")];
    let paths: Vec<&Path> = paths.iter().map(std::path::PathBuf::as_path).collect();
    let added = world.add(&skill, Some("references"), &paths, OnExisting::Refuse).unwrap();
    assert_eq!(files(&added.skill), ["SKILL.md", "references/data/deep/table.csv", "references/notes.md", "references/picture.png"]);
    assert!(added.diagnostics.iter().any(|one| one.rule == "folder/skipped"), "{:?}", added.diagnostics);

    std::fs::write(disk.join("notes.md"), "newer").unwrap();
    let refused = world.add(&skill, Some("references"), &paths, OnExisting::Refuse).unwrap_err();
    assert_eq!(refused.fields.unwrap()["paths"].as_array().unwrap().len(), 3);
    let replaced = world.add(&skill, Some("references"), &paths[1..2], OnExisting::Replace).unwrap();
    assert_eq!(world.text(&skill, "references/notes.md").as_deref(), Some("newer"));
    let both = world.add(&skill, Some("references"), &paths[1..2], OnExisting::Both).unwrap();
    assert_eq!(both.files[0].to.as_str(), "references/notes-copy.md");
    world.revert(&skill, both.skill.summary.revision, replaced.skill.summary.revision).unwrap();

    std::fs::write(disk.join("con.txt"), "reserved").unwrap();
    let bad = disk.join("con.txt");
    let refused = world.add(&skill, None, &[paths[1], &bad], OnExisting::Refuse).unwrap_err();
    assert_eq!(refused.code, Code::Invalid, "{refused:?}");
    assert!(!files(&world.get(&skill)).contains(&"notes.md"), "nothing came");
    std::fs::write(disk.join("SKILL.md"), "other").unwrap();
    let main = disk.join("SKILL.md");
    assert_eq!(world.add(&skill, None, &[&main], OnExisting::Replace).unwrap_err().code, Code::Invalid);
    let big = disk.join("big.bin");
    std::fs::File::create(&big).unwrap().set_len(17 * 1024 * 1024).unwrap();
    assert!(world.add(&skill, None, &[&big], OnExisting::Refuse).is_err());
    assert_eq!(world.add(&skill, None, &[&disk.join("nothing")], OnExisting::Refuse).unwrap_err().code, Code::NotFound);
    assert_eq!(world.add(&skill, None, &[Path::new("relative")], OnExisting::Refuse).unwrap_err().code, Code::Invalid);
    #[cfg(unix)]
    {
        let link = disk.join("link.md");
        std::os::unix::fs::symlink(disk.join("notes.md"), &link).unwrap();
        assert!(world.add(&skill, None, &[&link], OnExisting::Refuse).is_err(), "links are not followed");
    }
}

#[test]
fn files_on_the_disk_are_classified() {
    let world = World::new();
    let disk = world.path("disk");
    std::fs::create_dir_all(disk.join("skills/one")).unwrap();
    std::fs::create_dir_all(disk.join("plain")).unwrap();
    std::fs::write(disk.join("skills/one/SKILL.md"), "---\nname: one\n---\n").unwrap();
    std::fs::write(disk.join("file.txt"), "x").unwrap();
    let ask = ["skills/one", "skills", "plain", "file.txt", "skills/one/SKILL.md", "none"];
    let found = world.ask::<ReadStatus>(PathStatusParams { paths: ask.iter().map(|name| disk.join(name)).collect() }).unwrap();
    let kinds: Vec<PathKind> = found.items.iter().map(|one| one.kind).collect();
    assert_eq!(kinds, [PathKind::Skill, PathKind::Skills, PathKind::Folder, PathKind::File, PathKind::Skill, PathKind::Missing]);
}

#[test]
fn a_skill_goes_to_the_other_scope_and_back() {
    let world = World::new();
    let skill = world.create("Traveller", Scope::Account);
    world.declare(&skill, ArtifactKind::PromptTemplate, "Check");
    let go = |skill: &SkillDetail, to: Scope, keep: bool| {
        world.ask::<MoveSkill>(MoveSkillParams { skill: id(skill), scope: Some(skill.summary.scope), to, keep })
    };
    let moved = go(&skill, Scope::Workspace, false).unwrap();
    assert!(moved.removed && moved.failure.is_none());
    assert_eq!((moved.skill.summary.scope, moved.skill.summary.slug.as_str()), (Scope::Workspace, "traveller"));
    assert!(files(&moved.skill).contains(&"prompts/check.j2"));
    assert_eq!(world.ask::<Get>(named(&skill)).unwrap_err().code, Code::NotFound);
    let copied = go(&moved.skill, Scope::Account, true).unwrap();
    assert!(!copied.removed && copied.skill.summary.shadowed);
    assert_eq!(go(&moved.skill, Scope::Account, false).unwrap_err().code, Code::Exists);
    assert_eq!(go(&moved.skill, Scope::Workspace, false).unwrap_err().code, Code::Invalid);
    let locked = world.ask::<Get>(SkillRef { skill: "consistency-checker".to_owned(), scope: None }).unwrap();
    assert_eq!(go(&locked, Scope::Workspace, false).unwrap_err().code, Code::Locked);
    let copy = world.ask::<Duplicate>(named(&copied.skill)).unwrap();
    assert_eq!((copy.summary.scope, copy.summary.slug.as_str()), (Scope::Account, "traveller-copy"), "a duplicate stays beside");
    let expected = Some(copy.summary.revision);
    world.ask::<Delete>(DeleteParams { skill: id(&copy), scope: Some(Scope::Account), expected }).unwrap();
}

#[test]
fn a_file_that_only_older_versions_stored_does_not_come_back() {
    let world = World::new();
    let skill = world.create("Letters", Scope::Account);
    let account = world.engine.app().workspaces.account();
    let before = account.get_skill(skill.summary.id).unwrap().unwrap();
    let mut after = before.clone();
    let file = path("node_modules/notes.md");
    after.package.files.push(SkillFile { path: file.clone(), entry: TreeFile::new(*b"x") });
    let change = ChangeSet::between(Some(&before), Some(after), skill.summary.id, "test", "edited");
    account.commit(&change, Expected::Revision(1)).unwrap();
    let removal = DeleteFilesParams { skill: id(&skill), scope: Some(Scope::Account), paths: vec![file], expected: None };
    world.ask::<DeleteFiles>(removal).unwrap();
    world.write(&skill, "notes.md", "New.");
    assert_eq!(files(&world.revert(&skill, 4, 2).unwrap()), ["SKILL.md"]);
    world.write(&skill, "notes.md", "New.");
    let params = RollbackParams { skill: id(&skill), scope: Some(Scope::Account), number: 2, expected: None };
    assert_eq!(files(&world.ask::<Rollback>(params).unwrap().skill), ["SKILL.md"]);
}

#[test]
fn a_linked_skill_that_moves_leaves_the_files_of_its_folder() {
    let world = World::new();
    let folder = world.path("linked/letters");
    std::fs::create_dir_all(&folder).unwrap();
    let text = "---\nname: letters\ndescription: Sorts letters. Use it when they come.\n---\nBody.\n";
    std::fs::write(folder.join("SKILL.md"), text).unwrap();
    let linked = world.ask::<LinkFolder>(LinkFolderParams { folder: folder.clone(), scope: Some(Scope::Account) }).unwrap();
    std::fs::write(folder.join("notes.md"), "written last\n").unwrap();
    let params = MoveSkillParams { skill: linked.id.to_string(), scope: Some(Scope::Account), to: Scope::Workspace, keep: false };
    let moved = world.ask::<MoveSkill>(params).unwrap();
    assert_eq!((moved.removed, moved.unlinked.as_deref()), (true, Some(linked.folder.as_str())), "{:?}", moved.failure);
    assert_eq!(files(&moved.skill), ["SKILL.md", "notes.md"], "what was written last in the folder moves, too");
    assert!(world.ask::<SyncLinks>(SyncLinksParams::default()).unwrap().links.is_empty());
    assert!(world.ask::<ListLinks>(ListLinksParams::default()).unwrap().links.is_empty());
    for name in ["SKILL.md", "notes.md"] {
        assert!(folder.join(name).exists(), "{name} stays");
    }
    let workspace = world.engine.app().workspaces.linked_scope(Some(&world.path("work"))).unwrap().repository;
    let provenance = workspace.get_skill(moved.skill.summary.id).unwrap().unwrap().head.provenance;
    assert!(provenance.is_none_or(|provenance| provenance.get("linked_to").is_none()), "it isn't of that folder any more");
}

#[test]
fn the_link_of_a_folder_that_can_not_be_stored_is_ended_by_its_id() {
    let world = World::new();
    let stored = world.create("Letters", Scope::Workspace);
    let folder = world.path("work/.claude/skills/letters");
    std::fs::create_dir_all(&folder).unwrap();
    let text = "---\nname: letters\ndescription: Sorts letters. Use it when they come.\n---\nBody.\n";
    std::fs::write(folder.join("SKILL.md"), text).unwrap();
    let sync = || world.ask::<SyncLinks>(SyncLinksParams::default()).unwrap().links;
    let links = sync();
    assert_eq!(links.len(), 1, "{links:?}");
    assert!(!links[0].is_stored && links[0].problem.is_some() && links[0].id != stored.summary.id, "{links:?}");
    let unlinked = world.ask::<UnlinkSkill>(SkillRef { skill: links[0].id.to_string(), scope: None }).unwrap();
    assert_eq!(unlinked, links[0]);
    assert!(sync().is_empty());
}

#[test]
fn a_duplicate_gets_the_first_free_title() {
    let world = World::new();
    let (first, other) = (world.create("First", Scope::Account), world.create("Other", Scope::Account));
    world.ask::<Describe>(titled(&first, "My papers")).unwrap();
    world.ask::<Describe>(titled(&other, "my papers COPY")).unwrap();
    let copy = world.ask::<Duplicate>(named(&first)).unwrap();
    assert_eq!((copy.summary.slug.as_str(), copy.summary.name.as_str()), ("first-copy-2", "My papers copy 2"));
}
