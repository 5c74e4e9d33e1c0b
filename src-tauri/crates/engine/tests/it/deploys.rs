//! Copies in the folders of agents: what somebody edited or made there is never lost.

use std::fs;
use std::path::{Path, PathBuf};

use inklings_app::features::db::{Backup, BackupParams, RestoreDatabase, RestoreDatabaseParams};
use inklings_app::features::file::Read;
use inklings_app::features::kit::{ChangeKit, ChangeKitParams, DeleteKit, DeleteKitParams, ListKits};
use inklings_app::features::link::{ListLinks, ListLinksParams, SyncLinks, SyncLinksParams};
use inklings_app::features::skill::{Change, Create, CreateParams, Delete, DeleteParams, Edit, EditParams};
use inklings_app::features::target::{
    CopyFileParams, CopyStatus, DeployParams, DeployReport, DeploySkills, GetTargetStatus, PullCopy, PullParams, PullReport, ReadCopyFile,
    RemoveCopies, RemoveCopiesParams,
};
use inklings_app::wire::{FileRef, SkillRef};
use inklings_core::{Scope, SkillPath};
use inklings_engine::{Engine, Options, Resources};
use inklings_rpc::{BlockingOperation as _, CallContext, Code, Failure, NoParams};
use inklings_targets::AgentDirs;

use crate::hooks::{Hooks, hooked};
use crate::support::ask;

struct World {
    engine: Engine,
    folder: tempfile::TempDir,
}

fn skill_ref(skill: &str) -> SkillRef {
    SkillRef { skill: skill.to_owned(), scope: None }
}

fn path(path: &str) -> SkillPath {
    SkillPath::parse(path).unwrap()
}

impl World {
    fn new() -> Self {
        Self::start(false)
    }

    /// `maintain`: as a window does.
    fn start(maintain: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let person = folder.path().join("person");
        fs::create_dir_all(person.join(".claude/skills")).unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        let agents = Some(AgentDirs { config: person.join("config"), home: person });
        let home = folder.path().join("home");
        let engine =
            Engine::start(Options { home, resources: Resources::find(), launcher: None, agents, clients: None, maintain }).unwrap();
        Self { engine, folder }
    }

    fn create(&self, name: &str, scope: Scope) {
        let description = Some(format!("What {name} does, and when to use it."));
        let params = CreateParams { name: name.to_owned(), description, content: None, scope: Some(scope) };
        ask::<Create>(&self.engine, Some(&self.work()), params).unwrap();
    }

