//! Skills of registries in the account: installing, updating, pinning, rolling back, and what must never happen to the user's own.

mod concurrent;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use inklings_app::App;
use inklings_app::features::db::{Backup, BackupParams, RestoreDatabase, RestoreDatabaseParams};
use inklings_app::features::fork::{ListOutdatedForks, OutdatedFork, UpdateFork, UpdateForkParams};
use inklings_app::features::marketplace::{
    GetMarketplaceSkill, InstallSkill, InstallSkillParams, InstalledMarketplaceSkill, InstalledRef, InstalledStatus, ListInstalled,
    MarketplaceRef, Permission, PinParams, PinSkill, RollBackSkill, SearchMarketplace, SearchMarketplaceParams, SkillInstallation,
    UpdateSkills, UpdateSkillsParams,
};
use inklings_app::features::proposal::{Accept, AcceptParams, EditProposal, EditProposalParams, ProposalRef, ReviewProposal};
use inklings_app::features::publish::{
    CreateRegistry, CreateRegistryParams, KeyRole, PublishTarget, ReleaseParams, ReleaseSkills, RevokeParams, RevokeVersion, RotateKeys,
    RotateKeysParams, YankParams, YankVersion,
};
use inklings_app::features::registry::{
    AddRegistry, AddRegistryParams, ListRegistries, RegistryRef, RemoveRegistry, SyncOutcome, SyncRegistries, SyncRegistriesParams,
    WaitReason,
};
use inklings_app::features::skill::{
    Change, Create, CreateParams, Delete, DeleteParams, Duplicate, Edit, EditParams, Fork, Get, Restore, RestoreParams,
};
use inklings_app::wire::SkillRef;
use inklings_core::edit::{self, TreeEdit};
use inklings_core::{Digest, Scope, SkillPath, Slug, Source};
use inklings_engine::Engine;
use inklings_rpc::{Code, Failure, NoParams, Operation};
use serde_json::json;
use tempfile::TempDir;

use crate::support::{ask, beside_work};

/// A publisher with a registry on disk, and an account that knows it.
struct World {
    engine: Engine,
    folder: TempDir,
    fingerprint: Digest,
}

impl World {
    fn new() -> Self {
        let (engine, folder) = beside_work();
        let target = target(folder.path());
        let (id, title) = ("skills.example.org".to_owned(), "Example skills".to_owned());
        let created = ask::<CreateRegistry>(&engine, None, CreateRegistryParams { target, id, title, publisher: None }).unwrap();
        Self { engine, folder, fingerprint: created.fingerprint }
    }

    /// The same with the registry added and one skill in it.
    fn with_notes() -> Self {
        let world = Self::new();
        world.publish("notes", "1.0.0", &[("SKILL.md", "First line.\n\nMiddle.\n\nLast line.\n")]);
        world.add().unwrap();
        world
    }

    fn ask<T: Operation<App = App>>(&self, params: T::Params) -> Result<T::Output, Failure> {
        ask::<T>(&self.engine, None, params)
    }

    fn registry(&self) -> PathBuf {
        self.folder.path().join("registry")
    }

    /// `SKILL.md` gets its frontmatter.
    fn publish(&self, name: &str, version: &str, files: &[(&str, &str)]) {
        let top = self.folder.path().join("sources").join(name);
        let _ = fs::remove_dir_all(&top);
        for (path, text) in files {
            let file = top.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            let head = format!(
                "---\nname: {name}\ndescription: About {name}. Use it when it is tested.\nmetadata:\n  version: {version}\n---\n\n"
            );
            fs::write(file, if *path == "SKILL.md" { head + text } else { (*text).to_owned() }).unwrap();
        }
        let params = ReleaseParams { target: target(self.folder.path()), skills: Vec::new(), paths: vec![top], minimum_client: None };
        let report = self.ask::<ReleaseSkills>(params).unwrap();
        assert_eq!(report.released.len(), 1);
    }

    fn add(&self) -> Result<(), Failure> {
        let address = self.registry().display().to_string();
        let params = AddRegistryParams { address, fingerprint: self.fingerprint, mirrors: Vec::new(), priority: 0 };
        self.ask::<AddRegistry>(params).map(drop)
    }

