//! The attacks that The Update Framework lists, with the tests against them:
//!
//! | attack | tests |
//! |---|---|
//! | arbitrary software installation | `arbitrary_software_*` |
//! | endless data | `endless_data_*` |
//! | extraneous dependencies | `extraneous_dependencies_*` |
//! | fast-forward | `fast_forward_*` |
//! | indefinite freeze | `freeze_*` |
//! | malicious mirrors preventing updates | `malicious_mirror_*` |
//! | mix-and-match | `mix_and_match_*` |
//! | rollback | `rollback_*` |
//! | slow retrieval | `slow_retrieval_*` |
//! | vulnerability to key compromises | `key_compromise_*` |
//! | wrong software installation | `wrong_software_*` |

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use inklings_core::{CancellationToken, ProgressReporter};
use inklings_registry::client::{ClientOptions, Pace, RegistryClient, SyncError};
use inklings_registry::format::{FileReference, IndexLine, Publisher, Role, Shard, ShardId, revocations_path, shard_path};
use inklings_registry::keys::SecretKey;
use inklings_registry::limits;
use inklings_registry::publish::{Revoke, SigningKeys};
use inklings_registry::transport::{Body, Content, Request, Response, Transport, TransportError, connect};
use inklings_registry::trust::TrustError;

use crate::server::{Fault, Server};
use crate::support::{Fixture, at, client_options, day, key, slug, version};

/// The reason for which the next sync fails. The former state must stay.
async fn refused(fixture: &Fixture, number: u32) -> TrustError {
    let before = fixture.client.catalog().unwrap().map(|catalog| catalog.serial);
    let error = fixture.sync(number).await.unwrap_err();
    assert_eq!(fixture.client.catalog().unwrap().map(|catalog| catalog.serial), before, "{error}");
    let SyncError::Trust(error) = error else { unreachable!("{error}") };
    error
}

/// Replaces the part of the index with a skill, as an attacker with the snapshot key could.
pub(crate) fn forge_shard(fixture: &Fixture, name: &str, signer: &SecretKey, edit: impl FnOnce(&mut Shard)) {
    let id = ShardId::of(&slug(name));
    fixture.forge_snapshot(signer, |snapshot| {
        let before = snapshot.shards[&id];
        let mut shard = Shard::parse(&fixture.read(&shard_path(id, &before.sha256))).unwrap();
        edit(&mut shard);
        let bytes = shard.to_bytes().unwrap();
        let reference = FileReference::of(&bytes);
        fixture.write(&shard_path(id, &reference.sha256), &bytes);
        snapshot.shards.insert(id, reference);
        snapshot.serial += 1;
    });
}

pub(crate) fn sign(
    fixture: &Fixture,
    line: &IndexLine,
    signer: &SecretKey,
    edit: impl FnOnce(&mut inklings_registry::format::PackageEntry),
) -> IndexLine {
    let mut entry = line.entry.clone();
    edit(&mut entry);
    IndexLine::sign(entry, &fixture.registry.root().document().registry, signer).unwrap()
}

#[tokio::test]
async fn arbitrary_software_of_a_server_without_keys_is_refused() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    fixture.forge_snapshot(&key(66), |snapshot| snapshot.serial += 1);
    assert!(matches!(refused(&fixture, 1).await, TrustError::Signatures { valid: 0, needed: 1, .. }));
}

#[tokio::test]
async fn arbitrary_software_of_another_registry_is_refused() {
    let fixture = Fixture::new();
    let other = Fixture::new();
    let mut root = fixture.read("roots/1.json");
    root[30] ^= 1;
    fixture.server.fail("roots/1.json", Fault::Replace(root));
    assert!(matches!(refused(&fixture, 1).await, TrustError::Fingerprint { .. }));
    fixture.server.heal();
    fixture.sync(1).await.unwrap();
    // Signed by the same key, for another registry.
    other.forge_snapshot(&key(2), |snapshot| {
        snapshot.registry = "other.example".parse().unwrap();
        snapshot.serial += 1;
    });
    fixture.server.fail("snapshot.json", Fault::Replace(other.read("snapshot.json")));
    assert!(matches!(refused(&fixture, 1).await, TrustError::Registry { .. }));
}

