//! The skills of a registry, as of the last sync. Reading it needs no network.

use inklings_core::{Digest, Slug, Time};
use semver::Version;

use super::{CacheStamp, RegistryClient, SyncError};
use crate::format::{IndexLine, RegistryId, Revocation, Revocations, SNAPSHOT};
use crate::trust::{TrustError, TrustedRoot, check_time};

#[derive(Debug, Clone)]
pub struct Catalog {
    root: TrustedRoot,
    pub serial: u64,
    /// Of the snapshot.
    pub expires: Time,
    /// By slug and version.
    lines: Vec<IndexLine>,
    revocations: Revocations,
    /// Versions that this app is too old to read.
    pub skipped: usize,
    /// Versions of publishers who are no longer trusted.
    pub distrusted: usize,
}

/// What the registry says about an installed package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackageStatus {
    Current,
    /// There is a newer version.
    Update(Version),
    /// It isn't offered any more; there may be a newer version.
    Yanked {
        reason: String,
        update: Option<Version>,
    },
    /// It must not be used; there may be a newer version.
    Revoked {
        revocation: Revocation,
        update: Option<Version>,
    },
    /// The registry doesn't have this package.
    Unknown,
}

impl RegistryClient {
    /// Changes with what [`Self::catalog`] returns. `None` before the first sync.
    #[must_use]
    pub fn stamp(&self) -> Option<CacheStamp> {
        self.cache.stamp()
    }

    /// When the last sync succeeded, also one that found no changes.
    #[must_use]
    pub fn synced_at(&self) -> Option<Time> {
        self.cache.synced_at()
    }

    /// What is in the cache. `None` before the first sync.
    pub fn catalog(&self) -> Result<Option<Catalog>, SyncError> {
        let Some(state) = self.cache.state(&self.fingerprint)? else { return Ok(None) };
        let Some(known) = state.snapshot else { return Ok(None) };
        let (mut lines, mut skipped, mut distrusted) = (Vec::new(), 0, 0);
        for (id, reference) in &known.snapshot.shards {
            let (shard, removed) = self.cache.shard(&state.root, *id, reference)?;
            lines.extend(shard.lines);
            skipped += shard.skipped;
            distrusted += removed;
        }
        lines.sort_by(|a, b| (&a.entry.slug, &a.entry.version).cmp(&(&b.entry.slug, &b.entry.version)));
        let revocations = self.cache.revocations(&state.root, &known.snapshot.revoked)?;
        let (serial, expires) = (known.snapshot.serial, known.snapshot.expires);
        Ok(Some(Catalog { root: state.root, serial, expires, lines, revocations, skipped, distrusted }))
    }
}

impl Catalog {
    #[must_use]
    pub const fn registry(&self) -> &RegistryId {
        &self.root.document().registry
    }

    #[must_use]
    pub const fn root(&self) -> &TrustedRoot {
        &self.root
    }

    /// The publisher's name.
    #[must_use]
    pub fn publisher(&self, line: &IndexLine) -> Option<&str> {
        let publishers = &self.root.document().publishers;
        publishers.iter().find(|publisher| publisher.key == line.publisher).map(|publisher| publisher.name.as_str())
    }

    /// Fails if the registry must be synced before something is installed from it.
    pub fn check_time(&self, now: Time) -> Result<(), TrustError> {
        self.root.check_time(now)?;
        check_time(SNAPSHOT.to_owned(), self.expires, now)
    }

    /// The versions of each skill, oldest first.
    pub fn skills(&self) -> impl Iterator<Item = &[IndexLine]> {
        self.lines.chunk_by(|a, b| a.entry.slug == b.entry.slug)
    }

    /// Oldest first. Empty for an unknown skill.
    #[must_use]
    pub fn versions(&self, slug: &Slug) -> &[IndexLine] {
        let start = self.lines.partition_point(|line| line.entry.slug < *slug);
        let end = self.lines.partition_point(|line| line.entry.slug <= *slug);
        self.lines.get(start..end).unwrap_or_default()
    }

    #[must_use]
    pub fn revocation(&self, package: &Digest) -> Option<&Revocation> {
        self.revocations.find(package)
    }

    /// Fails with [`SyncError::Revoked`] only.
    pub fn ensure_not_revoked(&self, slug: &Slug, package: &Digest) -> Result<(), SyncError> {
        self.revocation(package).map_or(Ok(()), |Revocation { version, reason, .. }| {
            Err(SyncError::Revoked { slug: slug.clone(), version: version.clone(), reason: reason.clone() })
        })
    }

    /// The newest version that can be installed. Prereleases only if there is nothing else.
    #[must_use]
    pub fn latest(&self, slug: &Slug, client: &Version) -> Option<&IndexLine> {
        let offered = self.versions(slug).iter().filter(|line| {
            let entry = &line.entry;
            let is_supported = entry.requires.client.as_ref().is_none_or(|minimum| minimum <= client);
            line.yanked.is_none() && is_supported && self.revocation(&entry.sha256).is_none()
        });
        offered.max_by_key(|line| (line.entry.version.pre.is_empty(), &line.entry.version))
    }

    /// `version` and `package` are those of the installed skill.
    #[must_use]
    pub fn status(&self, slug: &Slug, version: &Version, package: &Digest, client: &Version) -> PackageStatus {
        let update = self.latest(slug, client).map(|line| &line.entry.version).filter(|latest| *latest > version).cloned();
        if let Some(revocation) = self.revocation(package) {
            return PackageStatus::Revoked { revocation: revocation.clone(), update };
        }
        let Some(line) = self.versions(slug).iter().find(|line| line.entry.sha256 == *package) else {
            return PackageStatus::Unknown;
        };
        match (&line.yanked, update) {
            (Some(reason), update) => PackageStatus::Yanked { reason: reason.clone(), update },
            (None, Some(version)) => PackageStatus::Update(version),
            (None, None) => PackageStatus::Current,
        }
    }
}
