//! What the texts of a skill name, and where: variables, artifacts, other skills, files, pages and headings.
//!
//! A text is read by what its file is: templates by the engine's own tree, `skill.json` by its JSON, markdown by its links, scripts
//! only as far as calls of the host's functions with a plain text. What can't be read names nothing; it is the validator's business.
//!
//! Deliberately absent: what a name stands for elsewhere (which skills and pages exist) and changing texts. To let something new be
//! found, add it to [`Symbol`] and report it from the module of the text that names it.

mod json;
mod markdown;
pub mod places;
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

/// Something that texts name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Symbol {
    /// A value that templates ask for.
    Variable {
        /// Its name.
        name: String,
    },
    /// An artifact of the skill.
    Artifact {
        /// Its name.
        name: String,
    },
    /// Another skill.
    Skill {
        /// Its slug or title, as written.
        name: String,
    },
    /// A file of the skill.
    File {
        /// Its path.
        path: SkillPath,
    },
    /// A page of the workspace.
    Page {
        /// Its name, as written.
        name: String,
    },
    /// A heading of a markdown file.
    Heading {
        /// The file.
        path: SkillPath,
        /// As links write it, without `#`.
        anchor: String,
    },
}

/// What a place has to do with what it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It says what it is.
    Defines,
    /// It says that something of this name is given here.
    Gives,
    /// It uses it.
    Uses,
}

/// A place that names something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    pub symbol: Symbol,
    /// Bytes of the file.
    pub range: Range<usize>,
    pub role: Role,
}

impl Mention {
    fn new(symbol: Symbol, range: Range<usize>, role: Role) -> Self {
        Self { symbol, range, role }
    }
}

/// The texts of a skill as they are now, with what isn't saved yet.
pub struct Texts<'a> {
    package: &'a Package,
    prompts: &'a PromptEngine,
    files: BTreeMap<SkillPath, String>,
    /// Files that are no text.
    others: Vec<SkillPath>,
}

impl<'a> Texts<'a> {
    /// The stored texts, with `unsaved` in place of what is stored.
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
            // What was deleted meanwhile is no file of the skill any more.
            if let Some(stored) = files.get_mut(&path) {
                *stored = text;
            }
        }
        Self { package, prompts, files, others }
    }

    /// The skill.
    #[must_use]
    pub const fn package(&self) -> &'a Package {
        self.package
    }

    /// Every text file, by path.
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

    /// What a file names, in order.
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

    /// The innermost mention at a byte of a file; its end counts as well, where the cursor stands behind a word.
    #[must_use]
    pub fn at(&self, path: &SkillPath, offset: usize) -> Option<Mention> {
        let there = self.mentions(path).into_iter().filter(|mention| mention.range.start <= offset && offset <= mention.range.end);
        there.min_by_key(|mention| (mention.range.end == offset, mention.range.len()))
    }

    /// Every place of the skill that names a symbol, by file.
    #[must_use]
    pub fn everywhere(&self, symbol: &Symbol) -> Vec<(&SkillPath, Vec<Mention>)> {
        let of_file = |path| (path, self.mentions(path).into_iter().filter(|mention| mention.symbol == *symbol).collect::<Vec<_>>());
        self.files.keys().map(of_file).filter(|(_, mentions)| !mentions.is_empty()).collect()
    }

    /// The artifact whose output a template calls `outputs.<key>`.
    fn output(&self, key: &str) -> Option<&'a Artifact> {
        self.package.artifacts.iter().find(|artifact| output_key(&artifact.name) == key || slugify(&artifact.name, "artifact") == key)
    }
}

#[cfg(test)]
mod tests;
