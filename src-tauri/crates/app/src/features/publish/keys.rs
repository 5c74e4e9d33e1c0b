//! The secret keys of a registry, as files in one folder.

use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use inklings_registry::format::RegistryId;
use inklings_registry::keys::{KeyError, SecretKey};

use super::api::{KeyPaths, PublishTarget};
use super::error::PublishFailure;

const ROOT: &str = "root.key";
const SNAPSHOT: &str = "snapshot.key";
const PUBLISHER: &str = "publisher.key";
/// Of a folder that is created and isn't complete yet.
const STAGING_PREFIX: &str = ".keys-";
const FOLDER_MODE: u32 = 0o700;

#[derive(Debug)]
pub(super) struct KeyFolder(PathBuf);

/// All keys of a registry.
#[derive(Debug)]
pub(super) struct RegistryKeys {
    pub(super) root: SecretKey,
    pub(super) snapshot: SecretKey,
    pub(super) publisher: SecretKey,
}

impl KeyFolder {
    /// `all` has the folders of the registries whose keys are in the account.
    pub(super) fn of(target: &PublishTarget, all: &Path, registry: &RegistryId) -> Self {
        Self(target.keys.clone().unwrap_or_else(|| all.join(registry.as_str())))
    }

    fn is_empty(&self) -> Result<bool, PublishFailure> {
        match fs::read_dir(&self.0) {
            Ok(mut entries) => Ok(entries.next().is_none()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
            Err(error) => Err(self.failed(error)),
        }
    }

    fn failed(&self, error: std::io::Error) -> PublishFailure {
        KeyError::Disk { path: self.0.clone(), error }.into()
    }

    /// The keys of a folder, or new ones in a new or empty folder. True if they are new.
    pub(super) fn load_or_create(&self) -> Result<(RegistryKeys, bool), PublishFailure> {
        if !self.is_empty()? {
            return Ok((RegistryKeys { root: self.load(ROOT)?, snapshot: self.snapshot()?, publisher: self.publisher()? }, false));
        }
        let [root, snapshot, publisher] = [SecretKey::generate()?, SecretKey::generate()?, SecretKey::generate()?];
        let keys = RegistryKeys { root, snapshot, publisher };
        // The folder appears with all its keys, or not at all.
        let parent = self.0.parent().unwrap_or(Path::new("/"));
        fs::create_dir_all(parent).map_err(|error| self.failed(error))?;
        let staging = tempfile::Builder::new().prefix(STAGING_PREFIX).permissions(Permissions::from_mode(FOLDER_MODE)).tempdir_in(parent);
        let staging = staging.map_err(|error| self.failed(error))?;
        for (name, key) in [(ROOT, &keys.root), (SNAPSHOT, &keys.snapshot), (PUBLISHER, &keys.publisher)] {
            key.save(&staging.path().join(name))?;
        }
        fs::rename(staging.path(), &self.0).map_err(|error| self.failed(error))?;
        // Nothing is left to delete.
        let _ = staging.keep();
        Ok((keys, true))
    }

    pub(super) fn paths(&self, created: bool) -> KeyPaths {
        let path = |name: &str| self.0.join(name).display().to_string();
        KeyPaths { folder: self.0.display().to_string(), root: path(ROOT), snapshot: path(SNAPSHOT), publisher: path(PUBLISHER), created }
    }

    pub(super) fn snapshot(&self) -> Result<SecretKey, PublishFailure> {
        self.load(SNAPSHOT)
    }

    pub(super) fn publisher(&self) -> Result<SecretKey, PublishFailure> {
        self.load(PUBLISHER)
    }

    /// `None` if it is kept elsewhere.
    pub(super) fn root(&self) -> Result<Option<SecretKey>, PublishFailure> {
        if self.0.join(ROOT).exists() { self.load(ROOT).map(Some) } else { Ok(None) }
    }

    fn load(&self, name: &str) -> Result<SecretKey, PublishFailure> {
        Ok(SecretKey::load(&self.0.join(name))?)
    }
}