    fn sync(&self) -> SyncOutcome {
        self.ask::<SyncRegistries>(SyncRegistriesParams::default()).unwrap()
    }

    fn install(&self, id: &str, version: Option<&str>, accept: &[Permission]) -> Result<SkillInstallation, Failure> {
        let accept: BTreeSet<Permission> = accept.iter().cloned().collect();
        self.ask::<InstallSkill>(InstallSkillParams { id: id.to_owned(), version: version.map(str::to_owned), accept })
    }

    fn installed(&self) -> Vec<InstalledMarketplaceSkill> {
        self.ask::<ListInstalled>(NoParams {}).unwrap().skills
    }

    fn text(&self, skill: &str, scope: Scope) -> String {
        let repository = self.engine.app().workspaces.account();
        let workspace = self.folder.path().join("work");
        let repository = if scope == Scope::Account { repository } else { self.engine.app().workspaces.workspace(&workspace).unwrap() };
        repository.get_skill_by_name(skill).unwrap().unwrap().package.main().unwrap().content.trim().to_owned()
    }

    fn edit(&self, skill: &str, path: &str, text: &str) {
        let skill_ref = SkillRef { skill: skill.to_owned(), scope: Some(Scope::Account) };
        let expected = self.ask::<Get>(skill_ref).unwrap().summary.revision;
        let changes = vec![Change::Write { path: SkillPath::parse(path).unwrap(), text: text.to_owned() }];
        let scope = Some(Scope::Account);
        self.ask::<Edit>(EditParams { skill: skill.to_owned(), scope, expected, changes, why: None }).unwrap();
    }

    fn forks(&self) -> Vec<OutdatedFork> {
        self.ask::<ListOutdatedForks>(NoParams {}).unwrap().forks
    }
}

fn target(folder: &Path) -> PublishTarget {
    PublishTarget { folder: folder.join("registry"), keys: Some(folder.join("keys")), days: None }
}

fn update_fork(skill: &str) -> UpdateForkParams {
    UpdateForkParams { skill: skill.to_owned(), scope: Some(Scope::Account), revision: None }
}

#[test]
fn an_installed_skill_is_locked_and_updated_by_the_next_sync() {
    let world = World::with_notes();
    let page = world.ask::<SearchMarketplace>(SearchMarketplaceParams { query: "not".to_owned(), ..Default::default() }).unwrap();
    assert_eq!((page.total, page.skills[0].id.to_string()), (1, "skills.example.org/notes".to_owned()));
    let installation = world.install("notes", None, &[]).unwrap();
    assert_eq!((installation.version.as_str(), installation.replaced), ("1.0.0", None));
    let skill = world.engine.app().workspaces.account().get_skill(installation.skill).unwrap().unwrap();
    assert_eq!((skill.head.source, skill.head.scope), (Source::Community, Scope::Account));
    assert_eq!(skill.head.package.unwrap().marketplace_id, "skills.example.org/notes");
    let changes = vec![Change::Write { path: SkillPath::parse("SKILL.md").unwrap(), text: "mine".to_owned() }];
    let edit = EditParams { skill: "notes".to_owned(), scope: None, expected: 1, changes, why: None };
    assert_eq!(world.ask::<Edit>(edit).unwrap_err().code, Code::Locked);

    let unchanged = world.sync();
    assert_eq!((unchanged.registries[0].changed, unchanged.updated.len()), (false, 0));
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n")]);
    let outcome = world.sync();
    assert!(outcome.registries[0].changed);
    let updated: Vec<_> = outcome.updated.iter().map(|one| (one.slug.as_str(), one.from.as_str(), one.to.as_str())).collect();
    assert_eq!(updated, [("notes", "1.0.0", "1.1.0")]);
    assert_eq!(world.text("notes", Scope::Account), "Second version.");
    assert!(matches!(world.installed()[0].status, InstalledStatus::Current));
}

#[test]
fn an_account_follows_a_registry_whose_keys_are_rotated() {
    let world = World::with_notes();
    world.install("notes", None, &[]).unwrap();
    let keys = BTreeSet::from([KeyRole::Root, KeyRole::Snapshot, KeyRole::Publisher]);
    world.ask::<RotateKeys>(RotateKeysParams { target: target(world.folder.path()), keys }).unwrap();
    assert!(world.sync().registries[0].failure.is_none());
    assert!(matches!(world.installed()[0].status, InstalledStatus::Current));
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n")]);
    assert_eq!(world.sync().updated.len(), 1, "the publisher is the same");
}

