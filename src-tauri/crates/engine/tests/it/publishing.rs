//! Registries that the user publishes: what is planned, signed, withdrawn and refused.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inklings_app::App;
use inklings_app::features::publish::{
    CreateRegistry, CreateRegistryParams, CreatedRegistry, GetPublishStatus, KeyRole, PlanRelease, PlanReleaseParams, PlannedSkill,
    PlannedState, PublishFolder, PublishStatus, PublishTarget, PublishedState, RefreshParams, RefreshRegistry, ReleaseParams,
    ReleaseReport, ReleaseSkills, ReleasedSkill, RevokeParams, RevokeVersion, RotateKeys, RotateKeysParams, VerifyRegistry, VersionBump,
    YankParams, YankVersion,
};
use inklings_app::features::skill::{Change, Create, CreateParams, Edit, EditParams, Get, HistoryParams, ListRevisions};
use inklings_app::wire::SkillRef;
use inklings_core::{Clock, Scope, SkillPath, Slug, Time};
use inklings_engine::Engine;
use inklings_rpc::{CallContext, Code, Failure, Operation, call};

use crate::hooks::{Hooks, hooked};
use crate::support::beside_work;

const DAY: i64 = 24 * 60 * 60 * 1_000;

/// A day of the tests, from 0.
struct Day(i64);

impl Clock for Day {
    fn now(&self) -> Time {
        Time::from_millis(1_800_000_000_000 + self.0 * DAY)
    }
}

struct World {
    engine: Engine,
    app: Arc<App>,
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let (engine, folder) = beside_work();
        let app = at_day(&engine, 0);
        Self { engine, app, folder }
    }

    fn wait_until(&mut self, day: i64) {
        self.app = at_day(&self.engine, day);
    }

    fn ask<T: Operation<App = App>>(&self, params: T::Params) -> Result<T::Output, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(call::<T>(&self.app, CallContext::local(None, "test"), params))
    }

    fn registry(&self) -> PathBuf {
        self.folder.path().join("registry")
    }

    fn target(&self) -> PublishTarget {
        PublishTarget { folder: self.registry(), keys: None, days: None }
    }

    fn create_registry(&self) -> CreatedRegistry {
        let (id, title) = ("skills.example.org".to_owned(), "Example skills".to_owned());
        self.ask::<CreateRegistry>(CreateRegistryParams { target: self.target(), id, title, publisher: None }).unwrap()
    }

    fn create(&self, name: &str) {
        let description = Some(format!("What {name} does, and when to use it."));
        let params = CreateParams { name: name.to_owned(), description, content: None, scope: Some(Scope::Account) };
        self.ask::<Create>(params).unwrap();
    }

    fn write(&self, skill: &str, path: &str, text: &str) {
        let changes = vec![Change::Write { path: SkillPath::parse(path).unwrap(), text: text.to_owned() }];
        let expected = self.ask::<Get>(skill_ref(skill)).unwrap().summary.revision;
        self.ask::<Edit>(EditParams { skill: skill.to_owned(), scope: None, expected, changes, why: None }).unwrap();
    }

    /// Writes a prompt and declares it.
    fn write_prompt(&self, skill: &str, text: &str) {
        let declared = r#"{"artifacts": [{"path": "prompts/draft.j2", "kind": "prompt_template", "name": "draft"}]}"#;
        self.write(skill, "prompts/draft.j2", text);
        self.write(skill, "skill.json", declared);
    }

    fn version(&self, skill: &str) -> String {
        self.ask::<Get>(skill_ref(skill)).unwrap().summary.version
    }

    fn plan(&self, skill: &str) -> PlannedSkill {
        let params = PlanReleaseParams { folder: self.registry(), skills: vec![skill_ref(skill)], paths: Vec::new() };
        self.ask::<PlanRelease>(params).unwrap().skills.remove(0)
    }

    fn release(&self, skills: &[&str]) -> Result<ReleaseReport, Failure> {
        self.release_with(skills, |_| ())
    }

    fn release_with(&self, skills: &[&str], change: impl FnOnce(&mut ReleaseParams)) -> Result<ReleaseReport, Failure> {
        let named = |skill: &&str| ReleasedSkill { skill: (*skill).to_owned(), scope: None, version: None, changelog: None };
        let skills = skills.iter().map(named).collect();
        let mut params = ReleaseParams { target: self.target(), skills, paths: Vec::new(), minimum_client: None };
        change(&mut params);
        self.ask::<ReleaseSkills>(params)
    }

    fn status(&self) -> PublishStatus {
        self.ask::<GetPublishStatus>(PublishFolder { folder: self.registry() }).unwrap()
    }

    fn rotate(&self, roles: &[KeyRole]) -> Result<PublishedState, Failure> {
        self.ask::<RotateKeys>(RotateKeysParams { target: self.target(), keys: roles.iter().copied().collect() })
    }

    fn verify(&self) -> Result<usize, Failure> {
        self.ask::<VerifyRegistry>(PublishFolder { folder: self.registry() }).map(|report| report.versions)
    }

    /// A skill folder on disk.
    fn on_disk(&self, name: &str, version: &str, text: &str) -> PathBuf {
        let folder = self.folder.path().join("skills").join(name);
        fs::create_dir_all(&folder).unwrap();
        let main = format!("---\nname: {name}\ndescription: About {name}.\nmetadata:\n  version: {version}\n---\n{text}\n");
        fs::write(folder.join("SKILL.md"), main).unwrap();
        folder
    }
}

