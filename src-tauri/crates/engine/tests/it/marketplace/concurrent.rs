//! What the user does while a registry answers, and what fails beside the write of a skill.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, mpsc};
use std::task::Poll;
use std::thread;

use inklings_app::App;
use inklings_app::features::marketplace::{
    FailedUpdate, InstallSkill, InstallSkillParams, InstalledRef, Permission, PinParams, PinSkill, RollBackSkill, UpdateSkills,
    UpdateSkillsParams,
};
use inklings_app::features::publish::{CreateRegistry, CreateRegistryParams, PublishTarget, RevokeParams, RevokeVersion};
use inklings_app::features::registry::{
    AddRegistry, AddRegistryParams, ChangeRegistry, ChangeRegistryParams, ListRegistries, RegistryRef, RemoveRegistry, SyncOutcome,
    SyncRegistries, SyncRegistriesParams, WaitReason,
};
use inklings_app::features::settings::{SetParams, SetSetting};
use inklings_app::features::skill::{Delete, DeleteParams};
use inklings_core::{Digest, Scope};
use inklings_rpc::{CallContext, Code, Failure, NoParams, Operation, call};
use serde_json::json;

use super::{World, target};
use crate::hooks::{Hooks, full, hooked_marketplace};
use crate::support::DEADLINE;

const REGISTRY: &str = "skills.example.org";
const SCRIPT: (&str, &str) = ("scripts/run.sh", "#!/bin/sh\n");

type Action = Box<dyn FnOnce() + Send>;
type Waiting = Arc<Mutex<Option<(&'static str, Action)>>>;

/// A web server for a registry.
struct Server {
    address: String,
    waiting: Waiting,
}

impl Server {
    fn new(folder: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let waiting = Waiting::default();
        let shared = waiting.clone();
        // Ends with the process.
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let (folder, shared) = (folder.clone(), shared.clone());
                // An action may ask for other files.
                thread::spawn(move || drop(answer(connection, &folder, &shared)));
            }
        });
        Self { address, waiting }
    }

    /// What happens once, before the next answer about a path that begins so.
    fn before(&self, path: &'static str, action: impl FnOnce() + Send + 'static) {
        let action: Action = Box::new(action);
        *self.waiting.lock().unwrap() = Some((path, action));
    }

    /// Holds the next answer about a path that begins so. Returns what tells that it is held, and what releases it.
    fn hold(&self, path: &'static str) -> (mpsc::Receiver<()>, mpsc::Sender<()>) {
        let ((is_held, held), (release, released)) = (mpsc::channel(), mpsc::channel());
        self.before(path, move || {
            is_held.send(()).unwrap();
            released.recv_timeout(DEADLINE).unwrap();
        });
        (held, release)
    }

    fn is_done(&self) -> bool {
        self.waiting.lock().unwrap().is_none()
    }
}

