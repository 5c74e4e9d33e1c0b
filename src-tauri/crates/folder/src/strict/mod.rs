//! Strict mode: the verdict of the specification's reference validator, `skills-ref` 0.1.1, on one folder.
//!
//! The reference reads frontmatter with a dialect of YAML that no library has (block style only, strings only, no tabs, no
//! duplicate keys) through a parser that predates YAML 1.2 in many details. A parser that follows the specification disagrees on
//! hundreds of texts, so [`scan`] and [`node`] read the dialect as the reference does. `tests/reference/compare.py` compares both over 2,355
//! folders in every test run. Python's Unicode tables may have another version than ours, so that recently added letters can be judged
//! differently. Lenient reading (`front.rs`) is independent of this. Deliberately absent: values and spans; the only
//! question is whether other agents accept the folder, and why not.
//!
//! One difference is intended: a `SKILL.md` that is a symbolic link isn't followed.

mod node;
mod scan;

use inklings_core::check::{Diagnostic, line_column};
use inklings_core::name::is_letter_or_number;
use inklings_core::path::SkillPath;
use unicode_normalization::UnicodeNormalization;

use crate::front::STANDARD_KEYS;
use node::{Item, Node};
use scan::Position;

/// Maximum characters of a name.
const NAME_CHARS: usize = 64;
/// Maximum characters of a description, including surrounding whitespace.
const DESCRIPTION_CHARS: usize = 1_024;
/// Maximum characters of `compatibility`.
const COMPATIBILITY_CHARS: usize = 500;

/// A syntax error in the dialect.
#[derive(Debug)]
struct Fault {
    position: Position,
    message: String,
    hint: &'static str,
}

impl Fault {
    fn new(position: Position, message: impl Into<String>, hint: &'static str) -> Self {
        Self { position, message: message.into(), hint }
    }
}

/// Diagnostics of the reference validator for a folder named `folder` whose SKILL.md is `bytes`; empty if it is accepted.
#[must_use]
pub fn check(file: &SkillPath, bytes: &[u8], folder: &str) -> Vec<Diagnostic> {
    let locate = |finding: Diagnostic, position: Position| {
        // The first line starts after the opening dashes.
        let column = if position.line == 0 { position.column + 3 } else { position.column };
        let from_one = |number: usize| u32::try_from(number + 1).unwrap_or(u32::MAX);
        finding.in_file(file).at(from_one(position.line), from_one(column))
    };
    let Ok(text) = std::str::from_utf8(bytes) else {
        let before = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let (line, column) = line_column(before, before.len());
        let finding = Diagnostic::error("strict/encoding", "the file isn't UTF-8 text").hint("save it as UTF-8");
        return vec![finding.in_file(file).at(line, column)];
    };
    let yaml = match frontmatter(text) {
        Ok(yaml) => yaml.replace("\r\n", "\n").replace('\r', "\n"),
        Err((message, hint)) => {
            return vec![Diagnostic::error("strict/frontmatter", message).hint(hint).in_file(file).at(1, 1)];
        }
    };
    let root = match node::read(&yaml) {
        Ok(root) => root,
        Err(Fault { position, message, hint }) => return vec![locate(Diagnostic::error("strict/yaml", message).hint(hint), position)],
    };
    let Node::Mapping(pairs) = &root.node else {
        let finding =
            Diagnostic::error("strict/mapping", format!("the frontmatter must be a mapping of 'key: value', found {}", root.what()));
        return vec![locate(finding.hint("add at least 'name: …' and 'description: …'"), root.position)];
    };
    let mut findings: Vec<Diagnostic> = pairs.iter().filter_map(|(key, _)| Some(locate(field(key)?, key.position))).collect();
    let value = |key: &str| pairs.iter().find(|(name, _)| matches!(&name.node, Node::Text(text) if text == key)).map(|(_, value)| value);
    for (key, required) in [("name", true), ("description", true), ("compatibility", false)] {
        match value(key) {
            Some(item) => findings.extend(about(key, item, folder).into_iter().map(|finding| locate(finding, item.position))),
            None if required => {
                let finding = Diagnostic::error("strict/missing-key", format!("missing key {key:?} in the frontmatter")).hint("add it");
                findings.push(finding.in_file(file).at(1, 1));
            }
            None => {}
        }
    }
    findings
}

/// The text between the first two `---`, wherever they are.
fn frontmatter(text: &str) -> Result<&str, (&'static str, &'static str)> {
    let Some(rest) = text.strip_prefix("---") else {
        return Err(("the file doesn't start with '---'", "start the file with '---', name, description, '---'"));
    };
    rest.split_once("---")
        .map(|(yaml, _)| yaml)
        .ok_or(("the frontmatter isn't closed: missing '---'", "add a '---' line after the last key"))
}

fn field(key: &Item) -> Option<Diagnostic> {
    let Node::Text(name) = &key.node else { return None };
    let finding = || Diagnostic::error("strict/unknown-key", format!("{name:?} isn't in the specification"));
    (!STANDARD_KEYS.contains(&name.as_str())).then(|| finding().hint("move it under 'metadata', or remove it"))
}

fn about(key: &str, item: &Item, folder: &str) -> Vec<Diagnostic> {
    let Node::Text(text) = &item.node else {
        return vec![Diagnostic::error("strict/type", format!("{key:?} must be a string, found {}", item.what())).hint("use a string")];
    };
    if key != "compatibility" && stripped(text).is_empty() {
        return vec![Diagnostic::error("strict/empty", format!("the {key} is empty")).hint("add one")];
    }
    match key {
        "name" => name(stripped(text), folder),
        "description" => long(key, text, DESCRIPTION_CHARS).into_iter().collect(),
        _ => long(key, text, COMPATIBILITY_CHARS).into_iter().collect(),
    }
}

