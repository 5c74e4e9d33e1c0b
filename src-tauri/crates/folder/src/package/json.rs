//! The JSON package: its keys, in the order in which they are written, and its published schema.
//!
//! It holds a skill as values. What isn't there has the value that a folder without it has. Texts of the folder (`texts`)
//! are there only where the values alone would not give the same bytes.

use std::sync::LazyLock;

use inklings_core::kind::ArtifactKind;
use inklings_core::skill::SkillStep;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A skill as one JSON value. A list of these, or `{"skills": [...]}`, is a bundle. A key that isn't listed is kept as a
/// claim of the package and written back when it is exported.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Skill package")]
pub(super) struct JsonPackage {
    /// The skill's id, a UUID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    /// The skill's key; unless given it is made of the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) slug: Option<String>,
    /// The title.
    #[schemars(length(min = 1))]
    pub(super) name: String,
    /// What the skill does and when to use it.
    #[schemars(length(min = 1))]
    pub(super) description: String,
    /// Semantic version; 1.0.0 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<String>,
    /// Tags.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tags: Option<Vec<String>>,
    /// Where the package says that it is from. A claim: it is kept and doesn't count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<Value>,
    /// Display name of the author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) author: Option<String>,
    /// Category; `general` unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) category: Option<String>,
    /// Intents that the skill answers to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) intent_patterns: Option<Vec<String>>,
    /// Sentences that should bring the skill up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) trigger_phrases: Option<Vec<String>>,
    /// When another skill is the better choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) when_not_to_use: Option<String>,
    /// Whether a user may ask for it by name; yes unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) user_invocable: Option<bool>,
    /// The procedure; unless given it is the numbered list under "Steps" in the instructions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) steps: Option<Vec<SkillStep>>,
    /// Other skills, by slug.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) relations: Option<JsonRelations>,
    /// Free metadata; the manifest is at `manifest`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) metadata: Option<Map<String, Value>>,
    /// Names of the artifacts that a run executes, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) run: Option<Vec<String>>,
    /// Artifacts. The first description that has a text and no path is the body of `SKILL.md`.
    #[serde(default)]
    pub(super) artifacts: Vec<JsonArtifact>,
    /// Files that are no artifacts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) files: Option<Vec<JsonFile>>,
    /// How the folder spells `SKILL.md`, if it is `skill.md`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) main_path: Option<String>,
    /// Texts of the folder, where the values don't give the same bytes. Values that say something else win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) texts: Option<JsonTexts>,
    #[serde(flatten)]
    pub(super) claims: Map<String, Value>,
}

/// Relations to other skills.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub(super) struct JsonRelations {
    /// Slugs of skills that this one needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) depends_on: Vec<String>,
    /// Slugs of skills that must not be used together with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) conflicts_with: Vec<String>,
}

/// One artifact.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(super) struct JsonArtifact {
    /// Its id, a UUID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    /// What it is, which decides how it runs.
    pub(super) kind: ArtifactKind,
    /// Its name, unique together with its variant.
    #[schemars(length(min = 1))]
    pub(super) name: String,
    /// Its place among the others; its place in this list unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ordinal: Option<i64>,
    /// Its file; unless given it is made of kind, name and variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) path: Option<String>,
    /// Its text.
    pub(super) content: String,
    /// The model family that this text is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model_variant: Option<String>,
    /// The state of a DSPy module: JSON in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state_blob: Option<String>,
    /// The state's file; unless given it is made of the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state_path: Option<String>,
    /// Settings of its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) metadata: Option<Map<String, Value>>,
    /// Whether its file is executable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) executable: Option<bool>,
    #[serde(flatten)]
    pub(super) claims: Map<String, Value>,
}

/// A file that is no artifact: its content is `text` or `base64`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct JsonFile {
    /// Its path in the folder.
    pub(super) path: String,
    /// The content, if it is text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    /// The content in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base64: Option<String>,
    /// Whether it is executable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) executable: Option<bool>,
}

/// Texts of the folder, verbatim; one that is missing here is missing in the folder.
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

/// The schema of a type of ours, as the check of values reads it.
pub(super) fn schema_of<T: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator();
    generator.into_root_schema_for::<T>().to_value()
}

/// The keys of a package, or of its artifacts, that mean something to us.
pub(super) fn known_keys(pointer: &str) -> impl Iterator<Item = &'static str> {
    let properties = package_schema().pointer(pointer).and_then(Value::as_object);
    properties.into_iter().flatten().map(|(key, _)| key.as_str())
}

/// Where the schema lists the keys of a package.
pub(super) const PACKAGE_KEYS: &str = "/properties";
/// Where the schema lists the keys of an artifact.
pub(super) const ARTIFACT_KEYS: &str = "/properties/artifacts/items/properties";
