//! Scripts: their template, their Python, and their capabilities.

mod modules;

use inklings_core::manifest::nearest;
use inklings_core::sandbox_api::{CAPABILITIES, FUNCTIONS, MODULE, member};
use inklings_core::{Artifact, Diagnostic};
use inklings_prompt::Problem;
use inklings_prompt::script::{Import, Use};

use crate::template::ENGINE;

/// Rules about a code template.
pub(crate) fn check(artifact: &Artifact, text: &str) -> Vec<Diagnostic> {
    let path = artifact.path.as_str();
    let outline = ENGINE.outline(text);
    let mut findings: Vec<Diagnostic> = outline
        .faults
        .iter()
        .map(|fault| {
            let finding = fault.to_diagnostic(path);
            if matches!(fault.problem, Problem::Syntax(_)) {
                return finding.hint("put literal {{, {% and {# between {% raw %} and {% endraw %}");
            }
            finding
        })
        .collect();
    findings.extend(outline.imports.iter().filter_map(|one| import(path, one)));
    findings.extend(outline.uses.iter().filter_map(|one| unknown(path, one)));
    // Not reported while the script has syntax errors.
    if !outline.submits && outline.faults.is_empty() {
        let finding = Diagnostic::warning("script/no-submit", format!("the script never calls {MODULE}.submit")).in_file(path).at(1, 1);
        findings.push(finding.hint(format!("call {MODULE}.submit(value) once with the result")));
    }
    findings
}

/// Rules about an artifact's capabilities (`rights`). Pointers start at its entry.
pub(crate) fn rights(artifact: &Artifact) -> Vec<Diagnostic> {
    const POINTER: &str = "/metadata/rights";
    let Some(declared) = artifact.metadata.get("rights") else { return Vec::new() };
    let names = || CAPABILITIES.iter().map(|(_, name)| *name);
    let all = || format!("use a list of {}", names().collect::<Vec<_>>().join(", "));
    let Some(list) = declared.as_array() else {
        let finding = Diagnostic::error("script/rights", "rights must be an array of strings");
        return vec![finding.pointer(POINTER).hint(all())];
    };
    let unknown = list.iter().enumerate().filter(|(_, one)| names().all(|name| *one != name));
    unknown
        .map(|(index, one)| {
            let near = one.as_str().and_then(|text| nearest(text, names()));
            let hint = match near {
                Some(name) => format!("did you mean {name:?}?"),
                None => all(),
            };
            Diagnostic::error("script/rights", format!("unknown capability {one}"))
                .pointer(format!("{POINTER}/{index}"))
                .hint(hint)
                .meant(near)
        })
        .collect()
}

fn import(path: &str, import: &Import) -> Option<Diagnostic> {
    if import.guarded {
        return None;
    }
    let (message, hint) = modules::fault(&import.module)?;
    let span = &import.span;
    let finding = Diagnostic::warning("script/import", message).in_file(path).at(span.line, span.column);
    Some(finding.to(span.end_line, span.end_column).hint(hint))
}

fn unknown(path: &str, used: &Use) -> Option<Diagnostic> {
    let inner = format!("{}.", used.name);
    // Attributes of members such as `search` aren't checked; those of `skills` are in the table.
    let known = |name: &str| member(name).is_some() || name.starts_with("__");
    let first = used.name.split('.').next().unwrap_or_default();
    if known(&used.name) || known(first) || FUNCTIONS.iter().any(|one| one.name.starts_with(&inner)) {
        return None;
    }
    let span = &used.span;
    let message = format!("{MODULE} has no {}", used.name);
    let near = nearest(&used.name, FUNCTIONS.iter().map(|one| one.name));
    let hint = match near {
        Some(name) => format!("did you mean {MODULE}.{name}?"),
        None => format!("{MODULE} has {}", FUNCTIONS.iter().map(|one| one.name).collect::<Vec<_>>().join(", ")),
    };
    let finding = Diagnostic::warning("script/unknown-function", message).in_file(path).at(span.line, span.column);
    Some(finding.to(span.end_line, span.end_column).hint(hint).meant(near))
}