#[tokio::test]
async fn endless_data_ends_at_the_limit_of_each_file() {
    for stage in ["roots/1.json", "snapshot.json", "roots/2.json", "revoked/", "index/"] {
        let fixture = Fixture::new();
        fixture.server.fail(stage, Fault::Endless);
        let error = fixture.sync(1).await.unwrap_err();
        assert!(matches!(error, SyncError::TooLong { .. }), "{stage}: {error}");
        assert!(fixture.client.catalog().unwrap().is_none());
    }
}

/// A server in memory that sends blanks.
#[derive(Debug, Default, Clone)]
struct Blanks(Arc<AtomicU64>);

#[async_trait]
impl Transport for Blanks {
    async fn get(&self, _: Request<'_>) -> Result<Response, TransportError> {
        Ok(Response::Content(Content { etag: None, start: 0, body: Box::new(self.clone()) }))
    }
}

#[async_trait]
impl Body for Blanks {
    async fn chunk(&mut self) -> Result<Option<Bytes>, TransportError> {
        self.0.fetch_add(1_024, Ordering::Relaxed);
        Ok(Some(Bytes::from_static(&[b' '; 1_024])))
    }
}

#[tokio::test]
async fn endless_data_is_read_up_to_the_limit_only() {
    let fixture = Fixture::new();
    let blanks = Blanks::default();
    let cache = tempfile::tempdir().unwrap();
    let client = RegistryClient::new(Arc::new(blanks.clone()), cache.path().to_owned(), *fixture.registry.fingerprint(), client_options());
    let error = client.sync(day(1), &CancellationToken::new(), &ProgressReporter::default()).await.unwrap_err();
    assert!(matches!(error, SyncError::TooLong { max: limits::ROOT_BYTES, .. }), "{error}");
    assert_eq!(blanks.0.load(Ordering::Relaxed), limits::ROOT_BYTES + 1_024);
}

#[tokio::test]
async fn extraneous_dependencies_break_the_publishers_signature() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    forge_shard(&fixture, "alpha", &key(2), |shard| {
        let line = shard.lines[0].clone();
        let mut forged = sign(&fixture, &line, &key(3), |entry| entry.requires.skills = [slug("evil")].into());
        forged.signature = line.signature;
        shard.put(forged);
    });
    assert!(matches!(refused(&fixture, 1).await, TrustError::PackageSignature { .. }));
}

#[tokio::test]
async fn fast_forward_is_undone_by_new_snapshot_keys() {
    let mut fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    let honest = fixture.read("snapshot.json");
    fixture.forge_snapshot(&key(2), |snapshot| snapshot.serial = u64::MAX);
    assert_eq!(fixture.sync(1).await.unwrap().serial, u64::MAX, "whoever has the key can do this");
    fixture.write("snapshot.json", &honest);
    assert!(matches!(refused(&fixture, 1).await, TrustError::Rollback { .. }));
    let new = key(21);
    let role = Role::new(1, [new.public()]);
    let signing = SigningKeys { snapshot: &[&new] };
    fixture.registry.update_root(|root| root.snapshot = role, &[&fixture.keys.root], &signing, at(1)).unwrap();
    assert_eq!(fixture.sync(1).await.unwrap().serial, 3);
    assert_eq!(fixture.names(), ["alpha", "beta", "gamma"]);
    // The old key is worth nothing now.
    fixture.forge_snapshot(&key(2), |snapshot| snapshot.serial = u64::MAX);
    assert!(matches!(refused(&fixture, 1).await, TrustError::Signatures { .. }));
}

