//! Quick fixes: what can be done about a finding, as edits of the text that it was found in.
//!
//! What a folder's two texts need is worked out where they are read, in `inklings-folder`; here are the fixes of this
//! validator's own rules. None is offered before it was tried: the text is changed and checked again, and the finding has to
//! be gone.

use inklings_core::{Diagnostic, Fix, SkillPath, fix};
use inklings_folder::fix::{Subject, json};
use serde_json::Value;

use crate::skill::{Context, check_file, text_in_place};

/// Findings of one text that fixes are looked for: who has more has other worries.
const FINDINGS: usize = 50;

/// A fix for one of several findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Which finding, by its place in the list.
    pub finding: usize,
    /// What to do about it.
    pub fix: Fix,
}

/// The fixes for the findings that [`check_file`] has of `text` as the content of the skill's file `path`, best first for each.
#[must_use]
pub fn offers(context: &Context<'_>, path: &SkillPath, text: &str, findings: &[Diagnostic]) -> Vec<Offer> {
    let fixable =
        |finding: &Diagnostic| finding.file.as_deref() == Some(path.as_str()) && crate::rule(&finding.rule).is_some_and(|rule| rule.fix);
    let asked = findings.iter().enumerate().filter(|(_, finding)| fixable(finding)).take(FINDINGS);
    let tree = text_in_place(context.package, path, text);
    let subject = Subject { tree: &tree, folder: context.package.slug.as_str(), path, text };
    let mut offers = Vec::new();
    for (at, finding) in asked {
        let found = inklings_folder::fix::fixes(&subject, finding).into_iter().chain(own(path, text, finding));
        let helpful = found.filter(|fix| helps(context, &subject, findings, finding, fix));
        offers.extend(helpful.map(|fix| Offer { finding: at, fix }));
    }
    offers
}

/// Fixes of this validator's rules.
fn own(path: &SkillPath, text: &str, finding: &Diagnostic) -> Vec<Fix> {
    let pointer = finding.pointer.as_deref().unwrap_or_default();
    let meant = finding.meant.as_deref();
    let between = |title: String, new: Option<String>| Fix::between(title, path, text, &new?);
    let change = |word: &str| format!("Change it to “{word}”");
    let value = |word: &str| between(change(word), json::with_value(text, pointer, &Value::from(word)));
    let key = |word: &str| between(change(word), json::with_key(text, pointer, word));
    let remove = || between("Remove it".to_owned(), json::without(text, pointer));
    match finding.rule.as_str() {
        "template/unknown-filter" | "template/unknown-function" | "template/unknown-test" | "script/unknown-function" => {
            meant.and_then(|word| between(change(word), in_place(text, finding, word))).into_iter().collect()
        }
        "manifest/unknown-key" | "assertion/unknown-key" => meant.and_then(key).into_iter().collect(),
        "manifest/value" | "assertion/type" | "assertion/check" | "dspy/template" => meant.and_then(value).into_iter().collect(),
        "manifest/version" => between("Write version 1".to_owned(), json::with_value(text, pointer, &1.into())).into_iter().collect(),
        "run/unknown" | "skill-json/run" | "script/rights" => meant.and_then(value).into_iter().chain(remove()).collect(),
        "relation/self" | "relation/contradiction" | "manifest/contradiction" => remove().into_iter().collect(),
        "dspy/fallback" => meant.and_then(|word| fallback(path, text, pointer, word)).into_iter().collect(),
        "json/syntax" => {
            let at = finding.line.and_then(|line| fix::offset(text, line, finding.column.unwrap_or(1)));
            let mended = at.map(|at| json::mended(text, at)).unwrap_or_default();
            mended.into_iter().filter_map(|(title, new)| Fix::between(title, path, text, &new)).collect()
        }
        _ => Vec::new(),
    }
}

/// Names the prompt that stands in for a module.
fn fallback(path: &SkillPath, text: &str, pointer: &str, prompt: &str) -> Option<Fix> {
    const KEY: &str = "fallback_artifact";
    let new = if pointer.ends_with("/metadata/fallback_artifact") {
        json::with_value(text, pointer, &prompt.into())
    } else {
        let within = json::with_property(text, &format!("{pointer}/metadata"), KEY, prompt);
        within.or_else(|| json::with_object(text, pointer, "metadata", KEY, prompt))
    };
    Fix::between(format!("Let “{prompt}” stand in"), path, text, &new?)
}

/// The text with a word in place of what a finding spans.
fn in_place(text: &str, finding: &Diagnostic, word: &str) -> Option<String> {
    let start = fix::offset(text, finding.line?, finding.column?)?;
    let end = fix::offset(text, finding.end_line?, finding.end_column?)?;
    Some(format!("{}{word}{}", text.get(..start)?, text.get(end..)?))
}

/// Whether the finding is gone once the fix is made, and no error came in its place.
fn helps(context: &Context<'_>, subject: &Subject<'_>, before: &[Diagnostic], finding: &Diagnostic, fix: &Fix) -> bool {
    if fix.rename.is_some() {
        return true;
    }
    let Some(new) = fix.apply(subject.text) else { return false };
    let after = check_file(context, subject.path, &new);
    let same = |one: &&Diagnostic| one.rule == finding.rule && one.message == finding.message && one.pointer == finding.pointer;
    let count = |findings: &[Diagnostic]| findings.iter().filter(same).count();
    let errors = |findings: &[Diagnostic]| findings.iter().filter(|one| one.is_error()).count();
    // A text that could not be read shows its other faults only now; a fault of the same kind further on is another one.
    let unread = matches!(finding.rule.as_str(), "json/syntax" | "skill-json/syntax" | "frontmatter/unclosed");
    let further = |one: &Diagnostic| (one.line, one.column) > (finding.line, finding.column);
    if unread {
        return after.iter().filter(|one| one.rule == finding.rule).all(further);
    }
    count(&after) < count(before) && errors(&after) <= errors(before)
}