fn at_day(engine: &Engine, day: i64) -> Arc<App> {
    let mut app = Arc::into_inner(hooked(engine, &Hooks::default())).unwrap();
    app.clock = Arc::new(Day(day));
    Arc::new(app)
}

fn skill_ref(skill: &str) -> SkillRef {
    SkillRef { skill: skill.to_owned(), scope: None }
}

fn slug(text: &str) -> Slug {
    Slug::parse(text).unwrap()
}

/// All files with their contents.
fn files(top: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut waiting) = (BTreeMap::new(), vec![top.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                found.insert(path.strip_prefix(top).unwrap().display().to_string(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    for (path, bytes) in files(from) {
        let path = to.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn a_registry_is_created_with_keys_that_only_their_owner_can_read() {
    let world = World::new();
    let created = world.create_registry();
    assert_eq!(created.keys.folder, world.folder.path().join("home/registry-keys/skills.example.org").display().to_string());
    let mode = |path: &str| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&created.keys.folder), 0o700);
    for path in [&created.keys.root, &created.keys.snapshot, &created.keys.publisher] {
        assert_eq!(mode(path), 0o600);
    }
    assert_eq!(mode(&created.folder), 0o755, "a web server can read it");
    let status = world.status();
    assert_eq!((status.fingerprint, status.serial, status.skills), (created.fingerprint, 1, 0));
    assert_eq!((status.id.as_str(), status.publishers[0].name.as_str()), ("skills.example.org", "Example skills"));
    assert!(!status.refresh_due && !status.root_refresh_due);
    // Secrets are in no result and not in the registry.
    let secret = fs::read_to_string(&created.keys.snapshot).unwrap();
    let secret = secret.trim().rsplit(':').next().unwrap();
    assert!(!serde_json::to_string(&created).unwrap().contains(secret));
    assert!(!files(&world.registry()).values().any(|bytes| String::from_utf8_lossy(bytes).contains(secret)));
}

#[test]
fn a_registry_that_is_not_created_leaves_its_folder_as_it_was() {
    let world = World::new();
    let params = |folder: PathBuf, id: &str| CreateRegistryParams {
        target: PublishTarget { folder, keys: None, days: None },
        id: id.to_owned(),
        title: "Example".to_owned(),
        publisher: None,
    };
    let occupied = world.folder.path().join("occupied");
    fs::create_dir(&occupied).unwrap();
    fs::write(occupied.join("index.html"), "mine").unwrap();
    let refused = world.ask::<CreateRegistry>(params(occupied.clone(), "one")).unwrap_err();
    assert_eq!(refused.code, Code::Exists);
    assert_eq!(files(&occupied).len(), 1);
    assert_eq!(world.ask::<CreateRegistry>(params("registry".into(), "one")).unwrap_err().code, Code::Invalid);
    assert_eq!(world.ask::<CreateRegistry>(params(world.registry(), "No ID")).unwrap_err().code, Code::Invalid);
    let mut long = params(world.registry(), "one");
    long.title = "x".repeat(200);
    assert_eq!(world.ask::<CreateRegistry>(long).unwrap_err().code, Code::Invalid);
    assert!(!world.registry().exists());
    let others: Vec<_> = fs::read_dir(world.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!others.iter().any(|name| name.to_string_lossy().starts_with('.')), "{others:?}");
    // The keys of the attempts that failed are used.
    fs::create_dir(world.registry()).unwrap();
    let created = world.ask::<CreateRegistry>(params(world.registry(), "one")).unwrap();
    assert!(!created.keys.created);
    assert_eq!(world.ask::<CreateRegistry>(params(world.registry(), "one")).unwrap_err().code, Code::Exists);
}

#[test]
fn a_release_follows_from_what_changed() {
    let world = World::new();
    world.create_registry();
    world.create("Notes");
    let first = world.plan("notes");
    assert_eq!((first.state, first.next_version.as_deref(), first.last), (PlannedState::New, Some("1.0.0"), None));
    assert_eq!(first.required_version, None);
    let report = world.release(&["notes"]).unwrap();
    assert_eq!((report.released[0].version.as_str(), report.released[0].revision, report.serial), ("1.0.0", Some(1), 2));
    assert_eq!(world.plan("notes").state, PlannedState::Unchanged);

    world.write_prompt("notes", "Write about {{ topic }}.\n");
    let second = world.plan("notes");
    assert_eq!((second.state, second.bump), (PlannedState::Update, Some(VersionBump::Major)));
    assert_eq!(second.permissions_gained, ["llm"]);
    assert_eq!(second.reasons, ["adds the artifact draft", "requires the permission llm"]);
    assert_eq!(second.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["prompts/draft.j2", "skill.json"]);
    assert_eq!(second.changelog, "- Adds the artifact draft.\n- Requires the permission llm.\n");
    assert_eq!((second.version.as_str(), second.next_version.as_deref()), ("1.0.0", Some("2.0.0")));
    assert_eq!(second.required_version.as_deref(), Some("2.0.0"));
    let report = world.release_with(&["notes"], |params| params.skills[0].changelog = Some("- Drafts.".to_owned())).unwrap();
    assert_eq!((report.released[0].version.as_str(), report.released[0].revision), ("2.0.0", Some(4)));
    assert_eq!(world.version("notes"), "2.0.0");
    let history = world
        .ask::<ListRevisions>(HistoryParams { skill: "notes".to_owned(), scope: None, path: None, before: None, limit: None })
        .unwrap();
    assert_eq!(history.revisions[0].why, "released 2.0.0");
    assert_eq!(world.plan("notes").state, PlannedState::Unchanged);

    world.write("notes", "prompts/draft.j2", "Tell about {{ topic }}.\n");
    assert_eq!(world.plan("notes").next_version.as_deref(), Some("2.0.1"));
    world.write("notes", "prompts/draft.j2", "Tell about it.\n");
    let third = world.plan("notes");
    assert_eq!((third.next_version.as_deref(), third.reasons[0].as_str()), (Some("3.0.0"), "removes the variable topic of draft"));
    let wanted = |version: &str| {
        let version = Some(version.to_owned());
        world.release_with(&["notes"], |params| params.skills[0].version = version)
    };
    assert_eq!(wanted("2.0.0").unwrap_err().code, Code::Invalid);
    assert_eq!(wanted("two").unwrap_err().code, Code::Invalid);
    assert_eq!(wanted("4.0.0").unwrap().released[0].version, "4.0.0");
    assert_eq!(world.verify().unwrap(), 3);
}

#[test]
fn equal_skills_at_equal_times_give_equal_bytes_and_only_changes_are_written() {
    let world = World::new();
    world.create_registry();
    let skills = world.folder.path().join("skills");
    for number in 0..12 {
        world.on_disk(&format!("skill-{number}"), "1.0.0", "Text.");
    }
    let duplicate = world.folder.path().join("duplicate");
    copy(&world.registry(), &duplicate);
    let publish = |folder: &Path| {
        let params = ReleaseParams {
            target: PublishTarget { folder: folder.to_owned(), keys: None, days: None },
            skills: Vec::new(),
            paths: vec![skills.clone()],
            minimum_client: None,
        };
        world.ask::<ReleaseSkills>(params).unwrap()
    };
    assert_eq!(publish(&world.registry()).released.len(), 12);
    assert_eq!(publish(&duplicate).released.len(), 12);
    assert_eq!(files(&world.registry()), files(&duplicate));
    let before = files(&world.registry());
    let again = publish(&world.registry());
    assert_eq!((again.released.len(), again.unchanged, again.serial), (0, 12, 2));
    assert_eq!(files(&world.registry()), before);
    world.on_disk("skill-3", "1.0.1", "Other text.");
    let second = publish(&world.registry());
    assert_eq!((second.released[0].slug.as_str(), second.released.len(), second.unchanged), ("skill-3", 1, 11));
    let after = files(&world.registry());
    let written: Vec<_> = after.iter().filter(|(path, bytes)| before.get(*path) != Some(bytes)).map(|(path, _)| path).collect();
    assert_eq!(written.len(), 3, "a package, a part of the index and the snapshot: {written:?}");
}

#[test]
fn one_skill_that_can_not_be_published_holds_back_all() {
    let world = World::new();
    world.create_registry();
    let good = world.on_disk("good", "1.0.0", "Text.");
    world.release_with(&[], |params| params.paths = vec![good.clone()]).unwrap();
    world.on_disk("good", "1.0.0", "Other text.");
    world.create("Fine");
    world.create("Broken");
    world.write_prompt("broken", "{{ open\n");
    let before = files(&world.registry());

    let plan = world
        .ask::<PlanRelease>(PlanReleaseParams {
            folder: world.registry(),
            skills: vec![skill_ref("broken"), skill_ref("fine")],
            paths: vec![good.clone()],
        })
        .unwrap();
    assert!(!plan.ok);
    let states: Vec<_> = plan.skills.iter().map(|skill| (skill.slug.as_str(), skill.state)).collect();
    assert_eq!(states, [("broken", PlannedState::Blocked), ("fine", PlannedState::New), ("good", PlannedState::Blocked)]);
    let error = plan.skills[2].diagnostics.iter().find(|one| one.is_error()).unwrap();
    assert_eq!((error.rule.as_str(), error.hint.as_deref()), ("release/version", Some("set the version of the skill to 1.0.1")));

    let refused = world.release_with(&["fine", "broken"], |params| params.paths = vec![good]).unwrap_err();
    assert_eq!((refused.code, refused.message.as_str()), (Code::Invalid, "2 of 3 skills can't be published"));
    let listed = refused.fields.unwrap()["diagnostics"].to_string();
    assert!(listed.contains("broken/prompts/draft.j2") && listed.contains("release/version"), "{listed}");
    assert_eq!(files(&world.registry()), before);

    world.write("fine", "notes.md", "Notes.\n");
    let twice = world.release(&["fine", "fine"]).unwrap_err();
    assert_eq!(twice.code, Code::Exists);
    assert_eq!(world.release(&[]).unwrap_err().code, Code::Invalid);
    assert_eq!(world.release(&["missing"]).unwrap_err().code, Code::NotFound);
    assert_eq!(files(&world.registry()), before);
}

#[test]
fn a_release_that_the_registry_refuses_changes_no_skill() {
    let world = World::new();
    let created = world.create_registry();
    world.create("Notes");
    world.release(&["notes"]).unwrap();
    world.write("notes", "SKILL.md", "---\nname: notes\ndescription: Other.\n---\nOther.\n");
    let others = world.folder.path().join("others");
    fs::create_dir(&others).unwrap();
    let with_keys = |keys: &Path| world.release_with(&["notes"], |params| params.target.keys = Some(keys.to_owned()));
    assert_eq!(with_keys(&others).unwrap_err().code, Code::NotFound);
    // Those of another registry.
    let other = CreateRegistryParams {
        target: PublishTarget { folder: world.folder.path().join("other"), keys: Some(others.clone()), days: None },
        id: "other".to_owned(),
        title: "Other".to_owned(),
        publisher: None,
    };
    world.ask::<CreateRegistry>(other).unwrap();
    assert_eq!(with_keys(&others).unwrap_err().code, Code::Forbidden);
    fs::copy(&created.keys.publisher, others.join("publisher.key")).unwrap();
    assert_eq!(with_keys(&others).unwrap_err().code, Code::Forbidden, "the snapshot's key is another one");
    fs::set_permissions(&created.keys.snapshot, fs::Permissions::from_mode(0o644)).unwrap();
    let exposed = world.release(&["notes"]).unwrap_err();
    assert_eq!((exposed.code, exposed.hint.is_some()), (Code::Forbidden, true));
    assert_eq!((world.version("notes").as_str(), world.verify().unwrap()), ("1.0.0", 1));

    let nothing = world.ask::<GetPublishStatus>(PublishFolder { folder: world.folder.path().join("work") }).unwrap_err();
    assert_eq!(nothing.code, Code::NotFound);
    fs::write(world.registry().join("snapshot.json"), "{}").unwrap();
    assert_eq!(world.verify().unwrap_err().code, Code::Corrupt);
}

#[test]
fn versions_are_yanked_and_revoked() {
    let world = World::new();
    world.create_registry();
    world.create("Notes");
    world.create("Other");
    world.release(&["notes", "other"]).unwrap();
    let yank = |reason: Option<&str>, version: &str| {
        let (skill, reason) = (slug("notes"), reason.map(str::to_owned));
        world.ask::<YankVersion>(YankParams { target: world.target(), skill, version: version.to_owned(), reason })
    };
    assert_eq!(yank(Some("loses drafts"), "1.0.0").map(|state| (state.serial, state.changed)).unwrap(), (3, true));
    assert_eq!(yank(Some("loses drafts"), "1.0.0").map(|state| (state.serial, state.changed)).unwrap(), (3, false));
    assert_eq!(world.status().yanked, 1);
    assert_eq!(yank(None, "1.0.0").unwrap().serial, 4);
    assert_eq!(world.status().yanked, 0);
    assert_eq!(yank(None, "1.2.0").unwrap_err().code, Code::NotFound);
    assert_eq!(yank(None, "one").unwrap_err().code, Code::Invalid);

    let reason = "sends files away".to_owned();
    let params = RevokeParams { target: world.target(), skill: slug("other"), version: "1.0.0".to_owned(), reason };
    world.ask::<RevokeVersion>(params).unwrap();
    assert_eq!((world.status().revoked, world.verify().unwrap()), (1, 2));
    let next = world.plan("other");
    assert_eq!((next.state, next.next_version.as_deref(), next.last), (PlannedState::Update, Some("1.0.1"), None));
    assert_eq!(world.release(&["other"]).unwrap().released[0].version, "1.0.1");
}

#[test]
fn a_registry_is_refreshed_before_it_expires() {
    let mut world = World::new();
    let created = world.create_registry();
    let refresh = |world: &World| world.ask::<RefreshRegistry>(RefreshParams { target: world.target() });
    world.wait_until(10);
    assert!(!refresh(&world).unwrap().changed);
    world.wait_until(16);
    assert!(world.status().refresh_due);
    let refreshed = refresh(&world).unwrap();
    assert_eq!((refreshed.serial, refreshed.root_version, refreshed.changed), (2, 1, true));
    assert!(!world.status().refresh_due);
    world.wait_until(200);
    let status = world.status();
    assert_eq!((status.expired, status.root_expired, status.root_refresh_due), (true, false, true));
    assert_eq!(world.verify().unwrap_err().code, Code::Invalid);
    // Without the root key, the keys stay as they are.
    let (root, elsewhere) = (PathBuf::from(&created.keys.root), world.folder.path().join("root.key"));
    fs::rename(&root, &elsewhere).unwrap();
    assert_eq!(refresh(&world).unwrap().root_version, 1);
    world.wait_until(400);
    assert_eq!(refresh(&world).unwrap_err().code, Code::Invalid, "the keys have expired");
    fs::rename(&elsewhere, &root).unwrap();
    assert_eq!(refresh(&world).unwrap().root_version, 2);
    assert_eq!(world.verify().unwrap(), 0);
    assert_eq!(world.status().fingerprint, created.fingerprint);
}

#[test]
fn keys_are_rotated_while_published_skills_stay_valid() {
    let mut world = World::new();
    let created = world.create_registry();
    world.create("notes");
    world.release(&["notes"]).unwrap();
    let text = |path: &str| fs::read_to_string(path).unwrap();
    let before = [&created.keys.root, &created.keys.snapshot, &created.keys.publisher].map(|path| text(path));
    let publisher = world.status().publishers.remove(0);
    world.wait_until(1);
    assert_eq!(world.rotate(&[]).unwrap_err().code, Code::Invalid);
    let elsewhere = world.folder.path().join("root.key");
    fs::rename(&created.keys.root, &elsewhere).unwrap();
    assert_eq!(world.rotate(&[KeyRole::Snapshot]).unwrap_err().code, Code::NotFound);
    assert_eq!(text(&created.keys.snapshot), before[1]);
    fs::rename(&elsewhere, &created.keys.root).unwrap();

    // Root document 2 has the new snapshot key, 3 both publishers, 4 the new one, 5 the new root key.
    let state = world.rotate(&[KeyRole::Root, KeyRole::Snapshot, KeyRole::Publisher]).unwrap();
    assert_eq!((state.root_version, state.changed), (5, true));
    for (path, old) in [&created.keys.root, &created.keys.snapshot, &created.keys.publisher].iter().zip(before) {
        assert_ne!(text(path), old);
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let status = world.status();
    assert_eq!((status.fingerprint, status.versions, status.distrusted), (created.fingerprint, 1, 0));
    assert_eq!((status.publishers.len(), &status.publishers[0].name), (1, &publisher.name));
    assert_ne!(status.publishers[0].key, publisher.key);
    assert_eq!(world.verify().unwrap(), 1);
    world.write("notes", "more.md", "More.");
    assert_eq!(world.release(&["notes"]).unwrap().released[0].version, "1.1.0");
    assert_eq!(fs::read_dir(&created.keys.folder).unwrap().count(), 3);
}

#[test]
fn a_rotation_that_was_interrupted_is_completed() {
    let mut world = World::new();
    let created = world.create_registry();
    world.create("notes");
    world.release(&["notes"]).unwrap();
    world.wait_until(1);
    let paths =
        [(KeyRole::Root, &created.keys.root), (KeyRole::Snapshot, &created.keys.snapshot), (KeyRole::Publisher, &created.keys.publisher)];
    for (role, path) in paths {
        let old = fs::read(path).unwrap();
        world.rotate(&[role]).unwrap();
        // As if it had been killed before it replaced the file.
        fs::rename(path, format!("{path}.next")).unwrap();
        fs::write(path, old).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    assert_eq!(world.rotate(&[KeyRole::Root, KeyRole::Snapshot, KeyRole::Publisher]).unwrap().root_version, 9);
    assert_eq!(fs::read_dir(&created.keys.folder).unwrap().count(), 3);
    assert_eq!(world.verify().unwrap(), 1);
}
