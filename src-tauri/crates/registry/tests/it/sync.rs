//! Syncing with servers that behave, and with ones that fail.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use inklings_core::{CancellationToken, ProgressReporter};
use inklings_registry::client::{Catalogs, MarketplaceId, Pace, PackageStatus, RegistryClient, SyncError, fetch_config};
use inklings_registry::publish::Revoke;
use inklings_registry::transport::connect;
use inklings_registry::trust::TrustError;
use url::Url;

use crate::server::{Fault, Server};
use crate::support::{Fixture, Keys, at, client_options, connected, day, package, slug, version};

#[tokio::test]
async fn without_changes_a_sync_is_one_request() {
    let fixture = Fixture::new();
    assert!(fixture.client.catalog().unwrap().is_none());
    let first = fixture.sync(1).await.unwrap();
    assert_eq!((first.serial, first.root_version, first.fetched_shards, first.has_changed), (2, 1, 3, true));
    assert_eq!(fixture.names(), ["alpha", "beta", "gamma"]);
    fixture.server.received();
    let stamp = fixture.client.stamp();
    let second = fixture.sync(2).await.unwrap();
    assert_eq!((second.serial, second.fetched_shards, second.has_changed), (2, 0, false));
    let received = fixture.server.received();
    assert_eq!(received.iter().map(|one| one.path.as_str()).collect::<Vec<_>>(), ["snapshot.json"]);
    assert!(received[0].etag.is_some());
    assert_eq!(fixture.client.synced_at(), Some(day(2)));
    assert_eq!(fixture.client.stamp(), stamp, "the catalog needn't be read again");
}

#[tokio::test]
async fn only_changed_parts_are_fetched() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    fixture.publish("beta", "1.1.0", 1);
    fixture.server.received();
    let report = fixture.sync(1).await.unwrap();
    assert_eq!((report.serial, report.fetched_shards, report.has_changed), (3, 1, true));
    let paths = fixture.server.paths();
    assert_eq!(paths.len(), 3, "snapshot, root and one shard: {paths:?}");
    let catalog = fixture.catalog();
    assert_eq!(catalog.versions(&slug("beta")).len(), 2);
    assert_eq!(catalog.latest(&slug("beta"), &version("1.0.0")).unwrap().entry.version, version("1.1.0"));
    let index: usize =
        fs::read_dir(fixture.cache.path().join("index")).unwrap().map(|entry| fs::read_dir(entry.unwrap().path()).unwrap().count()).sum();
    assert_eq!(index, 3, "the replaced part was deleted");
}

#[tokio::test]
async fn a_server_without_etags_works() {
    let fixture = Fixture::new();
    fixture.server.omit_etags();
    fixture.sync(1).await.unwrap();
    let report = fixture.sync(1).await.unwrap();
    assert_eq!((report.fetched_shards, report.has_changed), (0, false));
}

#[tokio::test]
async fn a_folder_and_a_server_are_the_same_registry() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    let address = Url::from_directory_path(fixture.top.path()).unwrap();
    let cache = tempfile::tempdir().unwrap();
    let client = connected(&address, cache.path(), &fixture.registry, client_options());
    let (cancel, progress) = (CancellationToken::new(), ProgressReporter::default());
    assert!(client.sync(day(1), &cancel, &progress).await.unwrap().has_changed);
    assert!(!client.sync(day(1), &cancel, &progress).await.unwrap().has_changed);
    let catalog = client.catalog().unwrap().unwrap();
    assert!(catalog.skills().flatten().eq(fixture.catalog().skills().flatten()));
    let line = catalog.versions(&slug("alpha"))[0].clone();
    let bytes = client.download(&catalog, &line, day(1), &cancel, &progress).await.unwrap();
    assert_eq!(bytes, fs::read(fixture.registry.archive_path(&line.entry.sha256)).unwrap());
    let missing = connect(&Url::from_directory_path(cache.path().join("none")).unwrap(), &[]).unwrap();
    let client = RegistryClient::new(missing, cache.path().to_owned(), *fixture.registry.fingerprint(), client_options());
    assert!(client.sync(day(1), &cancel, &progress).await.unwrap_err().is_offline());
}

