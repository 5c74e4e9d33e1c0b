//! A registry that the command published, served by nginx, and read by the client.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use inklings_core::{CancellationToken, Clock as _, ProgressReporter, Slug, Time};
use inklings_engine::SystemClock;
use inklings_registry::client::{Catalog, ClientOptions, Pace, PackageStatus, RegistryClient, SyncError, SyncReport};
use inklings_registry::transport::{TransportError, connect};
use inklings_registry::trust::TrustError;
use semver::Version;

use super::nginx::{Nginx, Request};
use super::{init, skill};
use crate::support::{World, arg};

const DAY: i64 = 24 * 60 * 60 * 1_000;
const APP: Version = Version::new(1, 0, 0);

/// The second attempt is for connections that a restart of the server closed.
fn options() -> ClientOptions {
    ClientOptions { attempts: 2, pause: Duration::from_millis(1), ..ClientOptions::new(APP) }
}

struct Served {
    world: World,
    folder: PathBuf,
    nginx: Nginx,
    client: RegistryClient,
    runtime: tokio::runtime::Runtime,
}

impl Served {
    /// With the skills `alpha`, `beta` and `gamma`.
    fn new() -> Self {
        Self::with(options(), "")
    }

    fn with(options: ClientOptions, directives: &str) -> Self {
        let world = World::new();
        let (folder, created) = init(&world);
        for name in ["alpha", "beta", "gamma"] {
            skill(&world, name, "1.0.0", "Text.");
        }
        let nginx = Nginx::serve(&folder, directives);
        let transport = connect(&nginx.address().parse().unwrap(), &[]).unwrap();
        let fingerprint = created["fingerprint"].as_str().unwrap().parse().unwrap();
        let client = RegistryClient::new(transport, world.root.path().join("cache"), fingerprint, options);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let served = Self { world, folder, nginx, client, runtime };
        served.publish();
        served
    }

    fn publish(&self) {
        let skills = self.world.root.path().join("skills");
        self.world.json(&["registry", "publish", arg(&self.folder), "--from", arg(&skills)]);
    }

    /// Publishes another version of a skill.
    fn update(&self, name: &str, version: &str, text: &str) {
        skill(&self.world, name, version, text);
        self.publish();
    }

    fn sync(&self) -> Result<SyncReport, SyncError> {
        self.sync_at(SystemClock.now())
    }

    fn sync_at(&self, now: Time) -> Result<SyncReport, SyncError> {
        self.runtime.block_on(self.client.sync(now, &CancellationToken::new(), &ProgressReporter::default()))
    }

    fn catalog(&self) -> Catalog {
        self.client.catalog().unwrap().unwrap()
    }

    /// Downloads the newest version of a skill.
    fn download(&self, name: &str) -> Result<Vec<u8>, SyncError> {
        let catalog = self.catalog();
        let line = catalog.versions(&slug(name)).last().unwrap();
        let (cancel, progress) = (CancellationToken::new(), ProgressReporter::default());
        self.runtime.block_on(self.client.download(&catalog, line, SystemClock.now(), &cancel, &progress))
    }

    /// The file of the newest package of a skill.
    fn package(&self, name: &str) -> PathBuf {
        let sha256 = self.catalog().versions(&slug(name)).last().unwrap().entry.sha256.to_string();
        find(&self.folder.join("packages"), &sha256)
    }

    /// The next sync fails, and the former state stays.
    fn refused(&self) -> SyncError {
        let before = self.catalog().serial;
        let error = self.sync().unwrap_err();
        assert_eq!(self.catalog().serial, before, "{error}");
        error
    }
}

/// Replaces a file as an attacker or a broken upload could. nginx derives the etag from length and second, so each gets another second.
fn replace(path: &Path, bytes: impl AsRef<[u8]>) {
    let later = fs::metadata(path).unwrap().modified().unwrap() + Duration::from_secs(2);
    fs::write(path, bytes).unwrap();
    fs::File::options().write(true).open(path).unwrap().set_modified(later).unwrap();
}

fn slug(text: &str) -> Slug {
    Slug::parse(text).unwrap()
}

fn find(folder: &Path, name: &str) -> PathBuf {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let found = path.is_dir().then(|| fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        let mut all = found.into_iter().flatten().chain(std::iter::once(path.clone()));
        if let Some(found) = all.find(|path| path.file_name().unwrap().to_string_lossy().starts_with(name)) {
            return found;
        }
    }
    panic!("{name} isn't in {}", folder.display())
}

