//! The secret keys of a registry, as files in one folder.

use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use inklings_registry::format::{RegistryId, RootDocument};
use inklings_registry::keys::{KeyError, PublicKey, SecretKey};

use super::api::{KeyPaths, KeyRole, PublishTarget};
use super::error::PublishFailure;

const ROOT: &str = "root.key";
const SNAPSHOT: &str = "snapshot.key";
const PUBLISHER: &str = "publisher.key";
/// Ending of a new key until the registry names it.
const NEXT: &str = "next";
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
            return Ok((RegistryKeys { root: self.load(ROOT)?, snapshot: self.load(SNAPSHOT)?, publisher: self.load(PUBLISHER)? }, false));
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

    pub(super) fn snapshot(&self, root: &RootDocument) -> Result<SecretKey, PublishFailure> {
        self.current(KeyRole::Snapshot, root)
    }

    pub(super) fn publisher(&self, root: &RootDocument) -> Result<SecretKey, PublishFailure> {
        self.current(KeyRole::Publisher, root)
    }

    /// `None` if it is kept elsewhere.
    pub(super) fn root(&self, root: &RootDocument) -> Result<Option<SecretKey>, PublishFailure> {
        if self.0.join(ROOT).exists() { self.current(KeyRole::Root, root).map(Some) } else { Ok(None) }
    }

    pub(super) fn require_root(&self, root: &RootDocument) -> Result<SecretKey, PublishFailure> {
        self.root(root)?.ok_or_else(|| PublishFailure::NoRootKey(self.0.clone()))
    }

    /// The key to replace a key with. A rotation that was interrupted goes on with the same one.
    pub(super) fn next(&self, role: KeyRole) -> Result<SecretKey, PublishFailure> {
        let path = self.next_path(role);
        if path.exists() {
            return Ok(SecretKey::load(&path)?);
        }
        let key = SecretKey::generate()?;
        key.save(&path)?;
        Ok(key)
    }

    /// Replaces a key, once the registry names the new one. The old one is of no use any more.
    pub(super) fn replace(&self, role: KeyRole) -> Result<(), PublishFailure> {
        fs::rename(self.next_path(role), self.0.join(file_name(role))).map_err(|error| self.failed(error))
    }

    /// The key that the registry names. If a rotation was interrupted after the registry was changed, this is the new one.
    fn current(&self, role: KeyRole, root: &RootDocument) -> Result<SecretKey, PublishFailure> {
        let key = self.load(file_name(role))?;
        if role.is_in(root, &key.public()) || !self.next_path(role).exists() {
            return Ok(key);
        }
        let next = SecretKey::load(&self.next_path(role))?;
        if !role.is_in(root, &next.public()) {
            return Ok(key);
        }
        self.replace(role)?;
        Ok(next)
    }

    fn next_path(&self, role: KeyRole) -> PathBuf {
        self.0.join(file_name(role)).with_added_extension(NEXT)
    }

    fn load(&self, name: &str) -> Result<SecretKey, PublishFailure> {
        Ok(SecretKey::load(&self.0.join(name))?)
    }
}

const fn file_name(role: KeyRole) -> &'static str {
    match role {
        KeyRole::Root => ROOT,
        KeyRole::Snapshot => SNAPSHOT,
        KeyRole::Publisher => PUBLISHER,
    }
}

impl KeyRole {
    fn is_in(self, root: &RootDocument, key: &PublicKey) -> bool {
        match self {
            Self::Root => root.root.keys.contains(key),
            Self::Snapshot => root.snapshot.keys.contains(key),
            Self::Publisher => root.is_publisher(key),
        }
    }
}
