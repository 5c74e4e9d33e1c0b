//! Quick fixes of diagnostics.
//!
//! Fixes for frontmatter and `skill.json` are computed in `inklings-folder`, which parses them; this module has those of the
//! validator's own rules. Each fix is verified before it is offered: it is applied to a copy, and the diagnostic must
//! disappear.

use inklings_core::{Diagnostic, Fix, SkillPath, fix};
use inklings_folder::fix::{Subject, json};
use serde_json::Value;

use crate::skill::{Context, check_file, tree_with_text};

/// Maximum number of diagnostics per text for which fixes are computed.
const MAX_FIXED_FINDINGS: usize = 50;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Index of the diagnostic.
    pub finding: usize,
    pub fix: Fix,
}

/// The fixes for the diagnostics that [`check_file`] reports for `text` as the content of the skill's file `path`, best first for each.
#[must_use]
pub fn offers(context: &Context<'_>, path: &SkillPath, text: &str, findings: &[Diagnostic]) -> Vec<Offer> {
    let fixable =
        |finding: &Diagnostic| finding.file.as_deref() == Some(path.as_str()) && crate::rule(&finding.rule).is_some_and(|rule| rule.fix);
    let asked = findings.iter().enumerate().filter(|(_, finding)| fixable(finding)).take(MAX_FIXED_FINDINGS);
    let tree = tree_with_text(context.package, path, text);
    let subject = Subject { tree: &tree, folder: context.package.slug.as_str(), path, text };
    let mut offers = Vec::new();
    for (at, finding) in asked {
        let found = inklings_folder::fix::fixes(&subject, finding).into_iter().chain(own(path, text, finding));
        let helpful = found.filter(|fix| helps(context, &subject, findings, finding, fix));
        offers.extend(helpful.map(|fix| Offer { finding: at, fix }));
    }
    offers
}

/// Fixes for the validator's own rules.
fn own(path: &SkillPath, text: &str, finding: &Diagnostic) -> Vec<Fix> {
    let pointer = finding.pointer.as_deref().unwrap_or_default();
    let meant = finding.meant.as_deref();
    let between = |title: String, new: Option<String>| Fix::between(title, path, text, &new?);
    let change = |meant_value: &str| format!("Change it to “{meant_value}”");
    let value = |meant_value: &str| between(change(meant_value), json::with_value(text, pointer, &Value::from(meant_value)));
    let key = |meant_value: &str| between(change(meant_value), json::with_key(text, pointer, meant_value));
    let remove = || between("Remove it".to_owned(), json::without(text, pointer));
    match finding.rule.as_str() {
        "template/undeclared"
        | "template/unknown-filter"
        | "template/unknown-function"
        | "template/unknown-test"
        | "script/unknown-function" => {
            meant.and_then(|meant_value| between(change(meant_value), replaced_value(text, finding, meant_value))).into_iter().collect()
        }
        "manifest/unknown-key" | "assertion/unknown-key" => meant.and_then(key).into_iter().collect(),
        "manifest/value" | "assertion/type" | "assertion/check" | "dspy/template" => meant.and_then(value).into_iter().collect(),
        "manifest/version" => {
            between("Change the version to 1".to_owned(), json::with_value(text, pointer, &1.into())).into_iter().collect()
        }
        "run/unknown" | "skill-json/run" | "script/rights" => meant.and_then(value).into_iter().chain(remove()).collect(),
        "relation/self" | "relation/contradiction" | "manifest/contradiction" => remove().into_iter().collect(),
        "dspy/fallback" => meant.and_then(|meant_value| fallback(path, text, pointer, meant_value)).into_iter().collect(),
        "json/syntax" => {
            let at = finding.line.and_then(|line| fix::offset(text, line, finding.column.unwrap_or(1)));
            let mended = at.map(|at| json::mended(text, at)).unwrap_or_default();
            mended.into_iter().filter_map(|(title, new)| Fix::between(title, path, text, &new)).collect()
        }
        _ => Vec::new(),
    }
}

fn fallback(path: &SkillPath, text: &str, pointer: &str, prompt: &str) -> Option<Fix> {
    const KEY: &str = "fallback_artifact";
    let new = if pointer.ends_with("/metadata/fallback_artifact") {
        json::with_value(text, pointer, &prompt.into())
    } else {
        let within = json::with_property(text, &format!("{pointer}/metadata"), KEY, prompt);
        within.or_else(|| json::with_object(text, pointer, "metadata", KEY, prompt))
    };
    Fix::between(format!("Set “{prompt}” as fallback"), path, text, &new?)
}

/// Replaces the span of a diagnostic.
fn replaced_value(text: &str, finding: &Diagnostic, meant_value: &str) -> Option<String> {
    let start = fix::offset(text, finding.line?, finding.column?)?;
    let end = fix::offset(text, finding.end_line?, finding.end_column?)?;
    Some(format!("{}{meant_value}{}", text.get(..start)?, text.get(end..)?))
}

/// Whether the fix removes the diagnostic and adds no error.
fn helps(context: &Context<'_>, subject: &Subject<'_>, before: &[Diagnostic], finding: &Diagnostic, fix: &Fix) -> bool {
    if fix.rename.is_some() {
        return true;
    }
    let Some(new) = fix.apply(subject.text) else { return false };
    let after = check_file(context, subject.path, &new);
    let same = |one: &&Diagnostic| one.rule == finding.rule && one.message == finding.message && one.pointer == finding.pointer;
    let count = |findings: &[Diagnostic]| findings.iter().filter(same).count();
    let errors = |findings: &[Diagnostic]| findings.iter().filter(|one| one.is_error()).count();
    // A file with a syntax error can reveal other errors only once it is fixed, and a similar error later in the text is another one.
    let unread = matches!(finding.rule.as_str(), "json/syntax" | "skill-json/syntax" | "frontmatter/unclosed");
    let further = |one: &Diagnostic| (one.line, one.column) > (finding.line, finding.column);
    if unread {
        return after.iter().filter(|one| one.rule == finding.rule).all(further);
    }
    count(&after) < count(before) && errors(&after) <= errors(before)
}
