//! What is known of a registry, on disk.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use inklings_core::{Digest, Time};
use serde::{Deserialize, Serialize};

use super::SyncError;
use crate::disk;
use crate::format::{FileReference, Revocations, Shard, ShardId, Signed, Snapshot, revocations_path, shard_path};
use crate::limits;
use crate::lock::FileLock;
use crate::trust::TrustedRoot;

const STATE: &str = "state.json";
/// When the last sync ended. A file of its own: a sync that finds no changes leaves the state as it is.
const SYNCED: &str = "synced";
const MAX_SYNCED_BYTES: u64 = 64;
const LOCK: &str = ".lock";
const TEMPORARY_PREFIX: &str = ".writing-";
/// Root document, snapshot, and what JSON adds to them.
const MAX_STATE_BYTES: u64 = 4 * (limits::ROOT_BYTES + limits::SNAPSHOT_BYTES);
const VERSION: u32 = 2;

#[derive(Debug, Clone)]
pub(super) struct Cache {
    top: PathBuf,
}

/// Replaced in one step.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StateFile {
    version: u32,
    fingerprint: Digest,
    /// Files as they were received.
    root: String,
    snapshot: Option<String>,
    etag: Option<String>,
    is_superseded: bool,
}

/// Of the file that says what counts. Each change writes another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CacheStamp {
    inode: u64,
    changed: (i64, i64),
}

#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) root: TrustedRoot,
    pub(super) snapshot: Option<KnownSnapshot>,
}

#[derive(Debug, Clone)]
pub(super) struct KnownSnapshot {
    pub(super) snapshot: Snapshot,
    pub(super) file: Vec<u8>,
    pub(super) etag: Option<String>,
    /// The snapshot's keys were replaced since. It is shown until there is a new one, but a new one may be older: who had the keys may
    /// have raised the serial.
    pub(super) is_superseded: bool,
}

pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> SyncError {
    let path = path.to_owned();
    move |error| SyncError::Disk { path, error }
}

fn text(bytes: Vec<u8>, path: &Path) -> Result<String, SyncError> {
    String::from_utf8(bytes).map_err(|_| SyncError::Damaged(path.to_owned()))
}

impl Cache {
    pub(super) const fn new(top: PathBuf) -> Self {
        Self { top }
    }

    pub(super) fn path(&self, relative: &str) -> PathBuf {
        self.top.join(relative)
    }

    /// Locks a file of the cache until the result is dropped.
    pub(super) fn lock(&self) -> Result<FileLock, SyncError> {
        fs::create_dir_all(&self.top).map_err(failed(&self.top))?;
        lock(&self.path(LOCK))
    }

    pub(super) fn stamp(&self) -> Option<CacheStamp> {
        use std::os::unix::fs::MetadataExt as _;
        let file = fs::metadata(self.path(STATE)).ok()?;
        Some(CacheStamp { inode: file.ino(), changed: (file.ctime(), file.ctime_nsec()) })
    }

    /// `None` if nothing is known. A damaged state is as good as none: the fingerprint is kept elsewhere.
    pub(super) fn state(&self, fingerprint: &Digest) -> Result<Option<State>, SyncError> {
        let Some(bytes) = self.read(STATE, MAX_STATE_BYTES)? else { return Ok(None) };
        let Ok(file) = serde_json::from_slice::<StateFile>(&bytes) else { return Ok(None) };
        if file.version != VERSION || file.fingerprint != *fingerprint {
            return Ok(None);
        }
        let Ok(root) = TrustedRoot::cached(file.root.as_bytes()) else { return Ok(None) };
        let (etag, is_superseded) = (file.etag, file.is_superseded);
        let snapshot = file.snapshot.and_then(|text| {
            let snapshot = Signed::<Snapshot>::parse(text.as_bytes()).ok()?.document;
            Some(KnownSnapshot { snapshot, file: text.into_bytes(), etag, is_superseded })
        });
        Ok(Some(State { root, snapshot }))
    }

    pub(super) fn set_state(&self, fingerprint: &Digest, state: &State) -> Result<(), SyncError> {
        let path = self.path(STATE);
        let snapshot = state.snapshot.as_ref();
        let file = StateFile {
            version: VERSION,
            fingerprint: *fingerprint,
            root: text(state.root.to_file()?, &path)?,
            snapshot: snapshot.map(|known| text(known.file.clone(), &path)).transpose()?,
            etag: snapshot.and_then(|known| known.etag.clone()),
            is_superseded: snapshot.is_some_and(|known| known.is_superseded),
        };
        let bytes = serde_json::to_vec(&file).map_err(|error| failed(&path)(io::Error::other(error)))?;
        self.write(STATE, &bytes, true)
    }

