//! Stores keys in the operating system's keychain if there is one, else in an encrypted file.
//!
//! A lookup asks both, so that a key that was stored while there was no keychain is still found. All calls block.

mod file;
mod keychain;

use std::path::{Path, PathBuf};

use inklings_core::Secret;
use inklings_core::provider::{KeyLocation, KeyLocationKind, KeyStoreError};

use crate::keys::file::KeyFile;
pub(crate) use crate::keys::file::KeyLock;

#[derive(Debug)]
pub(crate) struct Keys {
    use_keychain: bool,
    file: KeyFile,
}

impl Keys {
    /// `home` is the folder of the key file.
    pub(crate) fn new(home: &Path, use_keychain: bool, passphrase: Option<Secret>) -> Self {
        Self { use_keychain, file: KeyFile::new(home, passphrase) }
    }

    fn has_keychain(&self) -> bool {
        self.use_keychain && keychain::is_available()
    }

    pub(crate) fn get(&self, provider: &str) -> Result<Option<Secret>, KeyStoreError> {
        if self.has_keychain() {
            match keychain::get(provider) {
                Ok(Some(key)) => return Ok(Some(key)),
                Ok(None) => {}
                // The key may be in the file if the keychain also failed when it was stored.
                Err(error) => return self.file.get(provider)?.map_or(Err(error), |key| Ok(Some(key))),
            }
        }
        self.file.get(provider)
    }

    /// Waits for other threads and processes that change keys.
    pub(crate) fn lock(&self) -> Result<KeyLock, KeyStoreError> {
        self.file.lock()
    }

    pub(crate) fn set(&self, lock: &KeyLock, provider: &str, key: &Secret) -> Result<(), KeyStoreError> {
        if self.has_keychain() {
            match keychain::set(provider, key) {
                // An older key in the file would be used again once the keychain is unavailable.
                Ok(()) => return self.file.remove(lock, provider),
                Err(error) => tracing::warn!(%error, "can't store a key in the keychain, storing it in the key file"),
            }
        }
        self.file.set(lock, provider, key)
    }

    pub(crate) fn remove(&self, lock: &KeyLock, provider: &str) -> Result<(), KeyStoreError> {
        let removed = if self.has_keychain() { keychain::remove(provider) } else { Ok(()) };
        self.file.remove(lock, provider)?;
        removed
    }

    /// Where a new key is stored.
    pub(crate) fn location(&self) -> KeyLocation {
        if self.has_keychain() {
            let protects = "Keys are stored in the system keychain. Programs that you run can read them while you are logged in.";
            return KeyLocation { kind: KeyLocationKind::Keychain, path: None, protects: protects.to_owned() };
        }
        let protects = if self.file.has_passphrase() {
            "Keys are stored in an encrypted file that only your passphrase opens."
        } else {
            "Keys are stored in a file that is encrypted with keys.identity in the same folder. Anyone who can read that folder can \
             read the keys."
        };
        KeyLocation { kind: KeyLocationKind::File, path: Some(PathBuf::from(self.file.path())), protects: protects.to_owned() }
    }
}
