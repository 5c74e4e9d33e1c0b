//! Storage of keys without a keychain.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use inklings_core::provider::{KeyLocationKind, KeySource, KeyState, KeyStoreError, ProviderConfig, ProviderError, ProviderKind};
use inklings_core::{ModelError, Models as _, ProviderRegistry as _, Secret, UserData};
use inklings_models::{Options, Registry, Sleeper};

use crate::support::{database, model_ref, options};

const STORED: &str = "sk-stored-9876543210";

struct Place {
    home: tempfile::TempDir,
    user: Arc<dyn UserData>,
}

impl Place {
    /// An account with two providers that have no key yet.
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let place = Self { user: database(&home), home };
        for kind in [ProviderKind::OpenAi, ProviderKind::Anthropic] {
            place.open(None).put(ProviderConfig { key: KeySource::None, ..ProviderConfig::new(kind.as_str(), kind) }).unwrap();
        }
        place
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
    let place = Place::new();
    assert_eq!(place.complaint(&place.open(None)).await.as_deref(), Some("no key is configured"));
    store(&place.open(None));
    let registry = place.open(None);
    assert_eq!(registry.key_state("openai").unwrap(), KeyState::Stored);
    assert_eq!(registry.key_state("anthropic").unwrap(), KeyState::Missing);
    assert_eq!(place.complaint(&registry).await, None);
    for entry in fs::read_dir(place.home.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        assert!(!bytes.windows(STORED.len()).any(|window| window == STORED.as_bytes()), "{}", path.display());
    }
    assert!(!serde_json::to_string(&place.user.settings().unwrap()).unwrap().contains(STORED));
}

#[test]
fn forgetting_a_key_or_its_provider_removes_it_from_the_file() {
    let place = Place::new();
    let registry = place.open(None);
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
    let place = Place::new();
    store(&place.open(None));
    for name in ["keys.age", "keys.identity"] {
        assert_eq!(fs::metadata(place.file(name)).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
    }
    let left: Vec<_> = fs::read_dir(place.home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".keys-")), "{left:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn an_identity_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    store(&place.open(None));
    for mode in [0o640, 0o604, 0o660] {
        fs::set_permissions(place.file("keys.identity"), fs::Permissions::from_mode(mode)).unwrap();
        let registry = place.open(None);
        let complaint = place.complaint(&registry).await.unwrap();
        assert!(complaint.contains("is readable by other users") && complaint.contains("permissions to 600"), "{complaint}");
        let refused = registry.set_key("anthropic", Some(Secret::new("sk-ant")));
        assert!(matches!(refused, Err(ProviderError::Keys(KeyStoreError::TooOpen { .. }))));
    }
    fs::set_permissions(place.file("keys.identity"), fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(place.complaint(&place.open(None)).await, None);
}

#[tokio::test]
async fn a_passphrase_opens_the_file_and_nothing_else_does() {
    let place = Place::new();
    store(&place.open(Some("correct horse")));
    assert!(!place.file("keys.identity").exists());
    assert_eq!(place.complaint(&place.open(Some("correct horse"))).await, None);
    let wrong = place.open(Some("wrong horse"));
    assert!(place.complaint(&wrong).await.unwrap().contains("can't be decrypted with this passphrase"));
    assert!(matches!(wrong.key_state("openai"), Err(ProviderError::Keys(KeyStoreError::WrongKey { .. }))));
    let before = fs::read(place.file("keys.age")).unwrap();
    assert!(wrong.set_key("anthropic", Some(Secret::new("sk-ant"))).is_err());
    assert!(fs::read(place.file("keys.age")).unwrap() == before, "a file that can't be opened isn't overwritten");
    assert!(place.complaint(&place.open(None)).await.unwrap().contains("INKLINGS_KEYS_PASSPHRASE"));
}

#[tokio::test]
async fn a_passphrase_takes_over_a_file_that_had_none() {
    let place = Place::new();
    store(&place.open(None));
    place.open(Some("new")).set_key("anthropic", Some(Secret::new("sk-ant"))).unwrap();
    assert_eq!(place.complaint(&place.open(Some("new"))).await, None);
    assert!(place.complaint(&place.open(None)).await.unwrap().contains("protected by a passphrase"));
}

#[tokio::test]
async fn damage_and_a_lost_identity_are_said() {
    let place = Place::new();
    store(&place.open(None));
    let good = fs::read(place.file("keys.age")).unwrap();
    fs::write(place.file("keys.age"), b"no age").unwrap();
    assert!(place.complaint(&place.open(None)).await.unwrap().contains("damaged"));
    fs::write(place.file("keys.age"), &good[..good.len() - 5]).unwrap();
    assert!(place.complaint(&place.open(None)).await.unwrap().contains("damaged"));
    fs::write(place.file("keys.age"), &good).unwrap();
    fs::remove_file(place.file("keys.identity")).unwrap();
    assert!(place.complaint(&place.open(None)).await.unwrap().contains("can't be decrypted"));
}

#[test]
fn a_change_of_another_process_is_seen_and_kept() {
    let place = Place::new();
    let (one, other) = (place.open(None), place.open(None));
    store(&one);
    assert_eq!(one.key_state("openai").unwrap(), KeyState::Stored);
    other.set_key("anthropic", Some(Secret::new("sk-ant"))).unwrap();
    assert_eq!(one.key_state("anthropic").unwrap(), KeyState::Stored);
    other.set_key("openai", None).unwrap();
    assert_eq!((one.key_state("openai").unwrap(), one.key_state("anthropic").unwrap()), (KeyState::Missing, KeyState::Stored));
}

#[test]
fn what_can_be_no_key_is_refused() {
    let place = Place::new();
    let registry = place.open(None);
    for bad in ["", "  ", "two words", "ключ"] {
        assert!(matches!(registry.set_key("openai", Some(Secret::new(bad))), Err(ProviderError::BadKey)), "{bad:?}");
    }
    assert!(matches!(registry.set_key("nobody", Some(Secret::new("k"))), Err(ProviderError::Unknown { .. })));
    assert!(!place.file("keys.age").exists());
    assert_eq!(registry.key_state("openai").unwrap(), KeyState::Missing);
}

#[test]
fn the_place_says_what_it_protects_against() {
    let place = Place::new();
    let without = place.open(None).key_place();
    assert_eq!((without.kind, without.path.as_deref()), (KeyLocationKind::File, Some(place.file("keys.age").as_path())));
    assert!(without.protects.contains("keys.identity"));
    assert!(place.open(Some("x")).key_place().protects.contains("passphrase"));
}
