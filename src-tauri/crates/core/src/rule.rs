//! What a rule is: an id with words about it. Each crate that reports findings has a table of its rules; the validator joins
//! them, and the guide's page of rules is made from that.

use schemars::JsonSchema;
use serde::Serialize;

use crate::check::Severity;

/// One rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Rule {
    /// Stable id, `family/rule`.
    pub id: &'static str,
    /// How bad its findings usually are.
    pub severity: Severity,
    /// One line: what it finds.
    pub summary: &'static str,
    /// Why it matters and what to do, in a sentence or two.
    pub advice: &'static str,
    /// Whether there can be a quick fix.
    pub fix: bool,
}

impl Rule {
    /// A rule whose findings are usually errors.
    #[must_use]
    pub const fn error(id: &'static str, summary: &'static str, advice: &'static str) -> Self {
        Self { id, severity: Severity::Error, summary, advice, fix: false }
    }

    /// A rule whose findings are usually warnings.
    #[must_use]
    pub const fn warning(id: &'static str, summary: &'static str, advice: &'static str) -> Self {
        Self { severity: Severity::Warning, ..Self::error(id, summary, advice) }
    }

    /// A rule whose findings are usually informations.
    #[must_use]
    pub const fn info(id: &'static str, summary: &'static str, advice: &'static str) -> Self {
        Self { severity: Severity::Info, ..Self::error(id, summary, advice) }
    }

    /// A rule whose findings are usually hints.
    #[must_use]
    pub const fn hint(id: &'static str, summary: &'static str, advice: &'static str) -> Self {
        Self { severity: Severity::Hint, ..Self::error(id, summary, advice) }
    }

    /// There can be a quick fix.
    #[must_use]
    pub const fn fixed(self) -> Self {
        Self { fix: true, ..self }
    }

    /// What stands before the slash.
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
        "Forbidding wins, so the requirement can never be met. Take the tool out of one of the two lists.",
    )
    .fixed(),
    Rule::error(
        "manifest/duplicate",
        "two gates, steps or actions of the manifest have the same key",
        "A key must name one thing: what a person approves, or what has been done, is kept by it. Give each its own.",
    ),
    Rule::error(
        "manifest/missing-key",
        "the manifest lacks a key",
        "What declares needs all of its parts. Add the key that the finding names.",
    ),
    Rule::error(
        "manifest/promotion-threshold",
        "promotion without a person has no score to reach, or an impossible one",
        "Without a threshold anything could replace the skill. Give `minOverallScore` between 0 and 5, or let a person decide with `\"mode\": \"human_gate\"`.",
    ),
    Rule::error(
        "manifest/shape",
        "the manifest can’t be read",
        "It counts as empty until it can be, so nothing that it asks for is kept to. Correct it where the finding says.",
    ),
    Rule::error(
        "manifest/type",
        "a value of the manifest is of the wrong type",
        "The manifest counts as empty until it can be read. Write a value of the form that the finding names.",
    ),
    Rule::error(
        "manifest/unknown-key",
        "the manifest has a key that isn’t known",
        "Nothing reads it, so what it was meant to declare doesn’t hold. Most often it is a spelling.",
    )
    .fixed(),
    Rule::error("manifest/value", "a value of the manifest is not allowed", "Use one of the values that the finding names.").fixed(),
    Rule::error("manifest/version", "the manifest is of a version that isn’t supported", "Write `\"version\": 1`, the only one there is.")
        .fixed(),
    Rule::info(
        "skill/renamed",
        "the skill’s name changed with a save",
        "The name in the frontmatter names the skill. Whoever calls it by its old name, another skill or a command, has to use the new one.",
    ),
];
