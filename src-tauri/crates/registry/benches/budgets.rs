//! Benchmarks of a registry with 10,000 skills on nginx, beside git with the same files.
//!
//! `INKLINGS_REGISTRY_SKILLS=100000` builds and syncs a registry of that size once, and prints times and sizes.

#![expect(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a benchmark")]

#[path = "../../../../tests/system/registry/nginx.rs"]
#[expect(dead_code, reason = "tests use the rest")]
mod nginx;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use inklings_core::ports::{IdSource, SkillFormat as _};
use inklings_core::skill::Package;
use inklings_core::tree::{Tree, TreeFile};
use inklings_core::{CancellationToken, ProgressReporter, SkillPath, Time};
use inklings_folder::Folder;
use inklings_registry::client::{ClientOptions, RegistryClient, SyncReport};
use inklings_registry::format::{Publisher, Role};
use inklings_registry::keys::SecretKey;
use inklings_registry::publish::{InitOptions, PublishOptions, PublishRequest, RegistryFolder, SigningKeys};
use inklings_registry::transport::connect;
use semver::Version;
use tokio::runtime::{Builder, Runtime};

use crate::nginx::Nginx;

const SKILLS: usize = 10_000;
const CHANGED: usize = 100;
const NOW: i64 = 1_800_000_000_000;

struct Ids;

impl IdSource for Ids {
    fn uuid(&self) -> uuid::Uuid {
        uuid::Uuid::new_v4()
    }
}

fn format() -> Folder {
    Folder::new(Arc::new(Ids))
}

fn name(number: usize) -> String {
    format!("skill-{number:06}")
}

/// About 2 KB, which differ from skill to skill.
fn text(number: usize, version: &Version) -> String {
    let name = name(number);
    let mut seed = number as u64 + 1;
    let mut words = String::new();
    for _ in 0..300 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        words.push_str(["read ", "the ", "draft ", "and ", "list ", "what ", "changed ", "first\n"][usize::try_from(seed >> 61).unwrap()]);
    }
    format!(
        "---\nname: {name}\ndescription: What skill {number} does, and when to use it.\nmetadata:\n  version: {version}\n---\n{words}\n"
    )
}

fn package(format: &Folder, number: usize, version: &Version) -> Package {
    let main = SkillPath::parse("SKILL.md").unwrap();
    let tree: Tree = [(main, TreeFile::new(text(number, version).into_bytes()))].into_iter().collect();
    format.read(&tree, &name(number), None).unwrap().package
}

struct Publishing {
    folder: tempfile::TempDir,
    registry: RegistryFolder,
    snapshot: SecretKey,
    publisher: SecretKey,
    format: Folder,
}

impl Publishing {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [root, snapshot, publisher] = [1, 2, 3].map(|number| SecretKey::from_seed(&[number; 32]));
        let options = InitOptions {
            registry: "bench.example".parse().unwrap(),
            title: "Benchmark".to_owned(),
            minimum_client: Version::new(0, 1, 0),
            root: Role::new(1, [root.public()]),
            snapshot: Role::new(1, [snapshot.public()]),
            publishers: vec![Publisher { key: publisher.public(), name: "Benchmark".to_owned() }],
            root_expires: Time::from_millis(NOW * 2),
        };
        let keys = SigningKeys { snapshot: &[&snapshot] };
        let registry = RegistryFolder::init(&folder.path().join("registry"), options, &[&root], &keys, time()).unwrap();
        Self { folder, registry, snapshot, publisher, format: format() }
    }

    fn top(&self) -> PathBuf {
        self.folder.path().join("registry")
    }

    fn publish(&self, numbers: impl Iterator<Item = usize>, version: &Version) {
        let packages: Vec<_> = numbers.map(|number| package(&self.format, number, version)).collect();
        self.publish_packages(&packages);
    }

    fn publish_packages(&self, packages: &[Package]) {
        let request = PublishRequest {
            packages,
            format: &self.format,
            publisher: &self.publisher,
            minimum_client: None,
            count_tokens: &|text| text.len() / 4,
        };
        let report = self.registry.publish(&request, &SigningKeys { snapshot: &[&self.snapshot] }, time()).unwrap();
        assert_eq!(report.added.len(), packages.len());
    }

    fn client(&self, nginx: &Nginx, cache: &Path) -> RegistryClient {
        let transport = connect(&nginx.address().parse().unwrap(), &[]).unwrap();
        RegistryClient::new(transport, cache.to_owned(), *self.registry.fingerprint(), ClientOptions::new(Version::new(1, 0, 0)))
    }
}

fn time() -> PublishOptions {
    PublishOptions { now: Time::from_millis(NOW), validity: Duration::from_hours(24 * 30) }
}

fn sync(runtime: &Runtime, client: &RegistryClient) -> SyncReport {
    runtime.block_on(client.sync(Time::from_millis(NOW), &CancellationToken::new(), &ProgressReporter::default())).unwrap()
}

/// Every hundredth skill, so that all parts of the index may change.
fn changed() -> impl Iterator<Item = usize> {
    (0..SKILLS).step_by(SKILLS / CHANGED)
}

fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=Benchmark", "-c", "user.email=benchmark@example.org", "-c", "gc.auto=0"]).args(args);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn write_skills(folder: &Path, numbers: impl Iterator<Item = usize>, version: &Version) {
    for number in numbers {
        let skill = folder.join(name(number));
        fs::create_dir_all(&skill).unwrap();
        fs::write(skill.join("SKILL.md"), text(number, version)).unwrap();
    }
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", "Skills"]);
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(copied.success());
}

fn budgets(criterion: &mut Criterion) {
    if let Some(count) = std::env::var("INKLINGS_REGISTRY_SKILLS").ok().and_then(|count| count.parse().ok()) {
        return measure_once(count);
    }
    let publishing = Publishing::new();
    publishing.publish(0..SKILLS, &Version::new(1, 0, 0));
    let (nginx, runtime) = (Nginx::serve(&publishing.top(), ""), Builder::new_current_thread().enable_all().build().unwrap());
    let mut group = criterion.benchmark_group("registry");
    group.sample_size(10).measurement_time(Duration::from_secs(10)).warm_up_time(Duration::from_millis(1));
    group.bench_function("cold_10000", |bench| {
        bench.iter_batched(
            || tempfile::tempdir().unwrap(),
            |cache| {
                assert_eq!(sync(&runtime, &publishing.client(&nginx, cache.path())).fetched_shards, 256);
                cache
            },
            BatchSize::PerIteration,
        );
    });
    let known = publishing.folder.path().join("known");
    sync(&runtime, &publishing.client(&nginx, &known));
    // With a new client, as after a start of the app.
    group.bench_function("unchanged_10000", |bench| {
        bench.iter(|| assert!(!sync(&runtime, &publishing.client(&nginx, &known)).has_changed));
    });
    let catalog = || publishing.client(&nginx, &known).catalog().unwrap().unwrap().skills().count();
    group.bench_function("catalog_10000", |bench| bench.iter(|| assert_eq!(catalog(), SKILLS)));
    publishing.publish(changed(), &Version::new(1, 1, 0));
    let copies = tempfile::tempdir().unwrap();
    let mut number = 0;
    let mut next = || {
        number += 1;
        copies.path().join(number.to_string())
    };
    group.bench_function("changed_100", |bench| {
        bench.iter_batched(
            || {
                let cache = next();
                copy(&known, &cache);
                cache
            },
            |cache| assert!(sync(&runtime, &publishing.client(&nginx, &cache)).fetched_shards > 50),
            BatchSize::PerIteration,
        );
    });
    let mut patch = 0;
    group.bench_function("publish_1_of_10000", |bench| {
        bench.iter_batched(
            || {
                patch += 1;
                [package(&publishing.format, 4_242, &Version::new(2, 0, patch))]
            },
            |packages| publishing.publish_packages(&packages),
            BatchSize::PerIteration,
        );
    });

    let work = publishing.folder.path().join("work");
    fs::create_dir(&work).unwrap();
    git(&work, &["init", "--quiet", "--initial-branch", "main"]);
    write_skills(&work, 0..SKILLS, &Version::new(1, 0, 0));
    let address = format!("file://{}", work.display());
    let mut clone = || {
        let folder = next();
        git(copies.path(), &["clone", "--quiet", &address, folder.to_str().unwrap()]);
        folder
    };
    group.bench_function("git_clone_10000", |bench| bench.iter(&mut clone));
    let cloned = clone();
    write_skills(&work, changed(), &Version::new(1, 1, 0));
    group.bench_function("git_pull_100", |bench| {
        bench.iter_batched(
            || {
                let folder = next();
                copy(&cloned, &folder);
                folder
            },
            |folder| git(&folder, &["pull", "--quiet", "--ff-only"]),
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

fn measure_once(count: usize) {
    let publishing = Publishing::new();
    let step = |what: &str, begun: Instant| println!("{count} skills: {what} in {:.2} s", begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    publishing.publish(0..count, &Version::new(1, 0, 0));
    step("published", begun);
    let (nginx, runtime) = (Nginx::serve(&publishing.top(), ""), Builder::new_current_thread().enable_all().build().unwrap());
    let cache = publishing.folder.path().join("cache");
    let client = publishing.client(&nginx, &cache);
    let begun = Instant::now();
    sync(&runtime, &client);
    step("synced", begun);
    let begun = Instant::now();
    sync(&runtime, &client);
    step("synced without changes", begun);
    let begun = Instant::now();
    let skills = client.catalog().unwrap().unwrap().skills().count();
    step(&format!("catalog of {skills} read"), begun);
    let begun = Instant::now();
    publishing.publish(0..1, &Version::new(1, 0, 1));
    step("one change published", begun);
    let begun = Instant::now();
    sync(&runtime, &client);
    step("one change synced", begun);
    for folder in ["registry/index", "registry/packages", "cache"] {
        println!("{folder}: {} bytes", size(&publishing.folder.path().join(folder)));
    }
    println!("snapshot.json: {} bytes", fs::metadata(publishing.top().join("snapshot.json")).unwrap().len());
}

fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { size(&path) } else { fs::metadata(&path).unwrap().len() }).sum()
}

criterion_group!(benches, budgets);
criterion_main!(benches);
