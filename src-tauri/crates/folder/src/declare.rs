//! Makes a file an artifact, and an artifact a plain file.

use inklings_core::id::ArtifactId;
use inklings_core::kind::ArtifactKind;
use inklings_core::path::SkillPath;
use inklings_core::skill::{Artifact, Package, SkillFile};
use inklings_core::tree::TreeFile;
use inklings_core::variant::{is_valid_variant, normalize_variant};

/// The properties of a new artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    pub path: SkillPath,
    pub kind: ArtifactKind,
    /// Unique in the skill together with `variant`.
    pub name: String,
    /// Model family.
    pub variant: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeclareError {
    #[error("{0} isn't an undeclared file of this skill")]
    NoSuchFile(SkillPath),
    /// No artifact has the path, or it is the main one.
    #[error("{0} isn't an artifact that can be undeclared")]
    NoSuchArtifact(SkillPath),
    /// The content isn't UTF-8, or contains NUL.
    #[error("{0} isn't UTF-8 text: only text files can be artifacts")]
    NotText(SkillPath),
    #[error("an artifact named {0:?} already exists: choose another name or variant")]
    NameTaken(String),
    /// The variant contains invalid characters.
    #[error("{0:?} isn't a valid variant: use lowercase letters, digits, '.', '_' and '-'")]
    Variant(String),
}

/// Makes a file an artifact, last in the order. The sources have to be synced afterwards.
pub(crate) fn declare(package: &mut Package, declaration: Declaration, id: ArtifactId) -> Result<(), DeclareError> {
    let Declaration { path, kind, name, variant } = declaration;
    let variant = normalize_variant(variant.as_deref());
    if let Some(bad) = variant.as_ref().filter(|variant| !is_valid_variant(variant)) {
        return Err(DeclareError::Variant(bad.clone()));
    }
    if package.artifacts.iter().any(|artifact| artifact.name == name && artifact.variant == variant) {
        return Err(DeclareError::NameTaken(name));
    }
    let Some(index) = package.files.iter().position(|file| file.path == path) else {
        return Err(DeclareError::NoSuchFile(path));
    };
    let entry = &package.files[index].entry;
    let Some(text) = entry.text().filter(|text| !text.contains('\0')) else {
        return Err(DeclareError::NotText(path));
    };
    let artifact = Artifact {
        id,
        path,
        kind,
        name,
        ordinal: package.artifacts.iter().map(|artifact| artifact.ordinal).max().map_or(1, |last| last.saturating_add(1)),
        content: text.into(),
        variant,
        metadata: serde_json::Map::new(),
        state: None,
        executable: entry.executable,
    };
    package.files.remove(index);
    package.artifacts.push(artifact);
    Ok(())
}

/// Makes an artifact a plain file, and its state as well. The sources have to be synced
/// afterwards.
pub(crate) fn undeclare(package: &mut Package, path: &SkillPath) -> Result<(), DeclareError> {
    let main = package.main_path.clone();
    let found = package.artifacts.iter().position(|artifact| artifact.path == *path && artifact.path != main);
    let Some(index) = found else { return Err(DeclareError::NoSuchArtifact(path.clone())) };
    let artifact = package.artifacts.remove(index);
    let entry = TreeFile { bytes: artifact.content.as_bytes().into(), executable: artifact.executable };
    package.files.push(SkillFile { path: artifact.path, entry });
    if let Some(state) = artifact.state {
        package.files.push(SkillFile { path: state.path, entry: TreeFile::new(state.bytes) });
    }
    package.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(())
}
