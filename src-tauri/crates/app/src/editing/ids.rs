//! IDs of artifacts that come from elsewhere.

use std::collections::{HashMap, HashSet};

use inklings_core::{ArtifactId, Package, SkillFormat as _, SkillPath, SkillStorageRepository, StorageError};

use super::SkillEditor;

impl SkillEditor<'_> {
    /// Replaces artifact IDs in the files of a package that other skills have, stored or among those in `claimed`, to which it adds the
    /// package's. IDs that the stored skill has already are its own.
    pub(crate) fn free_ids(
        &self,
        repository: &dyn SkillStorageRepository,
        mut package: Package,
        present: Option<&Package>,
        claimed: &mut HashSet<ArtifactId>,
    ) -> Result<Package, StorageError> {
        let Some(skill_json) = package.sources.skill_json.clone() else { return Ok(package) };
        let own: HashMap<&SkillPath, ArtifactId> =
            present.into_iter().flat_map(|package| &package.artifacts).map(|artifact| (&artifact.path, artifact.id)).collect();
        let mut replaced = false;
        let is_foreign = |id: ArtifactId| !own.values().any(|own| *own == id) && skill_json.contains(&id.to_string());
        for artifact in package.artifacts.iter_mut().filter(|artifact| is_foreign(artifact.id)) {
            if !claimed.insert(artifact.id) || repository.get_artifact(artifact.id)?.is_some() {
                artifact.id = own.get(&artifact.path).copied().unwrap_or_else(|| self.ids.artifact());
                replaced = true;
            }
        }
        if replaced {
            self.folder.sync_sources_strictly(&mut package)?;
        }
        Ok(package)
    }
}
