//! Downloading packages.

use std::fs;

use inklings_core::{CancellationToken, ProgressReporter};
use inklings_registry::client::{ClientOptions, SyncError};
use inklings_registry::format::package_path;
use inklings_registry::package::{PackageError, decode};
use inklings_registry::publish::Revoke;
use inklings_registry::trust::TrustError;

use crate::attacks::{forge_shard, sign};
use crate::server::Fault;
use crate::support::{Fixture, at, client_options, day, folder, package_of, slug, version};

/// Path of the package of a skill.
fn path_of(fixture: &Fixture, name: &str) -> String {
    package_path(&fixture.catalog().versions(&slug(name))[0].entry.sha256)
}

#[tokio::test]
async fn a_package_is_downloaded_once_and_is_what_its_entry_states() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    let bytes = fixture.download("alpha", 1).await.unwrap();
    assert_eq!(bytes, fixture.read(&path_of(&fixture, "alpha")));
    let catalog = fixture.catalog();
    let entry = &catalog.versions(&slug("alpha"))[0].entry;
    assert_eq!(decode(&folder(), entry, &bytes).unwrap().slug, slug("alpha"));
    fixture.server.received();
    assert_eq!(fixture.download("alpha", 1).await.unwrap(), bytes);
    assert!(fixture.server.paths().is_empty(), "it is in the cache");
}

#[tokio::test]
async fn an_interrupted_download_is_continued() {
    for ignores_ranges in [false, true] {
        let fixture = Fixture::new();
        fixture.sync(1).await.unwrap();
        if ignores_ranges {
            fixture.server.ignore_ranges();
        }
        let path = path_of(&fixture, "alpha");
        for fault in [Fault::Cut(100), Fault::CutSilently(100)] {
            fixture.server.fail(&path, fault);
            fixture.download("alpha", 1).await.unwrap_err();
        }
        fixture.server.heal();
        fixture.server.received();
        assert_eq!(fixture.download("alpha", 1).await.unwrap(), fixture.read(&path));
        let range = if ignores_ranges { "bytes=100-" } else { "bytes=200-" };
        assert_eq!(fixture.server.received()[0].range.as_deref(), Some(range));
        let left = fs::read_dir(fixture.cache.path().join(&path).parent().unwrap()).unwrap().count();
        assert_eq!(left, 1, "nothing else is left");
    }
}

#[tokio::test]
async fn a_download_continues_by_itself_when_connections_are_cut() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    let path = path_of(&fixture, "alpha");
    let client = fixture.client_with(ClientOptions { attempts: 4, ..client_options() });
    fixture.server.fail_times(&path, Fault::Cut(50), 3);
    fixture.server.received();
    let catalog = fixture.catalog();
    let line = catalog.versions(&slug("alpha"))[0].clone();
    let bytes = client.download(&catalog, &line, day(1), &CancellationToken::new(), &ProgressReporter::default()).await.unwrap();
    assert_eq!(bytes, fixture.read(&path));
    let ranges: Vec<_> = fixture.server.received().into_iter().map(|one| one.range).collect();
    let expected = [None, Some("bytes=50-"), Some("bytes=100-"), Some("bytes=150-")];
    assert_eq!(ranges, expected.map(|range| range.map(str::to_owned)));
}

#[tokio::test]
async fn a_begun_download_of_other_bytes_starts_again() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    let path = path_of(&fixture, "alpha");
    let part = fixture.cache.path().join(format!("{path}.part"));
    fs::create_dir_all(part.parent().unwrap()).unwrap();
    let whole = fixture.read(&path);
    for begun in [vec![b'x'; 30], vec![b'x'; whole.len()], vec![b'x'; whole.len() + 10]] {
        fs::write(&part, begun).unwrap();
        assert_eq!(fixture.download("alpha", 1).await.unwrap(), whole);
        fs::remove_file(fixture.cache.path().join(&path)).unwrap();
    }
}

