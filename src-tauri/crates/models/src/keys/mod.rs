//! Where keys are kept: the operating system's keychain where there is one, else an encrypted file.
//!
//! Looking for a key asks both, so that a key which was stored while there was no keychain is found afterwards. All of it blocks.

mod file;
mod keychain;

use std::path::{Path, PathBuf};

use inklings_core::Secret;
use inklings_core::provider::{KeyLocation, KeyLocationKind, KeyStoreError};

use crate::keys::file::KeyFile;

/// The keys of all providers.
#[derive(Debug)]
pub(crate) struct Keys {
    use_keychain: bool,
    file: KeyFile,
}

impl Keys {
    /// Keys beside the databases in `home`; in the file alone unless `use_keychain`.
    pub(crate) fn new(home: &Path, use_keychain: bool, passphrase: Option<Secret>) -> Self {
        Self { use_keychain, file: KeyFile::new(home, passphrase) }
    }

    /// Whether there is a keychain. Looked for at the first call, then known.
    fn has_keychain(&self) -> bool {
        self.use_keychain && keychain::is_there()
    }

    /// A provider's key.
    pub(crate) fn get(&self, provider: &str) -> Result<Option<Secret>, KeyStoreError> {
        if self.has_keychain() {
            match keychain::get(provider) {
                Ok(Some(key)) => return Ok(Some(key)),
                Ok(None) => {}
                // A keychain that fails may still have let the key go to the file.
                Err(error) => return self.file.get(provider)?.map_or(Err(error), |key| Ok(Some(key))),
            }
        }
        self.file.get(provider)
    }

    /// Stores a provider's key.
    pub(crate) fn set(&self, provider: &str, key: &Secret) -> Result<(), KeyStoreError> {
        if self.has_keychain() {
            match keychain::set(provider, key) {
                // An older key in the file would come back when the keychain is gone.
                Ok(()) => return self.file.remove(provider),
                Err(error) => tracing::warn!(%error, "the keychain took no key, it goes to the file"),
            }
        }
        self.file.set(provider, key)
    }

    /// Forgets a provider's key.
    pub(crate) fn remove(&self, provider: &str) -> Result<(), KeyStoreError> {
        let kept = if self.has_keychain() { keychain::remove(provider) } else { Ok(()) };
        self.file.remove(provider)?;
        kept
    }

    /// Where a new key goes.
    pub(crate) fn place(&self) -> KeyLocation {
        if self.has_keychain() {
            let protects = "Keys are in your system's keychain: they are readable while you are logged in, to programs that you run.";
            return KeyLocation { kind: KeyLocationKind::Keychain, path: None, protects: protects.to_owned() };
        }
        let protects = if self.file.has_passphrase() {
            "The file can be opened only with your passphrase: it is safe in backups and from other people who use this computer."
        } else {
            "The file is opened with keys.identity beside it: that protects against a stray copy of keys.age, not against someone who \
             can read your folder."
        };
        KeyLocation { kind: KeyLocationKind::File, path: Some(PathBuf::from(self.file.path())), protects: protects.to_owned() }
    }
}
