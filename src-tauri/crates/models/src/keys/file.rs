//! The encrypted key file, in age's format, so that age's own tools can open it.
//!
//! Without a passphrase it is encrypted to an identity in a file beside it, which only its owner can read. A file of the
//! other form is still read, and converted by the next write.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use age::secrecy::{ExposeSecret as _, SecretString};
use age::{DecryptError, Decryptor, Encryptor, scrypt, x25519};
use inklings_core::Secret;
use inklings_core::provider::KeyStoreError;
use zeroize::Zeroizing;

/// scrypt's log2(N): about 0.3 s and 128 MiB.
const WORK_FACTOR: u8 = 17;
/// The largest work factor that is accepted: 1 GiB.
const MAX_WORK_FACTOR: u8 = 20;
const MAX_BYTES: u64 = 1 << 20;

type KeyMap = BTreeMap<String, Secret>;

#[derive(Debug)]
pub(super) struct KeyFile {
    path: PathBuf,
    identity: PathBuf,
    passphrase: Option<Secret>,
    /// The keys that were read last, since scrypt is too slow to run for each request.
    cache: Mutex<Option<(FileStamp, KeyMap)>>,
}

/// Identifies one version of a file: modification time, length, inode.
type FileStamp = (SystemTime, u64, u64);

/// Held while keys are changed, and the settings that name them. No other process changes keys meanwhile.
#[derive(Debug)]
pub(crate) struct KeyLock {
    _file: File,
}

