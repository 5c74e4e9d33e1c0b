//! Which file an artifact of a JSON package is, where the package doesn't say.

use std::collections::HashSet;

use inklings_core::kind::ArtifactKind;
use inklings_core::path::SkillPath;
use inklings_core::skill::skill_json;

use super::json::JsonArtifact;
use crate::place;

/// What the package says of an artifact's files.
pub(super) struct Said {
    pub(super) path: Option<SkillPath>,
    pub(super) state: Option<SkillPath>,
}

/// The files of an artifact; a state's only where it has one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Given {
    pub(super) path: SkillPath,
    pub(super) state: Option<SkillPath>,
}

/// Gives every artifact its files: as said, else `main` for the first description with a text, else a default path that is
/// free. `others` are paths of other files.
pub(super) fn give<'a>(
    artifacts: &[JsonArtifact],
    said: &[Said],
    main: &SkillPath,
    others: impl Iterator<Item = &'a SkillPath>,
) -> Vec<Given> {
    let mut taken: HashSet<String> = others.map(SkillPath::folded).collect();
    taken.extend(said.iter().flat_map(|said| [&said.path, &said.state]).flatten().map(SkillPath::folded));
    taken.insert(skill_json().folded());
    let mut main_is_free = taken.insert(main.folded());
    let mut given = Vec::with_capacity(artifacts.len());
    for (artifact, said) in artifacts.iter().zip(said) {
        let is_main = main_is_free && artifact.kind == ArtifactKind::Description && !artifact.content.is_empty() && said.path.is_none();
        let path = match &said.path {
            Some(path) => path.clone(),
            None if is_main => {
                main_is_free = false;
                main.clone()
            }
            None => place::free_path(artifact.kind, &artifact.name, variant(artifact).as_deref(), &taken),
        };
        taken.insert(path.folded());
        let state = artifact.state_blob.as_ref().map(|_| match &said.state {
            Some(path) => path.clone(),
            None => place::free_state_path(&artifact.name, &taken),
        });
        taken.extend(state.as_ref().map(SkillPath::folded));
        given.push(Given { path, state });
    }
    given
}

/// An artifact's variant in the one form in which it is stored.
pub(super) fn variant(artifact: &JsonArtifact) -> Option<String> {
    inklings_core::variant::normalise_variant(artifact.model_variant.as_deref())
}
