//! When an update needs the user's consent.

use std::collections::BTreeSet;

use inklings_core::Package;
use inklings_registry::format::{IndexLine, PackageEntry, Permission, permissions};

use crate::features::registry::WaitReason;

/// What the installed version of a skill has.
pub(crate) struct Granted {
    pub(crate) permissions: BTreeSet<Permission>,
    /// The entry of the installed version, if the registry still has it.
    pub(crate) line: Option<IndexLine>,
}

impl Granted {
    /// `line` is the entry of the installed version. The permissions are derived from the stored files: an entry could be replaced by one
    /// that states more, so that the update seems to need nothing new.
    pub(crate) fn of(line: Option<&IndexLine>, package: &Package) -> Self {
        Self { permissions: permissions(package).unwrap_or_default(), line: line.cloned() }
    }

    pub(crate) fn new_permissions(&self, update: &PackageEntry) -> BTreeSet<Permission> {
        update.permissions.difference(&self.permissions).cloned().collect()
    }

    /// Whether the update must wait for consent.
    pub(crate) fn waits(&self, update: &IndexLine) -> Option<WaitReason> {
        if self.line.as_ref().is_none_or(|line| line.publisher != update.publisher) {
            return Some(WaitReason::Publisher);
        }
        (!self.new_permissions(&update.entry).is_empty()).then_some(WaitReason::Permissions)
    }
}