/// Kinds of files, by their first folder, with the status.
fn kinds(requests: &[Request]) -> Vec<(String, u16)> {
    let kind = |one: &Request| one.path.trim_start_matches('/').split('/').next().unwrap().to_owned();
    let mut kinds: Vec<_> = requests.iter().map(|one| (kind(one), one.status)).collect();
    kinds.sort();
    kinds
}

fn expected(kinds: &[(&str, u16)]) -> Vec<(String, u16)> {
    kinds.iter().map(|(kind, status)| ((*kind).to_owned(), *status)).collect()
}

#[test]
fn each_sync_requests_what_changed_and_nothing_else() {
    let mut served = Served::new();
    let report = served.sync().unwrap();
    assert_eq!((report.serial, report.fetched_shards, report.has_changed), (2, 3, true));
    let all = [("index", 200), ("index", 200), ("index", 200), ("revoked", 200), ("roots", 200), ("roots", 404), ("snapshot.json", 200)];
    assert_eq!(kinds(&served.nginx.requests()), expected(&all));

    assert!(!served.sync().unwrap().has_changed);
    let unchanged = served.nginx.requests();
    assert_eq!(unchanged, [Request { path: "/snapshot.json".to_owned(), status: 304, bytes: 0 }]);

    served.update("beta", "1.1.0", "Other text.");
    assert_eq!(served.sync().unwrap().fetched_shards, 1);
    assert_eq!(kinds(&served.nginx.requests()), expected(&[("index", 200), ("roots", 404), ("snapshot.json", 200)]));
    assert_eq!(served.catalog().latest(&slug("beta"), &APP).unwrap().entry.version, Version::new(1, 1, 0));
    let archive = served.download("beta").unwrap();
    assert_eq!(archive, fs::read(served.package("beta")).unwrap());
    assert_eq!(kinds(&served.nginx.requests()), expected(&[("packages", 200)]));
    served.download("beta").unwrap();
    assert_eq!(served.nginx.requests(), []);
}

#[test]
fn withdrawn_versions_are_known_after_the_next_sync() {
    let served = Served::new();
    served.sync().unwrap();
    let (first, version) = (served.catalog(), Version::new(1, 0, 0));
    let installed = |name: &str| first.versions(&slug(name))[0].entry.sha256;
    let registry = arg(&served.folder);
    served.world.json(&["registry", "yank", registry, "alpha", "1.0.0", "--reason", "Loses text"]);
    served.world.json(&["registry", "revoke", registry, "beta", "1.0.0", "--reason", "Sends text away"]);
    served.sync().unwrap();
    let status = |name: &str| served.catalog().status(&slug(name), &version, &installed(name), &APP);
    assert_eq!(status("alpha"), PackageStatus::Yanked { reason: "Loses text".to_owned(), update: None });
    let revoked = status("beta");
    assert!(matches!(&revoked, PackageStatus::Revoked { revocation, .. } if revocation.reason == "Sends text away"), "{revoked:?}");
    assert_eq!(status("gamma"), PackageStatus::Current);
    served.download("alpha").unwrap();
    assert!(matches!(served.download("beta"), Err(SyncError::Revoked { .. })));
}

#[test]
fn answers_that_are_no_files_change_nothing_and_the_next_good_sync_heals() {
    let mut served = Served::new();
    served.sync().unwrap();
    served.update("alpha", "1.0.1", "Other text.");
    let status = |status: u16| TransportError::Status(status);
    for (directives, error) in [
        ("location / { return 503; }", Some(status(503))),
        ("location / { return 301 http://127.0.0.1:1/; }", Some(status(301))),
        ("location /index/ { return 403; }", Some(status(403))),
        // Closes the connection.
        ("location / { return 444; }", None),
        ("location /index/ { return 444; }", None),
    ] {
        served.nginx.restart_with(directives);
        let refused = served.refused();
        let SyncError::Transport { error: found, .. } = &refused else { panic!("{directives}: {refused}") };
        match error {
            Some(error) => assert_eq!(*found, error, "{directives}"),
            None => assert!(refused.is_offline(), "{directives}: {refused}"),
        }
    }
    served.nginx.restart_with("location /index/ { return 404; }");
    assert!(matches!(served.refused(), SyncError::NotFound { .. }));
    served.nginx.restart_with("location /roots/ { return 404; }");
    served.sync().unwrap();
    assert_eq!(served.catalog().latest(&slug("alpha"), &APP).unwrap().entry.version, Version::new(1, 0, 1));
}

