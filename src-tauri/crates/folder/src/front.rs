//! The frontmatter of a `SKILL.md`: its text, its YAML and the values that are read from it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use inklings_core::check::{Diagnostic, line_column};
use inklings_core::frontmatter::{self, Split};
use inklings_core::limits;
use inklings_core::name::Slug;
use inklings_core::path::SkillPath;
use serde_json::{Map, Value};

use crate::repair;
use crate::yaml::{self, Content, Node};

/// Keys of the Agent Skills specification.
pub const STANDARD_KEYS: [&str; 6] = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
/// Additional keys that are read.
pub const OUR_KEYS: [&str; 5] = ["slug", "version", "author", "tags", "trigger_pattern"];

/// Description of a key, for hover texts. Empty for unknown keys.
#[must_use]
pub fn about(key: &str) -> &'static str {
    match key {
        "name" => "Name of the skill: lowercase letters, digits and hyphens (maximum 64). Must match the folder name.",
        "description" => "What the skill does and when to use it. Agents select a skill by its description.",
        "license" => "Name of the license, or of a license file.",
        "compatibility" => "Environment requirements, such as programs or network access.",
        "metadata" => "Additional keys with string values.",
        "allowed-tools" => "Pre-approved tools, separated by spaces.",
        "slug" => "Name of the skill if `name` is a title.",
        "version" => "Semantic version, such as 1.2.0.",
        "author" => "Author of the skill.",
        "tags" => "Tags for search and filters.",
        "trigger_pattern" => "Phrase that should trigger this skill.",
        _ => "",
    }
}

/// All fields of a text's frontmatter with their types, such as numbers. None if it has none, or if it isn't valid YAML.
#[must_use]
pub fn fields(text: &str) -> Option<Map<String, Value>> {
    let split = frontmatter::split(text, frontmatter::SKILL).ok()?;
    let yaml = text.get(split.yaml?).filter(|yaml| yaml.len() <= yaml::MAX_BYTES)?;
    serde_saphyr::from_str(yaml).ok()
}

/// Maximum number of diagnostics about keys per file.
const MAX_DIAGNOSTICS: usize = 32;

/// A key path from the top of the frontmatter.
pub(crate) type KeyPath = &'static [&'static str];

/// Paths of the version, in order of precedence.
pub(crate) const VERSION: &[KeyPath] = &[&["version"], &["metadata", "version"]];
/// Paths of the author, in order of precedence.
pub(crate) const AUTHOR: &[KeyPath] = &[&["author"], &["author", "name"], &["metadata", "author"]];
/// Paths of the tags, in order of precedence.
pub(crate) const TAGS: &[KeyPath] = &[&["tags"], &["metadata", "tags"]];

/// Parsed frontmatter. `before`, `yaml` and `after` together are its text.
#[derive(Debug, Clone)]
pub struct Front<'a> {
    /// The line of the opening delimiter and everything before it.
    pub before: &'a str,
    /// The YAML after repairs.
    pub yaml: Cow<'a, str>,
    /// The line of the closing delimiter.
    pub after: &'a str,
    /// The root mapping of the YAML; None if it is empty. Spans are offsets into `yaml`.
    pub root: Option<Node>,
    /// Whether the YAML had to be repaired.
    pub repaired: bool,
}

impl<'a> Front<'a> {
    /// Parses the frontmatter that `split` found in `text`. None without one.
    pub fn read(text: &'a str, split: &Split, file: &SkillPath, diagnostics: &mut Vec<Diagnostic>) -> Result<Option<Self>, Diagnostic> {
        let Some(range) = split.yaml.clone() else { return Ok(None) };
        let mut front = Self {
            before: &text[..range.start],
            yaml: Cow::Borrowed(&text[range.clone()]),
            after: &text[range.end..split.body],
            root: None,
            repaired: false,
        };
        front.root = match yaml::parse(&front.yaml) {
            Ok(root) => root,
            Err(error) => front.repair(file, diagnostics).map_err(|()| {
                let finding = Diagnostic::error("frontmatter/yaml", format!("invalid YAML: {error}"))
                    .hint("fix the frontmatter; values with special characters need double quotes");
                front.locate(finding, file, error.offset..error.offset)
            })?,
        };
        match &front.root {
            Some(Node { content: Content::Mapping { .. }, .. }) | None => Ok(Some(front)),
            Some(node) => {
                let finding = Diagnostic::error("frontmatter/mapping", "the frontmatter isn't a mapping of 'key: value'")
                    .hint("add at least 'name: …' and 'description: …'");
                Err(front.locate(finding, file, node.span.clone()))
            }
        }
    }

    /// Repairs the YAML if that makes it valid.
    fn repair(&mut self, file: &SkillPath, diagnostics: &mut Vec<Diagnostic>) -> Result<Option<Node>, ()> {
        let (text, problems) = repair::repair(&self.yaml).ok_or(())?;
        let root = yaml::parse(&text).map_err(|_| ())?;
        for problem in problems.into_iter().take(MAX_DIAGNOSTICS) {
            let line = self.first_line() + u32::try_from(problem.line).unwrap_or(u32::MAX);
            let finding = Diagnostic::warning(problem.rule, problem.message()).hint(problem.hint());
            diagnostics.push(finding.in_file(file).at(line, 1));
        }
        self.yaml = Cow::Owned(text);
        self.repaired = true;
        Ok(root)
    }

    /// The whole text, including repairs.
    pub(crate) fn whole(&self) -> String {
        format!("{}{}{}", self.before, self.yaml, self.after)
    }

    /// The line of the file at which the YAML begins.
    fn first_line(&self) -> u32 {
        line_column(self.before, self.before.len()).0
    }

