//! Every rule, its id and what it is about: what the documentation and the Problems view show.

use inklings_core::check::Severity;
use serde::Serialize;

/// One rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// Stable id, `family/rule`.
    pub id: &'static str,
    /// How bad its findings usually are.
    pub severity: Severity,
    /// One line: what it finds.
    pub summary: &'static str,
}

const fn error(id: &'static str, summary: &'static str) -> Rule {
    Rule { id, severity: Severity::Error, summary }
}

const fn warning(id: &'static str, summary: &'static str) -> Rule {
    Rule { id, severity: Severity::Warning, summary }
}

const fn info(id: &'static str, summary: &'static str) -> Rule {
    Rule { id, severity: Severity::Info, summary }
}

const fn hint(id: &'static str, summary: &'static str) -> Rule {
    Rule { id, severity: Severity::Hint, summary }
}

const RULES: &[Rule] = &[
    error("assertion/check", "an assertion's check isn't one of its type's, or is missing where the type has several"),
    error("assertion/missing-key", "an assertion lacks a key that its check needs"),
    error("assertion/pattern", "an assertion's regular expression doesn't compile"),
    error("assertion/shape", "assertions are not a list of objects"),
    error("assertion/type", "an assertion's type is unknown or missing"),
    warning("assertion/unknown-key", "an assertion has a key that its check doesn't know"),
    error("assertion/value", "a value in an assertion is of the wrong form"),
    error("dspy/fallback", "a DSPy module's fallback is no prompt of the skill (a warning: it has none)"),
    error("dspy/shape", "a DSPy module's file has no template_id or signature"),
    error("dspy/signature", "a DSPy signature can't be read"),
    error("dspy/template", "a DSPy module names a template that isn't shipped"),
    error("json/syntax", "a JSON file can't be read"),
    warning("manifest/contradiction", "the manifest requires and forbids the same tool"),
    error("manifest/duplicate", "two gates, steps or actions of the manifest have the same key"),
    error("manifest/missing-key", "the manifest lacks a key"),
    error("manifest/promotion-threshold", "promotion without a person has no score to reach, or an impossible one"),
    error("manifest/shape", "the manifest can't be read"),
    error("manifest/type", "a value of the manifest is of the wrong type"),
    error("manifest/unknown-key", "the manifest has a key that isn't known"),
    error("manifest/value", "a value of the manifest is not allowed"),
    error("manifest/version", "the manifest is of a version that isn't supported"),
    error("relation/contradiction", "a skill depends on another and conflicts with it"),
    error("relation/self", "a skill relates to itself"),
    error("run/unknown", "the plan of a run names something that is no artifact"),
    warning("script/import", "a script imports a module that its sandbox doesn't have, or that can't work there"),
    warning("script/no-submit", "a script never hands in a result"),
    error("script/rights", "metadata.rights isn't a list of rights that there are"),
    error("script/syntax", "a script is no Python"),
    warning("script/unknown-function", "a script uses something that the module inklings doesn't have"),
    hint("skill/description-short", "the description is too short to choose a skill by"),
    hint("skill/description-when", "the description doesn't say when to use the skill"),
    info("skill/long", "the instructions have more than 5,000 tokens"),
    warning("template/empty", "a prompt has no text"),
    error("template/failed", "a template does something that its values don't allow"),
    error("template/limit", "a template is too long, too deeply nested or takes too many steps"),
    error("template/other-template", "a template wants to load another one"),
    error("template/syntax", "a template can't be read"),
    error("template/undefined", "a template uses a value that was not given"),
    error("template/unknown-filter", "a template uses a filter that doesn't exist"),
    error("template/unknown-function", "a template calls a function that doesn't exist"),
    error("template/unknown-method", "a template calls a method of a value"),
    error("template/unknown-test", "a template uses a test that doesn't exist"),
    error("template/value-place", "a script's value stands where none can: in an f-string, a comment, a name"),
    warning("template/variants", "a prompt's variants use different variables"),
];

/// Every rule of this validator, by id. Rules of reading a folder (`frontmatter/…`, `skill-json/…`) are the projection's.
#[must_use]
pub const fn rules() -> &'static [Rule] {
    RULES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_sorted_and_unique() {
        assert!(RULES.windows(2).all(|pair| pair[0].id < pair[1].id));
        assert!(RULES.iter().all(|rule| rule.id.split('/').count() == 2 && !rule.summary.ends_with('.')));
    }
}