#[tokio::test]
async fn offline_the_catalog_stays() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    fixture.server.fail("", Fault::Drop);
    assert!(fixture.sync(2).await.unwrap_err().is_offline());
    assert_eq!(fixture.names(), ["alpha", "beta", "gamma"]);
    assert!(fixture.catalog().check_time(day(2)).is_ok());
    assert!(fixture.catalog().check_time(day(9)).is_err(), "it says when it is too old");
}

#[tokio::test]
async fn a_mirror_is_asked_when_a_server_fails() {
    let fixture = Fixture::new();
    let mirror = Server::new(fixture.top.path());
    let transport = connect(&fixture.server.address, std::slice::from_ref(&mirror.address)).unwrap();
    let client = RegistryClient::new(transport, fixture.cache.path().to_owned(), *fixture.registry.fingerprint(), client_options());
    let (cancel, progress) = (CancellationToken::new(), ProgressReporter::default());
    fixture.server.fail("", Fault::Status(503));
    assert!(client.sync(day(1), &cancel, &progress).await.unwrap().has_changed);
    mirror.received();
    assert!(!client.sync(day(1), &cancel, &progress).await.unwrap().has_changed);
    assert!(mirror.received()[0].etag.is_some());
    fixture.server.heal();
    fixture.server.received();
    assert!(!client.sync(day(1), &cancel, &progress).await.unwrap().has_changed);
    assert!(fixture.server.received()[0].etag.is_none(), "etags of the mirror are not for the server");
}

#[tokio::test]
async fn the_fingerprint_is_shown_before_a_registry_is_trusted() {
    let fixture = Fixture::new();
    let transport = connect(&fixture.server.address, &[]).unwrap();
    let config = fetch_config(&*transport, &client_options(), &CancellationToken::new()).await.unwrap();
    assert_eq!((config.registry.as_str(), config.fingerprint), ("test.example", *fixture.registry.fingerprint()));
    fixture.server.fail("config.json", Fault::Endless);
    let error = fetch_config(&*transport, &client_options(), &CancellationToken::new()).await.unwrap_err();
    assert!(matches!(error, SyncError::TooLong { .. }), "{error}");
}

/// Files of a first sync, in the order of its requests.
const STAGES: [&str; 5] = ["roots/1.json", "snapshot.json", "roots/2.json", "revoked/", "index/"];

#[tokio::test]
async fn a_sync_that_fails_at_any_stage_leaves_the_former_state() {
    for stage in STAGES {
        for fault in [Fault::Drop, Fault::Cut(10), Fault::Status(500), Fault::Status(301), Fault::Replace(b"{}".to_vec())] {
            let mut fixture = Fixture::new();
            if stage == "roots/1.json" {
                fixture.server.fail(stage, fault.clone());
                assert!(fixture.sync(1).await.is_err(), "{stage} {fault:?}");
                assert!(fixture.client.catalog().unwrap().is_none());
                fixture.server.heal();
            }
            fixture.sync(1).await.unwrap();
            fixture.update_root(1, |root| root.title = "New".to_owned());
            fixture.publish("delta", "1.0.0", 1);
            fixture.signing(|registry, keys| {
                registry.revoke(Revoke { slug: &slug("beta"), version: &version("1.0.0"), reason: "bad" }, keys, at(1)).unwrap()
            });
            if stage != "roots/1.json" {
                fixture.server.fail(stage, fault.clone());
                assert!(fixture.sync(1).await.is_err(), "{stage} {fault:?}");
                assert_eq!((fixture.catalog().serial, fixture.names().len()), (2, 3), "{stage} {fault:?}");
                fixture.server.heal();
            }
            let report = fixture.sync(1).await.unwrap();
            assert_eq!((report.serial, report.root_version), (5, 2), "{stage} {fault:?}");
            assert_eq!(fixture.names(), ["alpha", "beta", "delta", "gamma"], "{stage} {fault:?}");
        }
    }
}

#[tokio::test]
async fn missing_files_fail_the_sync_except_the_next_root() {
    for stage in ["snapshot.json", "revoked/", "index/"] {
        let fixture = Fixture::new();
        fixture.server.fail(stage, Fault::Status(404));
        assert!(matches!(fixture.sync(1).await, Err(SyncError::NotFound { .. })), "{stage}");
        assert!(fixture.client.catalog().unwrap().is_none());
        fixture.server.heal();
        fixture.sync(1).await.unwrap();
    }
}

