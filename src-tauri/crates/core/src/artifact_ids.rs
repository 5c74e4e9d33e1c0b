//! IDs of artifacts that come from elsewhere: from packages, and from folders that were copied.

use std::collections::{BTreeSet, HashMap};

use crate::id::ArtifactId;
use crate::path::SkillPath;
use crate::ports::{IdSource, SkillStorageRepository};
use crate::skill::Package;
use crate::storage_error::StorageError;

/// Replaces artifact IDs in the files of a package that other skills have, stored or among those in `claimed`, to which it adds the
/// package's. IDs that the stored skill has already are its own.
pub fn free_ids(
    repository: &dyn SkillStorageRepository,
    ids: &dyn IdSource,
    mut package: Package,
    present: Option<&Package>,
    claimed: &mut BTreeSet<ArtifactId>,
) -> Result<Package, StorageError> {
    let Some(skill_json) = package.sources.skill_json.clone() else { return Ok(package) };
    let own: HashMap<&SkillPath, ArtifactId> =
        present.into_iter().flat_map(|package| &package.artifacts).map(|artifact| (&artifact.path, artifact.id)).collect();
    let mut replaced = false;
    let is_foreign = |id: ArtifactId| !own.values().any(|own| *own == id) && skill_json.contains(&id.to_string());
    for artifact in package.artifacts.iter_mut().filter(|artifact| is_foreign(artifact.id)) {
        if !claimed.insert(artifact.id) || repository.get_artifact(artifact.id)?.is_some() {
            artifact.id = own.get(&artifact.path).copied().unwrap_or_else(|| ids.artifact());
            replaced = true;
        }
    }
    if replaced {
        repository.skill_format().sync_sources_strictly(&mut package)?;
    }
    Ok(package)
}
