//! Storage of keys without a keychain.

use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use inklings_core::provider::{KeyLocationKind, KeySource, KeyState, KeyStoreError, ProviderConfig, ProviderError, ProviderKind};
use inklings_core::{ModelError, Models as _, ProviderRegistry as _, Secret, UserData};
use inklings_models::{Options, Registry, Sleeper};
use inklings_testkit::spawn_until_asleep;

use crate::support::{database, model_ref, options};

const STORED: &str = "sk-stored-9876543210";

struct Fixture {
    home: tempfile::TempDir,
    user: Arc<dyn UserData>,
}

impl Fixture {
    /// An account with two providers that have no key yet.
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let fixture = Self { user: database(&home), home };
        for kind in [ProviderKind::OpenAi, ProviderKind::Anthropic] {
            fixture.open(None).put(ProviderConfig { key: KeySource::None, ..ProviderConfig::new(kind.as_str(), kind) }).unwrap();
        }
        fixture
    }

    /// A second registry, as in another process.
    fn open(&self, passphrase: Option<&str>) -> Registry {
        let base = options(&self.home, Sleeper::none(|_| {}));
        Registry::new(Arc::clone(&self.user), Options { passphrase: passphrase.map(Secret::new), ..base })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// The error if the key can't be read.
    async fn complaint(&self, registry: &Registry) -> Option<String> {
        match registry.model(Some(&model_ref(ProviderKind::OpenAi, "m"))).await {
            Ok(_) => None,
            Err(ModelError::NoKey { detail, .. }) => Some(detail),
            Err(other) => Some(format!("another error: {other}")),
        }
    }
}

fn store(registry: &Registry) {
    registry.set_key("openai", Some(Secret::new(format!(" {STORED}\n")))).unwrap();
}

#[tokio::test]
async fn a_stored_key_is_found_by_the_next_process_and_is_nowhere_readable() {
    let fixture = Fixture::new();
    assert_eq!(fixture.complaint(&fixture.open(None)).await.as_deref(), Some("no key is configured"));
    store(&fixture.open(None));
    let registry = fixture.open(None);
    assert_eq!(registry.key_state("openai").unwrap(), KeyState::Stored);
    assert_eq!(registry.key_state("anthropic").unwrap(), KeyState::Missing);
    assert_eq!(fixture.complaint(&registry).await, None);
    for entry in fs::read_dir(fixture.home.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        assert!(!bytes.windows(STORED.len()).any(|window| window == STORED.as_bytes()), "{}", path.display());
    }
    assert!(!serde_json::to_string(&fixture.user.settings().unwrap()).unwrap().contains(STORED));
}

#[test]
fn forgetting_a_key_or_its_provider_removes_it_from_the_file() {
    let fixture = Fixture::new();
    let registry = fixture.open(None);
    store(&registry);
    registry.set_key("anthropic", Some(Secret::new("sk-ant"))).unwrap();
    registry.set_key("openai", None).unwrap();
    assert_eq!(registry.key_state("openai").unwrap(), KeyState::Missing);
    assert_eq!(registry.settings().unwrap().provider("openai").unwrap().key, KeySource::None);
    assert_eq!(registry.key_state("anthropic").unwrap(), KeyState::Stored);
    assert!(registry.remove("anthropic").unwrap());
    // A later provider with the same name doesn't find the old key.
    registry.put(ProviderConfig { key: KeySource::Stored, ..ProviderConfig::new("anthropic", ProviderKind::Anthropic) }).unwrap();
    assert_eq!(registry.key_state("anthropic").unwrap(), KeyState::Missing);

    store(&registry);
    registry.put(ProviderConfig::new("openai", ProviderKind::OpenAi)).unwrap();
    registry.put(ProviderConfig { key: KeySource::Stored, ..ProviderConfig::new("openai", ProviderKind::OpenAi) }).unwrap();
    assert_eq!(registry.key_state("openai").unwrap(), KeyState::Missing, "a key that nothing points to is not kept");
}

#[cfg(unix)]
#[test]
fn the_files_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let fixture = Fixture::new();
    store(&fixture.open(None));
    for name in ["keys.age", "keys.identity"] {
        assert_eq!(fs::metadata(fixture.file(name)).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
    }
    let left: Vec<_> = fs::read_dir(fixture.home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".keys-")), "{left:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn an_identity_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let fixture = Fixture::new();
    store(&fixture.open(None));
    for mode in [0o640, 0o604, 0o660] {
        fs::set_permissions(fixture.file("keys.identity"), fs::Permissions::from_mode(mode)).unwrap();
        let registry = fixture.open(None);
        let complaint = fixture.complaint(&registry).await.unwrap();
        assert!(complaint.contains("is readable by other users") && complaint.contains("permissions to 600"), "{complaint}");
        let refused = registry.set_key("anthropic", Some(Secret::new("sk-ant")));
        assert!(matches!(refused, Err(ProviderError::Keys(KeyStoreError::TooOpen { .. }))));
    }
    fs::set_permissions(fixture.file("keys.identity"), fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(fixture.complaint(&fixture.open(None)).await, None);
}

