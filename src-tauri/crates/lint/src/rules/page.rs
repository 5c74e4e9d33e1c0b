//! The guide's page of rules, as markdown.

use std::fmt::Write as _;

use inklings_core::{Rule, Severity};

use super::rules;

/// What the rules of a family are about. One that isn't here has its id as its title.
const FAMILIES: &[(&str, &str)] = &[
    ("artifact", "Artifacts"),
    ("assertion", "Assertions"),
    ("dspy", "DSPy programs"),
    ("folder", "Folders and files"),
    ("frontmatter", "Frontmatter"),
    ("import", "Imports"),
    ("json", "JSON files"),
    ("limit", "Limits"),
    ("manifest", "The manifest"),
    ("optimize", "Examples"),
    ("package", "Packages"),
    ("relation", "Relations"),
    ("run", "The plan of a run"),
    ("script", "Scripts"),
    ("skill", "Descriptions and instructions"),
    ("skill-json", "skill.json"),
    ("sources", "Texts that were written anew"),
    ("state", "States"),
    ("strict", "Strict validation"),
    ("target", "Other agents’ folders"),
    ("template", "Templates"),
    ("zip", "Zip files"),
];

const HEAD: &str = "# Rules

What is wrong in a skill, or only odd, is a problem: it has a file, a line, the id of a rule and what to do. The editor, the \
list of problems, imports and the command line share these rules. {key:view.problems} shows the problems of all skills. \
[Show me](#run/view.problems)

- An **error** stops what it stands in the way of: a save, a run, an import.
- A **warning** works, but likely not as it was meant, or not in other agents.
- An **info** or a **hint** is worth knowing.

Where a rule has a quick fix, {key:problem.fix} in the text or in the list offers it. A fix changes what it is about and nothing else, \
and is undone like typing.
";

/// The page: every rule below the heading of its family.
#[must_use]
pub fn page() -> String {
    let mut out = HEAD.to_owned();
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
