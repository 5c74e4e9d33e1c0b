use inklings_core::{ArtifactKind, Scope, SkillPath};
use schemars::JsonSchema;
use serde::Deserialize;

/// A file that becomes an artifact, or a new artifact.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclareParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// What it becomes.
    pub kind: ArtifactKind,
    /// Its name, unique in the skill together with the variant.
    pub name: String,
    /// Model family that it is for; the default without one.
    #[serde(default)]
    pub variant: Option<String>,
    /// A file of the skill; a new one at the kind's usual place without it.
    #[serde(default)]
    pub path: Option<SkillPath>,
    /// Text of a new file; a starter of its kind without it.
    #[serde(default)]
    pub text: Option<String>,
}

/// An artifact that becomes a plain file.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndeclareParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The artifact.
    pub path: SkillPath,
}