#[tokio::test]
async fn fast_forward_recovery_survives_a_failed_sync() {
    let mut fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    let honest = fixture.read("snapshot.json");
    fixture.forge_snapshot(&key(2), |snapshot| snapshot.serial = 1_000);
    fixture.sync(1).await.unwrap();
    fixture.write("snapshot.json", &honest);
    let new = key(21);
    let role = Role::new(1, [new.public()]);
    let signing = SigningKeys { snapshot: &[&new] };
    fixture.registry.update_root(|root| root.snapshot = role, &[&fixture.keys.root], &signing, at(1)).unwrap();
    fixture.server.fail("snapshot.json", Fault::Replace(honest));
    // The new root is stored, the snapshot isn't.
    assert!(matches!(refused(&fixture, 1).await, TrustError::Signatures { .. }));
    assert_eq!(fixture.names().len(), 3, "the former state is still shown");
    fixture.server.heal();
    assert_eq!(fixture.sync(1).await.unwrap().serial, 3);
}

#[tokio::test]
async fn freeze_is_noticed_when_the_snapshot_expires() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    assert!(!fixture.sync(7).await.unwrap().has_changed);
    assert!(matches!(refused(&fixture, 8).await, TrustError::Expired { path, .. } if path == "snapshot.json"));
    // "Not modified" isn't an answer either.
    fixture.server.fail("snapshot.json", Fault::Status(304));
    assert!(fixture.sync(8).await.is_err());
    assert!(fixture.catalog().check_time(day(8)).is_err());
}

#[tokio::test]
async fn freeze_of_the_root_is_noticed_when_it_expires() {
    let mut fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    fixture.signing(|registry, keys| registry.refresh(keys, at(364)).unwrap());
    fixture.sync(364).await.unwrap();
    assert!(matches!(refused(&fixture, 365).await, TrustError::Expired { path, .. } if path == "roots/1.json"));
    fixture.update_root(364, |root| root.expires = day(700));
    assert_eq!(fixture.sync(365).await.unwrap().root_version, 2);
}

#[tokio::test]
async fn malicious_mirror_can_not_prevent_updates_forever() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    let old = tempfile::tempdir().unwrap();
    copy(fixture.top.path(), old.path());
    let mirror = Server::new(old.path());
    fixture.publish("alpha", "1.1.0", 5);
    let transport = connect(&mirror.address, &[]).unwrap();
    let client = RegistryClient::new(transport, fixture.cache.path().to_owned(), *fixture.registry.fingerprint(), client_options());
    let sync = async |number| client.sync(day(number), &CancellationToken::new(), &ProgressReporter::default()).await;
    assert_eq!(sync(5).await.unwrap().serial, 2);
    assert!(matches!(sync(9).await, Err(SyncError::Trust(TrustError::Expired { .. }))), "it is noticed");
    assert_eq!(fixture.sync(9).await.unwrap().serial, 3, "and another server helps");
    assert!(matches!(sync(9).await, Err(SyncError::Trust(TrustError::Rollback { known: 3, found: 2 }))));
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[tokio::test]
async fn mix_and_match_of_parts_of_different_times_is_refused() {
    let fixture = Fixture::new();
    let id = ShardId::of(&slug("alpha"));
    let index = fixture.top.path().join(format!("index/{id}"));
    let old = fs::read(fs::read_dir(&index).unwrap().next().unwrap().unwrap().path()).unwrap();
    fixture.sync(1).await.unwrap();
    fixture.publish("alpha", "1.1.0", 1);
    fixture.server.fail(&format!("index/{id}/"), Fault::Replace(old));
    assert!(matches!(refused(&fixture, 1).await, TrustError::Content { .. }));
}

#[tokio::test]
async fn mix_and_match_of_parts_of_the_index_is_refused() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    let (alpha, beta) = (ShardId::of(&slug("alpha")), ShardId::of(&slug("beta")));
    fixture.forge_snapshot(&key(2), |snapshot| {
        let reference = snapshot.shards[&beta];
        let bytes = fixture.read(&shard_path(beta, &reference.sha256));
        fixture.write(&shard_path(alpha, &reference.sha256), &bytes);
        snapshot.shards.insert(alpha, reference);
        snapshot.serial += 1;
    });
    assert!(matches!(refused(&fixture, 1).await, TrustError::Misplaced { .. }));
}

