//! JSON Schemas of our JSON files, for completion and hover texts in an editor. They are built from the tables that the rules
//! use; only the rules validate.

use inklings_core::manifest;
use inklings_core::sandbox_api::CAPABILITIES;
use inklings_core::{ArtifactKind, RelationKind};
use serde_json::{Map, Value, json};

use crate::assertion::{COMMON_KEYS, Form, KINDS, type_names};
use crate::dspy::{ADAPTERS, TEMPLATES};

/// The schema of `skill.json`.
#[must_use]
pub fn skill_json() -> Value {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let texts = |about: &str| json!({ "type": "array", "items": { "type": "string" }, "description": about });
    let relations: Map<String, Value> = [RelationKind::DependsOn, RelationKind::ConflictsWith]
        .into_iter()
        .zip(["Names of required skills.", "Names of skills that can't be used together with this one."])
        .map(|(kind, about)| (kind.as_str().to_owned(), texts(about)))
        .collect();
    json!({
        "type": "object",
        "properties": {
            "id": text("Id of the skill. Imports use it to find the existing skill."),
            "name": text("Name of the skill. The frontmatter takes precedence."),
            "title": text("Title shown in lists."),
            "description": text("What the skill does and when to use it. The frontmatter takes precedence."),
            "version": text("Semantic version. The frontmatter takes precedence."),
            "author": text("Author of the skill. The frontmatter takes precedence."),
            "category": text("Category shown in the library."),
            "tags": texts("Tags for search and filters."),
            "triggers": texts("Phrases that should trigger this skill."),
            "intent_patterns": texts("Short phrases that describe user intents."),
            "when_not_to_use": text("When not to use the skill."),
            "user_invocable": { "type": "boolean", "description": "Whether users can invoke the skill by name in chat." },
            "steps": { "type": "array", "description": "Steps of the procedure.", "items": step() },
            "relations": { "type": "object", "description": "Relations to other skills.", "properties": relations },
            "run": texts("Names of the artifacts to run, in order."),
            "artifacts": { "type": "array", "description": "Artifacts of the skill.", "items": artifact() },
            "metadata": {
                "type": "object",
                "description": "Additional metadata.",
                "properties": { manifest::KEY: manifest::schema() },
            },
        },
    })
}

/// The schema of a DSPy module's file.
#[must_use]
pub fn dspy_module() -> Value {
    json!({
        "type": "object",
        "required": ["template_id", "signature"],
        "properties": {
            "template_id": { "enum": TEMPLATES, "description": "Template of the program." },
            "signature": { "type": "string", "description": "Inputs and outputs, such as `question, context: list[str] -> answer: str`." },
            "instructions": { "type": "string", "description": "Instructions for the program." },
            "parameters": { "type": "object", "description": "Parameters of the template." },
            "adapter": { "enum": ADAPTERS, "description": "DSPy adapter that formats the prompts." },
        },
    })
}

fn step() -> Value {
    json!({
        "type": "object",
        "required": ["action"],
        "properties": {
            "step": { "type": "integer", "description": "Step number, starting at 1." },
            "action": { "type": "string", "description": "Name of the action." },
            "description": { "type": "string", "description": "Description of the step." },
            "tool": { "type": "string", "description": "Name of the tool." },
            "params": { "type": "object", "description": "Parameters of the tool." },
        },
    })
}

fn artifact() -> Value {
    let kinds: Vec<&str> = ArtifactKind::ALL.into_iter().map(ArtifactKind::as_str).collect();
    let rights: Vec<&str> = CAPABILITIES.iter().map(|(_, name)| *name).collect();
    json!({
        "type": "object",
        "required": ["path", "kind", "name"],
        "properties": {
            "path": { "type": "string", "description": "Path of the file." },
            "kind": { "enum": kinds, "description": "Artifact kind, which defines how it runs." },
            "name": { "type": "string", "description": "Name of the artifact. Templates access its output as outputs.<name>." },
            "ordinal": { "type": "integer", "description": "Position in the list of artifacts." },
            "variant": { "type": "string", "description": "Model family of this variant." },
            "state": { "type": "string", "description": "File with the compiled state of an optimization." },
            "id": { "type": "string", "description": "Id of the artifact." },
            "metadata": {
                "type": "object",
                "description": "Metadata of the artifact.",
                "properties": {
                    "params": { "type": "object", "description": "JSON Schema of the parameters." },
                    "outputs": { "type": "array", "items": { "type": "string" }, "description": "Names of the outputs for later artifacts." },
                    "fallback_artifact": { "type": "string", "description": "Name of the prompt that runs if this artifact is unavailable." },
                    "rights": { "type": "array", "items": { "enum": rights }, "description": "Capabilities of the script. If omitted, all are granted." },
                    "assertions": { "type": "array", "description": "Assertions about the output.", "items": assertion() },
                },
            },
        },
    })
}

fn assertion() -> Value {
    let mut properties = Map::new();
    properties.insert("type".to_owned(), json!({ "enum": type_names(), "description": "Assertion type." }));
    let mut checks: Vec<&str> = KINDS.iter().filter_map(|kind| kind.check).collect();
    checks.dedup();
    properties.insert("check".to_owned(), json!({ "enum": checks, "description": "Check of the assertion type." }));
    for (name, form) in KINDS.iter().flat_map(|kind| kind.required.iter().chain(kind.optional)).chain(COMMON_KEYS) {
        properties.entry((*name).to_owned()).or_insert_with(|| shape(*form));
    }
    json!({ "type": "object", "required": ["type"], "properties": properties })
}

fn shape(form: Form) -> Value {
    match form {
        Form::Text | Form::Pattern | Form::Flags => json!({ "type": "string" }),
        Form::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Form::Number | Form::Count => json!({ "type": "number" }),
        Form::Word(values) => json!({ "enum": values }),
        Form::Schema => json!({ "type": "object" }),
        Form::TextOrTexts | Form::Any => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use inklings_core::{SkillFormat as _, SkillPath, Tree, TreeFile};

    use super::*;

    struct Ids;
    impl inklings_core::IdSource for Ids {
        fn uuid(&self) -> uuid::Uuid {
            uuid::Uuid::new_v4()
        }
    }

    /// A key that the folder doesn't read takes any value; one that it reads refuses one of the wrong type.
    #[test]
    fn what_is_offered_is_read() {
        let folder = inklings_folder::Folder::new(Arc::new(Ids));
        let main = SkillPath::parse("SKILL.md").unwrap();
        let read = |json: &Value| {
            let mut tree = Tree::new();
            tree.insert(main.clone(), TreeFile::new(b"---\nname: one\ndescription: d\n---\n".as_slice()));
            tree.insert(inklings_core::skill::skill_json(), TreeFile::new(json.to_string().into_bytes()));
            folder.read(&tree, "one", None).map(|_| ())
        };
        let schema = skill_json();
        for key in schema["properties"].as_object().unwrap().keys() {
            assert!(read(&json!({ key.as_str(): 1 })).is_err(), "{key} is offered and not read");
        }
        let item = &schema["properties"]["artifacts"]["items"]["properties"];
        for key in item.as_object().unwrap().keys() {
            let mut entry = json!({ "path": "a.md", "kind": "approach", "name": "a" });
            entry[key] = json!([[]]);
            assert!(read(&json!({ "artifacts": [entry] })).is_err(), "{key} of an artifact is offered and not read");
        }
        assert!(read(&json!({ "unknown": 1 })).is_ok());
    }
}
