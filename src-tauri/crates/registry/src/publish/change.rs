//! Changes of a registry's contents.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use inklings_core::ports::SkillFormat;
use inklings_core::skill::Package;
use inklings_core::{Digest, Slug};
use semver::Version;

use super::files::{list, read, write, write_new};
use super::folder::{check_keys, sign_snapshot, to_text};
use super::options::{PublishOptions, SigningKeys};
use super::{PublishError, RegistryFolder};
use crate::format::{
    Document as _, FileReference, IndexLine, Revocation, Revocations, SNAPSHOT, Shard, ShardId, Snapshot, package_path, revocations_path,
    shard_path,
};
use crate::keys::{PublicKey, SecretKey};
use crate::limits;
use crate::package::{Statement, decode, encode};
use crate::trust::{TrustError, check_content};

#[derive(Clone, Copy)]
pub struct PublishRequest<'a> {
    /// With sources in sync.
    pub packages: &'a [Package],
    pub format: &'a dyn SkillFormat,
    /// Signs the packages.
    pub publisher: &'a SecretKey,
    /// Version of the app that the skills need.
    pub minimum_client: Option<&'a Version>,
    pub count_tokens: &'a dyn Fn(&str) -> usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublishReport {
    /// New versions, by slug and version.
    pub added: Vec<(Slug, Version)>,
    /// Number of versions that were there already.
    pub unchanged: usize,
    /// Of the registry. The same as before if nothing was written.
    pub serial: u64,
}

/// What to revoke.
#[derive(Debug, Clone, Copy)]
pub struct Revoke<'a> {
    pub slug: &'a Slug,
    pub version: &'a Version,
    pub reason: &'a str,
}

impl RegistryFolder {
    /// Adds the versions that the registry doesn't have yet. Either all are added or none.
    pub fn publish(
        &self,
        request: &PublishRequest<'_>,
        keys: &SigningKeys<'_>,
        options: PublishOptions,
    ) -> Result<PublishReport, PublishError> {
        let (change, mut report) = self.stage(request, options)?;
        report.serial = change.commit(self, keys, options)?;
        Ok(report)
    }

    /// What [`Self::publish`] would do. Fails where it would, but for the disk.
    pub fn check_publish(
        &self,
        request: &PublishRequest<'_>,
        keys: &SigningKeys<'_>,
        options: PublishOptions,
    ) -> Result<PublishReport, PublishError> {
        let (change, mut report) = self.stage(request, options)?;
        check_keys("snapshot", &self.root.document().snapshot, keys.snapshot)?;
        report.serial = change.before.serial;
        Ok(report)
    }

    fn stage(&self, request: &PublishRequest<'_>, options: PublishOptions) -> Result<(Change<'_>, PublishReport), PublishError> {
        let PublishRequest { packages, format, publisher, minimum_client, count_tokens } = *request;
        if !self.root.document().is_publisher(&publisher.public()) {
            return Err(PublishError::Publisher);
        }
        let mut change = Change::new(self, options)?;
        let mut report = PublishReport::default();
        let statement = Statement { published_at: options.now, minimum_client, count_tokens };
        let mut names = BTreeSet::new();
        for package in packages {
            if !names.insert(&package.slug) {
                return Err(PublishError::Duplicate(package.slug.clone()));
            }
            let (entry, archive) = encode(package, statement)?;
            let (slug, version) = (entry.slug.clone(), entry.version.clone());
            if change.revocations.find(&entry.sha256).is_some() {
                return Err(PublishError::Revoked { slug, version });
            }
            let shard = change.shard(&slug)?;
            if let Some(line) = shard.find(&slug, &version) {
                if line.entry.sha256 != entry.sha256 {
                    return Err(PublishError::Published { slug, version });
                }
                report.unchanged += 1;
                continue;
            }
            let other = shard.lines.iter().find(|line| line.entry.slug == slug && line.publisher != publisher.public());
            if let Some(line) = other {
                return Err(PublishError::OtherPublisher { version: line.entry.version.clone(), slug });
            }
            // Nothing is published that clients would refuse.
            decode(format, &entry, &archive)?;
            let path = package_path(&entry.sha256);
            let unfit = |error| PublishError::Format { path: "index".to_owned(), error };
            shard.put(IndexLine::sign(entry, &self.root.document().registry, publisher).map_err(unfit)?);
            change.archives.push((path, archive));
            report.added.push((slug, version));
        }
        report.added.sort();
        Ok((change, report))
    }

