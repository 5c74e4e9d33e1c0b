//! Bringing the cache up to date.

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use inklings_core::{CancellationToken, ProgressReporter, Time};

use super::cache::{KnownSnapshot, State};
use super::fetch::{Fetched, fetch};
use super::{RegistryClient, SyncError};
use crate::format::{FileReference, SNAPSHOT, ShardId, Snapshot, revocations_path, root_path, shard_path};
use crate::limits;
use crate::transport::Request;
use crate::trust::{TrustedRoot, check_revocations, check_serial, check_time, check_versions};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncReport {
    /// Of the registry.
    pub serial: u64,
    pub root_version: u64,
    /// Parts of the index that were fetched. 0 if nothing changed.
    pub fetched_shards: usize,
    /// Whether the registry is another one than before the sync.
    pub has_changed: bool,
}

impl RegistryClient {
    /// Fetches what changed. A failed or killed sync leaves the former state; what it fetched isn't fetched again.
    ///
    /// Without changes, this is one request. Progress is in parts of the index.
    pub async fn sync(&self, now: Time, cancel: &CancellationToken, progress: &ProgressReporter) -> Result<SyncReport, SyncError> {
        let _lock = self.cache.lock()?;
        let mut state = match self.cache.state(&self.fingerprint)? {
            Some(state) => state,
            None => self.bootstrap(cancel).await?,
        };
        let etag = self.usable_etag(&state, now);
        let request = Request { path: SNAPSHOT, etag: etag.as_deref(), start: 0 };
        let fetched = fetch(&*self.transport, request, limits::SNAPSHOT_BYTES, &self.options, cancel).await?;
        let (file, etag) = match (fetched, &state.snapshot) {
            (Fetched::File { bytes, etag }, _) => (bytes, etag),
            (Fetched::NotModified, Some(known)) => {
                let serial = known.snapshot.serial;
                state.root.check_client(&self.options.version)?;
                let root_version = state.root.document().version;
                self.cache.set_synced_at(now)?;
                return Ok(SyncReport { serial, root_version, fetched_shards: 0, has_changed: false });
            }
            (Fetched::NotModified | Fetched::NotFound, _) => return Err(SyncError::NotFound { path: SNAPSHOT.to_owned() }),
        };
        self.update_root(&mut state, cancel).await?;
        let root = state.root.clone();
        root.check_client(&self.options.version)?;
        root.check_time(now)?;
        let snapshot = root.snapshot(&file)?.document;
        let known = state.snapshot.as_ref();
        if let Some(known) = known.filter(|known| !known.is_superseded) {
            check_serial(&known.snapshot, &snapshot)?;
        }
        check_time(SNAPSHOT.to_owned(), snapshot.expires, now)?;
        let fetched_shards = self.fetch_parts(&root, known, &snapshot, cancel, progress).await?;
        let has_changed = known.is_none_or(|known| known.snapshot != snapshot);
        let report = SyncReport { serial: snapshot.serial, root_version: root.document().version, fetched_shards, has_changed };
        let known = KnownSnapshot { snapshot, file, etag, is_superseded: false };
        let state = State { root, snapshot: Some(known) };
        self.cache.set_state(&self.fingerprint, &state)?;
        // The sync is stored, and doesn't fail any more.
        let _ = self.cache.set_synced_at(now);
        if let Some(known) = &state.snapshot {
            self.cache.prune(&known.snapshot);
        }
        Ok(report)
    }

    /// The first root document, by its fingerprint.
    async fn bootstrap(&self, cancel: &CancellationToken) -> Result<State, SyncError> {
        let path = root_path(1);
        let fetched = fetch(&*self.transport, Request::whole(&path), limits::ROOT_BYTES, &self.options, cancel).await?;
        let root = TrustedRoot::first(&fetched.into_bytes(&path)?, &self.fingerprint)?;
        Ok(State { root, snapshot: None })
    }

    /// The etag of the known snapshot, if "not modified" is an answer that can be accepted: everything is valid and in the cache.
    fn usable_etag(&self, state: &State, now: Time) -> Option<String> {
        let known = state.snapshot.as_ref().filter(|known| !known.is_superseded)?;
        let is_usable = now < known.snapshot.expires && state.root.check_time(now).is_ok() && self.cache.is_complete(&known.snapshot);
        known.etag.clone().filter(|_| is_usable)
    }