#[tokio::test]
async fn failures_that_pass_are_tried_again() {
    let fixture = Fixture::new();
    let client = fixture.client_with(inklings_registry::client::ClientOptions { attempts: 3, ..client_options() });
    for stage in ["roots/1.json", "snapshot.json", "revoked/", "index/"] {
        fixture.server.fail_times(stage, Fault::Cut(5), 2);
    }
    client.sync(day(1), &CancellationToken::new(), &ProgressReporter::default()).await.unwrap();
    assert_eq!(fixture.server.paths().iter().filter(|path| *path == "snapshot.json").count(), 3);
}

#[tokio::test]
async fn parts_of_a_sync_that_did_not_complete_are_not_fetched_again() {
    let fixture = Fixture::new();
    let client = fixture.client_with(inklings_registry::client::ClientOptions { parallel: 1, ..client_options() });
    let (cancel, progress) = (CancellationToken::new(), ProgressReporter::default());
    let shards: Vec<String> = {
        let mut all: Vec<_> = fs::read_dir(fixture.top.path().join("index"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        all.sort();
        all
    };
    fixture.server.fail(&format!("index/{}", shards[2]), Fault::Drop);
    client.sync(day(1), &cancel, &progress).await.unwrap_err();
    fixture.server.heal();
    assert_eq!(client.sync(day(1), &cancel, &progress).await.unwrap().fetched_shards, 1);
}

#[tokio::test]
async fn a_damaged_cache_is_repaired_by_the_next_sync() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    let index = fixture.cache.path().join("index");
    let shard = fs::read_dir(&index).unwrap().next().unwrap().unwrap().path();
    let file = fs::read_dir(shard).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&file).unwrap();
    bytes[10] ^= 1;
    fs::write(&file, bytes).unwrap();
    assert!(matches!(fixture.client.catalog(), Err(SyncError::Damaged(_))));
    assert_eq!(fixture.sync(1).await.unwrap().fetched_shards, 1);
    assert_eq!(fixture.names().len(), 3);
    fs::write(fixture.cache.path().join("state.json"), "{").unwrap();
    assert!(fixture.client.catalog().unwrap().is_none());
    fixture.sync(1).await.unwrap();
    assert_eq!(fixture.names().len(), 3);
}

#[tokio::test]
async fn two_processes_do_not_sync_at_once() {
    let fixture = Fixture::new();
    fixture.server.fail("snapshot.json", Fault::Silent);
    let other = fixture.client_with(client_options());
    let task = tokio::spawn(async move { other.sync(day(1), &CancellationToken::new(), &ProgressReporter::default()).await });
    while !fixture.server.paths().contains(&"snapshot.json".to_owned()) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(matches!(fixture.sync(1).await, Err(SyncError::Busy(_))));
    task.abort();
    let _ = task.await;
    fixture.server.heal();
    fixture.sync(1).await.unwrap();
}

#[tokio::test]
async fn canceling_ends_a_sync_at_once() {
    let fixture = Fixture::new();
    fixture.server.fail("index/", Fault::Silent);
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let started = Instant::now();
    let progress = ProgressReporter::new(move |_| stop.cancel());
    let error = fixture.client.sync(day(1), &cancel, &progress).await.unwrap_err();
    assert!(matches!(error, SyncError::Cancelled), "{error}");
    assert!(started.elapsed() < Duration::from_secs(5));
    assert!(fixture.client.catalog().unwrap().is_none());
}

#[tokio::test]
async fn slow_servers_are_given_up() {
    let pace = Pace { silence: Duration::from_millis(300), period: Duration::from_millis(300), bytes: 1_000 };
    for fault in [Fault::Silent, Fault::Trickle(Duration::from_millis(20))] {
        let fixture = Fixture::new();
        let client = fixture.client_with(inklings_registry::client::ClientOptions { pace, ..client_options() });
        fixture.server.fail("snapshot.json", fault.clone());
        let error = client.sync(day(1), &CancellationToken::new(), &ProgressReporter::default()).await.unwrap_err();
        assert!(matches!(error, SyncError::TooSlow { .. }), "{fault:?}: {error}");
    }
}

#[tokio::test]
async fn an_app_that_is_too_old_gets_an_error_that_says_so() {
    let mut fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    fixture.update_root(1, |root| root.minimum_client = version("9.0.0"));
    let error = fixture.sync(1).await.unwrap_err();
    assert!(matches!(error, SyncError::Trust(TrustError::Client(_))), "{error}");
    assert_eq!(error.hint(), "update the app");
}

