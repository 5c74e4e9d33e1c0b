use std::collections::BTreeSet;

use inklings_core::{ArtifactId, Package, SkillStorageRepository, StorageError, artifact_ids};

use super::SkillEditor;

impl SkillEditor<'_> {
    /// [`artifact_ids::free_ids`].
    pub(crate) fn free_ids(
        &self,
        repository: &dyn SkillStorageRepository,
        package: Package,
        present: Option<&Package>,
        claimed: &mut BTreeSet<ArtifactId>,
    ) -> Result<Package, StorageError> {
        artifact_ids::free_ids(repository, self.ids, package, present, claimed)
    }
}
