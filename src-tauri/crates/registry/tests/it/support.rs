//! A registry to publish to, and skills.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use inklings_core::Time;
use inklings_core::ports::{IdSource, SkillFormat as _};
use inklings_core::skill::Package;
use inklings_core::tree::{Tree, TreeFile};
use inklings_core::{CancellationToken, ProgressReporter, SkillPath, Slug};
use inklings_folder::Folder;
use inklings_registry::client::{Catalog, ClientOptions, RegistryClient, SyncError, SyncReport};
use inklings_registry::format::{Publisher, Role, RootDocument, Signed, Snapshot};
use inklings_registry::keys::{Purpose, SecretKey};
use inklings_registry::publish::{InitOptions, PublishError, PublishOptions, PublishReport, PublishRequest, RegistryFolder, SigningKeys};
use inklings_registry::transport::connect;
use semver::Version;

use crate::server::Server;

pub(crate) const VALIDITY: Duration = Duration::from_hours(24 * 7);

struct Counting;

impl IdSource for Counting {
    fn uuid(&self) -> uuid::Uuid {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        uuid::Uuid::from_u64_pair(1, COUNTER.fetch_add(1, Ordering::Relaxed))
    }
}

pub(crate) fn folder() -> Folder {
    Folder::new(Arc::new(Counting))
}

/// Day of the tests, from 0.
pub(crate) fn day(day: u32) -> Time {
    Time::from_millis(1_800_000_000_000 + i64::from(day) * 86_400_000)
}

pub(crate) fn at(number: u32) -> PublishOptions {
    PublishOptions { now: day(number), validity: VALIDITY }
}

pub(crate) fn slug(text: &str) -> Slug {
    Slug::parse(text).unwrap()
}

pub(crate) fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

pub(crate) fn key(number: u8) -> SecretKey {
    SecretKey::from_seed(&[number; 32])
}

pub(crate) fn package(name: &str, version: &str, body: &str) -> Package {
    let text = format!("---\nname: {name}\ndescription: About {name}.\nmetadata:\n  version: {version}\n---\n{body}\n");
    package_of(name, &[("SKILL.md", &text)])
}

pub(crate) fn package_of(name: &str, files: &[(&str, &str)]) -> Package {
    let tree: Tree = files.iter().map(|(path, text)| (SkillPath::parse(path).unwrap(), TreeFile::new(text.as_bytes()))).collect();
    let mut package = folder().read(&tree, name, None).unwrap().package;
    folder().sync_sources(&mut package);
    package
}

/// Keys of the test registry: root 1, snapshot 2, publisher 3.
pub(crate) struct Keys {
    pub(crate) root: SecretKey,
    pub(crate) snapshot: SecretKey,
    pub(crate) publisher: SecretKey,
}

impl Keys {
    pub(crate) fn new() -> Self {
        Self { root: key(1), snapshot: key(2), publisher: key(3) }
    }

    pub(crate) fn init_options(&self) -> InitOptions {
        InitOptions {
            registry: "test.example".parse().unwrap(),
            title: "Test registry".to_owned(),
            minimum_client: version("0.1.0"),
            root: Role::new(1, [self.root.public()]),
            snapshot: Role::new(1, [self.snapshot.public()]),
            publishers: vec![Publisher { key: self.publisher.public(), name: "Tester".to_owned() }],
            root_expires: day(365),
        }
    }

    pub(crate) fn init(&self, top: &Path) -> RegistryFolder {
        let keys = SigningKeys { snapshot: &[&self.snapshot] };
        RegistryFolder::init(top, self.init_options(), &[&self.root], &keys, at(0)).unwrap()
    }

    pub(crate) fn publish(&self, registry: &RegistryFolder, packages: &[Package], number: u32) -> Result<PublishReport, PublishError> {
        let request =
            PublishRequest { packages, format: &folder(), publisher: &self.publisher, minimum_client: None, count_tokens: &str::len };
        registry.publish(&request, &SigningKeys { snapshot: &[&self.snapshot] }, at(number))
    }
}

