//! Parameters and results of `prompt/*`.

pub use inklings_agent::skill_index::{IndexFormat, SkillIndex};
use inklings_core::model::{Message, Request, Role};
use inklings_core::skill::Scope;
use inklings_core::{Diagnostic, SkillPath};
use inklings_prompt::Variable;
use inklings_runtime::request_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenderParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Path or artifact name of the template.
    pub path: String,
    /// Unsaved text of the template. [default: the saved text]
    #[serde(default)]
    pub text: Option<String>,
    /// Values by variable.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// Model that selects the variant. [default: the variant in `path`]
    #[serde(default)]
    pub model: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RenderedMessage {
    pub role: Role,
    pub text: String,
}

/// A variant of a prompt for a model family.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RenderedVariant {
    /// Model family. Null for the default variant.
    pub variant: Option<String>,
    pub path: SkillPath,
    /// Whether this variant would be sent.
    pub selected: bool,
    /// Null if the template can't be rendered.
    pub text: Option<String>,
    /// Instructions that are sent with the text. Empty for a script.
    pub system: String,
    /// What is sent before the text: the skill's examples as exchanges.
    pub examples: Vec<RenderedMessage>,
    /// Estimated tokens of all that is sent, counted with one encoding for all models.
    pub tokens: Option<usize>,
    /// Variables without a value.
    pub missing: Vec<String>,
    /// Why the template can't be rendered.
    pub error: Option<Diagnostic>,
}

impl RenderedVariant {
    /// All that is sent, as a run shows it; the text alone if nothing is sent with it. None if the template can't be rendered.
    #[must_use]
    pub fn sent_text(&self) -> Option<String> {
        let text = self.text.as_ref()?;
        if self.system.is_empty() && self.examples.is_empty() {
            return Some(text.clone());
        }
        let examples = self.examples.iter().map(|one| Message::text(one.role, &one.text));
        let messages = examples.chain([Message::text(Role::User, text)]).collect();
        Some(request_text(&Request { system: self.system.clone(), messages, ..Request::default() }))
    }
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RenderedPrompt {
    /// Variables of all variants, in order of first use.
    pub variables: Vec<Variable>,
    /// By ordinal.
    pub variants: Vec<RenderedVariant>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct IndexParams {
    pub format: IndexFormat,
    /// Maximum size in tokens; skills that don't fit are left out. [default: 2000]
    pub budget: Option<usize>,
    /// Name of an agent, whose assigned skills come before pinned ones.
    pub agent: Option<String>,
}
