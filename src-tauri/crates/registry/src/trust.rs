//! Which documents are trusted: pure checks of signatures, versions, times and hashes, for clients and publishers.

use inklings_core::{Digest, Slug, Time};
use semver::Version;

use crate::format::{
    Document as _, FileReference, FormatError, ROOTS, Revocations, RootDocument, SNAPSHOT, Shard, ShardId, Signed, Snapshot, root_path,
};
use crate::keys::Purpose;

/// Why a file of a registry isn't trusted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrustError {
    #[error("{path} is invalid: {error}")]
    Format { path: String, error: FormatError },
    /// Another registry, or somebody who pretends to be this one.
    #[error("the fingerprint of the registry is {found}, not {expected}")]
    Fingerprint { expected: Digest, found: Digest },
    #[error("{path} has {valid} valid signatures of {needed}")]
    Signatures { path: String, valid: usize, needed: u32 },
    #[error("{path} belongs to another registry: {found}")]
    Registry { path: String, found: String },
    #[error("{path} has version {found}", path = root_path(*expected))]
    RootVersion { expected: u64, found: u64 },
    #[error("the registry needs version {0} of the app")]
    Client(Version),
    #[error("the server offers the older state {found} of the registry; {known} is known")]
    Rollback { known: u64, found: u64 },
    #[error("the server offers two different states {0} of the registry")]
    Equivocation(u64),
    #[error("{path} expired at {at}")]
    Expired { path: String, at: Time },
    #[error("{path} doesn't have the length and hash that the registry states")]
    Content { path: String },
    #[error("{path} has the skill {slug}, which belongs to another part of the index")]
    Misplaced { path: String, slug: Slug },
    #[error("{path} has an invalid signature of {slug} {version}")]
    PackageSignature { path: String, slug: Slug, version: Version },
    /// Published versions are immutable.
    #[error("{slug} {version} was replaced by other content")]
    Replaced { slug: Slug, version: Version },
    /// Revocations are permanent.
    #[error("the revocation of {slug} {version} was removed")]
    Unrevoked { slug: Slug, version: Version },
}

impl TrustError {
    pub(crate) fn format(path: impl Into<String>) -> impl FnOnce(FormatError) -> Self {
        let path = path.into();
        move |error| Self::Format { path, error }
    }
}

/// A root document whose signatures were verified, from the first one on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedRoot {
    signed: Signed<RootDocument>,
}

impl TrustedRoot {
    /// Trusts the first root document by its fingerprint.
    pub fn first(file: &[u8], fingerprint: &Digest) -> Result<Self, TrustError> {
        let found = Digest::of(file);
        if found != *fingerprint {
            return Err(TrustError::Fingerprint { expected: *fingerprint, found });
        }
        let signed = Self::parse(file, 1)?;
        let root = Self { signed };
        root.check_signatures(&root.signed)?;
        Ok(root)
    }

    /// Trusts the next version if it is signed by the root keys of this one and by its own.
    pub fn next(&self, file: &[u8]) -> Result<Self, TrustError> {
        let version = self.document().version.saturating_add(1);
        let signed = Self::parse(file, version)?;
        let path = root_path(version);
        same_registry(path, &self.document().registry, &signed.document.registry)?;
        self.check_signatures(&signed)?;
        let next = Self { signed };
        next.check_signatures(&next.signed)?;
        Ok(next)
    }

    /// Trusts a document that was verified before, in a folder that only the user writes.
    pub(crate) fn cached(file: &[u8]) -> Result<Self, TrustError> {
        let signed = Signed::<RootDocument>::parse(file).map_err(TrustError::format(ROOTS))?;
        let root = Self { signed };
        root.check_signatures(&root.signed)?;
        Ok(root)
    }

    fn parse(file: &[u8], version: u64) -> Result<Signed<RootDocument>, TrustError> {
        let signed = Signed::<RootDocument>::parse(file).map_err(TrustError::format(root_path(version)))?;
        let found = signed.document.version;
        if found == version { Ok(signed) } else { Err(TrustError::RootVersion { expected: version, found }) }
    }

    fn check_signatures(&self, signed: &Signed<RootDocument>) -> Result<(), TrustError> {
        let role = &self.document().root;
        let valid = signed.count_valid(Purpose::Root, &self.document().registry, role);
        if role.is_met(valid) {
            return Ok(());
        }
        Err(TrustError::Signatures { path: root_path(signed.document.version), valid, needed: role.threshold })
    }

    #[must_use]
    pub const fn document(&self) -> &RootDocument {
        &self.signed.document
    }

    pub fn to_file(&self) -> Result<Vec<u8>, TrustError> {
        self.signed.to_file().map_err(TrustError::format(root_path(self.document().version)))
    }

    pub fn check_time(&self, now: Time) -> Result<(), TrustError> {
        check_time(root_path(self.document().version), self.document().expires, now)
    }

