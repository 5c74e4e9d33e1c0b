//! Data-driven tests of the validator: a skill as text, and its expected diagnostics.

#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

mod assertions;
mod fixes;
mod folder;
mod scripts;
mod seeds;
mod skills;
mod table;
mod typing;
mod undeclared;

use inklings_core::{Diagnostic, Package, Severity, SkillPath};
use inklings_lint::{Context, check_file, check_skill, rules};

/// `file line:column-line:column severity rule pointer: message`, without missing parts.
fn shown(finding: &Diagnostic) -> String {
    let known = rules().iter().any(|rule| rule.id == finding.rule) || finding.rule.starts_with("fake/");
    assert!(known, "{} is in no table of rules", finding.rule);
    let at = match (finding.line, finding.column, finding.end_line, finding.end_column) {
        (Some(line), Some(column), Some(end_line), Some(end)) if line == end_line => format!("{line}:{column}-{end}"),
        (Some(line), Some(column), Some(end_line), Some(end)) => format!("{line}:{column}-{end_line}:{end}"),
        (Some(line), Some(column), ..) => format!("{line}:{column}"),
        _ => "-".to_owned(),
    };
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
        Severity::Hint => "hint",
    };
    let file = finding.file.as_deref().unwrap_or("-");
    format!("{file} {at} {severity} {}: {}", finding.rule, finding.message)
}

/// Splits `//- path` sections into a skill. Missing required parts are added, so that only the subject has diagnostics.
fn skill(fixture: &str) -> Package {
    let mut files: Vec<(SkillPath, String)> = Vec::new();
    for line in fixture.trim_start().split_inclusive('\n') {
        match line.strip_prefix("//- ") {
            Some(path) => files.push((SkillPath::parse(path.trim()).unwrap(), String::new())),
            None => files.last_mut().unwrap().1.push_str(line),
        }
    }
    if !files.iter().any(|(path, _)| path.is_skill_md()) {
        let text = "---\nname: memo\ndescription: Writes a memo about a company. Use when a memo is asked for.\n---\nWrite it.\n";
        files.push((SkillPath::parse("SKILL.md").unwrap(), text.to_owned()));
    }
    folder::package(&files)
}

/// Checks a whole skill.
fn check(fixture: &str, expected: &[&str]) {
    let package = skill(fixture);
    let found: Vec<String> = check_skill(&package, &folder::Fake).iter().map(shown).collect();
    assert_eq!(found, expected, "{fixture}");
}

/// Checks one file of a skill as while editing.
fn check_typed(fixture: &str, path: &str, text: &str, expected: &[&str]) {
    let package = skill(fixture);
    let context = Context { package: &package, format: &folder::Fake };
    let found: Vec<String> = check_file(&context, &SkillPath::parse(path).unwrap(), text).iter().map(shown).collect();
    assert_eq!(found, expected, "{text}");
}

/// The hint of the only diagnostic.
fn hint_of(fixture: &str) -> String {
    let findings = check_skill(&skill(fixture), &folder::Fake);
    assert_eq!(findings.len(), 1, "{findings:?}");
    findings[0].hint.clone().unwrap_or_default()
}
