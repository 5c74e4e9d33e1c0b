//! Skills come in: with what the validator says of them, with ids of their own, and as third-party skills when that is wanted.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use inklings_app::features::check::{CheckFolders, ValidateParams};
use inklings_app::features::import::{FetchParams, FetchRepository, GetImportSource, ImportFile, ImportFileParams};
use inklings_app::features::kit::{ChangeKit, ChangeKitParams, ListKits};
use inklings_app::features::skill::{
    Change, Duplicate, Edit, EditParams, Get, Import, ImportAction, ImportChoice, ImportItem, ImportParams, ImportStatus, ImportedText,
    List, ListParams, ListView,
};
use inklings_app::wire::{SkillDetail, SkillRef};
use inklings_core::{Diagnostic, Scope, SkillPath, Source};
use inklings_engine::{Engine, SystemClock, SystemIds};
use inklings_folder::Folder;
use inklings_rpc::{Code, NoParams, Operation};
use inklings_store::Store;
use serde_json::json;

use crate::support::{ask, beside_work};

pub(crate) struct World {
    pub(crate) engine: Engine,
    pub(crate) folder: tempfile::TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let (engine, folder) = beside_work();
        Self { engine, folder }
    }

    pub(crate) fn ask<T: Operation<App = inklings_app::App>>(&self, params: T::Params) -> Result<T::Output, inklings_rpc::Failure> {
        ask::<T>(&self.engine, None, params)
    }

    /// Writes a file of a skill that arrives; returns the skill's folder.
    pub(crate) fn file(&self, skill: &str, path: &str, text: &str) -> PathBuf {
        let folder = self.folder.path().join("in").join(skill);
        let file = folder.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        folder
    }

    pub(crate) fn skill(&self, name: &str) -> PathBuf {
        self.file(
            name,
            "SKILL.md",
            &format!("---\nname: {name}\ndescription: Sorts papers of all kinds. Use it when they come.\n---\nBody.\n"),
        )
    }

    pub(crate) fn import(&self, path: &Path, change: impl FnOnce(&mut ImportParams)) -> ImportItem {
        let mut params = ImportParams { paths: vec![path.to_owned()], ..ImportParams::default() };
        change(&mut params);
        let mut items = self.ask::<Import>(params).unwrap().items;
        assert_eq!(items.len(), 1, "{items:?}");
        items.remove(0)
    }

    fn validate(&self, path: &Path) -> Vec<Diagnostic> {
        let found = self.ask::<CheckFolders>(ValidateParams { paths: vec![path.to_owned()], strict: false }).unwrap();
        found.skills.into_iter().next().unwrap().diagnostics
    }

    pub(crate) fn get(&self, skill: &str) -> SkillDetail {
        self.ask::<Get>(SkillRef { skill: skill.to_owned(), scope: None }).unwrap()
    }
}

fn prompt(path: &str, name: &str, id: &str) -> serde_json::Value {
    json!({ "path": path, "kind": "prompt_template", "name": name, "id": id })
}

#[test]
fn a_text_is_imported_as_the_file_of_its_name_would_be() {
    let world = World::new();
    let texts = |body: &str| {
        let text = format!("---\nname: tea-times\ndescription: Says how long tea takes. Use it for tea.\n---\n{body}\n");
        vec![ImportedText { name: "tea.md".to_owned(), text }]
    };
    let import = |texts: Vec<ImportedText>| {
        let params = ImportParams { texts, ..ImportParams::default() };
        world.ask::<Import>(params).unwrap().items.remove(0)
    };
    let item = import(texts("Four minutes."));
    assert_eq!((item.path.as_str(), item.status, item.stored), ("tea.md", ImportStatus::New, true));
    let (skill, path) = (world.get("tea-times").summary.id, SkillPath::parse("SKILL.md").unwrap());
    assert!(
        world.ask::<GetImportSource>(SkillRef { skill: skill.to_string(), scope: None }).unwrap_err().message.contains("wasn't imported")
    );

    let edit = Change::Write { path: path.clone(), text: texts("Five minutes.").remove(0).text };
    let params = EditParams { skill: "tea-times".to_owned(), scope: None, expected: 1, changes: vec![edit], why: None };
    world.ask::<Edit>(params).unwrap();
    let item = import(texts("Three minutes."));
    assert_eq!((item.status, item.stored), (ImportStatus::Conflict, false));
    let file =
        ImportFileParams { path: item.path, skill, scope: Scope::Account, base: item.base, file: path, texts: texts("Three minutes.") };
    let versions = world.ask::<ImportFile>(file).unwrap();
    let last_lines = [versions.base, versions.ours, versions.theirs].map(|one| one.text.unwrap().lines().last().unwrap().to_owned());
    assert_eq!(last_lines, ["Four minutes.", "Five minutes.", "Three minutes."]);

    let refused = import(vec![ImportedText { name: "notes.md".to_owned(), text: String::new() }]);
    assert_eq!(refused.status, ImportStatus::Refused);
}