    /// Follows the versions of the root document up to the newest one, and stores it.
    async fn update_root(&self, state: &mut State, cancel: &CancellationToken) -> Result<(), SyncError> {
        let before = state.root.clone();
        for _ in 0..=limits::ROOT_ROTATIONS {
            let path = root_path(state.root.document().version.saturating_add(1));
            match fetch(&*self.transport, Request::whole(&path), limits::ROOT_BYTES, &self.options, cancel).await? {
                Fetched::File { bytes, .. } => state.root = state.root.next(&bytes)?,
                Fetched::NotFound | Fetched::NotModified => {
                    if state.root != before {
                        self.store_root(state, &before)?;
                    }
                    return Ok(());
                }
            }
        }
        self.store_root(state, &before)?;
        Err(SyncError::TooManyRoots)
    }

    fn store_root(&self, state: &mut State, before: &TrustedRoot) -> Result<(), SyncError> {
        if let Some(known) = &mut state.snapshot {
            known.is_superseded |= before.document().snapshot != state.root.document().snapshot;
        }
        self.cache.set_state(&self.fingerprint, state)
    }

    /// Fetches and verifies the parts that aren't in the cache. Returns the number of fetched shards.
    async fn fetch_parts(
        &self,
        root: &TrustedRoot,
        known: Option<&KnownSnapshot>,
        snapshot: &Snapshot,
        cancel: &CancellationToken,
        progress: &ProgressReporter,
    ) -> Result<usize, SyncError> {
        self.fetch_revocations(root, known, snapshot, cancel).await?;
        let known_shard = |id: &ShardId| known.and_then(|known| known.snapshot.shards.get(id)).copied();
        let changed = snapshot.shards.iter().filter(|(id, reference)| {
            let is_there = known_shard(id) == Some(**reference)
                && matches!(self.cache.find(&shard_path(**id, &reference.sha256), reference), Ok(Some(_)));
            !is_there
        });
        let changed: Vec<(ShardId, FileReference, Option<FileReference>)> =
            changed.map(|(id, reference)| (*id, *reference, known_shard(id))).collect();
        let total = changed.len();
        progress.report(0, Some(total));
        let tasks = changed.into_iter().map(|(id, reference, before)| self.fetch_shard(root, id, reference, before, cancel));
        let mut results = stream::iter(tasks).buffer_unordered(self.options.parallel.max(1));
        let (mut done, mut fetched) = (0, 0);
        while let Some(was_fetched) = results.try_next().await? {
            done += 1;
            fetched += usize::from(was_fetched);
            progress.report(done, Some(total));
        }
        Ok(fetched)
    }

    /// False if an earlier sync that didn't complete left it in the cache.
    async fn fetch_shard(
        &self,
        root: &TrustedRoot,
        id: ShardId,
        reference: FileReference,
        before: Option<FileReference>,
        cancel: &CancellationToken,
    ) -> Result<bool, SyncError> {
        let path = shard_path(id, &reference.sha256);
        let cached = self.cache.find(&path, &reference)?;
        let was_fetched = cached.is_none();
        let bytes = match cached {
            Some(bytes) => bytes,
            None => fetch(&*self.transport, Request::whole(&path), reference.length, &self.options, cancel).await?.into_bytes(&path)?,
        };
        let (shard, _) = root.shard(id, &path, &reference, &bytes)?;
        if let Some(before) = before {
            match self.cache.shard(root, id, &before) {
                Ok((before, _)) => check_versions(&before, &shard)?,
                Err(SyncError::Damaged(_)) => {}
                Err(error) => return Err(error),
            }
        }
        if was_fetched {
            self.cache.write(&path, &bytes, false)?;
        }
        Ok(was_fetched)
    }

    async fn fetch_revocations(
        &self,
        root: &TrustedRoot,
        known: Option<&KnownSnapshot>,
        snapshot: &Snapshot,
        cancel: &CancellationToken,
    ) -> Result<(), SyncError> {
        let reference = &snapshot.revoked;
        let path = revocations_path(&reference.sha256);
        let cached = self.cache.find(&path, reference)?;
        let is_new = cached.is_none();
        let bytes = match cached {
            Some(bytes) => bytes,
            None => fetch(&*self.transport, Request::whole(&path), reference.length, &self.options, cancel).await?.into_bytes(&path)?,
        };
        let revocations = root.revocations(&path, reference, &bytes)?;
        if let Some(known) = known.filter(|known| !known.is_superseded) {
            match self.cache.revocations(root, &known.snapshot.revoked) {
                Ok(before) => check_revocations(&before, &revocations)?,
                Err(SyncError::Damaged(_)) => {}
                Err(error) => return Err(error),
            }
        }
        if is_new { self.cache.write(&path, &bytes, false) } else { Ok(()) }
    }
}
