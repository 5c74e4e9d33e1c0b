//! Which file an artifact of a JSON package is, where the package doesn't say.

use inklings_core::kind::ArtifactKind;
use inklings_core::path::SkillPath;
use inklings_core::skill::skill_json;

use super::json::JsonArtifact;
use crate::place::Taken;

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
    said: &'a [Said],
    main: &SkillPath,
    others: impl Iterator<Item = &'a SkillPath>,
) -> Vec<Given> {
    let mut taken = Taken::of(others.chain(said.iter().flat_map(|said| [&said.path, &said.state]).flatten()));
    taken.insert(&skill_json());
    let mut main_is_free = taken.insert(main);
    let mut given = Vec::with_capacity(artifacts.len());
    for (artifact, said) in artifacts.iter().zip(said) {
        let is_main = main_is_free && artifact.kind == ArtifactKind::Description && !artifact.content.is_empty() && said.path.is_none();
        let path = match &said.path {
            Some(path) => path.clone(),
            None if is_main => {
                main_is_free = false;
                main.clone()
            }
            None => taken.free_path(artifact.kind, &artifact.name, variant(artifact).as_deref()),
        };
        taken.insert(&path);
        let state = artifact.state_blob.as_ref().map(|_| match &said.state {
            Some(path) => path.clone(),
            None => taken.free_state_path(&artifact.name),
        });
        if let Some(state) = &state {
            taken.insert(state);
        }
        given.push(Given { path, state });
    }
    given
}

/// An artifact's variant in the one form in which it is stored.
pub(super) fn variant(artifact: &JsonArtifact) -> Option<String> {
    inklings_core::variant::normalise_variant(artifact.model_variant.as_deref())
}