#[test]
fn the_history_knows_the_revisions_that_were_imported_and_copied() {
    let world = World::new();
    assert!(world.import(&world.skill("papers"), |_| ()).stored);
    let changes = vec![Change::Write { path: SkillPath::parse("notes.md").unwrap(), text: "Mine.".to_owned() }];
    world.ask::<Edit>(EditParams { skill: "papers".to_owned(), scope: None, expected: 1, changes, why: None }).unwrap();
    world.ask::<Duplicate>(SkillRef { skill: "papers".to_owned(), scope: None }).unwrap();
    let id = world.get("papers").summary.id;
    let path = world.folder.path().join("home/agents.db");
    let account = Store::open(Scope::Account, &path, "test", Arc::new(SystemClock), Arc::new(Folder::new(Arc::new(SystemIds)))).unwrap();
    assert_eq!(account.merge_bases(&[]).unwrap(), [(id, 1), (id, 2)]);
}

#[test]
fn an_import_says_what_validate_says_of_the_same_folder() {
    let world = World::new();
    let folder = world.skill("papers");
    world.file("papers", "prompts/broken.j2", "{% for page in pages %}{{ page }}\n");
    world.file("papers", "dspy/checker.json", r#"{"template_id": "predict", "signature": "text -> summary"}"#);
    let declare = |assertions: serde_json::Value| {
        let artifacts = json!([
            { "path": "prompts/broken.j2", "kind": "prompt_template", "name": "Broken", "metadata": { "assertions": assertions } },
            { "path": "dspy/checker.json", "kind": "dspy_module", "name": "Checker" }
        ]);
        let declared = json!({ "artifacts": artifacts, "run": ["Nobody"], "metadata": { "manifest": { "version": "one" } } });
        world.file("papers", "skill.json", &serde_json::to_string_pretty(&declared).unwrap());
    };
    declare(json!([{ "type": "structural", "description": "Is a list", "check": "no_such_check" }]));
    let found = world.validate(&folder);
    for family in ["template/", "assertion/", "run/", "manifest/"] {
        assert!(found.iter().any(|one| one.rule.starts_with(family) && one.is_error()), "no {family} in {found:?}");
    }
    for dry_run in [true, false] {
        let item = world.import(&folder, |params| params.dry_run = dry_run);
        let expected = (ImportStatus::Refused, false, &found);
        assert_eq!((item.status, item.stored, &item.diagnostics), expected, "a save refuses a malformed assertion, too");
    }
    // Other faults of the content don't keep a skill out.
    declare(json!([]));
    let found = world.validate(&folder);
    assert!(found.iter().any(Diagnostic::is_error));
    let look = world.import(&folder, |params| params.dry_run = true);
    assert_eq!((look.status, look.stored, &look.diagnostics), (ImportStatus::New, false, &found));
    let stored = world.import(&folder, |_| ());
    assert_eq!((stored.status, stored.stored, &stored.diagnostics), (ImportStatus::New, true, &found));
}

#[test]
fn an_update_brings_no_id_of_another_skill() {
    const ID: &str = "6f0c8b5e-5c55-4a5e-9d0e-000000000001";
    let world = World::new();
    world.skill("first");
    world.file("first", "prompts/ask.j2", "Ask.\n");
    let first = world.file("first", "skill.json", &json!({ "artifacts": [prompt("prompts/ask.j2", "Ask", ID)] }).to_string());
    let second = world.skill("second");
    assert!(world.import(&first, |_| ()).stored && world.import(&second, |_| ()).stored);
    world.file("second", "prompts/ask.j2", "Ask.\n");
    world.file("second", "skill.json", &json!({ "artifacts": [prompt("prompts/ask.j2", "Ask", ID)] }).to_string());
    let update = world.import(&second, |_| ());
    assert_eq!((update.status, update.stored), (ImportStatus::Update, true), "{:?}", update.diagnostics);
    let id = |skill: &str| {
        let entries = world.get(skill).entries;
        entries.into_iter().find(|entry| entry.path.as_str() == "prompts/ask.j2").unwrap().artifact.unwrap().id
    };
    let given = id("second");
    assert_eq!(id("first").to_string(), ID);
    assert_ne!(given, id("first"));
    // A later update keeps the id that it got.
    world.file("second", "prompts/ask.j2", "Ask again.\n");
    assert!(world.import(&second, |params| params.conflicts = ImportAction::Replace).stored);
    assert_eq!(id("second"), given);
}

#[test]
fn a_third_party_skill_is_locked_and_follows_its_source() {
    let world = World::new();
    let folder = world.skill("papers");
    world.file("papers", "notes.md", "One.\n");
    let item = world.import(&folder, |params| params.third_party = true);
    assert_eq!((item.status, item.stored), (ImportStatus::New, true));
    let summary = world.get("papers").summary;
    assert_eq!((summary.source, summary.locked, summary.trust_tier), (Source::Imported, true, 2));
    let path = SkillPath::parse("notes.md").unwrap();
    let edit = EditParams {
        skill: "papers".to_owned(),
        scope: Some(Scope::Account),
        expected: 1,
        changes: vec![Change::Write { path, text: "Two.\n".to_owned() }],
        why: None,
    };
    assert_eq!(world.ask::<Edit>(edit).unwrap_err().code, Code::Locked);
    assert_eq!(world.import(&folder, |_| ()).status, ImportStatus::Unchanged);
    // What changed there comes in by importing it again; it stays third-party.
    world.file("papers", "notes.md", "Two.\n");
    world.file("papers", "more.md", "More.\n");
    std::fs::remove_file(folder.join("notes.md")).unwrap();
    let update = world.import(&folder, |_| ());
    assert_eq!((update.status, update.stored, update.revision), (ImportStatus::Update, true, Some(2)), "{:?}", update.diagnostics);
    let detail = world.get("papers");
    assert_eq!((detail.summary.source, detail.summary.locked), (Source::Imported, true));
    assert_eq!(detail.entries.iter().map(|entry| entry.path.as_str()).collect::<Vec<_>>(), ["SKILL.md", "more.md"]);
    // Beside it a copy of one's own can be kept.
    world.file("papers", "more.md", "Other.\n");
    let label = folder.display().to_string();
    let both =
        world.import(&folder, |params| params.choices = vec![ImportChoice { path: label, action: ImportAction::Both, theirs: Vec::new() }]);
    assert!(both.stored && !world.get(both.slug.unwrap().as_str()).summary.locked);
}

/// A git repository with a skill on its default branch and another one on a branch.
pub(crate) fn repository(folder: &Path) -> String {
    let git = |args: &[&str]| {
        let output = std::process::Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"])
            .args(args)
            .current_dir(folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "--message=one"]);
    git(&["branch", "topic/a"]);
    format!("file://{}", folder.display())
}

pub(crate) fn commit(folder: &Path, path: &str, text: &str) {
    std::fs::write(folder.join(path), text).unwrap();
    for args in [&["add", "."][..], &["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message=next"]] {
        assert!(std::process::Command::new("git").args(args).current_dir(folder).status().unwrap().success());
    }
}

pub(crate) fn fetch(world: &World, address: &str) -> Result<inklings_git::FetchedRepository, inklings_rpc::Failure> {
    world.ask::<FetchRepository>(FetchParams { address: address.to_owned(), branch: None, folder: None })
}

#[test]
fn a_skill_of_a_repository_is_updated_from_it_and_keeps_its_own_changes() {
    let world = World::new();
    let text = "---\nname: sorter\ndescription: Sorts papers of all kinds. Use it when they come.\n---\nBody.\n";
    world.file("skills/sorter", "SKILL.md", text);
    world.file("skills/sorter", "notes.md", "one\n");
    world.file("docs", "readme.md", "not a skill");
    let top = world.folder.path().join("in");
    let url = repository(&top);
    let fetched = fetch(&world, &url).unwrap();
    assert_eq!(fetched.source.branch, None);
    assert!(!fetched.path.join(".git").exists() && fetched.path.join("docs/readme.md").exists());
    let with = |fetched: &inklings_git::FetchedRepository| {
        let fetched = fetched.clone();
        move |params: &mut ImportParams| params.repositories = vec![fetched]
    };
    let item = world.import(&fetched.path, with(&fetched));
    assert!(item.stored, "{item:?}");
    let skills = world.ask::<List>(ListParams { view: ListView::All }).unwrap().skills.len();
    let skill = SkillRef { skill: "sorter".to_owned(), scope: None };
    let source = world.ask::<GetImportSource>(skill.clone()).unwrap().repository.unwrap();
    assert_eq!((source.url.as_str(), source.folder.as_str()), (url.as_str(), "skills/sorter"));
    assert_eq!(source.commit, fetched.source.commit);
    let detail = world.ask::<Get>(skill.clone()).unwrap();
    let change = Change::Write { path: SkillPath::parse("notes.md").unwrap(), text: "one\nmine\n".to_owned() };
    let edit = EditParams {
        skill: detail.summary.id.to_string(),
        scope: Some(detail.summary.scope),
        expected: 1,
        changes: vec![change],
        why: None,
    };
    world.ask::<Edit>(edit).unwrap();
    commit(&top, "skills/sorter/SKILL.md", &text.replace("Body", "Better body"));
    let wanted = FetchParams { address: source.url, branch: source.branch, folder: Some(source.folder) };
    let newer = world.ask::<FetchRepository>(wanted).unwrap();
    assert_ne!(newer.source.commit, fetched.source.commit);
    assert!(!newer.path.join("../../docs").exists(), "only the skill's folder is copied");
    let item = world.import(&newer.path, with(&newer));
    assert_eq!((item.status, item.stored), (ImportStatus::Update, true), "{item:?}");
    let files = world.ask::<Get>(skill.clone()).unwrap();
    assert!(files.provenance.unwrap().to_string().contains(&newer.source.commit));
    let content = |path: &str| {
        let file = inklings_app::wire::FileRef { skill: "sorter".to_owned(), scope: None, path: SkillPath::parse(path).unwrap() };
        world.ask::<inklings_app::features::file::Read>(file).unwrap().text.unwrap()
    };
    assert_eq!(content("notes.md"), "one\nmine\n");
    assert!(content("SKILL.md").ends_with("Better body.\n"));
    assert_eq!(world.import(&newer.path, with(&newer)).status, ImportStatus::Unchanged);

    // Renamed here and changed there, it is still the same skill; and so it is if it is renamed there.
    let id = world.ask::<Get>(skill).unwrap().summary.id;
    let rename = |from: &str, to: &str| {
        let detail = world.ask::<Get>(SkillRef { skill: id.to_string(), scope: None }).unwrap();
        let file = inklings_app::wire::FileRef { skill: id.to_string(), scope: None, path: SkillPath::parse("SKILL.md").unwrap() };
        let text = world.ask::<inklings_app::features::file::Read>(file).unwrap().text.unwrap();
        let changes = vec![Change::Write { path: SkillPath::parse("SKILL.md").unwrap(), text: text.replace(from, to) }];
        let expected = detail.summary.revision;
        world.ask::<Edit>(EditParams { skill: id.to_string(), scope: None, expected, changes, why: None }).unwrap();
    };
    let update = |file: &str, text: &str| {
        commit(&top, &format!("skills/sorter/{file}"), text);
        let source = world.ask::<GetImportSource>(SkillRef { skill: id.to_string(), scope: None }).unwrap().repository.unwrap();
        let newer = world.ask::<FetchRepository>(FetchParams { address: source.url, branch: source.branch, folder: Some(source.folder) });
        let newer = newer.unwrap();
        world.import(&newer.path, |params| (params.repositories, params.updates) = (vec![newer.clone()], Some(id)))
    };
    rename("name: sorter", "name: my-sorter");
    let item = update("more.md", "more\n");
    assert_eq!((item.status, item.stored, item.skill), (ImportStatus::Update, true, Some(id)), "{item:?}");
    let summary = || world.ask::<Get>(SkillRef { skill: id.to_string(), scope: None }).unwrap().summary;
    assert_eq!(summary().slug.as_str(), "my-sorter");
    rename("name: my-sorter", "name: sorter");
    let item = update("SKILL.md", &text.replace("Body", "Better body").replace("name: sorter", "name: paper-sorter"));
    assert_eq!((item.status, item.stored, item.skill), (ImportStatus::Update, true, Some(id)), "{item:?}");
    assert_eq!(summary().slug.as_str(), "paper-sorter");
    assert_eq!(world.ask::<List>(ListParams { view: ListView::All }).unwrap().skills.len(), skills);
}

#[test]
fn a_kit_follows_a_skill_that_an_update_renames() {
    let world = World::new();
    let folder = world.skill("sorter");
    let id = world.import(&folder, |_| ()).skill.unwrap();
    let kit = ChangeKitParams { name: "Desk".to_owned(), add: vec!["sorter".to_owned()], ..ChangeKitParams::default() };
    world.ask::<ChangeKit>(kit).unwrap();
    let text = std::fs::read_to_string(folder.join("SKILL.md")).unwrap();
    world.file("sorter", "SKILL.md", &text.replace("name: sorter", "name: paper-sorter"));
    assert!(world.import(&folder, |params| params.updates = Some(id)).stored);
    let kits = world.ask::<ListKits>(NoParams {}).unwrap().kits;
    assert_eq!(kits[0].skills.iter().map(ToString::to_string).collect::<Vec<_>>(), ["paper-sorter"]);
}

#[test]
fn what_cannot_be_fetched_says_why() {
    let world = World::new();
    world.file("sorter", "SKILL.md", "---\nname: sorter\ndescription: Sorts papers.\n---\n");
    let url = repository(&world.folder.path().join("in"));
    for (address, code, says) in [
        ("sorter", Code::Invalid, "isn't the address of a repository"),
        ("ext::sh -c x", Code::Invalid, "isn't the address of a repository"),
        ("ext::sh", Code::Invalid, "can't be fetched by"),
        ("https://me:secret@example.org/a/b", Code::Invalid, "contains a user name or a password"),
        ("file:///nowhere/at/all", Code::NotFound, "git: "),
    ] {
        let failure = fetch(&world, address).unwrap_err();
        assert_eq!(failure.code, code, "{address}: {failure:?}");
        assert!(failure.message.contains(says) && failure.hint.is_some() && !failure.message.contains("secret"), "{failure:?}");
    }
    let at = |branch: Option<&str>, folder: Option<&str>| {
        let (branch, folder) = (branch.map(str::to_owned), folder.map(str::to_owned));
        world.ask::<FetchRepository>(FetchParams { address: url.clone(), branch, folder })
    };
    assert!(at(Some("topic/a"), Some("sorter")).unwrap().path.join("SKILL.md").exists());
    assert!(at(Some("other"), None).unwrap_err().message.contains("no branch or tag \"other\""));
    assert!(at(None, Some("other")).unwrap_err().message.contains("no folder \"other\""));
    assert!(at(None, Some("../..")).unwrap_err().message.contains("no folder"));
    let copies = world.folder.path().join("home/repositories");
    let left: Vec<_> = std::fs::read_dir(&copies).into_iter().flatten().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left.len(), 1, "failed fetches leave nothing behind: {left:?}");
}