    /// Shown to people only.
    pub(super) fn synced_at(&self) -> Option<Time> {
        let bytes = self.read(SYNCED, MAX_SYNCED_BYTES).ok()??;
        serde_json::from_slice(&bytes).ok()
    }

    pub(super) fn set_synced_at(&self, now: Time) -> Result<(), SyncError> {
        let text = serde_json::to_vec(&now).map_err(|error| failed(&self.path(SYNCED))(io::Error::other(error)))?;
        self.write(SYNCED, &text, false)
    }

    /// `None` if there is none.
    fn read(&self, relative: &str, max: u64) -> Result<Option<Vec<u8>>, SyncError> {
        let path = self.path(relative);
        disk::read(&path, max).map_err(failed(&path))
    }

    /// Replaces a file in one step. One that is named by its hash needs no sync to the disk, as its hash is checked whenever it is read.
    pub(super) fn write(&self, relative: &str, bytes: &[u8], sync: bool) -> Result<(), SyncError> {
        let path = self.path(relative);
        let folder = path.parent().unwrap_or(&self.top);
        let write = || {
            fs::create_dir_all(folder)?;
            let mut file = tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(folder)?;
            file.write_all(bytes)?;
            if sync {
                file.as_file().sync_all()?;
            }
            file.persist(&path).map_err(|error| error.error)?;
            if sync { File::open(folder)?.sync_all() } else { Ok(()) }
        };
        write().map_err(failed(&path))
    }

    /// A file with its stated content, or `None`.
    pub(super) fn find(&self, relative: &str, reference: &FileReference) -> Result<Option<Vec<u8>>, SyncError> {
        Ok(self.read(relative, reference.length)?.filter(|bytes| reference.matches(bytes)))
    }

    /// Whether all files of a snapshot are there, by their lengths.
    pub(super) fn is_complete(&self, snapshot: &Snapshot) -> bool {
        let has = |relative: String, reference: &FileReference| {
            fs::metadata(self.path(&relative)).is_ok_and(|metadata| metadata.len() == reference.length)
        };
        has(revocations_path(&snapshot.revoked.sha256), &snapshot.revoked)
            && snapshot.shards.iter().all(|(id, reference)| has(shard_path(*id, &reference.sha256), reference))
    }

    /// The shard of a snapshot in the cache. A damaged one is removed, so that the next sync fetches it.
    pub(super) fn shard(&self, root: &TrustedRoot, id: ShardId, reference: &FileReference) -> Result<(Shard, usize), SyncError> {
        let path = shard_path(id, &reference.sha256);
        let bytes = self.stored(&path, reference)?;
        Ok(root.known_shard(id, &path, reference, &bytes)?)
    }

    pub(super) fn revocations(&self, root: &TrustedRoot, reference: &FileReference) -> Result<Revocations, SyncError> {
        let path = revocations_path(&reference.sha256);
        let bytes = self.stored(&path, reference)?;
        Ok(root.revocations(&path, reference, &bytes)?)
    }

    fn stored(&self, relative: &str, reference: &FileReference) -> Result<Vec<u8>, SyncError> {
        if let Some(bytes) = self.find(relative, reference)? {
            return Ok(bytes);
        }
        let path = self.path(relative);
        let _ = fs::remove_file(&path);
        Err(SyncError::Damaged(path))
    }

    /// Best effort: deletes parts of the index that the snapshot doesn't name, and what killed processes left.
    pub(super) fn prune(&self, snapshot: &Snapshot) {
        let shards = snapshot.shards.iter().map(|(id, reference)| shard_path(*id, &reference.sha256));
        let named: BTreeSet<PathBuf> =
            shards.chain([revocations_path(&snapshot.revoked.sha256)]).map(|relative| self.path(&relative)).collect();
        let list = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect::<Vec<_>>();
        let parts = list(&self.path("index")).into_iter().chain([self.path("revoked")]).flat_map(|folder| list(&folder));
        for path in parts.filter(|path| !named.contains(path)) {
            let _ = fs::remove_file(path);
        }
        let temporary = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(TEMPORARY_PREFIX));
        for path in list(&self.top).into_iter().filter(temporary) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Locks a file, which is created if needed.
pub(super) fn lock(path: &Path) -> Result<FileLock, SyncError> {
    FileLock::acquire(path).map_err(failed(path))?.ok_or_else(|| SyncError::Busy(path.to_owned()))
}
