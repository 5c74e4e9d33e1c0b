//! Reading what is published.

use std::collections::{BTreeMap, BTreeSet};

use inklings_core::ports::SkillFormat;
use inklings_core::skill::Package;
use inklings_core::{Slug, Time};

use super::change::stored;
use super::{PublishError, RegistryFolder};
use crate::format::{FileReference, IndexLine, PackageEntry, Revocations, ShardId, package_path, revocations_path, shard_path};
use crate::limits;
use crate::package::decode_published;

/// The index of a registry, also of an expired one.
#[derive(Debug, Clone)]
pub struct Contents {
    pub serial: u64,
    /// Of the snapshot.
    pub expires: Time,
    /// By shard, slug and version, without those of publishers who aren't in the root document.
    pub lines: Vec<IndexLine>,
    pub revocations: Revocations,
    /// Versions of publishers who aren't in the root document.
    pub distrusted: usize,
}

/// What is published of some skills.
#[derive(Debug, Clone)]
pub struct Versions {
    /// Oldest first.
    lines: BTreeMap<Slug, Vec<IndexLine>>,
    pub revocations: Revocations,
}

impl Versions {
    /// Oldest first. Empty for a new skill.
    #[must_use]
    pub fn of(&self, slug: &Slug) -> &[IndexLine] {
        self.lines.get(slug).map(Vec::as_slice).unwrap_or_default()
    }
}

impl RegistryFolder {
    /// Verifies the snapshot's signature and all hashes, but neither times nor packages nor their signatures.
    pub fn contents(&self) -> Result<Contents, PublishError> {
        let snapshot = self.snapshot()?;
        let (mut lines, mut distrusted) = (Vec::new(), 0);
        for (id, reference) in &snapshot.shards {
            let path = shard_path(*id, &reference.sha256);
            let bytes = stored(&self.top, &path, reference, limits::SHARD_BYTES)?;
            let (shard, others) = self.root.known_shard(*id, &path, reference, &bytes)?;
            lines.extend(shard.lines);
            distrusted += others;
        }
        let revocations = self.revocations(&snapshot.revoked)?;
        Ok(Contents { serial: snapshot.serial, expires: snapshot.expires, lines, revocations, distrusted })
    }

    /// The published versions of some skills, and all revocations. Reads the parts of the index that have these skills only.
    pub fn versions(&self, slugs: &BTreeSet<Slug>) -> Result<Versions, PublishError> {
        let snapshot = self.snapshot()?;
        let shards: BTreeSet<ShardId> = slugs.iter().map(ShardId::of).collect();
        let mut versions = Versions { lines: BTreeMap::new(), revocations: self.revocations(&snapshot.revoked)? };
        for (id, reference) in snapshot.shards.iter().filter(|(id, _)| shards.contains(id)) {
            for line in self.shard(*id, reference)?.lines.into_iter().filter(|line| slugs.contains(&line.entry.slug)) {
                versions.lines.entry(line.entry.slug.clone()).or_default().push(line);
            }
        }
        Ok(versions)
    }

    /// A published skill. Fails for a revoked one, whose archive is deleted.
    pub fn package(&self, format: &dyn SkillFormat, entry: &PackageEntry) -> Result<Package, PublishError> {
        let archive = stored(&self.top, &package_path(&entry.sha256), &entry.file(), limits::PACKAGE_BYTES)?;
        Ok(decode_published(format, entry, &archive)?)
    }

    pub(super) fn revocations(&self, reference: &FileReference) -> Result<Revocations, PublishError> {
        let path = revocations_path(&reference.sha256);
        let bytes = stored(&self.top, &path, reference, limits::REVOCATIONS_BYTES)?;
        Ok(self.root.revocations(&path, reference, &bytes)?)
    }
}