    /// Sets the position of a diagnostic to a span of the YAML.
    #[must_use]
    pub fn locate(&self, finding: Diagnostic, file: &SkillPath, span: Range<usize>) -> Diagnostic {
        let above = self.first_line() - 1;
        let (line, column) = line_column(&self.yaml, span.start);
        let (end_line, end_column) = line_column(&self.yaml, span.end);
        finding.in_file(file).at(line + above, column).to(end_line + above, end_column)
    }

    /// The node at a path of keys.
    #[must_use]
    pub fn get(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(self.root.as_ref()?, |node, key| node.get(key))
    }

    /// The trimmed string at a path of keys. None if it is empty or not a scalar.
    #[must_use]
    pub fn text(&self, path: &[&str]) -> Option<&str> {
        self.get(path)?.text().map(str::trim).filter(|text| !text.is_empty())
    }

    /// The first of several paths that has a string.
    pub(crate) fn first_text(&self, paths: &[KeyPath]) -> Option<(KeyPath, &str)> {
        paths.iter().find_map(|path| Some((*path, self.text(path)?)))
    }

    /// The first of several paths that has tags.
    pub(crate) fn first_tags(&self, paths: &[KeyPath]) -> Option<(KeyPath, Vec<String>)> {
        paths.iter().find_map(|path| Some((*path, tags(self.get(path)?)?)))
    }

    /// The slug from the `slug` key.
    pub(crate) fn slug(&self) -> Option<Slug> {
        Slug::parse(self.text(&["slug"])?).ok()
    }

    /// Diagnostics of keys and values that are valid but don't conform to the specification.
    pub(crate) fn check(&self, file: &SkillPath, folder: &str, diagnostics: &mut Vec<Diagnostic>) {
        self.check_keys(file, diagnostics);
        self.check_name(file, folder, diagnostics);
        if let Some(node) = self.get(&["allowed-tools"])
            && matches!(node.content, Content::Sequence { .. })
        {
            let finding = Diagnostic::info("frontmatter/allowed-tools", "allowed-tools is a list")
                .hint("the specification uses a single line with spaces between the tools");
            diagnostics.push(self.locate(finding, file, node.span.clone()));
        }
        if let Some(node) = self.get(&["description"])
            && let Some(text) = node.text()
        {
            let chars = text.trim().chars().count();
            if chars > limits::DESCRIPTION_CHARS && chars <= limits::DESCRIPTION_CHARS_LENIENT {
                let message = format!("the description is too long: {chars} characters (maximum {})", limits::DESCRIPTION_CHARS);
                let finding = Diagnostic::warning("frontmatter/description-length", message)
                    .hint("move details into the body: other agents may reject this skill");
                diagnostics.push(self.locate(finding, file, node.span.clone()));
            }
        }
    }

    fn check_keys(&self, file: &SkillPath, diagnostics: &mut Vec<Diagnostic>) {
        let pairs = self.root.as_ref().map(Node::pairs).unwrap_or_default();
        let mut seen = HashSet::new();
        let mut reported = 0;
        for (key, _) in pairs {
            let name = key.text().unwrap_or_default();
            let finding = if !seen.insert(name) {
                Diagnostic::warning("frontmatter/duplicate-key", format!("duplicate key {name:?}; the last one is used"))
                    .hint("remove one of them")
            } else if !STANDARD_KEYS.contains(&name) && !OUR_KEYS.contains(&name) {
                Diagnostic::info("frontmatter/unknown-key", format!("{name:?} isn't in the specification"))
                    .hint("move it under 'metadata' if other agents reject it")
            } else {
                continue;
            };
            reported += 1;
            if reported <= MAX_DIAGNOSTICS {
                diagnostics.push(self.locate(finding, file, key.span.clone()));
            }
        }
    }

    fn check_name(&self, file: &SkillPath, folder: &str, diagnostics: &mut Vec<Diagnostic>) {
        let Some(node) = self.get(&["name"]) else {
            if self.slug().is_none() {
                let finding = Diagnostic::warning("frontmatter/name", "missing name; the name of the folder or of skill.json is used");
                diagnostics.push(
                    finding.hint("add the name of the folder: other agents reject this skill").in_file(file).at(self.first_line(), 1),
                );
            }
            return;
        };
        let Some(name) = self.text(&["name"]) else {
            let finding = Diagnostic::warning("frontmatter/name", "the name is empty or isn't a string")
                .hint("use the name of the folder: lowercase letters, digits and hyphens");
            diagnostics.push(self.locate(finding, file, node.span.clone()));
            return;
        };
        let finding = match Slug::parse(name) {
            Err(error) if self.slug().is_none() => Diagnostic::warning("frontmatter/name", error.to_string())
                .hint("it is used as the title; other agents require lowercase letters, digits and hyphens"),
            Ok(slug) if self.slug().is_none() && slug.as_str() != folder && Slug::parse(folder).as_ref() != Ok(&slug) => {
                let message = format!("the name {name:?} doesn't match the folder name {folder:?}");
                Diagnostic::warning("frontmatter/name-mismatch", message).hint("the name is used here; rename the folder")
            }
            _ => return,
        };
        diagnostics.push(self.locate(finding, file, node.span.clone()));
    }
}

/// The tags of a node: a list, or a comma-separated string.
fn tags(node: &Node) -> Option<Vec<String>> {
    match &node.content {
        Content::Sequence { items, .. } => {
            Some(items.iter().filter_map(Node::text).map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect())
        }
        Content::Scalar { .. } => Some(comma_list(node.text()?)),
        _ => None,
    }
}

/// The parts of a comma-separated string.
pub(crate) fn comma_list(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}
