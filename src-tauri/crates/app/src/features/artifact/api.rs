use inklings_core::{ArtifactKind, Scope, SkillPath};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclareParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    pub kind: ArtifactKind,
    /// Name, unique in the skill together with the variant.
    pub name: String,
    /// Model family. [default: the default variant]
    #[serde(default)]
    pub variant: Option<String>,
    /// File to declare. [default: a new file at the default path of the kind]
    #[serde(default)]
    pub path: Option<SkillPath>,
    /// Text of a new file. [default: a starter text of the kind]
    #[serde(default)]
    pub text: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndeclareParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    pub path: SkillPath,
}