/// A published registry, a server for it, and a client.
pub(crate) struct Fixture {
    pub(crate) keys: Keys,
    pub(crate) top: tempfile::TempDir,
    pub(crate) cache: tempfile::TempDir,
    pub(crate) registry: RegistryFolder,
    pub(crate) server: Server,
    pub(crate) client: RegistryClient,
}

/// Tries are short, so that tests of failures are.
pub(crate) fn client_options() -> ClientOptions {
    ClientOptions { attempts: 1, pause: Duration::from_millis(1), ..ClientOptions::new(version("1.0.0")) }
}

impl Fixture {
    /// With the skills `alpha`, `beta` and `gamma`.
    pub(crate) fn new() -> Self {
        let keys = Keys::new();
        let (top, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let registry = keys.init(top.path());
        let skills = ["alpha", "beta", "gamma"].map(|name| package(name, "1.0.0", &format!("Text of {name}.")));
        keys.publish(&registry, &skills, 1).unwrap();
        let server = Server::new(top.path());
        let client = connected(&server.address, cache.path(), &registry, client_options());
        Self { keys, top, cache, registry, server, client }
    }

    pub(crate) fn client_with(&self, options: ClientOptions) -> RegistryClient {
        connected(&self.server.address, self.cache.path(), &self.registry, options)
    }

    pub(crate) async fn sync(&self, number: u32) -> Result<SyncReport, SyncError> {
        self.client.sync(day(number), &CancellationToken::new(), &ProgressReporter::default()).await
    }

    pub(crate) fn signing<T>(&self, work: impl FnOnce(&RegistryFolder, &SigningKeys<'_>) -> T) -> T {
        work(&self.registry, &SigningKeys { snapshot: &[&self.keys.snapshot] })
    }

    pub(crate) fn publish(&self, name: &str, version: &str, number: u32) {
        let text = format!("Text {version} of {name}.");
        self.keys.publish(&self.registry, &[package(name, version, &text)], number).unwrap();
    }

    pub(crate) fn update_root(&mut self, number: u32, edit: impl FnOnce(&mut RootDocument)) {
        let signing = SigningKeys { snapshot: &[&self.keys.snapshot] };
        self.registry.update_root(edit, &[&self.keys.root], &signing, at(number)).unwrap();
    }

    pub(crate) fn catalog(&self) -> Catalog {
        self.client.catalog().unwrap().unwrap()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let catalog = self.catalog();
        catalog.skills().map(|versions| versions[0].entry.slug.to_string()).collect()
    }

    pub(crate) async fn download(&self, name: &str, number: u32) -> Result<Vec<u8>, SyncError> {
        let catalog = self.catalog();
        let line = catalog.versions(&slug(name)).last().unwrap().clone();
        self.client.download(&catalog, &line, day(number), &CancellationToken::new(), &ProgressReporter::default()).await
    }

    pub(crate) fn read(&self, path: &str) -> Vec<u8> {
        std::fs::read(self.top.path().join(path)).unwrap()
    }

    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        std::fs::write(self.top.path().join(path), bytes).unwrap();
    }

    /// Signs a snapshot with any key and any content, as an attacker with that key could.
    pub(crate) fn forge_snapshot(&self, signer: &SecretKey, edit: impl FnOnce(&mut Snapshot)) {
        let registry = "test.example".parse().unwrap();
        let mut snapshot = Signed::<Snapshot>::parse(&self.read("snapshot.json")).unwrap().document;
        edit(&mut snapshot);
        self.write("snapshot.json", &Signed::sign(snapshot, Purpose::Snapshot, &registry, &[signer]).unwrap().to_file().unwrap());
    }
}

pub(crate) fn connected(address: &url::Url, cache: &Path, registry: &RegistryFolder, options: ClientOptions) -> RegistryClient {
    RegistryClient::new(connect(address, &[]).unwrap(), cache.to_owned(), *registry.fingerprint(), options)
}
