//! Processes that are killed while they publish or sync. The test starts itself as the process to kill.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use inklings_core::{CancellationToken, ProgressReporter};
use inklings_registry::client::RegistryClient;
use inklings_registry::publish::RegistryFolder;
use inklings_registry::transport::connect;
use url::Url;

use crate::support::{Fixture, Keys, client_options, connected, day, folder, package};

const FOLDER: &str = "INKLINGS_TEST_REGISTRY";
const CACHE: &str = "INKLINGS_TEST_CACHE";
const ROUNDS: u64 = 25;

fn start(test: &str, top: &Path, cache: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test]).env(FOLDER, top).env(CACHE, cache);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Kills a process at different times after its start.
fn kill_after(mut child: Child, round: u64) {
    thread::sleep(Duration::from_millis(15 + round * 7 % 60));
    child.kill().unwrap();
    child.wait().unwrap();
}

fn path_in(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from)
}

#[test]
fn publish_until_killed() {
    let Some(top) = path_in(FOLDER) else { return };
    let keys = Keys::new();
    let registry = RegistryFolder::open(&top).unwrap();
    let done = registry.verify(&folder(), day(1)).unwrap().versions;
    for number in done.. {
        keys.publish(&registry, &[package(&format!("skill-{}", number % 7), &format!("1.{number}.1"), "Text.")], 1).unwrap();
    }
}

#[test]
fn create_until_killed() {
    let Some(top) = path_in(FOLDER) else { return };
    for number in fs::read_dir(&top).unwrap().count().. {
        drop(Keys::new().init(&top.join(format!("registry-{number}"))));
    }
}

#[test]
fn sync_until_killed() {
    let (Some(top), Some(cache)) = (path_in(FOLDER), path_in(CACHE)) else { return };
    let fingerprint = inklings_core::Digest::of(&fs::read(top.join("roots/1.json")).unwrap());
    let transport = connect(&Url::from_directory_path(&top).unwrap(), &[]).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    loop {
        let client = RegistryClient::new(transport.clone(), cache.clone(), fingerprint, client_options());
        let (cancel, progress) = (CancellationToken::new(), ProgressReporter::default());
        runtime.block_on(client.sync(day(1), &cancel, &progress)).unwrap();
        let catalog = client.catalog().unwrap().unwrap();
        for line in catalog.skills().flatten() {
            runtime.block_on(client.download(&catalog, line, day(1), &cancel, &progress)).unwrap();
        }
        fs::remove_dir_all(cache.join("packages")).unwrap();
        fs::remove_file(cache.join("state.json")).unwrap();
        fs::remove_dir_all(cache.join("index")).unwrap();
    }
}

#[tokio::test]
async fn a_killed_publisher_leaves_a_valid_registry_that_clients_can_sync() {
    let fixture = Fixture::new();
    let Fixture { top, cache, registry, .. } = &fixture;
    let (top, address) = (top.path().to_owned(), Url::from_directory_path(top.path()).unwrap());
    let client = connected(&address, cache.path(), registry, client_options());
    let Fixture { registry, cache: _cache, top: _top, .. } = fixture;
    drop(registry);
    let mut versions = 3;
    for round in 0..ROUNDS {
        kill_after(start("killed::publish_until_killed", &top, &top), round);
        let report = RegistryFolder::open(&top).unwrap().verify(&folder(), day(1)).unwrap();
        assert!(report.versions >= versions, "nothing that was published is lost");
        versions = report.versions;
        client.sync(day(1), &CancellationToken::new(), &ProgressReporter::default()).await.unwrap();
        let catalog = client.catalog().unwrap().unwrap();
        assert_eq!((catalog.serial, catalog.skills().flatten().count()), (report.serial, versions));
    }
    assert!(versions > 3, "it published something");
}

#[tokio::test]
async fn a_killed_sync_leaves_a_cache_that_the_next_one_completes() {
    let fixture = Fixture::new();
    let skills: Vec<_> = (0..40).map(|number| package(&format!("skill-{number}"), "1.0.0", "Text.")).collect();
    fixture.keys.publish(&fixture.registry, &skills, 1).unwrap();
    for round in 0..ROUNDS {
        kill_after(start("killed::sync_until_killed", fixture.top.path(), fixture.cache.path()), round);
        if let Some(catalog) = fixture.client.catalog().unwrap_or_default() {
            assert_eq!(catalog.skills().count(), 43, "a state is whole or isn't there");
        }
        fixture.sync(1).await.unwrap();
        assert_eq!(fixture.names().len(), 43);
        fixture.download("alpha", 1).await.unwrap();
    }
}

#[test]
fn a_registry_is_created_as_a_whole_or_not_at_all() {
    let (top, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (mut complete, mut hidden) = (0, 0);
    for round in 0..ROUNDS {
        let folder = top.path().join(round.to_string());
        fs::create_dir(&folder).unwrap();
        kill_after(start("killed::create_until_killed", &folder, cache.path()), round);
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().to_str().unwrap().starts_with('.') {
                hidden += 1;
            } else {
                RegistryFolder::open(&path).unwrap().verify(&crate::support::folder(), day(0)).unwrap();
                complete += 1;
            }
        }
    }
    assert!(complete > 0 && hidden > 0, "{complete} complete, {hidden} begun");
}
