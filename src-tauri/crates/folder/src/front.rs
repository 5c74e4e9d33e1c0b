//! The frontmatter of a `SKILL.md`: its text, its YAML and the few values that we read from it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use inklings_core::check::{Diagnostic, line_column};
use inklings_core::limits;
use inklings_core::name::Slug;
use inklings_core::path::SkillPath;

use crate::repair;
use crate::split::Split;
use crate::yaml::{self, Content, Node};

/// Keys of the Agent Skills standard.
pub const STANDARD_KEYS: [&str; 6] = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
/// Further keys that we read.
pub const OUR_KEYS: [&str; 5] = ["slug", "version", "author", "tags", "trigger_pattern"];

/// What a key of the frontmatter says; empty for one that isn't ours or the standard's.
#[must_use]
pub fn about(key: &str) -> &'static str {
    match key {
        "name" => "The skill's name: lower-case letters, digits and hyphens, at most 64, the same as its folder's.",
        "description" => "What the skill does and when to use it. Agents choose by this text alone.",
        "license" => "The licence, by name or as a file.",
        "compatibility" => "What the skill needs around it, e.g. programs or network.",
        "metadata" => "Further keys with texts as values.",
        "allowed-tools" => "Tools that may be used without asking, separated by blanks.",
        "slug" => "The name, where `name` is a title for people.",
        "version" => "Semantic version, e.g. 1.2.0.",
        "author" => "Who wrote it.",
        "tags" => "Words that find the skill.",
        "trigger_pattern" => "A sentence that should bring this skill up.",
        _ => "",
    }
}

/// Findings about keys of one file: beyond that nobody reads them.
const MAX_REMARKS: usize = 32;

/// A key path from the top of the frontmatter.
pub(crate) type KeyPath = &'static [&'static str];

/// Where a version may be, best first.
pub(crate) const VERSION: &[KeyPath] = &[&["version"], &["metadata", "version"]];
/// Where an author may be, best first.
pub(crate) const AUTHOR: &[KeyPath] = &[&["author"], &["author", "name"], &["metadata", "author"]];
/// Where tags may be, best first.
pub(crate) const TAGS: &[KeyPath] = &[&["tags"], &["metadata", "tags"]];

/// Frontmatter that was read. `before`, `yaml` and `after` together are its text.
#[derive(Debug, Clone)]
pub struct Front<'a> {
    /// The opening delimiter's line and what stands before it.
    pub before: &'a str,
    /// The YAML; repaired where `repaired` says so.
    pub yaml: Cow<'a, str>,
    /// The closing delimiter's line.
    pub after: &'a str,
    /// The YAML's top node, a mapping; none when there is nothing. Spans are offsets into `yaml`.
    pub root: Option<Node>,
    /// Whether YAML refused the text as it stood.
    pub repaired: bool,
}

