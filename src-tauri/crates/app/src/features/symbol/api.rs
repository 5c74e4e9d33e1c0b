use std::collections::BTreeMap;

use inklings_core::{ArtifactKind, Scope, SkillId, SkillPath, Slug};
use inklings_prompt::variables::Variable;
use inklings_symbols::Symbol;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::EditResult;
use crate::wire::UnsavedText;

/// A range of a text with the rest of its line. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Location {
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    /// Exclusive.
    pub end_column: usize,
    /// Text before it in its first line.
    pub before: String,
    pub text: String,
    /// Text after it in its last line.
    pub after: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileLocations {
    pub skill: SkillId,
    pub scope: Scope,
    pub slug: Slug,
    /// The skill's title.
    pub name: String,
    pub path: SkillPath,
    /// In their order in the file.
    pub locations: Vec<Location>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AtParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    pub path: SkillPath,
    pub line: usize,
    pub column: usize,
    /// Unsaved texts to read instead of the saved ones.
    #[serde(default)]
    pub edits: Vec<UnsavedText>,
}

/// The location of a definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "in", rename_all = "lowercase")]
pub enum Target {
    Skill {
        skill: SkillId,
        scope: Scope,
        path: SkillPath,
        line: usize,
        column: usize,
    },
    /// A page of the workspace.
    Page {
        slug: String,
    },
}

/// A symbol at a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SymbolInformation {
    pub symbol: Symbol,
    /// The mention at the position.
    pub location: Location,
    pub title: String,
    /// Description, or why it can't be resolved. May be empty.
    pub about: String,
    /// Further lines for a hover.
    pub facts: Vec<String>,
    /// Definitions. Empty if it can't be resolved.
    pub targets: Vec<Target>,
    /// Whether it can be renamed in all files.
    pub renames: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SymbolAtPosition {
    /// Null if there is no symbol.
    pub symbol: Option<SymbolInformation>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UsesParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    pub symbol: Symbol,
    /// Unsaved texts to read instead of the saved ones.
    #[serde(default)]
    pub edits: Vec<UnsavedText>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Uses {
    /// In all skills for a skill or page, otherwise in this skill.
    pub uses: Vec<FileLocations>,
    /// The same word elsewhere in this skill, where it may mean something else.
    pub mentions: Vec<FileLocations>,
}

/// A variable that templates of a skill use or its artifacts provide.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct KnownVariable {
    #[serde(flatten)]
    pub variable: Variable,
    /// Names of the artifacts that use it.
    pub asked_by: Vec<String>,
    /// Names of the artifacts that provide it.
    pub given_by: Vec<String>,
    /// Whether `skill.json` declares it as a parameter.
    pub declared: bool,
}

/// An artifact's output in templates.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OutputName {
    /// What follows `outputs.`.
    pub key: String,
    pub artifact: String,
    pub kind: ArtifactKind,
    /// Fields that are known before it runs.
    pub fields: Vec<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ArtifactName {
    pub name: String,
    pub kind: ArtifactKind,
    /// The file of its first variant.
    pub path: SkillPath,
}

/// Everything that can be referenced in a skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Names {
    /// The revision that was read.
    pub revision: i64,
    /// By name.
    pub variables: Vec<KnownVariable>,
    /// In the order of the artifacts.
    pub outputs: Vec<OutputName>,
    pub artifacts: Vec<ArtifactName>,
    /// By path.
    pub files: Vec<SkillPath>,
    /// Anchors of the headings of markdown files.
    pub anchors: BTreeMap<SkillPath, Vec<String>>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamesParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Unsaved texts to read instead of the saved ones.
    #[serde(default)]
    pub edits: Vec<UnsavedText>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CompletionItem {
    pub name: String,
    pub about: String,
}

/// The names that are available in every skill.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LanguageData {
    pub filters: Vec<CompletionItem>,
    pub tests: Vec<CompletionItem>,
    pub functions: Vec<CompletionItem>,
    /// Keys of the frontmatter, those of the Agent Skills specification first.
    pub frontmatter: Vec<CompletionItem>,
    /// JSON Schema of `skill.json`.
    pub skill_json: Value,
    /// JSON Schema of a DSPy module's file.
    pub dspy_module: Value,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenameParams {
    /// ID, slug or title.
    pub skill: String,
    /// Scope of the skill. [default: workspace, then account]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// A variable or an artifact.
    pub symbol: Symbol,
    pub to: String,
}

/// The changes that a rename would make.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RenamePreview {
    /// Occurrences to rename, by file.
    pub uses: Vec<FileLocations>,
    /// Number of saved inputs that would change.
    pub inputs: usize,
    /// Number of saved inputs that keep the old name, since their workspaces have skills of their own.
    pub inputs_elsewhere: usize,
    /// Number of saved actions that would change.
    pub actions: usize,
    /// Occurrences of the same word that aren't renamed, since it may mean something else there.
    pub mentions: Vec<FileLocations>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RenameResult {
    pub result: EditResult,
    /// Number of renamed occurrences.
    pub uses: usize,
    /// Number of changed saved inputs.
    pub inputs: usize,
    /// Number of saved inputs that keep the old name, since their workspaces have skills of their own.
    pub inputs_elsewhere: usize,
    /// Number of changed saved actions.
    pub actions: usize,
    /// Occurrences of the same word that weren't renamed.
    pub mentions: Vec<FileLocations>,
}