#[test]
fn a_removed_file_stays_if_the_skill_json_of_the_other_side_declares_it() {
    let world = World::new();
    let folder = world.skill("sorter");
    let skill_json = |category: &str, numbers: &[u32]| {
        let entry = |number: &u32| {
            let id = format!("550e8400-e29b-41d4-a716-44665544000{number}");
            prompt(&format!("{number}.j2"), &format!("Prompt {number}"), &id)
        };
        json!({ "category": category, "artifacts": numbers.iter().map(entry).collect::<Vec<_>>() }).to_string()
    };
    let path = |name: &str| SkillPath::parse(name).unwrap();
    world.file("sorter", "1.j2", "Hi");
    world.file("sorter", "2.j2", "Hi");
    world.file("sorter", "old.md", "Hi");
    world.file("sorter", "skill.json", &skill_json("office", &[1, 2]));
    assert!(world.import(&folder, |_| ()).stored);
    let changes = vec![Change::Write { path: path("skill.json"), text: skill_json("desk", &[1, 2]) }];
    world.ask::<Edit>(EditParams { skill: "sorter".to_owned(), scope: None, expected: 1, changes, why: None }).unwrap();

    world.file("sorter", "skill.json", &skill_json("office", &[1]));
    for removed in ["2.j2", "old.md"] {
        std::fs::remove_file(folder.join(removed)).unwrap();
    }
    let item = world.import(&folder, |params| params.conflicts = ImportAction::Merge);
    assert!(item.stored, "{:?}", item.diagnostics);
    let merged = world.engine.app().workspaces.account().get_skill_by_name("sorter").unwrap().unwrap().package;
    assert!(merged.category == "desk" && merged.tree().contains_key(&path("2.j2")));
    assert!(!merged.tree().contains_key(&path("old.md")), "nothing declares it");
}

#[test]
fn texts_of_the_same_name_are_all_imported() {
    let world = World::new();
    let text = |skill: &str| ImportedText {
        name: "a.md".to_owned(),
        text: format!("---\nname: {skill}\ndescription: Sorts papers of all kinds. Use it when they come.\n---\nBody.\n"),
    };
    let params = ImportParams { texts: vec![text("one"), text("two")], ..ImportParams::default() };
    let report = world.ask::<Import>(params).unwrap();
    let items: Vec<_> = report.items.iter().map(|item| (item.path.as_str(), item.slug.as_ref().unwrap().as_str(), item.stored)).collect();
    assert_eq!((report.found, items), (2, vec![("a.md", "one", true), ("a.md (2)", "two", true)]));
}