impl<'a> Front<'a> {
    /// Reads the frontmatter that `split` found in `text`; none if there is none.
    pub fn read(text: &'a str, split: &Split, file: &SkillPath, odd: &mut Vec<Diagnostic>) -> Result<Option<Self>, Diagnostic> {
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
            Err(error) => front.repair(file, odd).map_err(|()| {
                let finding = Diagnostic::error("frontmatter/yaml", format!("not valid YAML: {error}"))
                    .hint("correct the frontmatter; values with special characters need double quotes");
                front.place(finding, file, error.offset..error.offset)
            })?,
        };
        match &front.root {
            Some(Node { content: Content::Mapping { .. }, .. }) | None => Ok(Some(front)),
            Some(node) => {
                let finding = Diagnostic::error("frontmatter/mapping", "the frontmatter is no list of 'key: value'")
                    .hint("give at least 'name: …' and 'description: …'");
                Err(front.place(finding, file, node.span.clone()))
            }
        }
    }

    /// Puts in quotes what needs them, if that helps.
    fn repair(&mut self, file: &SkillPath, odd: &mut Vec<Diagnostic>) -> Result<Option<Node>, ()> {
        let (text, oddities) = repair::repair(&self.yaml).ok_or(())?;
        let root = yaml::parse(&text).map_err(|_| ())?;
        for oddity in oddities.into_iter().take(MAX_REMARKS) {
            let line = self.first_line() + u32::try_from(oddity.line).unwrap_or(u32::MAX);
            let finding = Diagnostic::warning(oddity.rule, oddity.message()).hint(oddity.hint());
            odd.push(finding.in_file(file).at(line, 1));
        }
        self.yaml = Cow::Owned(text);
        self.repaired = true;
        Ok(root)
    }

    /// The whole text, repairs included.
    pub(crate) fn whole(&self) -> String {
        format!("{}{}{}", self.before, self.yaml, self.after)
    }

    /// The line of the file that the YAML begins on.
    fn first_line(&self) -> u32 {
        line_column(self.before, self.before.len()).0
    }

    /// Gives a finding the place of a span of the YAML.
    #[must_use]
    pub fn place(&self, finding: Diagnostic, file: &SkillPath, span: Range<usize>) -> Diagnostic {
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

    /// The trimmed text of a scalar at a path of keys; none if it is empty or no scalar.
    #[must_use]
    pub fn text(&self, path: &[&str]) -> Option<&str> {
        self.get(path)?.text().map(str::trim).filter(|text| !text.is_empty())
    }

    /// The first of some places that holds a text.
    pub(crate) fn first_text(&self, places: &[KeyPath]) -> Option<(KeyPath, &str)> {
        places.iter().find_map(|path| Some((*path, self.text(path)?)))
    }

    /// The first of some places that holds tags.
    pub(crate) fn first_tags(&self, places: &[KeyPath]) -> Option<(KeyPath, Vec<String>)> {
        places.iter().find_map(|path| Some((*path, tags(self.get(path)?)?)))
    }

    /// The slug that a `slug` key states.
    pub(crate) fn slug(&self) -> Option<Slug> {
        Slug::parse(self.text(&["slug"])?).ok()
    }

    /// Findings about keys and values that work but aren't as the standard has them.
    pub(crate) fn remark(&self, file: &SkillPath, folder: &str, odd: &mut Vec<Diagnostic>) {
        self.remark_keys(file, odd);
        self.remark_name(file, folder, odd);
        if let Some(node) = self.get(&["allowed-tools"])
            && matches!(node.content, Content::Sequence { .. })
        {
            let finding = Diagnostic::info("frontmatter/allowed-tools", "allowed-tools is a list")
                .hint("the standard has one line with blanks between the tools");
            odd.push(self.place(finding, file, node.span.clone()));
        }
        if let Some(node) = self.get(&["description"])
            && let Some(text) = node.text()
        {
            let chars = text.trim().chars().count();
            if chars > limits::DESCRIPTION_CHARS && chars <= limits::DESCRIPTION_CHARS_LENIENT {
                let message = format!("the description has {chars} characters, more than {}", limits::DESCRIPTION_CHARS);
                let finding = Diagnostic::warning("frontmatter/description-length", message)
                    .hint("move details into the body: other agents may refuse this skill");
                odd.push(self.place(finding, file, node.span.clone()));
            }
        }
    }

    fn remark_keys(&self, file: &SkillPath, odd: &mut Vec<Diagnostic>) {
        let pairs = self.root.as_ref().map(Node::pairs).unwrap_or_default();
        let mut seen = HashSet::new();
        let mut remarks = 0;
        for (key, _) in pairs {
            let name = key.text().unwrap_or_default();
            let finding = if !seen.insert(name) {
                Diagnostic::warning("frontmatter/duplicate-key", format!("{name:?} is given twice; the last one counts"))
                    .hint("remove one of them")
            } else if !STANDARD_KEYS.contains(&name) && !OUR_KEYS.contains(&name) {
                Diagnostic::info("frontmatter/unknown-key", format!("the standard has no {name:?}; it is kept"))
                    .hint("move it under 'metadata' if other agents refuse it")
            } else {
                continue;
            };
            remarks += 1;
            if remarks <= MAX_REMARKS {
                odd.push(self.place(finding, file, key.span.clone()));
            }
        }
    }

    fn remark_name(&self, file: &SkillPath, folder: &str, odd: &mut Vec<Diagnostic>) {
        let Some(node) = self.get(&["name"]) else {
            if self.slug().is_none() {
                let finding = Diagnostic::warning("frontmatter/name", "there is no name; that of the folder or of skill.json stands in");
                odd.push(finding.hint("add the folder's name: other agents refuse this skill").in_file(file).at(self.first_line(), 1));
            }
            return;
        };
        let Some(name) = self.text(&["name"]) else {
            let finding = Diagnostic::warning("frontmatter/name", "the name is empty or no text")
                .hint("give the folder's name: lower-case letters, digits and hyphens");
            odd.push(self.place(finding, file, node.span.clone()));
            return;
        };
        let finding = match Slug::parse(name) {
            Err(error) if self.slug().is_none() => Diagnostic::warning("frontmatter/name", error.to_string())
                .hint("it becomes the title; other agents want lower-case letters, digits and hyphens"),
            Ok(slug) if self.slug().is_none() && slug.as_str() != folder && Slug::parse(folder).as_ref() != Ok(&slug) => {
                let message = format!("the name {name:?} is not the folder's name {folder:?}");
                Diagnostic::warning("frontmatter/name-mismatch", message).hint("the name counts here; rename the folder")
            }
            _ => return,
        };
        odd.push(self.place(finding, file, node.span.clone()));
    }
}

/// The tags of a node: a list, or one text with commas between.
fn tags(node: &Node) -> Option<Vec<String>> {
    match &node.content {
        Content::Sequence { items, .. } => {
            Some(items.iter().filter_map(Node::text).map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect())
        }
        Content::Scalar { .. } => Some(comma_list(node.text()?)),
        _ => None,
    }
}

/// The parts of a text with commas between.
pub(crate) fn comma_list(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}