#[test]
fn more_permissions_wait_for_consent() {
    let world = World::with_notes();
    world.install("notes", None, &[]).unwrap();
    world.publish("notes", "1.1.0", &[("SKILL.md", "Runs.\n"), ("scripts/run.sh", "#!/bin/sh\n")]);
    let outcome = world.sync();
    assert_eq!((outcome.updated.len(), outcome.waiting[0].why), (0, WaitReason::Permissions));
    let update = world.installed().remove(0).update.unwrap();
    assert_eq!(update.new_permissions, BTreeSet::from([Permission::Network, Permission::NativeScripts]));
    let all = world.ask::<UpdateSkills>(UpdateSkillsParams::default()).unwrap();
    assert_eq!((all.updated.len(), all.failed.len()), (0, 0));
    let failure = world.install("notes", None, &[Permission::Code]).unwrap_err();
    assert_eq!(failure.code, Code::ApprovalRequired);
    assert_eq!(failure.fields.unwrap()["permissions"], serde_json::json!(["network", "native-scripts"]));
    let accept = BTreeSet::from([Permission::Network, Permission::NativeScripts]);
    let named = world.ask::<UpdateSkills>(UpdateSkillsParams { skills: Some(vec!["notes".to_owned()]), accept }).unwrap();
    assert_eq!(named.updated[0].version, "1.1.0");
    // What was agreed to once isn't asked again.
    world.publish("notes", "1.2.0", &[("SKILL.md", "Runs well.\n"), ("scripts/run.sh", "#!/bin/sh\ntrue\n")]);
    assert_eq!(world.sync().updated.len(), 1);
}

#[test]
fn a_skill_of_the_user_is_never_replaced() {
    let world = World::with_notes();
    let params = CreateParams { name: "notes".to_owned(), description: None, content: None, scope: Some(Scope::Account) };
    let own = world.ask::<Create>(params).unwrap();
    let detail = world.ask::<GetMarketplaceSkill>(MarketplaceRef { id: "notes".to_owned(), version: None }).unwrap();
    assert_eq!(detail.conflict.unwrap().skill, own.summary.id);
    assert_eq!(world.install("notes", None, &[]).unwrap_err().code, Code::Exists);
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n")]);
    assert!(world.sync().updated.is_empty());
    let stored = world.engine.app().workspaces.account().get_skill(own.summary.id).unwrap().unwrap();
    assert_eq!((stored.head.revision, stored.head.source), (1, Source::User));
}

#[test]
fn a_pinned_skill_keeps_its_version_and_a_rollback_needs_no_registry() {
    let world = World::with_notes();
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n")]);
    world.sync();
    // An older version that was chosen is kept.
    assert_eq!(world.install("notes", Some("1.0.0"), &[]).unwrap().version, "1.0.0");
    assert_eq!(world.sync().waiting[0].why, WaitReason::Pinned);
    let unpinned = world.ask::<PinSkill>(PinParams { skill: "notes".to_owned(), pinned: false }).unwrap();
    assert_eq!((unpinned.pinned, unpinned.update.unwrap().waits), (false, None));
    assert_eq!(world.sync().updated.len(), 1);
    fs::rename(world.registry(), world.folder.path().join("away")).unwrap();
    let back = world.ask::<RollBackSkill>(InstalledRef { skill: "notes".to_owned() }).unwrap();
    assert_eq!((back.version.as_str(), back.replaced.as_deref()), ("1.0.0", Some("1.1.0")));
    assert!(world.text("notes", Scope::Account).starts_with("First line."));
    let installed = world.installed().remove(0);
    assert!(installed.pinned && matches!(installed.status, InstalledStatus::Update), "{installed:?}");
    // A registry that isn't there is reported, and what is known of it stays.
    let outcome = world.sync();
    assert!(outcome.registries[0].failure.is_some());
    let registry = world.ask::<ListRegistries>(NoParams {}).unwrap().remove(0);
    assert_eq!((registry.skills, registry.failure.is_some()), (1, true));
    fs::rename(world.folder.path().join("away"), world.registry()).unwrap();
    assert!(world.sync().registries[0].failure.is_none());
}