    fn write(&self, skill: &str, expected: i64, file: &str, text: &str) {
        let changes = vec![Change::Write { path: path(file), text: text.to_owned() }];
        let params = EditParams { skill: skill.to_owned(), scope: None, expected, changes, why: None };
        ask::<Edit>(&self.engine, None, params).unwrap();
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    fn claude(&self) -> PathBuf {
        self.folder.path().join("person/.claude/skills")
    }

    fn deploy(&self, skill: &str, change: impl FnOnce(&mut DeployParams)) -> Result<DeployReport, Failure> {
        let mut params = DeployParams { skills: vec![skill_ref(skill)], ..DeployParams::default() };
        change(&mut params);
        ask::<DeploySkills>(&self.engine, Some(&self.work()), params)
    }

    /// Of the only copy in the user's folders.
    fn status(&self) -> Vec<(CopyStatus, Vec<String>)> {
        let status = ask::<GetTargetStatus>(&self.engine, None, NoParams {}).unwrap();
        let copies = status.targets.into_iter().flat_map(|target| target.copies);
        copies.map(|copy| (copy.status, copy.edited.iter().map(ToString::to_string).collect())).collect()
    }

    fn pull(&self, change: impl FnOnce(&mut PullParams)) -> Result<PullReport, Failure> {
        let mut params = PullParams { skill: skill_ref("checker"), from: None, theirs: vec![], ours: vec![], dry_run: false };
        change(&mut params);
        ask::<PullCopy>(&self.engine, None, params)
    }

    fn remove(&self, skill: &str) -> Result<DeployReport, Failure> {
        let params = RemoveCopiesParams { skills: vec![skill.to_owned()], ..RemoveCopiesParams::default() };
        ask::<RemoveCopies>(&self.engine, None, params)
    }

    fn stored(&self, file: &str) -> String {
        let file = FileRef { skill: "checker".to_owned(), scope: None, path: path(file) };
        ask::<Read>(&self.engine, None, file).unwrap().text.unwrap()
    }
}

fn statuses(report: &DeployReport) -> Vec<(CopyStatus, bool)> {
    report.copies.iter().map(|copy| (copy.status, copy.changed)).collect()
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

#[test]
fn an_edited_copy_is_kept_and_merged_back_into_its_skill() {
    let world = World::new();
    world.create("Checker", Scope::Account);
    world.write("checker", 1, "a.md", "one");
    world.write("checker", 2, "b.md", "one");
    let copy = world.claude().join("checker");
    let preview = world.deploy("checker", |params| params.dry_run = true).unwrap();
    assert_eq!((statuses(&preview), copy.exists()), (vec![(CopyStatus::New, false)], false));
    assert_eq!(statuses(&world.deploy("checker", |_| ()).unwrap()), [(CopyStatus::New, true)]);
    assert_eq!(world.status(), [(CopyStatus::Unchanged, vec![])]);

    // A newer revision replaces what nobody edited.
    world.write("checker", 3, "a.md", "two");
    assert_eq!(world.status(), [(CopyStatus::Update, vec![])]);
    assert_eq!(statuses(&world.deploy("checker", |_| ()).unwrap()), [(CopyStatus::Update, true)]);
    assert_eq!(read(&copy, "a.md"), "two");

    // Edited there, and another file here.
    fs::write(copy.join("b.md"), "edited there").unwrap();
    world.write("checker", 4, "a.md", "three");
    assert_eq!(world.status(), [(CopyStatus::Drift, vec!["b.md".to_owned()])]);
    assert_eq!(statuses(&world.deploy("checker", |_| ()).unwrap()), [(CopyStatus::Drift, false)]);
    assert_eq!(world.remove("checker").unwrap().copies[0].failure.as_ref().unwrap().code, Code::Exists);
    assert_eq!((read(&copy, "a.md"), read(&copy, "b.md")), ("two".to_owned(), "edited there".to_owned()));
    let preview = world.pull(|params| params.dry_run = true).unwrap();
    assert_eq!((preview.stored, preview.base, preview.changes.len()), (false, Some(4), 2));
    let file = CopyFileParams { skill: skill_ref("checker"), from: None, file: path("b.md") };
    let versions = ask::<ReadCopyFile>(&world.engine, None, file).unwrap();
    let texts = [versions.base, versions.ours, versions.theirs].map(|file| file.text.unwrap());
    assert_eq!(texts, ["one", "one", "edited there"]);
    assert!(world.pull(|_| ()).unwrap().stored);
    assert_eq!((world.stored("a.md"), world.stored("b.md")), ("three".to_owned(), "edited there".to_owned()));
    assert_eq!((read(&copy, "a.md"), read(&copy, "b.md")), ("three".to_owned(), "edited there".to_owned()));
    assert_eq!(world.status(), [(CopyStatus::Unchanged, vec![])]);
    assert_eq!(world.pull(|_| ()).unwrap_err().code, Code::NotFound, "nothing to take");

    // A file edited in both needs a choice.
    fs::write(copy.join("a.md"), "four there").unwrap();
    world.write("checker", 6, "a.md", "four here");
    let conflict = world.pull(|_| ()).unwrap();
    assert_eq!((conflict.stored, conflict.conflicts), (false, vec![path("a.md")]));
    assert_eq!((world.stored("a.md"), read(&copy, "a.md")), ("four here".to_owned(), "four there".to_owned()));
    assert_eq!(world.pull(|params| params.theirs = vec![path("b.md")]).unwrap_err().code, Code::Invalid);
    assert!(world.pull(|params| params.theirs = vec![path("a.md")]).unwrap().stored);
    assert_eq!(world.stored("a.md"), "four there");

    assert_eq!(statuses(&world.remove("checker").unwrap()), [(CopyStatus::Unchanged, true)]);
    assert!(!copy.exists() && world.status().is_empty());
    assert_eq!(world.remove("checker").unwrap_err().code, Code::NotFound);
}

#[test]
fn after_the_database_was_restored_a_revision_with_other_files_is_not_what_a_copy_was_edited_from() {
    let world = World::new();
    world.create("Checker", Scope::Account);
    let backup = world.folder.path().join("copy.db").display().to_string();
    ask::<Backup>(&world.engine, None, BackupParams { scope: None, to: backup.clone() }).unwrap();
    world.write("checker", 1, "a.md", "lost");
    world.deploy("checker", |_| ()).unwrap();
    ask::<RestoreDatabase>(&world.engine, None, RestoreDatabaseParams { scope: None, from: backup }).unwrap();
    world.write("checker", 1, "a.md", "new");
    fs::write(world.claude().join("checker/a.md"), "edited there").unwrap();
    let pulled = world.pull(|_| ()).unwrap();
    assert_eq!((pulled.stored, pulled.base, pulled.conflicts), (false, None, vec![path("a.md")]));
    assert_eq!(world.stored("a.md"), "new");
}

#[test]
fn a_copy_that_is_edited_while_its_skill_is_updated_stays_and_the_update_is_stored() {
    let world = World::new();
    world.create("Checker", Scope::Account);
    world.deploy("checker", |_| ()).unwrap();
    let copy = world.claude().join("checker");
    fs::write(copy.join("a.md"), "edited there").unwrap();
    let (hooks, edited) = (Hooks::default(), copy.join("a.md"));
    hooks.before("commit_together", move || {
        fs::write(edited, "edited again").unwrap();
        Ok(())
    });
    let params = PullParams { skill: skill_ref("checker"), from: None, theirs: vec![], ours: vec![], dry_run: false };
    let report = PullCopy::run(&hooked(&world.engine, &hooks), &CallContext::local(None, "test"), params).unwrap();
    assert!(report.stored && report.failure.is_some_and(|failure| failure.message.contains("changed meanwhile")));
    assert_eq!((report.revision, world.stored("a.md")), (2, "edited there".to_owned()));
    assert_eq!((read(&copy, "a.md"), world.status()), ("edited again".to_owned(), vec![(CopyStatus::Drift, vec!["a.md".to_owned()])]));
}

#[test]
fn edits_are_replaced_only_on_request() {
    let world = World::new();
    world.create("Checker", Scope::Account);
    world.deploy("checker", |_| ()).unwrap();
    let copy = world.claude().join("checker");
    fs::write(copy.join("new.md"), "made there").unwrap();
    assert_eq!(statuses(&world.deploy("checker", |params| params.replace_edited = true).unwrap()), [(CopyStatus::Drift, true)]);
    assert!(!copy.join("new.md").exists());
    fs::remove_dir_all(&copy).unwrap();
    assert_eq!(world.status(), [(CopyStatus::Missing, vec![])]);
    assert_eq!(statuses(&world.deploy("checker", |_| ()).unwrap()), [(CopyStatus::New, true)]);
}

#[test]
fn what_was_not_deployed_is_never_touched() {
    let world = World::new();
    world.create("Checker", Scope::Account);
    let folder = world.claude().join("checker");
    let elsewhere = world.folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::create_dir(&folder).unwrap();
    let replace = |params: &mut DeployParams| params.replace_edited = true;
    assert_eq!(statuses(&world.deploy("checker", replace).unwrap()), [(CopyStatus::Foreign, false)], "an empty folder");
    fs::write(folder.join("mine.txt"), "mine").unwrap();
    assert_eq!(statuses(&world.deploy("checker", replace).unwrap()), [(CopyStatus::Foreign, false)]);
    fs::rename(&folder, world.folder.path().join("away")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &folder).unwrap();
    assert_eq!(statuses(&world.deploy("checker", replace).unwrap()), [(CopyStatus::Foreign, false)]);
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    assert_eq!(world.remove("checker").unwrap_err().code, Code::NotFound);
    assert!(folder.symlink_metadata().unwrap().is_symlink());
}

#[test]
fn folders_are_created_on_request_and_workspaces_stay_in_theirs() {
    let world = World::new();
    world.create("Checker", Scope::Account);
    world.create("Notes", Scope::Workspace);
    let codex = |params: &mut DeployParams| params.to = vec!["codex".to_owned()];
    let refused = world.deploy("checker", codex).unwrap();
    assert_eq!(refused.copies[0].failure.as_ref().unwrap().code, Code::NotFound);
    assert!(refused.copies[0].creates_folder && !world.folder.path().join("person/.codex").exists());
    let created = world.deploy("checker", |params| {
        codex(params);
        params.create_folders = true;
    });
    assert_eq!(statuses(&created.unwrap()), [(CopyStatus::New, true)]);
    assert_eq!(world.deploy("checker", |params| params.to = vec!["nobody".to_owned()]).unwrap_err().code, Code::NotFound);
    assert_eq!(world.deploy("notes", |_| ()).unwrap_err().code, Code::NotFound, "the workspace has no folder of an agent");
    // A link in a workspace must not lead to the user's other files.
    fs::create_dir(world.work().join(".claude")).unwrap();
    std::os::unix::fs::symlink(world.claude(), world.work().join(".claude/skills")).unwrap();
    let outside = world.deploy("notes", |_| ()).unwrap();
    assert_eq!(outside.copies[0].failure.as_ref().unwrap().code, Code::Invalid);
    assert!(!world.claude().join("notes").exists());
    // Nor must the folder that a skill gets to be linked to.
    let elsewhere = world.folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let data = world.work().join(".inklings");
    let _ = fs::remove_dir_all(&data);
    std::os::unix::fs::symlink(&elsewhere, &data).unwrap();
    let linked = |params: &mut DeployParams| (params.to, params.create_folders, params.link) = (vec!["agents".to_owned()], true, true);
    assert_eq!(world.deploy("notes", linked).unwrap().copies[0].failure.as_ref().unwrap().code, Code::Invalid);
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    fs::remove_file(&data).unwrap();
    let agents = world.deploy("notes", |params| (params.to, params.create_folders) = (vec!["agents".to_owned()], true));
    assert_eq!(statuses(&agents.unwrap()), [(CopyStatus::New, true)]);
    assert!(world.work().join(".agents/skills/notes/SKILL.md").is_file());
}

#[test]
fn the_copy_of_a_deleted_skill_can_be_removed() {
    let world = World::new();
    world.create("Checker", Scope::Account);
    world.deploy("checker", |_| ()).unwrap();
    ask::<Delete>(&world.engine, None, DeleteParams { skill: "checker".to_owned(), scope: None, expected: None }).unwrap();
    assert_eq!(world.status(), [(CopyStatus::Deleted, vec![])]);
    world.create("Checker", Scope::Account);
    assert_eq!(statuses(&world.deploy("checker", |_| ()).unwrap()), [(CopyStatus::Conflict, false)]);
    assert_eq!(statuses(&world.remove("checker").unwrap()), [(CopyStatus::Deleted, true)]);
    assert_eq!(statuses(&world.deploy("checker", |_| ()).unwrap()), [(CopyStatus::New, true)]);
}

#[test]
fn a_link_leads_to_the_folder_of_the_skill_and_only_the_link_is_removed() {
    let world = World::new();
    world.create("Checker", Scope::Account);
    let place = world.claude().join("checker");
    let link = |params: &mut DeployParams| params.link = true;
    assert_eq!(statuses(&world.deploy("checker", link).unwrap()), [(CopyStatus::New, true)]);
    let folder = world.folder.path().join("home/skills/checker");
    assert_eq!(fs::read_link(&place).unwrap(), folder.canonicalize().unwrap());
    assert_eq!(world.status(), [(CopyStatus::Linked, vec![])]);
    // An edit on either side is one of both.
    world.write("checker", 1, "a.md", "here");
    assert_eq!(read(&place, "a.md"), "here");
    fs::write(place.join("a.md"), "there").unwrap();
    let links = ask::<ListLinks>(&world.engine, None, ListLinksParams::default()).unwrap().links;
    assert_eq!(links.iter().map(|link| link.folder.as_str()).collect::<Vec<_>>(), [folder.to_str().unwrap()], "linked once");
    ask::<SyncLinks>(&world.engine, None, SyncLinksParams::default()).unwrap();
    assert_eq!(world.stored("a.md"), "there");
    assert_eq!(statuses(&world.deploy("checker", link).unwrap()), [(CopyStatus::Linked, false)]);
    assert_eq!(statuses(&world.remove("checker").unwrap()), [(CopyStatus::Linked, true)]);
    assert!(!place.exists() && folder.join("a.md").is_file(), "the skill's folder stays");

    // A copy that nobody edited becomes a link, an edited one stays.
    world.deploy("checker", |_| ()).unwrap();
    fs::write(place.join("a.md"), "edited").unwrap();
    assert_eq!(statuses(&world.deploy("checker", link).unwrap()), [(CopyStatus::Drift, false)]);
    assert_eq!(statuses(&world.deploy("checker", |params| params.replace_edited = true).unwrap()), [(CopyStatus::Drift, true)]);
    assert_eq!(statuses(&world.deploy("checker", link).unwrap()), [(CopyStatus::Unchanged, true)]);
    assert!(place.symlink_metadata().unwrap().is_symlink());

    fs::rename(&folder, folder.with_extension("away")).unwrap();
    assert_eq!(world.status(), [(CopyStatus::Dangling, vec![])]);
    fs::remove_file(&place).unwrap();
    std::os::unix::fs::symlink(world.work(), &place).unwrap();
    assert_eq!(world.status(), [(CopyStatus::Foreign, vec![])], "somebody else's link");
    world.remove("checker").unwrap();
    assert!(place.symlink_metadata().unwrap().is_symlink());
}

#[test]
fn the_link_of_a_renamed_skill_is_not_that_of_the_skill_with_its_former_name() {
    let world = World::new();
    world.create("Checker", Scope::Account);
    let link = |params: &mut DeployParams| params.link = true;
    world.deploy("checker", link).unwrap();
    let text = world.stored("SKILL.md");
    world.write("checker", 1, "SKILL.md", &text.replace("name: checker", "name: reviewer"));
    world.create("Checker", Scope::Account);
    assert_eq!(statuses(&world.deploy("checker", link).unwrap()), [(CopyStatus::Conflict, false)]);
    assert_eq!(world.status(), [(CopyStatus::Linked, vec![])], "of the renamed skill");
}

#[test]
fn watched_copies_follow_their_skill_until_somebody_edits_them() {
    let world = World::start(true);
    world.create("Checker", Scope::Account);
    let deployed = world.deploy("checker", |params| params.watch = Some(true)).unwrap();
    assert!(deployed.copies[0].watch);
    let copy = world.claude().join("checker");
    let reads = |text: &str| {
        let end = std::time::Instant::now() + std::time::Duration::from_secs(30);
        while fs::read_to_string(copy.join("a.md")).ok().as_deref() != Some(text) {
            assert!(std::time::Instant::now() < end, "{text} wasn't written");
            std::thread::yield_now();
        }
    };
    world.write("checker", 1, "a.md", "one");
    reads("one");
    world.write("checker", 2, "a.md", "two");
    reads("two");
    fs::write(copy.join("b.md"), "edited").unwrap();
    world.write("checker", 3, "a.md", "three");
    let redeployed = || ask::<DeploySkills>(&world.engine, None, DeployParams { watched: true, ..DeployParams::default() }).unwrap();
    assert_eq!(statuses(&redeployed()), [(CopyStatus::Drift, false)]);
    assert_eq!((read(&copy, "a.md"), read(&copy, "b.md")), ("two".to_owned(), "edited".to_owned()));
    // Replaced on request, it is still watched; until that is switched off.
    world.deploy("checker", |params| params.replace_edited = true).unwrap();
    assert!(redeployed().copies[0].watch);
    world.deploy("checker", |params| params.watch = Some(false)).unwrap();
    assert!(redeployed().copies.is_empty());
}

#[test]
fn a_watched_copy_follows_the_name_of_its_skill_until_somebody_edits_it() {
    let world = World::new();
    world.create("Checker", Scope::Account);
    world.deploy("checker", |params| params.watch = Some(true)).unwrap();
    let [first, second, third] = ["checker", "auditor", "reviewer"].map(|name| world.claude().join(name));
    let rename = |expected: i64, from: &str, to: &str| {
        let file = FileRef { skill: from.to_owned(), scope: None, path: path("SKILL.md") };
        let text = ask::<Read>(&world.engine, None, file).unwrap().text.unwrap();
        world.write(from, expected, "SKILL.md", &text.replace(&format!("name: {from}"), &format!("name: {to}")));
    };
    let redeploy = || {
        let report = ask::<DeploySkills>(&world.engine, None, DeployParams { watched: true, ..DeployParams::default() }).unwrap();
        report.copies.into_iter().map(|copy| (copy.slug.to_string(), copy.status, copy.watch, copy.changed)).collect::<Vec<_>>()
    };
    rename(1, "checker", "auditor");
    assert_eq!(world.status(), [(CopyStatus::Update, vec![])]);
    assert_eq!(redeploy(), [("auditor".to_owned(), CopyStatus::New, true, true)]);
    assert!(!first.exists() && read(&second, "SKILL.md").contains("name: auditor"));
    assert_eq!(redeploy(), [("auditor".to_owned(), CopyStatus::Unchanged, true, false)]);
    assert_eq!(world.status(), [(CopyStatus::Unchanged, vec![])]);

    fs::write(second.join("b.md"), "edited").unwrap();
    rename(2, "auditor", "reviewer");
    assert_eq!(redeploy(), [("auditor".to_owned(), CopyStatus::Drift, true, false)]);
    assert!(!third.exists() && read(&second, "b.md") == "edited");
    // It can be removed by the present name of its skill.
    fs::remove_file(second.join("b.md")).unwrap();
    assert_eq!(statuses(&world.remove("reviewer").unwrap()), [(CopyStatus::Update, true)]);
    assert!(!second.exists() && world.status().is_empty());

    // An edit of the copy that the skill has, too, is no other text.
    world.deploy("reviewer", |params| params.watch = Some(true)).unwrap();
    let renamed = read(&third, "SKILL.md").replace("name: reviewer", "name: editor");
    fs::write(third.join("SKILL.md"), &renamed).unwrap();
    world.write("reviewer", 3, "SKILL.md", &renamed);
    assert_eq!(redeploy(), [("editor".to_owned(), CopyStatus::New, true, true)]);
    assert!(!third.exists());
}

#[test]
fn a_kit_is_deployed_as_a_whole_and_follows_renamed_skills() {
    let world = World::new();
    for name in ["Checker", "Notes", "Other"] {
        world.create(name, Scope::Account);
    }
    let kit = |params: ChangeKitParams| ask::<ChangeKit>(&world.engine, None, params);
    let named = |name: &str| ChangeKitParams { name: name.to_owned(), ..ChangeKitParams::default() };
    let slugs = |kit: inklings_app::features::kit::Kit| kit.skills.iter().map(ToString::to_string).collect::<Vec<_>>();
    let writing = ChangeKitParams { add: vec!["Checker".to_owned(), "notes".to_owned()], ..named("Writing") };
    assert_eq!(slugs(kit(writing).unwrap()), ["checker", "notes"]);
    assert_eq!(kit(ChangeKitParams { add: vec!["nothing".to_owned()], ..named("Writing") }).unwrap_err().code, Code::NotFound);
    assert_eq!(kit(named("  ")).unwrap_err().code, Code::Invalid);
    assert_eq!(kit(ChangeKitParams { rename: Some("x".to_owned()), ..named("nothing") }).unwrap_err().code, Code::NotFound);
    kit(named("Empty")).unwrap();
    assert_eq!(kit(ChangeKitParams { rename: Some("empty".to_owned()), ..named("writing") }).unwrap_err().code, Code::Exists);
    let renamed = kit(ChangeKitParams { rename: Some("Desk".to_owned()), ..named("writing") }).unwrap();
    assert_eq!((renamed.name.as_str(), renamed.skills.len()), ("Desk", 2));

    // A kit with the new name already: of a deleted skill.
    world.create("Press notes", Scope::Account);
    kit(ChangeKitParams { add: vec!["notes".to_owned(), "press-notes".to_owned()], ..named("Zine") }).unwrap();
    ask::<Delete>(&world.engine, None, DeleteParams { skill: "press-notes".to_owned(), scope: None, expected: None }).unwrap();
    let skill = FileRef { skill: "notes".to_owned(), scope: None, path: path("SKILL.md") };
    let text = ask::<Read>(&world.engine, None, skill).unwrap().text.unwrap();
    world.write("notes", 1, "SKILL.md", &text.replace("name: notes", "name: press-notes"));
    let report = world.deploy("other", |params| (params.skills, params.kit) = (Vec::new(), Some("desk".to_owned()))).unwrap();
    assert_eq!(report.copies.iter().map(|copy| copy.slug.as_str()).collect::<Vec<_>>(), ["checker", "press-notes"]);
    let last = ask::<ListKits>(&world.engine, None, NoParams {}).unwrap().kits.into_iter().find(|kit| kit.name == "Zine");
    assert_eq!(slugs(last.unwrap()), ["press-notes"]);
    ask::<DeleteKit>(&world.engine, None, DeleteKitParams { name: "zine".to_owned() }).unwrap();
    let nothing = |params: &mut DeployParams| params.kit = Some("nothing".to_owned());
    assert_eq!(world.deploy("other", nothing).unwrap_err().code, Code::NotFound);

    let remove = vec![inklings_core::Slug::parse("checker").unwrap()];
    assert_eq!(slugs(kit(ChangeKitParams { remove, ..named("Desk") }).unwrap()), ["press-notes"]);
    ask::<DeleteKit>(&world.engine, None, DeleteKitParams { name: "desk".to_owned() }).unwrap();
    let left: Vec<_> = ask::<ListKits>(&world.engine, None, NoParams {}).unwrap().kits.into_iter().map(|kit| kit.name).collect();
    assert_eq!(left, ["Empty"]);
    assert_eq!(ask::<DeleteKit>(&world.engine, None, DeleteKitParams { name: "desk".to_owned() }).unwrap_err().code, Code::NotFound);
}

#[test]
fn a_kit_follows_a_skill_that_is_renamed_in_its_folder() {
    let world = World::new();
    let file = world.claude().join("checker/SKILL.md");
    fs::create_dir(world.claude().join("checker")).unwrap();
    let write = |name: &str| fs::write(&file, format!("---\nname: {name}\ndescription: Checks texts.\n---\nBody.\n")).unwrap();
    let sync = || ask::<SyncLinks>(&world.engine, None, SyncLinksParams::default()).unwrap();
    write("checker");
    assert_eq!(sync().links.len(), 1);
    let kit = ChangeKitParams { name: "Desk".to_owned(), add: vec!["checker".to_owned()], ..ChangeKitParams::default() };
    ask::<ChangeKit>(&world.engine, None, kit).unwrap();
    write("reviewer");
    sync();
    let kits = ask::<ListKits>(&world.engine, None, NoParams {}).unwrap().kits;
    assert_eq!(kits[0].skills.iter().map(ToString::to_string).collect::<Vec<_>>(), ["reviewer"]);
}
