//! The guide's page of rules, as Markdown.

use std::fmt::Write as _;

use inklings_core::{Rule, Severity};

use super::rules;

/// Titles of rule families. The default is the id.
const FAMILIES: &[(&str, &str)] = &[
    ("artifact", "Artifacts"),
    ("assertion", "Assertions"),
    ("dspy", "DSPy programs"),
    ("folder", "Folders and files"),
    ("frontmatter", "Frontmatter"),
    ("import", "Imports"),
    ("json", "JSON files"),
    ("limit", "Limits"),
    ("manifest", "Manifest"),
    ("optimize", "Examples"),
    ("package", "Packages"),
    ("relation", "Relations"),
    ("run", "Run plan"),
    ("script", "Scripts"),
    ("skill", "Descriptions and instructions"),
    ("skill-json", "skill.json"),
    ("sources", "Rewritten files"),
    ("state", "States"),
    ("strict", "Strict validation"),
    ("target", "Other agents’ folders"),
    ("template", "Templates"),
    ("zip", "Zip files"),
];

const INTRODUCTION: &str = "# Rules

The validator reports problems in skills. Each problem has a severity, a file, a line and the id of its rule. The editor, the \
problems list, imports and the command line use the same rules. {key:view.problems} shows the problems of all skills. \
[Show me](#run/view.problems)

- An **error** is a part that doesn’t work. Files that can’t be read as a skill, and malformed assertions, can’t be saved or imported. \
What has another error is saved and imported, but doesn’t run or isn’t used.
- A **warning** doesn’t block anything, but the skill may not work as intended or may not work in other agents.
- An **info** or a **hint** is a suggestion.

If a rule has a quick fix, press {key:problem.fix} in the editor or in the problems list to apply it. Undo works as for typing.
";

/// The page, with a heading for each rule family.
#[must_use]
pub fn page() -> String {
    let mut out = INTRODUCTION.to_owned();
    let mut family = "";
    for rule in rules() {
        if rule.family() != family {
            family = rule.family();
            let title = FAMILIES.iter().find(|(id, _)| *id == family).map_or(family, |(_, title)| title);
            let _ = write!(out, "\n## {title}\n");
        }
        section(&mut out, rule);
    }
    out
}

fn section(out: &mut String, rule: &Rule) {
    let severity = match rule.severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Info => "Info",
        Severity::Hint => "Hint",
    };
    let fix = if rule.fix { ", quick fix" } else { "" };
    // Writing to a string can't fail.
    let _ = write!(out, "\n### {}\n\n*{severity}{fix}*: {}. {}\n", rule.id, rule.summary, rule.advice);
}