#[test]
fn each_rollback_goes_further_back() {
    let world = World::with_notes();
    world.install("notes", None, &[]).unwrap();
    for version in ["2.0.0", "3.0.0"] {
        world.publish("notes", version, &[("SKILL.md", version)]);
        assert_eq!(world.sync().updated.len(), 1);
    }
    let back = || world.ask::<RollBackSkill>(InstalledRef { skill: "notes".to_owned() }).map(|back| back.version);
    assert_eq!([back().unwrap(), back().unwrap()], ["2.0.0", "1.0.0"]);
    assert_eq!(back().unwrap_err().code, Code::NotFound);
}

#[test]
fn a_skill_that_is_restored_after_its_package_was_installed_again_is_the_users_own() {
    let world = World::with_notes();
    let id = world.install("notes", None, &[]).unwrap().skill;
    world.ask::<Delete>(DeleteParams { skill: "notes".to_owned(), scope: Some(Scope::Account), expected: None }).unwrap();
    world.install("notes", None, &[]).unwrap();
    world.ask::<Restore>(RestoreParams { id, scope: Scope::Account }).unwrap();
    let restored = world.engine.app().workspaces.account().get_skill(id).unwrap().unwrap();
    assert_eq!((restored.package.slug.as_str(), restored.head.source, restored.head.package), ("notes-restored", Source::User, None));
    assert_eq!(world.installed().len(), 1);
    world.publish("notes", "2.0.0", &[("SKILL.md", "Second version.\n")]);
    let updated: Vec<_> = world.sync().updated.into_iter().map(|one| one.slug).collect();
    assert_eq!(updated, ["notes"]);
    assert_eq!(world.text("notes", Scope::Account), "Second version.");
    assert!(world.text("notes-restored", Scope::Account).starts_with("First line."));
    assert!(world.sync().updated.is_empty());
}

#[test]
fn yanked_and_revoked_versions_are_flagged() {
    let world = World::with_notes();
    world.install("notes", None, &[]).unwrap();
    let yank = |reason: Option<&str>| YankParams {
        target: target(world.folder.path()),
        skill: Slug::parse("notes").unwrap(),
        version: "1.0.0".to_owned(),
        reason: reason.map(str::to_owned),
    };
    world.ask::<YankVersion>(yank(Some("it forgets"))).unwrap();
    world.sync();
    let installed = world.installed().remove(0);
    assert!(matches!(installed.status, InstalledStatus::Yanked));
    assert_eq!(installed.reason.as_deref(), Some("it forgets"));
    let revoke = RevokeParams {
        target: target(world.folder.path()),
        skill: Slug::parse("notes").unwrap(),
        version: "1.0.0".to_owned(),
        reason: "it sends notes away".to_owned(),
    };
    world.ask::<RevokeVersion>(revoke).unwrap();
    world.sync();
    let installed = world.installed().remove(0);
    assert!(matches!(installed.status, InstalledStatus::Revoked));
    assert_eq!(installed.reason.as_deref(), Some("it sends notes away"));
    let failure = world.install("notes", Some("1.0.0"), &[]).unwrap_err();
    assert!(failure.message.contains("was revoked"), "{failure}");
}