#[tokio::test]
async fn a_passphrase_opens_the_file_and_nothing_else_does() {
    let fixture = Fixture::new();
    store(&fixture.open(Some("correct horse")));
    assert!(!fixture.file("keys.identity").exists());
    assert_eq!(fixture.complaint(&fixture.open(Some("correct horse"))).await, None);
    let wrong = fixture.open(Some("wrong horse"));
    assert!(fixture.complaint(&wrong).await.unwrap().contains("can't be decrypted with this passphrase"));
    assert!(matches!(wrong.key_state("openai"), Err(ProviderError::Keys(KeyStoreError::WrongKey { .. }))));
    let before = fs::read(fixture.file("keys.age")).unwrap();
    assert!(wrong.set_key("anthropic", Some(Secret::new("sk-ant"))).is_err());
    assert!(fs::read(fixture.file("keys.age")).unwrap() == before, "a file that can't be opened isn't overwritten");
    assert!(fixture.complaint(&fixture.open(None)).await.unwrap().contains("INKLINGS_KEYS_PASSPHRASE"));
}

#[tokio::test]
async fn a_passphrase_takes_over_a_file_that_had_none() {
    let fixture = Fixture::new();
    store(&fixture.open(None));
    fixture.open(Some("new")).set_key("anthropic", Some(Secret::new("sk-ant"))).unwrap();
    assert_eq!(fixture.complaint(&fixture.open(Some("new"))).await, None);
    assert!(fixture.complaint(&fixture.open(None)).await.unwrap().contains("protected by a passphrase"));
}

#[tokio::test]
async fn damage_and_a_lost_identity_are_said() {
    let fixture = Fixture::new();
    store(&fixture.open(None));
    let good = fs::read(fixture.file("keys.age")).unwrap();
    fs::write(fixture.file("keys.age"), b"no age").unwrap();
    assert!(fixture.complaint(&fixture.open(None)).await.unwrap().contains("damaged"));
    fs::write(fixture.file("keys.age"), &good[..good.len() - 5]).unwrap();
    assert!(fixture.complaint(&fixture.open(None)).await.unwrap().contains("damaged"));
    fs::write(fixture.file("keys.age"), &good).unwrap();
    fs::remove_file(fixture.file("keys.identity")).unwrap();
    assert!(fixture.complaint(&fixture.open(None)).await.unwrap().contains("can't be decrypted"));
}

#[test]
fn a_change_of_another_process_is_seen_and_kept() {
    let fixture = Fixture::new();
    let (one, other) = (fixture.open(None), fixture.open(None));
    store(&one);
    assert_eq!(one.key_state("openai").unwrap(), KeyState::Stored);
    other.set_key("anthropic", Some(Secret::new("sk-ant"))).unwrap();
    assert_eq!(one.key_state("anthropic").unwrap(), KeyState::Stored);
    other.set_key("openai", None).unwrap();
    assert_eq!((one.key_state("openai").unwrap(), one.key_state("anthropic").unwrap()), (KeyState::Missing, KeyState::Stored));
}

#[test]
fn a_provider_and_its_key_are_removed_while_no_other_process_changes_keys() {
    let fixture = Fixture::new();
    let registry = &fixture.open(None);
    store(registry);
    let lock = File::options().write(true).open(fixture.file("keys.lock")).unwrap();
    lock.lock().unwrap();
    thread::scope(|scope| {
        let removing = spawn_until_asleep(scope, || registry.remove("openai")).unwrap();
        let found = registry.settings().unwrap();
        lock.unlock().unwrap();
        assert!(found.provider("openai").is_some());
        assert!(removing.join().unwrap().unwrap());
    });
    assert!(registry.settings().unwrap().provider("openai").is_none());
}

#[test]
fn what_can_be_no_key_is_refused() {
    let fixture = Fixture::new();
    let registry = fixture.open(None);
    for bad in ["", "  ", "two words", "ключ"] {
        assert!(matches!(registry.set_key("openai", Some(Secret::new(bad))), Err(ProviderError::BadKey)), "{bad:?}");
    }
    assert!(matches!(registry.set_key("nobody", Some(Secret::new("k"))), Err(ProviderError::Unknown { .. })));
    assert!(!fixture.file("keys.age").exists());
    assert_eq!(registry.key_state("openai").unwrap(), KeyState::Missing);
}

#[test]
fn the_place_says_what_it_protects_against() {
    let fixture = Fixture::new();
    let without = fixture.open(None).key_location();
    assert_eq!((without.kind, without.path.as_deref()), (KeyLocationKind::File, Some(fixture.file("keys.age").as_path())));
    assert!(without.protects.contains("keys.identity"));
    assert!(fixture.open(Some("x")).key_location().protects.contains("passphrase"));
}