    /// Stops offering a version to clients that don't have it. Without a reason, it is offered again. Returns the registry's serial.
    pub fn yank(
        &self,
        slug: &Slug,
        version: &Version,
        reason: Option<&str>,
        keys: &SigningKeys<'_>,
        options: PublishOptions,
    ) -> Result<u64, PublishError> {
        let mut change = Change::new(self, options)?;
        let not_found = || PublishError::NotFound { slug: slug.clone(), version: version.clone() };
        let line = change.shard(slug)?.find_mut(slug, version).ok_or_else(not_found)?;
        line.yanked = reason.map(str::to_owned);
        change.commit(self, keys, options)
    }

    /// Withdraws a version for good, also where it is installed. Its archive is deleted. Returns the registry's serial.
    pub fn revoke(&self, revoke: Revoke<'_>, keys: &SigningKeys<'_>, options: PublishOptions) -> Result<u64, PublishError> {
        let Revoke { slug, version, reason } = revoke;
        let mut change = Change::new(self, options)?;
        let not_found = || PublishError::NotFound { slug: slug.clone(), version: version.clone() };
        let sha256 = change.shard(slug)?.find(slug, version).ok_or_else(not_found)?.entry.sha256;
        if change.revocations.find(&sha256).is_none() {
            let (slug, version, reason) = (slug.clone(), version.clone(), reason.to_owned());
            change.revocations.packages.push(Revocation { sha256, slug, version, reason, revoked_at: options.now });
            change.revocations.packages.sort_by_key(|one| one.sha256);
        }
        let serial = change.commit(self, keys, options)?;
        // The snapshot says so first: a client that misses the archive must see why.
        let archive = self.top.join(package_path(&sha256));
        match std::fs::remove_file(&archive) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(super::files::failed(&archive)(error)),
            _ => Ok(serial),
        }
    }

    /// Signs the snapshot again if half of its validity has passed. Returns the registry's serial.
    pub fn refresh(&self, keys: &SigningKeys<'_>, options: PublishOptions) -> Result<u64, PublishError> {
        Change::new(self, options)?.commit(self, keys, options)
    }
}

/// The contents of a registry while they are changed.
#[derive(Debug)]
pub(super) struct Change<'a> {
    registry: &'a RegistryFolder,
    before: Snapshot,
    /// Those that were read.
    shards: BTreeMap<ShardId, Shard>,
    revocations: Revocations,
    /// New packages, with their paths.
    archives: Vec<(String, Vec<u8>)>,
}

impl<'a> Change<'a> {
    pub(super) fn new(registry: &'a RegistryFolder, options: PublishOptions) -> Result<Self, PublishError> {
        registry.root.check_time(options.now)?;
        let before = registry.snapshot()?;
        let revocations = registry.revocations(&before.revoked)?;
        Ok(Self { registry, before, shards: BTreeMap::new(), revocations, archives: Vec::new() })
    }

    pub(super) fn sign_again(&mut self, from: &PublicKey, to: &SecretKey) -> Result<(), PublishError> {
        let registry = &self.registry.root.document().registry;
        for id in self.before.shards.keys().copied().collect::<Vec<_>>() {
            for line in self.shard_of(id)?.lines.iter_mut().filter(|line| line.publisher == *from) {
                let unfit = |error| PublishError::Format { path: format!("index/{id}"), error };
                let yanked = line.yanked.take();
                *line = IndexLine::sign(line.entry.clone(), registry, to).map_err(unfit)?;
                line.yanked = yanked;
            }
        }
        Ok(())
    }

    fn shard(&mut self, slug: &Slug) -> Result<&mut Shard, PublishError> {
        self.shard_of(ShardId::of(slug))
    }