#[test]
fn what_can_not_be_verified_changes_nothing() {
    let world = World::with_notes();
    world.install("notes", None, &[]).unwrap();
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n")]);
    let packages: Vec<PathBuf> = walk(&world.registry().join("packages"));
    let intact: Vec<Vec<u8>> = packages.iter().map(|path| fs::read(path).unwrap()).collect();
    for path in &packages {
        fs::write(path, b"something else").unwrap();
    }
    let outcome = world.sync();
    assert_eq!((outcome.updated.len(), outcome.waiting[0].why), (0, WaitReason::Failed));
    assert!(world.text("notes", Scope::Account).starts_with("First line."));
    for (path, bytes) in packages.iter().zip(intact) {
        fs::write(path, bytes).unwrap();
    }
    assert_eq!(world.sync().updated.len(), 1);
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn a_registry_with_another_fingerprint_is_not_added() {
    let world = World::new();
    let address = world.registry().display().to_string();
    let wrong = Digest::of(b"another root");
    let params = AddRegistryParams { address, fingerprint: wrong, mirrors: Vec::new(), priority: 0 };
    let failure = world.ask::<AddRegistry>(params).unwrap_err();
    assert_eq!(failure.code, Code::Invalid);
    assert!(world.ask::<ListRegistries>(NoParams {}).unwrap().is_empty());
    world.add().unwrap();
    assert_eq!(world.add().unwrap_err().code, Code::Exists);
    world.ask::<RemoveRegistry>(RegistryRef { registry: "skills.example.org".to_owned() }).unwrap();
    assert_eq!(world.ask::<RemoveRegistry>(RegistryRef { registry: "skills.example.org".to_owned() }).unwrap_err().code, Code::NotFound);
}

#[test]
fn after_the_database_was_restored_a_revision_with_other_files_is_not_what_a_copy_was_made_from() {
    let world = World::new();
    let params = CreateParams { name: "notes".to_owned(), description: None, content: None, scope: Some(Scope::Account) };
    world.ask::<Create>(params).unwrap();
    let backup = world.folder.path().join("copy.db").display().to_string();
    world.ask::<Backup>(BackupParams { scope: None, to: backup.clone() }).unwrap();
    let work = world.folder.path().join("work");
    world.edit("notes", "notes.md", "lost\n");
    ask::<Fork>(&world.engine, Some(&work), SkillRef { skill: "notes".to_owned(), scope: Some(Scope::Account) }).unwrap();
    world.ask::<RestoreDatabase>(RestoreDatabaseParams { scope: None, from: backup }).unwrap();
    world.edit("notes", "notes.md", "new\n");
    world.edit("notes", "other.md", "other\n");
    let forks = || ask::<ListOutdatedForks>(&world.engine, Some(&work), NoParams {}).unwrap().forks;
    assert_eq!(forks()[0].changes.len(), 2);
    let params = UpdateForkParams { skill: "notes".to_owned(), scope: Some(Scope::Workspace), revision: None };
    let update = ask::<UpdateFork>(&world.engine, Some(&work), params).unwrap();
    assert!(update.proposal.is_some());
    assert_eq!(update.conflicts.iter().map(SkillPath::as_str).collect::<Vec<_>>(), ["notes.md"]);
    assert_eq!(update.updated.iter().map(SkillPath::as_str).collect::<Vec<_>>(), ["other.md"]);
}

#[test]
fn artifacts_that_the_original_added_or_removed_come_to_an_unedited_copy() {
    let world = World::new();
    let params = CreateParams { name: "notes".to_owned(), description: None, content: None, scope: Some(Scope::Account) };
    world.ask::<Create>(params).unwrap();
    let account = world.engine.app().workspaces.account();
    let save = |present: &[u32], removed: &[u32]| {
        let skill = account.get_skill_by_name("notes").unwrap().unwrap();
        let path = |number: &u32| SkillPath::parse(&format!("{number}.j2")).unwrap();
        let id = |number: &u32| format!("550e8400-e29b-41d4-a716-44665544000{number}");
        let entry =
            |number: &u32| json!({ "path": path(number), "kind": "prompt_template", "name": format!("Prompt {number}"), "id": id(number) });
        let skill_json = json!({ "artifacts": present.iter().map(entry).collect::<Vec<_>>() }).to_string();
        let mut edits: Vec<_> = present.iter().map(|number| TreeEdit::Write(path(number), b"Hi\n".as_slice().into())).collect();
        edits.extend(removed.iter().map(|number| TreeEdit::Delete(path(number))));
        edits.push(TreeEdit::Write(SkillPath::parse("skill.json").unwrap(), skill_json.into_bytes().into()));
        edit::save(account.as_ref(), skill.head.id, &edits, skill.head.revision, "test", "edited").unwrap();
    };
    save(&[1, 2], &[]);
    world.ask::<Duplicate>(SkillRef { skill: "notes".to_owned(), scope: Some(Scope::Account) }).unwrap();
    save(&[1, 3], &[2]);
    let update = world.ask::<UpdateFork>(update_fork("notes-copy")).unwrap();
    assert_eq!((update.proposal, update.conflicts.len(), update.updated.len()), (None, 0, 3));
    let prompts = |skill: &str| {
        let artifacts = account.get_skill_by_name(skill).unwrap().unwrap().package.artifacts;
        artifacts.into_iter().filter(|artifact| artifact.name.starts_with("Prompt")).map(|one| (one.name, one.id)).collect::<Vec<_>>()
    };
    let (original, copy) = (prompts("notes"), prompts("notes-copy"));
    assert_eq!(copy.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["Prompt 1", "Prompt 3"]);
    assert!(copy.iter().all(|(_, id)| original.iter().all(|(_, other)| id != other)), "{copy:?}");
    assert!(world.forks().is_empty());
}

#[test]
fn an_update_of_the_original_is_merged_into_an_edited_copy() {
    let world = World::with_notes();
    world.install("notes", None, &[]).unwrap();
    world.ask::<Duplicate>(SkillRef { skill: "notes".to_owned(), scope: Some(Scope::Account) }).unwrap();
    let copy = world.engine.app().workspaces.account().get_skill_by_name("notes-copy").unwrap().unwrap();
    let text = String::from_utf8(copy.package.tree()[&copy.package.main_path].bytes.to_vec()).unwrap();
    world.edit("notes-copy", "SKILL.md", &text.replace("First line.", "My first line."));
    assert!(world.forks().is_empty());

    // Other lines go together.
    world.publish("notes", "1.1.0", &[("SKILL.md", "First line.\n\nMiddle.\n\nA better last line.\n"), ("notes.md", "new\n")]);
    world.sync();
    assert_eq!(world.forks().len(), 1);
    let update = world.ask::<UpdateFork>(update_fork("notes-copy")).unwrap();
    assert_eq!((update.proposal, update.conflicts.len(), update.updated.len()), (None, 0, 2));
    assert_eq!(world.text("notes-copy", Scope::Account), "My first line.\n\nMiddle.\n\nA better last line.");
    assert!(world.forks().is_empty());
    assert_eq!(world.ask::<UpdateFork>(update_fork("notes-copy")).unwrap_err().code, Code::NotFound);

    // The same line is decided by a person.
    world.publish("notes", "1.2.0", &[("SKILL.md", "Their first line.\n\nMiddle.\n\nA better last line.\n"), ("notes.md", "newer\n")]);
    world.sync();
    let update = world.ask::<UpdateFork>(update_fork("notes-copy")).unwrap();
    let proposal = update.proposal.unwrap();
    assert_eq!(update.conflicts.iter().map(SkillPath::as_str).collect::<Vec<_>>(), ["SKILL.md"]);
    assert_eq!(update.updated.iter().map(SkillPath::as_str).collect::<Vec<_>>(), ["notes.md"]);
    assert!(world.text("notes-copy", Scope::Account).starts_with("My first line."));
    assert_eq!(world.forks()[0].proposal, Some(proposal));
    // Asked again, it is the same proposal.
    assert_eq!(world.ask::<UpdateFork>(update_fork("notes-copy")).unwrap().proposal, Some(proposal));
    let review = world.ask::<ReviewProposal>(ProposalRef { id: proposal }).unwrap();
    let marked = review.files[0].change.after.clone().unwrap();
    assert!(review.files[0].conflict && marked.contains("<<<<<<< this copy"), "{marked}");
    let accept = || AcceptParams { id: proposal, reason: None, paths: None, scope: None };
    assert!(world.ask::<Accept>(accept()).is_err());
    let start = marked.find("<<<<<<<").unwrap();
    let end = marked.find(">>>>>>>").unwrap();
    let end = end + marked[end..].find('\n').unwrap() + 1;
    let resolved = format!("{}Our first line.\n{}", &marked[..start], &marked[end..]);
    let path = SkillPath::parse("SKILL.md").unwrap();
    world.ask::<EditProposal>(EditProposalParams { id: proposal, path, content: resolved }).unwrap();
    world.ask::<Accept>(accept()).unwrap();
    assert!(world.text("notes-copy", Scope::Account).starts_with("Our first line."));
    assert!(world.forks().is_empty());
}