/// Like Python's `str.strip`.
fn stripped(text: &str) -> &str {
    text.trim_matches(|ch: char| ch.is_whitespace() || matches!(ch, '\u{1C}'..='\u{1F}'))
}

fn name(text: &str, folder: &str) -> Vec<Diagnostic> {
    let name: String = text.nfkc().collect();
    let mut findings = Vec::new();
    let mut refuse = |message: String, hint: &str| findings.push(Diagnostic::error("strict/name", message).hint(hint));
    let chars = name.chars().count();
    if chars > NAME_CHARS {
        refuse(format!("the name is too long: {chars} characters (maximum {NAME_CHARS})"), "shorten it");
    }
    if name.to_lowercase() != name {
        refuse(format!("the name {name:?} contains uppercase letters"), "use lowercase letters");
    }
    if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        refuse("the name can't start or end with a hyphen, or contain two in a row".to_owned(), "use single hyphens between words");
    }
    if let Some(ch) = name.chars().find(|ch| *ch != '-' && !is_letter_or_number(*ch)) {
        refuse(format!("the name contains {ch:?}"), "use only letters, digits and hyphens");
    }
    if !folder.nfkc().eq(name.chars()) {
        let message = format!("the name {name:?} doesn't match the folder name {folder:?}");
        findings.push(Diagnostic::error("strict/name-mismatch", message).hint("rename the folder, or change the name"));
    }
    findings
}

fn long(key: &str, text: &str, most: usize) -> Option<Diagnostic> {
    let chars = text.chars().count();
    let finding = || Diagnostic::error("strict/length", format!("{key:?} is too long: {chars} characters (maximum {most})"));
    (chars > most).then(|| finding().hint("move details into the body"))
}

#[cfg(test)]
mod tests {
    use inklings_core::skill::skill_md;
    use proptest::prelude::*;

    use super::*;

    /// Rule and position of each diagnostic.
    fn found(text: &str) -> Vec<String> {
        let findings = check(&skill_md(), text.as_bytes(), "a-skill");
        findings.iter().map(|finding| format!("{} {}:{}", finding.rule, finding.line.unwrap(), finding.column.unwrap())).collect()
    }

    fn valid(yaml: &str) {
        let text = format!("---\nname: a-skill\ndescription: Does a thing.\n{yaml}---\nBody\n");
        assert_eq!(found(&text), [""; 0], "{yaml:?}");
    }

    fn refused(yaml: &str, at: &str) {
        let text = format!("---\nname: a-skill\ndescription: Does a thing.\n{yaml}---\nBody\n");
        assert_eq!(found(&text), [at], "{yaml:?}");
    }

    #[test]
    fn what_the_dialect_has_is_taken() {
        for yaml in [
            "",
            "license: 'it''s' # c\n",
            "license: |2-\n    x\n   y\n\ncompatibility: >\n  a\n  b\n",
            "metadata:\n  a: \"\\x41 \\\n    b\"\n  c:\n  - d\n  -\n",
            "allowed-tools: Bash(git:*) Read\n",
            "? license\n: MIT\n",
            "metadata:\n  <<:\n    a: b\n  null: ~\n",
            "...\n",
            "metadata:\n\n  \ta: b\n",
        ] {
            valid(yaml);
        }
    }

    #[test]
    fn what_it_has_not_is_refused_where_it_stands() {
        for (yaml, at) in [
            ("license: a: b\n", "strict/yaml 4:11"),
            ("license: [MIT]\n", "strict/yaml 4:10"),
            ("license: &a MIT\n", "strict/yaml 4:10"),
            ("license: !str MIT\n", "strict/yaml 4:10"),
            ("license: a\tb\n", "strict/yaml 4:11"),
            ("license: MIT\nlicense: MIT\n", "strict/yaml 5:1"),
            ("license: \"a\n", "strict/yaml 4:10"),
            ("license: \"\\q\"\n", "strict/yaml 4:12"),
            ("metadata:\n  a:\n    b: c\n  d:\n   e: f\n", "strict/yaml 8:4"),
            ("metadata: # c\n  a\n\n", "strict/yaml 5:3"),
            ("license\n", "strict/yaml 4:1"),
            ("licence: MIT\n", "strict/unknown-key 4:1"),
            ("compatibility:\n- a\n", "strict/type 5:1"),
            ("<<: a\n", "strict/yaml 4:5"),
        ] {
            refused(yaml, at);
        }
    }

    #[test]
    fn names_and_lengths_are_the_references() {
        let with = |name: &str, description: &str| found(&format!("---\nname: {name}\ndescription: {description}\n---\n"));
        assert_eq!(with("A-skill", "x"), ["strict/name 2:7", "strict/name-mismatch 2:7"]);
        assert_eq!(with("a-skill", "''"), ["strict/empty 3:14"]);
        assert_eq!(with("a-skill", &"é".repeat(1_024)), [""; 0]);
        assert_eq!(with("a-skill", &"é".repeat(1_025)), ["strict/length 3:14"]);
        assert_eq!(with("\"a-skill\\x1f\"", "x"), [""; 0]);
        assert_eq!(found("\u{feff}---\nname: a-skill\n---\n"), ["strict/frontmatter 1:1"]);
        assert_eq!(found("---name: a-skill\ndescription: a---b\n---\n"), [""; 0]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]
        #[test]
        fn any_text_gets_a_verdict(text in "(---\n)?[a-c:\\-?#|>'\"\\\\<=~ \t\n\r\u{85}\u{2028}\u{FEFF}x0{\\[&*!%é]{0,60}(\n---)?") {
            for finding in check(&skill_md(), text.as_bytes(), "a") {
                prop_assert!(finding.line.is_some() && finding.hint.is_some());
            }
        }
    }
}
