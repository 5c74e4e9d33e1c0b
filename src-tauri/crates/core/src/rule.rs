//! Rules of the validator. Each crate that reports diagnostics has a table of its rules; the validator merges
//! them, and the guide's page of rules is generated from the result.

use schemars::JsonSchema;
use serde::Serialize;

use crate::check::Severity;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Rule {
    /// Stable ID, `family/rule`.
    pub id: &'static str,
    /// Default severity of its diagnostics.
    pub severity: Severity,
    /// What it reports: one line, lower case, no period.
    pub summary: &'static str,
    /// Why it matters and what to do: at most two sentences.
    pub advice: &'static str,
    /// Whether a quick fix can exist.
    pub fix: bool,
}

impl Rule {
    #[must_use]
    pub const fn error(id: &'static str, summary: &'static str, advice: &'static str) -> Self {
        Self { id, severity: Severity::Error, summary, advice, fix: false }
    }

    #[must_use]
    pub const fn warning(id: &'static str, summary: &'static str, advice: &'static str) -> Self {
        Self { severity: Severity::Warning, ..Self::error(id, summary, advice) }
    }

    #[must_use]
    pub const fn info(id: &'static str, summary: &'static str, advice: &'static str) -> Self {
        Self { severity: Severity::Info, ..Self::error(id, summary, advice) }
    }

    #[must_use]
    pub const fn hint(id: &'static str, summary: &'static str, advice: &'static str) -> Self {
        Self { severity: Severity::Hint, ..Self::error(id, summary, advice) }
    }

    #[must_use]
    pub const fn fixed(self) -> Self {
        Self { fix: true, ..self }
    }

    /// The part before the slash.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.id.split('/').next().unwrap_or(self.id)
    }
}

/// The rules of [`crate::manifest`] and of [`crate::edit`].
pub const RULES: &[Rule] = &[
    Rule::warning(
        "manifest/contradiction",
        "the manifest requires and forbids the same tool",
        "A forbidden tool is never available, so the requirement can’t be met. Remove the tool from one of the two lists.",
    )
    .fixed(),
    Rule::error(
        "manifest/duplicate",
        "two gates, steps or actions of the manifest have the same key",
        "Approvals and results are stored by key, so keys must be unique. Rename one of them.",
    ),
    Rule::error("manifest/missing-key", "a required key of the manifest is missing", "Add the missing key."),
    Rule::error(
        "manifest/promotion-threshold",
        "automatic promotion has no score threshold, or an invalid one",
        "Without a threshold any version could replace the skill. Set `minOverallScore` to a value between 0 and 5, or require approval with `\"mode\": \"human_gate\"`.",
    ),
    Rule::error(
        "manifest/shape",
        "the manifest can’t be read",
        "An invalid manifest is ignored, so none of its settings apply. Fix the reported error.",
    ),
    Rule::error(
        "manifest/type",
        "a manifest value has the wrong type",
        "An invalid manifest is ignored. Use a value of the expected type.",
    ),
    Rule::error("manifest/unknown-key", "unknown key in the manifest", "Unknown keys have no effect. Check the spelling.").fixed(),
    Rule::error("manifest/value", "a manifest value isn’t allowed", "Use one of the listed values.").fixed(),
    Rule::error("manifest/version", "unsupported manifest version", "Only `\"version\": 1` is supported.").fixed(),
    Rule::info(
        "skill/renamed",
        "saving changed the name of the skill",
        "The skill takes its name from the frontmatter. Update commands and skills that use the old name.",
    ),
];