#[tokio::test]
async fn installed_packages_have_a_status() {
    let fixture = Fixture::new();
    fixture.publish("alpha", "1.1.0", 1);
    fixture.publish("alpha", "2.0.0-beta", 1);
    let (one, app) = (version("1.0.0"), version("1.0.0"));
    fixture.sync(1).await.unwrap();
    let catalog = fixture.catalog();
    let hash = |name: &str| catalog.versions(&slug(name))[0].entry.sha256;
    let (alpha, beta, gamma) = (hash("alpha"), hash("beta"), hash("gamma"));
    fixture.signing(|registry, keys| {
        registry.yank(&slug("beta"), &one, Some("broken"), keys, at(1)).unwrap();
        registry.revoke(Revoke { slug: &slug("gamma"), version: &one, reason: "bad" }, keys, at(1)).unwrap();
    });
    fixture.sync(1).await.unwrap();
    let catalog = fixture.catalog();
    let status = |name: &str, hash| catalog.status(&slug(name), &one, hash, &app);
    assert_eq!(status("alpha", &alpha), PackageStatus::Update(version("1.1.0")));
    assert_eq!(status("beta", &beta), PackageStatus::Yanked { reason: "broken".to_owned(), update: None });
    assert!(matches!(status("gamma", &gamma), PackageStatus::Revoked { update: None, .. }));
    assert_eq!(status("alpha", &beta), PackageStatus::Unknown);
    assert!(catalog.latest(&slug("beta"), &app).is_none() && catalog.latest(&slug("gamma"), &app).is_none());
    assert_eq!(catalog.publisher(&catalog.versions(&slug("alpha"))[0]), Some("Tester"));
}

#[tokio::test]
async fn the_registry_with_the_highest_priority_wins() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    let (top, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let keys = Keys::new();
    let mut options = keys.init_options();
    options.registry = "other.example".parse().unwrap();
    let signing = inklings_registry::publish::SigningKeys { snapshot: &[&keys.snapshot] };
    let registry = inklings_registry::publish::RegistryFolder::init(top.path(), options, &[&keys.root], &signing, at(0)).unwrap();
    keys.publish(&registry, &[package("alpha", "9.0.0", "Other."), package("zeta", "1.0.0", "Zeta.")], 1).unwrap();
    let client = connected(&Url::from_directory_path(top.path()).unwrap(), cache.path(), &registry, client_options());
    client.sync(day(1), &CancellationToken::new(), &ProgressReporter::default()).await.unwrap();
    let other = client.catalog().unwrap().unwrap();
    let catalogs = Catalogs::new(vec![(1, other.clone().into()), (5, fixture.catalog().into()), (0, fixture.catalog().into())]);
    let found = catalogs.find(&slug("alpha")).unwrap();
    assert_eq!((found.catalog.registry().as_str(), found.versions.len()), ("test.example", 1));
    let id: MarketplaceId = "other.example/alpha".parse().unwrap();
    assert_eq!(catalogs.get(&id).unwrap().hidden_by.unwrap().as_str(), "test.example");
    let all: Vec<_> = catalogs.offers().iter().map(|offer| (offer.versions[0].entry.slug.to_string(), offer.hidden_by.is_some())).collect();
    let expected = [("alpha", false), ("alpha", true), ("beta", false), ("gamma", false), ("zeta", false)];
    assert_eq!(all, expected.map(|(name, hidden)| (name.to_owned(), hidden)));
    let reversed = Catalogs::new(vec![(5, other.into()), (1, fixture.catalog().into())]);
    assert_eq!(reversed.find(&slug("alpha")).unwrap().catalog.registry().as_str(), "other.example");
}

#[tokio::test]
async fn progress_counts_the_parts() {
    let fixture = Fixture::new();
    let last = Arc::new(AtomicU64::new(0));
    let seen = last.clone();
    let progress = ProgressReporter::new(move |progress| seen.store(progress.done * 100 + progress.total.unwrap(), Ordering::Relaxed));
    fixture.client.sync(day(1), &CancellationToken::new(), &progress).await.unwrap();
    assert_eq!(last.load(Ordering::Relaxed), 303);
}
