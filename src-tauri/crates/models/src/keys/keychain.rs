//! The operating system's keychain: Secret Service, macOS Keychain, Windows Credential Manager.

use inklings_core::Secret;
use inklings_core::provider::KeyStoreError;
use keyring::{Entry, Error};

const SERVICE: &str = "inklings-skill-studio";

fn refused(error: Error) -> KeyStoreError {
    KeyStoreError::Keychain { source: Box::new(error) }
}

fn entry(provider: &str) -> Result<Entry, KeyStoreError> {
    Entry::new(SERVICE, provider).map_err(refused)
}

/// The first call connects to the keychain, which fails immediately if there is none.
pub(super) fn is_available() -> bool {
    Entry::store_status().is_ok()
}

pub(super) fn get(provider: &str) -> Result<Option<Secret>, KeyStoreError> {
    match entry(provider)?.get_password() {
        Ok(key) => Ok(Some(Secret::new(key))),
        Err(Error::NoEntry) => Ok(None),
        Err(error) => Err(refused(error)),
    }
}

pub(super) fn set(provider: &str, key: &Secret) -> Result<(), KeyStoreError> {
    entry(provider)?.set_password(key.expose()).map_err(refused)
}

pub(super) fn remove(provider: &str) -> Result<(), KeyStoreError> {
    match entry(provider)?.delete_credential() {
        Ok(()) | Err(Error::NoEntry) => Ok(()),
        Err(error) => Err(refused(error)),
    }
}