impl KeyFile {
    pub(super) fn new(home: &Path, passphrase: Option<Secret>) -> Self {
        Self { path: home.join("keys.age"), identity: home.join("keys.identity"), passphrase, cache: Mutex::new(None) }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn has_passphrase(&self) -> bool {
        self.passphrase.is_some()
    }

    pub(super) fn get(&self, provider: &str) -> Result<Option<Secret>, KeyStoreError> {
        Ok(self.read()?.get(provider).cloned())
    }

    pub(super) fn lock(&self) -> Result<KeyLock, KeyStoreError> {
        let home = self.home();
        fs::create_dir_all(home).map_err(|source| failed("creating", home, source))?;
        let lock = home.join("keys.lock");
        let mut options = OpenOptions::new();
        let lock_file = options.create(true).write(true).truncate(false).open(&lock).map_err(|source| failed("opening", &lock, source))?;
        lock_file.lock().map_err(|source| failed("locking", &lock, source))?;
        Ok(KeyLock { _file: lock_file })
    }

    pub(super) fn set(&self, lock: &KeyLock, provider: &str, key: &Secret) -> Result<(), KeyStoreError> {
        self.change(lock, |map| map.insert(provider.to_owned(), key.clone()).as_ref() != Some(key))
    }

    pub(super) fn remove(&self, lock: &KeyLock, provider: &str) -> Result<(), KeyStoreError> {
        if !self.path.exists() {
            return Ok(());
        }
        self.change(lock, |map| map.remove(provider).is_some())
    }

    /// Reads, changes and writes. `change` returns whether anything changed.
    fn change(&self, _lock: &KeyLock, change: impl FnOnce(&mut KeyMap) -> bool) -> Result<(), KeyStoreError> {
        let mut map = self.read()?;
        if change(&mut map) { self.write(self.home(), &map) } else { Ok(()) }
    }

    fn home(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    fn read(&self) -> Result<KeyMap, KeyStoreError> {
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(KeyMap::new()),
            Err(source) => return Err(failed("opening", &self.path, source)),
        };
        let about = file.metadata().map_err(|source| failed("reading", &self.path, source))?;
        let stamp = (about.modified().unwrap_or(SystemTime::UNIX_EPOCH), about.len(), inode(&about));
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, map)) = &*cache
            && *known == stamp
        {
            return Ok(map.clone());
        }
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|source| failed("reading", &self.path, source))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(self.damaged("it is too large"));
        }
        let plain = self.decrypt(&bytes)?;
        let map: KeyMap = serde_json::from_slice(&plain).map_err(|_| self.damaged("it contains no keys"))?;
        *cache = Some((stamp, map.clone()));
        Ok(map)
    }

    fn decrypt(&self, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, KeyStoreError> {
        let decryptor = Decryptor::new_buffered(bytes).map_err(|error| self.unreadable(&error))?;
        let identity: Box<dyn age::Identity> = if decryptor.is_scrypt() {
            let Some(passphrase) = &self.passphrase else { return Err(KeyStoreError::Locked { path: self.path.clone() }) };
            let mut identity = scrypt::Identity::new(SecretString::from(passphrase.expose()));
            identity.set_max_work_factor(MAX_WORK_FACTOR);
            Box::new(identity)
        } else {
            Box::new(self.read_identity()?.ok_or_else(|| KeyStoreError::WrongKey { path: self.path.clone() })?)
        };
        let mut reader = decryptor.decrypt(std::iter::once(&*identity)).map_err(|error| self.unreadable(&error))?;
        let mut plain = Zeroizing::new(Vec::new());
        reader.read_to_end(&mut plain).map_err(|_| self.damaged("it is truncated"))?;
        Ok(plain)
    }

    fn unreadable(&self, error: &DecryptError) -> KeyStoreError {
        match error {
            DecryptError::NoMatchingKeys | DecryptError::DecryptionFailed | DecryptError::KeyDecryptionFailed => {
                KeyStoreError::WrongKey { path: self.path.clone() }
            }
            DecryptError::ExcessiveWork { .. } => self.damaged("decrypting it would take too much memory"),
            _ => self.damaged("it isn't an age file"),
        }
    }

    fn damaged(&self, detail: &'static str) -> KeyStoreError {
        KeyStoreError::Damaged { path: self.path.clone(), detail }
    }

    fn write(&self, home: &Path, map: &KeyMap) -> Result<(), KeyStoreError> {
        let shown: BTreeMap<&str, &str> = map.iter().map(|(name, key)| (name.as_str(), key.expose())).collect();
        let plain = Zeroizing::new(serde_json::to_vec(&shown).map_err(|_| self.damaged("it contains no keys"))?);
        let recipient: Box<dyn age::Recipient> = match &self.passphrase {
            Some(passphrase) => {
                let mut recipient = scrypt::Recipient::new(SecretString::from(passphrase.expose()));
                recipient.set_work_factor(WORK_FACTOR);
                Box::new(recipient)
            }
            None => Box::new(self.identity(home)?.to_public()),
        };
        let io = |source| failed("encrypting", &self.path, source);
        let encryptor = Encryptor::with_recipients(std::iter::once(&*recipient)).map_err(|error| io(std::io::Error::other(error)))?;
        let mut sealed = Vec::new();
        let mut writer = encryptor.wrap_output(&mut sealed).map_err(io)?;
        writer.write_all(&plain).and_then(|()| writer.finish()).map_err(io)?;
        *self.cache.lock().unwrap_or_else(PoisonError::into_inner) = None;
        replace(home, &self.path, &sealed)
    }

    /// The identity, generated on first use.
    fn identity(&self, home: &Path) -> Result<x25519::Identity, KeyStoreError> {
        if let Some(identity) = self.read_identity()? {
            return Ok(identity);
        }
        let identity = x25519::Identity::generate();
        let text = Zeroizing::new(format!("# Decrypts keys.age. Keep this file private.\n{}\n", identity.to_string().expose_secret()));
        replace(home, &self.identity, text.as_bytes())?;
        Ok(identity)
    }

    fn read_identity(&self) -> Result<Option<x25519::Identity>, KeyStoreError> {
        let path = &self.identity;
        let text = match fs::read_to_string(path) {
            Ok(text) => Zeroizing::new(text),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(failed("reading", path, source)),
        };
        refuse_if_open(path)?;
        let line = text.lines().find(|line| !line.starts_with('#') && !line.trim().is_empty()).unwrap_or_default();
        let damaged = |_| KeyStoreError::Damaged { path: path.clone(), detail: "it contains no age identity" };
        line.trim().parse().map(Some).map_err(damaged)
    }
}

fn failed(action: &'static str, path: &Path, source: std::io::Error) -> KeyStoreError {
    KeyStoreError::Io { action, path: path.to_owned(), source }
}

/// Writes a temporary file and renames it, so that a reader sees the old or the new content. Only the owner can read it, from
/// the first byte on.
fn replace(home: &Path, path: &Path, bytes: &[u8]) -> Result<(), KeyStoreError> {
    let io = |source| failed("writing", path, source);
    // Created with mode 0600 and removed if a later step fails.
    let mut temporary = tempfile::Builder::new().prefix(".keys-").tempfile_in(home).map_err(io)?;
    temporary.write_all(bytes).and_then(|()| temporary.as_file().sync_all()).map_err(io)?;
    temporary.persist(path).map_err(|error| io(error.error))?;
    Ok(())
}

#[cfg(unix)]
fn refuse_if_open(path: &Path) -> Result<(), KeyStoreError> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::metadata(path).map_err(|source| failed("reading", path, source))?.permissions().mode();
    if mode & 0o077 > 0 { Err(KeyStoreError::TooOpen { path: path.to_owned() }) } else { Ok(()) }
}

#[cfg(not(unix))]
fn refuse_if_open(_: &Path) -> Result<(), KeyStoreError> {
    // Home folders are private there.
    Ok(())
}

#[cfg(unix)]
fn inode(about: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(about)
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> u64 {
    0
}
