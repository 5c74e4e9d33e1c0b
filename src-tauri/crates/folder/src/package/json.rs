//! The JSON package: its keys in the order in which they are written, and its published schema
//! (`crates/folder/schemas/skill-package.schema.json`).
//!
//! It holds a skill as values; a missing value is the default of a folder without it. Texts of the folder (`texts`) are included only if the
//! values alone would not reproduce its bytes, which is tested by reading the result; a skill that can't be reproduced is refused. Values that
//! were changed take precedence over the texts. Artifacts without ordinals keep the order of their list.

use std::sync::LazyLock;

use inklings_core::kind::ArtifactKind;
use inklings_core::skill::SkillStep;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A skill as one JSON value. A list of packages, or `{"skills": [...]}`, is a bundle. Unknown keys are kept as claims of the
/// package and written back on export.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Skill package")]
pub(super) struct JsonPackage {
    /// UUID of the skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    /// Name of the skill in lowercase letters, digits and hyphens [default: derived from `name`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) slug: Option<String>,
    /// Title.
    #[schemars(length(min = 1))]
    pub(super) name: String,
    /// What the skill does and when to use it.
    #[schemars(length(min = 1))]
    pub(super) description: String,
    /// Semantic version [default: 1.0.0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tags: Option<Vec<String>>,
    /// Origin of the skill. A claim: it is kept but ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<Value>,
    /// Display name of the author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) author: Option<String>,
    /// Category [default: general].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) category: Option<String>,
    /// Intents that match the skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) intent_patterns: Option<Vec<String>>,
    /// Phrases that trigger the skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) trigger_phrases: Option<Vec<String>>,
    /// Situations in which another skill should be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) when_not_to_use: Option<String>,
    /// Whether a user can invoke the skill by name [default: true].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) user_invocable: Option<bool>,
    /// Steps of the procedure [default: the numbered list under "Steps" in the instructions].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) steps: Option<Vec<SkillStep>>,
    /// Relations to other skills.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) relations: Option<JsonRelations>,
    /// Additional metadata. The manifest is at `manifest`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) metadata: Option<Map<String, Value>>,
    /// Names of the artifacts that a run executes, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) run: Option<Vec<String>>,
    /// Artifacts. The first description with text and without a path is the body of `SKILL.md`.
    #[serde(default)]
    pub(super) artifacts: Vec<JsonArtifact>,
    /// Files that aren't artifacts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) files: Option<Vec<JsonFile>>,
    /// Name of the main file if it is `skill.md` instead of `SKILL.md`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) main_path: Option<String>,
    /// Verbatim texts of the folder, included where the values don't reproduce the same bytes. Values take precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) texts: Option<JsonTexts>,
    #[serde(flatten)]
    pub(super) claims: Map<String, Value>,
}

/// Relations to other skills.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub(super) struct JsonRelations {
    /// Slugs of required skills.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) depends_on: Vec<String>,
    /// Slugs of skills that must not be used together with this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) conflicts_with: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(super) struct JsonArtifact {
    /// UUID of the artifact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    /// Kind of the artifact, which defines how it runs.
    pub(super) kind: ArtifactKind,
    /// Name, unique together with the variant.
    #[schemars(length(min = 1))]
    pub(super) name: String,
    /// Position among the artifacts [default: position in this list].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ordinal: Option<i64>,
    /// Path of the file [default: derived from kind, name and variant].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) path: Option<String>,
    /// Text of the file.
    pub(super) content: String,
    /// Model family of this variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model_variant: Option<String>,
    /// State of a DSPy module: JSON, encoded as base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state_blob: Option<String>,
    /// Path of the state file [default: derived from the name].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state_path: Option<String>,
    /// Settings of the kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) metadata: Option<Map<String, Value>>,
    /// Whether the file is executable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) executable: Option<bool>,
    #[serde(flatten)]
    pub(super) claims: Map<String, Value>,
}

/// A file that isn't an artifact, with its content as `text` or `base64`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct JsonFile {
    /// Path in the skill folder.
    pub(super) path: String,
    /// Content of a text file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    /// Content as base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base64: Option<String>,
    /// Whether the file is executable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) executable: Option<bool>,
}

/// Verbatim texts of the folder. A missing text means that the folder doesn't have it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct JsonTexts {
    /// `SKILL.md` up to its body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) frontmatter: Option<String>,
    /// `skill.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skill_json: Option<String>,
}

/// The JSON Schema of a package, without references.
#[must_use]
pub fn package_schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> = LazyLock::new(schema_of::<JsonPackage>);
    &SCHEMA
}

/// The JSON Schema of `T` without references, for checking values.
pub(super) fn schema_of<T: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator();
    generator.into_root_schema_for::<T>().to_value()
}

/// The known keys of a package or of its artifacts.
pub(super) fn known_keys(pointer: &str) -> impl Iterator<Item = &'static str> {
    let properties = package_schema().pointer(pointer).and_then(Value::as_object);
    properties.into_iter().flatten().map(|(key, _)| key.as_str())
}

/// Pointer to the keys of a package in the schema.
pub(super) const PACKAGE_KEYS: &str = "/properties";
/// Pointer to the keys of an artifact in the schema.
pub(super) const ARTIFACT_KEYS: &str = "/properties/artifacts/items/properties";
