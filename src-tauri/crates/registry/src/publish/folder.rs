//! The folder of a registry: creating and opening it, and its keys.

use std::fs::{self, File, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use inklings_core::{Digest, Time};
use semver::Version;
use tempfile::Builder;

use super::PublishError;
use super::files::{failed, read, write, write_new};
use super::options::{PublishOptions, SigningKeys};
use crate::format::{
    CONFIG, Config, Document, FileReference, FormatError, Publisher, RegistryId, Revocations, Role, RootDocument, SNAPSHOT, Signed,
    Snapshot, revocations_path, root_path,
};
use crate::keys::{Purpose, SecretKey};
use crate::limits;
use crate::lock::FileLock;
use crate::trust::{TrustError, TrustedRoot};

/// Held by a publisher. Web servers don't serve hidden files, and this one is empty.
const LOCK: &str = ".lock";
/// Of a registry that is created and isn't complete yet.
const STAGING_PREFIX: &str = ".registry-";
/// Web servers run as another user.
const FOLDER_MODE: u32 = 0o755;

#[derive(Debug, Clone)]
pub struct InitOptions {
    pub registry: RegistryId,
    pub title: String,
    pub minimum_client: Version,
    pub root: Role,
    pub snapshot: Role,
    pub publishers: Vec<Publisher>,
    pub root_expires: Time,
}

/// A registry that can be changed. One process changes it at a time.
#[derive(Debug)]
pub struct RegistryFolder {
    pub(super) top: PathBuf,
    pub(super) root: TrustedRoot,
    /// A publisher that was killed after it wrote a root document left a snapshot that is signed by the keys of the one before.
    pub(super) previous: Option<TrustedRoot>,
    /// SHA-256 of the first root document.
    fingerprint: Digest,
    _lock: FileLock,
}

pub(super) fn to_text<T: Document>(path: &str, document: &T) -> Result<Vec<u8>, PublishError> {
    let unfit = |error: FormatError| PublishError::Format { path: path.to_owned(), error };
    document.validate().map_err(unfit)?;
    let unfit = |error: FormatError| PublishError::Format { path: path.to_owned(), error };
    let text = document.to_text().map_err(unfit)?;
    let length = text.len() as u64;
    if length > T::MAX_BYTES {
        return Err(PublishError::Format { path: path.to_owned(), error: FormatError::TooLong { length, max: T::MAX_BYTES } });
    }
    Ok(text)
}

impl RegistryFolder {
    /// Creates an empty registry in an empty or new folder. It is written beside that folder and appears in one step: a call that fails or
    /// is killed leaves the folder as it was.
    pub fn init(
        top: &Path,
        options: InitOptions,
        root_keys: &[&SecretKey],
        keys: &SigningKeys<'_>,
        time: PublishOptions,
    ) -> Result<Self, PublishError> {
        // A link to an empty folder can't be replaced, the folder can.
        let top = fs::canonicalize(top).unwrap_or_else(|_| top.to_owned());
        let parent = top.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(failed(parent))?;
        let staging = Builder::new().prefix(STAGING_PREFIX).permissions(Permissions::from_mode(FOLDER_MODE)).tempdir_in(parent);
        let staging = staging.map_err(failed(parent))?;
        let mut registry = Self::create(staging.path(), options, root_keys, keys, time)?;
        fs::rename(staging.path(), &top).map_err(|error| match error.kind() {
            ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists | ErrorKind::NotADirectory => PublishError::NotEmpty(top.clone()),
            _ => PublishError::Disk { path: top.clone(), error },
        })?;
        // Nothing is left to delete.
        let _ = staging.keep();
        File::open(parent).and_then(|folder| folder.sync_all()).map_err(failed(parent))?;
        registry.top = top;
        Ok(registry)
    }

    fn create(
        top: &Path,
        options: InitOptions,
        root_keys: &[&SecretKey],
        keys: &SigningKeys<'_>,
        time: PublishOptions,
    ) -> Result<Self, PublishError> {
        let lock = lock(top)?;
        let mut publishers = options.publishers;
        publishers.sort_by_key(|publisher| publisher.key);
        let document = RootDocument {
            format: limits::FORMAT,
            registry: options.registry.clone(),
            title: options.title.clone(),
            version: 1,
            expires: options.root_expires,
            minimum_client: options.minimum_client.clone(),
            root: options.root,
            snapshot: options.snapshot,
            publishers,
        };
        let file = sign_root(document, None, root_keys)?;
        let fingerprint = Digest::of(&file);
        let root = TrustedRoot::first(&file, &fingerprint)?;
        let revocations = to_text("revoked", &Revocations::empty(options.registry.clone()))?;
        let revoked = FileReference::of(&revocations);
        let snapshot = Snapshot {
            format: limits::FORMAT,
            registry: options.registry.clone(),
            serial: 1,
            expires: time.now.after(time.validity),
            revoked,
            shards: std::collections::BTreeMap::new(),
        };
        let snapshot = sign_snapshot(&root, snapshot, keys)?;
        let config = Config {
            format: limits::FORMAT,
            registry: options.registry,
            title: options.title,
            fingerprint,
            minimum_client: options.minimum_client,
        };
        write_new(top, &revocations_path(&revoked.sha256), &revocations)?;
        write_new(top, &root_path(1), &file)?;
        write(top, CONFIG, &to_text(CONFIG, &config)?)?;
        write(top, SNAPSHOT, &snapshot)?;
        Ok(Self { top: top.to_owned(), root, previous: None, fingerprint, _lock: lock })
    }

    /// Opens a registry and verifies its root documents and its snapshot.
    pub fn open(top: &Path) -> Result<Self, PublishError> {
        let not_found = || PublishError::NotARegistry(top.to_owned());
        if !top.join(root_path(1)).is_file() {
            return Err(not_found());
        }
        let lock = lock(top)?;
        let first = read(top, &root_path(1), limits::ROOT_BYTES)?.ok_or_else(not_found)?;
        let fingerprint = Digest::of(&first);
        let mut root = TrustedRoot::first(&first, &fingerprint)?;
        let mut previous = None;
        while let Some(file) = read(top, &root_path(root.document().version + 1), limits::ROOT_BYTES)? {
            previous = Some(root.clone());
            root = root.next(&file)?;
        }
        Ok(Self { top: top.to_owned(), root, previous, fingerprint, _lock: lock })
    }

    /// What people compare when they add the registry.
    #[must_use]
    pub const fn fingerprint(&self) -> &Digest {
        &self.fingerprint
    }

    #[must_use]
    pub const fn root(&self) -> &TrustedRoot {
        &self.root
    }

    /// Verifies its signature, but neither its time nor the index that it names.
    pub fn snapshot(&self) -> Result<Snapshot, PublishError> {
        let file = read(&self.top, SNAPSHOT, limits::SNAPSHOT_BYTES)?.ok_or_else(|| PublishError::NotARegistry(self.top.clone()))?;
        let signed = match (self.root.snapshot(&file), &self.previous) {
            (Err(TrustError::Signatures { .. }), Some(previous)) => previous.snapshot(&file)?,
            (signed, _) => signed?,
        };
        Ok(signed.document)
    }
}

fn lock(top: &Path) -> Result<FileLock, PublishError> {
    let path = top.join(LOCK);
    FileLock::acquire(&path).map_err(failed(&path))?.ok_or_else(|| PublishError::Busy(top.to_owned()))
}

/// Signs with those of the keys that belong to the root role of the document or the one before.
pub(super) fn sign_root(document: RootDocument, before: Option<&TrustedRoot>, keys: &[&SecretKey]) -> Result<Vec<u8>, PublishError> {
    let path = root_path(document.version);
    let roles: Vec<Role> = before.map(|root| root.document().root.clone()).into_iter().chain([document.root.clone()]).collect();
    for role in &roles {
        check_keys("root", role, keys)?;
    }
    let used: Vec<&SecretKey> = keys.iter().copied().filter(|key| roles.iter().any(|role| role.keys.contains(&key.public()))).collect();
    let registry = document.registry.clone();
    let signed = Signed::sign(document, Purpose::Root, &registry, &used).and_then(|signed| signed.to_file());
    signed.map_err(|error| PublishError::Format { path, error })
}

pub(super) fn check_keys(role_name: &'static str, role: &Role, keys: &[&SecretKey]) -> Result<(), PublishError> {
    let valid = role.keys.iter().filter(|known| keys.iter().any(|key| key.public() == **known)).count();
    if role.is_met(valid) { Ok(()) } else { Err(PublishError::Keys { role: role_name, valid, needed: role.threshold }) }
}

pub(super) fn sign_snapshot(root: &TrustedRoot, snapshot: Snapshot, keys: &SigningKeys<'_>) -> Result<Vec<u8>, PublishError> {
    let role = &root.document().snapshot;
    check_keys("snapshot", role, keys.snapshot)?;
    let used: Vec<&SecretKey> = keys.snapshot.iter().copied().filter(|key| role.keys.contains(&key.public())).collect();
    let signed = Signed::sign(snapshot, Purpose::Snapshot, &root.document().registry, &used).and_then(|signed| signed.to_file());
    signed.map_err(|error| PublishError::Format { path: SNAPSHOT.to_owned(), error })
}