#[tokio::test]
async fn mix_and_match_of_two_states_with_one_serial_is_refused() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    fixture.forge_snapshot(&key(2), |snapshot| snapshot.shards.clear());
    assert!(matches!(refused(&fixture, 1).await, TrustError::Equivocation(2)));
}

#[tokio::test]
async fn rollback_of_the_snapshot_is_refused() {
    let fixture = Fixture::new();
    let old = fixture.read("snapshot.json");
    fixture.publish("alpha", "1.1.0", 1);
    fixture.sync(1).await.unwrap();
    fixture.server.fail("snapshot.json", Fault::Replace(old));
    assert!(matches!(refused(&fixture, 1).await, TrustError::Rollback { known: 3, found: 2 }));
}

#[tokio::test]
async fn rollback_of_the_root_is_refused() {
    let mut fixture = Fixture::new();
    fixture.update_root(1, |root| root.title = "Two".to_owned());
    fixture.sync(1).await.unwrap();
    for old in ["roots/1.json", "roots/2.json"] {
        fixture.publish("alpha", if old == "roots/1.json" { "1.1.0" } else { "1.2.0" }, 1);
        fixture.server.fail("roots/3.json", Fault::Replace(fixture.read(old)));
        assert!(matches!(refused(&fixture, 1).await, TrustError::RootVersion { expected: 3, .. }), "{old}");
    }
    // A new client that gets an older root in place of the second one.
    fs::remove_file(fixture.cache.path().join("state.json")).unwrap();
    fixture.server.fail("roots/2.json", Fault::Replace(fixture.read("roots/1.json")));
    assert!(matches!(refused(&fixture, 1).await, TrustError::RootVersion { expected: 2, found: 1 }));
}

#[tokio::test]
async fn rollback_of_a_revocation_or_a_version_is_refused() {
    let fixture = Fixture::new();
    let unrevoked = fixture.read(&revocations_of(&fixture));
    fixture.signing(|registry, keys| {
        registry.revoke(Revoke { slug: &slug("beta"), version: &version("1.0.0"), reason: "bad" }, keys, at(1)).unwrap()
    });
    fixture.sync(1).await.unwrap();
    let honest = fixture.read("snapshot.json");
    fixture.forge_snapshot(&key(2), |snapshot| {
        snapshot.revoked = FileReference::of(&unrevoked);
        snapshot.serial += 1;
    });
    fixture.write(&revocations_of(&fixture), &unrevoked);
    assert!(matches!(refused(&fixture, 1).await, TrustError::Unrevoked { .. }));
    fixture.write("snapshot.json", &honest);
    // Even its publisher can't replace a version.
    forge_shard(&fixture, "alpha", &key(2), |shard| {
        let line = shard.lines[0].clone();
        shard.put(sign(&fixture, &line, &key(3), |entry| entry.sha256 = inklings_core::Digest::of(b"other")));
    });
    assert!(matches!(refused(&fixture, 1).await, TrustError::Replaced { .. }));
}

fn revocations_of(fixture: &Fixture) -> String {
    let file = fixture.read("snapshot.json");
    let snapshot = fixture.registry.root().snapshot(&file).unwrap().document;
    revocations_path(&snapshot.revoked.sha256)
}