    pub fn check_client(&self, client: &Version) -> Result<(), TrustError> {
        let minimum = &self.document().minimum_client;
        if client < minimum { Err(TrustError::Client(minimum.clone())) } else { Ok(()) }
    }

    /// Reads a snapshot and verifies its signatures, but neither its time nor its serial.
    pub fn snapshot(&self, file: &[u8]) -> Result<Signed<Snapshot>, TrustError> {
        let signed = Signed::<Snapshot>::parse(file).map_err(TrustError::format(SNAPSHOT))?;
        let root = self.document();
        same_registry(SNAPSHOT.to_owned(), &root.registry, &signed.document.registry)?;
        let valid = signed.count_valid(Purpose::Snapshot, &root.registry, &root.snapshot);
        if root.snapshot.is_met(valid) {
            return Ok(signed);
        }
        Err(TrustError::Signatures { path: SNAPSHOT.to_owned(), valid, needed: root.snapshot.threshold })
    }

    /// Reads a shard and verifies the signatures in it. Lines of publishers who are no longer trusted are removed; their number is the
    /// second value.
    pub fn shard(&self, id: ShardId, path: &str, reference: &FileReference, bytes: &[u8]) -> Result<(Shard, usize), TrustError> {
        let (shard, distrusted) = self.known_shard(id, path, reference, bytes)?;
        let invalid = shard.lines.iter().find(|line| !line.is_valid(&self.document().registry));
        if let Some(line) = invalid {
            let (slug, version) = (line.entry.slug.clone(), line.entry.version.clone());
            return Err(TrustError::PackageSignature { path: path.to_owned(), slug, version });
        }
        Ok((shard, distrusted))
    }

    /// The same for a shard whose signatures were verified before.
    pub fn known_shard(&self, id: ShardId, path: &str, reference: &FileReference, bytes: &[u8]) -> Result<(Shard, usize), TrustError> {
        check_content(path, reference, bytes)?;
        let mut shard = Shard::parse(bytes).map_err(TrustError::format(path))?;
        if let Some(line) = shard.lines.iter().find(|line| ShardId::of(&line.entry.slug) != id) {
            return Err(TrustError::Misplaced { path: path.to_owned(), slug: line.entry.slug.clone() });
        }
        let all = shard.lines.len();
        shard.lines.retain(|line| self.document().is_publisher(&line.publisher));
        let distrusted = all - shard.lines.len();
        Ok((shard, distrusted))
    }

    pub fn revocations(&self, path: &str, reference: &FileReference, bytes: &[u8]) -> Result<Revocations, TrustError> {
        check_content(path, reference, bytes)?;
        let revocations = Revocations::parse(bytes).map_err(TrustError::format(path))?;
        same_registry(path.to_owned(), &self.document().registry, &revocations.registry)?;
        Ok(revocations)
    }
}

fn same_registry(path: String, expected: &crate::format::RegistryId, found: &crate::format::RegistryId) -> Result<(), TrustError> {
    if expected == found { Ok(()) } else { Err(TrustError::Registry { path, found: found.to_string() }) }
}

pub fn check_time(path: String, expires: Time, now: Time) -> Result<(), TrustError> {
    if now < expires { Ok(()) } else { Err(TrustError::Expired { path, at: expires }) }
}

pub fn check_content(path: &str, reference: &FileReference, bytes: &[u8]) -> Result<(), TrustError> {
    if reference.matches(bytes) { Ok(()) } else { Err(TrustError::Content { path: path.to_owned() }) }
}

/// Refuses an older snapshot, and another one with the same serial.
pub fn check_serial(known: &Snapshot, found: &Snapshot) -> Result<(), TrustError> {
    if found.serial < known.serial {
        return Err(TrustError::Rollback { known: known.serial, found: found.serial });
    }
    if found.serial == known.serial && found != known {
        return Err(TrustError::Equivocation(found.serial));
    }
    Ok(())
}

/// Refuses other content for a known version.
pub fn check_versions(known: &Shard, found: &Shard) -> Result<(), TrustError> {
    let replaced = known.lines.iter().find(|line| {
        let now = found.find(&line.entry.slug, &line.entry.version);
        now.is_some_and(|now| now.entry.sha256 != line.entry.sha256)
    });
    match replaced {
        Some(line) => Err(TrustError::Replaced { slug: line.entry.slug.clone(), version: line.entry.version.clone() }),
        None => Ok(()),
    }
}

/// Refuses a list without a known revocation.
pub fn check_revocations(known: &Revocations, found: &Revocations) -> Result<(), TrustError> {
    match known.packages.iter().find(|one| found.find(&one.sha256).is_none()) {
        Some(one) => Err(TrustError::Unrevoked { slug: one.slug.clone(), version: one.version.clone() }),
        None => Ok(()),
    }
}
