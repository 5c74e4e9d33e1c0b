//! Parameters and results of `prompt/*`.

use inklings_core::skill::Scope;
use inklings_core::{Diagnostic, SkillPath};
use inklings_prompt::Variable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What to render.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenderParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The template: a path, or an artifact's name.
    pub path: String,
    /// The template's text, if it is not what is stored.
    #[serde(default)]
    pub text: Option<String>,
    /// Values by variable.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// Model whose variant is chosen.
    #[serde(default)]
    pub model: Option<String>,
}

/// One variant as it would be sent.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RenderedVariant {
    /// Model family; null is the default.
    pub variant: Option<String>,
    /// Its file.
    pub path: SkillPath,
    /// Whether this one would be sent.
    pub selected: bool,
    /// The rendered text; null when it can't be rendered.
    pub text: Option<String>,
    /// Tokens of the rendered text, estimated with one encoding for all models.
    pub tokens: Option<usize>,
    /// Variables that have no value yet.
    pub missing: Vec<String>,
    /// Why it can't be rendered.
    pub error: Option<Diagnostic>,
}

/// A rendered template.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Rendered {
    /// What the template asks for, over all variants, in the order of first use.
    pub variables: Vec<Variable>,
    /// Its variants, by ordinal.
    pub variants: Vec<RenderedVariant>,
}

/// A text that is not what is stored.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnsavedText {
    /// The file.
    pub path: SkillPath,
    pub text: String,
}
