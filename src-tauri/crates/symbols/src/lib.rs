//! What the texts of a skill reference, with positions: variables, artifacts, other skills, files, pages and headings.
//!
//! Templates are parsed by the engine, `skill.json` as JSON, and Markdown for its links; in scripts only calls of host
//! functions with a string literal are recognized. Invalid texts have no symbols; the validator reports them.
//!
//! Deliberately absent: resolving names elsewhere (which skills and pages exist), and changing texts. To recognize another
//! kind of reference, add it to [`Symbol`] and report it from the module of its text format.

mod json;
pub mod lines;
mod markdown;
mod script;
mod template;

use std::collections::BTreeMap;
use std::ops::Range;

use inklings_core::name::output_key;
use inklings_core::path::SKILL_JSON;
use inklings_core::{Artifact, ArtifactKind, Package, SkillPath, slugify};
use inklings_prompt::PromptEngine;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Symbol {
    /// A template variable.
    Variable {
        name: String,
    },
    Artifact {
        name: String,
    },
    Skill {
        /// Slug or title as written.
        name: String,
    },
    File {
        path: SkillPath,
    },
    Page {
        /// As written.
        name: String,
    },
    Heading {
        path: SkillPath,
        /// Anchor without `#`.
        anchor: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Defines,
    /// A declaration of a value with this name.
    Gives,
    Uses,
}

/// An occurrence of a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    pub symbol: Symbol,
    /// Byte range in the file.
    pub range: Range<usize>,
    pub role: Role,
}

impl Mention {
    fn new(symbol: Symbol, range: Range<usize>, role: Role) -> Self {
        Self { symbol, range, role }
    }
}

/// The texts of a skill, including unsaved ones.
pub struct Texts<'a> {
    package: &'a Package,
    prompts: &'a PromptEngine,
    files: BTreeMap<SkillPath, String>,
    /// Binary files.
    others: Vec<SkillPath>,
}

impl<'a> Texts<'a> {
    /// Stored texts overridden by `unsaved` ones.
    #[must_use]
    pub fn new(package: &'a Package, prompts: &'a PromptEngine, unsaved: impl IntoIterator<Item = (SkillPath, String)>) -> Self {
        let (mut files, mut others) = (BTreeMap::new(), Vec::new());
        for (path, entry) in package.tree() {
            match entry.text() {
                Some(text) => {
                    files.insert(path, text.to_owned());
                }
                None => others.push(path),
            }
        }
        for (path, text) in unsaved {
            // Drafts of deleted files are ignored.
            if let Some(stored) = files.get_mut(&path) {
                *stored = text;
            }
        }
        Self { package, prompts, files, others }
    }

    #[must_use]
    pub const fn package(&self) -> &'a Package {
        self.package
    }

    /// Text files by path.
    pub fn files(&self) -> impl Iterator<Item = (&SkillPath, &str)> {
        self.files.iter().map(|(path, text)| (path, text.as_str()))
    }

    #[must_use]
    pub fn text(&self, path: &SkillPath) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Whether the skill has the file.
    #[must_use]
    pub fn has(&self, path: &SkillPath) -> bool {
        self.files.contains_key(path) || self.others.contains(path)
    }

    #[must_use]
    pub fn artifact(&self, path: &SkillPath) -> Option<&'a Artifact> {
        self.package.artifacts.iter().find(|artifact| artifact.path == *path)
    }

    /// The mentions in a file, in order.
    #[must_use]
    pub fn mentions(&self, path: &SkillPath) -> Vec<Mention> {
        let Some(text) = self.text(path) else { return Vec::new() };
        let mut found = Vec::new();
        match self.artifact(path).map(|artifact| artifact.kind) {
            Some(ArtifactKind::PromptTemplate) => found.extend(template::mentions(self, path, text)),
            Some(ArtifactKind::CodeTemplate) => {
                found.extend(template::mentions(self, path, text));
                found.extend(script::mentions(text));
            }
            _ if path.as_str() == SKILL_JSON => found.extend(json::mentions(text)),
            _ => {}
        }
        if matches!(path.extension().as_str(), "md" | "markdown") {
            found.extend(markdown::mentions(self, path, text));
        }
        found.sort_by_key(|mention| (mention.range.start, mention.range.end));
        found
    }

    /// The innermost mention at a byte offset. The end is inclusive, for a cursor after a word.
    #[must_use]
    pub fn at(&self, path: &SkillPath, offset: usize) -> Option<Mention> {
        let there = self.mentions(path).into_iter().filter(|mention| mention.range.start <= offset && offset <= mention.range.end);
        there.min_by_key(|mention| (mention.range.end == offset, mention.range.len()))
    }

    /// All mentions of a symbol, by file.
    #[must_use]
    pub fn everywhere(&self, symbol: &Symbol) -> Vec<(&SkillPath, Vec<Mention>)> {
        let of_file = |path| (path, self.mentions(path).into_iter().filter(|mention| mention.symbol == *symbol).collect::<Vec<_>>());
        self.files.keys().map(of_file).filter(|(_, mentions)| !mentions.is_empty()).collect()
    }

    /// The artifact whose output is `outputs.<key>` in templates.
    fn output(&self, key: &str) -> Option<&'a Artifact> {
        self.package.artifacts.iter().find(|artifact| output_key(&artifact.name) == key || slugify(&artifact.name, "artifact") == key)
    }
}

#[cfg(test)]
mod tests;