#[test]
fn files_that_are_not_those_of_the_registry_are_refused_until_they_are() {
    let served = Served::new();
    let snapshot = served.folder.join("snapshot.json");
    let older = fs::read(&snapshot).unwrap();
    served.sync().unwrap();
    served.update("alpha", "1.0.1", "Other text.");
    served.sync().unwrap();
    let current = fs::read(&snapshot).unwrap();

    replace(&snapshot, &older);
    assert!(matches!(served.refused(), SyncError::Trust(TrustError::Rollback { known: 3, found: 2 })));
    replace(&snapshot, &current[..current.len() / 2]);
    assert!(matches!(served.refused(), SyncError::Trust(TrustError::Format { .. })));
    let forged = String::from_utf8(current.clone()).unwrap().replace("\"serial\":3", "\"serial\":4");
    assert_ne!(forged.as_bytes(), current);
    replace(&snapshot, forged);
    assert!(matches!(served.refused(), SyncError::Trust(TrustError::Signatures { valid: 0, needed: 1, .. })));
    replace(&snapshot, &current);
    served.sync().unwrap();
    let late = Time::from_millis(SystemClock.now().millis() + 31 * DAY);
    assert!(matches!(served.sync_at(late), Err(SyncError::Trust(TrustError::Expired { .. }))));

    let (alpha, beta) = (served.package("alpha"), served.package("beta"));
    let packages = [&alpha, &beta].map(|path| fs::read(path).unwrap());
    replace(&alpha, &packages[1]);
    replace(&beta, &packages[1][..20]);
    let swapped = served.download("alpha").unwrap_err();
    let is_refused =
        matches!(swapped, SyncError::Trust(TrustError::Content { .. }) | SyncError::TooLong { .. } | SyncError::Transport { .. });
    assert!(is_refused, "{swapped}");
    let cut = served.download("beta").unwrap_err();
    // The second attempt asks for bytes that the file doesn't have.
    assert!(matches!(cut, SyncError::Transport { error: TransportError::Status(416), .. }), "{cut}");
    replace(&alpha, &packages[0]);
    replace(&beta, &packages[1]);
    assert_eq!([served.download("alpha").unwrap(), served.download("beta").unwrap()], packages);
}

#[test]
fn a_download_that_a_slow_server_did_not_complete_is_continued() {
    let pace = Pace { silence: Duration::from_millis(300), ..Pace::default() };
    let mut served = Served::with(ClientOptions { pace, ..options() }, "");
    // Random, so that it stays as long in the archive.
    let noise: Vec<u8> = {
        let mut random = crate::support::Seeded(7);
        (0..400_000).map(|_| random.below(256).to_le_bytes()[0]).collect()
    };
    served.world.file("skills/alpha/noise.bin", &noise);
    served.update("alpha", "1.1.0", "With noise.");
    served.sync().unwrap();
    served.nginx.restart_with("limit_rate_after 100k; limit_rate 1;");
    let slow = served.download("alpha").unwrap_err();
    assert!(matches!(slow, SyncError::TooSlow { .. }), "{slow}");
    served.nginx.restart_with("");
    served.nginx.requests();
    assert_eq!(served.download("alpha").unwrap(), fs::read(served.package("alpha")).unwrap());
    let [continued] = served.nginx.requests().try_into().unwrap();
    let rest = continued.bytes;
    assert!(continued.status == 206 && (1..320_000).contains(&rest), "{continued:?}");
}

#[test]
fn common_settings_of_servers_make_no_difference() {
    for directives in [
        "gzip on; gzip_types application/octet-stream application/json; gzip_min_length 1;",
        "etag off; if_modified_since off;",
        "max_ranges 0; sendfile off; add_header Cache-Control \"public, max-age=31536000, immutable\";",
        "keepalive_timeout 0;",
        "location ~ /\\. { deny all; }",
    ] {
        let served = Served::with(options(), directives);
        assert_eq!(served.sync().unwrap().fetched_shards, 3, "{directives}");
        assert!(!served.sync().unwrap().has_changed, "{directives}");
        served.download("alpha").unwrap();
    }
}