fn answer(mut connection: TcpStream, folder: &Path, waiting: &Waiting) -> io::Result<()> {
    let mut lines = BufReader::new(connection.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = request.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
    // Read first: a version that is revoked meanwhile is deleted.
    let file = fs::read(folder.join(path));
    let action = waiting.lock().unwrap().take_if(|(start, _)| path.starts_with(*start));
    if let Some((_, action)) = action {
        action();
    }
    let Ok(file) = file else {
        return write!(connection, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    };
    write!(connection, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", file.len())?;
    connection.write_all(&file)
}

/// Another front end of the same application.
fn ask<T: Operation<App = App>>(app: &Arc<App>, params: T::Params) -> Result<T::Output, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(call::<T>(app, CallContext::local(None, "test"), params))
}

/// Goes on with a future until it waits.
async fn is_pending<F: Future>(mut future: Pin<&mut F>) -> bool {
    std::future::poll_fn(|context| Poll::Ready(future.as_mut().poll(context).is_pending())).await
}

fn add(address: &str, fingerprint: Digest) -> AddRegistryParams {
    AddRegistryParams { address: address.to_owned(), fingerprint, mirrors: Vec::new(), priority: 0 }
}

fn no_change() -> ChangeRegistryParams {
    let registry = REGISTRY.to_owned();
    ChangeRegistryParams { registry, address: None, mirrors: None, priority: None, enabled: None, updates_built_in: None }
}

fn change_address(server: &Server) -> ChangeRegistryParams {
    ChangeRegistryParams { address: Some(server.address.clone()), ..no_change() }
}

fn pin_notes(app: &Arc<App>) {
    ask::<PinSkill>(app, PinParams { skill: "notes".to_owned(), pinned: true }).unwrap();
}

fn roll_back_notes(app: &Arc<App>) -> Result<(), Failure> {
    ask::<RollBackSkill>(app, InstalledRef { skill: "notes".to_owned() }).map(drop)
}

fn disable_updates(app: &Arc<App>) {
    let value = json!({ "update_automatically": false });
    ask::<SetSetting>(app, SetParams { key: "marketplace".to_owned(), value }).unwrap();
}

/// An account with the first version of a skill of a registry on a web server.
fn served() -> (World, Server) {
    let world = World::new();
    world.publish("notes", "1.0.0", &[("SKILL.md", "First version.\n")]);
    let server = Server::new(world.registry());
    world.ask::<AddRegistry>(add(&server.address, world.fingerprint)).unwrap();
    world.install("notes", None, &[]).unwrap();
    (world, server)
}

/// Another registry with the same ID.
fn impostor(world: &World) -> AddRegistryParams {
    let folder = world.folder.path().join("impostor");
    let target = PublishTarget { folder, keys: Some(world.folder.path().join("impostor-keys")), days: None };
    let (id, title) = (REGISTRY.to_owned(), "Impostor".to_owned());
    let created = world.ask::<CreateRegistry>(CreateRegistryParams { target, id, title, publisher: None }).unwrap();
    add(&created.folder, created.fingerprint)
}

/// Something happens while the package of an update is downloaded.
fn sync_while(world: &World, server: &Server, action: impl FnOnce(&Arc<App>) + Send + 'static) -> SyncOutcome {
    let app = world.engine.app().clone();
    server.before("packages/", move || action(&app));
    let outcome = world.sync();
    assert!(server.is_done(), "nothing was downloaded");
    assert!(outcome.updated.is_empty());
    outcome
}

#[test]
fn a_skill_that_is_pinned_while_its_update_is_downloaded_keeps_its_version() {
    let (world, server) = served();
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n")]);
    let outcome = sync_while(&world, &server, pin_notes);
    assert_eq!(outcome.waiting[0].why, WaitReason::Pinned);
    assert_eq!(world.text("notes", Scope::Account), "First version.");
}

#[test]
fn a_skill_that_is_rolled_back_while_its_update_is_downloaded_stays_rolled_back() {
    let (world, server) = served();
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n")]);
    assert_eq!(world.sync().updated.len(), 1);
    world.publish("notes", "1.2.0", &[("SKILL.md", "Third version.\n")]);
    let outcome = sync_while(&world, &server, |app| roll_back_notes(app).unwrap());
    let waiting = &outcome.waiting[0];
    assert_eq!((waiting.from.as_str(), waiting.to.as_str(), waiting.why), ("1.0.0", "1.2.0", WaitReason::Pinned));
    assert_eq!(world.text("notes", Scope::Account), "First version.");
}

#[test]
fn updates_stop_when_they_are_switched_off_while_one_is_downloaded() {
    let (world, server) = served();
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n")]);
    let outcome = sync_while(&world, &server, disable_updates);
    assert_eq!(outcome.waiting[0].why, WaitReason::Manual);
    assert_eq!(world.text("notes", Scope::Account), "First version.");
}

#[test]
fn nothing_is_installed_from_a_registry_that_is_disabled_during_the_download() {
    let (world, server) = served();
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n")]);
    let outcome = sync_while(&world, &server, |app| {
        ask::<ChangeRegistry>(app, ChangeRegistryParams { enabled: Some(false), ..no_change() }).unwrap();
    });
    assert!(outcome.waiting.is_empty());
    assert_eq!(world.text("notes", Scope::Account), "First version.");
}

#[test]
fn the_permissions_of_an_installation_are_compared_again_after_the_download() {
    let (world, server) = served();
    let app = world.engine.app().clone();
    disable_updates(&app);
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n"), SCRIPT]);
    world.sync();
    world.install("notes", None, &[Permission::Network, Permission::NativeScripts]).unwrap();
    world.publish("notes", "1.2.0", &[("SKILL.md", "Third version.\n"), SCRIPT]);
    world.sync();
    server.before("packages/", move || roll_back_notes(&app).unwrap());
    assert_eq!(world.install("notes", None, &[]).unwrap_err().code, Code::ApprovalRequired);
    assert!(server.is_done());
    assert_eq!(world.text("notes", Scope::Account), "First version.");
    assert!(world.installed()[0].pinned);
}

#[test]
fn an_update_of_all_skills_spares_one_that_is_pinned_meanwhile() {
    let (world, server) = served();
    let app = world.engine.app().clone();
    disable_updates(&app);
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n")]);
    world.sync();
    server.before("packages/", move || pin_notes(&app));
    let all = world.ask::<UpdateSkills>(UpdateSkillsParams::default()).unwrap();
    assert_eq!((all.updated.len(), all.failed.len()), (0, 1));
    assert!(server.is_done() && world.installed()[0].pinned);
    assert_eq!(world.text("notes", Scope::Account), "First version.");
    let named_twice = Some(vec!["notes".to_owned(), world.installed()[0].skill.to_string()]);
    let chosen = world.ask::<UpdateSkills>(UpdateSkillsParams { skills: named_twice, ..UpdateSkillsParams::default() }).unwrap();
    assert_eq!((chosen.updated[0].version.as_str(), chosen.failed.len()), ("1.1.0", 0));
    assert!(!world.installed()[0].pinned);
}

/// An installed skill with an update, after which something happens while it is downloaded.
fn update_while(action: impl FnOnce(&World, &Arc<App>) + Send + 'static) -> (Arc<World>, FailedUpdate) {
    let (world, server) = served();
    let app = world.engine.app().clone();
    let world = Arc::new(world);
    disable_updates(&app);
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n")]);
    world.sync();
    let other = world.clone();
    server.before("packages/", move || action(&other, &app));
    let mut all = world.ask::<UpdateSkills>(UpdateSkillsParams::default()).unwrap();
    assert!(server.is_done() && all.updated.is_empty());
    (world, all.failed.remove(0))
}

fn sync_all(app: &Arc<App>) {
    ask::<SyncRegistries>(app, SyncRegistriesParams::default()).unwrap();
}

fn revoke(world: &World, app: &Arc<App>, version: &str) {
    let (skill, version, reason) = ("notes".parse().unwrap(), version.to_owned(), "it is unsafe".to_owned());
    ask::<RevokeVersion>(app, RevokeParams { target: target(world.folder.path()), skill, version, reason }).unwrap();
    sync_all(app);
}

#[test]
fn a_version_that_is_revoked_while_it_is_downloaded_is_not_installed() {
    let (world, failed) = update_while(|world, app| revoke(world, app, "1.1.0"));
    assert_eq!(failed.failure.code, Code::RevisionConflict);
    assert_eq!(world.text("notes", Scope::Account), "First version.");
    assert!(!world.installed()[0].pinned);

    let (world, server) = served();
    let app = world.engine.app().clone();
    let world = Arc::new(world);
    ask::<Delete>(&app, DeleteParams { skill: "notes".to_owned(), scope: Some(Scope::Account), expected: None }).unwrap();
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n")]);
    sync_all(&app);
    let other = world.clone();
    server.before("packages/", move || revoke(&other, &app, "1.1.0"));
    let refused = world.install("notes", None, &[]).unwrap_err();
    assert!(server.is_done() && refused.message.contains("1.1.0 was revoked: it is unsafe"), "{refused}");
    assert!(world.installed().is_empty());
}

#[test]
fn an_update_that_is_replaced_by_a_newer_one_during_its_download_is_not_installed_and_not_pinned() {
    let (world, failed) = update_while(|world, app| {
        world.publish("notes", "1.2.0", &[("SKILL.md", "Third version.\n")]);
        sync_all(app);
    });
    assert_eq!(failed.failure.message, "notes 1.1.0 is no update of an installed skill any more");
    assert_eq!(world.text("notes", Scope::Account), "First version.");
    assert!(!world.installed()[0].pinned);
    assert_eq!(world.ask::<UpdateSkills>(UpdateSkillsParams::default()).unwrap().updated[0].version, "1.2.0");
}

#[test]
fn an_update_does_not_bring_back_a_skill_that_is_deleted_during_its_download() {
    let (world, _) = update_while(|_, app| {
        let params = DeleteParams { skill: "notes".to_owned(), scope: Some(Scope::Account), expected: None };
        ask::<Delete>(app, params).unwrap();
    });
    assert!(world.installed().is_empty());
}

#[test]
fn the_removal_of_a_registry_during_a_download_is_what_is_reported() {
    let (world, failed) = update_while(|_, app| {
        ask::<RemoveRegistry>(app, RegistryRef { registry: REGISTRY.to_owned() }).unwrap();
    });
    assert_eq!((failed.failure.message.as_str(), failed.failure.code), ("no registry skills.example.org", Code::NotFound));
    assert!(!world.folder.path().join("home/registries").join(REGISTRY).exists(), "its cache is deleted");
}

#[test]
fn a_registry_that_is_removed_while_it_is_synced_leaves_nothing() {
    let (world, server) = served();
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n")]);
    let app = world.engine.app().clone();
    server.before("snapshot.json", move || {
        ask::<RemoveRegistry>(&app, RegistryRef { registry: REGISTRY.to_owned() }).unwrap();
    });
    let outcome = world.sync();
    assert!(server.is_done());
    assert_eq!(outcome.registries[0].failure.as_ref().unwrap().message, "no registry skills.example.org");
    assert!(!world.folder.path().join("home/registries").join(REGISTRY).exists(), "its cache is deleted");
}

#[test]
fn what_is_changed_while_a_new_address_is_verified_stays_changed() {
    let world = World::with_notes();
    world.ask::<ChangeRegistry>(ChangeRegistryParams { updates_built_in: Some(true), ..no_change() }).unwrap();
    let server = Server::new(world.registry());
    let app = world.engine.app().clone();
    server.before("snapshot.json", move || {
        let change = ChangeRegistryParams { enabled: Some(false), updates_built_in: Some(false), ..no_change() };
        ask::<ChangeRegistry>(&app, change).unwrap();
    });
    let change = ChangeRegistryParams { priority: Some(3), ..change_address(&server) };
    let changed = world.ask::<ChangeRegistry>(change).unwrap();
    assert!(server.is_done());
    for info in [changed, world.ask::<ListRegistries>(NoParams {}).unwrap().remove(0)] {
        assert_eq!((&info.address, info.priority, info.failure.is_some()), (&server.address, 3, false));
        assert_eq!((info.enabled, info.updates_built_in), (false, false));
    }
}

#[test]
fn a_registry_that_is_removed_while_a_new_address_is_verified_stays_removed() {
    let world = World::with_notes();
    let server = Server::new(world.registry());
    let app = world.engine.app().clone();
    server.before("snapshot.json", move || {
        ask::<RemoveRegistry>(&app, RegistryRef { registry: REGISTRY.to_owned() }).unwrap();
    });
    assert_eq!(world.ask::<ChangeRegistry>(change_address(&server)).unwrap_err().code, Code::NotFound);
    assert!(server.is_done());
    assert!(world.ask::<ListRegistries>(NoParams {}).unwrap().is_empty());
    assert!(!world.folder.path().join("home/registries").join(REGISTRY).exists(), "its cache is deleted");
}

#[test]
fn of_two_registries_with_one_id_that_are_added_at_once_the_first_stays() {
    let world = World::new();
    let second = impostor(&world);
    let server = Server::new(world.registry());
    let (held, release) = server.hold("roots/");
    let (app, first) = (world.engine.app().clone(), add(&server.address, world.fingerprint));
    let adding = thread::spawn(move || ask::<AddRegistry>(&app, first));
    held.recv_timeout(DEADLINE).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let added = runtime.block_on(async {
        let mut second = pin!(call::<AddRegistry>(world.engine.app(), CallContext::local(None, "test"), second));
        assert!(is_pending(second.as_mut()).await);
        release.send(()).unwrap();
        second.await
    });
    assert_eq!(added.unwrap_err().code, Code::Exists);
    assert_eq!(adding.join().unwrap().unwrap().fingerprint, world.fingerprint);
    assert_eq!(world.ask::<ListRegistries>(NoParams {}).unwrap()[0].fingerprint, world.fingerprint);
}

#[test]
fn a_registry_that_another_process_adds_meanwhile_is_not_replaced() {
    let world = World::new();
    let hooks = Hooks::default();
    let app = hooked_marketplace(&world.engine, &hooks);
    let (other, first) = (world.engine.app().clone(), add(&world.registry().display().to_string(), world.fingerprint));
    hooks.before("add_registry", move || {
        // On another thread, since this one belongs to a runtime.
        thread::spawn(move || ask::<AddRegistry>(&other, first).unwrap()).join().unwrap();
        Ok(())
    });
    assert_eq!(ask::<AddRegistry>(&app, impostor(&world)).unwrap_err().code, Code::Exists);
    assert!(hooks.are_done());
    assert_eq!(world.ask::<ListRegistries>(NoParams {}).unwrap()[0].fingerprint, world.fingerprint);
}

#[test]
fn a_sync_that_waited_for_a_change_of_the_address_asks_the_new_one() {
    let world = World::with_notes();
    let moved = world.folder.path().join("moved");
    fs::rename(world.registry(), &moved).unwrap();
    let server = Server::new(moved);
    let (held, release) = server.hold("snapshot.json");
    let (app, change) = (world.engine.app().clone(), change_address(&server));
    let changing = thread::spawn(move || ask::<ChangeRegistry>(&app, change));
    held.recv_timeout(DEADLINE).unwrap();
    // One thread for blocking work, which does what the test gives it after what the sync gave it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
    let outcome = runtime.block_on(async {
        let params = SyncRegistriesParams::default();
        let mut sync = pin!(call::<SyncRegistries>(world.engine.app(), CallContext::local(None, "test"), params));
        assert!(is_pending(sync.as_mut()).await);
        tokio::task::spawn_blocking(|| ()).await.unwrap();
        assert!(is_pending(sync.as_mut()).await);
        release.send(()).unwrap();
        sync.await
    });
    changing.join().unwrap().unwrap();
    assert!(outcome.unwrap().registries[0].failure.is_none());
    let registry = world.ask::<ListRegistries>(NoParams {}).unwrap().remove(0);
    assert_eq!((registry.address, registry.failure.is_none()), (server.address, true));
}

/// Two versions of a skill, the newer one installed, and an application with hooks.
fn hooked_notes() -> (World, Hooks, Arc<App>) {
    let world = World::with_notes();
    world.install("notes", None, &[]).unwrap();
    let related = ("skill.json", "{ \"relations\": { \"depends_on\": [\"other\"] } }\n");
    world.publish("notes", "1.1.0", &[("SKILL.md", "Second version.\n"), related]);
    assert_eq!(world.sync().updated.len(), 1);
    let hooks = Hooks::default();
    let app = hooked_marketplace(&world.engine, &hooks);
    (world, hooks, app)
}

fn install_notes(version: Option<&str>) -> InstallSkillParams {
    InstallSkillParams { id: "notes".to_owned(), version: version.map(str::to_owned), accept: BTreeSet::new() }
}

#[test]
fn a_skill_is_rolled_back_and_pinned_or_neither() {
    let (world, hooks, app) = hooked_notes();
    for method in ["set_pinned", "commit"] {
        hooks.fail(method);
        assert!(roll_back_notes(&app).is_err());
        assert!(hooks.are_done());
        assert!(!world.installed()[0].pinned, "{method}");
        assert_eq!(world.text("notes", Scope::Account), "Second version.", "{method}");
    }
    roll_back_notes(&app).unwrap();
    assert!(world.installed()[0].pinned && world.text("notes", Scope::Account).starts_with("First line."));
}

#[test]
fn an_older_version_that_can_not_be_pinned_is_not_installed() {
    let (world, hooks, app) = hooked_notes();
    hooks.fail("set_pinned");
    assert!(ask::<InstallSkill>(&app, install_notes(Some("1.0.0"))).is_err());
    assert!(hooks.are_done());
    assert_eq!(world.text("notes", Scope::Account), "Second version.");
    ask::<InstallSkill>(&app, install_notes(Some("1.0.0"))).unwrap();
    assert!(world.installed()[0].pinned);
}

#[test]
fn an_installation_is_reported_although_what_follows_it_fails() {
    let (world, hooks, app) = hooked_notes();
    roll_back_notes(&app).unwrap();
    hooks.fail("set_pinned");
    // After the skill was looked for before and after the download.
    hooks.before_call("get_skill_by_name", 2, || Err(full()));
    let installation = ask::<InstallSkill>(&app, install_notes(None)).unwrap();
    assert!(hooks.are_done());
    assert_eq!((installation.version.as_str(), installation.replaced.as_deref()), ("1.1.0", Some("1.0.0")));
    assert!(installation.missing.is_empty(), "it isn't known");
    assert_eq!(world.text("notes", Scope::Account), "Second version.");
    assert!(world.installed()[0].pinned, "it is still pinned");
    roll_back_notes(&app).unwrap();
    assert_eq!(ask::<InstallSkill>(&app, install_notes(None)).unwrap().missing.len(), 1);
}
