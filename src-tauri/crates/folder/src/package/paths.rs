//! Assigns file paths to the artifacts of a JSON package that don't state them.

use inklings_core::kind::ArtifactKind;
use inklings_core::path::SkillPath;
use inklings_core::skill::skill_json;

use super::json::JsonArtifact;
use crate::default_paths::UsedPaths;

/// Paths of an artifact as stated in the package.
pub(super) struct StatedPaths {
    pub(super) path: Option<SkillPath>,
    pub(super) state: Option<SkillPath>,
}

/// Final paths of an artifact; `state` only if it has one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ArtifactPaths {
    pub(super) path: SkillPath,
    pub(super) state: Option<SkillPath>,
}

/// Assigns paths: as stated, else `main` for the first description with text, else an unused default path.
/// `others` are paths of other files.
pub(super) fn assign<'a>(
    artifacts: &[JsonArtifact],
    stated_paths: &'a [StatedPaths],
    main: &SkillPath,
    others: impl Iterator<Item = &'a SkillPath>,
) -> Vec<ArtifactPaths> {
    let mut used =
        UsedPaths::of(others.chain(stated_paths.iter().flat_map(|stated_paths| [&stated_paths.path, &stated_paths.state]).flatten()));
    used.insert(&skill_json());
    let mut main_is_free = used.insert(main);
    let mut assigned = Vec::with_capacity(artifacts.len());
    for (artifact, stated_paths) in artifacts.iter().zip(stated_paths) {
        let is_main =
            main_is_free && artifact.kind == ArtifactKind::Description && !artifact.content.is_empty() && stated_paths.path.is_none();
        let path = match &stated_paths.path {
            Some(path) => path.clone(),
            None if is_main => {
                main_is_free = false;
                main.clone()
            }
            None => used.free_path(artifact.kind, &artifact.name, variant(artifact).as_deref()),
        };
        used.insert(&path);
        let state = artifact.state_blob.as_ref().map(|_| match &stated_paths.state {
            Some(path) => path.clone(),
            None => used.free_state_path(&artifact.name),
        });
        if let Some(state) = &state {
            used.insert(state);
        }
        assigned.push(ArtifactPaths { path, state });
    }
    assigned
}

/// The variant in its stored spelling, which may still be invalid. None without one.
pub(super) fn variant(artifact: &JsonArtifact) -> Option<String> {
    inklings_core::variant::normalize_variant(artifact.model_variant.as_deref())
}
