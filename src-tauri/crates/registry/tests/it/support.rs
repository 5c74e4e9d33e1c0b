//! A registry to publish to, and skills.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use inklings_core::Time;
use inklings_core::ports::{IdSource, SkillFormat as _};
use inklings_core::skill::Package;
use inklings_core::tree::{Tree, TreeFile};
use inklings_core::{SkillPath, Slug};
use inklings_folder::Folder;
use inklings_registry::format::{Publisher, Role};
use inklings_registry::keys::SecretKey;
use inklings_registry::publish::{InitOptions, PublishError, PublishOptions, PublishReport, PublishRequest, RegistryFolder, SigningKeys};
use semver::Version;

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