#[tokio::test]
async fn slow_retrieval_ends_at_each_stage() {
    let pace = Pace { silence: Duration::from_millis(200), period: Duration::from_millis(200), bytes: 1_000 };
    for stage in ["roots/1.json", "snapshot.json", "roots/2.json", "revoked/", "index/"] {
        for fault in [Fault::Silent, Fault::Trickle(Duration::from_millis(20))] {
            let fixture = Fixture::new();
            // The next root doesn't exist yet.
            let fault = if stage == "roots/2.json" { Fault::Silent } else { fault };
            fixture.server.fail(stage, fault);
            let client = fixture.client_with(ClientOptions { pace, ..client_options() });
            let error = client.sync(day(1), &CancellationToken::new(), &ProgressReporter::default()).await.unwrap_err();
            assert!(matches!(error, SyncError::TooSlow { .. }), "{stage}: {error}");
        }
    }
}

#[tokio::test]
async fn key_compromise_of_one_root_key_of_two_is_not_enough() {
    let mut fixture = Fixture::new();
    let (first, second) = (key(31), key(32));
    let role = Role::new(2, [first.public(), second.public()]);
    let signing = SigningKeys { snapshot: &[&fixture.keys.snapshot] };
    fixture.registry.update_root(|root| root.root = role, &[&fixture.keys.root, &first, &second], &signing, at(1)).unwrap();
    fixture.sync(1).await.unwrap();
    fixture.publish("alpha", "1.1.0", 1);
    let forge = |signers: &[&SecretKey]| {
        let mut document = fixture.registry.root().document().clone();
        document.version += 1;
        document.snapshot = Role::new(1, [key(66).public()]);
        document.root = Role::new(1, [key(66).public()]);
        let registry = document.registry.clone();
        let signed = inklings_registry::format::Signed::sign(document, inklings_registry::keys::Purpose::Root, &registry, signers).unwrap();
        Fault::Replace(signed.to_file().unwrap())
    };
    for signers in [&[&key(66)][..], &[&first, &key(66)], &[&fixture.keys.root, &first, &key(66)]] {
        fixture.server.fail("roots/3.json", forge(signers));
        assert!(matches!(refused(&fixture, 1).await, TrustError::Signatures { needed: 2, .. }));
    }
    // And the new keys must sign, too.
    fixture.server.fail("roots/3.json", forge(&[&first, &second]));
    assert!(matches!(refused(&fixture, 1).await, TrustError::Signatures { needed: 1, .. }));
}

#[tokio::test]
async fn key_compromise_of_the_snapshot_key_can_not_forge_packages() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    forge_shard(&fixture, "alpha", &key(2), |shard| {
        let line = shard.lines[0].clone();
        shard.put(sign(&fixture, &line, &key(2), |entry| entry.version = version("9.0.0")));
    });
    let report = fixture.sync(1).await.unwrap();
    assert!(report.has_changed);
    let catalog = fixture.catalog();
    assert_eq!((catalog.versions(&slug("alpha")).len(), catalog.distrusted), (1, 1), "a line of an unknown publisher isn't shown");
}

#[tokio::test]
async fn key_compromise_of_a_publisher_ends_with_the_next_root() {
    let mut fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    fixture.update_root(1, |root| root.publishers = vec![Publisher { key: key(41).public(), name: "New".to_owned() }]);
    fixture.sync(1).await.unwrap();
    assert!(fixture.names().is_empty());
    assert_eq!(fixture.catalog().distrusted, 3);
}

#[tokio::test]
async fn wrong_software_in_place_of_a_package_is_refused() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    let catalog = fixture.catalog();
    let path = |name: &str| inklings_registry::format::package_path(&catalog.versions(&slug(name))[0].entry.sha256);
    fixture.server.fail(&path("alpha"), Fault::Replace(fixture.read(&path("beta"))));
    fixture.download("alpha", 1).await.unwrap_err();
    // Nor can a publisher's line for one skill be used for another.
    forge_shard(&fixture, "alpha", &key(2), |shard| {
        let line = shard.lines[0].clone();
        let mut forged = sign(&fixture, &line, &key(3), |entry| entry.version = version("2.0.0"));
        forged.signature = line.signature;
        shard.put(forged);
    });
    assert!(matches!(refused(&fixture, 1).await, TrustError::PackageSignature { .. }));
}
