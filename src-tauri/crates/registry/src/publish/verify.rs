//! Checking a whole registry as its clients do.

use std::collections::BTreeSet;

use inklings_core::Time;
use inklings_core::ports::SkillFormat;

use super::change::stored;
use super::files::list;
use super::{PublishError, RegistryFolder};
use crate::format::{SNAPSHOT, package_path, shard_path};
use crate::limits;
use crate::package::decode_published;
use crate::trust::check_time;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VerifyReport {
    pub serial: u64,
    pub skills: usize,
    pub versions: usize,
    pub yanked: usize,
    pub revoked: usize,
    /// Versions of publishers who aren't in the root document. Clients don't see them.
    pub distrusted: usize,
    /// Packages that no index names, as relative paths. A killed publisher leaves some.
    pub unreferenced: Vec<String>,
}

impl RegistryFolder {
    /// Verifies all signatures, times and hashes, and that each package is what its entry states, but for the permissions, of
    /// which older versions stated fewer. Fails at the first problem.
    pub fn verify(&self, format: &dyn SkillFormat, now: Time) -> Result<VerifyReport, PublishError> {
        let snapshot = self.snapshot()?;
        self.root.check_time(now)?;
        check_time(SNAPSHOT.to_owned(), snapshot.expires, now)?;
        let revocations = self.revocations(&snapshot.revoked)?;
        let mut report = VerifyReport { serial: snapshot.serial, revoked: revocations.packages.len(), ..VerifyReport::default() };
        let mut named = BTreeSet::new();
        for (id, reference) in &snapshot.shards {
            let path = shard_path(*id, &reference.sha256);
            let bytes = stored(&self.top, &path, reference, limits::SHARD_BYTES)?;
            let (shard, distrusted) = self.root.shard(*id, &path, reference, &bytes)?;
            report.distrusted += distrusted;
            report.versions += shard.lines.len();
            report.yanked += shard.lines.iter().filter(|line| line.yanked.is_some()).count();
            report.skills += shard.lines.chunk_by(|a, b| a.entry.slug == b.entry.slug).count();
            for line in &shard.lines {
                let path = package_path(&line.entry.sha256);
                if revocations.find(&line.entry.sha256).is_none() {
                    let archive = stored(&self.top, &path, &line.entry.file(), limits::PACKAGE_BYTES)?;
                    decode_published(format, &line.entry, &archive)?;
                }
                named.insert(path);
            }
        }
        report.unreferenced = list(&self.top, "packages")?.into_iter().filter(|path| !named.contains(path)).collect();
        Ok(report)
    }
}