#[tokio::test]
async fn wrong_packages_are_refused_and_not_kept() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    let path = path_of(&fixture, "alpha");
    let (whole, other) = (fixture.read(&path), fixture.read(&path_of(&fixture, "beta")));
    let longer = [whole.clone(), b"x".to_vec()].concat();
    let mut altered = whole.clone();
    altered[40] ^= 1;
    let truncated = whole[..whole.len() - 1].to_vec();
    for (what, bytes) in [("other", other), ("longer", longer), ("altered", altered), ("truncated", truncated)] {
        fixture.server.fail(&path, Fault::Replace(bytes));
        let error = fixture.download("alpha", 1).await.unwrap_err();
        assert!(matches!(error, SyncError::Trust(_) | SyncError::TooLong { .. } | SyncError::Transport { .. }), "{what}: {error}");
        assert!(!fixture.cache.path().join(&path).exists(), "{what}");
        fixture.server.heal();
        assert_eq!(fixture.download("alpha", 1).await.unwrap(), whole, "{what}");
        fs::remove_file(fixture.cache.path().join(&path)).unwrap();
    }
    fixture.server.fail(&path, Fault::Endless);
    assert!(matches!(fixture.download("alpha", 1).await, Err(SyncError::TooLong { .. })));
}

#[tokio::test]
async fn revoked_packages_and_stale_catalogs_are_refused() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    fixture.download("alpha", 1).await.unwrap();
    let stale = fixture.download("beta", 30).await.unwrap_err();
    assert!(matches!(stale, SyncError::Trust(TrustError::Expired { .. })), "{stale}");
    fixture.signing(|registry, keys| {
        registry.revoke(Revoke { slug: &slug("alpha"), version: &version("1.0.0"), reason: "bad" }, keys, at(1)).unwrap()
    });
    fixture.sync(1).await.unwrap();
    let error = fixture.download("alpha", 1).await.unwrap_err();
    assert_eq!(error.to_string(), "alpha 1.0.0 was revoked: bad", "even though it is in the cache");
}

#[tokio::test]
async fn a_package_that_does_not_match_its_entry_is_refused() {
    let fixture = Fixture::new();
    fixture.sync(1).await.unwrap();
    let bytes = fixture.download("alpha", 1).await.unwrap();
    let entry = fixture.catalog().versions(&slug("alpha"))[0].entry.clone();
    let refused = |edit: &dyn Fn(&mut inklings_registry::format::PackageEntry)| {
        let mut entry = entry.clone();
        edit(&mut entry);
        decode(&folder(), &entry, &bytes).unwrap_err()
    };
    let fields: [(&str, PackageError); 6] = [
        ("name", refused(&|entry| entry.slug = slug("beta"))),
        ("version", refused(&|entry| entry.version = version("2.0.0"))),
        ("title", refused(&|entry| entry.title = "Other".to_owned())),
        ("description", refused(&|entry| entry.description = "Other".to_owned())),
        ("number of files", refused(&|entry| entry.files = 2)),
        ("list of permissions", refused(&|entry| entry.permissions = ["code".parse().unwrap()].into())),
    ];
    for (expected, error) in fields {
        assert!(matches!(error, PackageError::Mismatch { field, .. } if field == expected), "{expected}: {error}");
    }
    let error = decode(&folder(), &entry, b"PK").unwrap_err();
    assert!(matches!(error, PackageError::Content { .. }), "{error}");
}

#[tokio::test]
async fn permissions_that_an_older_publisher_did_not_state_are_refused_by_clients_only() {
    let fixture = Fixture::new();
    let text = "---\nname: runner\ndescription: Runs a script.\nmetadata:\n  version: 1.0.0\n---\nRun it.\n";
    let runner = package_of("runner", &[("SKILL.md", text), ("run.sh", "echo\n")]);
    fixture.keys.publish(&fixture.registry, &[runner], 1).unwrap();
    forge_shard(&fixture, "runner", &fixture.keys.snapshot, |shard| {
        let line = shard.lines.iter_mut().find(|line| line.entry.slug == slug("runner")).unwrap();
        *line = sign(&fixture, line, &fixture.keys.publisher, |entry| entry.permissions.clear());
    });
    assert_eq!(fixture.registry.verify(&folder(), day(1)).unwrap().skills, 4);
    fixture.sync(1).await.unwrap();
    let bytes = fixture.download("runner", 1).await.unwrap();
    let catalog = fixture.catalog();
    let entry = &catalog.versions(&slug("runner"))[0].entry;
    assert_eq!(fixture.registry.package(&folder(), entry).unwrap().slug, slug("runner"));
    let error = decode(&folder(), entry, &bytes).unwrap_err();
    assert!(matches!(error, PackageError::Mismatch { field: "list of permissions", .. }), "{error}");
}