    fn shard_of(&mut self, id: ShardId) -> Result<&mut Shard, PublishError> {
        use std::collections::btree_map::Entry;
        match self.shards.entry(id) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => {
                let shard = match self.before.shards.get(&id) {
                    Some(reference) => self.registry.shard(id, reference)?,
                    None => Shard::default(),
                };
                Ok(entry.insert(shard))
            }
        }
    }

    /// Writes what changed, the snapshot last. Returns its serial.
    pub(super) fn commit(self, registry: &RegistryFolder, keys: &SigningKeys<'_>, options: PublishOptions) -> Result<u64, PublishError> {
        let before = self.before;
        let mut files = self.archives;
        let mut next = before.clone();
        let revocations = to_text("revoked", &self.revocations)?;
        next.revoked = FileReference::of(&revocations);
        if next.revoked != before.revoked {
            files.push((revocations_path(&next.revoked.sha256), revocations));
        }
        for (id, shard) in &self.shards {
            if shard.lines.is_empty() {
                continue;
            }
            let unfit = |error| PublishError::Format { path: format!("index/{id}"), error };
            let bytes = shard.to_bytes().map_err(unfit)?;
            let reference = FileReference::of(&bytes);
            if next.shards.insert(*id, reference) != Some(reference) {
                files.push((shard_path(*id, &reference.sha256), bytes));
            }
        }
        let refresh_at = options.now.after(options.validity / 2);
        if files.is_empty() && before.expires > refresh_at && registry.is_signed_by_current_keys()? {
            return Ok(before.serial);
        }
        next.serial = before.serial + 1;
        next.expires = options.now.after(options.validity);
        next.validate().map_err(|error| PublishError::Format { path: SNAPSHOT.to_owned(), error })?;
        let snapshot = sign_snapshot(&registry.root, next.clone(), keys)?;
        for (path, bytes) in files {
            write_new(&registry.top, &path, &bytes)?;
        }
        write(&registry.top, SNAPSHOT, &snapshot)?;
        registry.prune(&[&before, &next])?;
        Ok(next.serial)
    }
}

/// Reads a file of a registry, which must have the length and hash that are stated.
pub(super) fn stored(top: &Path, path: &str, reference: &FileReference, max: u64) -> Result<Vec<u8>, PublishError> {
    let bytes = read(top, path, max)?.unwrap_or_default();
    check_content(path, reference, &bytes)?;
    Ok(bytes)
}

impl RegistryFolder {
    pub(super) fn shard(&self, id: ShardId, reference: &FileReference) -> Result<Shard, PublishError> {
        let path = shard_path(id, &reference.sha256);
        let bytes = stored(&self.top, &path, reference, limits::SHARD_BYTES)?;
        let shard = Shard::parse(&bytes).map_err(TrustError::format(path.clone()))?;
        if shard.skipped > 0 {
            // Writing it would lose them.
            return Err(TrustError::format(path)(crate::format::FormatError::Newer(limits::FORMAT + 1)).into());
        }
        Ok(shard)
    }

    fn is_signed_by_current_keys(&self) -> Result<bool, PublishError> {
        let file = read(&self.top, SNAPSHOT, limits::SNAPSHOT_BYTES)?.unwrap_or_default();
        Ok(self.root.snapshot(&file).is_ok())
    }

    /// Deletes parts of the index that no snapshot names any more. Those of the last one stay for clients that are reading it.
    fn prune(&self, snapshots: &[&Snapshot]) -> Result<(), PublishError> {
        let named = snapshots.iter().flat_map(|snapshot| {
            let shards = snapshot.shards.iter().map(|(id, reference)| shard_path(*id, &reference.sha256));
            shards.chain([revocations_path(&snapshot.revoked.sha256)])
        });
        let named: BTreeSet<String> = named.collect();
        for path in list(&self.top, "index")?.union(&list(&self.top, "revoked")?).filter(|path| !named.contains(*path)) {
            // Clients don't read it.
            let _ = std::fs::remove_file(self.top.join(path));
        }
        Ok(())
    }

    #[must_use]
    pub fn archive_path(&self, sha256: &Digest) -> std::path::PathBuf {
        self.top.join(package_path(sha256))
    }
}
