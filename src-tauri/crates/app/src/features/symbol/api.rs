//! Parameters and results of `symbol/*`.

use std::collections::BTreeMap;

use inklings_core::{ArtifactKind, Scope, SkillId, SkillPath, Slug};
use inklings_prompt::variables::Variable;
use inklings_symbols::Symbol;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::features::prompt::UnsavedText;
use crate::wire::EditResult;

/// A place in a text. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Place {
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    /// The column after its end.
    pub end_column: usize,
    /// The line's text up to it.
    pub before: String,
    /// What stands there.
    pub text: String,
    /// The line's text after it.
    pub after: String,
}

/// Places of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FilePlaces {
    /// The file's skill.
    pub skill: SkillId,
    /// Where that lives.
    pub scope: Scope,
    pub slug: Slug,
    /// Its title.
    pub name: String,
    /// The file.
    pub path: SkillPath,
    /// In order.
    pub places: Vec<Place>,
}

/// A place to ask about.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AtParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The file.
    pub path: SkillPath,
    pub line: usize,
    pub column: usize,
    /// Unsaved texts to look at instead of the stored ones.
    #[serde(default)]
    pub edits: Vec<UnsavedText>,
}

/// Where something is to be seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "in", rename_all = "lowercase")]
pub enum Target {
    Skill {
        skill: SkillId,
        /// Where it lives.
        scope: Scope,
        /// The file.
        path: SkillPath,
        line: usize,
        column: usize,
    },
    /// On a page of the workspace.
    Page { slug: String },
}

/// What is named at a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Named {
    /// What.
    pub symbol: Symbol,
    /// Where it is named.
    pub place: Place,
    /// As a person calls it.
    pub title: String,
    /// What it is, in a sentence; empty when nothing says.
    pub about: String,
    /// What else is known, a line each.
    pub facts: Vec<String>,
    /// Where it is said what it is; empty when nothing has the name.
    pub targets: Vec<Target>,
    /// Whether it can be renamed everywhere at once.
    pub renames: bool,
}

/// What was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Found {
    /// None where the text names nothing.
    pub named: Option<Named>,
}

/// Something to look for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UsesParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// What to look for.
    pub symbol: Symbol,
    /// Unsaved texts to look at instead of the stored ones.
    #[serde(default)]
    pub edits: Vec<UnsavedText>,
}

/// Where something is named.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Uses {
    /// Where the texts name it. Of a skill and a page: in all skills, else in this one.
    pub uses: Vec<FilePlaces>,
    /// The same word elsewhere in this skill, where only a person can tell what it stands for.
    pub mentions: Vec<FilePlaces>,
}

/// A value that a skill's templates ask for or its artifacts give.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct KnownVariable {
    /// What is known of it.
    #[serde(flatten)]
    pub variable: Variable,
    /// Names of the artifacts that ask for it.
    pub asked_by: Vec<String>,
    /// Names of the artifacts that give it.
    pub given_by: Vec<String>,
    /// Whether `skill.json` says that it is a parameter.
    pub declared: bool,
}

/// What an artifact's output is called in templates.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OutputName {
    /// What follows `outputs.`.
    pub key: String,
    pub artifact: String,
    pub kind: ArtifactKind,
    /// Fields that are known before it ran.
    pub fields: Vec<String>,
}

/// An artifact by name.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ArtifactName {
    pub name: String,
    pub kind: ArtifactKind,
    /// The file of its first variant.
    pub path: SkillPath,
}

/// What can be named in a skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Names {
    /// The revision that was read.
    pub revision: i64,
    /// Values, by name.
    pub variables: Vec<KnownVariable>,
    /// Outputs, in the order in which the artifacts are listed.
    pub outputs: Vec<OutputName>,
    /// Artifacts, in the order in which they are listed.
    pub artifacts: Vec<ArtifactName>,
    /// Files, by path.
    pub files: Vec<SkillPath>,
    /// Headings of markdown files by file, as links write them.
    pub anchors: BTreeMap<SkillPath, Vec<String>>,
}

/// A skill whose names are asked for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamesParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Unsaved texts to look at instead of the stored ones.
    #[serde(default)]
    pub edits: Vec<UnsavedText>,
}

/// A word of the template language, or a key.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Word {
    /// The word.
    pub name: String,
    /// What it means.
    pub about: String,
}

/// What every skill may use.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Words {
    /// Filters of templates.
    pub filters: Vec<Word>,
    /// Tests of templates.
    pub tests: Vec<Word>,
    /// Functions of templates.
    pub functions: Vec<Word>,
    /// Keys of the frontmatter; those of the standard come first.
    pub frontmatter: Vec<Word>,
    /// The shape of `skill.json`, as JSON Schema.
    pub skill_json: Value,
    /// The shape of a DSPy module's file, as JSON Schema.
    pub dspy_module: Value,
}

/// A new name for something.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenameParams {
    /// Id, slug or title.
    pub skill: String,
    /// Scope to look in; the merged winner without one.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// What gets the name: a variable or an artifact.
    pub symbol: Symbol,
    /// The new name.
    pub to: String,
}

/// What a new name would do.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Renaming {
    /// What would change, by file.
    pub uses: Vec<FilePlaces>,
    /// Saved inputs that would follow.
    pub inputs: usize,
    /// Saved inputs of folders that have skills of their own and aren't open: they keep the old name.
    pub inputs_elsewhere: usize,
    /// Where the old word stays: only a person can tell what it stands for there.
    pub mentions: Vec<FilePlaces>,
}

/// What a new name did.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Renamed {
    /// The skill at its new revision.
    pub result: EditResult,
    /// Places that have the new name.
    pub uses: usize,
    /// Saved inputs that have it.
    pub inputs: usize,
    /// Saved inputs of folders that have skills of their own and aren't open: they keep the old name.
    pub inputs_elsewhere: usize,
    /// Where the old word still stands.
    pub mentions: Vec<FilePlaces>,
}
